//! The sound of a cut, and its place between words.

use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_session::{Clip, Group, GroupId, PlannedChange, Playing, Track, TrackId};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::talk::{Line, alone, interview, recording, track, written};
use deskhand_toolkit::testing::{Desk, RATE, SECOND, noise, plan_of, tone};
use proptest::prelude::*;
use serde_json::{Value, json};

const HZ: f64 = 220.0;

/// The mix.
fn rendered(desk: &Desk) -> Vec<f32> {
    let context = desk.context("render", &Value::Null);
    let mut reader = context.audio.render(&desk.session, desk.session.id.into()).unwrap();
    let mut planes = vec![vec![0.0f32; reader.frames().index()]; 2];
    let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    reader.read(Frames::ZERO, &mut out).unwrap();
    planes.remove(0)
}

/// The largest step from one sample to the next.
fn step(audio: &[f32]) -> f32 {
    audio.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
}

/// Ten seconds of a tone on one track.
fn held() -> (Desk, TrackId) {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    desk.clip(track, "Talk", 0, tone(HZ, -12.0, 10.0));
    (desk, track)
}

/// From a peak of the tone to a trough.
fn peak_to_trough(more: Value) -> Value {
    let (start, end) = (2.0 + 0.25 / HZ, 5.0 + 0.75 / HZ);
    let mut params = json!({"targets": "Voice", "start_s": start, "end_s": end});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    params
}

/// The time that a plan takes out.
fn time(draft: &Draft) -> Vec<(i64, i64)> {
    let of = |planned: &PlannedChange| {
        let change = serde_json::to_value(&planned.change).unwrap();
        let before = &change["before"];
        let (at, length) = (before["at"].as_i64().unwrap(), before["length"].as_i64().unwrap());
        (at, at + length)
    };
    let cuts = draft.changes.iter().filter(|planned| planned.change.op() == "ripple_delete");
    cuts.map(of).collect()
}

#[test]
fn a_cut_through_a_held_tone_does_not_click_and_takes_just_its_time() {
    let (mut bare, _) = held();
    let usual = step(&rendered(&bare));
    bare.settle_once("cmd_ripple_delete", peak_to_trough(json!({"crossfade_ms": 0})));
    assert!(step(&rendered(&bare)) > 20.0 * usual, "what a cut without a crossfade is");
    let (mut desk, _) = held();
    let draft = desk.settle_once("cmd_ripple_delete", peak_to_trough(json!({})));
    let most = step(&rendered(&desk));
    assert!(most < 2.0 * usual, "{most}, of the tone {usual}");
    let [(from, to)] = time(&draft)[..] else { panic!("{draft:?}") };
    assert_eq!(desk.session.end().0, 10 * SECOND - (to - from));
    let mut clips: Vec<&Clip> = desk.session.clips.values().collect();
    clips.sort_by_key(|clip| clip.position);
    assert_eq!((clips[0].end().0, clips[1].position.0), (from + 240, from - 240));
    assert_eq!(clips[1].start.0, to - 240, "what is behind stays where it is heard");
}

#[test]
fn all_tracks_of_a_group_are_crossfaded_over_the_same_samples() {
    let (mut desk, first) = held();
    let second = desk.track(Track::audio("Guest"));
    desk.clip(second, "Guest", 0, noise(-30.0, 10.0));
    let group = Group { name: "Talk".into(), tracks: vec![first, second] };
    desk.session.groups.insert(GroupId::new(1), group);
    desk.settle_once("cmd_ripple_delete", peak_to_trough(json!({})));
    let windows = |track: TrackId| {
        let clips = desk.session.clips_on(track).into_iter();
        clips.map(|(_, it)| (it.position, it.length, it.start, it.fades())).collect::<Vec<_>>()
    };
    assert_eq!(windows(first).len(), 2);
    assert_eq!(windows(first), windows(second));
}

