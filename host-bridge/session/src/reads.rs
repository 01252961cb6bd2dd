//! What a plan relies on without changing it: the audio it measured.

use crate::digest::digest;
use crate::ids::{ObjectId, TrackId};
use crate::insert::InsertOwner;
use crate::session::Session;
use crate::track::{Output, TrackKind};
use deskhand_dsp::{EnvelopePoint, Polarity};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Which side of an object a plan read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Everything that decides how the object sounds before its own gain: for a clip its region and fades,
    /// for a track its clips, for a bus and the mix all that plays into it.
    Audio,
}

/// Something a plan read, with a digest by which it is known again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// The object.
    pub target: ObjectId,
    /// Which side of it.
    pub aspect: Aspect,
    /// BLAKE3 of what decides that side.
    pub digest: String,
}

impl Read {
    /// The current audio of an object.
    #[must_use]
    pub fn audio(session: &Session, target: impl Into<ObjectId>) -> Self {
        let target = target.into();
        let digest = digest(&audio_of(session, target));
        Self { target, aspect: Aspect::Audio, digest }
    }

    /// The same read of another state of the session.
    #[must_use]
    pub fn again(&self, session: &Session) -> Self {
        match self.aspect {
            Aspect::Audio => Self::audio(session, self.target),
        }
    }
}

/// What decides the sound of an object before its own gain, as JSON.
fn audio_of(session: &Session, target: ObjectId) -> Value {
    match target {
        ObjectId::Session(_) => {
            processed(session, InsertOwner::Master, json!(inputs_of(session, Output::Master)))
        }
        ObjectId::Track(id) => track_audio(session, id),
        ObjectId::Clip(id) => session.clips.get(&id).map_or(Value::Null, |clip| {
            let source = session.sources.get(&clip.source).map(|s| (&s.hash, s.channel));
            let window = json!([source, clip.start, clip.length, clip.fade_in, clip.fade_out]);
            turned(shaped(window, &clip.envelope), clip.polarity)
        }),
        ObjectId::Source(id) => json!(session.sources.get(&id).map(|s| (&s.hash, s.channel))),
        ObjectId::Marker(id) => json!(session.markers.get(&id)),
        ObjectId::Group(id) => json!(session.groups.get(&id)),
        ObjectId::Insert(id) => json!(session.inserts.get(&id)),
        ObjectId::Segment(id) => json!(session.segments.get(&id)),
        ObjectId::Code(id) => json!(session.codes.get(&id)),
        ObjectId::Phrase(id) => json!(session.phrases.get(&id)),
    }
}

fn track_audio(session: &Session, id: TrackId) -> Value {
    let Some(track) = session.tracks.get(&id) else {
        return Value::Null;
    };
    let inputs: Value = match track.kind {
        TrackKind::Bus => json!(inputs_of(session, Output::Bus(id))),
        TrackKind::Audio => session
            .clips_on(id)
            .into_iter()
            .filter(|(_, clip)| !clip.mute)
            .map(|(id, clip)| json!([audio_of(session, id.into()), clip.position, clip.gain]))
            .collect(),
    };
    let inputs = processed(session, InsertOwner::Track(id), json!([inputs, track.pan]));
    shaped(inputs, &track.envelope)
}

/// Through the processors; sound without any has the same digest as ever.
fn processed(session: &Session, owner: InsertOwner, input: Value) -> Value {
    let inserts = session.inserts_on(owner);
    if inserts.is_empty() {
        return input;
    }
    let inserts: Vec<_> = inserts.into_iter().map(|(_, i)| json!([i.switch, i.effect])).collect();
    json!({"input": input, "inserts": inserts})
}

/// Through gain over time; sound without any has the same digest as ever.
fn shaped(input: Value, envelope: &[EnvelopePoint]) -> Value {
    if envelope.is_empty() { input } else { json!({"input": input, "envelope": envelope}) }
}

/// With the other polarity; the usual one has the same digest as ever.
fn turned(input: Value, polarity: Polarity) -> Value {
    if polarity.is_normal() { input } else { json!({"input": input, "polarity": polarity}) }
}

/// Each audible track that plays to `output`, with its audio and its strip.
fn inputs_of(session: &Session, output: Output) -> Vec<Value> {
    let inputs = session.tracks.iter().filter(|(_, track)| track.output == output);
    let audible = inputs.filter(|(id, _)| session.is_audible(**id));
    audible.map(|(id, t)| json!([id, track_audio(session, *id), t.gain])).collect()
}
