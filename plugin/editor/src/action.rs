//! What the person did with the views, for the application to carry out.

use crate::file_call::FileCall;
use crate::live::InputChannels;
use crate::settings::SettingsChange;
use deskhand_dsp::effects::Effect;
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::desk::Play;
use deskhand_protocol::{CallId, Decision, Read};
use deskhand_session::{InsertId, PlanId, RevisionId, SourceId, TrackId};
use serde_json::Value;
use std::path::{Path, PathBuf};

pub use deskhand_session::offers::Gesture;

/// What the views of a frame collect, for the application.
pub(crate) type Actions = Vec<Action>;

pub(crate) fn call(gesture: Gesture, params: Value) -> Action {
    Action::Call { gesture, params }
}

/// Something the person asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Say something to the model.
    Say(String),
    /// Say something that is answered without a model.
    SayOffline(String),
    StopTurn,
    Decide {
        plan: PlanId,
        decision: Decision,
    },
    /// Call a tool, applied at once.
    Call {
        /// What the person did: the tool that it calls says so itself.
        gesture: Gesture,
        params: Value,
    },
    /// Ask for a plan, which waits.
    Plan {
        /// What the person did.
        gesture: Gesture,
        params: Value,
    },
    /// Answer a query, or put a notice away.
    AnswerNotice {
        notice_id: String,
        /// The answer; `None` closes the notice.
        answer: Option<String>,
    },
    /// Call a tool again as it was called; its plan waits, whatever it is.
    Measure {
        tool: String,
        params: Value,
    },
    /// Run what a plan or a menu offers, at once.
    Offered {
        tool: String,
        params: Value,
    },
    /// Stop a call of this window.
    Cancel(CallId),
    /// Something was set, for the application to carry out and keep.
    Settings(SettingsChange),
    /// Take back the last step.
    Undo,
    /// Do the last undone step again.
    Redo,
    /// Go to a revision, wherever it is in the tree.
    GoTo(RevisionId),
    /// Read something for the model.
    Read(Read),
    /// Play, stop, go somewhere, repeat, or hear a plan: done by the application's player.
    Play(Play),
    /// Play a stretch of a source alone: its first frame and the frame after its last. `None` stops it. The
    /// application's player does this.
    Audition(Option<(SourceId, Frames, Frames)>),
    /// Let a fader or pan be heard while it moves; the [`Self::Call`] comes at its end.
    Preview {
        /// The track; `None` is the master.
        track: Option<TrackId>,
        gain: Decibels,
        /// Where the pan is, -1 left to 1 right.
        pan: f64,
    },
    /// Let a processor be heard while its settings move; the [`Self::Call`] comes at the end.
    PreviewInsert {
        insert: InsertId,
        effect: Effect,
    },
    /// Arm a track for the input, in addition to those already armed. The application does this.
    Arm(TrackId),
    /// A track is armed no more.
    Disarm(TrackId),
    /// Which channels of the input go to a track.
    TakeInput {
        track: TrackId,
        channels: InputChannels,
    },
    /// Record the input to the armed tracks, or end it.
    Record(bool),
    /// Record the next passage that the host plays, or end that: done by the instances.
    Learn(bool),
    /// Reset the meters of the mix: integrated loudness and held peaks.
    ResetMeters,
    /// Show words about something for a moment: done by the views themselves.
    Inform {
        /// Their topic; they replace the last message about it.
        about: &'static str,
        words: String,
    },
    /// Let the person choose audio files to import.
    Import,
    /// Let the person choose a file for a call.
    File(FileCall),
    /// Show a file in the system's file manager.
    ShowInFolder(PathBuf),
    /// Open a file with the program that the system has for it.
    OpenFile(PathBuf),
    /// Let the person choose a session to open.
    OpenSession,
    OpenRecent(PathBuf),
    /// Let the person choose a place for a new session.
    NewSession,
    /// Let the person choose a DAW's project, for a session of its own.
    OpenProject,
    /// Make a copy of the example interview and open it.
    OpenExample {
        /// What is then said to the model.
        asks: Option<String>,
    },
}

impl FileCall {
    /// The call for a chosen path.
    #[must_use]
    pub fn with(self, path: &Path) -> Action {
        let (gesture, params) = self.call(path);
        call(gesture, params)
    }
}
