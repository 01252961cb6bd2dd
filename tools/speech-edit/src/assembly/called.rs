//! The names of clips and markers of phrases: the words as they are now.

use deskhand_edit::assembly::block::{self, Placed};
use deskhand_edit::assembly::{ids, markers};
use deskhand_session::{Change, ClipId, Edit, PhraseId, Segment, SegmentId, Session};
use deskhand_toolkit::Draft;
use std::collections::{BTreeMap, BTreeSet};

/// Why something is renamed with the words.
const REASON: &str = "it is called by what is said";

/// The clips that were laid out for phrases or cut from those, by what the phrases say now. What somebody added to a
/// phrase is not among them.
pub(super) fn clips(session: &Session) -> BTreeMap<ClipId, String> {
    let originals = ids::originals(session);
    let mut names = BTreeMap::new();
    for Placed { block, .. } in block::standing(session) {
        let anchors = originals.values().flat_map(|track| ids::anchors(block.phrase, *track));
        let anchors: BTreeSet<ClipId> = anchors.collect();
        let laid = block.clips.iter().filter(|(id, _)| anchors.contains(id));
        let old: BTreeSet<&str> = laid.map(|(_, clip)| clip.name.as_str()).collect();
        let now = session.name_of(block.phrase.into());
        let own = block.clips.iter().filter(|(_, clip)| old.contains(clip.name.as_str()));
        names.extend(own.map(|(id, _)| (*id, now.clone())));
    }
    names
}

/// Adds the changes that call clips and markers by the words of a segment as they are `after`, where they are called
/// by those words as they were. They need the change `because`.
pub(crate) fn renamed(
    session: &Session,
    segment: SegmentId,
    after: &Segment,
    because: &str,
    draft: &mut Draft,
) {
    let held = session.phrases.iter().filter(|(_, phrase)| phrase.segments.contains(&segment));
    for (id, phrase) in held {
        let mut then = Session::new(session.id, session.rate);
        then.phrases.insert(*id, phrase.clone());
        let known = phrase.segments.iter().filter_map(|id| session.segments.get_key_value(id));
        then.segments.extend(known.map(|(id, segment)| (*id, segment.clone())));
        then.segments.insert(segment, after.clone());
        for change in changes(session, &then, *id) {
            let name = session.name_of(change.target());
            draft.dependent(change, name, REASON, vec![because.to_owned()]);
        }
    }
}

/// What renames the clips and the marker of a phrase from what it says in `session` to what it says in `then`.
fn changes(session: &Session, then: &Session, phrase: PhraseId) -> Vec<Change> {
    let (old, new) = (session.name_of(phrase.into()), then.name_of(phrase.into()));
    let clips = called(session, phrase, &old).into_iter();
    let clips = clips.map(|clip| Change::RenameClip(Edit::new(clip, old.clone(), new.clone())));
    let id = ids::marker(phrase);
    let marker = session.markers.get(&id).and_then(|marker| {
        let by_words = markers::marker_name(session, phrase, marker);
        let name = markers::marker_name(then, phrase, marker);
        let edit = Edit::new(id, marker.name.clone(), name);
        (marker.name == by_words).then_some(Change::RenameMarker(edit))
    });
    clips.chain(marker).filter(|change| !change.is_identity()).collect()
}

/// The clips on assembly tracks that have the phrase's `name`. If another phrase shares the name, their
/// places decide.
fn called(session: &Session, phrase: PhraseId, name: &str) -> Vec<ClipId> {
    let originals = ids::originals(session);
    let on_assembly = |id: &ClipId| {
        let clip = session.clips.get(id);
        clip.is_some_and(|clip| clip.name == name && originals.contains_key(&clip.track))
    };
    let is_alike = |id: &PhraseId| *id != phrase && session.name_of((*id).into()) == name;
    if !session.phrases.keys().any(is_alike) {
        return session.clips.keys().copied().filter(on_assembly).collect();
    }
    let placed = block::standing(session).into_iter();
    let own = placed.filter(|placed| placed.block.phrase == phrase);
    own.flat_map(|placed| placed.block.clips).map(|(id, _)| id).filter(on_assembly).collect()
}

#[cfg(test)]
mod tests {
    use crate::assembly::tests::{alone, clips_on, ids};
    use deskhand_session::SegmentId;
    use deskhand_toolkit::testing::Desk;
    use serde_json::json;

    /// Corrects the last word of a segment.
    fn correct(desk: &mut Desk, id: SegmentId) -> usize {
        let last = desk.session.segments[&id].words.len() - 1;
        let params = json!({"segment_id": id, "first": last, "count": 1, "text": "Xtown."});
        desk.settle_once("cmd_set_words", params).changes.len()
    }

    fn names(desk: &Desk) -> Vec<String> {
        clips_on(desk, "Voice (assembly)").into_iter().map(|(_, clip)| clip.name).collect()
    }

    #[test]
    fn clips_and_markers_are_called_by_words_that_are_corrected() {
        let mut desk = alone(5.0, &[(0.5, 1.5, "Born in Leeds."), (3.0, 4.0, "Gone to Leeds.")]);
        desk.settle("tool_find_phrases", &json!({"targets": "all"}));
        let gone = json!({"group_ids": ids(&desk, &["Gone to Leeds."])});
        desk.settle("tool_remove_segments", &gone);
        for id in [1, 2].map(SegmentId::new) {
            assert_eq!(correct(&mut desk, id), 2);
        }
        assert_eq!(names(&desk), ["Born in Xtown."]);
        let markers = desk.session.markers.values().map(|marker| marker.name.as_str());
        assert_eq!(markers.collect::<Vec<_>>(), ["removed: Gone to Xtown."]);
    }

    #[test]
    fn another_phrase_of_the_same_words_and_a_name_given_by_hand_stay() {
        let mut desk = alone(5.0, &[(0.5, 1.5, "Yes, Leeds."), (3.0, 4.0, "Yes, Leeds.")]);
        desk.settle("tool_find_phrases", &json!({"targets": "all"}));
        assert_eq!(correct(&mut desk, SegmentId::new(1)), 2);
        assert_eq!(names(&desk), ["Yes, Xtown.", "Yes, Leeds."]);
        let (id, _) = clips_on(&desk, "Voice (assembly)").remove(1);
        desk.session.clips.get_mut(&id).unwrap().name = "Intro".into();
        assert_eq!(correct(&mut desk, SegmentId::new(2)), 1);
        assert_eq!(names(&desk), ["Yes, Xtown.", "Intro"]);
    }
}
