//! From transcripts to an assembly, and the steps on it.

use super::{alone, clips_on, ids, interview, phrase, plays, recording, spoken, track};
use deskhand_dsp::Frames;
use deskhand_edit::assembly::block::{crossfade, standing};
use deskhand_session::{BLEED_OF, Fact, PhraseId};
use deskhand_toolkit::testing::{Desk, RATE, SECOND};
use serde_json::json;

const STORY: [super::Line; 5] = [
    (0.5, 1.5, "Once upon a time"),
    (1.7, 2.7, "there was a fox."),
    (3.0, 4.0, "It was red."),
    (7.0, 8.0, "Then it ran"),
    (9.5, 10.5, "far away."),
];

#[test]
fn phrases_end_with_sentences_and_pauses_and_play_on_a_track_of_their_own() {
    let mut desk = alone(12.0, &STORY);
    let draft = desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(draft.summary, "Assemble 4 phrases on tracks of their own");
    let expected = ["Once upon a time there was a fox.", "It was red.", "Then it ran", "far away."];
    assert_eq!(plays(&desk), expected);
    assert!(desk.session.tracks[&track(&desk, "Voice")].mute);
    assert_eq!(desk.session.track_order[1], track(&desk, "Voice (assembly)"));
    let clips = clips_on(&desk, "Voice (assembly)");
    assert_eq!(clips.len(), 4);
    let (first, second, third) = (&clips[0].1, &clips[1].1, &clips[2].1);
    assert_eq!(first.position, Frames::ZERO);
    // The first two sentences play on as they were said; the long pause is kept to 0.6 s.
    assert_eq!((second.position, second.start), (first.end(), first.start + first.length));
    assert_eq!((first.fade_out.length, second.fade_in.length), (Frames::ZERO, Frames::ZERO));
    assert_eq!(third.position, second.end() - crossfade(RATE));
    assert_eq!((second.fade_out.length, third.fade_in.length), (crossfade(RATE), crossfade(RATE)));
    let pause = (second.start + second.length).0 as f64 / SECOND as f64 - 4.0;
    assert!((0.17..=0.36).contains(&pause), "{pause}");
    let lead = 7.0 - third.start.0 as f64 / SECOND as f64;
    assert!((0.12..=0.26).contains(&lead), "{lead}");
}

#[test]
fn a_gap_in_the_noise_of_a_room_does_not_stretch_what_is_kept_of_a_pause() {
    let mut audio = recording(12.0, &STORY, 220.0);
    let gap = (5.0 * SECOND as f64) as usize;
    audio[gap..gap + 1_000].fill(0.0);
    let mut desk = spoken(audio, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let clips = clips_on(&desk, "Voice (assembly)");
    let (second, third) = (&clips[1].1, &clips[2].1);
    let tail = (second.start + second.length).0 as f64 / SECOND as f64 - 4.0;
    assert!((0.17..=0.36).contains(&tail), "{tail}");
    let lead = 7.0 - third.start.0 as f64 / SECOND as f64;
    assert!((0.12..=0.26).contains(&lead), "{lead}");
}

#[test]
fn a_step_changes_only_what_differs_and_can_be_taken_back() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let before = desk.session.clone();
    let wanted = ["Then it ran", "Once upon a time there was a fox.", "It was red.", "far away."];
    let order = json!({"ordered_group_ids": ids(&desk, &wanted)});
    let draft = desk.settle("tool_reorder_segments", &order);
    assert_eq!(plays(&desk), wanted);
    let ops: Vec<_> = draft.changes.iter().map(|c| c.change.op()).collect();
    assert!(
        ops.iter().all(|op| ["move_clip", "set_clip_fades", "set_assembly"].contains(op)),
        "{ops:?}"
    );
    assert_eq!(clips_on(&desk, "Voice (assembly)").len(), 4);
    let changes: Vec<_> = draft.changes.iter().map(|c| c.change.clone()).collect();
    let back = deskhand_session::apply::inverses(&changes);
    assert_eq!(desk.session.with(&back).unwrap(), before);
}

