//! Finds a place for a window that nobody has moved yet.

use egui::{Pos2, Rect, Vec2, vec2};

/// The place of the first window in its area.
const FIRST: Vec2 = Vec2::new(120.0, 72.0);
/// The offset of the next window, down and to the right, so that the head of the lower one is visible.
const STEP: f32 = 24.0;
/// The number of windows in a diagonal run.
const RUN: usize = 8;
/// Two that are nearer than this cover each other.
const NEAR: f32 = 16.0;

/// A place in `area` for a window of this `size` where no window of `taken` is. All of it is in the area,
/// if there is room.
pub(super) fn free(area: Rect, size: Vec2, taken: &[Pos2]) -> Pos2 {
    let last = (area.max - size).max(area.min);
    let below = |number: usize| area.min + FIRST + Vec2::splat(STEP * number as f32);
    let run = (0..RUN).map(|number| below(number).min(last));
    // Where there is little room it is over soon: then any place will do, from the end on.
    let steps = |room: f32| 0..=(room / STEP) as usize;
    let room = last - area.min;
    let any = steps(room.y).flat_map(|row| {
        steps(room.x).map(move |column| last - vec2(column as f32, row as f32) * STEP)
    });
    let is_free = |at: &Pos2| !taken.iter().any(|other| (*at - *other).abs().max_elem() < NEAR);
    run.chain(any).find(is_free).unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn a_new_window_covers_none_that_is_open_and_stays_in_its_area() {
        let size = vec2(464.0, 252.0);
        for area in [vec2(1_012.0, 800.0), vec2(512.0, 360.0)] {
            let area = Rect::from_min_size(pos2(4.0, 52.0), area);
            let mut taken = Vec::new();
            for number in 0..6 {
                let at = free(area, size, &taken);
                assert!(area.contains_rect(Rect::from_min_size(at, size)), "{number}: {at:?}");
                let is_apart = |other: &Pos2| (at - *other).abs().max_elem() >= NEAR;
                assert!(taken.iter().all(is_apart), "{number}: {at:?} of {taken:?}");
                taken.push(at);
            }
        }
    }

    #[test]
    fn the_place_of_one_that_was_closed_is_free_again_and_not_that_of_another() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(1_000.0, 800.0));
        let size = vec2(384.0, 280.0);
        let first = free(area, size, &[]);
        let second = free(area, size, &[first]);
        assert_eq!(free(area, size, &[second]), first);
        assert_ne!(free(area, size, &[first, second]), second);
    }

    #[test]
    fn a_window_that_is_larger_than_its_area_begins_with_it() {
        let area = Rect::from_min_size(pos2(4.0, 52.0), vec2(300.0, 200.0));
        assert_eq!(free(area, vec2(464.0, 252.0), &[]), area.min);
    }
}
