//! A session that is linked to `docs/daw/interview.RPP`: a plan waits, and the same plan is applied. Values and words are
//! those of the command line for this project.

use crate::receipt::receipt;
use crate::song::{RATE, Song, clip, plan, planned, seconds, source};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_editor::{Layout, Live, Model, Settings, SoundOutput};
use deskhand_protocol::{News, Read};
use deskhand_session::{
    Author, Binding, Change, ClipId, ContentHash, Edit, Finding, Landed, Marker, MarkerId, Measure,
    ObjectId, Plan, Prediction, Receipt, Revision, RevisionId, Session, SessionId, SourceId, Track,
    TrackId,
};
use serde_json::json;
use std::sync::Arc;

const PROJECT: &str = "/music/interview.RPP";
const COPY: &str = "/music/interview before Deskhand 2023-11-14 12.00.00.RPP";
/// The tracks: their name, their clip, its loudness in LUFS, and its gain to -20.
const TRACKS: [(&str, &str, f64, f64); 2] =
    [("Host", "host", -24.82, 4.824), ("Guest", "guest", -23.39, 3.388)];
const LENGTH: f64 = 8.0;

/// The plan waits.
#[must_use]
pub fn linked() -> (Model, Song) {
    let mut song = Song::default();
    let mut model = song.open_in("/music/interview.deskhand", session());
    let output = SoundOutput::Device { name: "Speakers".into() };
    model.live = Live { position: seconds(2.6), output, ..Live::default() };
    let layout = Layout { track: 120.0, ..Layout::default() };
    model.settings = Some(Settings { layout, ..Settings::default() });
    let words = "normalize host and guest to -20 LUFS";
    song.say(&mut model, "user", json!([{"type": "text", "text": words}]));
    song.review(&mut model, levelled());
    (model, song)
}

/// The plan is applied, and the project has it.
#[must_use]
pub fn landed() -> (Model, Song) {
    let (mut model, mut song) = linked();
    let plan = levelled();
    let step = |id: u64, plan: Option<&Plan>| Revision {
        id: RevisionId(id),
        parent: RevisionId(id - 1),
        author: Author::User,
        label: plan.map_or_else(|| "Open interview.RPP".into(), |plan| plan.summary.clone()),
        plan: plan.map(|plan| plan.id),
        changes: plan.iter().flat_map(|plan| &plan.changes).map(|it| it.change.clone()).collect(),
        takes: None,
        is_loaded: false,
        // Noon of a day of another year is the same day everywhere, now and later.
        time_ms: 1_699_963_200_000,
    };
    let steps = [step(1, None), step(2, Some(&plan))];
    let [from, to] = [steps[0].id, steps[1].id];
    let (label, changes) = (steps[1].label.clone(), steps[1].changes.clone());
    song.hear(&mut model, News::Moved { from, to, label, changes, at: None });
    song.apply(&mut model, written(&plan));
    song.answer(&mut model, Read::History, json!({"revisions": steps, "undo": [2, 1], "redo": []}));
    (model, song)
}

/// Tracks, clips and the marker of the project.
fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(RATE as u32));
    for (number, (name, file, ..)) in (1..).zip(TRACKS) {
        let (track, sound) = (TrackId::new(number), SourceId::new(number));
        session.track_order.push(track);
        session.tracks.insert(track, Track::audio(name));
        session.sources.insert(sound, source(file));
        session.clips.insert(ClipId::new(number), clip(file, track, sound, 0.0, LENGTH));
    }
    let (name, position) = ("The guest answers".to_owned(), seconds(4.0));
    let marker = Marker { name, position, length: Frames::ZERO, code: None };
    session.markers.insert(MarkerId::new(1), marker);
    session.host = Some(Arc::new(Binding {
        program: "REAPER".into(),
        path: PROJECT.into(),
        hash: ContentHash(String::new()),
        objects: Default::default(),
        left: vec!["1 plugin".into()],
        is_linked: true,
    }));
    session
}

/// The clips at one level.
fn levelled() -> Plan {
    let (mut changes, mut findings, mut predicted) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (_, name, measured, gain)) in (1..).zip(TRACKS) {
        let id = ClipId::new(number);
        let (target, measure) = (ObjectId::Clip(id), Measure::IntegratedLoudness);
        let change = Change::SetClipGain(Edit::new(id, Decibels::UNITY, Decibels(gain)));
        let why = format!("measured {measured:.1} LUFS");
        changes.push(planned(number as usize, change, name, &why));
        findings.push(Finding::new(target, measure, Some(measured)));
        predicted.push(Prediction::now(target, measure, -20.0, 0.1, vec![format!("c{number}")]));
    }
    let note = "goes into interview.RPP too, of which a copy is kept: close it in the DAW before you apply";
    let notes = vec![note.to_owned()];
    Plan { findings, predicted, notes, ..plan("Bring host and guest to -20 LUFS", changes) }
}

/// Its receipt: all came out as predicted.
fn written(plan: &Plan) -> Receipt {
    let mut receipt = receipt(plan);
    for (measured, (_, name, ..)) in receipt.measured.iter_mut().zip(TRACKS) {
        (measured.name, measured.measured) = (name.into(), Some(measured.predicted));
    }
    let (program, path, copy) = ("REAPER".into(), PROJECT.into(), Some(COPY.into()));
    Receipt { landed: Some(Box::new(Landed { program, path, copy })), ..receipt }
}
