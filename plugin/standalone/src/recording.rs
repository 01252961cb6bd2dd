//! Recording from the input: which track is armed, whether the person records, and the passes that come of it.
//!
//! Thread: window.

use crate::open::Wake;
use crate::sound::{Choice, Input, InputOrder, RecordNews, Running, SoundError};
use crossbeam_channel::TryRecvError;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_protocol::Op;
use deskhand_session::TrackId;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where captures lie in a session folder; the hub takes in files from there alone.
const CAPTURES: [&str; 2] = ["media", "captures"];

/// What happened since the last look.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Recorded {
    /// Passes, to be submitted.
    pub(crate) passes: Vec<Op>,
    /// What went wrong; an empty text takes back what was said before.
    pub(crate) said: Option<String>,
}

/// An input and the track that it records to.
struct Armed {
    track: TrackId,
    input: Input,
}

/// The recording of a window.
pub(crate) struct Recording {
    folder: PathBuf,
    armed: Option<Armed>,
    /// Inputs that were let go, and may have something to tell.
    ending: Vec<Armed>,
    is_on: bool,
    wake: Wake,
}

impl Recording {
    /// The recording of the session in `dir`.
    pub(crate) fn new(dir: &Path, wake: Wake) -> Self {
        let folder = CAPTURES.iter().fold(dir.to_owned(), |dir, part| dir.join(part));
        Self { folder, armed: None, ending: Vec::new(), is_on: false, wake }
    }

    /// The track that is recorded to.
    pub(crate) fn armed(&self) -> Option<TrackId> {
        self.armed.as_ref().map(|armed| armed.track)
    }

    /// Whether the person records.
    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Arms a track, in place of one that is armed: there is one input.
    pub(crate) fn arm(
        &mut self,
        track: TrackId,
        choice: &Choice,
        running: &Running,
        session: SampleRate,
    ) -> Result<(), SoundError> {
        let order = InputOrder {
            choice: choice.clone(),
            anchor: running.anchor.clone(),
            rate: running.player.rates().engine,
            session,
            folder: self.folder.clone(),
        };
        let wake = Arc::clone(&self.wake);
        let input = Input::open(order, move || wake())?;
        self.arm_with(track, input);
        Ok(())
    }

    /// Arms a track with an input that is open.
    pub(crate) fn arm_with(&mut self, track: TrackId, input: Input) {
        self.disarm();
        self.armed = Some(Armed { track, input });
    }

    /// No track is armed any more.
    pub(crate) fn disarm(&mut self) {
        self.record(false);
        if let Some(mut armed) = self.armed.take() {
            armed.input.close();
            self.ending.push(armed);
        }
    }

    /// Records while the timeline moves, or does not any more.
    pub(crate) fn record(&mut self, is_on: bool) {
        self.is_on = is_on && self.armed.is_some();
        if let Some(armed) = &self.armed {
            armed.input.record(self.is_on);
        }
    }

    /// Takes what the inputs told.
    pub(crate) fn look(&mut self) -> Recorded {
        let mut recorded = Recorded::default();
        let mut is_lost = false;
        if let Some(armed) = &self.armed {
            is_lost = hear(armed, &mut recorded).1;
        }
        if is_lost {
            self.disarm();
        }
        self.ending.retain(|armed| hear(armed, &mut recorded).0);
        recorded
    }
}

/// Whether there may be more, and whether the input is of no use any more.
fn hear(Armed { track, input }: &Armed, recorded: &mut Recorded) -> (bool, bool) {
    let mut is_lost = false;
    loop {
        match input.next() {
            Ok(RecordNews::Ready { .. }) => recorded.said = Some(String::new()),
            Ok(RecordNews::Pass { file, at }) => recorded.passes.push(pass(*track, file, at)),
            Ok(RecordNews::Trouble(why)) => recorded.said = Some(why),
            Ok(RecordNews::Failed(why)) => {
                recorded.said = Some(why);
                is_lost = true;
            }
            Err(TryRecvError::Empty) => return (true, is_lost),
            Err(TryRecvError::Disconnected) => return (false, true),
        }
    }
}

fn pass(track: TrackId, file: PathBuf, at: Frames) -> Op {
    Op::Recorded { track, file, at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::unbounded;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_pass_belongs_to_the_track_that_was_armed_when_it_began() {
        let mut recording = Recording::new(Path::new("session"), Arc::new(|| {}));
        recording.record(true);
        assert!(!recording.is_on(), "nothing is armed");
        let (told, news) = unbounded();
        let switch = Arc::new(AtomicBool::new(false));
        recording.arm_with(TrackId::new(1), Input::elsewhere(news, Arc::clone(&switch)));
        recording.record(true);
        assert!(recording.is_on() && switch.load(Ordering::Relaxed));
        let (other, news) = unbounded();
        recording.arm_with(TrackId::new(2), Input::elsewhere(news, Arc::default()));
        assert!(!recording.is_on() && !switch.load(Ordering::Relaxed));
        let file = PathBuf::from("a.wav");
        told.send(RecordNews::Pass { file: file.clone(), at: Frames(9) }).unwrap();
        drop(told);
        let expected = vec![Op::Recorded { track: TrackId::new(1), file, at: Frames(9) }];
        assert_eq!(recording.look().passes, expected);
        assert!(recording.ending.is_empty());
        other.send(RecordNews::Failed("no input was found".into())).unwrap();
        assert_eq!(recording.look().said.as_deref(), Some("no input was found"));
        assert_eq!(recording.armed(), None);
    }
}
