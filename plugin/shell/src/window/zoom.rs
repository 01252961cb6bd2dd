//! The zoom of the window: as the person set it, or less where the host gives too small a window for the layout.
//!
//! Thread: window
//!
//! The window system asks the host for a window that grows with the zoom, and not every host gives one. What the window has
//! no room for is not drawn, and stays set: a larger window has it again.

use crate::state::{HEIGHTS, WIDTHS, ZOOMS};
use egui::{Context, Vec2, ViewportCommand};
use std::time::{Duration, Instant};

/// Closer than this two sizes are the same.
const NEAR: f32 = 0.001;
/// The window limits zoom in steps of this size: each new size draws all letters again.
const STEPS: f32 = 20.0;
/// How long a host may take to give the room for a zoom that was set.
const PATIENCE: Duration = Duration::from_millis(600);

/// The zoom of an open window.
#[derive(Debug)]
pub(super) struct Zoom {
    /// As the person set it last.
    set: f32,
    /// As it was drawn last.
    shown: Option<f32>,
    /// What the window is to be drawn at next, for want of room.
    ordered: Option<f32>,
    /// When it was set, or the window opened.
    since: Instant,
    /// Whether the person knows that there is no room for what they set.
    is_told: bool,
}

impl Zoom {
    /// A window opens at a zoom.
    pub(super) fn new(set: f32, now: Instant) -> Self {
        Self { set, shown: None, ordered: None, since: now, is_told: true }
    }

    /// The zoom that the project stores when the window is drawn at `drawn`.
    pub(super) fn kept(&self, drawn: f32) -> f32 {
        let [least, most] = ZOOMS;
        self.shown.map_or(drawn, |_| self.set).clamp(least, most)
    }

    /// Checks whether the layout has room in a window of this size, in points without zoom; once in each
    /// frame. If there is no room for the chosen zoom, it returns words for the person.
    pub(super) fn settle(
        &mut self,
        context: &Context,
        window: Vec2,
        now: Instant,
    ) -> Option<String> {
        let zoom = context.zoom_factor();
        if self.ordered.take().is_some_and(|ordered| is_same(ordered, zoom)) {
            // Else the window would grow or shrink by as much.
            context.send_viewport_cmd(ViewportCommand::InnerSize(window / zoom));
        } else if self.shown.is_some_and(|shown| !is_same(shown, zoom)) {
            (self.set, self.since, self.is_told) = (zoom, now, false);
        }
        self.shown = Some(zoom);
        let fits = self.kept(zoom).min(room(window));
        if is_same(fits, zoom) || window.min_elem() < 1.0 {
            return None;
        }
        let left = PATIENCE.saturating_sub(now.saturating_duration_since(self.since));
        if !left.is_zero() {
            context.request_repaint_after(left);
            return None;
        }
        self.ordered = Some(fits);
        context.set_zoom_factor(fits);
        let tells = self.set > fits && !std::mem::replace(&mut self.is_told, true);
        tells.then(|| words(fits, self.set))
    }
}

/// The largest zoom for which a window has room, in points without zoom.
fn room(window: Vec2) -> f32 {
    let most = (window.x / WIDTHS[0] as f32).min(window.y / HEIGHTS[0] as f32);
    // A window has whole pixels: one of the least size may be a hair smaller.
    ((most * STEPS + 0.01).floor() / STEPS).max(ZOOMS[0])
}

fn is_same(one: f32, other: f32) -> bool {
    (one - other).abs() <= NEAR
}

fn words(fits: f32, set: f32) -> String {
    let percent = |zoom: f32| format!("{:.0}\u{a0}%", zoom * 100.0);
    format!("This window has room for {}; a larger one shows {}.", percent(fits), percent(set))
}

#[cfg(test)]
mod tests;
