//! Requests of one wish in their order. What an earlier one changes a later one may rest on: then it is planned on the
//! session as the earlier one leaves it, never beside it.

use crate::planner::plan_words;
use crate::reader::Vocabulary;
use crate::reading::{Request, RequestKind};
use deskhand_session::tool_name::COMMAND;
use deskhand_session::{Change, InsertOwner, ObjectId, Plan, Session, TrackId};
use serde_json::Value;
use std::collections::BTreeSet;

/// Whether a request rests on a plan that waits: both are about the same tracks, and the plan changes what sounds there.
/// What only sets a value rests on clips that come, go or move, and on what may set the same value.
#[must_use]
pub fn rests_on(request: &Request, waiting: &Plan, session: &Session) -> bool {
    let RequestKind::Call { tool, .. } = &request.kind else {
        return false;
    };
    let is_apart = is_command(tool) && is_command(&waiting.tool) && *tool != waiting.tool;
    let meant = Tracks::of_request(request, session);
    let changes = waiting.changes.iter().map(|planned| &planned.change);
    let counts = |change: &&Change| if is_apart { is_cut(change) } else { is_heard(change) };
    changes.filter(counts).any(|change| meant.meet(&touched(change, session)))
}

/// Whether a request rests on an `earlier` one that is not planned yet. What that changes is not known: all that it is
/// about counts, and every track if it `cuts`. A question, an undo and a redo keep their place.
pub(crate) fn rests_on_request(
    request: &Request,
    earlier: &Request,
    cuts: bool,
    session: &Session,
) -> bool {
    let is_call = |it: &Request| matches!(it.kind, RequestKind::Call { .. });
    let meant = Tracks::of_request(request, session);
    let are_calls = is_call(request) && is_call(earlier);
    cuts || !are_calls || meant.meet(&Tracks::of_request(earlier, session))
}

/// Commands set what they say, and measure nothing.
fn is_command(tool: &str) -> bool {
    tool.starts_with(COMMAND)
}

/// Request number `index` of `words` as they read now: an earlier one may have put other clips in the place of those that
/// were read first. As it was where they read otherwise.
#[must_use]
pub fn read_again(
    words: &str,
    index: usize,
    request: &Request,
    session: &Session,
    vocabulary: &Vocabulary,
) -> Request {
    let tool = |kind: &RequestKind| match kind {
        RequestKind::Call { tool, .. } => Some(tool.clone()),
        RequestKind::Question(_) | RequestKind::Undo | RequestKind::Redo => None,
    };
    let again = plan_words(words, session, vocabulary).understood.into_iter().nth(index);
    let is_same = |it: &Request| it.text == request.text && tool(&it.kind) == tool(&request.kind);
    again.filter(is_same).unwrap_or_else(|| request.clone())
}

/// Tracks that something is about.
#[derive(Clone, Debug, PartialEq)]
enum Tracks {
    All,
    Some(BTreeSet<TrackId>),
}

impl Tracks {
    /// All that a request is about: its targets, and what its parameters name besides, as the speech that music is
    /// lowered under.
    fn of_request(request: &Request, session: &Session) -> Self {
        let mut ids: Vec<ObjectId> = request.targets.iter().map(|target| target.id).collect();
        if ids.is_empty() {
            return Self::All;
        }
        if let RequestKind::Call { params, .. } = &request.kind {
            named_in(params, &mut ids);
        }
        Self::of(ids.into_iter(), session)
    }

    fn of(ids: impl Iterator<Item = ObjectId>, session: &Session) -> Self {
        let mut tracks = BTreeSet::new();
        for id in ids {
            match tracks_of(id, session) {
                Self::All => return Self::All,
                Self::Some(more) => tracks.extend(more),
            }
        }
        Self::Some(tracks)
    }

    fn meet(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Some(a), Self::Some(b)) => !a.is_disjoint(b),
            (Self::All, Self::Some(some)) | (Self::Some(some), Self::All) => !some.is_empty(),
            (Self::All, Self::All) => true,
        }
    }
}

