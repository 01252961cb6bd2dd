//! The song, its drawn waveforms, and plans for it.

use crate::drawing::drawn;
use deskhand_dsp::{Decibels, Fade, Frames, SampleRate};
use deskhand_editor::{Column, Levels, Live, Model, SoundOutput, Waves};
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{CallId, Event, News, Op, Read, Snapshot, Status, ToolInfo, ToolResult};
use deskhand_session::offers::{Gesture, Offers};
use deskhand_session::plan::{CutKind, CutOut, FORMAT};
use deskhand_session::{
    Author, Category, Change, Clip, ClipId, ContentHash, Edit, Finding, Marker, MarkerId, Measure,
    Media, Plan, PlanId, PlanPart, PlanState, PlannedChange, Prediction, Receipt, Revision,
    RevisionId, Said, Selection, Session, SessionId, Source, SourceId, TimeRange, Track, TrackId,
    Trust,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) const RATE: i64 = 48_000;
/// A track: its name, its gain in dB, and its clips in seconds, from and to.
type TrackOf = (&'static str, f64, &'static [(f64, f64)]);

/// The tracks of the song.
const TRACKS: [TrackOf; 6] = [
    ("Lead Vox", -6.0, &[(2.0, 20.0), (22.0, 44.0), (50.0, 69.0)]),
    ("Backing Vox", -11.0, &[(22.0, 40.0)]),
    ("Guitars", -5.5, &[(0.0, 46.0), (50.0, 76.0)]),
    ("Keys", -14.0, &[(10.0, 76.0)]),
    ("Bass", -7.0, &[(0.0, 76.0)]),
    ("Drums", -4.0, &[(0.0, 46.0), (46.0, 76.0)]),
];

/// Events for a model, and the waveforms of the song.
#[derive(Debug, Default)]
pub struct Song {
    number: u64,
}

pub(crate) fn seconds(at: f64) -> Frames {
    Frames((at * RATE as f64) as i64)
}

pub(crate) fn source(name: &str) -> Source {
    Source {
        name: name.to_owned(),
        hash: ContentHash(name.to_owned()),
        path: format!("/music/{name}.wav"),
        size: 23_040_044,
        modified_ns: 0,
        format: "WAV 24 bit".into(),
        rate: SampleRate(RATE as u32),
        channels: 2,
        channel: None,
        frames: seconds(80.0),
        origin: None,
        same_sound: Vec::new(),
        media: Media::InPlace,
    }
}

/// Its tracks, with nothing recorded on them.
#[must_use]
pub fn bare() -> Session {
    let mut session = session();
    session.clips.clear();
    session.markers.clear();
    session
}

/// The song with 6 s selected on its first tracks.
#[must_use]
pub fn selected() -> Session {
    let mut session = session();
    session.selection.tracks = vec![TrackId::new(1), TrackId::new(2)];
    session.selection.range = Some(TimeRange { start: seconds(30.0), end: seconds(36.0) });
    session
}

pub(crate) fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(RATE as u32));
    let mut next = 1;
    for (index, (name, gain, clips)) in TRACKS.into_iter().enumerate() {
        let (track, file) = (TrackId::new(index as u64 + 1), SourceId::new(index as u64 + 1));
        session.track_order.push(track);
        let mut made = Track::audio(name);
        made.gain = Decibels(gain);
        made.mute = name == "Keys";
        session.tracks.insert(track, made);
        session.sources.insert(file, source(name));
        for (from, to) in clips {
            session.clips.insert(ClipId::new(next), clip(name, track, file, *from, *to));
            next += 1;
        }
    }
    for (index, (name, at)) in
        [("Chorus 1", 22.0), ("Break", 44.0), ("Bridge", 50.0)].iter().enumerate()
    {
        let (name, position) = ((*name).to_owned(), seconds(*at));
        let marker = Marker { name, position, length: Frames::ZERO, code: None };
        session.markers.insert(MarkerId::new(index as u64 + 1), marker);
    }
    session
}

/// The session with a clip and a time selected.
#[must_use]
pub fn chosen() -> Session {
    let range = TimeRange { start: seconds(22.0), end: seconds(44.0) };
    let (tracks, clips) = (vec![TrackId::new(1)], vec![ClipId::new(2)]);
    Session { selection: Selection { tracks, clips, range: Some(range) }, ..session() }
}

pub(crate) fn clip(name: &str, track: TrackId, source: SourceId, from: f64, to: f64) -> Clip {
    Clip {
        name: name.to_owned(),
        track,
        source,
        start: seconds(from),
        length: seconds(to - from),
        position: seconds(from),
        gain: Decibels::UNITY,
        fade_in: Fade::default(),
        fade_out: Fade::default(),
        envelope: Vec::new(),
        polarity: Default::default(),
        mute: false,
    }
}

