//! The picture of the app in a task bar: three faders, the middle one as a plan would have it.

use egui::IconData;

/// Width and height in pixels.
const SIDE: u32 = 64;
/// Radius of the corners in pixels.
const CORNER: f32 = 14.0;
/// The way of a fader from the top and from the left, half its width, and half the height of its cap.
const WAY: [f32; 2] = [12.0, 52.0];
const COLUMNS: [f32; 3] = [16.0, 32.0, 48.0];
const SLOT: f32 = 1.5;
const CAP: [f32; 2] = [6.0, 4.0];
const CAPS: [f32; 3] = [40.0, 24.0, 34.0];

const GROUND: [u8; 4] = [0x1B, 0x1F, 0x26, 0xFF];
const LINE: [u8; 4] = [0x4A, 0x52, 0x5E, 0xFF];
const PLAIN: [u8; 4] = [0xD8, 0xDD, 0xE4, 0xFF];
const PLANNED: [u8; 4] = [0x4F, 0xC5, 0xFC, 0xFF];
const NOTHING: [u8; 4] = [0; 4];

#[must_use]
pub fn icon() -> IconData {
    let middles = (0..SIDE).map(|pixel| pixel as f32 + 0.5);
    let pixels = middles.clone().flat_map(|y| middles.clone().map(move |x| color(x, y)));
    IconData { rgba: pixels.flatten().collect(), width: SIDE, height: SIDE }
}

fn color(x: f32, y: f32) -> [u8; 4] {
    for (index, (column, cap)) in COLUMNS.into_iter().zip(CAPS).enumerate() {
        if (x - column).abs() < CAP[0] && (y - cap).abs() < CAP[1] {
            return if index == 1 { PLANNED } else { PLAIN };
        }
        if (x - column).abs() < SLOT && (WAY[0]..WAY[1]).contains(&y) {
            return LINE;
        }
    }
    if is_inside(x, y) { GROUND } else { NOTHING }
}

/// Whether a point is on the ground, whose corners are round.
fn is_inside(x: f32, y: f32) -> bool {
    let beyond = |at: f32| (CORNER - at).max(at - (SIDE as f32 - CORNER)).max(0.0);
    beyond(x).hypot(beyond(y)) <= CORNER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_has_round_corners_and_one_fader_in_the_color_of_plans() {
        let icon = icon();
        let pixels = icon.rgba.as_chunks::<4>().0;
        assert_eq!(pixels.len(), (icon.width * icon.height) as usize);
        let at = |x: usize, y: usize| pixels[y * SIDE as usize + x];
        assert_eq!([at(0, 0), at(63, 0), at(0, 63), at(63, 63)], [NOTHING; 4]);
        assert_eq!([at(32, 2), at(32, 24), at(16, 40)], [GROUND, PLANNED, PLAIN]);
    }
}