#[test]
fn what_is_written_of_a_segment_is_read_in_its_phrase() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let listed = |desk: &deskhand_toolkit::testing::Desk| {
        desk.plan("tool_list_phrases", json!({})).answer.unwrap()["phrases"].clone()
    };
    assert_eq!(listed(&desk)[0].get("known"), None, "nobody described it");
    let segment = listed(&desk)[0]["segment_ids"][1].clone();
    for laughter in [1.5, 0.5] {
        let call = json!({"segment_ids": [segment], "facts": {"laughter": laughter}});
        desk.settle("cmd_set_description", &call);
        let listed = listed(&desk);
        assert_eq!(listed[0]["known"], json!([{"laughter": laughter}]));
        assert_eq!(listed[1].get("known"), None);
    }
}

#[test]
fn what_is_removed_leaves_a_marker_and_comes_back_to_its_place() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let before = desk.session.clone();
    let red = json!({"group_ids": ids(&desk, &["It was red."])});
    desk.settle("tool_remove_segments", &red);
    assert_eq!(plays(&desk), ["Once upon a time there was a fox.", "Then it ran", "far away."]);
    let marker = desk.session.markers.values().next().unwrap();
    assert_eq!(
        (marker.name.as_str(), marker.code.as_deref()),
        ("removed: It was red.", Some("removed"))
    );
    assert_eq!(marker.position, clips_on(&desk, "Voice (assembly)")[1].1.position);
    // The marker goes along when what follows it moves.
    let wanted = ["Then it ran", "far away.", "Once upon a time there was a fox."];
    let order = json!({"ordered_group_ids": ids(&desk, &wanted)});
    desk.settle("tool_reorder_segments", &order);
    assert_eq!(desk.session.markers.values().next().unwrap().position, Frames::ZERO);
    desk.settle("tool_restore_segments", &red);
    assert_eq!(plays(&desk)[0], "It was red.");
    assert!(desk.session.markers.is_empty());
    let order = json!({"ordered_group_ids": before.assembly.order});
    desk.settle("tool_reorder_segments", &order);
    assert_eq!(desk.session, before, "as if nothing had been done");
}

#[test]
fn a_take_that_does_not_play_is_marked_at_the_one_that_does_wherever_that_goes() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let takes = ["It was red.", "Then it ran"];
    let params = json!({
        "phrase": "red", "group_ids": ids(&desk, &takes), "recommended_group_id": phrase(&desk, takes[0]),
        "reason": "short",
    });
    desk.settle_once("tool_mark_duplicates", params);
    let wanted = ["far away.", "Once upon a time there was a fox.", "It was red."];
    let order = json!({"ordered_group_ids": ids(&desk, &wanted)});
    desk.settle("tool_reorder_segments", &order);
    let marker = desk.session.markers.values().next().unwrap().clone();
    assert_eq!(marker.name, "other take: Then it ran");
    let red = clips_on(&desk, "Voice (assembly)").remove(2).1;
    assert_eq!((marker.position, red.name.as_str()), (red.position, "It was red."));
}

#[test]
fn wrong_ids_are_named_and_nothing_is_done() {
    let mut desk = alone(12.0, &STORY);
    let none = desk.refusal("tool_remove_segments", json!({"group_ids": ["phr_1"]}));
    assert_eq!(none, "there is no assembly yet; find its phrases first: tool_find_phrases");
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let (red, ran) = (phrase(&desk, "It was red."), phrase(&desk, "Then it ran"));
    desk.settle("tool_remove_segments", &json!({"group_ids": [red]}));
    let order = json!({"ordered_group_ids": ["phr_nothing", ran, ran, red]});
    let told = desk.refusal("tool_reorder_segments", order);
    assert_eq!(
        told,
        "not a phrase: phr_nothing; given more than once: 2 \"Then it ran\"; missing: 1 \"Once upon a time there was a \
         fox.\", 3 \"far away.\"; removed, so it does not play: \"It was red.\"; see tool_list_phrases for what plays"
    );
}

