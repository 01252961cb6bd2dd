//! Tests of `tool_strip_silence`.

use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{Clip, Group, GroupId, Track, TrackId};
use deskhand_toolkit::testing::{Desk, RATE, SECOND, joined, noise, tone};
use proptest::prelude::*;
use serde_json::json;

/// Words of 1 s, each followed by 2 s of noise.
fn words(count: usize, floor: f64) -> Vec<f32> {
    let word = [tone(220.0, -15.0, 1.0), noise(floor, 2.0)];
    let parts: Vec<_> = (0..count).flat_map(|_| word.clone()).collect();
    joined(&parts)
}

fn spans(desk: &Desk, track: TrackId) -> Vec<(f64, f64)> {
    let span = |clip: &Clip| (clip.position.seconds(RATE).0, clip.end().seconds(RATE).0);
    desk.session.clips_on(track).iter().map(|(_, clip)| span(clip)).collect()
}

fn close(found: &[(f64, f64)], expected: &[(f64, f64)]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        let off = (found.0 - expected.0).abs().max((found.1 - expected.1).abs());
        assert!(off < 0.016, "{found:?} {expected:?}");
    }
}

#[test]
fn silence_goes_with_rolls_and_fades_and_leaves_gaps() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    let id = desk.clip(track, "Words", SECOND, words(3, -65.0));
    let draft = desk.settle("tool_strip_silence", &json!({"targets": "all"}));
    close(&spans(&desk, track), &[(1.0, 2.12), (3.97, 5.12), (6.97, 8.12)]);
    assert!(
        draft.summary.starts_with("Strip 5.6 s of silence in 3 stretches from Words, leaving"),
        "{}",
        draft.summary
    );
    let first = &desk.session.clips[&id];
    assert_eq!((first.fade_in.length.0, first.fade_out.length.0), (0, 240));
    let floor = draft.findings[0].value.unwrap();
    assert!((floor + 65.0).abs() < 1.0, "{floor}");
    let rows = draft.changes.iter().filter_map(|change| change.cut.as_ref());
    let rows: Vec<_> =
        rows.map(|it| (it.what.as_str(), it.length.seconds(RATE).0.round())).collect();
    assert_eq!(rows, [("silence in Words", 2.0); 3]);
}

#[test]
fn audio_stays_where_it_is_and_cuts_lie_at_zero_crossings() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    desk.clip(track, "Words", 0, words(3, -65.0));
    desk.settle(
        "tool_strip_silence",
        &json!({"targets": "all", "pre_roll_ms": 0, "post_roll_ms": 0}),
    );
    let samples = words(3, -65.0);
    for (_, clip) in desk.session.clips_on(track) {
        assert_eq!(clip.start, clip.position);
        let end = (clip.start + clip.length).index();
        for at in [clip.start.index(), end].into_iter().filter(|at| (1..samples.len()).contains(at))
        {
            assert!(samples[at - 1] * samples[at] <= 0.0, "no crossing at {at}");
        }
    }
}

#[test]
fn gaps_close_and_later_clips_move_up() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    desk.clip(track, "Words", 0, words(2, -65.0));
    desk.clip(track, "Later", 10 * SECOND, tone(220.0, -15.0, 1.0));
    desk.settle("tool_strip_silence", &json!({"targets": "Words", "close_gaps": true}));
    close(&spans(&desk, track), &[(0.0, 1.12), (1.12, 2.27), (6.27, 7.27)]);
}

