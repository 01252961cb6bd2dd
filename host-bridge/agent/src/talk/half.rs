//! A wish of several requests of which a later one fails: what stands ahead of that is planned all the same, and waits
//! for the person.

use crate::reading::{Reading, Request, RequestKind};
use crate::suggest::is_careful;

/// Words behind a request that may take it back or hold for it as well.
const TAKES_BACK: [&str; 12] = [
    "actually", "cancel", "except", "forget", "if", "instead", "only", "rather", "scratch",
    "sorry", "unless", "wait",
];

/// The calls that stand ahead of all that is unclear in `words`; none where what follows them may restrict them.
pub(super) fn ahead(words: &str, reading: &Reading) -> Vec<Request> {
    let unclear = reading.unclear.iter().map(|it| place(words, &it.text));
    let Some(limit) = unclear.map(|place| place.map(|(from, _)| from)).min().flatten() else {
        return Vec::new();
    };
    let mut end = 0;
    let mut ahead = Vec::new();
    for request in &reading.understood {
        let is_call = matches!(request.kind, RequestKind::Call { .. });
        let place = place(words, &request.text).filter(|(_, to)| is_call && *to <= limit);
        let Some((_, to)) = place else { break };
        end = end.max(to);
        ahead.push(request.clone());
    }
    let is_free = words.get(end..).is_some_and(|rest| !may_restrict(rest));
    if is_free { ahead } else { Vec::new() }
}

/// The words that stand ahead of all that is unclear, where those can be asked for alone: "normalize everything to -16
/// LUFS" of "normalize everything to -16 LUFS and flibber the chords".
#[must_use]
pub fn words_ahead<'w>(words: &'w str, reading: &Reading) -> Option<&'w str> {
    let ahead = ahead(words, reading);
    let ends = ahead.iter().filter_map(|request| Some(place(words, &request.text)?.1));
    words.get(..ends.max()?).map(str::trim)
}

/// Where a text stands in words, in bytes; none where that is not certain.
fn place(words: &str, text: &str) -> Option<(usize, usize)> {
    let mut all = words.match_indices(text);
    let (from, _) = all.next()?;
    all.next().is_none().then_some((from, from + text.len()))
}

fn may_restrict(rest: &str) -> bool {
    let lower = rest.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    is_careful(rest) || words.any(|word| TAKES_BACK.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Unclear;
    use serde_json::json;

    fn request(text: &str) -> Request {
        let kind = RequestKind::Call { tool: "cmd_set_track_gain".into(), params: json!({}) };
        Request { text: text.into(), kind, targets: Vec::new() }
    }

    fn unclear(text: &str) -> Unclear {
        let (reason, suggestions, open) = ("it wobbles".to_owned(), Vec::new(), Vec::new());
        Unclear { text: text.into(), reason, is_understood: false, suggestions, open }
    }

    fn planned(words: &str, understood: &[&str], fails: &[&str]) -> usize {
        let understood = understood.iter().map(|text| request(text)).collect();
        let unclear = fails.iter().map(|text| unclear(text)).collect();
        ahead(words, &Reading { understood, unclear }).len()
    }

    #[test]
    fn only_what_stands_ahead_of_all_that_fails_is_planned() {
        let words = "mute the host, wobble it, solo the band, blur it";
        let (understood, fails) = (["mute the host", "solo the band"], ["wobble it", "blur it"]);
        assert_eq!(planned(words, &understood, &fails), 1);
        assert_eq!(planned("wobble it, mute the host", &["mute the host"], &["wobble it"]), 0);
        let twice = "mute it, wobble it, mute it";
        assert_eq!(planned(twice, &["mute it", "mute it"], &["wobble it"]), 0, "which one is it?");
        let mut undo = request("undo");
        undo.kind = RequestKind::Undo;
        let reading = Reading { understood: vec![undo], unclear: vec![unclear("wobble it")] };
        assert_eq!(ahead("undo, wobble it", &reading).len(), 0, "it cannot wait");
    }

    #[test]
    fn what_stands_ahead_can_be_asked_for_alone() {
        let words = "mute the host, solo the band and wobble it";
        let reading = Reading {
            understood: vec![request("mute the host"), request("solo the band")],
            unclear: vec![unclear("wobble it")],
        };
        assert_eq!(words_ahead(words, &reading), Some("mute the host, solo the band"));
        let none = Reading { understood: Vec::new(), unclear: vec![unclear("wobble it")] };
        assert_eq!(words_ahead("wobble it", &none), None);
    }

    #[test]
    fn what_may_be_restricted_or_taken_back_is_not_planned() {
        for rest in [
            "don't wobble it",
            "not like that",
            "leave the blur alone",
            "actually wobble it",
            "unless it wobbles",
        ] {
            let words = format!("mute the host, {rest}");
            assert_eq!(planned(&words, &["mute the host"], &[rest]), 0, "{rest}");
        }
        assert_eq!(planned("mute the host but wobble it", &["mute the host"], &["wobble it"]), 1);
    }
}
