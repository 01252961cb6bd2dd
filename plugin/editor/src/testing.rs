//! A session and a plan for tests, and a person's hands.

/// What most tests of views use.
pub(crate) mod prelude {
    pub(crate) use super::{UserInput as _, gain_plan};
    pub(crate) use crate::ui_tests::{Desk, event, harness, open_model, with_plan};
    pub(crate) use crate::{Action, Gesture, Model};
    pub(crate) use deskhand_dsp::{Decibels, Frames};
    pub(crate) use deskhand_protocol::{CallId, Decision, News, Op, Status, ToolResult};
    pub(crate) use deskhand_session::{
        Change, ClipId, Edit, Plan, RevisionId, SessionId, SourceId, TrackId,
    };
    pub(crate) use egui::{Key, Modifiers};
    pub(crate) use egui_kittest::Harness;
    pub(crate) use egui_kittest::kittest::{NodeT as _, Queryable as _};
    pub(crate) use serde_json::json;
}

use crate::tools::Tools;
use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_protocol::ToolInfo;
use deskhand_session::offers::{Gesture, Menu, Offers};
use deskhand_session::tool_name::COMMAND;
use deskhand_session::*;
use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use serde_json::{Map, Value, json};

/// Two tracks with a clip each.
pub(crate) fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
    for (number, name) in [(1, "Vocal"), (2, "Guitar")] {
        let track = TrackId::new(number);
        session.track_order.push(track);
        session.tracks.insert(track, Track::audio(name));
        let clip = Clip::new(format!("{name} take"), track, SourceId::new(number), Frames(480_000));
        session.clips.insert(ClipId::new(number), clip);
        session.sources.insert(SourceId::new(number), source(name));
    }
    session
}

fn source(name: &str) -> Source {
    Source {
        name: name.to_owned(),
        hash: ContentHash(name.to_owned()),
        size: 1_920_044,
        format: "WAV 16 bit".into(),
        ..Source::in_place(
            &format!("/music/{name}.wav"),
            SampleRate(48_000),
            2,
            Frames(48_000 * 60),
        )
    }
}

/// A plan that sets the gain of both clips.
pub(crate) fn gain_plan() -> Plan {
    let change = |number: u64, name: &str, after: f64| {
        let edit = Edit::new(ClipId::new(number), Decibels::UNITY, Decibels(after));
        let reason = "measured −20.5 LUFS".to_owned();
        PlannedChange::new(number as usize, Change::SetClipGain(edit), name.into(), reason)
    };
    Plan {
        summary: "Bring 2 clips to -16 LUFS".into(),
        changes: vec![change(1, "Vocal take", 4.5), change(2, "Guitar take", -3.0)],
        findings: vec![Finding::new(ClipId::new(1), Measure::IntegratedLoudness, Some(-20.5))],
        predicted: vec![Prediction::now(
            ClipId::new(1),
            Measure::IntegratedLoudness,
            -16.0,
            0.1,
            vec!["c1".into()],
        )],
        warnings: vec!["The guitar has 2 dB of headroom.".into()],
        ..Plan::empty(PlanId::new(7), "tool_normalize", SessionId::new(1), RevisionId(1))
    }
}

/// A step of the person, after the one with the number before it.
pub(crate) fn revision(id: u64, changes: Vec<Change>) -> Revision {
    Revision {
        id: RevisionId(id),
        parent: RevisionId(id - 1),
        author: Author::User,
        label: String::new(),
        plan: None,
        changes,
        takes: None,
        is_loaded: false,
        time_ms: 0,
    }
}

/// Two sources with a transcript each, a code on the first words, four phrases and an assembly of them.
pub(crate) fn spoken() -> Session {
    let mut session = session();
    let said: [(u64, i64, &str, &str); 4] = [
        (1, 0, "Anna", "We left the lamps on in the harbour,"),
        (1, 9, "Ben", "so the boats could find their way."),
        (2, 0, "Anna", "And every window has a story"),
        (2, 8, "Ben", "that the tide won't take away."),
    ];
    for (number, (source, at, speaker, text)) in (1..).zip(said) {
        session.segments.insert(SegmentId::new(number), segment(source, at, speaker, text));
        let phrase = Phrase { segments: vec![SegmentId::new(number)] };
        session.phrases.insert(PhraseId::new(number), phrase);
        session.assembly.order.push(PhraseId::new(number));
    }
    let (money, budget) = (CodeId::new(1), CodeId::new(2));
    session.codes.insert(money, Code::new("Light"));
    session.codes.insert(budget, Code { parent: Some(money), ..Code::new("Lamps") });
    let mut coded = Segment::new(SourceId::new(1), Frames::ZERO, Frames(72_000));
    coded.codings.push(Coding::new(money, None));
    session.segments.insert(SegmentId::new(50), coded);
    session
}

/// Words of 0.4 s, each half a second after the last; `at` counts half seconds.
fn segment(source: u64, at: i64, speaker: &str, text: &str) -> Segment {
    const STEP: i64 = 24_000;
    let word = |(place, text): (i64, &str)| {
        let start = Frames((at + place) * STEP);
        Word { text: text.into(), start, end: start + Frames(19_200), confidence: Some(0.9) }
    };
    let words: Vec<Word> = (0..).zip(text.split(' ')).map(word).collect();
    let length = Frames(words.len() as i64 * STEP);
    let empty = Segment::new(SourceId::new(source), Frames(at * STEP), length);
    Segment { words, speaker: Some(speaker.into()), ..empty }
}

