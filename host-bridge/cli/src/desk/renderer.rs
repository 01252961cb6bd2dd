//! Rendering for `cmd_render`: connects the engine to the bridge.

use deskhand_bounce::{RenderError, RenderJob, SessionAudio, render};
use deskhand_bridge::{RenderOrder, RenderedFile, Renderer};
use deskhand_session::Session;
use deskhand_session::tool_error::{Code, ToolError};
use std::ops::ControlFlow;

/// The engine over the audio of a session.
pub(crate) struct EngineRenderer(pub(crate) SessionAudio);

impl Renderer for EngineRenderer {
    fn render(
        &self,
        session: &Session,
        order: &RenderOrder,
        go_on: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<RenderedFile, ToolError> {
        let RenderOrder { path, range, depth } = order.clone();
        let job = RenderJob { mix: &path, stems: None, depth, range };
        let rendered = render(session, &self.0, &job, go_on).map_err(|error| told(&error))?;
        let mix = rendered.mix;
        let nonfinite = rendered.nonfinite;
        Ok(RenderedFile { path: mix.path, frames: mix.frames, clipped: mix.clipped, nonfinite })
    }
}

fn told(error: &RenderError) -> ToolError {
    let (code, fix) = match error {
        RenderError::Schedule(_) => (Code::Invalid, "check the session with deskhand doctor DIR"),
        RenderError::Bounce(_) => (Code::Media, "check that the audio files are there"),
        RenderError::Write(_)
        | RenderError::Folder { .. }
        | RenderError::Needed(_)
        | RenderError::NoFile(_)
        | RenderError::NotWav(_) => (Code::Write, "give another `path`"),
        RenderError::Cancelled => (Code::Cancelled, "Nothing was changed."),
    };
    ToolError::run(code, error.to_string(), fix)
}
