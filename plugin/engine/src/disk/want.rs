//! Which voices need a stream now.
//!
//! Thread: disk

use crate::program::BoundVoice;
use crate::roll::Roll;
use crate::schedule::SourceKey;
use crate::slots::Slot;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A voice that sounds soon, or does already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Want {
    pub(super) slot: Slot,
    pub(super) source: SourceKey,
    /// Source frame at timeline frame 0.
    pub(super) offset: i64,
    /// Timeline frames that it may be heard at: in one program or another.
    pub(super) position: i64,
    pub(super) end: i64,
    /// Run frame at which it sounds next.
    pub(super) next: i64,
}

/// All voices that sound within the next `horizon` frames, by slot.
///
/// A slot that two programs share is one voice with the audio of both.
pub(super) fn wanted(
    programs: &[(u32, Arc<[BoundVoice]>)],
    roll: &Roll,
    horizon: i64,
) -> BTreeMap<usize, Want> {
    let mut wants: BTreeMap<usize, Want> = BTreeMap::new();
    // The newest program comes last and wins where a slot has changed hands.
    for voice in programs.iter().flat_map(|(_, voices)| voices.iter()) {
        let Some(next) = roll.next_in(voice.position, voice.end, roll.ran, horizon) else {
            continue;
        };
        let mut want = Want {
            slot: voice.slot,
            source: voice.source,
            offset: voice.offset,
            position: voice.position,
            end: voice.end,
            next,
        };
        if let Some(other) = wants.get(&voice.slot.index).filter(|one| one.slot == want.slot) {
            want.position = want.position.min(other.position);
            want.end = want.end.max(other.end);
            want.next = want.next.min(other.next);
        }
        wants.insert(voice.slot.index, want);
    }
    wants
}
