//! What a call works on: ids, `selection`, `all`, `heard`, or a name with wildcards.

use crate::text::{composed, folded, is_same};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Clip, ClipId, ObjectId, Session, SessionId, TrackId};
use globset::GlobBuilder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The targets: one entry or a list. An entry is an id (`clip_…`, `track_…`, `group_…`), `selection`, `all`,
/// `heard` (the selection; if nothing is selected, every track that is not muted), or a name with wildcards `*` and
/// `?` ("Voc*").
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Targets {
    /// One entry.
    One(String),
    /// Several entries.
    Many(Vec<String>),
}

impl Default for Targets {
    fn default() -> Self {
        Self::One("selection".into())
    }
}

impl Targets {
    /// What a tool means that measures, or plans level, noise, silence, fillers or fades, if the caller names nothing:
    /// the selection, else all that is heard.
    #[must_use]
    pub fn heard() -> Self {
        Self::One(HEARD.into())
    }

    fn entries(&self) -> &[String] {
        match self {
            Self::One(entry) => std::slice::from_ref(entry),
            Self::Many(entries) => entries,
        }
    }

    /// Whether the only target is the mix (`mix`, `master` or the id of the session).
    #[must_use]
    pub fn is_mix(&self) -> bool {
        let is_session = |entry: &str| entry.parse::<SessionId>().is_ok();
        matches!(self.entries(), [entry] if entry == "mix" || entry == "master" || is_session(entry))
    }

    /// The clips of the targets, in the order of tracks and time. A track or a group means all its clips; a
    /// name is searched among clips, tracks and groups.
    ///
    /// # Errors
    /// When an entry matches nothing; the message lists possible names.
    pub fn clips(&self, session: &Session) -> Result<Vec<ClipId>, ToolError> {
        self.clips_among(session, &[])
    }

    /// The same, each with what it is.
    ///
    /// # Errors
    /// As [`Targets::clips`].
    pub fn clips_with_values(&self, session: &Session) -> Result<Vec<(ClipId, Clip)>, ToolError> {
        let ids = self.clips(session)?.into_iter();
        Ok(ids.filter_map(|id| Some((id, session.clips.get(&id)?.clone()))).collect())
    }

    /// The same if the caller knows objects of more names: the message lists them as well.
    ///
    /// # Errors
    /// As [`Targets::clips`].
    pub fn clips_among(&self, session: &Session, more: &[&str]) -> Result<Vec<ClipId>, ToolError> {
        let found = self.find(session, Kind::Clips, more)?;
        let in_order = session.tracks_in_order().flat_map(|(id, _)| session.clips_on(id));
        Ok(in_order.map(|(id, _)| id).filter(|id| found.contains(&(*id).into())).collect())
    }

    /// The tracks and buses of the targets, in their order. A clip means its track, a group its tracks.
    ///
    /// # Errors
    /// When an entry matches nothing; the message lists possible names.
    pub fn tracks(&self, session: &Session) -> Result<Vec<TrackId>, ToolError> {
        let found = self.find(session, Kind::Tracks, &[])?;
        let order = session.track_order.iter().copied();
        Ok(order.filter(|id| found.contains(&(*id).into())).collect())
    }

    /// The named tracks and clips themselves: here a track does not mean its clips, only a group means its
    /// tracks.
    ///
    /// # Errors
    /// When an entry matches nothing; the message lists possible names.
    pub fn objects(&self, session: &Session) -> Result<Vec<ObjectId>, ToolError> {
        let mut found = BTreeSet::new();
        for entry in self.entries() {
            for object in entry_objects(session, entry, &[])? {
                match object {
                    ObjectId::Group(_) => found.extend(expand(session, object, Kind::Tracks)),
                    ObjectId::Track(_) | ObjectId::Clip(_) => drop(found.insert(object)),
                    ObjectId::Session(_)
                    | ObjectId::Source(_)
                    | ObjectId::Marker(_)
                    | ObjectId::Insert(_)
                    | ObjectId::Segment(_)
                    | ObjectId::Code(_)
                    | ObjectId::Phrase(_) => {}
                }
            }
        }
        Ok(found.into_iter().collect())
    }

