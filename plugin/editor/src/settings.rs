//! Settings: the application provides them, the person changes them, and the application carries the
//! changes out.

use crate::layout::Layout;
use deskhand_dsp::effects::Effect;
use deskhand_protocol::{Asking, Op, Rule};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A provider that models answer through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provider {
    pub id: String,
    /// The model that answers through it.
    pub model: String,
    /// Models that it offers, as far as it was asked.
    pub models: Vec<String>,
    /// It runs on this computer.
    pub is_local: bool,
    pub needs_key: bool,
    /// It has one. The key itself is never here.
    pub has_key: bool,
    /// The result of the last test; empty before one.
    pub tested: String,
    /// The last test failed.
    pub has_failed: bool,
}

impl Provider {
    /// What people call it: its id and its model.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} ({})", self.id, self.model)
    }
}

/// How an instance of the plugin records its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureMode {
    /// The last minutes of whatever plays.
    Rolling,
    /// All of it, however long, in this instance.
    Armed,
    Off,
}

/// What instances of the plugin record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureSettings {
    pub mode: CaptureMode,
    /// The length of a rolling recording to keep, in minutes.
    pub minutes: u32,
    /// How much captured audio a session may hold, in GB.
    pub most_gb: u32,
}

/// A model that tools can use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelOffer {
    pub id: String,
    pub title: String,
    pub task: String,
    /// The size of the download, bytes.
    pub download: u64,
    /// The size on the disk, bytes.
    pub size: u64,
    pub license: String,
    pub is_installed: bool,
    /// Its progress or its error; empty otherwise.
    pub said: String,
    /// Something is being done with it.
    pub is_busy: bool,
}

/// The approval state of a tool that came with the session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StrangerState {
    /// Nobody approved it: it does nothing.
    #[default]
    Waits,
    /// It is another one than the one that was approved: it does nothing.
    Changed,
    /// This exact file was approved.
    Approved,
    /// It cannot be used, and why.
    Refused(String),
}

/// A tool that came with the session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stranger {
    pub file: String,
    pub name: String,
    pub state: StrangerState,
    /// Its description and abilities, once the person looked. An approval applies to exactly this file.
    pub looked: Option<StrangerLook>,
    /// An error or a hint; empty otherwise.
    pub said: String,
}

/// The information on a tool before a person approves it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StrangerLook {
    /// Hash of manifest, program and files.
    pub fingerprint: String,
    /// Names and facts, a line each.
    pub facts: Vec<(String, String)>,
}

/// The settings of a processor that a person saved under a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    pub name: String,
    pub effect: Effect,
}

/// The settings. A part that the application cannot carry out stays empty, and is not shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub devices: Vec<String>,
    /// The chosen one; `None` follows the system.
    pub device: Option<String>,
    /// Rates that the device offers, Hz.
    pub rates: Vec<u32>,
    /// The chosen one; `None` takes the session's.
    pub rate: Option<u32>,
    /// Block lengths that the device offers, frames.
    pub buffers: Vec<u32>,
    /// The chosen one; `None` takes the device's.
    pub buffer: Option<u32>,
    pub providers: Vec<Provider>,
    /// Id of the current one; `None` works without a model.
    pub provider: Option<String>,
    /// A server of the person's own can be added.
    pub takes_servers: bool,
    /// What instances record; `None` if there are no instances.
    pub capture: Option<CaptureSettings>,
    /// Models that can be installed, and those that are.
    pub models: Vec<ModelOffer>,
    /// Tools that came with the session.
    pub strangers: Vec<Stranger>,
    /// Folders of sessions that were open before, the last first.
    pub recent: Vec<PathBuf>,
    /// Light instead of dark.
    pub is_light: bool,
    /// Size of everything, 0.8 to 2.0: the chosen one, whether or not the window has room for it.
    pub zoom: f32,
    /// Nothing moves that does not have to.
    pub reduces_motion: bool,
    /// How the areas of the app's window share it.
    pub layout: Layout,
    /// Presets of processors; `None` if none are kept.
    pub presets: Option<Vec<Preset>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            devices: Vec::new(),
            device: None,
            rates: Vec::new(),
            rate: None,
            buffers: Vec::new(),
            buffer: None,
            providers: Vec::new(),
            provider: None,
            takes_servers: false,
            capture: None,
            models: Vec::new(),
            strangers: Vec::new(),
            recent: Vec::new(),
            is_light: false,
            zoom: 1.0,
            reduces_motion: false,
            layout: Layout::default(),
            presets: None,
        }
    }
}

