//! The transcript used as a person uses it.

use crate::action::{Action, Gesture};
use crate::coding::coded::fresh;
use crate::live::{Motion, SoundOutput};
use crate::testing::{UserInput as _, spoken};
use crate::ui_tests::{Desk, harness, open_model};
use crate::{Audition, Layout, Model, Settings};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_protocol::desk::Play;
use deskhand_protocol::{CallId, Event, News, Status, ToolResult};
use deskhand_session::{
    Author, Provisional, RevisionId, Segment, SegmentId, Session, SessionId, SourceId, TrackId,
    Word,
};
use egui::{Key, Modifiers, Pos2, Rect, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::{Value, json};

pub(crate) type Bench = Harness<'static, Desk>;

pub(crate) fn model(session: Session) -> Model {
    let mut model = open_model();
    model.mirror.as_mut().unwrap().snapshot.session = session;
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    model.desk.words.is_open = true;
    model.settings = Some(wide());
    model
}

/// So much room for the words that their times are beside them.
pub(crate) fn wide() -> Settings {
    Settings { layout: Layout { words: 520.0, ..Layout::default() }, ..Settings::default() }
}

pub(crate) fn bench() -> Bench {
    harness(model(spoken()))
}

/// The rectangle of a word, by its number.
pub(crate) fn word(bench: &Bench, number: usize) -> Rect {
    let cells = &bench.state().model.desk.words.transcript.cells;
    cells.iter().find(|(known, _)| *known == number).unwrap().1
}

/// On the time of the line that begins with a word, by its number.
fn time(bench: &Bench, number: usize) -> Pos2 {
    let at = word(bench, number);
    let made = bench.state().model.desk.words.transcript.made.as_ref();
    pos2(at.left() - made.unwrap().left + 14.0, at.center().y)
}

pub(crate) fn secondary(pos: Pos2, pressed: bool) -> egui::Event {
    let (button, modifiers) = (egui::PointerButton::Secondary, Modifiers::NONE);
    egui::Event::PointerButton { pos, button, pressed, modifiers }
}

pub(crate) fn right_click(bench: &mut Bench, at: Pos2) {
    bench.hover_at(at);
    bench.run_steps(1);
    for pressed in [true, false] {
        bench.event(secondary(at, pressed));
        bench.run_steps(1);
    }
    bench.run_steps(4);
}

pub(crate) fn calls(bench: &Bench) -> Vec<(Gesture, Value)> {
    let call = |action: &Action| match action {
        Action::Call { gesture, params } => Some((*gesture, params.clone())),
        _ => None,
    };
    bench.state().actions.iter().filter_map(call).collect()
}

#[test]
fn a_click_on_a_word_is_heard_from_there() {
    let mut bench = bench();
    let at = word(&bench, 3).center();
    bench.click_at(at);
    let heard = [Play::Seek { at: Frames(72_000) }, Play::Start].map(Action::Play);
    assert_eq!(bench.state().actions, heard);
}

#[test]
fn a_word_that_no_clip_plays_is_heard_by_itself() {
    let mut session = spoken();
    session.clips.clear();
    let mut bench = harness(model(session));
    let at = word(&bench, 3).center();
    bench.click_at(at);
    let alone = (SourceId::new(1), Frames(72_000), Frames(192_000));
    assert_eq!(bench.state().actions, [Action::Audition(Some(alone))]);
}

#[test]
fn in_a_host_a_word_is_heard_by_itself_and_ended_by_a_click_or_a_key() {
    let mut hosted = model(spoken());
    hosted.live.output = SoundOutput::Host { name: "Ardour".into() };
    let mut bench = harness(hosted);
    let at = word(&bench, 3).center();
    bench.click_at(at);
    let (source, from, to) = (SourceId::new(1), Frames(72_000), Frames(192_000));
    assert_eq!(bench.state().actions, [Action::Audition(Some((source, from, to)))]);
    bench.state_mut().model.live.audition = Some(Audition { source, from, to, at: from });
    bench.state_mut().actions.clear();
    bench.run_steps(2);
    bench.press(Key::Escape);
    bench.click_on("Stop");
    assert_eq!(bench.state().actions, [Action::Audition(None), Action::Audition(None)]);
}

#[test]
fn a_word_that_was_cut_away_is_heard_and_not_what_follows_it() {
    let mut session = spoken();
    let clip = session.clips.get_mut(&deskhand_session::ClipId::new(1)).unwrap();
    (clip.start, clip.length) = (Frames(48_000), Frames(432_000));
    let mut bench = harness(model(session));
    let at = word(&bench, 0).center();
    bench.click_at(at);
    let alone = (SourceId::new(1), Frames::ZERO, Frames(192_000));
    assert_eq!(bench.state().actions, [Action::Audition(Some(alone))]);
}

#[test]
fn a_row_begins_with_its_first_word_that_plays() {
    let mut session = spoken();
    let clip = session.clips.get_mut(&deskhand_session::ClipId::new(1)).unwrap();
    // "We" was cut out, and its last 10 ms fade in.
    (clip.start, clip.length, clip.position) = (Frames(18_720), Frames(461_280), Frames(96_000));
    let bench = harness(model(session));
    assert!(
        bench.query_by_label_contains("Describe 0:02.1").is_some(),
        "\"left\" is heard at 2.11 s"
    );
}

#[test]
fn a_drag_over_words_selects_their_time_and_cut_takes_it_out() {
    let mut bench = bench();
    let (from, to) = (word(&bench, 1).center(), word(&bench, 4).center());
    bench.drag(from, to);
    let range = json!({"targets": [TrackId::new(1)], "start_s": 0.5, "end_s": 2.4});
    assert_eq!(calls(&bench), [(Gesture::Select, range.clone())]);
    assert!(bench.state().actions.len() == 1, "a drag is not heard");
    bench.click_on("Cut");
    let mut cut = range;
    cut["between_words"] = json!(true);
    assert_eq!(calls(&bench)[1], (Gesture::DeleteTime, cut));
}

#[test]
fn picked_words_are_coded_with_a_code_that_is_there_or_a_new_one() {
    let mut bench = bench();
    let at = word(&bench, 2).center();
    bench.click_at(at);
    bench.click_on("Code");
    bench.click_on("Light");
    let (gesture, params) = calls(&bench).pop().unwrap();
    assert_eq!(gesture, Gesture::CodeRegion);
    let code = deskhand_session::CodeId::new(1);
    let wanted =
        json!({"code_id": code, "target": SourceId::new(1), "start_ms": 1000.0, "end_ms": 1400.0});
    assert_eq!(params, wanted);
    bench.click_on("Code");
    bench.focus_on("New code");
    bench.type_into("New code", "Harbour");
    bench.press(Key::Enter);
    let made = json!({"name": "Harbour", "color": fresh(&spoken())});
    assert_eq!(calls(&bench).pop().unwrap(), (Gesture::SetCode, made), "a color that none has");
    // The words are coded as soon as the codebook has it.
    let snapshot = &mut bench.state_mut().model.mirror.as_mut().unwrap().snapshot;
    let id = deskhand_session::CodeId::new(77);
    snapshot.session.codes.insert(id, deskhand_session::Code::new("Harbour"));
    snapshot.head = deskhand_session::RevisionId(2);
    bench.run_steps(3);
    let made = calls(&bench);
    assert_eq!(
        (made.len(), made[2].0, &made[2].1["code_id"]),
        (3, Gesture::CodeRegion, &json!(id))
    );
}

#[test]
fn the_menu_of_codes_takes_what_is_typed_and_a_drag_beside_it_picks_no_other_words() {
    let mut bench = bench();
    let at = word(&bench, 2).center();
    bench.click_at(at);
    let picked = bench.state().model.desk.words.transcript.picked;
    bench.get_by_label("Code").click();
    bench.run_steps(5);
    assert!(bench.get_by_label("New code").is_focused());
    let (from, to) = (word(&bench, 4).center(), word(&bench, 5).center());
    bench.drag(from, to);
    assert_eq!(bench.state().model.desk.words.transcript.picked, picked);
    assert!(bench.query_by_label("New code").is_none(), "the menu is closed");
    bench.get_by_label("Code").click();
    bench.run_steps(5);
    bench.event(egui::Event::Text("Garden".into()));
    bench.run_steps(2);
    bench.press(Key::Enter);
    let (gesture, params) = calls(&bench).pop().unwrap();
    assert_eq!((gesture, &params["name"]), (Gesture::SetCode, &json!("Garden")));
    assert!(params["color"].is_string(), "one that no other code has: {params}");
}

#[test]
fn in_a_narrow_panel_time_and_speaker_are_above_the_words() {
    let mut model = model(spoken());
    model.settings = None;
    let bench = harness(model);
    let first = word(&bench, 0);
    let [time, name] = ["Describe 0:00.0", "Speaker Anna"]
        .map(|label| bench.query_all_by_label_contains(label).next().unwrap().rect());
    assert!(
        time.bottom() <= first.top() && name.bottom() <= first.top(),
        "{time}, {name}, {first}"
    );
    let panel = bench.get_by_label("Words area").rect();
    assert!(first.left() - panel.left() < 20.0, "{first} in {panel}");
}

#[test]
fn esc_closes_the_menu_of_codes_and_leaves_the_window_and_what_is_picked() {
    let mut bench = bench();
    let at = word(&bench, 2).center();
    bench.click_at(at);
    bench.get_by_label("Code").click();
    bench.run_steps(5);
    bench.press(Key::Escape);
    assert!(bench.query_by_label("New code").is_none());
    assert!(bench.query_by_label("Cut").is_some(), "words are picked");
    assert!(bench.state().model.desk.words.is_open);
    let list = bench.state().model.desk.words.transcript.list;
    assert_eq!(bench.ctx.memory(egui::Memory::focused), list, "the keys are for the words again");
}

#[test]
fn a_transcript_is_imported_of_the_recording_that_is_chosen() {
    let mut session = spoken();
    session.segments.clear();
    session.sources.get_mut(&SourceId::new(2)).unwrap().name = "Talk".into();
    let mut bench = harness(model(session));
    bench.click_on("Import a transcript…");
    bench.click_on("Talk");
    let wanted = crate::FileCall::ImportTranscript(Some(SourceId::new(2)));
    assert_eq!(bench.state().actions, [Action::File(wanted)]);
}

#[test]
fn a_phrase_that_stands_out_says_so_and_its_time_tells_all() {
    let mut session = spoken();
    let segment = session.segments.values_mut().find(|it| !it.words.is_empty()).unwrap();
    let fact = |value: Value, unit: Option<&str>| deskhand_session::Fact {
        value,
        unit: unit.map(str::to_owned),
        confidence: None,
        by: "tool_describe_speech".into(),
    };
    let facts = [
        ("level", fact(json!(-19.3), Some("LUFS"))),
        ("laughter", fact(json!(1.2), Some("s"))),
        ("off_mic", fact(json!(true), None)),
    ];
    segment.description.facts = facts.map(|(name, fact)| (name.to_owned(), fact)).into();
    let text = segment.text();
    let mut bench = harness(model(session));
    let told = |node: egui_kittest::Node<'_>| node.accesskit_node().value().unwrap_or_default();
    let line = told(bench.get_by_label_contains(&text));
    assert!(line.ends_with("laughter 1.2 s, off-mic"), "{line}");
    let at = time(&bench, 0);
    bench.hover_at(at);
    bench.run_steps(30);
    assert_eq!(told(bench.get_by_label_contains("level: −19.3 LUFS")).lines().count(), 3);
}

#[test]
fn what_is_known_of_a_phrase_is_written_at_its_time() {
    let mut session = spoken();
    let (id, segment) = session.segments.iter_mut().find(|(_, it)| !it.words.is_empty()).unwrap();
    let id = *id;
    let pace = json!({"value": 140, "unit": "words/min", "by": "tool_describe_speech"});
    segment.description.facts.insert("pace".into(), serde_json::from_value(pace).unwrap());
    let mut bench = harness(model(session));
    let open = |bench: &mut Bench, item: &str| {
        let at = time(bench, 0);
        bench.click_at(at);
        bench.run_steps(3);
        bench.click_on(item);
    };
    let facts = |bench: &Bench| {
        let (gesture, params) = calls(bench).pop().unwrap();
        assert_eq!((gesture, &params["segment_ids"]), (Gesture::SetDescription, &json!([id])));
        params["facts"].clone()
    };
    open(&mut bench, "Mark as off-mic");
    assert_eq!(facts(&bench), json!({"off_mic": true}));
    open(&mut bench, "pace: 140 words/min…");
    bench.type_into("What is known, as name: value", "5");
    bench.press(Key::Enter);
    assert_eq!(facts(&bench), json!({"pace": 1405.0}));
    open(&mut bench, "Write something else…");
    bench.type_into("What is known, as name: value", "mood: calm");
    bench.press(Key::Enter);
    assert_eq!(facts(&bench), json!({"mood": "calm"}));
}

#[test]
fn a_word_and_a_speaker_are_written_anew_in_their_place() {
    let mut bench = bench();
    let at = word(&bench, 3).center();
    bench.click_at(at);
    bench.press(Key::F2);
    bench.type_into("Word", "t");
    bench.press(Key::Enter);
    let (gesture, params) = calls(&bench).pop().unwrap();
    assert_eq!(gesture, Gesture::SetWords);
    assert_eq!(params["segment_id"], json!(SegmentId::new(1)));
    assert_eq!((params["first"].as_u64(), params["count"].as_u64()), (Some(3), Some(1)));
    assert!(params["text"].as_str().unwrap().contains("lamps"), "{params}");
    bench.get_all_by_label("Speaker Anna").next().unwrap().click();
    bench.run_steps(3);
    bench.click_on("Rename Anna everywhere…");
    bench.type_into("Speaker", "bel");
    bench.press(Key::Enter);
    let (gesture, params) = calls(&bench).pop().unwrap();
    assert_eq!((gesture, &params["speaker"]), (Gesture::SetSpeaker, &json!("Anna")));
    assert!(params["name"].as_str().unwrap().contains("bel"), "{params}");
}

#[test]
fn the_keys_go_from_word_to_word_and_pick() {
    let mut bench = bench();
    let at = word(&bench, 2).center();
    bench.click_at(at);
    bench.press(Key::ArrowRight);
    bench.press_with(Modifiers::SHIFT, Key::ArrowRight);
    let (gesture, params) = calls(&bench).pop().unwrap();
    assert_eq!((gesture, params["start_s"].as_f64()), (Gesture::Select, Some(1.5)));
    bench.press(Key::Delete);
    assert_eq!(calls(&bench).pop().unwrap().0, Gesture::DeleteTime);
}

#[test]
fn what_is_searched_is_shown_and_counted() {
    let mut bench = bench();
    bench.focus_on("Search the transcript");
    bench.type_into("Search the transcript", "the");
    let view = &bench.state().model.desk.words.transcript;
    assert!(view.found.len() > 3 && view.hit == Some(0), "{:?}", view.found);
    assert!(bench.query_by_label(&format!("1 of {}", view.found.len())).is_some());
    bench.click_on("Next place");
    assert_eq!(bench.state().model.desk.words.transcript.hit, Some(1));
    // A hit is selected, which makes a revision: the search continues from there.
    bench.state_mut().model.mirror.as_mut().unwrap().snapshot.head.0 += 1;
    let selected = calls(&bench).len();
    bench.run_steps(3);
    assert_eq!(calls(&bench).len(), selected, "nothing is selected anew");
    bench.click_on("Next place");
    assert_eq!(bench.state().model.desk.words.transcript.hit, Some(2));
}

#[test]
fn a_star_is_set_and_an_audition_lights_its_word() {
    let mut bench = bench();
    bench.get_all_by_label("Mark as important").next().unwrap().click();
    bench.run_steps(2);
    let params = json!({"segment_id": SegmentId::new(1), "importance": 1});
    assert_eq!(calls(&bench), [(Gesture::SetImportance, params)]);
    let live = &mut bench.state_mut().model.live;
    let (from, to, at) = (Frames(216_000), Frames(400_000), Frames(264_000));
    live.audition = Some(Audition { source: SourceId::new(2), from, to, at });
    live.motion = Motion::Playing;
    bench.run_steps(3);
    let view = &bench.state().model.desk.words.transcript;
    assert!(view.followed.is_some());
}

/// Ten hours: 100,000 words in phrases of ten.
fn ten_hours() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
    let source = spoken().sources.remove(&SourceId::new(1)).unwrap();
    session.sources.insert(SourceId::new(1), source);
    for number in 0..10_000_i64 {
        let start = Frames(number * 172_800);
        let word = |place: i64| {
            let start = start + Frames(place * 17_000);
            Word {
                text: format!("word{place}"),
                start,
                end: start + Frames(15_000),
                confidence: None,
            }
        };
        let words = (0..10).map(word).collect();
        let segment = Segment { words, ..Segment::new(SourceId::new(1), start, Frames(172_000)) };
        session.segments.insert(SegmentId::new(number as u64 + 1), segment);
    }
    session
}

