//! `display_resource`, `list_windows` and `close_window`: the windows on the person's screen.

use super::answers::{Listed, Page};
use super::tool::{About, HouseTool, Silent, does, reads, written};
use super::viewers::{kind, viewers};
use crate::bridge::Bridge;
use crate::effect::Effect;
use crate::ids::Asker;
use deskhand_protocol::desk::{Viewer, Window};
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Handle, ObjectId, Session, TalkPart};
use deskhand_toolkit::{Category, Gesture, ToolSpec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Every viewer.
const VIEWERS: [Viewer; 8] = [
    Viewer::Auto,
    Viewer::Waveform,
    Viewer::Spectrogram,
    Viewer::Image,
    Viewer::Text,
    Viewer::Transcript,
    Viewer::Table,
    Viewer::Directory,
];

pub(super) fn tools() -> Vec<HouseTool> {
    vec![
        display_tool().and(ToolSpec::core).offers(Gesture::OpenWindow),
        list_windows_tool(),
        close_tool().offers(Gesture::CloseWindow),
    ]
}

/// What to show.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DisplayParams {
    /// The `deskhand://` handle to show: deskhand://session, history, codes, segments (coded segments),
    /// assembly, tracks/ID, clips/ID, sources/ID, plans/ID, markers/ID, transcripts/ID of a source, phrases/ID,
    /// tools/NAME, or files/PATH inside the session folder.
    handle: String,
    /// The viewer; omitted or `auto`: by the type of the resource.
    #[serde(default)]
    #[schemars(schema_with = "viewer_schema")]
    viewer: Viewer,
    /// The window to reuse; omitted: a new window.
    window_id: Option<String>,
}

fn viewer_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": VIEWERS})
}

/// Which window.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CloseParams {
    /// Its id.
    window_id: String,
}

/// A window.
#[derive(Debug, Serialize, JsonSchema)]
struct WindowRow {
    window_id: String,
    #[schemars(schema_with = "viewer_schema")]
    viewer: Viewer,
    /// The handle it shows.
    resource: String,
    title: String,
}

impl From<&Window> for WindowRow {
    fn from(window: &Window) -> Self {
        let Window { window_id, viewer, resource, title } = window.clone();
        Self { window_id, viewer, resource, title }
    }
}

fn display_tool() -> HouseTool {
    let about = About::notify(
        "display_resource",
        "Show in a window",
        "Shows the person a track, clip, source, plan, marker, the session, the history, a transcript, the \
         codes, the assembly, a tool or a file of the session folder in a window. Returns {window_id, \
         viewer, resource}. Pass that window_id again to reuse the window instead of opening many. The \
         viewer follows the type; unknown types are shown as text.",
        json!({"handle": "deskhand://session"}),
    );
    does::<WindowRow, _>(about, display).and(|spec| spec.says(says_views()))
}

/// How people ask for a window: "show the spectrogram of Harmony".
fn says_views() -> [Intent; 2] {
    let views = ["spectrogram", "waveform", "transcript"].into_iter();
    let of = |it: Intent, preps: &str| it.only_named().named("handle", preps, Kinds::EachHandle);
    let view = Intent::verbs("list | ask | display").also("in").needs("viewer");
    let view = views.fold(view, |it, name| it.flag(name, "viewer", name));
    let bare = Intent::default().about("spectrogram").sets("viewer", "spectrogram");
    [of(view, "- | of | for | from"), of(bare, "of | for")]
}

fn display(params: DisplayParams, bridge: &Bridge, asker: Asker) -> Result<Vec<Effect>, ToolError> {
    let handle: Handle = params.handle.parse().map_err(|error| {
        let fix = "get ids from get_session, list_clips, list_sources or list_plans";
        ToolError::prepare(Code::NoTarget, format!("{error}"), fix)
    })?;
    let shown = bridge.seen(&handle)?;
    let viewer = chosen(&handle, params.viewer, viewers(kind(&handle, shown.is_folder)))?;
    let (resource, title) = (handle.to_string(), shown.title);
    let window = bridge.windows.showing(params.window_id.as_deref(), viewer, resource, title)?;
    let answer = written(&WindowRow::from(&window));
    let summary = format!("Showing {} ({})", window.title, window.window_id);
    let shown = Effect::OpenWindow(asker, window);
    Ok(vec![shown, Effect::Answer(asker, summary, Some(answer))])
}

