//! House tools: tools that need the bridge itself. They are called and listed like the tools that plan on a
//! worker. Each family has one file; [`all`] is the list.

mod answers;
mod call;
mod copy;
mod history;
mod library;
mod lists;
mod notify;
mod plans;
mod player;
mod render;
mod screen;
mod session;
mod tool;
mod viewers;

pub(crate) use tool::{HouseTool, written};

use deskhand_session::tool_error::{Code, ToolError};
use deskhand_toolkit::target::nearest;
use deskhand_toolkit::{Registry, Tool, ToolSpec};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Every house tool, by name.
static HOUSE: LazyLock<BTreeMap<&'static str, HouseTool>> =
    LazyLock::new(|| all().map(|tool| (tool.spec.name, tool)).collect());

fn all() -> impl Iterator<Item = HouseTool> {
    let families = [
        session::tools(),
        lists::tools(),
        library::tools(),
        plans::tools(),
        history::tools(),
        player::tools(),
        screen::tools(),
        notify::tools(),
        vec![render::tool(), copy::tool()],
    ];
    families.into_iter().flatten()
}

/// A tool that was found by its name.
pub(crate) enum Found {
    /// It plans on a worker.
    Planning(Arc<dyn Tool>),
    /// It needs the bridge.
    House(&'static HouseTool),
}

impl Found {
    pub(crate) fn spec(&self) -> &ToolSpec {
        match self {
            Self::Planning(tool) => tool.spec(),
            Self::House(tool) => &tool.spec,
        }
    }
}

/// The tool of that name, wherever it runs.
pub(crate) fn find(registry: &Registry, name: &str) -> Result<Found, ToolError> {
    if let Some(house) = HOUSE.get(name) {
        return Ok(Found::House(house));
    }
    registry.get(name).map(|tool| Found::Planning(Arc::clone(tool))).map_err(|_| {
        let near = nearest(name, specs(registry).into_iter().map(|spec| spec.name));
        let message = format!("there is no tool \"{name}\"");
        ToolError::prepare(Code::UnknownTool, message, format!("did you mean {near}?"))
    })
}

/// The specs of all tools, by name: those of `registry`, and the bridge's own.
#[must_use]
pub fn specs(registry: &Registry) -> Vec<&ToolSpec> {
    let planning = registry.iter().map(|tool| tool.spec());
    let all = planning.chain(HOUSE.values().map(|tool| &tool.spec));
    all.map(|spec| (spec.name, spec)).collect::<BTreeMap<_, _>>().into_values().collect()
}

/// The description of the tool of that name.
///
/// # Errors
/// When there is no such tool; the message names the nearest ones.
pub fn spec(registry: &Registry, name: &str) -> Result<ToolSpec, ToolError> {
    find(registry, name).map(|found| found.spec().clone())
}
