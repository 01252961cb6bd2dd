//! Drawings of sounds, which need no audio.

use deskhand_editor::Column;

/// A drawing of one kind of sound at a second.
pub(crate) fn drawn(kind: u64, at: f64) -> Column {
    let noise = ((at * 811.0).sin() * 43_758.547).fract().abs();
    let beat = (at * 1.6).fract();
    let peak = match kind {
        0 | 1 => ((at * 0.9).sin() * 0.5 + 0.5) * (at * 0.31).sin().abs() * (0.7 + 0.3 * noise),
        2 => 0.28 + 0.34 * (-(at * 3.2).fract() * 3.0).exp() + 0.08 * noise,
        3 => 0.16 + 0.14 * (-beat * 2.0).exp() + 0.04 * noise,
        4 => 0.42 + 0.18 * (-(at * 3.2).fract() * 1.5).exp() + 0.06 * noise,
        _ => 0.10 + 0.82 * (-beat * 9.0).exp() + 0.10 * noise,
    };
    let peak = peak.clamp(0.02, 1.0) as f32;
    Column { peak, rms: peak * if kind == 5 { 0.35 } else { 0.5 } }
}
