//! Agreement between coders: Cohen's kappa (Cohen 1960, "A coefficient of agreement for nominal scales") of
//! each code, over sentences, or over seconds if there is no transcript. Codings that both had when a
//! session was copied do not count.

mod kappa;
mod shared;

use super::coded::Coded;
use super::table::{Table, share};
use crate::text::Talk;
use deskhand_dsp::{Frames, Seconds};
use deskhand_session::{CodeId, SourceId};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use kappa::Fourfold;
use serde_json::{Value, json};
use shared::{Shared, begun, left_out, worked_on};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The name of the row of all codes together.
const ALL: &str = "(all codes)";
/// The columns for each code and each two coders.
const COLUMNS: [&str; 10] = [
    "code",
    "coder_a",
    "coder_b",
    "units",
    "both",
    "only_a",
    "only_b",
    "neither",
    "agreement",
    "kappa",
];

/// A row for each code and each two coders, and one for all codes together.
///
/// # Errors
/// When fewer than two people coded.
pub(super) fn table(
    coded: &Coded<'_>,
    talks: &[Talk<'_>],
    context: &PlanContext,
) -> Result<Table, ToolError> {
    if coded.coders.len() < 2 {
        let message = "fewer than two people coded here";
        let fix = "merge the session of a second coder first: tool_merge_codings";
        return Err(ToolError::run(Code::NoTarget, message, fix));
    }
    let units = Units::new(coded, talks);
    let marks = Marks::new(coded, &units, context)?;
    let mut table = Table::new("agreement", &COLUMNS);
    let coders: Vec<&str> = coded.coders.keys().copied().collect();
    let mut headlines = Vec::new();
    for (index, a) in coders.iter().enumerate() {
        for b in coders.iter().skip(index + 1) {
            context.check()?;
            let all = compare(coded, &marks, &units, [a, b], &mut table);
            headlines.push(format!("{a} and {b}: kappa {:.2}", all.kappa()));
        }
    }
    table.headline = headlines.join("; ");
    let inherited = left_out(&marks.shared, coded);
    if inherited > 0 {
        let codings = deskhand_session::text::count(inherited, "coding");
        let told =
            "from before the session was copied left out on both sides, with the units they cover";
        table.headline += &format!("; {codings} {told}");
    }
    if marks.outside > 0 {
        let codings = deskhand_session::text::count(marks.outside, "coding");
        table.headline += &format!("; {codings} where nothing is said left out");
    }
    Ok(table)
}

/// Adds a row for each code that one of two coders gave, and one for all together, which is returned.
fn compare(
    coded: &Coded<'_>,
    marks: &Marks<'_>,
    units: &Units<'_>,
    coders: [&str; 2],
    table: &mut Table,
) -> Fourfold {
    let mut all = Fourfold::default();
    let units = units.within(&worked_on(coded, coders));
    let (had, none) = (begun(&marks.shared, coders), BTreeSet::new());
    for (code, name) in coded.in_order() {
        let had = had.get(&code).unwrap_or(&none);
        let [own, other] = coders.map(|coder| marks.of(code, coder) - had);
        if !own.is_empty() || !other.is_empty() {
            let open = units.len() - units.intersection(had).count();
            let four = Fourfold::of(&own, &other, open as u64);
            all.add(four);
            table.push(row(name, coders, four));
        }
    }
    table.push(row(ALL, coders, all));
    all
}

fn row(code: &str, [a, b]: [&str; 2], four: Fourfold) -> [Value; COLUMNS.len()] {
    [
        json!(code),
        json!(a),
        json!(b),
        json!(four.units()),
        json!(four.both),
        json!(four.only_a),
        json!(four.only_b),
        json!(four.neither),
        share(four.agreement()),
        share(four.kappa()),
    ]
}

/// What coders agree or disagree on, numbered through all sources.
struct Units<'a> {
    of: BTreeMap<SourceId, Row<'a>>,
}

/// The units of a source, by their start.
struct Row<'a> {
    /// The number of the first.
    first: usize,
    units: Vec<Unit<'a>>,
    /// How far those up to each reach; people may talk at once.
    reach: Vec<Frames>,
}

/// A sentence of somebody, or a second.
struct Unit<'a> {
    frames: Range<Frames>,
    speaker: Option<&'a str>,
}

