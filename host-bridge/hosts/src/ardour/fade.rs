//! Fades: lists of points of time and gain.

use std::f64::consts::FRAC_PI_2;

use super::clock::{Clock, parse};
use crate::format::ReadError;
use crate::project::{FadeShape, ProjectFade};
use crate::xml::Document;

/// Silence, as Ardour begins a fade.
const SILENT: f64 = 1e-7;
/// Ardour's shortest fade, in samples. It gives this fade to each region that has no other.
pub(crate) const CLICK: f64 = 64.0;
/// Points of a curve, as in Ardour.
const STEPS: u32 = 32;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    In,
    Out,
}

impl Side {
    /// Name of the element; its opposite begins with "Inverse".
    pub(super) const fn element(self) -> &'static str {
        match self {
            Self::In => "FadeIn",
            Self::Out => "FadeOut",
        }
    }

    pub(super) const fn is_default(self) -> &'static str {
        match self {
            Self::In => "default-fade-in",
            Self::Out => "default-fade-out",
        }
    }

    pub(super) const fn is_active(self) -> &'static str {
        match self {
            Self::In => "fade-in-active",
            Self::Out => "fade-out-active",
        }
    }

    pub(super) const fn automation(self) -> &'static str {
        match self {
            Self::In => "fadein",
            Self::Out => "fadeout",
        }
    }

    /// How far the fade is open, 0 to 1, at a part of its length.
    fn open(self, part: f64) -> f64 {
        match self {
            Self::In => part,
            Self::Out => 1.0 - part,
        }
    }
}

fn gain(shape: FadeShape, open: f64) -> f64 {
    match shape {
        FadeShape::EqualPower => (open * FRAC_PI_2).sin(),
        FadeShape::Linear | FadeShape::Other => open,
    }
}

/// A fade of [`CLICK`] samples counts as none.
pub(super) fn read(
    document: &Document<'_>,
    region: usize,
    side: Side,
    rate: f64,
) -> Result<ProjectFade, ReadError> {
    let is_off =
        document.is(region, side.is_default(), "1") || document.is(region, side.is_active(), "0");
    let element = document.child(region, side.element()).filter(|_| !is_off);
    let events = element.and_then(|element| events_in(document, element));
    let Some(events) = events else { return Ok(ProjectFade::default()) };
    let points = points(document.content(events), rate);
    let points =
        points.ok_or_else(|| document.damaged_in(events, "a fade is no list of points"))?;
    let length = points.last().map_or(0.0, |point| point.0);
    if (length * rate - CLICK).abs() < 0.5 {
        return Ok(ProjectFade::default());
    }
    Ok(ProjectFade { length, shape: shape(&points, side, length) })
}

/// The element that holds the points of a fade.
pub(super) fn events_in(document: &Document<'_>, fade: usize) -> Option<usize> {
    document.inside(fade).find(|child| document.name(*child) == "events")
}

/// The points of a list at `factor` times their times.
pub(super) fn stretched(events: &str, factor: f64, clock: Clock) -> Option<String> {
    let rate = if let Clock::Samples(rate) = clock { rate } else { 1.0 };
    let line = |(time, gain): (f64, f64)| format!("{} {gain}\n", clock.text(time * factor));
    Some(points(events, rate)?.into_iter().map(line).collect())
}

fn points(text: &str, rate: f64) -> Option<Vec<(f64, f64)>> {
    let mut words = text.split_ascii_whitespace();
    let mut points = Vec::new();
    while let Some(time) = words.next() {
        let gain = words.next()?.parse::<f64>().ok()?;
        points.push((parse(time, rate).ok()??, gain));
    }
    Some(points)
}

fn shape(points: &[(f64, f64)], side: Side, length: f64) -> FadeShape {
    let is = |shape: &FadeShape| {
        let is_on =
            |(time, at): &(f64, f64)| (gain(*shape, side.open(time / length)) - at).abs() < 0.02;
        points.iter().all(is_on)
    };
    let shapes = [FadeShape::Linear, FadeShape::EqualPower];
    shapes.into_iter().find(is).unwrap_or(FadeShape::Other)
}

/// The points of a fade as text, or of its opposite.
pub(super) fn events(fade: ProjectFade, side: Side, is_inverse: bool, clock: Clock) -> String {
    let steps = if fade.shape == FadeShape::EqualPower { STEPS } else { 1 };
    let line = |step: u32| {
        let part = f64::from(step) / f64::from(steps);
        let open = if is_inverse { 1.0 - side.open(part) } else { side.open(part) };
        let gain = gain(fade.shape, open).max(SILENT);
        format!("{} {gain}\n", clock.text(part * fade.length))
    };
    (0..=steps).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_recognized() {
        for side in [Side::In, Side::Out] {
            for shape in [FadeShape::Linear, FadeShape::EqualPower] {
                let fade = ProjectFade { length: 0.5, shape };
                let text = events(fade, side, false, Clock::Ticks);
                let read = points(&text, 48000.0).unwrap();
                assert_eq!(super::shape(&read, side, 0.5), shape);
                let inverse = points(&events(fade, side, true, Clock::Ticks), 48000.0).unwrap();
                assert_eq!(super::shape(&inverse, side, 0.5), FadeShape::Other);
            }
        }
        assert_eq!(
            super::shape(&[(0.0, 0.0), (0.25, 0.1), (0.5, 1.0)], Side::In, 0.5),
            FadeShape::Other
        );
    }
}
