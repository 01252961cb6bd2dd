//! How people ask for the edit as a file.

use deskhand_session::intent::{Intent, Kinds, TextKind};
use serde_json::json;

/// A format as it is said, as the parameter writes it, and the usual name of the file.
const FORMATS: [(&str, &str, &str); 5] = [
    ("otio", "otio", "edit.otio"),
    ("audacity", "audacity", "labels.txt"),
    ("csv", "csv", "edit.csv"),
    ("srt", "srt", "edit.srt"),
    ("vtt", "vtt", "edit.vtt"),
];
/// Formats that nothing but an edit is written as.
const ONLY_EDITS: usize = 3;

const EDIT: &str = "whole edit | of:whole edit | for:whole edit | from:whole edit";
const GIVE: &str = "export | save | make | create | give | get | want";

/// `tool_export_assembly`.
// tidy: table
pub(super) fn says() -> Vec<Intent> {
    let edit = || Intent::verbs(GIVE).about(EDIT).also("subtitle");
    let subtitles = usual(Intent::verbs(GIVE).about(EDIT).about("subtitle | as:subtitle"));
    let words = "transcript | edited transcript | in:transcript | in:edited transcript";
    let hide = || Intent::verbs("anonymize | hide").named("who", "-", Kinds::Any).or_left_out();
    let pseudonyms = "pseudonym | with:pseudonym | without names";
    let without_names =
        Intent::verbs(GIVE).about("transcript | edited transcript").about(pseudonyms);
    let anonymous = Intent::verbs(GIVE).about("anonymous transcript");
    let foreign =
        "foreign file | as:foreign file | to:foreign file | for:foreign file | in:foreign file";
    let mut says = vec![
        Intent::verbs("export").about(EDIT).needs("format").lacks(
            "it does not say as what",
            "export the edit as otio | render the edit | export the edited transcript",
        ),
        Intent::verbs(GIVE)
            .about(foreign)
            .also(EDIT)
            .also("file | session")
            .named("session", "-", Kinds::AllOfMix)
            .needs("format")
            .lacks(
                "Deskhand writes an edit as OpenTimelineIO, labels, a table, subtitles or text; other editors import these",
                "export the edit as otio | export the edit as csv",
            ),
        usual(formats(edit(), &FORMATS))
            .said("path", "to | as | called", TextKind::Stem)
            .needs("format"),
        formats(edit(), &FORMATS).file("path", "otio | csv | srt | vtt"),
        subtitles.sets("format", "srt").sets("path", "edit.srt"),
        usual(Intent::verbs("subtitle").about(EDIT)).sets("format", "srt").sets("path", "edit.srt"),
        usual(formats(Intent::verbs(GIVE).also("export it"), &FORMATS[..ONLY_EDITS]))
            .needs("format"),
        usual(formats(Intent::verbs("export it"), &FORMATS[..ONLY_EDITS])).needs("format"),
    ];
    says.extend(transcript(without_speakers(Intent::verbs(GIVE).about("edited transcript"))));
    let speakers = Intent::verbs("anonymize speakers").also(words);
    let hidden =
        [speakers, hide().about(words).also("name | speaker"), hide().about("name | speaker")];
    for nameless in hidden.into_iter().chain([without_names, anonymous]) {
        says.extend(transcript(nameless.sets("pseudonyms", true)));
    }
    says
}

fn formats(intent: Intent, formats: &[(&str, &str, &str)]) -> Intent {
    let format = |it: Intent, (words, format, path): &(&str, &str, &str)| {
        it.flags(words, &[("format", json!(format)), ("path", json!(path))])
    };
    without_speakers(formats.iter().fold(intent, format)).also("file | text")
}

fn without_speakers(intent: Intent) -> Intent {
    intent.flag("pseudonym | without names", "pseudonyms", true)
}

fn usual(intent: Intent) -> Intent {
    intent.sets("or_next_free", true)
}

/// The words of the edit, by the usual name or another.
fn transcript(intent: Intent) -> [Intent; 2] {
    let intent = intent.sets("format", "transcript");
    [usual(intent.clone()).sets("path", "edit.txt"), intent.file("path", "txt")]
}
