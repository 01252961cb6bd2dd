//! Answers that stand in the session itself.

use super::answer::{Answer, AnswerSource};
use crate::meanings::longest_track;
use crate::reading::{Listing, Question, Setting, TrackState};
use deskhand_dsp::Frames;
use deskhand_session::text::clock;
use deskhand_session::{ObjectId, Output, Session, TrackKind};
use serde_json::{Value, json};

/// What can be asked for, in a person's words.
const HELP: &str = "ask for levels (\"normalize the dialogue to -16 LUFS\", \"turn the bass down 3 dB\"), \
mutes and solos, fades, cutting silence, names and colors, markers, moving and splitting clips, tempo, \
processors (\"put a compressor on the lead vocal\"), words (\"transcribe the interview\", \"cut the ums\", \
\"what did Anna say about money?\", \"mark everything about money as Budget\"), takes and edits (\"find the phrases\", \
\"which takes repeat?\", \"use the other take\", \"put the intro last\", \"move phrase 3 up\", \"play phrase 3\", \
\"keep only the first three phrases\", \"which phrases were removed?\", \"export the edit as otio\"); \
or ask \"what's loudest?\", \"is anything clipping?\", \"undo that\"";

/// Answers a question that needs no measuring.
pub(super) fn answer(desk: &mut dyn AnswerSource, question: Question, ids: &[ObjectId]) -> Answer {
    let session = desk.session();
    match question {
        Question::State { state } => in_state(session, state, ids),
        Question::List { what } => listed(session, what, ids),
        Question::Count { what } => counted(session, what, ids),
        Question::Setting { setting } => settings(session, setting, ids),
        Question::Length => lengths(session, ids),
        Question::EditLength => match longest_track(session) {
            Some(track) => lengths(session, &[track.into()]),
            None => Answer::new("no phrases are laid out yet; find the phrases", Value::Null)
                .offering(["find the phrases"]),
        },
        Question::Position => positions(session, ids),
        Question::Tempo => {
            let bpm = session.tempo.first().map_or(120.0, |point| point.bpm);
            Answer::new(format!("{bpm} bpm"), json!(session.tempo))
        }
        Question::Meter => {
            let meter = session.meter.first().map(|point| point.meter);
            let text =
                meter.map_or_else(String::new, |m| format!("{}/{}", m.numerator, m.denominator));
            Answer::new(text, json!(session.meter))
        }
        Question::History => history(desk),
        _ => Answer::new(HELP, Value::Null).offering(HELP.split('"').skip(1).step_by(2)),
    }
}

fn in_state(session: &Session, state: TrackState, ids: &[ObjectId]) -> Answer {
    let (word, is): (_, fn(&deskhand_session::Track) -> bool) = match state {
        TrackState::Muted => ("muted", |track| track.mute),
        TrackState::Soloed => ("soloed", |track| track.solo),
    };
    let asked = |id: ObjectId| ids.is_empty() || ids.contains(&id);
    let found: Vec<_> = session
        .tracks_in_order()
        .filter(|(id, track)| asked((*id).into()) && is(track))
        .map(|(_, track)| track.name.as_str())
        .collect();
    let text = match found.as_slice() {
        [] => format!("none {word}"),
        names => format!("{word}: {}", names.join(", ")),
    };
    Answer::new(text, json!(found))
}

fn names(session: &Session, what: Listing, ids: &[ObjectId]) -> Vec<String> {
    let on = |track: ObjectId| ids.is_empty() || ids.contains(&track);
    let tracks = session.tracks_in_order();
    match what {
        Listing::Tracks => tracks.map(|(_, track)| track.name.clone()).collect(),
        Listing::Buses => {
            tracks.filter(|(_, t)| t.kind == TrackKind::Bus).map(|(_, t)| t.name.clone()).collect()
        }
        Listing::Clips => tracks
            .filter(|(id, _)| on((*id).into()))
            .flat_map(|(id, _)| session.clips_on(id))
            .map(|(_, clip)| clip.name.clone())
            .collect(),
        Listing::Sources => session.sources.values().map(|source| source.name.clone()).collect(),
        Listing::Markers => session.markers.values().map(|marker| marker.name.clone()).collect(),
        Listing::Groups => session.groups.values().map(|group| group.name.clone()).collect(),
        Listing::Selection => selected(session),
    }
}

