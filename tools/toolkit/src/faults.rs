//! Faults of recordings that mislead whoever listens to them: each is worked around, and named in the plan with its fix.

use crate::task::PlanContext;
use deskhand_dsp::downmix::Phase;
use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::loudness::LoudnessProfile;
use deskhand_session::ObjectId;
use deskhand_session::tool_error::ToolError;

/// An offset that is named, as a share of full scale: -50 dBFS.
const OFFSET: f64 = 0.003;

impl PlanContext {
    /// The level of `target` over time, as gates compare it: without a DC offset. The plan names the
    /// faults of the recording.
    ///
    /// # Errors
    /// As [`PlanContext::profile`].
    pub fn envelope(&self, target: ObjectId) -> Result<Envelope, ToolError> {
        let profile = self.profile(target)?;
        self.note_offset(target, &profile);
        Ok(Envelope::from(&profile))
    }

    /// Has the plan name what `profile` shows: a DC offset, channels out of phase.
    pub fn note_faults(&self, target: ObjectId, profile: &LoudnessProfile) {
        self.note_offset(target, profile);
        self.note_phase(target, profile.phase());
    }

    fn note_offset(&self, target: ObjectId, profile: &LoudnessProfile) {
        let offset = profile.offset();
        if offset >= OFFSET {
            let name = self.session.name_of(target);
            let percent = (offset * 1000.0).round() / 10.0;
            self.faults.lock().insert(format!(
                "\"{name}\" has a DC offset of {percent} %, which is not counted as sound. To take it out, say \
                 \"remove the DC offset\""
            ));
        }
    }

    /// Has the plan say that the channels of `target` are out of phase, where they are.
    pub fn note_phase(&self, target: ObjectId, phase: Phase) {
        if phase.is_opposed() {
            let name = self.session.name_of(target);
            self.faults.lock().insert(format!(
                "the channels of \"{name}\" are out of phase and cancel in mono. Invert one channel's polarity, or \
                 import the file with split channels and use one"
            ));
        }
    }
}
