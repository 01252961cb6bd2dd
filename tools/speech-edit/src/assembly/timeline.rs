//! From an assembly to the changes that let the timeline follow it: only what differs is touched.

use super::regroup::Heirs;
use deskhand_dsp::Frames;
use deskhand_edit::assembly::block::{self, Block, Placed};
use deskhand_edit::assembly::ids;
use deskhand_edit::assembly::markers::marked;
use deskhand_session::text::names;
use deskhand_session::{Assembly, Change, Clip, ClipId, ClipWindow, Edit, PhraseId, Session};
use deskhand_toolkit::{Draft, PlanContext};
use std::collections::{BTreeMap, BTreeSet};

/// The reason for removing what was made of a phrase that was grouped again.
pub(super) const ANEW: &str = "it is not written down like this any more";

/// A step: the assembly afterwards, and the blocks of phrases that are not on the timeline yet.
pub(super) struct Step {
    /// How the assembly is afterwards.
    pub(super) after: Assembly,
    /// Blocks to be put in.
    pub(super) built: Vec<Block>,
    /// Why, for people.
    pub(super) reason: String,
    /// The replacements for phrases that are grouped again.
    pub(super) heirs: Heirs,
    /// The session with its phrases as they will be, where others are made.
    pub(super) renewed: Option<Session>,
}

impl Step {
    /// A step that puts nothing in.
    pub(super) fn new(after: Assembly, reason: impl Into<String>) -> Self {
        let (built, heirs) = (Vec::new(), Heirs::default());
        Self { after, built, reason: reason.into(), heirs, renewed: None }
    }

    /// Adds the changes of the step to `draft`. All or none are taken. The changes from `first` on belong
    /// to it.
    pub(super) fn add_to(self, draft: &mut Draft, context: &PlanContext, first: usize) {
        let session = &*context.session;
        let now = block::standing(session);
        let then = self.laid(session, &now, draft);
        clips(draft, session, &now, &then, &self.reason);
        markers(draft, session, &self, &now, &then);
        let before = draft.changes.get(first..).unwrap_or_default().iter();
        let cleared = before.clone().any(|c| matches!(c.change, Change::SetAssembly(_)));
        let old = if cleared { Assembly::default() } else { session.assembly.clone() };
        let change = Change::SetAssembly(Edit::new(session.id, old, self.after));
        if !change.is_identity() {
            draft.change(change, "Assembly".into(), self.reason);
        }
        tie(draft, first);
    }

    /// The blocks in their new order and places.
    fn laid(&self, session: &Session, now: &[Placed], draft: &mut Draft) -> Vec<Placed> {
        let standing = now.iter().map(|placed| (placed.block.phrase, &placed.block));
        let mut known: BTreeMap<PhraseId, &Block> = standing.collect();
        known.extend(self.built.iter().map(|block| (block.phrase, block)));
        let blocks = self.after.order.iter().filter_map(|id| known.get(id).copied().cloned());
        let mut blocks: Vec<Block> = blocks.collect();
        self.take_back(self.renewed.as_ref().unwrap_or(session), &mut blocks);
        let without = self.after.order.iter().filter(|id| !known.contains_key(id));
        let without: Vec<String> = without.map(|id| session.name_of((*id).into())).collect();
        if !without.is_empty() {
            let told =
                "no clip of it is on the assembly tracks; tool_restore_segments puts it back";
            draft.warnings.push(format!("{}: {told}", names(&without)));
        }
        block::laid(blocks, session.rate)
    }

    /// A rebuilt phrase has its own clips, so its remains in other blocks go: those under a crossfade, and
    /// those of its pauses.
    fn take_back(&self, session: &Session, blocks: &mut [Block]) {
        let is_rest = |id: &ClipId, clip: &Clip| {
            let mut built = self.built.iter();
            built.any(|block| {
                block.clips.iter().any(|(own, _)| own == id) || is_left_of(session, block, clip)
            })
        };
        let anew: BTreeSet<PhraseId> = self.built.iter().map(|block| block.phrase).collect();
        for block in blocks.iter_mut().filter(|block| !anew.contains(&block.phrase)) {
            let count = block.clips.len();
            block.clips.retain(|(id, clip)| !is_rest(id, clip));
            if block.clips.len() < count {
                let first = block.clips.iter().map(|(_, clip)| clip.position).min();
                for (_, clip) in &mut block.clips {
                    clip.position -= first.unwrap_or_default();
                }
                let ends = block.clips.iter().map(|(_, clip)| clip.end());
                block.length = ends.max().unwrap_or(block.length);
            }
        }
    }
}

/// Whether a clip is the rest of a block: no more than a crossfade, or a pause of it.
fn is_left_of(session: &Session, block: &Block, clip: &Clip) -> bool {
    let mut wholes = block.clips.iter().filter(|(_, whole)| holds(whole, clip));
    wholes.any(|(_, whole)| {
        let is_pause = whole.name == clip.name && !block::holds_word(session, clip, block.phrase);
        is_pause || clip.length <= block::crossfade(session.rate)
    })
}

/// Whether a clip plays all that another one plays.
fn holds(whole: &Clip, part: &Clip) -> bool {
    whole.source == part.source
        && whole.start <= part.start
        && part.start + part.length <= whole.start + whole.length
}

