//! Single samples, where the zoom is near enough to see them: a line a channel, and a dot a sample where there is
//! room.

use super::Axis;
use super::tiles::Picture;
use crate::waves::Waves;
use deskhand_dsp::Frames;
use egui::{Color32, Painter, Pos2, Shape, Stroke, pos2};

/// From this many frames a point on there is nothing to see but the outline.
const SEEN: f64 = 1.0;
/// Points from one sample to the next from which each has a dot.
const DOTS: f64 = 4.0;

/// Whether the zoom is near enough.
pub(super) fn are_seen(axis: &Axis) -> bool {
    axis.frames_per_point() <= SEEN
}

/// Draws the samples in view; false while they are not there.
pub(super) fn paint(
    painter: &Painter,
    picture: &Picture<'_>,
    axis: &Axis,
    waves: &dyn Waves,
) -> bool {
    let clip = picture.clip;
    let (from, to) = axis.shown();
    // One more at each side, so that the line reaches the edge.
    let from = (from - Frames(1)).max(clip.position);
    let to = (to + Frames(2)).min(clip.end());
    let Ok(count) = usize::try_from((to - from).0) else { return true };
    let start = clip.start + (from - clip.position);
    let Some(channels) = waves.samples(clip.source, start, count) else { return false };
    let gain = clip.gain.amplitude() as f32;
    let (middle, half) = (picture.rect.center().y, picture.rect.height() / 2.0);
    let place = |(index, sample): (i64, &f32)| {
        let x = axis.exact_x(from + Frames(index)) as f32;
        pos2(x, middle - (sample * gain).clamp(-1.0, 1.0) * half)
    };
    // The last channel lies lowest, the first on top in the stronger tone.
    for (channel, samples) in channels.iter().enumerate().rev() {
        let tone = picture.tones[usize::from(channel == 0)];
        let points: Vec<Pos2> = (0..).zip(samples).map(place).collect();
        if axis.frames_per_point() * DOTS <= 1.0 {
            dots(painter, &points, tone);
        }
        painter.add(Shape::line(points, Stroke::new(1.0, tone)));
    }
    true
}

fn dots(painter: &Painter, points: &[Pos2], tone: Color32) {
    painter.extend(points.iter().map(|at| Shape::circle_filled(*at, 1.75, tone)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;
    use crate::waves::Column;
    use crate::{install, show};
    use egui::vec2;
    use std::cell::Cell;
    use std::rc::Rc;

    /// A constant source that records the request.
    #[derive(Clone, Default)]
    struct Near(Rc<Cell<Option<(Frames, usize)>>>);

    impl Waves for Near {
        fn columns(&self, _: SourceId, _: Frames, _: f64, count: usize) -> Option<Vec<Column>> {
            Some(vec![Column::default(); count])
        }

        fn samples(&self, _: SourceId, start: Frames, count: usize) -> Option<Vec<Vec<f32>>> {
            self.0.set(Some((start, count)));
            Some(vec![vec![0.5; count]; 2])
        }
    }

    #[test]
    fn single_samples_are_drawn_where_the_zoom_shows_them_and_a_ghost_costs_no_more_there() {
        let near = Near::default();
        let asked = near.0.clone();
        let mut model = crate::ui_tests::with_plan();
        // An hour of it: whatever were drawn for each point would never end.
        let session = &mut model.mirror.as_mut().unwrap().snapshot.session;
        let clip = session.clips.get_mut(&ClipId::new(1)).unwrap();
        clip.length = Frames(48_000 * 3_600);
        let mut is_installed = false;
        let mut harness = Harness::builder().with_size(vec2(1440.0, 900.0)).build_ui_state(
            move |ui, model: &mut Model| {
                if !std::mem::replace(&mut is_installed, true) {
                    return install(ui.ctx());
                }
                drop(show(ui, model, &near));
            },
            model,
        );
        harness.run_steps(3);
        assert_eq!(asked.get(), None, "from afar there are columns");
        harness.state_mut().desk.timeline.zoom = Some(48_000.0 * 8.0);
        harness.state_mut().desk.timeline.left = 1_800.0;
        harness.run_steps(2);
        let (start, count) = asked.get().unwrap();
        assert!((start - Frames(48_000 * 1_800)).0.abs() < 4, "{start:?}");
        // 8 points a sample.
        assert!((80..200).contains(&count), "{count}");
        assert!(harness.output().shapes.len() < 20_000);
    }
}
