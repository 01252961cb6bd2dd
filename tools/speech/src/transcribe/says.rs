//! How people ask for a transcript.

use deskhand_session::intent::{Intent, Kinds};
use serde_json::json;

/// Languages as they are said, and their codes.
const LANGUAGES: [(&str, &str); 12] = [
    ("english", "en"),
    ("german", "de"),
    ("french", "fr"),
    ("spanish", "es"),
    ("italian", "it"),
    ("portuguese", "pt"),
    ("dutch", "nl"),
    ("polish", "pl"),
    ("swedish", "sv"),
    ("japanese", "ja"),
    ("chinese", "zh"),
    ("russian", "ru"),
];

pub(super) fn says() -> Vec<Intent> {
    let again = [("known", json!("replace"))];
    // What was written down without fillers has to be written down again.
    let verbatim = [("known", json!("replace")), ("verbatim", json!(true))];
    let transcribe = |intent: Intent| {
        let languages =
            LANGUAGES.iter().fold(intent, |it, (word, code)| it.flag(word, "language", *code));
        let intent = languages.flags("again", &again).flags("verbatim | filler", &verbatim);
        intent.also("speech | filler").on(Kinds::Sound).or_all()
    };
    vec![
        transcribe(Intent::verbs("transcribe")),
        transcribe(Intent::verbs("make | create | want | do").about("transcript").last()),
        transcribe(Intent::verbs("turn | put").about("to:text")),
        transcribe(Intent::verbs("retranscribe").sets("known", "replace")),
        transcribe(Intent::verbs("redo").about("transcript").sets("known", "replace")),
    ]
}
