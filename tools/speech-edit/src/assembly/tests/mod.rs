//! Tests of the assembly on sessions whose audio is in memory.

mod by_hand;
mod chosen;
mod cut_before;
mod cutting;
mod exported;
mod finding;
mod properties;
mod sync;

use crate::testing::tools;
use deskhand_session::{PhraseId, TrackId};
use deskhand_toolkit::testing::Desk;
use deskhand_toolkit::testing::talk;
pub(crate) use deskhand_toolkit::testing::talk::{Line, clips_on, recording, track, written};
use serde_json::{Value, json};

/// A voice on one track.
pub(crate) fn alone(seconds: f64, lines: &[Line]) -> Desk {
    talk::alone(tools(), seconds, lines)
}

/// A recording of a voice on one track, with its transcript.
pub(crate) fn spoken(audio: Vec<f32>, lines: &[Line]) -> Desk {
    talk::spoken(tools(), audio, lines)
}

/// Two microphones in a group, both as long, each with its own transcript.
pub(crate) fn interview(seconds: f64, host: &[Line], guest: &[Line]) -> (Desk, [TrackId; 2]) {
    talk::interview(tools(), seconds, host, guest)
}

/// The texts of the playing phrases, in order.
pub(crate) fn plays(desk: &Desk) -> Vec<String> {
    let order = desk.session.assembly.order.iter();
    order.map(|id| desk.session.spoken(*id).unwrap().text).collect()
}

/// The phrase that says `text`.
pub(crate) fn phrase(desk: &Desk, text: &str) -> PhraseId {
    let mut ids = desk.session.phrases.keys();
    *ids.find(|id| desk.session.spoken(**id).unwrap().text == text).unwrap()
}

pub(crate) fn ids(desk: &Desk, texts: &[&str]) -> Value {
    texts.iter().map(|text| json!(phrase(desk, text))).collect()
}
