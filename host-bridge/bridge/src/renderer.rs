//! What renders the mix to files.

use deskhand_dsp::Frames;
use deskhand_media::BitDepth;
use deskhand_session::Session;
use deskhand_session::tool_error::{Code, ToolError};
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

/// Renders the mix to files. The application provides it, backed by the engine.
pub trait Renderer: Send + Sync {
    /// Renders; called on a worker. `go_on` hears the share that is done, 0 to 1, and may break to
    /// cancel.
    ///
    /// # Errors
    /// When a source cannot be played or the file cannot be written. No file remains.
    fn render(
        &self,
        session: &Session,
        order: &RenderOrder,
        go_on: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<RenderedFile, ToolError>;
}

/// For programs without an engine: every order is refused.
#[derive(Clone, Copy, Debug)]
pub struct NoRenderer;

impl Renderer for NoRenderer {
    fn render(
        &self,
        _: &Session,
        _: &RenderOrder,
        _: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<RenderedFile, ToolError> {
        let message = "this program cannot render";
        Err(ToolError::run(Code::Refused, message, "render with deskhand render DIR FILE"))
    }
}

/// The session to render and the output file.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderOrder {
    /// The WAV file; it does not exist yet.
    pub path: PathBuf,
    /// Which part of the timeline.
    pub range: Range<Frames>,
    /// How samples are stored.
    pub depth: BitDepth,
}

/// The rendered file.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedFile {
    /// The file.
    pub path: PathBuf,
    /// Its length at the session rate.
    pub frames: Frames,
    /// Samples over full scale that were clipped.
    pub clipped: u64,
    /// Invalid samples (NaN) replaced with silence.
    pub nonfinite: u64,
}