pub(crate) fn plan(summary: &str, changes: Vec<PlannedChange>) -> Plan {
    Plan {
        format: FORMAT.into(),
        id: PlanId::new(7),
        digest: String::new(),
        tool: "tool_mix".into(),
        params: json!({}),
        session: SessionId::new(1),
        base_revision: RevisionId(1),
        summary: summary.to_owned(),
        changes,
        parts: Vec::new(),
        reads: Vec::new(),
        findings: Vec::new(),
        predicted: Vec::new(),
        artifacts: Vec::new(),
        warnings: Vec::new(),
        notes: Vec::new(),
        offers: Vec::new(),
        derived_from: None,
    }
}

pub(crate) fn planned(number: usize, change: Change, name: &str, reason: &str) -> PlannedChange {
    PlannedChange::new(number, change, name.to_owned(), reason.to_owned())
}

/// A plan of four changes with findings, predictions and a warning.
#[must_use]
pub fn forward() -> Plan {
    let gain = |track, before, after| {
        Change::SetTrackGain(Edit::new(TrackId::new(track), Decibels(before), Decibels(after)))
    };
    let chorus = Change::SetClipGain(Edit::new(ClipId::new(2), Decibels(0.0), Decibels(2.5)));
    let doubled = clip("Copy of BVs", TrackId::new(2), SourceId::new(2), 50.0, 68.0);
    let copy = Change::AddClip(Edit::create(ClipId::new(90), doubled));
    let changes = vec![
        planned(1, chorus, "Lead Vox", "3.2 LU below the band in the chorus"),
        planned(2, gain(3, -5.5, -8.0), "Guitars", "Makes room without losing the strum"),
        planned(3, copy, "Backing Vox", "You asked for doubles in the bridge"),
        planned(4, gain(6, -4.0, -5.5), "Drums", "Optional: you asked to keep the drums"),
    ];
    let mix = SessionId::new(1);
    let of = |measure, value| Finding::new(mix, measure, Some(value));
    let all = || vec!["c1".to_owned(), "c2".to_owned(), "c3".to_owned(), "c4".to_owned()];
    let will = |measure, value, off| Prediction::now(mix, measure, value, off, all());
    Plan {
        findings: vec![
            of(Measure::IntegratedLoudness, -16.8),
            of(Measure::TruePeak, -1.6),
            of(Measure::LoudnessRange, 7.4),
        ],
        predicted: vec![
            will(Measure::IntegratedLoudness, -16.2, 0.3),
            will(Measure::TruePeak, -0.7, 0.2),
            will(Measure::LoudnessRange, 6.8, 0.4),
        ],
        warnings: vec!["True peak 0.3 dB over your −1.0 dBTP ceiling, at 1:27.4.".into()],
        ..plan("Bring the lead vocal forward", changes)
    }
}

/// A plan of many cuts on two tracks.
#[must_use]
pub fn cuts(count: usize) -> Plan {
    let change = |index: usize| {
        let (track, from) = (1 + (index % 2) as u64, index as f64 * 0.25);
        let name = if track == 1 { "Lead Vox" } else { "Backing Vox" };
        let kept = clip(name, TrackId::new(track), SourceId::new(track), from, from + 0.2);
        let made = Change::AddClip(Edit::create(ClipId::new(1_000 + index as u64), kept));
        planned(index + 1, made, name, "silence of 0.41 s at −58 dBFS ahead of it")
    };
    plan(&format!("Cut {count} silences, keep 0.3 s"), (0..count).map(change).collect())
}