#[test]
fn two_hundred_cuts_leave_two_microphones_in_sync() {
    let lines: Vec<(f64, f64, &'static str)> = (0..200)
        .map(|n| (f64::from(n) * 0.5 + 0.1, f64::from(n) * 0.5 + 0.35, "Well said."))
        .collect();
    let (host, guest): (Vec<_>, Vec<_>) = lines.iter().enumerate().partition(|(n, _)| n % 2 == 0);
    let own = |lines: Vec<(usize, &super::Line)>| {
        lines.into_iter().map(|(_, line)| *line).collect::<Vec<_>>()
    };
    let (mut desk, _) = interview(100.0, &own(host), &own(guest));
    desk.settle("tool_find_phrases", &json!({"targets": "Host"}));
    assert_eq!(desk.session.assembly.order.len(), 200);
    // Every other phrase backwards, so that no two neighbors stay.
    let order = &desk.session.assembly.order;
    let (even, odd): (Vec<_>, Vec<_>) = order.iter().enumerate().partition(|(n, _)| n % 2 == 0);
    let wanted: Vec<_> = even.iter().rev().chain(&odd).map(|(_, id)| **id).collect();
    desk.settle("tool_reorder_segments", &json!({"ordered_group_ids": wanted}));
    let (host, guest) = (clips_on(&desk, "Host (assembly)"), clips_on(&desk, "Guest (assembly)"));
    assert_eq!((host.len(), guest.len()), (200, 200));
    for ((_, host), (_, guest)) in host.iter().zip(&guest) {
        assert_eq!(host.position - host.start, guest.position - guest.start, "off at {host:?}");
        assert_eq!((host.position, host.length), (guest.position, guest.length));
    }
    let groups: Vec<_> = desk.session.groups.values().map(|group| group.name.as_str()).collect();
    assert!(groups.contains(&"Talk (assembly)"), "{groups:?}");
}

#[test]
fn what_is_said_over_a_longer_phrase_plays_along_with_it() {
    let host = [(0.5, 5.0, "I told you the whole long story."), (6.5, 7.5, "Goodbye.")];
    let (mut desk, _) = interview(9.0, &host, &[(2.0, 2.5, "Mhm.")]);
    let draft = desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(plays(&desk), ["I told you the whole long story.", "Goodbye."]);
    assert_eq!(
        draft.warnings,
        ["\"Mhm.\": said over a longer phrase of another track, plays along with it"]
    );
}

#[test]
fn what_was_cut_by_hand_goes_along() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let at = clips_on(&desk, "Voice (assembly)")[0].1.position.0 as f64 / SECOND as f64 + 0.5;
    let split = json!({"targets": "Voice (assembly)", "at_s": at});
    desk.settle_once("cmd_split_clip", split);
    let wanted = ["It was red.", "Then it ran", "far away.", "Once upon a time there was a fox."];
    desk.settle("tool_reorder_segments", &json!({"ordered_group_ids": ids(&desk, &wanted)}));
    let clips = clips_on(&desk, "Voice (assembly)");
    assert_eq!(clips.len(), 5);
    assert_eq!(clips[4].1.position, clips[3].1.end());
    assert_eq!(clips[4].1.start, clips[3].1.start + clips[3].1.length);
}

#[test]
fn recordings_with_gaps_are_assembled_by_what_is_there() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_strip_silence", &json!({"targets": "all", "pre_roll_ms": 5}));
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let blocks = standing(&desk.session);
    assert_eq!(blocks.len(), 4);
    assert_eq!(
        deskhand_edit::assembly::block::laid(
            blocks.iter().map(|p| p.block.clone()).collect(),
            RATE
        ),
        blocks
    );
    let order: Vec<_> = desk.session.assembly.order.iter().rev().copied().collect();
    desk.settle("tool_reorder_segments", &json!({"ordered_group_ids": order}));
}