    /// Whether nothing at all is named: an empty list.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.entries().is_empty()
    }

    fn find(
        &self,
        session: &Session,
        kind: Kind,
        more: &[&str],
    ) -> Result<BTreeSet<ObjectId>, ToolError> {
        let mut found = BTreeSet::new();
        for entry in self.entries() {
            let objects = entry_objects(session, entry, more)?;
            let before = found.len();
            let mut meant: Vec<ObjectId> =
                objects.into_iter().flat_map(|object| expand(session, object, kind)).collect();
            if entry == HEARD {
                meant = session.unmuted(meant, |id| *id);
            }
            found.extend(meant);
            if found.len() == before && self.entries().len() == 1 {
                return Err(empty(session, entry, kind));
            }
        }
        if found.is_empty() { Err(empty_list(session, self.entries(), kind)) } else { Ok(found) }
    }
}

/// What is selected, else what is not muted.
const HEARD: &str = "heard";

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Clips,
    Tracks,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Clips => "clips",
            Self::Tracks => "tracks",
        }
    }
}

/// The objects that one entry names.
fn entry_objects(
    session: &Session,
    entry: &str,
    more: &[&str],
) -> Result<Vec<ObjectId>, ToolError> {
    match entry {
        "all" => Ok(session.track_order.iter().map(|id| (*id).into()).collect()),
        "selection" => Ok(selected(session)),
        HEARD => Ok(selected_or_heard(session)),
        _ => match entry.parse::<ObjectId>() {
            Ok(id) if exists(session, id) => Ok(vec![id]),
            Ok(id) => Err(unknown(session, &id.to_string(), more)),
            Err(_) => named(session, entry, more),
        },
    }
}

fn selected(session: &Session) -> Vec<ObjectId> {
    let selection = &session.selection;
    let clips = selection.clips.iter().map(|id| ObjectId::Clip(*id));
    // Selected clips are narrower than their tracks, which editors select along with them.
    let mut objects: Vec<_> = clips.filter(|id| exists(session, *id)).collect();
    if objects.is_empty() {
        let tracks = selection.tracks.iter().map(|id| ObjectId::Track(*id));
        objects.extend(tracks.filter(|id| exists(session, *id)));
    }
    objects
}

fn selected_or_heard(session: &Session) -> Vec<ObjectId> {
    let selected = selected(session);
    if !selected.is_empty() {
        return selected;
    }
    let heard = session.unmuted(session.track_order.clone(), |id| (*id).into());
    heard.into_iter().map(ObjectId::from).collect()
}

fn exists(session: &Session, object: ObjectId) -> bool {
    match object {
        ObjectId::Session(id) => session.id == id,
        ObjectId::Track(id) => session.tracks.contains_key(&id),
        ObjectId::Clip(id) => session.clips.contains_key(&id),
        ObjectId::Source(id) => session.sources.contains_key(&id),
        ObjectId::Marker(id) => session.markers.contains_key(&id),
        ObjectId::Group(id) => session.groups.contains_key(&id),
        ObjectId::Insert(id) => session.inserts.contains_key(&id),
        ObjectId::Segment(id) => session.segments.contains_key(&id),
        ObjectId::Code(id) => session.codes.contains_key(&id),
        ObjectId::Phrase(id) => session.phrases.contains_key(&id),
    }
}

fn named(session: &Session, pattern: &str, more: &[&str]) -> Result<Vec<ObjectId>, ToolError> {
    // A name may hold brackets or braces of its own, so it is first compared literally.
    let glob = GlobBuilder::new(&composed(pattern)).case_insensitive(true).build().ok();
    let matcher = glob.map(|glob| glob.compile_matcher());
    let fits = |name: &str| {
        is_same(name, pattern)
            || matcher.as_ref().is_some_and(|matcher| matcher.is_match(composed(name).as_ref()))
    };
    let found: Vec<_> = names(session).filter(|(_, name)| fits(name)).map(|(id, _)| id).collect();
    if found.is_empty() { Err(unknown(session, pattern, more)) } else { Ok(found) }
}

fn names(session: &Session) -> impl Iterator<Item = (ObjectId, &str)> {
    let groups = session.groups.iter().map(|(id, g)| (ObjectId::Group(*id), g.name.as_str()));
    let tracks = session.tracks_in_order().map(|(id, t)| (ObjectId::Track(id), t.name.as_str()));
    let clips = session.clips.iter().map(|(id, c)| (ObjectId::Clip(*id), c.name.as_str()));
    groups.chain(tracks).chain(clips)
}

