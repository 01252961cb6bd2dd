//! Tests of how the changes of a cut hang together.

use super::{Cutting, Unit};
use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
use deskhand_session::{Clip, Group, GroupId, Marker, MarkerId, PlannedChange, Track};
use deskhand_toolkit::testing::{Desk, SECOND, plan_of};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;

/// Frames from one silence to the next; the silence is the second half.
const EVERY: i64 = 1_000;

/// `count` silences from `at` on, with sound before each.
fn pauses(at: i64, count: i64) -> Vec<Range<Frames>> {
    (0..count)
        .map(|n| at + n * EVERY)
        .map(|at| Frames(at + EVERY / 2)..Frames(at + EVERY))
        .collect()
}

/// Two tracks with one clip each. The second clip begins `later`. The tracks may be in a group.
fn desk(later: i64, length: i64, is_group: bool) -> (Desk, Unit) {
    let mut desk = Desk::new(crate::all());
    let tracks = ["Host", "Guest"].map(|name| desk.track(Track::audio(name)));
    let clips = [(tracks[0], 0), (tracks[1], later)].map(|(track, at)| {
        let samples = vec![0.1; usize::try_from(length).unwrap()];
        desk.clip(track, "Talk", at, samples)
    });
    if is_group {
        let group = Group { name: "Talk".into(), tracks: tracks.to_vec() };
        desk.session.groups.insert(GroupId::new(1), group);
    }
    let (tracks, clips) = (tracks.to_vec(), clips.to_vec());
    let unit = Unit { tracks, clips, others: Vec::new(), extents: Vec::new() };
    (desk, unit)
}

fn changes(
    desk: &Desk,
    unit: &Unit,
    silences: &[Range<Frames>],
    closes: bool,
) -> Vec<PlannedChange> {
    let context = desk.context("tool_strip_silence", &Value::Null);
    let mut cutting = Cutting::new(&context, Frames(10), closes);
    cutting.unit(unit, silences);
    cutting.draft.changes
}

/// The ids that taking the change `id` takes along, itself among them.
fn closure(changes: &[PlannedChange], id: &str) -> BTreeSet<String> {
    let taken = plan_of(changes).closure(&[id.to_owned()]).unwrap();
    taken.into_iter().collect()
}

#[test]
fn plans_grow_with_the_number_of_cuts_alone() {
    let count = 500;
    for (is_group, closes) in [(false, false), (false, true), (true, false), (true, true)] {
        let (desk, unit) = desk(0, count * EVERY, is_group);
        let changes = changes(&desk, &unit, &pauses(0, count), closes);
        assert!(changes.len() as i64 >= 2 * count);
        let bytes = serde_json::to_vec(&changes).unwrap().len();
        let each = bytes / changes.len();
        assert!(each < 1_500, "{each} bytes for each of {}", changes.len());
    }
}

#[test]
fn each_silence_is_one_step_and_can_be_taken_alone() {
    for (is_group, closes) in [(false, false), (true, false), (false, true), (true, true)] {
        let (desk, unit) = desk(0, 4 * EVERY, is_group);
        let plan = plan_of(&changes(&desk, &unit, &pauses(0, 4), closes));
        let cuts = plan.cuts().unwrap();
        let starts: Vec<i64> = cuts.iter().map(|it| it.head.cut.as_ref().unwrap().at.0).collect();
        assert_eq!(starts, [500, 1_500, 2_500, 3_500], "the first in time first");
        for taken in 0..16_u32 {
            let some = (0..4).filter(|n| taken & (1 << n) != 0);
            let heads: Vec<String> = some.map(|n: usize| cuts[n].head.id.clone()).collect();
            let own = plan.closure(&heads).unwrap();
            let own = plan.changes.iter().filter(|it| own.contains(&it.id)).map(|it| &it.change);
            let session = desk.session.with(own).unwrap();
            for track in &unit.tracks {
                let clips = session.clips_on(*track);
                let left: i64 = clips.iter().map(|(_, clip)| clip.length.0).sum();
                assert_eq!(left, 4 * EVERY - heads.len() as i64 * EVERY / 2);
                let is_in_place = |clip: &Clip| clip.position == clip.start;
                assert!(closes || clips.iter().all(|(_, clip)| is_in_place(clip)));
                let faded = clips.iter().filter(|(_, clip)| clip.fade_out.length.0 == 10).count();
                assert_eq!(faded, heads.len(), "ahead of each silence that goes");
            }
        }
    }
}

#[test]
fn a_gap_that_closes_leaves_what_can_be_applied() {
    // The guest comes in after the host's clip has ended.
    let (mut desk, unit) = desk(SECOND, 4 * EVERY, true);
    let silences = [pauses(0, 4), pauses(SECOND, 4)].concat();
    let all = changes(&desk, &unit, &silences, true);
    let ripples: Vec<_> = all.iter().filter(|c| c.change.op() == "ripple_delete").collect();
    assert_eq!(ripples.len(), 8);
    let taken = closure(&all, &ripples[7].id);
    let part = all.iter().filter(|c| taken.contains(&c.id));
    desk.session = desk.session.with(part.map(|c| &c.change)).unwrap();
    let guest = desk.session.clips[&unit.clips[1]].position;
    assert_eq!(guest, Frames(SECOND - EVERY / 2), "moves up with the host");
}

#[test]
fn gain_over_time_and_markers_stay_with_what_is_heard() {
    for is_group in [true, false] {
        stays_with_what_is_heard(is_group);
    }
}

fn stays_with_what_is_heard(is_group: bool) {
    let (mut desk, unit) = desk(0, 4 * EVERY, is_group);
    let point = |at: i64, gain: f64| EnvelopePoint {
        position: Frames(at),
        gain: Decibels(gain),
        curve: 0.0,
    };
    let line = vec![point(200, 0.0), point(1_200, -6.0), point(2_700, -3.0), point(3_300, 0.0)];
    desk.session.tracks.get_mut(&unit.tracks[0]).unwrap().envelope.clone_from(&line);
    for (number, (at, length)) in (1..).zip([(1_600, 0), (200, 3_000), (3_100, 0)]) {
        let (position, length) = (Frames(at), Frames(length));
        let marker = Marker { name: "Verse".into(), position, length, code: None };
        desk.session.markers.insert(MarkerId::new(number), marker);
    }
    let all = changes(&desk, &unit, &pauses(0, 4), true);
    for ripple in all.iter().filter(|it| it.change.op() == "ripple_delete") {
        let taken = closure(&all, &ripple.id);
        let part = all.iter().filter(|it| taken.contains(&it.id)).map(|it| &it.change);
        assert!(desk.session.with(part).is_ok(), "{} alone", ripple.reason);
    }
    let after = desk.session.with(all.iter().map(|it| &it.change)).unwrap();
    let spans = after.markers.values().map(|it| (it.position.0, it.length.0));
    assert_eq!(spans.collect::<Vec<_>>(), [(1_000, 0), (200, 1_500), (1_600, 0)]);
    let now = &after.tracks[&unit.tracks[0]].envelope;
    for (then, moved) in [(400, 400), (1_300, 800), (2_300, 1_300), (3_050, 1_550), (3_400, 1_900)]
    {
        let [was, is] = [gain_at(&line, Frames(then)).0, gain_at(now, Frames(moved)).0];
        assert!((was - is).abs() < 1e-6, "{then}: {was} and {is} dB");
    }
}