#[test]
fn finishing_is_told_and_the_next_step_opens_it_again() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    desk.settle("cmd_finish", &json!({"summary": "As it was said."}));
    assert_eq!(desk.session.assembly.finished.as_deref(), Some("As it was said."));
    let list = desk.plan("tool_list_phrases", json!({"count": 2})).answer.unwrap();
    assert_eq!(list["finished"], "As it was said.");
    assert_eq!((list["total"].as_u64(), list["phrases"].as_array().unwrap().len()), (Some(4), 2));
    let first = &list["phrases"][0];
    assert_eq!(
        (&first["state"], &first["start_s"], &first["end_s"]),
        (&json!("plays"), &json!(0.5), &json!(2.7))
    );
    assert_eq!(first["confidence"], 0.9);
    desk.settle("tool_remove_segments", &json!({"group_ids": ids(&desk, &["far away."])}));
    assert_eq!(desk.session.assembly.finished, None);
}

#[test]
fn a_new_transcript_renews_what_changed_and_keeps_the_rest() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    desk.settle("tool_remove_segments", &json!({"group_ids": ids(&desk, &["It was red."])}));
    // Somebody joins the last two by a full stop less: now a sentence ends after "Then".
    let last = desk.session.segments.values_mut().find(|s| s.text() == "Then it ran").unwrap();
    last.start += Frames(SECOND);
    for word in &mut last.words {
        word.start += Frames(SECOND);
        word.end += Frames(SECOND);
    }
    let draft = desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert!(draft.summary.starts_with("Assemble 1 phrase"), "{}", draft.summary);
    assert_eq!(plays(&desk), ["Once upon a time there was a fox.", "Then it ran far away."]);
    assert_eq!(desk.session.assembly.removed, [phrase(&desk, "It was red.")]);
    let standing: Vec<_> = standing(&desk.session).iter().map(|p| p.block.phrase).collect();
    assert_eq!(standing, desk.session.assembly.order);
}

/// Writes a word in another way, and finds phrases again.
fn reworded(desk: &mut Desk, from: &str, to: &str) {
    let mut words = desk.session.segments.values_mut().flat_map(|segment| &mut segment.words);
    words.find(|word| word.text == from).unwrap().text = to.into();
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let standing: Vec<_> = standing(&desk.session).iter().map(|p| p.block.phrase).collect();
    assert_eq!(standing, desk.session.assembly.order);
}

/// What phrases say.
fn texts(desk: &Desk, phrases: &[PhraseId]) -> Vec<String> {
    phrases.iter().map(|id| desk.session.spoken(*id).unwrap().text).collect()
}

#[test]
fn what_is_grouped_anew_keeps_its_place() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let moved = ["Then it ran", "far away.", "Once upon a time there was a fox.", "It was red."];
    desk.settle("tool_reorder_segments", &json!({"ordered_group_ids": ids(&desk, &moved)}));
    reworded(&mut desk, "time", "time.");
    let split =
        ["Then it ran", "far away.", "Once upon a time.", "there was a fox.", "It was red."];
    assert_eq!(plays(&desk), split);
    reworded(&mut desk, "time.", "time");
    assert_eq!(plays(&desk), moved);
}

#[test]
fn what_is_grouped_anew_stays_removed() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let out = ids(&desk, &["Once upon a time there was a fox.", "Then it ran"]);
    desk.settle("tool_remove_segments", &json!({"group_ids": out}));
    reworded(&mut desk, "time", "time.");
    assert_eq!(plays(&desk), ["It was red.", "far away."]);
    let removed = ["Once upon a time.", "there was a fox.", "Then it ran"];
    assert_eq!(texts(&desk, &desk.session.assembly.removed), removed);
    let mut marked: Vec<_> =
        desk.session.markers.values().map(|it| (it.position, it.name.as_str())).collect();
    marked.sort_unstable();
    let next = clips_on(&desk, "Voice (assembly)")[1].1.position;
    let expected = [
        (Frames::ZERO, "removed: Once upon a time."),
        (Frames::ZERO, "removed: there was a fox."),
        (next, "removed: Then it ran"),
    ];
    assert_eq!(marked, expected);
}

