//! `tool_link_project`: from now on each step of the session goes into the DAW's project first.

use crate::write_project::bound;
use crate::{landing, project_file};
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::{Binding, Change, Edit, ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// `tool_link_project`.
pub(crate) struct LinkProject;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// `false` ends the link; the project stays as it is.
    #[serde(default = "yes")]
    on: bool,
}

fn yes() -> bool {
    true
}

/// How people ask for it.
fn says() -> [Intent; 4] {
    let other = "to:project | with:project | from:project | to:daw | with:daw | from:daw";
    let link = |verbs: &str| {
        let it = Intent::verbs(verbs).named("all", "-", Kinds::Whole).or_all_of_it();
        it.also("session | project | daw | of:daw | with:session | with:each step | with:step")
            .also(other)
    };
    [
        link("link").about(&["project | daw | session", other].join(" | ")),
        link("leave").about("in sync").about("project | daw"),
        link("put | write | save | apply")
            .about("each step")
            .about("to:project | in:project | to:daw"),
        link("unlink").sets("on", false),
    ]
}

impl TypedTool for LinkProject {
    type Params = Params;
    type Resolved = (Params, Arc<Binding>);

    fn spec() -> ToolSpec {
        tool(
            "tool_link_project",
            "Link the DAW's project",
            "From now on each step of this session, and each undo, first goes into the project file that the session was \
             opened from. If the file cannot take it, nothing changes here either. What was changed here so far goes into \
             the file at once. Before each step a dated copy of the file is kept, the first one next to it. What the DAW \
             saves in the file comes in here as a step of the DAW. Close the project in the DAW before you apply a step.",
            Category::Library,
            Trust::Require,
            vec![json!({}), json!({"on": false})],
        )
        .offers(Gesture::LinkProject)
        .says(says())
        .command("link", "Put each step into the DAW's project file from now on")
        .flag("--off", "on", false, "End the link; the project stays as it is")
        .command_examples(
            "deskhand link song.deskhand --yes         # song.RPP gets each step from now on\n\
             deskhand link song.deskhand --off --yes",
        )
    }

    fn resolve(params: Params, session: &Session) -> Result<Self::Resolved, ToolError> {
        Ok((params, bound(session)?))
    }

    fn targets(_: &Self::Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run((params, binding): Self::Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let name = project_file::name(Path::new(&binding.path));
        if binding.is_linked == params.on {
            let state = if params.on { "linked already" } else { "not linked" };
            return Ok(Draft::new(format!("Nothing to change: {name} is {state}")));
        }
        if params.on && landing::is_other(&binding, &context.folder, context.base) {
            return Err(landing::changed(&binding));
        }
        let mut draft = Draft::new(match params.on {
            true => format!("Put each step into {name} from now on"),
            false => format!("Put no step into {name} any more"),
        });
        let linked = Binding { is_linked: params.on, ..(*binding).clone() };
        let edit = Edit::new(context.session.id, Some(binding), Some(linked.into()));
        let head = draft.change(Change::SetBinding(edit), name, "as asked");
        draft.row(0, &head, if params.on { "linked" } else { "not linked" });
        Ok(draft)
    }
}