fn expand(session: &Session, object: ObjectId, kind: Kind) -> Vec<ObjectId> {
    match (object, kind) {
        (ObjectId::Group(id), _) => {
            let tracks = session.groups.get(&id).map(|group| group.tracks.clone());
            let tracks = tracks.unwrap_or_default().into_iter();
            tracks.flat_map(|track| expand(session, track.into(), kind)).collect()
        }
        (ObjectId::Track(id), Kind::Clips) => {
            session.clips_on(id).into_iter().map(|(id, _)| id.into()).collect()
        }
        (ObjectId::Clip(id), Kind::Tracks) => {
            session.clips.get(&id).map(|clip| clip.track.into()).into_iter().collect()
        }
        (ObjectId::Track(_), Kind::Tracks) | (ObjectId::Clip(_), Kind::Clips) => vec![object],
        (
            ObjectId::Session(_)
            | ObjectId::Source(_)
            | ObjectId::Marker(_)
            | ObjectId::Insert(_)
            | ObjectId::Segment(_)
            | ObjectId::Code(_)
            | ObjectId::Phrase(_),
            _,
        ) => Vec::new(),
    }
}

fn unknown(session: &Session, entry: &str, more: &[&str]) -> ToolError {
    let names = names(session).map(|(_, name)| name);
    let near = nearest(entry, names.chain(more.iter().copied()));
    let message = format!("nothing is called \"{entry}\"");
    ToolError::prepare(Code::NoTarget, message, could_be(&near))
}

/// The error for an empty list, or for names without the wanted kind of objects.
fn empty_list(session: &Session, entries: &[String], kind: Kind) -> ToolError {
    let near = nearest("", names(session).map(|(_, name)| name));
    let message = match entries {
        [] => "`targets` is an empty list".to_owned(),
        _ => format!("none of {} has {}", quoted(entries), kind.name()),
    };
    ToolError::prepare(Code::NoTarget, message, could_be(&near))
}

fn empty(session: &Session, entry: &str, kind: Kind) -> ToolError {
    let what = kind.name();
    let message = match entry {
        "selection" => "nothing is selected".to_owned(),
        "all" | HEARD => format!("the session has no {what}"),
        _ => {
            let id = entry.parse::<ObjectId>().ok();
            let name = id.map_or_else(|| entry.to_owned(), |id| session.name_of(id));
            format!("\"{name}\" has no {what}")
        }
    };
    let near = nearest(entry, names(session).map(|(_, name)| name));
    ToolError::prepare(Code::NoTarget, message, could_be(&near))
}

fn could_be(near: &str) -> String {
    if near.is_empty() {
        "import audio first: `deskhand import DIR FILE`".into()
    } else {
        format!("give `targets`: all, selection, an id, or a name such as {near}")
    }
}

/// The error for an unknown name. The way out suggests the nearest names, or is `where_none` if there are
/// none of the kind.
#[must_use]
pub fn none_called<'a>(
    noun: &str,
    wanted: &str,
    names: impl Iterator<Item = &'a str>,
    where_none: &str,
) -> ToolError {
    let near = nearest(wanted, names);
    let fix = if near.is_empty() {
        where_none.to_owned()
    } else {
        format!("give an id or a name such as {near}")
    };
    ToolError::prepare(Code::NoTarget, format!("no {noun} is called \"{wanted}\""), fix)
}

/// The error for an unknown speaker, with the speakers of the session.
#[must_use]
pub fn nobody_called(session: &Session, wanted: &str) -> ToolError {
    let speakers = session.segments.values().filter_map(|segment| segment.speaker.as_deref());
    let near = nearest(wanted, speakers);
    let fix = match near.is_empty() {
        true => "mark the speakers first: tool_mark_speakers".to_owned(),
        false => format!("give the name of somebody who speaks, such as {near}"),
    };
    ToolError::prepare(Code::NoTarget, format!("no speaker is called \"{wanted}\""), fix)
}

/// The error where a tool works on speech and nothing that is meant has a transcript.
#[must_use]
pub fn nothing_transcribed(is_session: bool) -> ToolError {
    let message =
        if is_session { "nothing is transcribed yet" } else { "nothing is transcribed there" };
    let fix = "transcribe with tool_transcribe, or read a file with tool_import_transcript";
    ToolError::prepare(Code::NoTarget, message, fix)
}

/// Up to eight names, the most similar first, quoted and joined.
#[must_use]
pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> String {
    let wanted = folded(wanted);
    let mut names: Vec<&str> = names.collect::<BTreeSet<_>>().into_iter().collect();
    let distance = |name: &&str| (strsim::jaro_winkler(&wanted, &folded(name)) * -1e6) as i64;
    names.sort_by_cached_key(distance);
    names.truncate(8);
    quoted(&names)
}

fn quoted(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    quoted.join(", ")
}
