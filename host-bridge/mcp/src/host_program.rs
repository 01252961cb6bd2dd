//! What this crate asks of the program it runs in: sessions to open, and a screen to show a plan on.

use deskhand_protocol::Link;
use deskhand_session::PlanId;
use deskhand_session::tool_error::ToolError;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The program around the server. Its calls may take a while: they run on threads of their own.
pub trait Door: Send + Sync + 'static {
    /// The sessions in the folders that the person allowed.
    fn sessions(&self) -> Vec<SessionInfo>;

    /// Opens the session in `dir`, or attaches to the hub that serves it.
    ///
    /// # Errors
    /// When there is no such session, or `dir` is outside the folders that the person allowed.
    fn open(&self, dir: &Path) -> Result<Opened, ToolError>;

    /// Makes a session in `dir` at `rate` Hz and opens it.
    ///
    /// # Errors
    /// When `dir` is taken, or outside the folders that the person allowed.
    fn create(&self, dir: &Path, rate: u32) -> Result<Opened, ToolError>;

    /// Shows the person a waiting plan of the session in `dir`, if nobody who can decide is connected yet.
    fn show(&self, dir: &Path, plan: PlanId) -> Shown;

    /// The terminal command that decides on a plan, ready to be pasted.
    fn command(&self, dir: &Path, plan: PlanId) -> String;
}

/// A session that can be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionInfo {
    pub dir: PathBuf,
    /// What it is called: its folder's name.
    pub name: String,
    /// Whether a hub serves it now.
    pub is_served: bool,
}

pub struct Opened {
    pub dir: PathBuf,
    /// A model's connection to its hub.
    pub link: Box<dyn Link>,
}

/// Where the person sees a plan that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// On a front end that was there already.
    Attached,
    Window,
    /// Nowhere yet: the terminal command does it.
    Terminal,
}
