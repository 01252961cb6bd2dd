//! `tool_rename_tracks`: names of tracks from the names of their clips or files.

use crate::names::{cleaned, file_name, numbered};
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::names;
use deskhand_session::{Change, Edit, ObjectId, Session, TrackId, TrackKind};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `tool_rename_tracks`.
pub(crate) struct RenameTracks;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The tracks; buses and tracks without clips keep their names.
    #[serde(default)]
    targets: Targets,
}

impl TypedTool for RenameTracks {
    type Params = Params;
    type Resolved = Vec<TrackId>;

    fn spec() -> ToolSpec {
        tool(
            "tool_rename_tracks",
            "Rename tracks from their clips",
            "Renames tracks after their first clip, or after its file if the clip has the file's name: without \
             extension, leading number, take and underscores, so \"03_Lead Vox_take2.wav\" gives \"Lead Vox\". \
             Equal names are numbered.",
            Category::Organize,
            Trust::Suggest,
            vec![json!({"targets": "all"})],
        )
        .says([Intent::verbs("rename | name | call | label")
            .about("after their files")
            .also("track")
            .on(Kinds::Tracks)
            .or_everything()])
    }

    fn resolve(params: Params, session: &Session) -> Result<Vec<TrackId>, ToolError> {
        params.targets.tracks(session)
    }

    fn targets(tracks: &Vec<TrackId>) -> Vec<ObjectId> {
        tracks.iter().map(|id| (*id).into()).collect()
    }

    fn run(tracks: Vec<TrackId>, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let wanted = |id: &TrackId| Some((*id, name_from_clips(session, *id)?));
        let wanted: Vec<_> = tracks.iter().filter_map(wanted).collect();
        let ids: Vec<TrackId> = wanted.iter().map(|(id, _)| *id).collect();
        let clean: Vec<String> = wanted.iter().map(|(_, (name, _))| name.clone()).collect();
        let others = session.tracks_in_order().filter(|(id, _)| !ids.contains(id));
        let taken: Vec<String> = others.map(|(_, track)| track.name.clone()).collect();
        let mut draft = Draft::default();
        for ((id, (_, from)), name) in wanted.iter().zip(numbered(&clean, &taken)) {
            let before = session.name_of((*id).into());
            if before != name {
                let change = Change::RenameTrack(Edit::new(*id, before.clone(), name));
                draft.change(change, before, format!("from \"{from}\""));
            }
        }
        draft.summary = match draft.changes.len() {
            0 => "Nothing to change: the tracks are named after their clips already".into(),
            1 => format!("Rename {} after its clips", draft.subject("track")),
            _ => format!("Rename {} after their clips", draft.subject("track")),
        };
        draft.warnings.extend(left_out(session, &tracks, &ids));
        Ok(draft)
    }
}

/// The cleaned name, and the name it comes from.
fn name_from_clips(session: &Session, track: TrackId) -> Option<(String, String)> {
    let clip = session.clips_on(track).into_iter().next()?.1;
    let source = session.sources.get(&clip.source)?;
    // A track of audio in a film has a title of its own, which its clip bears.
    let from = if clip.name == source.name && source.hash.track().is_none() {
        file_name(&source.path).to_owned()
    } else {
        clip.name.clone()
    };
    let name = cleaned(&from);
    let channel = source.channel.and(clip.name.rsplit_once(' '));
    // A channel of a split file shares its file name with the others; the clip tells them apart.
    match channel.filter(|_| clip.name == source.name) {
        Some((_, channel)) => Some((format!("{name} {channel}"), from)),
        None => Some((name, from)),
    }
}

/// Names the audio tracks that have nothing to be named after.
fn left_out(session: &Session, tracks: &[TrackId], named: &[TrackId]) -> Option<String> {
    let rest = tracks.iter().filter(|id| !named.contains(id));
    let rest = rest.filter_map(|id| session.tracks.get(id));
    let empty = rest.filter(|track| track.kind == TrackKind::Audio);
    let empty: Vec<String> = empty.map(|track| track.name.clone()).collect();
    (!empty.is_empty()).then(|| format!("{}: no clips to be named after", names(&empty)))
}

#[cfg(test)]
mod tests {
    use deskhand_session::Track;
    use deskhand_toolkit::testing::Desk;
    use serde_json::json;

    #[test]
    fn tracks_are_named_after_files_or_renamed_clips_and_numbered() {
        let mut desk = Desk::new(crate::all());
        let first = desk.track(Track::audio("Audio 1"));
        let second = desk.track(Track::audio("Audio 2"));
        let third = desk.track(Track::audio("Audio 3"));
        desk.track(Track::audio("Empty"));
        desk.track(Track::bus("Bus"));
        desk.track(Track::audio("Bass"));
        let source = |desk: &mut Desk, track, name: &str| {
            let id = desk.clip(track, name, 0, vec![0.0; 10]);
            let clip = desk.session.clips[&id].clone();
            desk.session.sources.get_mut(&clip.source).unwrap().name = name.into();
            desk.session.sources.get_mut(&clip.source).unwrap().path = format!("/a/{name}");
        };
        source(&mut desk, first, "03_Guitar_take2.wav");
        source(&mut desk, second, "04 Guitar.wav");
        desk.clip(third, "Bass", 0, vec![0.0; 10]);
        let tracks = json!({"targets": ["Audio*", "Empty", "Bus"]});
        let draft = desk.plan("tool_rename_tracks", tracks);
        assert_eq!(draft.changes[0].reason, "from \"03_Guitar_take2.wav\"");
        assert_eq!(draft.warnings, ["\"Empty\": no clips to be named after"]);
        desk.apply(&draft);
        let names: Vec<_> = desk.session.tracks_in_order().map(|(_, t)| t.name.as_str()).collect();
        assert_eq!(names, ["Guitar 1", "Guitar 2", "Bass 1", "Empty", "Bus", "Bass"]);
        let again = desk.plan("tool_rename_tracks", json!({"targets": ["Guitar*", "Bass 1"]}));
        assert_eq!(again.changes, []);
    }
}
