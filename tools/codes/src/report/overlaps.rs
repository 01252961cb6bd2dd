//! Codes that share time: each place, and how much of the time of two codes that is.

use super::coded::{Coded, One};
use super::table::{Table, share};
use deskhand_dsp::Frames;
use deskhand_session::text::count;
use deskhand_session::{CodeId, SourceId};
use deskhand_toolkit::{PlanContext, ToolError};
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::Range;

/// The most places that are listed; more are only counted.
const MOST: usize = 100_000;

/// Each place where two codes of a coder share time, and frequencies and words where both are about some.
pub(super) fn places(coded: &Coded<'_>, context: &PlanContext) -> Result<Table, ToolError> {
    let columns = ["code_a", "code_b", "coder", "source", "start_s", "end_s", "seconds", "text"];
    let mut table = Table::new("overlaps", &columns);
    let name = |one: &One<'_>| coded.names.get(&one.coding.code).cloned().unwrap_or_default();
    pairs(coded, context, |a, b, shared| {
        if table.rows.len() == MOST {
            return;
        }
        let (a, b) = if name(a) <= name(b) { (a, b) } else { (b, a) };
        let who = coded.quotes.whose(a.segment).or(coded.quotes.whose(b.segment));
        table.push([
            json!(name(a)),
            json!(name(b)),
            json!(a.coder()),
            json!(coded.source(a)),
            json!(coded.seconds(shared.start)),
            json!(coded.seconds(shared.end)),
            json!(coded.seconds(shared.end - shared.start)),
            json!(coded.quotes.text(a.segment.source, &shared, who)),
        ]);
    })?;
    Ok(table)
}

/// Of each coder and each two codes of theirs that share time: how often, how long, and which share of the time of both that is.
pub(super) fn cooccurrence(coded: &Coded<'_>, context: &PlanContext) -> Result<Table, ToolError> {
    let mut counts: BTreeMap<(&str, CodeId, CodeId), usize> = BTreeMap::new();
    pairs(coded, context, |one, other, _| {
        let (a, b) = (one.coding.code, other.coding.code);
        *counts.entry((one.coder(), a.min(b), a.max(b))).or_default() += 1;
    })?;
    let mut times: BTreeMap<(&str, CodeId), Covered> = BTreeMap::new();
    for one in &coded.codings {
        let own = times.entry((one.coder(), one.coding.code)).or_default();
        own.add(one.segment.source, one.frames());
    }
    let columns = ["code_a", "code_b", "coder", "count", "seconds", "share"];
    let mut table = Table::new("cooccurrence", &columns);
    let mut rows: Vec<_> = counts
        .into_iter()
        .map(|((coder, a, b), count)| {
            let mut names =
                [a, b].map(|id| (coded.names.get(&id).cloned().unwrap_or_default(), id));
            names.sort();
            (names, coder, count)
        })
        .collect();
    rows.sort();
    let none = Covered::default();
    for ([(name_a, a), (name_b, b)], coder, count) in rows {
        let [a, b] = [a, b].map(|id| times.get(&(coder, id)).unwrap_or(&none));
        let shared = a.shared(b);
        let all = a.length() + b.length() - shared;
        let part = shared.0 as f64 / all.0.max(1) as f64;
        table.push([
            json!(name_a),
            json!(name_b),
            json!(coder),
            json!(count),
            json!(coded.seconds(shared)),
            share(part),
        ]);
    }
    table.headline = count(table.rows.len(), "pair");
    Ok(table)
}

/// Calls `hear` with every two codings of two codes that share time, each pair once. Only codings of one
/// coder are compared, because places that two people chose say nothing about how codes go together. The
/// codings are sorted by source and start, so only those that still go on are compared.
fn pairs<'a>(
    coded: &'a Coded<'_>,
    context: &PlanContext,
    mut hear: impl FnMut(&'a One<'_>, &'a One<'_>, Range<Frames>),
) -> Result<(), ToolError> {
    let mut going: Vec<&One<'_>> = Vec::new();
    for (index, one) in coded.codings.iter().enumerate() {
        if index % 256 == 0 {
            context.check()?;
        }
        let (source, start) = (one.segment.source, one.segment.start);
        going.retain(|other| other.segment.source == source && other.segment.end() > start);
        for other in &going {
            let is_pair =
                other.coding.code != one.coding.code && other.coding.coder == one.coding.coder;
            if is_pair && share_band(one, other) && share_words(coded, one, other) {
                hear(other, one, start..one.segment.end().min(other.segment.end()));
            }
        }
        going.push(one);
    }
    Ok(())
}

fn share_band(a: &One<'_>, b: &One<'_>) -> bool {
    match (a.segment.band, b.segment.band) {
        (Some(a), Some(b)) => a.low_hz < b.high_hz && b.low_hz < a.high_hz,
        (Some(_) | None, _) => true,
    }
}

/// Whether not each is about the words of somebody else.
fn share_words(coded: &Coded<'_>, a: &One<'_>, b: &One<'_>) -> bool {
    match (coded.quotes.whose(a.segment), coded.quotes.whose(b.segment)) {
        (Some(a), Some(b)) => a == b,
        (Some(_) | None, _) => true,
    }
}

/// How many frames these ranges cover, each frame once.
pub(super) fn covered(ranges: impl Iterator<Item = (SourceId, Range<Frames>)>) -> Frames {
    let mut all = Covered::default();
    ranges.for_each(|(source, range)| all.add(source, range));
    all.length()
}

/// Ranges of sources, which come in order of their start.
#[derive(Default)]
struct Covered(BTreeMap<SourceId, Vec<Range<Frames>>>);

impl Covered {
    fn add(&mut self, source: SourceId, range: Range<Frames>) {
        let own = self.0.entry(source).or_default();
        match own.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => own.push(range),
        }
    }

    fn length(&self) -> Frames {
        let frames = self.0.values().flatten().map(|range| range.end.0 - range.start.0);
        Frames(frames.sum())
    }

    /// How many frames both cover.
    fn shared(&self, other: &Self) -> Frames {
        let both = self.0.iter().filter_map(|(source, own)| Some((own, other.0.get(source)?)));
        Frames(both.map(|(a, b)| intersection(a, b)).sum())
    }
}

fn intersection(a: &[Range<Frames>], b: &[Range<Frames>]) -> i64 {
    let (mut at_a, mut at_b, mut sum) = (0, 0, 0);
    while let (Some(one), Some(other)) = (a.get(at_a), b.get(at_b)) {
        sum += (one.end.min(other.end).0 - one.start.max(other.start).0).max(0);
        if one.end <= other.end {
            at_a += 1;
        } else {
            at_b += 1;
        }
    }
    sum
}
