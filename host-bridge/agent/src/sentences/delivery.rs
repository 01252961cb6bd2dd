//! Sentences about deliveries of an edit.

use super::said::{One, Said};
use super::written::path;
use crate::draft::Draft;
use crate::lexer::Token;
use crate::resolve::Trouble;
use serde_json::json;

/// Endings of files that are written.
const WRITTEN: [&str; 4] = ["wav", "flac", "opus", "mp3"];

/// Whether tokens are the ending of a file that is written.
pub(super) fn is_ending(tokens: &[Token]) -> bool {
    matches!(tokens, [only] if only.word().is_some_and(|word| WRITTEN.contains(&word)))
}

/// "export the mix for streaming as flac".
pub(super) fn deliver(said: &Said<'_>) -> One {
    let format = said.text("format").or_else(|| said.text("ending"));
    let format = format.unwrap_or_else(|| "wav".into()).to_lowercase();
    let format = format.strip_suffix(" file").unwrap_or(&format);
    let ending = WRITTEN.into_iter().find(|known| *known == format);
    let Some(ending) = ending else {
        let reason = format!("a delivery is not written as \"{format}\"");
        return Err(Trouble::new(reason, ["as wav", "as flac", "as opus", "as mp3"]));
    };
    let mut params = path(&format!("mix.{ending}"), None);
    if let Some(standard) = said.text("standard") {
        params.push(("for", json!(target(&standard)?)));
    }
    Ok(Draft::call("tool_export_delivery", params))
}

/// Words for where a mix goes.
const DELIVERIES: [(&str, &str); 12] = [
    ("streaming", "streaming"),
    ("spotify", "streaming"),
    ("youtube", "streaming"),
    ("apple music", "streaming"),
    ("podcast", "podcast"),
    ("podcasts", "podcast"),
    ("broadcast", "broadcast"),
    ("tv", "broadcast"),
    ("radio", "broadcast"),
    ("television", "broadcast"),
    ("cd", "cd"),
    ("compact disc", "cd"),
];

fn target(words: &str) -> Result<&'static str, Trouble> {
    let words = words.to_lowercase();
    let found = DELIVERIES.iter().find(|(word, _)| *word == words);
    found.map(|(_, name)| *name).ok_or_else(|| {
        let reason = format!("\"{words}\" is no delivery that is known here");
        Trouble::new(reason, ["for streaming", "for podcast", "for broadcast", "for cd"])
    })
}
