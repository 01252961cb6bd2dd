//! Markers where phrases of an assembly were: other takes, and phrases that are removed.

use super::ids;
use deskhand_dsp::Frames;
use deskhand_session::{Change, Edit, Marker, MarkerSpan, PhraseId, Session};

/// The longest name of a marker, in characters.
const LONGEST_NAME: usize = 120;

/// The changes that mark where a phrase was that is removed.
pub fn marked_removed(session: &Session, id: PhraseId, at: Frames) -> Vec<Change> {
    marked(session, id, session.markers.get(&ids::marker(id)), at, "removed")
}

/// The changes that mark with a code where a phrase was, in place of `known` or anew.
pub fn marked(
    session: &Session,
    id: PhraseId,
    known: Option<&Marker>,
    position: Frames,
    code: &str,
) -> Vec<Change> {
    let marker = ids::marker(id);
    let name = named(session, id, code);
    let code = Some(code.to_owned());
    let Some(known) = known else {
        let new = Marker { name, position, length: Frames::ZERO, code };
        return vec![Change::AddMarker(Edit::create(marker, new))];
    };
    let span = MarkerSpan { position, ..known.span() };
    let renamed = if known.code == code { known.name.clone() } else { name };
    let all = [
        Change::MoveMarker(Edit::new(marker, known.span(), span)),
        Change::RenameMarker(Edit::new(marker, known.name.clone(), renamed)),
        Change::SetMarkerCode(Edit::new(marker, known.code.clone(), code)),
    ];
    all.into_iter().filter(|change| !change.is_identity()).collect()
}

/// What the name of a marker begins with, by its code.
fn lead(code: &str) -> &'static str {
    if code == "take" { "other take: " } else { "removed: " }
}

fn named(session: &Session, id: PhraseId, code: &str) -> String {
    let text = session.spoken(id).map(|spoken| spoken.text).unwrap_or_default();
    shortened(&format!("{}{text}", lead(code)))
}

/// What the marker of a phrase that does not play is called by the words as they are; one that somebody gave another
/// name keeps it.
pub fn marker_name(session: &Session, id: PhraseId, marker: &Marker) -> String {
    let code = ["take", "removed"].into_iter().find(|code| marker.name.starts_with(lead(code)));
    code.map_or_else(|| marker.name.clone(), |code| named(session, id, code))
}

fn shortened(name: &str) -> String {
    let plain = name.chars().map(|c| if c.is_control() { ' ' } else { c });
    if name.chars().count() <= LONGEST_NAME {
        return plain.collect();
    }
    plain.take(LONGEST_NAME - 1).chain(['…']).collect()
}
