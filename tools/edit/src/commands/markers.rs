//! Markers.

use super::names::says_rename;
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds, Slot, TextKind, Unit};
use deskhand_session::text::clock;
use deskhand_session::{Change, Edit, Marker, MarkerId, MarkerSpan, Session};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find::{self, frames};
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_add_marker`.
pub(super) struct AddMarker;
/// `cmd_remove_marker`.
pub(super) struct RemoveMarker;
/// `cmd_move_marker`.
pub(super) struct MoveMarker;
/// `cmd_rename_marker`.
pub(super) struct RenameMarker;
/// `cmd_set_marker_code`.
pub(super) struct SetMarkerCode;

/// A new marker.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewMarker {
    /// Its name, 1 to 200 characters; omitted: "Marker" with a number.
    name: Option<String>,
    /// Time on the timeline, in seconds.
    #[schemars(range(min = 0.0))]
    at_s: f64,
    /// Its length in seconds; omitted: a point.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    length_s: f64,
    /// An editorial or qualitative label.
    code: Option<String>,
}

/// Which marker.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// Its id or its name.
    marker: String,
}

/// Which marker, and where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Span {
    /// Its id or its name.
    marker: String,
    /// Time on the timeline, in seconds; omitted: unchanged.
    #[schemars(range(min = 0.0))]
    at_s: Option<f64>,
    /// Length in seconds, 0 for a point; omitted: unchanged.
    #[schemars(range(min = 0.0))]
    length_s: Option<f64>,
}

/// Which marker, and its name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Name {
    /// Its id or current name.
    marker: String,
    /// The new name, 1 to 200 characters.
    name: String,
}

/// Which marker, and its code.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Label {
    /// Its id or its name.
    marker: String,
    /// The label; omitted or empty: none.
    #[serde(default)]
    code: String,
}

fn found(session: &Session, wanted: &str) -> Result<(MarkerId, Marker), ToolError> {
    let id = find::marker(session, wanted)?;
    let marker = session.markers.get(&id).cloned();
    let gone = || ToolError::prepare(Code::NoTarget, format!("{id} is gone"), "call it again");
    Ok((id, marker.ok_or_else(gone)?))
}

/// A draft of one change of a marker; empty if the change has no effect.
fn one(summary: String, name: String, change: Change) -> Draft {
    if change.is_identity() {
        return Draft::new(format!("\"{name}\" is that way already"));
    }
    let mut draft = Draft::new(summary);
    draft.change(change, name, "as asked");
    draft
}

/// How people ask for markers, and for names of times. "Mark 0:01 to 0:02 as important" may be about words.
fn says_markers() -> [Intent; 10] {
    let point = |preps: &str| Slot::place("at_s").preps(preps);
    let length = Slot::of("length_s").unit(Unit::Seconds).unit(Unit::Clock);
    let until = length.preps("to | until").since("at_s");
    let marker = || Intent::verbs("add marker").name("called | as | -");
    let mark = || Intent::verbs("mark").name("called | as | -").last();
    let note = |verbs: &str| {
        let intent = Intent::verbs(verbs).said("name", "-", TextKind::Text);
        intent.slot(point("at")).needs("at_s")
    };
    [
        Intent::verbs("add marker | mark")
            .name("called | as")
            .said("at_s", "at | on", TextKind::PhraseStart)
            .needs("at_s"),
        marker()
            .slot(point("at | on"))
            .needs("at_s")
            .lacks("it does not say where the marker is", "add a marker at 1:30 called Solo"),
        marker().slot(point("- | from")).slot(until.clone()).needs("length_s").lacks(
            "it does not say where the marker ends",
            "add a marker from 1:00 to 1:15 called Break",
        ),
        Intent::default()
            .about("marker | chapter")
            .name("called | -")
            .slot(point("at | on"))
            .needs("at_s"),
        Intent::verbs("add | put | make | set | create | drop")
            .about("chapter")
            .name("called")
            .slot(point("at | on"))
            .needs("at_s"),
        mark().slot(point("- | at")).needs("at_s").needs("name"),
        mark().slot(Slot::of("at_s").unit(Unit::Clock).preps("- | at")).needs("at_s"),
        mark().slot(point("- | from")).slot(until).needs("length_s"),
        note("add | put").about("memo"),
        note("label | memo").needs("name"),
    ]
}

impl Command for AddMarker {
    type Params = NewMarker;

    fn spec() -> ToolSpec {
        command(
            "cmd_add_marker",
            "Add a marker",
            "Marks a time, or a range if it has a length, optionally with a code.",
            Category::Navigate,
            Trust::Notify,
            json!({"name": "Chorus", "at_s": 62.5}),
        )
        .says(says_markers())
        .core()
        .offers(Gesture::AddMarker)
    }

    fn plan(params: NewMarker, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let rate = call.session.rate;
        let position = frames(params.at_s, rate);
        let number = call.session.markers.len() + 1;
        let name = params.name.unwrap_or_else(|| format!("Marker {number}"));
        let summary = format!("Mark {} as \"{name}\"", clock(position, rate));
        let marker = Marker {
            name: name.clone(),
            position,
            length: frames(params.length_s, rate),
            code: params.code.filter(|code| !code.is_empty()),
        };
        let id = MarkerId::new(call.ids.next_bits());
        Ok(one(summary, name, Change::AddMarker(Edit::create(id, marker))))
    }
}

impl Command for RemoveMarker {
    type Params = Which;

    fn spec() -> ToolSpec {
        command(
            "cmd_remove_marker",
            "Remove a marker",
            "Removes a marker.",
            Category::Navigate,
            Trust::Notify,
            json!({"marker": "Chorus"}),
        )
        .says([Intent::verbs("remove")
            .also("marker")
            .named("marker", "-", Kinds::Marker)
            .only_named()
            .lacks("it does not say which one to remove", "list the markers")])
        .cuts()
        .offers(Gesture::RemoveMarker)
    }

    fn plan(params: Which, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let (id, marker) = found(call.session, &params.marker)?;
        let name = marker.name.clone();
        let change = Change::RemoveMarker(Edit::remove(id, marker));
        Ok(one(format!("Remove the marker \"{name}\""), name, change))
    }
}

impl Command for MoveMarker {
    type Params = Span;

    fn spec() -> ToolSpec {
        command(
            "cmd_move_marker",
            "Move a marker",
            "Moves a marker to another time, or changes its length.",
            Category::Navigate,
            Trust::Notify,
            json!({"marker": "Chorus", "at_s": 64.0}),
        )
        .says([Intent::verbs("move | put | set")
            .also("marker")
            .slot(Slot::place("at_s").preps("to | at"))
            .needs("at_s")
            .named("marker", "-", Kinds::Marker)
            .only_named()])
        .offers(Gesture::MoveMarker)
    }

    fn plan(params: Span, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let (id, marker) = found(call.session, &params.marker)?;
        let rate = call.session.rate;
        let or = |seconds: Option<f64>, now: Frames| seconds.map_or(now, |s| frames(s, rate));
        let after = MarkerSpan {
            position: or(params.at_s, marker.position),
            length: or(params.length_s, marker.length),
        };
        let summary = format!("Move \"{}\" to {}", marker.name, clock(after.position, rate));
        let change = Change::MoveMarker(Edit::new(id, marker.span(), after));
        Ok(one(summary, marker.name, change))
    }
}

impl Command for RenameMarker {
    type Params = Name;

    fn spec() -> ToolSpec {
        command(
            "cmd_rename_marker",
            "Rename a marker",
            "Renames a marker.",
            Category::Navigate,
            Trust::Notify,
            json!({"marker": "Chorus", "name": "Chorus 1"}),
        )
        .says(says_rename("marker", Kinds::Marker))
        .sets()
        .offers(Gesture::RenameMarker)
    }

    fn plan(params: Name, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let (id, marker) = found(call.session, &params.marker)?;
        let summary = format!("Name the marker \"{}\" \"{}\"", marker.name, params.name);
        let change = Change::RenameMarker(Edit::new(id, marker.name.clone(), params.name));
        Ok(one(summary, marker.name, change))
    }
}

impl Command for SetMarkerCode {
    type Params = Label;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_marker_code",
            "Code a marker",
            "Sets or clears the code (editorial or qualitative label) of a marker.",
            Category::Navigate,
            Trust::Notify,
            json!({"marker": "Chorus", "code": "keep"}),
        )
        .sets()
    }

    fn plan(params: Label, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let (id, marker) = found(call.session, &params.marker)?;
        let after = Some(params.code).filter(|code| !code.is_empty());
        let summary = match &after {
            Some(code) => format!("Code \"{}\" as \"{code}\"", marker.name),
            None => format!("Take the code off \"{}\"", marker.name),
        };
        let change = Change::SetMarkerCode(Edit::new(id, marker.code, after));
        Ok(one(summary, marker.name, change))
    }
}