fn chosen(handle: &Handle, wanted: Viewer, fitting: &[Viewer]) -> Result<Viewer, ToolError> {
    let auto = fitting.first().copied().unwrap_or(Viewer::Text);
    if wanted == Viewer::Auto {
        return Ok(auto);
    }
    if fitting.contains(&wanted) {
        return Ok(wanted);
    }
    let names: Vec<String> = fitting.iter().map(word).collect();
    let message = format!("{handle} cannot be shown as {}", word(&wanted));
    let fix = format!("use auto, or one of: {}", names.join(", "));
    Err(ToolError::prepare(Code::BadParams, message, fix))
}

fn word(viewer: &Viewer) -> String {
    written(viewer).as_str().unwrap_or_default().to_owned()
}

/// The facts about a resource before it is shown.
struct Seen {
    title: String,
    is_folder: bool,
}

impl Bridge {
    /// What a handle names, if it is there.
    fn seen(&self, handle: &Handle) -> Result<Seen, ToolError> {
        let session = self.session();
        let known = |exists: bool, id: ObjectId| exists.then(|| session.name_of(id));
        let title = match handle {
            Handle::Session => Some("Session".into()),
            Handle::History => Some("History".into()),
            Handle::Track(id) => known(session.tracks.contains_key(id), (*id).into()),
            Handle::Clip(id) => known(session.clips.contains_key(id), (*id).into()),
            Handle::Source(id) => known(session.sources.contains_key(id), (*id).into()),
            Handle::Marker(id) => known(session.markers.contains_key(id), (*id).into()),
            Handle::Talk(said) => seen_words(session, *said),
            Handle::Plan(id) => self.plans.get(*id).map(|stored| stored.plan.summary.clone()),
            Handle::Tool(name) => {
                super::find(&self.registry, name).ok().map(|found| found.spec().title.into())
            }
            Handle::File(path) => return self.seen_file(handle, path),
        };
        title.map(|title| Seen { title, is_folder: false }).ok_or_else(|| gone(handle))
    }

    /// A file inside the session folder, wherever links lead.
    fn seen_file(&self, handle: &Handle, path: &str) -> Result<Seen, ToolError> {
        let folder = self.files.folder.canonicalize().map_err(|_| gone(handle))?;
        let real = folder.join(path).canonicalize().map_err(|_| gone(handle))?;
        if !real.starts_with(&folder) {
            let message = format!("{handle} leads out of the session folder");
            let fix = "only files inside of it can be shown";
            return Err(ToolError::prepare(Code::Refused, message, fix));
        }
        let title = path.rsplit('/').next().unwrap_or(path).to_owned();
        Ok(Seen { title, is_folder: real.is_dir() })
    }
}

/// The title of spoken words, or of data about them, if they exist.
fn seen_words(session: &Session, said: TalkPart) -> Option<String> {
    match said {
        TalkPart::Transcript(id) => {
            let is_there = session.sources.contains_key(&id);
            is_there.then(|| format!("{}: what is said", session.name_of(id.into())))
        }
        TalkPart::Codes => Some("Codes".into()),
        TalkPart::Segments => Some("Coded segments".into()),
        TalkPart::Assembly => Some("Assembly".into()),
        TalkPart::Phrase(id) => session.spoken(id).map(|_| session.name_of(id.into())),
    }
}

fn gone(handle: &Handle) -> ToolError {
    let message = format!("there is no {handle} in this session");
    let fix = "get ids from get_session, list_clips, list_sources or list_plans";
    ToolError::prepare(Code::NoTarget, message, fix)
}

fn list_windows_tool() -> HouseTool {
    let about = About::read(
        "list_windows",
        "List windows",
        "The open windows in the order of opening, with the resource of each.",
        Category::Navigate,
        json!({}),
    );
    reads(about, list_windows)
}

fn list_windows(page: Page, bridge: &Bridge) -> Result<(String, Listed<WindowRow>), ToolError> {
    let list = page.of(bridge.windows.all(), WindowRow::from);
    Ok((list.said("window"), list))
}

fn close_tool() -> HouseTool {
    let description = "Closes a window.";
    let about = About::notify(
        "close_window",
        "Close a window",
        description,
        json!({"window_id": "window_1"}),
    );
    does::<Silent, _>(about, close)
}

fn close(params: CloseParams, bridge: &Bridge, asker: Asker) -> Result<Vec<Effect>, ToolError> {
    let window_id = bridge.windows.get(&params.window_id)?.window_id.clone();
    let summary = format!("closed {window_id}");
    Ok(vec![Effect::CloseWindow(asker, window_id), Effect::done(asker, summary)])
}
