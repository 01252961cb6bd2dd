//! Sentences that write what is coded into a file: "export the code report as CSV to report.csv".

use super::said::{One, Said};
use crate::draft::Draft;
use crate::lexer::Token;
use crate::resolve::Trouble;
use deskhand_session::ObjectId;
use serde_json::json;

/// What is reported, the usual name of its file, and words for it.
// tidy: table
#[rustfmt::skip]
const REPORTS: &[(&str, &str, &[&str])] = &[
    ("counts", "codes", &[
        "report", "code report", "codes report", "coding report", "report of the codes", "report on the codes", "report of codes", "code counts",
        "code count", "counts of the codes", "code frequencies", "code table", "table of codes", "code statistics",
    ]),
    ("quotes", "quotes", &["quotes", "quotations", "coded quotes", "quotes by code", "quotes report", "quote report", "quotes of the codes"]),
    ("cooccurrence", "cooccurrence", &[
        "co occurrence", "cooccurrence", "co occurrences", "cooccurrences", "co occurrence table", "cooccurrence table", "co occurrence matrix",
        "co occurrence report", "code co occurrence", "code cooccurrence", "co occurrence of the codes", "co occurrence of codes",
    ]),
    ("overlaps", "overlaps", &["overlaps", "code overlaps", "overlaps of codes", "overlaps of the codes", "overlap report"]),
    ("agreement", "agreement", &[
        "agreement", "coder agreement", "agreement report", "agreement of the coders", "agreement between the coders", "agreement between coders",
        "kappa",
    ]),
];

/// What is coded, where it is written as rows: what of it else is no report.
const CODED: &[(&str, &str, &[&str])] =
    &[("counts", "codes", &["codes"]), ("quotes", "codings", &["codings", "coded segments"])];

/// What a report is written as.
const ENDINGS: &[(&str, &[&str])] =
    &[("csv", &["csv", "table", "spreadsheet", "excel", "csv table"]), ("json", &["json"])];

fn words_of(tokens: &[Token]) -> Option<String> {
    let words: Option<Vec<&str>> = tokens.iter().map(Token::word).collect();
    Some(words?.join(" "))
}

fn report_of(slot: &str, tokens: &[Token]) -> Option<(&'static str, &'static str)> {
    let words = words_of(tokens)?;
    let known = if slot == "coded" { CODED } else { REPORTS };
    let found = known.iter().find(|(_, _, said)| said.contains(&words.as_str()));
    found.map(|(report, usual, _)| (*report, *usual))
}

/// Whether tokens name a report.
pub(super) fn is_report(slot: &str, tokens: &[Token]) -> bool {
    report_of(slot, tokens).is_some()
}

/// Whether tokens are what a report is written as.
pub(super) fn is_ending(tokens: &[Token]) -> bool {
    words_of(tokens).is_some_and(|words| ending_of(&words).is_some())
}

fn ending_of(words: &str) -> Option<&'static str> {
    ENDINGS.iter().find(|(_, said)| said.contains(&words)).map(|(ending, _)| *ending)
}

/// The report as a file.
pub(super) fn export(said: &Said<'_>) -> One {
    let slots = ["report", "coded"].into_iter();
    let found = slots.filter_map(|slot| report_of(slot, said.tokens(slot)?)).next();
    let (report, usual) = found.unwrap_or(("counts", "codes"));
    let mut params = vec![("report", json!(report)), ("path", json!(path(said, usual)?))];
    let code = said.tokens("known").map(|_| said.code("known")).transpose()?;
    params.extend(code.map(|code| ("codes", json!([code]))));
    let targets: Vec<ObjectId> = code.into_iter().map(Into::into).collect();
    Ok(Draft { targets, ..Draft::call("tool_report_codes", params) })
}

/// The file that is named, or the usual one; its ending says what it is.
fn path(said: &Said<'_>, usual: &str) -> Result<String, Trouble> {
    let told = said.text("format").or_else(|| said.text("rows")).map(|told| told.to_lowercase());
    let not_so = |what: &str| {
        let reason = format!("a report is written as csv or json, not as {what}");
        Trouble::new(reason, ["export the code report as csv", "export the code report as json"])
    };
    let known = |told: String| ending_of(&told).ok_or_else(|| not_so(&told));
    let ending = told.map(known).transpose()?;
    let Some(named) = said.text("new") else {
        return Ok(format!("{usual}.{}", ending.unwrap_or("csv")));
    };
    let own = named.rsplit_once('.').map(|(_, own)| own.to_lowercase());
    match own {
        None => Ok(format!("{named}.{}", ending.unwrap_or("csv"))),
        Some(own) if ending.is_none_or(|it| it == own) && ending_of(&own) == Some(&own) => {
            Ok(named)
        }
        Some(_) => Err(not_so(&named)),
    }
}
