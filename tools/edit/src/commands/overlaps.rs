//! Fades where clips that are moved come to lie over their neighbors, and where they no longer do.

use deskhand_dsp::{Fade, Frames};
use deskhand_session::{Change, ClipId, Crossing, Edit, Fades, Session};
use deskhand_toolkit::Draft;
use std::collections::BTreeMap;

const REASON: &str = "it lies over its neighbor";
const APART: &str = "it lies over no neighbor any more";

/// The edges of clips: `true` is where it ends.
type Edges = BTreeMap<(ClipId, bool), Crossing>;

/// Adds the new fades of moved clips and their neighbors to a draft. `after` is the session after the
/// moves, `moves` the change that moves each.
pub(super) fn fade(
    session: &Session,
    after: &Session,
    moves: &BTreeMap<ClipId, String>,
    draft: &mut Draft,
) {
    let mut was = crossings(session, moves);
    // Only former crossfades: other fades were set by somebody.
    was.retain(|(id, ends), crossing| edge(session, *id, *ends).length == crossing.length());
    let now = crossings(after, moves);
    let mut touched: BTreeMap<ClipId, (Fades, Vec<String>)> = BTreeMap::new();
    for (key, crossing) in was.iter().filter(|(key, _)| !now.contains_key(key)).chain(&now) {
        let (id, ends) = *key;
        let Some(clip) = after.clips.get(&id) else { continue };
        let (fades, needs) = touched.entry(id).or_insert_with(|| (clip.fades(), Vec::new()));
        let is_over = now.contains_key(key);
        let crossed = match (is_over, ends) {
            (false, _) => Fade::default(),
            (true, true) => crossing.ending(clip, crossing.curve(after)).fade_out,
            (true, false) => crossing.beginning(clip, crossing.curve(after)).fade_in,
        };
        *(if ends { &mut fades.fade_out } else { &mut fades.fade_in }) = crossed;
        let own = [crossing.first, crossing.second].into_iter().filter_map(|id| moves.get(&id));
        needs.extend(own.filter(|change| !needs.contains(change)).cloned().collect::<Vec<_>>());
    }
    for (id, (fades, needs)) in touched {
        let Some(clip) = after.clips.get(&id) else { continue };
        let change = Change::SetClipFades(Edit::new(id, clip.fades(), fades.fitted(clip.length)));
        let is_over = now.keys().any(|(crossed, _)| *crossed == id);
        if !change.is_identity() {
            let reason = if is_over { REASON } else { APART };
            draft.dependent(change, clip.name.clone(), reason, needs);
        }
    }
}

/// Where one clip that moves and one that stays lie over each other, by the edges that are in it.
fn crossings(session: &Session, moves: &BTreeMap<ClipId, String>) -> Edges {
    let mut edges = Edges::new();
    let stays = |id: &&ClipId| !moves.contains_key(id);
    for moved in moves.keys() {
        let Some(track) = session.clips.get(moved).map(|clip| clip.track) else { continue };
        let on_track = session.clips.iter().filter(|(_, clip)| clip.track == track);
        for other in on_track.map(|(id, _)| id).filter(stays) {
            let pairs = [(*moved, *other), (*other, *moved)];
            let found = pairs.into_iter().filter_map(|(a, b)| Crossing::of(session, a, b));
            for crossing in found.filter(|it| it.length() > Frames::ZERO) {
                edges.insert((crossing.first, true), crossing);
                edges.insert((crossing.second, false), crossing);
            }
        }
    }
    edges
}

fn edge(session: &Session, id: ClipId, ends: bool) -> Fade {
    let fades = session.clips.get(&id).map(deskhand_session::Clip::fades).unwrap_or_default();
    if ends { fades.fade_out } else { fades.fade_in }
}