/// A cut: what it removes, its kind, its length in seconds, and the words before and after it.
type Cut = (&'static str, CutKind, f64, Option<(&'static str, &'static str)>);

/// A plan of cuts; three of them must be heard before they are taken.
#[must_use]
pub fn fillers() -> Plan {
    let cut = |(number, (what, kind, length, words)): (usize, Cut)| {
        let from = number as f64 * 9.0;
        let kept = clip("Lead Vox", TrackId::new(1), SourceId::new(1), from, from + 8.5);
        let made = Change::AddClip(Edit::create(ClipId::new(1_000 + number as u64), kept));
        let (before, after) = words.map(|(before, after)| (before.into(), after.into())).unzip();
        let (at, length) = (seconds(from - 0.5), seconds(length));
        let cut = CutOut { kind, what: what.into(), at, length, before, after };
        let to_hear = kind != CutKind::Pause;
        PlannedChange { to_hear, cut: Some(cut), ..planned(number, made, "Lead Vox", what) }
    };
    let cuts = [
        ("\"um,\"", CutKind::Filler, 0.42, Some(("so", "we"))),
        ("a filler without a word", CutKind::Filler, 0.38, Some(("the", "harbor"))),
        ("a pause of 1.84 s on all tracks", CutKind::Pause, 1.34, None),
        ("\"uh\"", CutKind::Filler, 0.31, Some(("a", "boat"))),
    ];
    // As the tool plans them: the last first.
    let mut changes: Vec<PlannedChange> = (1..).zip(cuts).map(cut).collect();
    changes.reverse();
    let whole = plan("Tighten by 2.5 s: 3 fillers, 1 long pause", changes);
    Plan { tool: "tool_tighten".into(), ..whole }
}

/// A plan whose changes make sense together only, in parts that can be planned alone.
#[must_use]
pub fn in_parts() -> Plan {
    let change = |at: usize, name: &str, gain: f64| {
        let target = TrackId::new(at as u64);
        let (before, after) = (Decibels(gain), Decibels(gain - 1.0));
        let made = Change::SetTrackGain(Edit { target, before, after });
        planned(at, made, name, "a better take plays, or makes room")
    };
    let changes = vec![change(1, "Lead Vox", -6.0), change(2, "Backing Vox", -11.0)];
    let names = [
        "\"Welcome to the show\", take 2 of 3",
        "\"We begin\", take 1 of 2",
        "\"Thank you\", take 4 of 4",
    ];
    let items = names.map(|name| (name.to_owned(), json!(name)));
    let parts = PlanPart::each("among", items.into());
    let whole = plan("Keep one take each of 3 phrases (9 takes)", changes);
    Plan { tool: MARKS_TAKES.into(), parts, ..whole }
}

/// The name of the tool that marks takes.
const MARKS_TAKES: &str = "tool_mark_duplicates";

pub(crate) fn tool(name: &str, offers: Offers) -> ToolInfo {
    ToolInfo {
        name: name.into(),
        title: String::new(),
        description: String::new(),
        category: Category::Edit,
        trust: Trust::Suggest,
        input_schema: json!({}),
        output_schema: json!({}),
        examples: Vec::new(),
        effects: Vec::new(),
        is_core: false,
        says: Vec::new(),
        offers,
        program: None,
    }
}

/// A call that asks whether it may run.
#[must_use]
pub fn permitted() -> Plan {
    Plan {
        tool: "tool_separate".into(),
        params: json!({"target": "track_1", "stems": 4}),
        warnings: vec!["It is estimated at 94 s and 1.2 GB of disk.".into()],
        ..plan("Separate Lead Vox into 4 stems", Vec::new())
    }
}

impl Song {
    fn event(&mut self, call: Option<CallId>, news: News) -> Event {
        self.number += 1;
        Event { number: self.number, author: Author::Agent, call, news }
    }

    /// A model that heard the song's session.
    #[must_use]
    pub fn open(&mut self) -> Model {
        self.open_with(session())
    }

    /// A model that heard this session.
    #[must_use]
    pub fn open_with(&mut self, session: Session) -> Model {
        self.open_in("/music/Harbour Lights", session)
    }

    pub(crate) fn open_in(&mut self, folder: &str, session: Session) -> Model {
        let mut model = Model::new();
        let snapshot = Snapshot {
            session,
            head: RevisionId(1),
            plans: BTreeMap::new(),
            read_only: None,
            folder: folder.into(),
            is_attended: true,
            is_turn_running: false,
            instances: Vec::new(),
            local_only: false,
            hearing: None,
            asking: Default::default(),
            rules: Vec::new(),
            conforming: Vec::new(),
            windows: Vec::new(),
            running: Default::default(),
        };
        let transcribe = tool("tool_transcribe", Offers::said("transcribe everything"));
        let [export, predict] = crate::exports::tools();
        let tools = [tool(MARKS_TAKES, Gesture::MarkTakes.into()), transcribe, export, predict];
        self.answer(&mut model, Read::Tools, json!(tools));
        self.answer(&mut model, Read::Snapshot, json!(snapshot));
        model.live = live();
        model
    }

    /// The answer to something that the model reads.
    pub(crate) fn answer(&mut self, model: &mut Model, what: Read, answer: Value) {
        let done = ToolResult::new(Status::Ok, "read", RevisionId(1));
        let result = Box::new(ToolResult { answer: Some(answer), ..done });
        model.sent(CallId(1), &Op::Read { what });
        drop(model.hear(&self.event(Some(CallId(1)), News::Done { result })));
    }

    /// Somebody says something.
    pub fn say(&mut self, model: &mut Model, role: &str, parts: Value) {
        let said = Said {
            author: Author::Agent,
            message: json!({"role": role, "parts": parts}),
            time_ms: 1,
        };
        self.hear(model, News::Said { said });
    }

    /// A plan waits.
    pub fn review(&mut self, model: &mut Model, plan: Plan) {
        self.hear(model, News::Review { plan: Box::new(plan) });
    }

    /// A plan was taken.
    pub fn apply(&mut self, model: &mut Model, receipt: Receipt) {
        let decided = News::Decided {
            plan: receipt.plan,
            state: PlanState::Applied,
            reason: None,
            receipt: Some(receipt),
            follows: None,
            time_ms: None,
        };
        self.hear(model, decided);
    }

    /// The model hears something that no call asked for.
    pub(crate) fn hear(&mut self, model: &mut Model, news: News) {
        let event = self.event(None, news);
        drop(model.hear(&event));
    }

    /// The history has six steps: all but the first are undone.
    pub fn remember(&mut self, model: &mut Model) {
        // Noon of a day of another year is the same day everywhere, now and later.
        let noon = 1_699_963_200_000;
        let steps = [
            (Author::User, "Import 6 files"),
            (Author::User, "Move Guitars by -0.5 s"),
            (
                Author::Agent,
                "Bring the lead vocal forward in the chorus, and double the backing vocals in the bridge",
            ),
            (Author::Capture, "Record Lead Vox"),
            (Author::User, "Fade out Drum bus print, out 3000 ms"),
            (Author::Agent, "Bring the mix to -16 LUFS, true peak at most -1 dBTP"),
        ];
        let revisions: Vec<Value> = (1..)
            .zip(steps)
            .map(|(id, (author, label))| {
                let gain = Edit::new(SessionId::new(1), Decibels(0.0), Decibels(1.0));
                let changes = vec![Change::SetMasterGain(gain)];
                json!(Revision {
                    id: RevisionId(id),
                    parent: RevisionId(id - 1),
                    author,
                    label: label.into(),
                    plan: None,
                    changes,
                    takes: None,
                    is_loaded: false,
                    time_ms: noon,
                })
            })
            .collect();
        let past = json!({"revisions": revisions, "undo": [1], "redo": [2, 3, 5, 6]});
        self.answer(model, Read::History, past);
    }

    /// Words for the person come from the hub.
    pub fn notify(&mut self, model: &mut Model, kind: NoticeKind, message: &str) {
        let (notice_id, message) = (format!("notice_{}", self.number), message.to_owned());
        let choices = match kind {
            NoticeKind::Query => ["The first, at 0:41", "The second, at 1:12", "Both alike"]
                .map(str::to_owned)
                .into(),
            _ => Vec::new(),
        };
        let notice = Notice { notice_id, message, kind, duration_ms: 0, choices };
        self.hear(model, News::Notice { notice });
    }

    /// The request and the two calls that lead to [`forward`].
    pub fn asked(&mut self, model: &mut Model) {
        let words = "Bring the lead vocal forward in the chorus, and double the backing vocals in the bridge. Keep the drums.";
        self.say(model, "user", json!([{"type": "text", "text": words}]));
        let call = |id: &str| json!({"type": "tool_call", "id": id, "name": "tool_measure", "arguments": {"targets": "all"}});
        self.say(model, "assistant", json!([call("a"), call("b")]));
        let came = |id: &str, words: &str| json!({"type": "tool_result", "id": id, "content": {"summary": words}, "is_error": false});
        let results = [
            came("a", "Measured 6 tracks and the mix"),
            came("b", "Compared Guitars with Lead Vox"),
        ];
        self.say(model, "user", json!(results));
    }
}

/// What the meters show: the song plays at 24 s.
fn live() -> Live {
    let levels = |peak: f32| Levels {
        peak: [peak, peak * 0.9],
        rms: [peak * 0.4, peak * 0.37],
        momentary: -15.2,
        short_term: -15.4,
        integrated: -16.8,
        true_peak: [peak, peak],
    };
    let tracks =
        (1..=6).filter(|id| *id != 4).map(|id| (TrackId::new(id), levels(0.2 + 0.1 * id as f32)));
    Live {
        position: seconds(24.35),
        tracks: tracks.collect(),
        master: levels(0.83),
        output: SoundOutput::Device { name: "Speakers".into() },
        ..Live::default()
    }
}

impl Waves for Song {
    fn columns(
        &self,
        source: SourceId,
        start: Frames,
        per_column: f64,
        count: usize,
    ) -> Option<Vec<Column>> {
        let kind = source.to_string().bytes().map(u64::from).sum::<u64>() % 6;
        let column =
            |index: usize| drawn(kind, (start.0 as f64 + index as f64 * per_column) / RATE as f64);
        Some((0..count).map(column).collect())
    }
}