#[test]
fn a_group_is_cut_where_all_are_silent_and_stays_in_sync() {
    let mut desk = Desk::new(crate::all());
    let (a, b) = (desk.track(Track::audio("Host")), desk.track(Track::audio("Guest")));
    desk.clip(a, "Host", 0, words(3, -65.0));
    // The guest speaks in the host's first pause.
    desk.clip(
        b,
        "Guest",
        0,
        joined(&[noise(-65.0, 1.2), tone(300.0, -15.0, 1.2), noise(-65.0, 6.6)]),
    );
    desk.apply(&desk.plan("cmd_set_group", json!({"name": "Talk", "targets": "all"})));
    let offset = |desk: &Desk, track| -> Vec<i64> {
        desk.session.clips_on(track).iter().map(|(_, c)| (c.position - c.start).0).collect()
    };
    let params = json!({"targets": "Host", "close_gaps": true});
    let draft = desk.settle("tool_strip_silence", &params);
    assert_eq!(draft.warnings, Vec::<String>::new(), "who grouped them knows");
    assert_eq!(offset(&desk, a), offset(&desk, b), "in sync to the sample");
    assert_eq!(spans(&desk, a), spans(&desk, b));
    close(&spans(&desk, a), &[(0.0, 2.52), (2.52, 3.67), (3.67, 4.82)]);
}

#[test]
fn an_absolute_threshold_counts_behind_the_clip_gain() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    let id = desk.clip(track, "Words", 0, words(2, -45.0));
    let params = json!({"targets": "all", "threshold_dbfs": -50});
    assert_eq!(desk.plan("tool_strip_silence", params.clone()).changes, []);
    desk.session.clips.get_mut(&id).unwrap().gain = Decibels(-12.0);
    desk.settle("tool_strip_silence", &params);
    assert_eq!(desk.session.clips.len(), 2);
}

#[test]
fn what_is_steady_stays_and_what_is_silent_goes() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("T"));
    desk.clip(track, "Tone", 0, tone(200.0, -20.0, 5.0));
    desk.clip(track, "Nothing", 6 * SECOND, vec![0.0; 96_000]);
    let draft = desk.settle("tool_strip_silence", &json!({"targets": "all"}));
    assert_eq!(draft.warnings, ["\"Nothing\": no sound at all, removed"]);
    assert_eq!(desk.session.clips.len(), 1);
    let none = desk.plan("tool_strip_silence", json!({"targets": "Tone"}));
    assert_eq!(none.summary, "Nothing to change: no silence of 0.5 s in Tone");
}

#[test]
fn music_that_never_pauses_is_named_with_what_to_say() {
    let mut desk = Desk::new(crate::all());
    let [host, guest, music] =
        ["Host", "Guest", "Music"].map(|name| desk.track(Track::audio(name)));
    desk.clip(host, "Host take", 0, words(3, -65.0));
    desk.clip(guest, "Guest take", 0, words(4, -65.0));
    desk.clip(music, "Bed", 0, tone(200.0, -20.0, 12.0));
    let pair = Group { name: "Voices".into(), tracks: vec![host, guest] };
    desk.session.groups.insert(GroupId::new(1), pair);
    let none = desk.plan("tool_strip_silence", json!({"targets": "all", "close_gaps": true}));
    let told = "Music never pauses. To cut the others, say \"strip the silence from Host and Guest and close the gaps\"";
    assert!(none.summary.ends_with(told), "{}", none.summary);
    assert_eq!(none.changes, []);
    // Where nothing says that the voices may move without it, that comes first.
    desk.session.groups.clear();
    let none = desk.plan("tool_strip_silence", json!({"targets": "all", "close_gaps": true}));
    let told = "Music never pauses. To let the others move without it, say \"group Host and Guest as Talk\", then ask again";
    assert!(none.summary.ends_with(told), "{}", none.summary);
}

