//! A wanted project written into an RPP file.

use std::collections::HashSet;

use super::fields::{Anchored, Guids};
use super::lines::Document;
use super::read::{Parsed, parse};
use super::{markers, write_track};
use crate::format::WriteError;
use crate::project::{Project, linear};
use crate::splice::Splices;
use crate::validate::validate;

pub(crate) fn write(original: &[u8], wanted: &Project) -> Result<Vec<u8>, WriteError> {
    let parsed = parse(original)?;
    validate(&parsed.project, wanted)?;
    let mut splices = Splices::default();
    let mut guids = Guids::of(original);
    if parsed.project.master_gain_db != wanted.master_gain_db {
        let gain = linear(wanted.master_gain_db).to_string();
        let line = Anchored { line: parsed.master, tag: "MASTER_VOLUME", after: 0 };
        line.set(&parsed.document, &mut splices, &[(1, gain)], &["1", "0", "-1", "-1", "1"]);
    }
    write_markers(&parsed, &mut splices, &mut guids, wanted)?;
    write_track::write(&parsed, &mut splices, &mut guids, wanted)?;
    Ok(splices.apply(original, 0..original.len())?)
}

fn write_markers(
    parsed: &Parsed<'_>,
    splices: &mut Splices,
    guids: &mut Guids,
    wanted: &Project,
) -> Result<(), WriteError> {
    let document = &parsed.document;
    let before = crate::validate::Before::of(&parsed.project);
    for marker in &wanted.markers {
        let Some(id) = marker.id.as_deref() else { continue };
        if let Some(place) = parsed.markers.get(id) {
            markers::edit(document, splices, place, before.marker(id)?, marker);
        }
    }
    let kept = wanted.markers.iter().filter_map(|marker| marker.id.as_deref());
    let kept = kept.collect::<HashSet<_>>();
    for (id, place) in &parsed.markers {
        if !kept.contains(id.as_str()) {
            markers::delete(document, splices, place);
        }
    }
    let mut number = highest_marker(document)?;
    let mut lines = String::new();
    for marker in wanted.markers.iter().filter(|marker| marker.id.is_none()) {
        number += 1;
        for line in markers::new(marker, number, guids) {
            lines += &format!("  {line}{}", document.line_end());
        }
    }
    if !lines.is_empty() {
        splices.insert(place_of_markers(document), lines);
    }
    Ok(())
}

fn marker_lines<'d>(document: &'d Document<'_>) -> impl Iterator<Item = usize> + 'd {
    let lines = document.children(0).map(|child| child.line);
    lines.filter(|line| document.tag(*line) == b"MARKER")
}

fn highest_marker(document: &Document<'_>) -> Result<u64, WriteError> {
    let mut highest = 0;
    for line in marker_lines(document) {
        highest = highest.max(document.number(line, 1, 0.0)? as u64);
    }
    Ok(highest)
}

/// After the last marker, or else before the first of what follows markers in a project.
fn place_of_markers(document: &Document<'_>) -> usize {
    if let Some(last) = marker_lines(document).last() {
        return document.line(last).next;
    }
    let mut lines = document.children(0).map(|child| child.line);
    let next = lines.find(|line| matches!(document.tag(*line), b"PROJBAY" | b"TRACK"));
    next.map_or_else(|| document.end(0), |line| document.line(line).start)
}
