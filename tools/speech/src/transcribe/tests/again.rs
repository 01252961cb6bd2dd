//! A second transcription: it changes nothing, or only what a person corrected.

use super::*;
use deskhand_session::NOTHING_SAID;

#[test]
fn what_is_heard_again_as_it_is_written_down_changes_nothing_and_says_so() {
    let mut desk = desk();
    let keep = call(&desk, &["Talk"], Known::Keep);
    let (draft, _) = plan(&desk, &keep, &[phrase(1, 2), phrase(2, 3)]);
    desk.apply(&draft);
    let replace = call(&desk, &["Talk"], Known::Replace);
    let (draft, _) = plan(&desk, &replace, &[phrase(1, 2), phrase(2, 3)]);
    assert_eq!((draft.changes.len(), draft.warnings.len()), (0, 0));
    let told = "Write down nothing new: 4 words in 2 phrases in Talk are heard as they were";
    assert_eq!(draft.summary, told);
}

#[test]
fn words_that_were_corrected_by_hand_are_named_where_they_go() {
    let mut desk = desk();
    let keep = call(&desk, &["Talk"], Known::Keep);
    let (draft, _) = plan(&desk, &keep, &[phrase(1, 2), phrase(2, 3)]);
    desk.apply(&draft);
    let replace = call(&desk, &["Talk"], Known::Replace);
    let first = desk.session.segments.values_mut().find(|it| it.start == Frames(48_000)).unwrap();
    (first.words[0].text, first.words[0].confidence) = ("Dear".into(), None);
    let (draft, _) = plan(&desk, &replace, &[phrase(1, 2), phrase(2, 3)]);
    let told = "1 word that was corrected by hand would be lost: \"Dear\" at 0:01, heard as \"good\"; to keep it \
                reject what changes its phrase";
    assert_eq!(draft.warnings, [told]);
    let mut heard = phrase(1, 2);
    heard.words[0].text = "Dear".into();
    let (draft, _) = plan(&desk, &replace, &[heard, phrase(2, 3)]);
    assert!(draft.warnings.is_empty(), "it is heard so by now: {:?}", draft.warnings);
    // Of words that came from elsewhere nobody knows whether they were corrected.
    for segment in desk.session.segments.values_mut() {
        segment.words.iter_mut().for_each(|word| word.confidence = None);
    }
    let (draft, _) = plan(&desk, &replace, &[phrase(1, 2), phrase(2, 3)]);
    assert!(draft.warnings.is_empty(), "{:?}", draft.warnings);
}

#[test]
fn a_recording_in_which_nothing_is_said_is_known_for_one_until_something_is() {
    for heard in [phrase(0, 2), phrase(1, 2)] {
        let mut desk = desk();
        let keep = call(&desk, &["talk.wav"], Known::Keep);
        let (draft, _) = plan(&desk, &keep, &[]);
        assert_eq!(draft.summary, "Write down nothing: no words were heard in talk.wav");
        assert_eq!(draft.changes.len(), 1);
        desk.apply(&draft);
        assert_eq!(plan(&desk, &keep, &[]).0.changes, [], "it is known");
        for tool in ["tool_mark_speakers", "tool_describe_speech"] {
            let error = desk.call(tool, json!({"targets": "Talk"})).unwrap_err().to_string();
            assert!(error.starts_with("nothing is said in Talk: it was transcribed"), "{error}");
        }
        for from in ["source", "timeline"] {
            let params = json!({"path": "talk.srt", "targets": "talk.wav", "from": from});
            let error = desk.call("tool_export_transcript", params).unwrap_err().to_string();
            assert!(error.starts_with("nothing is said in talk.wav"), "{error}");
        }
        let (draft, _) = plan(&desk, &keep, &[heard]);
        desk.apply(&draft);
        let all: Vec<&Segment> = desk.session.segments.values().collect();
        assert_eq!(all.iter().map(|it| it.text()).collect::<Vec<_>>(), ["good day."]);
        assert!(!all[0].description.facts.contains_key(NOTHING_SAID), "{all:?}");
    }
}

#[test]
fn of_a_recording_that_was_not_heard_to_its_end_nobody_knows_whether_something_is_said() {
    let desk = desk();
    let keep = call(&desk, &["talk.wav"], Known::Keep);
    let context = desk.context(NAME, &json!({}));
    let mut written = Written { regions: 1, heard: Frames(48_000), ..Written::default() };
    assert_eq!(draft(&keep, &context, &written).changes, []);
    written.heard = Frames(480_000);
    assert_eq!(draft(&keep, &context, &written).changes.len(), 1);
    written.left_out.push("talk.wav, 0.0 to 9.0 s was left out".into());
    assert_eq!(draft(&keep, &context, &written).changes, [], "somebody may have spoken");
}

#[test]
fn what_is_said_in_one_part_leaves_it_known_that_nothing_is_in_another() {
    let mut desk = desk();
    let talk = *desk.session.sources.keys().next().unwrap();
    desk.clip_of("Later", talk, [300_000, 96_000, 3_000_000]);
    let later = call(&desk, &["Later"], Known::Keep);
    desk.apply(&plan(&desk, &later, &[]).0);
    let both = call(&desk, &["Talk", "Later"], Known::Keep);
    desk.apply(&plan(&desk, &both, &[phrase(1, 2)]).0);
    let is_silent = |it: &Segment| it.description.facts.contains_key(NOTHING_SAID);
    let silent: Vec<Frames> =
        desk.session.segments.values().filter(|it| is_silent(it)).map(|it| it.start).collect();
    assert_eq!(silent, [Frames(300_000)]);
    assert_eq!(plan(&desk, &both, &[]).0.changes, [], "nothing is new");
}
