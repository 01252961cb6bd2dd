//! Groups: tracks that are cut and moved together, and the offer to group tracks that should stay in sync.

use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text;
use deskhand_session::{Change, Edit, Group, GroupId, OfferStep, PlanOffer, Session, TrackId};
use deskhand_toolkit::about::command;
use deskhand_toolkit::growing_draft::Sketch;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Offers, Targets, ToolError, ToolSpec,
    Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// The longest name of a group that is made of names of tracks, in letters.
const LONGEST: usize = 60;

/// `cmd_set_group`.
pub(super) struct SetGroup;

/// A group and its tracks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupOf {
    /// The group's name; an existing group with this name is changed; omitted: the names of its tracks.
    name: Option<String>,
    /// All tracks of the group; an empty list removes it.
    #[serde(default)]
    targets: Targets,
}

/// The change that takes tracks out of a group; a group without tracks goes.
pub(super) fn without(id: GroupId, group: Group, gone: &[TrackId]) -> Change {
    let kept = group.tracks.iter().filter(|track| !gone.contains(track)).copied();
    let tracks: Vec<TrackId> = kept.collect();
    let after = (!tracks.is_empty()).then(|| Group { name: group.name.clone(), tracks });
    Change::SetGroup(Edit::new(id, Some(group), after))
}

impl Command for SetGroup {
    type Params = GroupOf;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_group",
            "Group tracks",
            "Makes or changes a group of tracks that are cut and moved together; an empty list of targets \
             removes it. A track leaves its former group.",
            Category::Organize,
            Trust::Suggest,
            json!({"name": "Drums", "targets": ["Kick", "Snare", "Overheads"]}),
        )
        .says([Intent::verbs("group | in:group | to:group")
            .also("together | put | make | want")
            .name("as | called | -")
            .on(Kinds::Tracks)])
        .offers(Offers::used("\"Make a group…\" in the menu of a track").by(Gesture::GroupTracks))
    }

    fn plan(params: GroupOf, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let name = match &params.name {
            Some(name) => name.clone(),
            None => free_name(call.session, &params.targets.tracks(call.session)?),
        };
        let known = call.session.groups.iter().map(|(id, group)| (*id, group.clone()));
        let known: Vec<_> = known.filter(|(_, g)| g.name.eq_ignore_ascii_case(&name)).collect();
        let known = known.into_iter().next();
        if params.targets.is_none() {
            return ungroup(known, &name);
        }
        let tracks = params.targets.tracks(call.session)?;
        let summary = format!("Group {} as \"{name}\"", text::tracks(call.session, &tracks));
        let mut sketch = Sketch::new(call.session, summary);
        let (id, before) = match known {
            Some((id, group)) => (id, Some(group)),
            None => (GroupId::new(call.ids.next_bits()), None),
        };
        let others = call.session.groups.iter().filter(|(other, _)| **other != id);
        let leaving = others.map(|(id, group)| without(*id, group.clone(), &tracks));
        let needs = sketch.add(leaving, "its tracks go to another group", &[])?;
        let after = Some(Group { name, tracks });
        sketch.add([Change::SetGroup(Edit::new(id, before, after))], "as asked", &needs)?;
        Ok(sketch.draft)
    }
}

/// The offer for tracks that should stay in sync: they become a group, or join the group of some of them.
/// `None` if they belong to several.
pub fn group_offer(session: &Session, tracks: &[TrackId], warning: &str) -> Option<PlanOffer> {
    let groups: BTreeMap<GroupId, &Group> =
        tracks.iter().filter_map(|track| session.group_of(*track)).collect();
    let (mut all, name) = match groups.values().collect::<Vec<_>>()[..] {
        [] => (Vec::new(), free_name(session, tracks)),
        [group] => (group.tracks.clone(), group.name.clone()),
        _ => return None,
    };
    all.extend(tracks.iter().filter(|track| !all.contains(track)).copied().collect::<Vec<_>>());
    let params = json!({"name": name, "targets": by_name(session, &all)});
    let call = (SetGroup::spec().name, params);
    Some(PlanOffer::new(warning, "Group and keep in sync", OfferStep::First, call))
}

/// A name for a group of tracks that no group has.
fn free_name(session: &Session, tracks: &[TrackId]) -> String {
    let names = names_of(session, tracks);
    let name: String = names.join(", ").chars().take(LONGEST).collect();
    let is_taken =
        |name: &str| session.groups.values().any(|group| group.name.eq_ignore_ascii_case(name));
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut all = std::iter::once(name.clone()).chain(numbered);
    all.find(|name| !is_taken(name)).unwrap_or(name)
}

/// Tracks by their names, as a person types them; by their ids if several share a name.
fn by_name(session: &Session, tracks: &[TrackId]) -> Vec<String> {
    let name = |id: TrackId| session.name_of(id.into());
    let is_only = |id: TrackId| {
        let same = session.tracks.keys().filter(|it| name(**it).eq_ignore_ascii_case(&name(id)));
        same.count() == 1
    };
    let are_only = tracks.iter().all(|id| is_only(*id));
    tracks.iter().map(|id| if are_only { name(*id) } else { id.to_string() }).collect()
}

fn names_of(session: &Session, ids: &[TrackId]) -> Vec<String> {
    ids.iter().map(|id| session.name_of((*id).into())).collect()
}

fn ungroup(known: Option<(GroupId, Group)>, name: &str) -> Result<Draft, ToolError> {
    let (id, group) = known.ok_or_else(|| {
        let message = format!("no group is called \"{name}\"");
        ToolError::prepare(Code::NoTarget, message, "name the tracks that it shall have")
    })?;
    let mut draft = Draft::new(format!("Remove the group \"{}\"", group.name));
    let name = group.name.clone();
    draft.change(Change::SetGroup(Edit::remove(id, group)), name, "as asked");
    Ok(draft)
}
