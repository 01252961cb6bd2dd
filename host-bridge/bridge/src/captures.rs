//! What instances recorded.

use crate::bridge::Bridge;
use crate::connection::Asker;
use deskhand_dsp::Frames;
use deskhand_protocol::CaptureKind;
use deskhand_session::tool_error::{Code, ToolError};
use std::path::Path;

impl Bridge {
    /// Takes a pass that an instance recorded.
    pub(crate) fn captured(&mut self, asker: Asker, file: &Path, _at: Frames, _kind: CaptureKind) {
        let message = format!("{} was not taken in: not yet", file.display());
        self.fail(asker, ToolError::prepare(Code::Refused, message, "wait for the next version"));
    }
}
