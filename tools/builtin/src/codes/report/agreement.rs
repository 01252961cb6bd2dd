//! Agreement between coders: Cohen's kappa (Cohen 1960, "A coefficient of agreement for nominal scales") of each code,
//! over sentences, or over seconds of what has no transcript.

mod kappa;

use super::table::Table;
use super::{Coded, One, share};
use crate::codes::text::Talk;
use deskhand_dsp::{Frames, Seconds};
use deskhand_session::{CodeId, SourceId};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use kappa::Fourfold;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The name of the row of all codes together.
const ALL: &str = "(all codes)";
/// What is told of each code and each two coders.
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
    let coders: BTreeSet<&str> = coded.codings.iter().map(One::coder).collect();
    if coders.len() < 2 {
        let message = "fewer than two people coded here";
        let fix = "merge the session of a second coder first: tool_merge_codings";
        return Err(ToolError::run(Code::NoTarget, message, fix));
    }
    let units = Units::new(coded, talks);
    let marks = Marks::new(coded, &units, context)?;
    let mut table = Table::new("agreement", &COLUMNS);
    let coders: Vec<&str> = coders.into_iter().collect();
    let mut headlines = Vec::new();
    for (index, a) in coders.iter().enumerate() {
        for b in coders.iter().skip(index + 1) {
            context.check()?;
            let all = compare(coded, &marks, &units, [a, b], &mut table);
            headlines.push(format!("{a} and {b}: kappa {:.2}", all.kappa()));
        }
    }
    table.headline = headlines.join("; ");
    if marks.outside > 0 {
        let codings = crate::words::count(marks.outside, "coding");
        table.headline += &format!("; {codings} where nothing is said left out");
    }
    Ok(table)
}

/// Adds a row for each code that one of two coders gave, and one for all together, which is returned.
fn compare(
    coded: &Coded<'_>,
    marks: &Marks<'_>,
    units: &Units,
    coders: [&str; 2],
    table: &mut Table,
) -> Fourfold {
    let mut all = Fourfold::default();
    let count = units.of_both(marks, coders);
    for (code, name) in coded.in_order() {
        let [own, other] = coders.map(|coder| marks.of(code, coder));
        if !own.is_empty() || !other.is_empty() {
            let four = Fourfold::of(own, other, count);
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
struct Units {
    of: BTreeMap<SourceId, Vec<Range<Frames>>>,
    first: BTreeMap<SourceId, usize>,
}

impl Units {
    fn new(coded: &Coded<'_>, talks: &[Talk<'_>]) -> Self {
        let spoken: BTreeMap<SourceId, &Talk<'_>> =
            talks.iter().map(|talk| (talk.source, talk)).collect();
        let sources: BTreeSet<SourceId> =
            coded.codings.iter().map(|one| one.segment.source).collect();
        let (mut of, mut first, mut count) = (BTreeMap::new(), BTreeMap::new(), 0);
        for source in sources {
            let units: Vec<Range<Frames>> = match spoken.get(&source) {
                Some(talk) => talk.sentences.iter().map(|range| talk.frames(range)).collect(),
                None => seconds(coded, source),
            };
            first.insert(source, count);
            count += units.len();
            of.insert(source, units);
        }
        Self { of, first }
    }

    /// How many units there are in the sources that one of two coders coded anything of.
    fn of_both(&self, marks: &Marks<'_>, coders: [&str; 2]) -> u64 {
        let none = BTreeSet::new();
        let [a, b] = coders.map(|coder| marks.sources.get(coder).unwrap_or(&none));
        let units = a.union(b).filter_map(|source| self.of.get(source));
        units.map(|units| units.len() as u64).sum()
    }

    /// The units that a range covers at least half of, or that cover at least half of it.
    fn covered(&self, source: SourceId, range: &Range<Frames>) -> Vec<usize> {
        let (Some(units), Some(first)) = (self.of.get(&source), self.first.get(&source)) else {
            return Vec::new();
        };
        let from = units.partition_point(|unit| unit.end <= range.start);
        let near = units.iter().enumerate().skip(from);
        let near = near.take_while(|(_, unit)| unit.start < range.end);
        near.filter(|(_, unit)| {
            let shared = unit.end.min(range.end) - unit.start.max(range.start);
            let shorter = (unit.end - unit.start).min(range.end - range.start);
            shared.0 * 2 >= shorter.0
        })
        .map(|(index, _)| first + index)
        .collect()
    }
}

/// A source second by second.
fn seconds(coded: &Coded<'_>, source: SourceId) -> Vec<Range<Frames>> {
    let rate = coded.session.rate;
    let end = coded.session.sources.get(&source).map_or(Frames::ZERO, |source| source.frames);
    let at = |second: u32| Seconds(f64::from(second)).frames(rate);
    let starts = (0..).map(at).take_while(|start| *start < end);
    starts.zip((1..).map(at)).map(|(start, next)| start..next.min(end)).collect()
}

/// Which units each coder gave each code.
struct Marks<'a> {
    of: BTreeMap<&'a str, BTreeMap<CodeId, BTreeSet<usize>>>,
    /// What each coder coded anything of.
    sources: BTreeMap<&'a str, BTreeSet<SourceId>>,
    /// Codings that lie in no unit.
    outside: usize,
}

impl<'a> Marks<'a> {
    fn new(coded: &'a Coded<'_>, units: &Units, context: &PlanContext) -> Result<Self, ToolError> {
        let mut marks = Self { of: BTreeMap::new(), sources: BTreeMap::new(), outside: 0 };
        for (index, one) in coded.codings.iter().enumerate() {
            if index % 1024 == 0 {
                context.check()?;
            }
            let (source, coder) = (one.segment.source, one.coder());
            marks.sources.entry(coder).or_default().insert(source);
            let covered = units.covered(source, &one.frames());
            marks.outside += usize::from(covered.is_empty());
            let own = marks.of.entry(coder).or_default();
            own.entry(one.coding.code).or_default().extend(covered);
        }
        Ok(marks)
    }

    fn of(&self, code: CodeId, coder: &str) -> &BTreeSet<usize> {
        static NONE: BTreeSet<usize> = BTreeSet::new();
        self.of.get(coder).and_then(|own| own.get(&code)).unwrap_or(&NONE)
    }
}