#[test]
fn an_edge_that_meets_nothing_fades_and_fades_that_are_there_stay() {
    let (mut desk, track) = held();
    // The end of the clip goes: the cut leaves an edge that meets nothing.
    let end = json!({"targets": "Voice", "start_s": 8.0 + 0.25 / HZ, "end_s": 11.0});
    desk.settle_once("cmd_ripple_delete", end);
    let clip = desk.session.clips_on(track)[0].1.clone();
    assert_eq!(clip.fade_out, Fade { length: Frames(480), curve: FadeCurve::EqualPower });
    // It has its own fade, so the sound that meets it then is not crossfaded with it.
    desk.clip(track, "Next", 9 * SECOND, tone(HZ, -12.0, 2.0));
    let gap = json!({
        "targets": "Voice", "start_s": clip.end().seconds(RATE).0, "end_s": 9.0,
    });
    desk.settle_once("cmd_ripple_delete", gap);
    let clips = desk.session.clips_on(track);
    assert_eq!(clips[0].1, &clip);
    assert_eq!((clips[1].1.position, clips[1].1.fade_in.length), (clip.end(), Frames::ZERO));
}

#[test]
fn several_stretches_go_in_one_step_each_at_its_time_ahead_of_all_cuts() {
    let (mut desk, track) = held();
    let params = peak_to_trough(json!({"also": [
        {"start_s": 8.0, "end_s": 8.5}, {"start_s": 4.0, "end_s": 6.0},
    ]}));
    let draft = desk.settle_once("cmd_ripple_delete", params);
    assert_eq!(time(&draft).len(), 2, "those over each other are one");
    assert!(draft.summary.starts_with("Delete 2 stretches of time"), "{}", draft.summary);
    let is_cut = |planned: &PlannedChange| planned.change.op() == "ripple_delete";
    let last = draft.changes.iter().rposition(is_cut).unwrap();
    let taken = plan_of(&draft.changes).closure(std::slice::from_ref(&draft.changes[last].id));
    let all_and_the_group = last + 2;
    assert_eq!(
        taken.unwrap().len(),
        all_and_the_group,
        "it finds the clips as those ahead left them"
    );
    let gone: i64 = time(&draft).iter().map(|(from, to)| to - from).sum();
    assert_eq!(desk.session.end().0, 10 * SECOND - gone);
    assert_eq!(desk.session.clips_on(track).len(), 3);
    let (usual, most) = (step(&tone(HZ, -12.0, 1.0)), step(&rendered(&desk)));
    assert!(most < 2.0 * usual, "{most}, of the tone {usual}");
    let back = json!({
        "targets": "Voice", "start_s": 1, "end_s": 2, "also": [{"start_s": 5, "end_s": 4}],
    });
    assert!(desk.refusal("cmd_ripple_delete", back).contains("before it starts"));
    let far = json!({"targets": "Voice", "start_s": 1, "end_s": 1e300, "between_words": true});
    assert!(desk.refusal("cmd_ripple_delete", far).contains("outside"));
}

const HOST: [Line; 3] = [(0.5, 1.0, "So"), (1.2, 1.6, "well"), (1.9, 2.5, "yes.")];

#[test]
fn words_are_cut_at_a_quiet_point_of_the_gaps_beside_them() {
    let (desk, _) = interview(crate::all(), 5.0, &HOST, &[(3.0, 4.0, "Oh.")]);
    let words = json!({"targets": "Host", "start_s": 1.2, "end_s": 1.6, "between_words": true});
    let [(from, to)] = time(&desk.plan("cmd_ripple_delete", words.clone()))[..] else { panic!() };
    let ms = |at: i64| at * 1000 / SECOND;
    assert!((1_055..1_200).contains(&ms(from)), "{}", ms(from));
    assert!((1_600..=1_750).contains(&ms(to)), "{}", ms(to));
    // Somebody breathes on the other track before the word, and nobody transcribed that.
    let mut breath = Desk::new(crate::all());
    let host = recording(5.0, &HOST, 220.0);
    let guest = recording(5.0, &[(1.1, 1.25, "")], 330.0);
    let tracks = [("Host", host), ("Guest", guest)].map(|(name, audio)| {
        let track = breath.track(Track::audio(name));
        breath.clip(track, name, 0, audio);
        track
    });
    let source = breath.session.clips_on(tracks[0])[0].1.source;
    written(&mut breath, source, "Host", &HOST);
    let group = Group { name: "Talk".into(), tracks: tracks.into() };
    breath.session.groups.insert(GroupId::new(1), group);
    let [(from, _)] = time(&breath.plan("cmd_ripple_delete", words))[..] else { panic!() };
    assert!((1_050..=1_100).contains(&ms(from)), "{}", ms(from));
}