pub(crate) fn tool(name: &str, params: &[&str], offers: Offers) -> ToolInfo {
    let properties: Map<String, Value> =
        params.iter().map(|param| ((*param).to_owned(), json!({}))).collect();
    ToolInfo {
        name: name.to_owned(),
        title: "For tests".into(),
        description: "For tests.".into(),
        category: Category::Edit,
        trust: Trust::Suggest,
        input_schema: json!({"properties": properties}),
        output_schema: json!({}),
        examples: Vec::new(),
        effects: name.starts_with(COMMAND).then_some(ToolEffect::Command).into_iter().collect(),
        is_core: false,
        says: Vec::new(),
        offers,
        program: None,
    }
}

/// A tool for each gesture, called after it, and what menus and texts need.
pub(crate) fn tools() -> Tools {
    let of = |gesture: &Gesture| {
        let offers = Offers::from(*gesture);
        let (offers, params): (Offers, &[&str]) = match gesture {
            Gesture::Transcribe => (Offers::said("transcribe everything").by(*gesture), &[]),
            Gesture::SetCode => (Offers::used("\"New code\" in Words").by(*gesture), &[]),
            Gesture::ReportCodes | Gesture::ExportMix => (offers, &["path"]),
            Gesture::SetClipGain => {
                let sets = json!({"gain_db": 0.0});
                (offers.entry(Menu::Clip, "Gain to 0 dB", "double-click", sets), &[])
            }
            Gesture::AddTrack => {
                let sets = json!({"kind": "audio"});
                (offers.entry(Menu::EmptyDesk, "Add a track to record on", "", sets), &[])
            }
            _ => (offers, &[]),
        };
        // What menus offer of these is done at once.
        let effects = (!offers.entries.is_empty()).then_some(ToolEffect::Command);
        let effects = effects.into_iter().collect();
        ToolInfo { effects, ..tool(&tool_of(*gesture), params, offers) }
    };
    let mut all: Vec<ToolInfo> = Gesture::ALL.iter().map(of).collect();
    let removal = Offers::default()
        .entry(Menu::Track, "Remove track with its clips", "", json!({}))
        .entry(Menu::Bus, "Remove bus", "", json!({}));
    all.push(tool("cmd_remove_track", &[], removal));
    let to_level = json!({"target_lufs": -16.0});
    let levels = Offers::default().entry(Menu::Clip, "Normalize to −16 LUFS", "", to_level);
    let levels = levels.dial("target_lufs", "Loudness", "LUFS");
    let loudness = json!({"minimum": -70.0, "maximum": 0.0});
    let input_schema = json!({"properties": {"ceiling_dbtp": {}, "target_lufs": loudness}});
    all.push(ToolInfo { input_schema, ..tool("tool_normalize", &[], levels) });
    Tools::new(all)
}

pub(crate) fn tool_of(gesture: Gesture) -> String {
    let words = json!(gesture);
    format!("tool_{}", words.as_str().unwrap_or_default())
}

/// Frames in which a window has taken an input.
const SETTLED: usize = 4;

/// What a person does with mouse and keyboard, and the window after it.
pub(crate) trait UserInput {
    fn click_on(&mut self, label: &str);
    fn click_role(&mut self, role: Role, label: &str);
    fn focus_on(&mut self, label: &str);
    fn type_into(&mut self, label: &str, text: &str);
    fn press_with(&mut self, modifiers: Modifiers, key: Key);
    fn press(&mut self, key: Key) {
        self.press_with(Modifiers::NONE, key);
    }
    fn click_at(&mut self, at: Pos2);
    /// Presses at `from`, moves to `to`, and holds the button down.
    fn hold(&mut self, from: Pos2, to: Pos2);
    fn drag(&mut self, from: Pos2, to: Pos2);
}

impl<S> UserInput for Harness<'_, S> {
    fn click_on(&mut self, label: &str) {
        self.get_by_label(label).click();
        self.run_steps(SETTLED);
    }

    fn click_role(&mut self, role: Role, label: &str) {
        self.get_by_role_and_label(role, label).click();
        self.run_steps(SETTLED);
    }

    fn focus_on(&mut self, label: &str) {
        self.get_by_label(label).focus();
        self.run_steps(SETTLED);
    }

    fn type_into(&mut self, label: &str, text: &str) {
        self.get_by_label(label).type_text(text);
        self.run_steps(SETTLED);
    }

    fn press_with(&mut self, modifiers: Modifiers, key: Key) {
        self.key_press_modifiers(modifiers, key);
        self.run_steps(SETTLED);
    }

    fn click_at(&mut self, at: Pos2) {
        self.hover_at(at);
        self.run_steps(1);
        self.drag_at(at);
        self.drop_at(at);
        self.run_steps(SETTLED);
    }

    fn hold(&mut self, from: Pos2, to: Pos2) {
        self.hover_at(from);
        self.run_steps(1);
        self.drag_at(from);
        self.run_steps(2);
        self.hover_at(from + (to - from) * 0.5);
        self.run_steps(2);
        self.hover_at(to);
        self.run_steps(2);
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.hold(from, to);
        self.drop_at(to);
        self.run_steps(SETTLED);
    }
}
