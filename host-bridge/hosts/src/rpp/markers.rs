//! Lines MARKER: a marker is one line, a region two lines of one number.

use std::collections::HashMap;

use super::fields::{Guids, set_fields};
use super::lines::{Document, quoted};
use crate::format::ReadError;
use crate::project::{Left, ProjectMarker};
use crate::splice::Splices;

/// Where a marker's lines are.
pub(super) struct MarkerLines {
    pub(super) line: usize,
    /// The second line of a region.
    end: Option<usize>,
}

/// GUID, fallback id, marker and its place.
type Found = (Option<String>, String, ProjectMarker, MarkerLines);

/// All markers of `lines`, in the order of their first lines.
pub(super) fn read(
    document: &Document<'_>,
    lines: &[usize],
    left: &mut Left,
) -> Result<Vec<Found>, ReadError> {
    let mut found: Vec<Found> = Vec::new();
    let mut open = HashMap::new();
    for &line in lines {
        let number = document.number(line, 1, 0.0)?;
        let position = document.number(line, 2, 0.0)?;
        let is_region = document.number(line, 4, 0.0)? as u64 & 1 == 1;
        if let Some(region) = open.remove(&number.to_bits()).filter(|_| is_region) {
            let (.., marker, place): &mut Found = &mut found[region];
            marker.length = (position - marker.position).max(0.0);
            place.end = Some(line);
            continue;
        }
        if is_region {
            open.insert(number.to_bits(), found.len());
        }
        let kind = if is_region { "region" } else { "marker" };
        let name = document.text(line, 3).unwrap_or_default().into_owned();
        let guid = (5..12).filter_map(|field| document.text(line, field));
        let guid = guid.into_iter().find(|text| text.starts_with('{'));
        let marker = ProjectMarker { id: None, name, position, length: 0.0 };
        let fallback = format!("{kind} {number}");
        found.push((guid.map(Into::into), fallback, marker, MarkerLines { line, end: None }));
    }
    let mut halves = open.into_values().collect::<Vec<_>>();
    halves.sort_unstable();
    for region in halves.into_iter().rev() {
        found.remove(region);
        left.count("region without an end", "regions without an end");
    }
    Ok(found)
}

/// The lines of `place` become `new`.
pub(super) fn edit(
    document: &Document<'_>,
    splices: &mut Splices,
    place: &MarkerLines,
    old: &ProjectMarker,
    new: &ProjectMarker,
) {
    let mut fields = Vec::new();
    if old.position != new.position {
        fields.push((2, new.position.to_string()));
    }
    if old.name != new.name {
        fields.push((3, quoted(&new.name)));
    }
    set_fields(document, splices, place.line, &fields, &["0", "0", "\"\""]);
    let is_moved = old.position != new.position || old.length != new.length;
    if let Some(end) = place.end.filter(|_| is_moved) {
        let position = (new.position + new.length).to_string();
        set_fields(document, splices, end, &[(2, position)], &["0", "0"]);
    }
}

pub(super) fn delete(document: &Document<'_>, splices: &mut Splices, place: &MarkerLines) {
    for line in [Some(place.line), place.end].into_iter().flatten() {
        splices.delete(document.line(line).start..document.line(line).next);
    }
}

/// The lines of a new marker, without indentation and line ends.
pub(super) fn new(marker: &ProjectMarker, number: u64, guids: &mut Guids) -> Vec<String> {
    let ProjectMarker { name, position, length, .. } = marker;
    let (name, guid) = (quoted(name), guids.next());
    let end = position + length;
    match *length > 0.0 {
        false => vec![format!("MARKER {number} {position} {name} 0 0 1 B {guid} 0")],
        true => vec![
            format!("MARKER {number} {position} {name} 1 0 1 B {guid} 0"),
            format!("MARKER {number} {end} \"\" 1"),
        ],
    }
}
