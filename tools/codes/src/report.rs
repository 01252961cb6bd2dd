//! `tool_report_codes`: codings, counted, compared and quoted.

mod agreement;
mod coded;
mod overlaps;
mod table;
#[cfg(test)]
mod tests;

use super::files::Ending;
use super::find::{self, Several};
use super::quote;
use coded::{Coded, One, under};
use deskhand_session::intent::{Intent, Kinds, TextKind};
use deskhand_session::text::count;
use deskhand_session::{CodeId, ObjectId, Session, SourceId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::files::{next_free, place, write_new};
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, Offers, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use table::Table;

/// The rows that an answer shows; a file has all.
const SHOWN: usize = 200;

/// `tool_report_codes`.
pub(super) struct ReportCodes;

/// The report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// Per code: codings (with subcodes), sources, words and seconds.
    Counts,
    /// Per pair of a coder's codes that overlap: how often, how long, and the share of their total time.
    Cooccurrence,
    /// Each place where two codes of a coder overlap.
    Overlaps,
    /// The spoken words of each coding, by code.
    Quotes,
    /// Agreement of coders per code: Cohen's kappa over sentences, or seconds without a transcript.
    Agreement,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The report.
    report: Kind,
    /// Only these codes and their subcodes: one or a list of ids, names or paths. Omitted: all.
    codes: Option<Several>,
    /// A .csv or .json file for the whole report; it must not exist. A relative path starts at the session's
    /// parent folder. Omitted: no file.
    #[schemars(length(min = 5, max = 4096))]
    path: Option<String>,
    /// If `path` exists, write to the next free name, such as codes-2.csv; omitted: refuse.
    #[serde(default)]
    or_next_free: bool,
}

/// The call against the session.
pub(super) struct Resolved {
    kind: Kind,
    only: Option<BTreeSet<CodeId>>,
    file: Option<(String, Ending)>,
    or_next_free: bool,
}

/// The reports, as they are asked for and as their files are called.
const REPORTS: [(&str, &str, &str); 5] = [
    ("counts", "code report | code", "codes"),
    ("quotes", "quote | coding", "quotes"),
    ("cooccurrence", "co occurrence", "cooccurrence"),
    ("overlaps", "overlap", "overlaps"),
    ("agreement", "agreement", "agreement"),
];

// tidy: table
fn says() -> Vec<Intent> {
    let report = |intent: Intent, kind: &str| intent.also("code | of:code").sets("report", kind);
    let of_codes = |intent: Intent| {
        intent.said("codes", "- | for | of | about | below | as | with", TextKind::Codes)
    };
    let quotes = |intent: Intent| report(of_codes(intent.also("every | anyone | as")), "quotes");
    let counts = |verbs: &str| report(Intent::verbs(verbs), "counts");
    let show = |verbs: &str| Intent::verbs(verbs);
    let nothing = Intent::default;
    let mut says = vec![
        counts("how often | how many | which | list | ask")
            .about("code | coding | codebook")
            .also("every | is | used | does | do | anyone | have | use | so far | ask"),
        counts("how often")
            .about("used | use")
            .also("anyone")
            .said("codes", "-", TextKind::KnownCodes)
            .needs("codes"),
        report(show("which | ask | list").about("co occurrence"), "cooccurrence"),
        report(show("which").about("code").about("together"), "cooccurrence"),
        report(
            show("which | where | does | list | ask").about("overlap").also("coding | does | do"),
            "overlaps",
        ),
        quotes(show("list | find | ask").about("used")).needs("codes"),
        quotes(show("list | find | ask").about("used").about("mention | phrase | sentence"))
            .needs("codes"),
        quotes(show("list | find").about("used").named("all", "-", Kinds::Whole)).needs("codes"),
        quotes(show("ask").about("used")),
        quotes(show("list | find | ask | give").about("quote")),
        quotes(nothing().about("quote")).needs("codes"),
        report(
            show("ask | list | measure | how well | does").about("agreement").also("do"),
            "agreement",
        ),
        report(nothing().about("agreement"), "agreement"),
    ];
    for (kind, about, stem) in REPORTS {
        let written = report(Intent::verbs("export | save").about(about).also("every"), kind)
            .flag("csv", "path", format!("{stem}.csv"))
            .flag("json", "path", format!("{stem}.json"));
        let written = if kind == "quotes" { of_codes(written) } else { written };
        says.extend([written.clone().file("path", "csv | json"), written.needs("path")]);
    }
    says
}