#[test]
fn a_cut_word_takes_nothing_of_one_that_stays() {
    let mut desk = alone(crate::all(), 4.0, &[(0.5, 2.0, "So well then")]);
    let words = json!({"targets": "all", "start_s": 1.0, "end_s": 1.5, "between_words": true});
    let draft = desk.plan("cmd_ripple_delete", words);
    assert_eq!(time(&draft), [(SECOND, 3 * SECOND / 2)], "there is no gap beside it");
    desk.apply(&draft);
    let most = step(&rendered(&desk));
    assert!(most < 2.0 * step(&tone(220.0, -18.0, 1.0)) + 0.01, "{most}");
}

#[test]
fn a_word_without_a_gap_is_cut_where_its_sound_is_and_not_where_it_is_written() {
    // Both seams are written late, each in the sound of the next word.
    let said: [Line; 3] = [(0.5, 1.3, "ill-disposed"), (1.3, 1.62, "young"), (1.62, 2.2, "man.")];
    let sounds: [Line; 3] = [(0.5, 1.22, ""), (1.24, 1.51, ""), (1.53, 2.1, "")];
    let mut desk = Desk::new(crate::all());
    let voice = desk.track(Track::audio("Voice"));
    desk.clip(voice, "Talk", 0, recording(3.0, &sounds, HZ));
    let source = desk.session.clips_on(voice)[0].1.source;
    written(&mut desk, source, "Host", &said);
    let words = json!({"targets": "all", "start_s": 1.3, "end_s": 1.62, "between_words": true});
    let draft = desk.plan("cmd_ripple_delete", words);
    let [(from, to)] = time(&draft)[..] else { panic!("{draft:?}") };
    let ms = |at: i64| at * 1000 / SECOND;
    assert!((1_218..=1_242).contains(&ms(from)), "{}", ms(from));
    assert!((1_508..=1_532).contains(&ms(to)), "{}", ms(to));
    desk.apply(&draft);
    let playing = Playing::of(&desk.session);
    let cut: Vec<String> =
        desk.session.segments.values().filter_map(|segment| playing.cut_from(segment)).collect();
    assert_eq!(cut, ["young"]);
}

#[test]
fn a_short_word_goes_though_one_on_another_track_reaches_far_out_of_it() {
    let said: [Line; 3] = [(0.5, 1.3, "So"), (1.3, 1.36, "I"), (1.36, 2.0, "went.")];
    let over: [Line; 1] = [(1.2, 1.46, "representatives")];
    // The one quiet point is in reach of both seams.
    let sounds: [Line; 2] = [(0.5, 1.26, ""), (1.28, 2.0, "")];
    let mut desk = Desk::new(crate::all());
    let voices = [("Host", &said[..], &sounds[..]), ("Guest", &over[..], &sounds[..0])];
    let tracks = voices.map(|(name, lines, sounds)| {
        let track = desk.track(Track::audio(name));
        let clip = desk.clip(track, name, 0, recording(3.0, sounds, HZ));
        let source = desk.session.clips[&clip].source;
        written(&mut desk, source, name, lines);
        track
    });
    let group = Group { name: "Talk".into(), tracks: tracks.into() };
    desk.session.groups.insert(GroupId::new(1), group);
    let words = json!({"targets": "Host", "start_s": 1.3, "end_s": 1.36, "between_words": true});
    let draft = desk.plan("cmd_ripple_delete", words);
    let [(from, to)] = time(&draft)[..] else { panic!("{draft:?}") };
    let ms = |at: i64| at * 1000 / SECOND;
    assert!((1_258..=1_282).contains(&ms(from)), "{}", ms(from));
    assert!((1_355..=1_361).contains(&ms(to)), "{}", ms(to));
}

#[test]
fn what_is_shorter_than_a_crossfade_between_two_stretches_goes_with_them_and_is_told() {
    let stretches = |gap: f64, crossfade: f64| {
        json!({
            "targets": "Voice", "start_s": 2.0, "end_s": 3.0, "crossfade_ms": crossfade,
            "also": [{"start_s": 3.0 + gap, "end_s": 4.0}],
        })
    };
    let (desk, _) = held();
    let joined = desk.plan("cmd_ripple_delete", stretches(0.005, 10.0));
    assert_eq!(time(&joined), [(2 * SECOND, 4 * SECOND)]);
    let told = "0:03.000 to 0:03.005, between two stretches, is shorter than a crossfade and goes as \
                well";
    assert_eq!(joined.warnings, [told]);
    for (gap, crossfade) in [(0.01, 10.0), (0.005, 0.0), (0.02, 1000.0)] {
        let apart = desk.plan("cmd_ripple_delete", stretches(gap, crossfade));
        assert_eq!((time(&apart).len(), apart.warnings.len()), (2, 0), "{gap} {crossfade}");
    }
}

