//! What the person is told of words that are not done, and what can be said instead.

use crate::reading::{Reading, Request, Target, Unclear};

/// The most offers for one request.
const OFFERED: usize = 4;

/// Why what was asked is not done, and what is planned all the same because it was asked `ahead` of that. `left_offers` are
/// offers for what was understood and is not done.
pub(super) fn not_done(reading: &Reading, ahead: &[Request], left_offers: &[String]) -> String {
    let mut lines: Vec<_> =
        reading.unclear.iter().map(|unclear| why_not(unclear, meant(ahead))).collect();
    let left = reading.understood.iter().skip(ahead.len());
    if let Some(left) = quoted(left) {
        let tries = tries(left_offers);
        lines.push(format!("Understood, and not done because of that: {left}.{tries}"));
    }
    lines.push(match quoted(ahead.iter()) {
        Some(ahead) => format!("Only this is planned, and waits for you: {ahead}."),
        None => "Nothing was changed.".to_owned(),
    });
    lines.join("\n")
}

/// What the last of these requests is about.
pub(super) fn meant(ahead: &[Request]) -> &[Target] {
    ahead.last().map_or(&[], |request| &request.targets)
}

/// What could be said instead; first what is about what was `meant`.
pub(super) fn offers(unclear: &Unclear, meant: &[Target]) -> Vec<String> {
    let is_about = |offer: &String| meant.iter().any(|target| offer.ends_with(&target.name));
    let mut offers = unclear.suggestions.clone();
    offers.sort_by_key(|offer| !is_about(offer));
    offers.truncate(OFFERED);
    offers
}

/// A line for each offer.
pub(super) fn tries(offers: &[String]) -> String {
    offers.iter().map(|offer| format!("\n  try: {offer}")).collect()
}

/// Why words are not done, and what could be said.
fn why_not(unclear: &Unclear, meant: &[Target]) -> String {
    let tries = tries(&offers(unclear, meant));
    let what = if unclear.is_understood { "cannot be done" } else { "is not understood" };
    format!("\"{}\" {what}: {}.{tries}", unclear.text, unclear.reason)
}

/// The words of requests, in quotes; none where there are none.
fn quoted<'r>(requests: impl Iterator<Item = &'r Request>) -> Option<String> {
    let all: Vec<_> = requests.map(|request| format!("\"{}\"", request.text)).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_understood_is_not_called_otherwise() {
        let told = |is_understood: bool| {
            let text = "put the intro last".to_owned();
            let reason = "there is no assembly yet".to_owned();
            let suggestions = vec!["find the phrases".to_owned()];
            let unclear = Unclear { text, reason, is_understood, suggestions, open: Vec::new() };
            not_done(&Reading { understood: Vec::new(), unclear: vec![unclear] }, &[], &[])
        };
        let now = "\"put the intro last\" cannot be done: there is no assembly yet.\n  try: find the phrases\n\
                   Nothing was changed.";
        assert_eq!(told(true), now);
        assert!(told(false).starts_with("\"put the intro last\" is not understood: "));
    }
}