/// The changes from one set of blocks to another.
fn clips(draft: &mut Draft, session: &Session, now: &[Placed], then: &[Placed], reason: &str) {
    // In the order in which they play, as a person reads a plan.
    let after: Vec<(ClipId, Clip)> = then.iter().flat_map(on_timeline).collect();
    let stays: BTreeSet<ClipId> = after.iter().map(|(id, _)| *id).collect();
    let standing = now.iter().flat_map(|placed| &placed.block.clips).map(|(id, _)| *id);
    for id in standing.filter(|id| !stays.contains(id)) {
        if let Some(clip) = session.clips.get(&id) {
            let change = Change::RemoveClip(Edit::remove(id, clip.clone()));
            draft.change(change, clip.name.clone(), reason);
        }
    }
    for (id, clip) in after {
        match session.clips.get(&id) {
            Some(before) => differences(draft, id, before, &clip, reason),
            None => {
                let name = clip.name.clone();
                draft.change(Change::AddClip(Edit::create(id, clip)), name, reason);
            }
        }
    }
}

fn on_timeline(placed: &Placed) -> impl Iterator<Item = (ClipId, Clip)> {
    let start = placed.start;
    let moved = move |clip: &Clip| Clip { position: clip.position + start, ..clip.clone() };
    placed.block.clips.iter().map(move |(id, clip)| (*id, moved(clip)))
}

fn differences(draft: &mut Draft, id: ClipId, before: &Clip, after: &Clip, reason: &str) {
    let fades = Change::SetClipFades(Edit::new(id, before.fades(), after.fades()));
    let fades = (fades, "it borders on another phrase");
    // The rest of a phrase that was cut out becomes whole again. Fades never reach over the length.
    let window = ClipWindow { position: before.position, ..after.window() };
    let window = (Change::TrimClip(Edit::new(id, before.window(), window)), reason);
    let [first, second] =
        if after.length < before.length { [fades, window] } else { [window, fades] };
    let place = Change::MoveClip(Edit::new(id, before.place(), after.place()));
    for (change, reason) in [first, second, (place, reason)] {
        if !change.is_identity() {
            draft.change(change, before.name.clone(), reason);
        }
    }
}

/// Markers for removed phrases, each before the same phrase as earlier. Takes that were not chosen have
/// theirs at the take that plays.
fn markers(draft: &mut Draft, session: &Session, step: &Step, now: &[Placed], then: &[Placed]) {
    let (mut starts, end) = block::starts(then);
    for (old, new) in step.heirs.firsts() {
        if let Some(at) = starts.get(&new).copied() {
            starts.insert(old, at);
        }
    }
    let Assembly { duplicates, removed, .. } = &step.after;
    let others = duplicates.iter().flat_map(|set| set.others().map(|take| (take, set.chosen)));
    let others: BTreeMap<PhraseId, PhraseId> = others.collect();
    let wanted: BTreeSet<PhraseId> = removed.iter().chain(others.keys()).copied().collect();
    let renewed = step.renewed.as_ref().unwrap_or(session);
    let all = session.phrases.keys().chain(renewed.phrases.keys());
    for id in all.copied().collect::<BTreeSet<PhraseId>>() {
        let marker = ids::marker(id);
        let known = session.markers.get(&marker);
        if wanted.contains(&id) {
            let stood = step.heirs.old_of(id).unwrap_or(id);
            let chosen = others.get(&id).copied().filter(|chosen| starts.contains_key(chosen));
            let next = || next_playing(now, &starts, anchor(session, now, stood));
            let position = chosen.or_else(next).and_then(|at| starts.get(&at)).copied();
            let position = position.unwrap_or(end);
            let code = if others.contains_key(&id) { "take" } else { "removed" };
            for change in marked(renewed, id, known, position, code) {
                draft.change(change, renewed.name_of(id.into()), "does not play here");
            }
        } else if let Some(known) = known {
            let change = Change::RemoveMarker(Edit::remove(marker, known.clone()));
            let reason = if renewed.phrases.contains_key(&id) { "it plays again" } else { ANEW };
            draft.change(change, session.name_of(id.into()), reason);
        }
    }
}

/// The index of the block where a phrase belongs: its own, or the one after its marker.
pub(super) fn anchor(session: &Session, now: &[Placed], id: PhraseId) -> usize {
    if let Some(at) = now.iter().position(|placed| placed.block.phrase == id) {
        return at;
    }
    let marker = session.markers.get(&ids::marker(id));
    marker.map_or(now.len(), |marker| now.partition_point(|p| p.start < marker.position))
}

/// The first of the blocks from `at` on that still plays.
fn next_playing(
    now: &[Placed],
    starts: &BTreeMap<PhraseId, Frames>,
    at: usize,
) -> Option<PhraseId> {
    let phrases = now.get(at..).unwrap_or_default().iter().map(|placed| placed.block.phrase);
    phrases.into_iter().find(|phrase| starts.contains_key(phrase))
}

/// Makes the changes from `first` on need each other in a ring: each needs the previous one, and the first
/// needs the last. Without it, a part of a step would leave timeline and assembly out of step.
fn tie(draft: &mut Draft, first: usize) {
    let Some(ring) = draft.changes.get_mut(first..).filter(|ring| ring.len() > 1) else {
        return;
    };
    let ids: Vec<String> = ring.iter().map(|change| change.id.clone()).collect();
    for (change, ahead) in ring.iter_mut().zip(ids.iter().cycle().skip(ids.len() - 1)) {
        change.needs = vec![ahead.clone()];
    }
}
