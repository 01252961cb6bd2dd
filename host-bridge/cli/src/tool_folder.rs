//! The available tools: the built-in ones, those in the person's own folder, and those of a session that
//! the person approved.

use crate::declared::built_in;
use crate::exit::Failure;
use crate::output::Output;
use deskhand_agent::provider::process_environment;
use deskhand_bridge::specs;
use deskhand_external::{Approvals, Entry, Launcher, Loaded, Places, load};
use deskhand_toolkit::Registry;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The person's own folder of tools, next to the configuration.
pub(crate) fn own() -> PathBuf {
    deskhand_agent::provider::path(&process_environment).with_file_name("tools")
}

/// The person's approvals, next to the configuration.
pub(crate) fn approvals() -> Approvals {
    let config = deskhand_agent::provider::path(&process_environment);
    Approvals::at(config.with_file_name("approved-tools.toml"))
}

/// How tools are started: by this program in a hidden mode.
pub(crate) fn launcher() -> Result<Launcher, Failure> {
    Launcher::this_program().map_err(|error| {
        let message = format!("the path of this program is unknown: {error}");
        Failure::new("start", message, "start deskhand by its full path")
    })
}

/// The manifests of the person's own folder, and of a session.
pub(crate) fn manifests(session: Option<&Path>) -> Loaded {
    let Ok(launcher) = launcher() else {
        return Loaded::default();
    };
    let built_in = built_in();
    let taken: BTreeSet<&str> = specs(&built_in).into_iter().map(|spec| spec.name).collect();
    let (own, approvals) = (own(), approvals());
    let places = Places { own: &own, session, approvals: &approvals, launcher: &launcher };
    load(&places, &|name| taken.contains(name))
}

/// Every tool that can be called, and warnings about invalid manifests.
pub(crate) struct Known {
    pub(crate) registry: Registry,
    warnings: Vec<String>,
}

impl Known {
    /// Prints the warnings and returns the tools.
    pub(crate) fn told(self, output: Output) -> Registry {
        self.warnings.iter().for_each(|why| output.warn(why));
        self.registry
    }
}

/// The tools of this program, of the person's own folder, and of a session as far as they were approved.
pub(crate) fn known(session: Option<&Path>) -> Known {
    let loaded = manifests(session);
    let warnings = loaded.entries.iter().filter_map(Entry::warning).collect();
    let built_in = built_in();
    let tools = built_in.iter().map(Arc::clone).chain(loaded.tools);
    Known { registry: Registry::new(tools), warnings }
}