/// What the person changed in a frame.
pub(crate) type Changes = Vec<SettingsChange>;

/// A change by the person, for the application to carry out and store. The views have already applied
/// changes that concern only them (theme, zoom, motion, layout).
#[derive(Clone, Debug, PartialEq)]
pub enum SettingsChange {
    /// Another output device; `None` follows the system.
    Device(Option<String>),
    /// Another rate, Hz; `None` takes the session's.
    Rate(Option<u32>),
    /// Another block length, frames; `None` takes the device's.
    Buffer(Option<u32>),
    /// Another provider answers; `None` works without a model.
    Provider(Option<String>),
    /// Another model answers through a provider.
    Model { provider: String, model: String },
    /// A key for a provider, to be kept in the keys of this computer's user.
    Key { provider: String, key: String },
    /// Add a server that speaks chat completions; it answers from now on.
    Server {
        /// Its base URL.
        address: String,
        /// The model that answers there.
        model: String,
    },
    /// Test whether a provider answers. Its message comes back as [`Provider::tested`].
    Test { provider: String },
    /// Fetch a model and keep it. It uses the network.
    Install { model: String },
    /// Stop fetching a model: nothing of it stays.
    StopInstall { model: String },
    /// Take a model off this computer.
    Uninstall { model: String },
    /// Show a tool that came with the session, and the rights of its program. Nothing is started.
    LookAtTool { file: String },
    /// Let a tool that came with the session be called, as it was looked at.
    ApproveTool {
        file: String,
        /// The fingerprint of the file that the person looked at.
        fingerprint: String,
    },
    /// A tool that was approved is approved no more.
    ForgetTool { file: String },
    /// When plans wait.
    Asking(Asking),
    /// A rule for a tool; `None` removes it.
    Rule { tool: String, rule: Option<Rule> },
    /// What instances record.
    Capture(CaptureSettings),
    /// Nothing is sent off this machine while the session is open.
    LocalOnly(bool),
    /// Light instead of dark.
    Light(bool),
    /// Size of everything.
    Zoom(f32),
    /// Nothing moves that does not have to.
    ReduceMotion(bool),
    /// The areas of the window share it otherwise.
    Layout(Layout),
    /// Keep settings of a processor under a name. They replace those of the same kind and name.
    KeepPreset(Preset),
    /// Delete the settings of this kind and name.
    RemovePreset(Preset),
}

impl SettingsChange {
    /// The request to submit; `None` if the application handles it itself.
    #[must_use]
    pub fn op(&self) -> Option<Op> {
        match self {
            Self::LocalOnly(on) => Some(Op::LocalOnly { on: *on }),
            Self::Asking(asking) => Some(Op::Asking { asking: *asking }),
            Self::Rule { tool, rule } => Some(Op::SetRule { tool: tool.clone(), rule: *rule }),
            Self::Device(_)
            | Self::Rate(_)
            | Self::Buffer(_)
            | Self::Provider(_)
            | Self::Model { .. }
            | Self::Key { .. }
            | Self::Server { .. }
            | Self::Test { .. }
            | Self::Install { .. }
            | Self::StopInstall { .. }
            | Self::Uninstall { .. }
            | Self::LookAtTool { .. }
            | Self::ApproveTool { .. }
            | Self::ForgetTool { .. }
            | Self::Capture(_)
            | Self::Light(_)
            | Self::Zoom(_)
            | Self::ReduceMotion(_)
            | Self::Layout(_)
            | Self::KeepPreset(_)
            | Self::RemovePreset(_) => None,
        }
    }
}