fn selected(session: &Session) -> Vec<String> {
    let tracks = session.selection.tracks.iter().map(|id| ObjectId::Track(*id));
    let clips = session.selection.clips.iter().map(|id| ObjectId::Clip(*id));
    tracks.chain(clips).map(|id| session.name_of(id)).collect()
}

fn listed(session: &Session, what: Listing, ids: &[ObjectId]) -> Answer {
    let names = names(session, what, ids);
    let text = if names.is_empty() { "none".into() } else { names.join(", ") };
    Answer::new(text, json!(names))
}

fn counted(session: &Session, what: Listing, ids: &[ObjectId]) -> Answer {
    let count = names(session, what, ids).len();
    Answer::new(count.to_string(), json!(count))
}

fn settings(session: &Session, setting: Setting, ids: &[ObjectId]) -> Answer {
    let mix = [session.id.into()];
    let ids = if ids.is_empty() { &mix } else { ids };
    let values: Vec<_> =
        ids.iter().map(|id| (session.name_of(*id), value_of(session, setting, *id))).collect();
    let lines: Vec<_> = values.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    Answer::new(lines.join("\n"), json!(values))
}

fn value_of(session: &Session, setting: Setting, id: ObjectId) -> String {
    let none = || "does not have that".to_owned();
    let track = if let ObjectId::Track(id) = id { session.tracks.get(&id) } else { None };
    match setting {
        Setting::Gain => format!("{:+.2} dB", session.gain_of(id).0),
        Setting::Pan => track.map_or_else(none, |track| format!("{:+.2}", track.pan)),
        Setting::Output => track.map_or_else(none, |track| match track.output {
            Output::Master => "the mix".into(),
            Output::Bus(bus) => session.name_of(bus.into()),
        }),
        Setting::Color => {
            let color = track.and_then(|track| track.color.clone());
            color.map_or_else(none, String::from)
        }
    }
}

fn lengths(session: &Session, ids: &[ObjectId]) -> Answer {
    let length = |id: &ObjectId| match id {
        ObjectId::Clip(id) => session.clips.get(id).map(|clip| clip.length),
        ObjectId::Source(id) => session.sources.get(id).map(|source| source.frames),
        ObjectId::Marker(id) => session.markers.get(id).map(|marker| marker.length),
        ObjectId::Track(id) => session.clips_on(*id).iter().map(|(_, clip)| clip.end()).max(),
        _ => Some(session.end()),
    };
    let whole = [session.id.into()];
    times(session, if ids.is_empty() { &whole } else { ids }, length)
}

fn positions(session: &Session, ids: &[ObjectId]) -> Answer {
    times(session, ids, |id| match id {
        ObjectId::Clip(id) => session.clips.get(id).map(|clip| clip.position),
        ObjectId::Marker(id) => session.markers.get(id).map(|marker| marker.position),
        ObjectId::Track(id) => session.clips_on(*id).first().map(|(_, clip)| clip.position),
        _ => None,
    })
}

fn times(session: &Session, ids: &[ObjectId], of: impl Fn(&ObjectId) -> Option<Frames>) -> Answer {
    let found: Vec<_> = ids.iter().filter_map(|id| Some((*id, of(id)?))).collect();
    let lines: Vec<_> = found
        .iter()
        .map(|(id, at)| format!("{}: {}", session.name_of(*id), clock(*at, session.rate)))
        .collect();
    let seconds: Vec<_> = found
        .iter()
        .map(|(id, at)| json!({"target": id, "seconds": at.seconds(session.rate)}))
        .collect();
    Answer::new(lines.join("\n"), json!(seconds))
}

fn history(desk: &mut dyn AnswerSource) -> Answer {
    match desk.last_step() {
        Some((id, label)) => {
            let values = json!({"revision": id, "label": label});
            Answer::new(label, values)
        }
        None => Answer::new("nothing was done yet", Value::Null),
    }
}