impl TypedTool for ReportCodes {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_report_codes",
            "Report on codes",
            "Reports on codes: counts, co-occurrence, overlaps, quotes, or agreement between coders (Cohen's \
             kappa; a model counts as a coder, and you merge a second person's session first). Returns \
             {report, count, rows, left_off}, the first 200 rows. `path` also writes all rows as CSV or JSON \
             outside the session; a model's call then waits until the person lets it run.",
            Category::Organize,
            Trust::Autonomous,
            vec![
                json!({"report": "quotes", "codes": "Budget"}),
                json!({"report": "counts", "path": "codes.csv"}),
            ],
        )
        .writes_files()
        .command("codes report", "Report on codes: counts, overlaps, quotes and coder agreement")
        .arg("[REPORT]", "report", "The report")
        .or("counts")
        .path("-o, --output FILE", "path", "Also write the report to this .csv or .json file")
        .offers(Offers::used("the page Codes of Words").by(Gesture::ReportCodes))
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let wanted = params.codes.map(Several::into_vec);
        let only = wanted.map(|names| names.iter().map(|name| find::code(session, name)).collect());
        if session.codes.is_empty() {
            let fix = "make a code with cmd_set_code";
            return Err(ToolError::prepare(Code::NoTarget, "the codebook is empty", fix));
        }
        let file = params.path.map(|path| {
            let ending = Ending::of(&path, &[Ending::Csv, Ending::Json])?;
            Ok::<_, ToolError>((path, ending))
        });
        Ok(Resolved {
            kind: params.report,
            only: only.transpose()?,
            file: file.transpose()?,
            or_next_free: params.or_next_free,
        })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn trust(call: &Resolved) -> Option<Trust> {
        call.file.as_ref().map(|_| Trust::Require)
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &*context.session;
        let talks = quote::all(session);
        let coded = Coded::new(session, &talks, call.only.as_ref());
        let table = match call.kind {
            Kind::Counts => counts(&coded),
            Kind::Cooccurrence => overlaps::cooccurrence(&coded, context)?,
            Kind::Overlaps => overlaps::places(&coded, context)?,
            Kind::Quotes => quotes(&coded),
            Kind::Agreement => agreement::table(&coded, &talks, context)?,
        };
        let mut draft = Draft::new(summary(call.kind, &coded, &table));
        let left_off = table.rows.len().saturating_sub(SHOWN);
        let mut answer = json!({
            "report": table.name,
            "count": table.rows.len(),
            "rows": table.objects(SHOWN),
            "left_off": left_off,
        });
        if let Some((path, ending)) = &call.file {
            let path = place(context, path);
            let path = if call.or_next_free { next_free(path) } else { path };
            write_new(&path, table.bytes(*ending).as_bytes())?;
            draft.summary += &format!("; written to {}", path.display());
            answer["path"] = json!(path.to_string_lossy());
        }
        draft.answer = Some(answer);
        Ok(draft)
    }
}

fn summary(kind: Kind, coded: &Coded<'_>, table: &Table) -> String {
    let rows = table.rows.len();
    let codings = count(coded.codings.len(), "coding");
    match kind {
        Kind::Counts => format!("{codings} with {}", count(rows, "code")),
        Kind::Cooccurrence => format!("{} of codes share time", count(rows, "pair")),
        Kind::Overlaps => format!("Codes overlap in {}", count(rows, "place")),
        Kind::Quotes => count(rows, "quote"),
        Kind::Agreement => table.headline.clone(),
    }
}

fn counts(coded: &Coded<'_>) -> Table {
    let mut of: BTreeMap<CodeId, Vec<&One<'_>>> = BTreeMap::new();
    let mut with_children: BTreeMap<CodeId, usize> = BTreeMap::new();
    for one in &coded.codings {
        of.entry(one.coding.code).or_default().push(one);
        for id in under(coded.session, one.coding.code) {
            *with_children.entry(id).or_default() += 1;
        }
    }
    let columns =
        ["code_id", "code", "codings", "with_children", "sources", "coders", "words", "seconds"];
    let mut table = Table::new("counts", &columns);
    for (id, name) in coded.in_order() {
        let own = of.remove(&id).unwrap_or_default();
        let sources: BTreeSet<SourceId> = own.iter().map(|one| one.segment.source).collect();
        let coders: BTreeSet<&str> = own.iter().map(|one| one.coder()).collect();
        // A place coded twice, by several coders or inside a longer place, counts once.
        let words = coded.quotes.count(own.iter().map(|one| one.segment));
        let frames = overlaps::covered(own.iter().map(|one| (one.segment.source, one.frames())));
        table.push([
            json!(id),
            json!(name),
            json!(own.len()),
            json!(with_children.get(&id).copied().unwrap_or_default()),
            json!(sources.len()),
            json!(coders.len()),
            json!(words),
            json!(coded.seconds(frames)),
        ]);
    }
    table
}

fn quotes(coded: &Coded<'_>) -> Table {
    let columns = [
        "code",
        "segment_id",
        "source",
        "start_s",
        "end_s",
        "speaker",
        "coder",
        "important",
        "text",
        "memo",
    ];
    let mut table = Table::new("quotes", &columns);
    let mut of: BTreeMap<CodeId, Vec<&One<'_>>> = BTreeMap::new();
    for one in &coded.codings {
        of.entry(one.coding.code).or_default().push(one);
    }
    for (id, name) in coded.in_order() {
        for one in of.remove(&id).unwrap_or_default() {
            let segment = one.segment;
            table.push([
                json!(name),
                json!(one.id),
                json!(coded.source(one)),
                json!(coded.seconds(segment.start)),
                json!(coded.seconds(segment.end())),
                json!(coded.quotes.speaker(segment).or(segment.speaker.as_deref())),
                json!(one.coder()),
                json!(segment.important),
                json!(coded.quotes.in_recording(segment)),
                json!(coded.session.memos.get(&one.id.into())),
            ]);
        }
    }
    table
}
