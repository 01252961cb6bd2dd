//! Recorded passes before they are in the session. A recording to several tracks is one step of the person. Its passes
//! arrive one by one, so the first ones wait for the others.

use crate::ids::{Asker, ConnectionId};
use deskhand_dsp::Frames;
use deskhand_protocol::CaptureKind;
use deskhand_session::{Author, Source, TrackId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a recording waits for another that is not reported yet: a slow disk may take its time to
/// complete a file.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where a pass belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub(crate) track: TrackId,
    pub(crate) at: Frames,
    pub(crate) kind: CaptureKind,
    /// The author of the step. A recording that a person made in the app is the person's step, so undo
    /// takes it back.
    pub(crate) author: Author,
    /// How much captured audio is kept; all without it.
    pub(crate) most_bytes: Option<u64>,
    /// The number of tracks recorded at once; unknown counts as one.
    pub(crate) tracks: u32,
}

/// Where a person recorded something, and to how many tracks at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) track: TrackId,
    pub(crate) at: Frames,
    pub(crate) tracks: u32,
}

/// Where a source was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Take {
    pub(crate) track: TrackId,
    pub(crate) at: Frames,
}

/// Room that is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// The connection that wants it.
    pub(crate) asker: Asker,
    /// The most bytes that recordings may take.
    pub(crate) most: u64,
    /// The size of the folder, as far as the asker looked. It counts if it is larger than the session
    /// knows.
    pub(crate) in_folder: u64,
    /// Whether the asker waits for an answer.
    pub(crate) is_asked: bool,
}

/// The sizes of files in bytes. Missing files are left out.
pub(crate) type Sizes = BTreeMap<PathBuf, u64>;

/// A pass that was looked at.
pub(crate) struct Looked {
    pub(crate) asker: Asker,
    pub(crate) pass: Pass,
    pub(crate) source: Source,
    pub(crate) is_bypassed: bool,
}

impl Looked {
    /// Where its clip is.
    pub(crate) fn place(&self) -> Range<Frames> {
        let Pass { at, .. } = self.pass;
        at + lead_in(at)..at + self.source.frames
    }
}

/// The part of a recording before the start of the timeline: hosts let their clocks run below zero to fill
/// delays and to count in.
pub(crate) fn lead_in(at: Frames) -> Frames {
    Frames((-at.0).max(0))
}

/// Whose it is, and where it begins: recordings on several tracks begin at one frame.
type Recording = (ConnectionId, Frames);

/// Which recordings become steps now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settle {
    /// Those that are complete, or get no more data.
    Over,
    /// All: the history is about to be stepped through, or the session is left.
    All,
}

/// Passes that wait for the others of their recording, each since when.
#[derive(Default)]
pub(crate) struct Recordings(Vec<(Looked, Instant)>);

impl Recordings {
    /// Keeps a pass until the others of its recording are there.
    pub(crate) fn wait(&mut self, looked: Looked) {
        self.0.push((looked, Instant::now()));
    }

    /// The tracks of the passes that wait.
    pub(crate) fn tracks(&self) -> impl Iterator<Item = TrackId> {
        self.0.iter().map(|(looked, _)| looked.pass.track)
    }

    /// The sources of the passes that wait.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Source> {
        self.0.iter().map(|(looked, _)| &looked.source)
    }

    /// Removes and returns the recordings that become steps now. Workers still look at `others`.
    pub(crate) fn take(
        &mut self,
        which: Settle,
        others: &[(ConnectionId, Pass)],
    ) -> Vec<Vec<Looked>> {
        let all: BTreeSet<Recording> = self.0.iter().map(|(looked, _)| recording(looked)).collect();
        let due = all.into_iter().filter(|it| which == Settle::All || self.is_over(*it, others));
        let due: Vec<Recording> = due.collect();
        let mut passes_of = |it: Recording| {
            let passes = self.0.extract_if(.., |(looked, _)| recording(looked) == it);
            passes.map(|(looked, _)| looked).collect()
        };
        due.into_iter().map(&mut passes_of).collect()
    }

    /// Whether all tracks of a recording are there, or those that are not were waited for.
    fn is_over(&self, of: Recording, others: &[(ConnectionId, Pass)]) -> bool {
        let there: Vec<_> = self.0.iter().filter(|(looked, _)| recording(looked) == of).collect();
        let tracks: BTreeSet<_> = there.iter().map(|(looked, _)| looked.pass.track).collect();
        let wanted = there.iter().map(|(looked, _)| looked.pass.tracks).max().unwrap_or(0);
        let is_whole = u32::try_from(tracks.len()).is_ok_and(|count| count >= wanted);
        let is_late = there.iter().all(|(_, since)| since.elapsed() > PATIENCE);
        is_whole || is_late && !others.iter().any(|(by, pass)| (*by, pass.at) == of)
    }
}

fn recording(looked: &Looked) -> Recording {
    (looked.asker.connection, looked.pass.at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::HOUSE;
    use serde_json::json;

    fn looked(track: u64) -> Looked {
        let pass = Pass {
            track: TrackId::new(track),
            at: Frames(480),
            kind: CaptureKind::Armed,
            author: Author::User,
            most_bytes: None,
            tracks: 2,
        };
        let source = json!({
            "name": "a", "hash": "", "path": "a.wav", "size": 1, "modified_ns": 0, "format": "WAV",
            "rate": 48_000, "channels": 1, "frames": 48_000, "media": "in_place",
        });
        let source = serde_json::from_value(source).unwrap();
        Looked { asker: Asker::nobody(HOUSE), pass, source, is_bypassed: false }
    }

    #[test]
    fn a_recording_waits_for_all_its_tracks() {
        let mut recordings = Recordings::default();
        recordings.wait(looked(1));
        assert!(recordings.take(Settle::Over, &[]).is_empty(), "the other track is not there");
        recordings.wait(looked(2));
        let taken = recordings.take(Settle::Over, &[]);
        assert_eq!((taken.len(), taken[0].len()), (1, 2));
        recordings.wait(looked(1));
        assert_eq!(recordings.take(Settle::All, &[]).len(), 1);
        assert_eq!(recordings.tracks().count(), 0);
    }
}