#[test]
fn of_ten_hours_only_the_lines_in_view_are_laid_out() {
    let mut bench = harness(model(ten_hours()));
    let drawn = |bench: &Bench| bench.state().model.desk.words.transcript.drawn;
    let first = drawn(&bench);
    assert!((5..40).contains(&first), "{first}");
    let nodes = bench.root().children_recursive().count();
    bench.state_mut().model.desk.words.transcript.wanted = Some(9_000);
    bench.run_steps(3);
    assert!(drawn(&bench) <= first + 1);
    assert!(bench.root().children_recursive().count() < nodes + 20);
    let words = bench.state().model.desk.words.transcript.cells.len();
    assert!(words < 400, "{words} words laid out");
}

#[test]
fn phrases_stand_there_as_they_are_understood_and_go_when_the_session_has_them() {
    let phrase = |at: i64, label: &str| Provisional {
        target: SourceId::new(1).into(),
        position: Frames(at * 24_000),
        length: Frames(24_000),
        label: label.into(),
    };
    let found = vec![phrase(1, "The money went."), phrase(3, ""), phrase(2, "It came back.")];
    let news = |bench: &mut Bench, news: News| {
        let (call, author) = (Some(CallId(7)), Author::User);
        let event = Event { number: 0, author, call, news };
        drop(bench.state_mut().model.hear(&event));
        bench.run_steps(3);
    };
    let mut empty = spoken();
    empty.segments.clear();
    for session in [spoken(), empty] {
        let mut bench = harness(model(session));
        news(&mut bench, News::Provisional { found: found.clone() });
        let top = |label: &str| bench.get_by_label_contains(label).rect().top();
        assert!(top("The money went.") < top("It came back."), "in the order of the timeline");
        let result = ToolResult::new(Status::Ok, "written down", RevisionId(1));
        news(&mut bench, News::Done { result: Box::new(result) });
        assert!(bench.query_by_label_contains("The money went.").is_none());
    }
}