impl<'a> Units<'a> {
    fn new(coded: &Coded<'_>, talks: &'a [Talk<'a>]) -> Self {
        let spoken: BTreeMap<SourceId, &Talk<'_>> =
            talks.iter().map(|talk| (talk.source, talk)).collect();
        let (mut of, mut first) = (BTreeMap::new(), 0);
        let sources: BTreeSet<SourceId> = coded.coders.values().flatten().copied().collect();
        for source in sources {
            let units = match spoken.get(&source) {
                Some(talk) => sentences(talk),
                None => seconds(coded, source),
            };
            let count = units.len();
            of.insert(source, Row::new(first, units));
            first += count;
        }
        Self { of }
    }

    /// The units of sources, by their numbers.
    fn within(&self, sources: &BTreeSet<SourceId>) -> BTreeSet<usize> {
        let rows = sources.iter().filter_map(|source| self.of.get(source));
        rows.flat_map(|row| row.first..row.first + row.units.len()).collect()
    }

    /// The units that a range covers at least half of, or that cover at least half of it. If it is about
    /// the words of `who`, only theirs.
    fn covered(&self, source: SourceId, range: &Range<Frames>, who: Option<&str>) -> Vec<usize> {
        let Some(row) = self.of.get(&source) else { return Vec::new() };
        let from = row.reach.partition_point(|end| *end <= range.start);
        let near = row.units.iter().enumerate().skip(from);
        let near = near.take_while(|(_, unit)| unit.frames.start < range.end);
        let near = near.filter(|(_, unit)| who.is_none() || unit.speaker == who);
        near.filter(|(_, unit)| unit.is_shared(range)).map(|(index, _)| row.first + index).collect()
    }
}

impl<'a> Row<'a> {
    fn new(first: usize, mut units: Vec<Unit<'a>>) -> Self {
        units.sort_by_key(|unit| (unit.frames.start, unit.frames.end));
        let mut furthest = Frames::ZERO;
        let reach = units.iter().map(|unit| {
            furthest = furthest.max(unit.frames.end);
            furthest
        });
        Self { first, reach: reach.collect(), units }
    }
}

impl Unit<'_> {
    /// Whether at least half of the unit, or half of a range, is both.
    fn is_shared(&self, range: &Range<Frames>) -> bool {
        let own = &self.frames;
        let shared = own.end.min(range.end) - own.start.max(range.start);
        let shorter = (own.end - own.start).min(range.end - range.start);
        shared.0 > 0 && shared.0 * 2 >= shorter.0
    }
}

fn sentences<'a>(talk: &'a Talk<'a>) -> Vec<Unit<'a>> {
    let unit = |range: &Range<usize>| Unit {
        frames: talk.frames(range),
        speaker: talk.said.speaker(range.start),
    };
    talk.sentences.iter().map(unit).collect()
}

/// A source second by second.
fn seconds<'a>(coded: &Coded<'_>, source: SourceId) -> Vec<Unit<'a>> {
    let rate = coded.session.rate;
    let end = coded.session.sources.get(&source).map_or(Frames::ZERO, |source| source.frames);
    let at = |second: u32| Seconds(f64::from(second)).frames(rate);
    let starts = (0..).map(at).take_while(|start| *start < end);
    let unit =
        |(start, next): (Frames, Frames)| Unit { frames: start..next.min(end), speaker: None };
    starts.zip((1..).map(at)).map(unit).collect()
}

/// Which units each coder gave each code.
struct Marks<'a> {
    of: BTreeMap<&'a str, BTreeMap<CodeId, BTreeSet<usize>>>,
    /// Codings that several have from before a session was copied.
    shared: Vec<Shared<'a>>,
    /// Codings that lie in no unit.
    outside: usize,
}

impl<'a> Marks<'a> {
    fn new(
        coded: &'a Coded<'_>,
        units: &Units<'_>,
        context: &PlanContext,
    ) -> Result<Self, ToolError> {
        let mut marks = Self { of: BTreeMap::new(), shared: Vec::new(), outside: 0 };
        for (index, one) in coded.codings.iter().enumerate() {
            if index % 1024 == 0 {
                context.check()?;
            }
            let who = coded.quotes.whose(one.segment);
            let covered = units.covered(one.segment.source, &one.frames(), who);
            marks.outside += usize::from(covered.is_empty());
            marks.shared.extend(Shared::of(one, &covered));
            let others = one.coding.shared_with.iter().map(String::as_str);
            for coder in std::iter::once(one.coder()).chain(others) {
                let own = marks.of.entry(coder).or_default();
                own.entry(one.coding.code).or_default().extend(&covered);
            }
        }
        Ok(marks)
    }

    fn of(&self, code: CodeId, coder: &str) -> &BTreeSet<usize> {
        static NONE: BTreeSet<usize> = BTreeSet::new();
        self.of.get(coder).and_then(|own| own.get(&code)).unwrap_or(&NONE)
    }
}
