//! The wheel over a value, counted in notches whatever the mouse reports.

use egui::{Event, InputState, MouseWheelUnit};

/// A mouse without axes tells a notch twice, as it begins and as it ends: within this time they are one, s.
const TWICE: f64 = 0.04;
/// Points of a touch pad that are a notch.
const POINTS: f32 = 40.0;
/// A notch that comes in parts is taken in fifths.
const PARTS: f32 = 5.0;

#[derive(Clone, Debug, Default)]
pub(crate) struct Wheel {
    /// When it turned a whole notch last, s.
    at: f64,
    /// The remaining turn of the wheel that is not used yet, in notches.
    rest: f32,
}

impl Wheel {
    /// Notches since the last frame: up is more.
    pub(crate) fn turned(&mut self, input: &InputState) -> f32 {
        let mut whole = 0.0;
        for event in &input.events {
            let Event::MouseWheel { unit, delta, .. } = event else { continue };
            let by = delta.x + delta.y;
            match unit {
                MouseWheelUnit::Point => self.rest += by / POINTS,
                MouseWheelUnit::Line | MouseWheelUnit::Page if by.abs() < 1.0 => self.rest += by,
                MouseWheelUnit::Line | MouseWheelUnit::Page => {
                    if input.time - self.at >= TWICE {
                        whole += by.signum();
                        self.at = input.time;
                    }
                }
            }
        }
        let parts = (self.rest * PARTS).trunc() / PARTS;
        self.rest -= parts;
        whole + parts
    }
}