#[test]
fn a_take_that_is_grouped_anew_stays_one_and_none_of_it_begins_to_play() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let takes = ["It was red.", "Once upon a time there was a fox."];
    let params = json!({
        "phrase": "fox", "group_ids": ids(&desk, &takes), "recommended_group_id": phrase(&desk, takes[0]),
        "reason": "short",
    });
    desk.settle_once("tool_mark_duplicates", params);
    reworded(&mut desk, "time", "time.");
    assert_eq!(plays(&desk), ["It was red.", "Then it ran", "far away."]);
    let assembly = &desk.session.assembly;
    let mut takes = texts(&desk, &assembly.duplicates[0].takes);
    takes.sort();
    assert_eq!(takes, ["It was red.", "Once upon a time."]);
    assert_eq!(texts(&desk, &assembly.removed), ["there was a fox."]);
}

#[test]
fn a_phrase_is_listed_as_long_as_it_plays() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let length = |desk: &Desk| {
        let listed = desk.plan("tool_list_phrases", json!({})).answer.unwrap();
        listed["phrases"][0]["length_s"].as_f64().unwrap()
    };
    assert_eq!(length(&desk), 2.2);
    let clip = clips_on(&desk, "Voice (assembly)")[0].1.clone();
    let at = |second: f64| second - (clip.start.0 as f64 / SECOND as f64);
    let cut = json!({"targets": "Voice (assembly)", "start_s": at(1.0), "end_s": at(1.4)});
    desk.settle_once("cmd_ripple_delete", cut);
    assert!((length(&desk) - 1.8).abs() < 0.03, "{}", length(&desk));
}

#[test]
fn a_step_is_taken_whole() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let draft =
        desk.plan("tool_remove_segments", json!({"group_ids": ids(&desk, &["It was red."])}));
    let ids: Vec<_> = draft.changes.iter().map(|c| c.id.clone()).collect();
    for (n, change) in draft.changes.iter().enumerate() {
        let ahead = (n + ids.len() - 1) % ids.len();
        assert_eq!(change.needs, [ids[ahead].clone()]);
    }
}

/// As the times of last words often are.
#[test]
fn a_voice_that_sounds_on_behind_its_last_word_is_not_cut_off() {
    let heard = [(0.5, 2.0, "so"), (3.6, 5.0, "on")];
    let told = [(0.5, 1.4, "It costs a lot."), (4.1, 5.0, "And more.")];
    let mut desk = alone(6.0, &heard);
    desk.session.segments.clear();
    let source = desk.session.clips.values().next().unwrap().source;
    super::written(&mut desk, source, "Host", &told);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let clips = clips_on(&desk, "Voice (assembly)");
    let second = |frames: Frames| frames.0 as f64 / SECOND as f64;
    let (first, next) = (&clips[0].1, &clips[1].1);
    let (end, start) = (second(first.start + first.length), second(next.start));
    assert!((2.0..2.4).contains(&end), "the first ends at {end}");
    assert!((3.2..=3.6).contains(&start), "the second begins at {start}");
}

#[test]
fn what_a_microphone_heard_of_another_is_no_phrase() {
    let mut desk = alone(12.0, &STORY);
    let fact = Fact { value: json!("Guest"), unit: None, confidence: None, by: "test".into() };
    let bleed = desk.session.segments.values_mut().find(|one| one.text() == "It was red.").unwrap();
    bleed.description.facts.insert(BLEED_OF.into(), fact);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let expected = ["Once upon a time there was a fox.", "Then it ran", "far away."];
    assert_eq!(plays(&desk), expected);
}

#[test]
fn one_speaker_a_track_is_assembled_in_the_order_of_time() {
    let host = [(0.5, 1.5, "One is here."), (6.5, 7.5, "Three is here.")];
    let guest = [(3.5, 4.5, "Two is here."), (9.0, 10.0, "Four is here.")];
    for seconds in [12.0, 30.0] {
        let mut desk = alone(12.0, &host);
        let second = desk.track(deskhand_session::Track::audio("Guest"));
        let clip = desk.clip(second, "Guest", 0, recording(seconds, &guest, 330.0));
        let source = desk.session.clips[&clip].source;
        super::written(&mut desk, source, "Guest", &guest);
        desk.settle("tool_find_phrases", &json!({"targets": "all"}));
        let expected = ["One is here.", "Two is here.", "Three is here.", "Four is here."];
        assert_eq!(plays(&desk), expected);
        let parts = |name: &str| super::clips_on(&desk, name).len();
        let both = if seconds > 12.0 { 2 } else { 4 };
        assert_eq!((parts("Voice (assembly)"), parts("Guest (assembly)")), (both, both));
    }
}

