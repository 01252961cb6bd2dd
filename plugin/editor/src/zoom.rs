//! The zoom of the window: as the person set it, or less where the window is too small for the layout.

use crate::action::{Action, Actions};
use crate::model::Model;
use crate::settings::SettingsChange;
use egui::{Context, Vec2};

/// The least size that the layout of the app holds, points.
pub(crate) const LEAST: Vec2 = Vec2::new(900.0, 600.0);
pub(crate) const ALL: [f32; 10] = [0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.75, 2.0];
/// The smallest and the largest that can be set.
const ENDS: (f32, f32) = (0.8, 2.0);
/// Smaller text is unreadable, so anything that does not fit is cut off.
const FLOOR: f32 = 0.5;
/// The window limits zoom in steps of this size: each new size draws all letters again.
const STEPS: f32 = 20.0;
/// Under this name it is said that the window has no room for more.
const LIMIT: &str = "zoom";
/// Closer than this two sizes are the same.
const NEAR: f32 = 0.001;

/// The largest for which the window has room.
fn room(context: &Context) -> f32 {
    let window = context.content_rect().size() * context.zoom_factor();
    let most = (window.x / LEAST.x).min(window.y / LEAST.y);
    // A window has whole pixels: one of the least size may be a hair smaller.
    ((most * STEPS + 0.01).floor() / STEPS).max(FLOOR)
}

/// Panels that do not fit into the window are not drawn, but stay set: a larger window shows them again.
///
/// What the keyboard set since the last frame is what the person wants from now on; where the window has no room for
/// that, it says so.
pub(crate) fn settle(context: &Context, model: &mut Model, out: &mut Actions) {
    let Some(settings) = &mut model.settings else { return };
    let (now, shown) = (context.zoom_factor(), &mut model.preferences.zoom);
    let by_keyboard = shown.is_some_and(|shown| (now - shown).abs() > NEAR);
    // Larger than the window has room for asks for nothing new.
    let is_over = shown.is_some_and(|shown| now > shown && settings.zoom > shown + NEAR);
    if by_keyboard && !is_over {
        settings.zoom = now.clamp(ENDS.0, ENDS.1);
        out.push(Action::Settings(SettingsChange::Zoom(settings.zoom)));
    }
    let zoom = settings.zoom.clamp(ENDS.0, ENDS.1).min(room(context));
    *shown = Some(zoom);
    if (now - zoom).abs() > NEAR {
        context.set_zoom_factor(zoom);
    }
    let told = limit(settings.zoom, Some(zoom)).filter(|_| by_keyboard && now > zoom);
    if let Some(words) = told {
        model.mention(LIMIT, words);
    }
}

/// Why it is drawn smaller than it was set.
pub(crate) fn limit(set: f32, shown: Option<f32>) -> Option<String> {
    let shown = shown.filter(|shown| *shown + NEAR < set.clamp(ENDS.0, ENDS.1))?;
    Some(format!("This window has room for {}; a larger one shows {}.", name(shown), name(set)))
}

/// "110 %".
pub(crate) fn name(zoom: f32) -> String {
    format!("{:.0}\u{a0}%", zoom * 100.0)
}

#[cfg(test)]
mod tests;