#[test]
fn short_pauses_stay() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("T"));
    desk.clip(track, "Words", 0, words(3, -65.0));
    let params = json!({"targets": "all", "min_silence_ms": 2100});
    assert_eq!(desk.plan("tool_strip_silence", params).changes, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn planning_again_finds_nothing_and_no_sound_is_lost(
        parts in prop::collection::vec((any::<bool>(), 0.05f64..1.5), 1..9),
        grouped in any::<bool>(),
        close_gaps in any::<bool>(),
        trim in 0.0f64..0.4,
    ) {
        let mut desk = Desk::new(crate::all());
        let (a, b) = (desk.track(Track::audio("A")), desk.track(Track::audio("B")));
        let audio = |flip: bool| {
            let part = |(loud, s): &(bool, f64)| if *loud != flip { tone(250.0, -12.0, *s) } else { noise(-70.0, *s) };
            joined(&parts.iter().map(part).collect::<Vec<_>>())
        };
        let id = desk.clip(a, "A", SECOND, audio(false));
        desk.clip(b, "B", 0, audio(true));
        if grouped {
            desk.apply(&desk.plan("cmd_set_group", json!({"name": "G", "targets": "all"})));
        }
        let clip = desk.session.clips.get_mut(&id).unwrap();
        let cut = Frames((clip.length.0 as f64 * trim) as i64);
        clip.start += cut;
        clip.length -= cut;
        let loud = |desk: &Desk| {
            let samples = audio(false);
            let inside = desk.session.clips_on(a).into_iter().flat_map(|(_, c)| c.start.0..c.start.0 + c.length.0);
            inside.filter(|n| samples[*n as usize].abs() > 0.05).count()
        };
        let before = loud(&desk);
        desk.settle("tool_strip_silence", &json!({"targets": "all", "close_gaps": close_gaps, "threshold_dbfs": -40}));
        prop_assert_eq!(loud(&desk), before);
    }
}

#[test]
fn an_offset_is_no_sound_and_is_named_with_what_helps() {
    for offset in [0.05, -0.2] {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Voice"));
        let pauses = [tone(220.0, -15.0, 1.0), vec![0.0; 96_000], tone(220.0, -15.0, 1.0)];
        let take = joined(&pauses).into_iter().map(|sample| sample + offset).collect();
        desk.clip(track, "take", 0, take);
        let draft = desk.settle("tool_strip_silence", &json!({"targets": "all"}));
        close(&spans(&desk, track), &[(0.0, 1.12), (2.97, 4.0)]);
        let told = draft.warnings.join("\n");
        assert!(told.contains("has a DC offset of"), "{told}");
        assert!(told.contains("say \"remove the DC offset\""), "{told}");
    }
}

#[test]
fn channels_out_of_phase_are_named() {
    let voice = joined(&[tone(220.0, -15.0, 2.0), noise(-75.0, 2.0), tone(220.0, -15.0, 2.0)]);
    for (by, is_opposed) in [(-1.0, true), (-0.7, true), (1.0, false), (0.0, false)] {
        let mut desk = Desk::new(crate::all());
        let talk = desk.track(Track::audio("Voice"));
        let id = desk.clip(talk, "take", 0, voice.clone());
        let other = voice.iter().map(|sample| sample * by + 0.02).collect();
        let source = desk.source("wide.wav", vec![voice.clone(), other]);
        desk.session.clips.get_mut(&id).unwrap().source = source;
        let told = desk.plan("tool_strip_silence", json!({"targets": "Voice"})).warnings.join("\n");
        let is_named = told.contains("are out of phase and cancel in mono");
        assert_eq!(is_named, is_opposed, "{by}: {told}");
    }
}

#[test]
fn where_silences_are_too_short_the_longest_is_told() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    let word = tone(220.0, -15.0, 1.0);
    let take = joined(&[word.clone(), noise(-65.0, 0.4), word.clone(), noise(-65.0, 0.2), word]);
    desk.clip(track, "take", 0, take);
    let draft = desk.plan("tool_strip_silence", json!({"targets": "all"}));
    let told = "Nothing to change: no silence of 0.5 s in take; the longest lasts 0.4 s";
    assert_eq!(draft.summary, told);
    let steady = desk.track(Track::audio("Tone"));
    desk.clip(steady, "tone", 0, tone(220.0, -15.0, 2.0));
    let draft = desk.plan("tool_strip_silence", json!({"targets": "Tone"}));
    assert_eq!(draft.summary, "Nothing to change: no silence of 0.5 s in tone");
}