/// As files are imported: each at the start of a track of its own.
#[test]
fn takes_of_one_speaker_that_lie_over_each_other_come_one_after_the_other() {
    let mut desk = alone(12.0, &STORY);
    let other = [(0.2, 1.4, "Welcome to the show."), (3.2, 4.4, "We begin with tubes.")];
    let second = desk.track(deskhand_session::Track::audio("Show"));
    let clip = desk.clip(second, "Show", 0, recording(6.0, &other, 330.0));
    let source = desk.session.clips[&clip].source;
    super::written(&mut desk, source, "Host", &other);
    let draft = desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let expected = [
        "Once upon a time there was a fox.",
        "It was red.",
        "Then it ran",
        "far away.",
        "Welcome to the show.",
        "We begin with tubes.",
    ];
    assert_eq!(plays(&desk), expected);
    let told = "\"Voice\" and \"Show\" say different things at the same time";
    assert!(draft.warnings[0].starts_with(told), "{:?}", draft.warnings);
}

#[test]
fn recordings_that_follow_each_other_on_several_tracks_stay_in_their_order() {
    let lines = [(0.5, 1.5, "One is here."), (8.5, 9.5, "Three is here.")];
    let mut desk = alone(10.0, &lines);
    desk.settle_once("cmd_split_clip", json!({"targets": "Voice", "at_s": 4.0}));
    let part = desk.session.clips.values_mut().find(|clip| clip.position > Frames::ZERO).unwrap();
    part.position += Frames(4 * SECOND);
    let other = [(0.5, 1.5, "Two is here.")];
    let second = desk.track(deskhand_session::Track::audio("Show"));
    let clip = desk.clip(second, "Show", 4 * SECOND, recording(4.0, &other, 330.0));
    let source = desk.session.clips[&clip].source;
    super::written(&mut desk, source, "Guest", &other);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(plays(&desk), ["One is here.", "Two is here.", "Three is here."]);
}

#[test]
fn a_recording_that_is_added_comes_behind() {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let other = [(0.2, 1.4, "Welcome to the show.")];
    let second = desk.track(deskhand_session::Track::audio("Show"));
    let clip = desk.clip(second, "Show", 0, recording(3.0, &other, 330.0));
    let source = desk.session.clips[&clip].source;
    super::written(&mut desk, source, "Guest", &other);
    desk.settle("tool_find_phrases", &json!({"targets": "Show"}));
    assert_eq!(plays(&desk)[4], "Welcome to the show.");
}

#[test]
fn a_phrase_without_a_full_stop_ends_at_a_comma_when_it_is_long() {
    let lines = [
        (0.5, 4.5, "We left the house at six,"),
        (4.6, 8.6, "my sister drove the car,"),
        (8.7, 12.7, "nobody said a word,"),
        (12.8, 16.8, "the road was wet"),
        (16.9, 20.9, "and many people were out."),
    ];
    let mut desk = alone(22.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let expected = [
        "We left the house at six, my sister drove the car,",
        "nobody said a word, the road was wet and many people were out.",
    ];
    assert_eq!(plays(&desk), expected);
}

#[test]
fn where_nothing_is_written_down_it_may_be_that_nothing_is_said() {
    let mut desk = Desk::new(crate::testing::tools());
    let voice = desk.track(deskhand_session::Track::audio("Voice"));
    desk.clip(voice, "Silence", 0, vec![0.0; SECOND as usize]);
    let told = desk.refusal("tool_find_phrases", json!({"targets": "all"}));
    let way = "where that writes nothing down, nothing is said in them";
    assert!(told.starts_with("nothing that is said there is written down; "), "{told}");
    assert!(told.ends_with(way), "{told}");
}