/// Stretches from and to, in frames.
type Stretches = Vec<(i64, i64)>;

/// Stretches with these lengths and gaps before them, in frames. Those less than a crossfade apart are
/// joined.
fn laid_out(parts: &[(i64, i64)]) -> (Stretches, Stretches) {
    let (mut asked, mut joined) = (Stretches::new(), Stretches::new());
    let mut at = 0;
    for (gap, length) in parts {
        let stretch = (at + gap, at + gap + length);
        at = stretch.1;
        asked.push(stretch);
        match joined.last_mut() {
            Some(last) if *gap < 480 => last.1 = stretch.1,
            _ => joined.push(stretch),
        }
    }
    (asked, joined)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_left_is_as_long_as_its_parts_and_does_not_click(
        parts in prop::collection::vec((prop_oneof![1i64..1_500, 1i64..60_000], 1i64..20_000), 1..6),
    ) {
        let (mut desk, track) = held();
        let usual = step(&rendered(&desk));
        let (asked, joined) = laid_out(&parts);
        let mut also = asked.iter().map(|(from, to)| {
            json!({"start_s": *from as f64 / SECOND as f64, "end_s": *to as f64 / SECOND as f64})
        });
        let mut params = also.next().unwrap();
        params["targets"] = json!("Voice");
        params["also"] = also.collect();
        let draft = desk.settle_once("cmd_ripple_delete", params);
        let mut cut = time(&draft);
        cut.reverse();
        prop_assert_eq!(&cut, &joined);
        let gone: i64 = joined.iter().map(|(from, to)| to - from).sum();
        prop_assert_eq!(desk.session.end().0, 10 * SECOND - gone);
        let clips: Vec<&Clip> = desk.session.clips_on(track).into_iter().map(|it| it.1).collect();
        for pair in clips.windows(2) {
            let over = (pair[0].end() - pair[1].position).0;
            prop_assert!((0..=480).contains(&over), "{over} frames over each other");
        }
        for three in clips.windows(3) {
            prop_assert!(three[0].end() <= three[2].position, "{three:?}");
        }
        for clip in &clips {
            let fades = clip.fade_in.length + clip.fade_out.length;
            prop_assert!(fades <= clip.length, "{clip:?}");
        }
        let most = step(&rendered(&desk));
        prop_assert!(most < 2.0 * usual, "{most}, of the tone {usual}");
    }

    #[test]
    fn words_that_stay_play_whole_wherever_is_cut(
        cut in 0usize..3,
        gaps in prop::collection::vec(0i64..400, 4),
    ) {
        let mut behind = 500;
        let times = gaps.iter().map(|gap| {
            let start = behind + gap;
            behind = start + 300;
            (start as f64 / 1000.0, behind as f64 / 1000.0)
        });
        let lines: Vec<Line> = times.map(|(from, to)| (from, to, "so")).collect();
        let (mut desk, _) = interview(crate::all(), 4.0, &lines, &[]);
        let words = json!({
            "targets": "Guest", "start_s": lines[cut].0, "end_s": lines[cut].1, "between_words": true,
        });
        let draft = desk.settle_once("cmd_ripple_delete", words);
        let [(start, end)] = time(&draft)[..] else { panic!("{draft:?}") };
        let kept = lines.iter().enumerate().filter(|(n, _)| *n != cut);
        for (_, (from, to, _)) in kept {
            let [from, to] = [from, to].map(|at| (at * SECOND as f64).round() as i64);
            prop_assert!(to <= start || end <= from, "{from} to {to}, cut {start} to {end}");
        }
        let offsets = |name: &str| {
            let clips = desk.session.clips_on(track(&desk, name)).into_iter();
            clips.map(|(_, clip)| (clip.position, clip.start, clip.length)).collect::<Vec<_>>()
        };
        prop_assert_eq!(offsets("Host"), offsets("Guest"));
    }
}