/// Adds the ids among the texts of `params`.
fn named_in(params: &Value, ids: &mut Vec<ObjectId>) {
    match params {
        Value::String(text) => ids.extend(text.parse::<ObjectId>()),
        Value::Array(list) => list.iter().for_each(|it| named_in(it, ids)),
        Value::Object(fields) => fields.values().for_each(|it| named_in(it, ids)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn tracks_of(id: ObjectId, session: &Session) -> Tracks {
    let playing = |source| {
        let clips = session.clips.values().filter(move |clip| clip.source == source);
        Tracks::Some(clips.map(|clip| clip.track).collect())
    };
    let some = |tracks: Vec<TrackId>| Tracks::Some(tracks.into_iter().collect());
    match id {
        ObjectId::Session(_) => Tracks::All,
        ObjectId::Track(id) => some(vec![id]),
        ObjectId::Clip(id) => {
            some(session.clips.get(&id).map(|clip| clip.track).into_iter().collect())
        }
        ObjectId::Source(id) => playing(id),
        ObjectId::Group(id) => {
            some(session.groups.get(&id).map(|group| group.tracks.clone()).unwrap_or_default())
        }
        ObjectId::Insert(id) => match session.inserts.get(&id).map(|insert| insert.on) {
            Some(InsertOwner::Track(id)) => some(vec![id]),
            Some(InsertOwner::Master) => Tracks::All,
            None => some(Vec::new()),
        },
        ObjectId::Segment(id) => match session.segments.get(&id) {
            Some(segment) => playing(segment.source),
            None => some(Vec::new()),
        },
        ObjectId::Marker(_) | ObjectId::Code(_) | ObjectId::Phrase(_) => some(Vec::new()),
    }
}

/// The tracks that a change is about, of new objects too.
fn touched(change: &Change, session: &Session) -> Tracks {
    match change {
        Change::AddClip(edit) | Change::DuplicateClip(edit) => {
            Tracks::Some(edit.after.iter().map(|clip| clip.track).collect())
        }
        Change::MoveClip(edit) => Tracks::Some([edit.before.track, edit.after.track].into()),
        Change::SetInsert(edit) => match edit.after.as_ref().map(|insert| insert.on) {
            Some(InsertOwner::Track(id)) => Tracks::Some([id].into()),
            Some(InsertOwner::Master) => Tracks::All,
            None => tracks_of(change.target(), session),
        },
        Change::SetSegment(edit) => match &edit.after {
            Some(segment) => tracks_of(segment.source.into(), session),
            None => tracks_of(change.target(), session),
        },
        Change::SetPhrase(_) | Change::SetAssembly(_) => Tracks::All,
        _ => tracks_of(change.target(), session),
    }
}

/// Whether clips, or the words in them, come, go or move.
fn is_cut(change: &Change) -> bool {
    matches!(
        change,
        Change::AddTrack(_)
            | Change::RemoveTrack(_)
            | Change::AddClip(_)
            | Change::RemoveClip(_)
            | Change::DuplicateClip(_)
            | Change::MoveClip(_)
            | Change::TrimClip(_)
            | Change::SplitClip(_)
            | Change::RippleDelete(_)
            | Change::RippleInsert(_)
            | Change::SetSegment(_)
            | Change::SetPhrase(_)
            | Change::SetAssembly(_)
    )
}

/// Whether a change is heard where something is measured.
fn is_heard(change: &Change) -> bool {
    is_cut(change)
        || matches!(
            change,
            Change::SetTrackGain(_)
                | Change::SetTrackPan(_)
                | Change::SetTrackMute(_)
                | Change::SetTrackSolo(_)
                | Change::SetTrackOutput(_)
                | Change::SetClipGain(_)
                | Change::SetClipMute(_)
                | Change::SetClipPolarity(_)
                | Change::SetClipFades(_)
                | Change::SetMasterGain(_)
                | Change::SetTrackEnvelope(_)
                | Change::SetClipEnvelope(_)
                | Change::SetInsert(_)
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Target;
    use deskhand_dsp::{Decibels, SampleRate};
    use deskhand_session::{ClipId, Edit, PlanId, PlannedChange, RevisionId, SessionId, Track};
    use serde_json::json;

    fn session() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        for (id, name) in [(1, "Host"), (2, "Band")] {
            session.tracks.insert(TrackId::new(id), Track::audio(name));
            session.track_order.push(TrackId::new(id));
        }
        session
    }

    fn plan(tool: &str, change: Change) -> Plan {
        Plan {
            format: String::new(),
            id: PlanId::new(1),
            digest: String::new(),
            tool: tool.into(),
            params: Value::Null,
            session: SessionId::new(1),
            base_revision: RevisionId(0),
            summary: String::new(),
            changes: vec![PlannedChange::new(1, change, String::new(), String::new())],
            parts: Vec::new(),
            reads: Vec::new(),
            findings: Vec::new(),
            predicted: Vec::new(),
            artifacts: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            offers: Vec::new(),
            derived_from: None,
        }
    }

    fn request(tool: &str, targets: &[u64]) -> Request {
        let target = |id: &u64| Target { id: TrackId::new(*id).into(), name: String::new() };
        Request {
            text: "it".into(),
            kind: RequestKind::Call { tool: tool.into(), params: json!({}) },
            targets: targets.iter().map(target).collect(),
        }
    }

    #[test]
    fn a_measure_rests_on_what_is_changed_on_its_tracks_and_a_setting_only_on_cuts() {
        let session = session();
        let (host, band) = (TrackId::new(1), TrackId::new(2));
        let edit = Edit { target: host, before: Decibels(0.0), after: Decibels(-3.0) };
        let level = plan("cmd_set_track_gain", Change::SetTrackGain(edit));
        let edit = Edit { target: host, before: "Host".to_owned(), after: "Guest".to_owned() };
        let name = plan("cmd_rename_track", Change::RenameTrack(edit));
        let place = |position: i64| deskhand_session::ClipPlace {
            track: band,
            position: deskhand_dsp::Frames(position),
        };
        let edit = Edit { target: ClipId::new(1), before: place(0), after: place(100) };
        let cut = plan("cmd_move_clip", Change::MoveClip(edit));
        let rests = |tool: &str, targets: &[u64], plan: &Plan| {
            rests_on(&request(tool, targets), plan, &session)
        };
        for (tool, targets, on_level, on_cut) in [
            ("tool_normalize", &[1u64][..], true, false),
            ("tool_normalize", &[2], false, true),
            ("tool_normalize", &[], true, true),
            ("cmd_set_track_pan", &[1], false, false),
            ("cmd_set_track_gain", &[1], true, false),
            ("cmd_set_track_gain", &[2], false, true),
            ("cmd_set_clip_fades", &[2], false, true),
        ] {
            let found = (rests(tool, targets, &level), rests(tool, targets, &cut));
            assert_eq!(found, (on_level, on_cut), "{tool} {targets:?}");
            assert!(!rests(tool, targets, &name), "a name is not heard");
        }
    }

    #[test]
    fn what_may_set_the_same_value_and_what_is_named_besides_the_targets_counts() {
        let session = session();
        let edit = Edit { target: TrackId::new(1), before: Decibels(0.0), after: Decibels(-3.0) };
        let evened = plan("tool_match_loudness", Change::SetTrackGain(edit));
        assert!(rests_on(&request("cmd_set_track_pan", &[1]), &evened, &session));
        let mut duck = request("tool_duck", &[2]);
        assert!(!rests_on(&duck, &evened, &session));
        duck.kind = RequestKind::Call {
            tool: "tool_duck".into(),
            params: json!({"under": [TrackId::new(1)], "depth_db": 9}),
        };
        assert!(rests_on(&duck, &evened, &session), "it listens to the host");
    }

    #[test]
    fn what_is_not_planned_yet_holds_what_is_about_the_same_or_could_move() {
        let session = session();
        let (host, band) = (request("tool_denoise", &[1]), request("tool_denoise", &[2]));
        let mut question = request("", &[2]);
        question.kind = RequestKind::Undo;
        for (later, earlier, cuts, rests) in [
            (&band, &host, false, false),
            (&band, &host, true, true),
            (&host, &host, false, true),
            (&question, &host, false, true),
            (&host, &question, false, true),
        ] {
            let found = rests_on_request(later, earlier, cuts, &session);
            assert_eq!(found, rests, "{later:?} after {earlier:?}");
        }
    }
}
