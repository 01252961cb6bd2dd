//! A recording to several tracks at once is one step of the person. Its passes arrive one by one, when they
//! are written and checked, so the first ones wait for the others.

use crate::bridge::Bridge;
use crate::captures::{Looked, Pass};
use crate::connection::ConnectionId;
use crate::jobs::{Job, Work};
use deskhand_dsp::Frames;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How long a recording waits for another that is not reported yet: a slow disk may take its time to
/// complete a file.
const PATIENCE: Duration = Duration::from_secs(2);

/// A pass that waits for the others of its recording.
pub(crate) struct Waiting {
    looked: Looked,
    since: Instant,
}

impl Waiting {
    pub(crate) fn looked(&self) -> &Looked {
        &self.looked
    }

    /// The recording that it belongs to: recordings on several tracks begin at one frame.
    fn recording(&self) -> Recording {
        recording_of(self.looked.asker.connection, &self.looked.pass)
    }
}

/// Whose it is, and where it begins.
type Recording = (ConnectionId, Frames);

fn recording_of(connection: ConnectionId, pass: &Pass) -> Recording {
    (connection, pass.at)
}

/// Which recordings become steps now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recordings {
    /// Those that are complete, or get no more data.
    Over,
    /// All: the history is about to be stepped through, or the session is left.
    All,
}

impl Bridge {
    /// Takes a pass in together with the others of its recording.
    pub(crate) fn take_in_with_others(&mut self, looked: Looked) {
        self.recordings.push(Waiting { looked, since: Instant::now() });
        self.settle_recordings(Recordings::Over);
    }

    /// Makes steps of recordings.
    pub(crate) fn settle_recordings(&mut self, which: Recordings) {
        let recordings: BTreeSet<Recording> =
            self.recordings.iter().map(Waiting::recording).collect();
        for recording in recordings {
            if which == Recordings::All || self.is_over(recording) {
                let is_of_it = |it: &mut Waiting| it.recording() == recording;
                let passes = self.recordings.extract_if(.., is_of_it).map(|it| it.looked).collect();
                self.take_in_together(passes);
            }
        }
    }

    /// Whether all tracks of a recording are there, or those that are not were waited for.
    fn is_over(&self, recording: Recording) -> bool {
        let there: Vec<&Waiting> =
            self.recordings.iter().filter(|it| it.recording() == recording).collect();
        let tracks: BTreeSet<_> = there.iter().map(|it| it.looked.pass.track).collect();
        let wanted = there.iter().map(|it| it.looked.pass.tracks).max().unwrap_or(0);
        let is_whole = u32::try_from(tracks.len()).is_ok_and(|count| count >= wanted);
        let is_looked_at = |job: &Job| {
            let of = |pass| recording_of(job.asker.connection, pass);
            matches!(&job.work, Work::Capture { pass, .. } if of(pass) == recording)
        };
        let is_late = there.iter().all(|it| it.since.elapsed() > PATIENCE);
        is_whole || is_late && !self.jobs.values().any(is_looked_at)
    }
}
