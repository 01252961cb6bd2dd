//! Rewrites texts for models for a person at a window: the name of a tool becomes the request in the
//! conversation, or the action in the window.

/// What a person does in place of a call.
#[derive(Clone, Copy)]
enum Way {
    /// Says this, which is understood without a model.
    Say(&'static str),
    /// Uses this.
    Use(&'static str),
}

/// Phrases that are understood without a model.
pub const SAYINGS: [&str; 4] =
    ["transcribe everything", "find the phrases", "mark the speakers", "master for streaming"];

const WAYS: [(&str, Way); 17] = [
    ("cmd_merge_codes", Way::Use("\"Merge into\" in the menu of a code")),
    ("cmd_remove_clip", Way::Use("Delete")),
    ("cmd_render", Way::Use("`deskhand render` in a terminal")),
    ("cmd_set_code", Way::Use("\"New code\" on the page Codes of Words")),
    ("cmd_set_group", Way::Use("\"Make a group…\" in the menu of a track")),
    ("cmd_set_insert", Way::Use("the FX button of its strip")),
    ("cmd_set_words", Way::Use("F2 in Words")),
    ("tool_find_phrases", Way::Say(SAYINGS[1])),
    ("tool_import_transcript", Way::Use("\"Import a transcript…\" in Words")),
    ("tool_list_phrases", Way::Use("the page Assembly of Words")),
    ("tool_mark_speakers", Way::Say(SAYINGS[2])),
    ("tool_master", Way::Say(SAYINGS[3])),
    ("tool_merge_codings", Way::Use("`deskhand codes codings` in a terminal")),
    ("tool_report_codes", Way::Use("the page Codes of Words")),
    ("tool_restore_segments", Way::Use("\"Removed\" on the page Assembly of Words")),
    ("tool_search_transcript", Way::Use("the search of Words")),
    ("tool_transcribe", Way::Say(SAYINGS[0])),
];

/// The handle of a tool begins so.
const HANDLE: &str = "deskhand://tools/";
/// What names of tools begin with.
const PREFIXES: [&str; 2] = ["tool_", "cmd_"];

/// The same words for a person.
pub(crate) fn for_person(words: &str) -> String {
    let words = at_window(words);
    let mut told = String::with_capacity(words.len());
    let mut rest = &*words;
    while let Some(at) = next(rest) {
        let (ahead, behind) = rest.split_at(at);
        let behind = behind.strip_prefix(HANDLE).unwrap_or(behind);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = behind.find(|c| !is_name(c)).unwrap_or(behind.len());
        let (name, after) = behind.split_at(end);
        told.push_str(ahead);
        put(&mut told, name);
        // Which of its parameters it would be is nobody's affair here.
        rest = after.strip_prefix(" with `plan_id`").unwrap_or(after);
    }
    told + rest
}

/// The text of a fix at a terminal, by its start and end, and the same fix in a window.
const AT_TERMINAL: [(&str, &str, &str); 16] = [
    ("choose another name, or open it with `deskhand show", "`", "choose another name, or open it"),
    ("import audio first: `deskhand import DIR FILE", "`", "drop audio files on the window first"),
    ("give another `path", "`", "choose another name"),
    ("list the plans: list_plans, or `deskhand plans DIR", "`", "the conversation shows the plans"),
    ("see the plan's changes with `deskhand plans DIR", "`", "its card shows the changes"),
    ("see `deskhand models list", "`", "see the models in Preferences"),
    ("make one with `deskhand new DIR", "`", "New session… makes one"),
    ("make a session with `deskhand new DIR", "`", "New session… makes one"),
    ("give it one with `deskhand providers key", "`", "paste one in Preferences"),
    (
        "check its address and the network, or",
        "runs",
        "see that it runs, and who answers in Preferences",
    ),
    ("; check its address and its model", "", "; see who answers, and which model, in Preferences"),
    ("; check its address, and what kind it is of", "", "; see who answers in Preferences"),
    ("; choose one that it has", "", "; choose another one in Preferences"),
    ("its panel in the window, `deskhand log", "get_history", "the clock at the top"),
    (" alone, give `sync", "` \"named\"", " alone, ask for that"),
    ("no key: ", " in the configuration", "no key; paste one in Preferences"),
];

/// Words that are for terminals as well, as a person at a window reads them.
#[must_use]
pub fn at_window(words: &str) -> String {
    let mut told = words.to_owned();
    for (begin, end, here) in AT_TERMINAL {
        let Some(from) = told.find(begin) else { continue };
        let behind = from + begin.len();
        let Some(to) = told[behind..].find(end) else { continue };
        told.replace_range(from..behind + to + end.len(), here);
    }
    told
}

/// Where a tool is named next.
fn next(words: &str) -> Option<usize> {
    let starts = |(at, _): &(usize, char)| {
        let is_inside = words[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let here = &words[*at..];
        !is_inside && (here.starts_with(HANDLE) || PREFIXES.iter().any(|it| here.starts_with(it)))
    };
    words.char_indices().find(starts).map(|(at, _)| at)
}

fn put(told: &mut String, name: &str) {
    match WAYS.iter().find(|(tool, _)| *tool == name) {
        Some((_, Way::Use(what))) => told.push_str(what),
        Some((_, Way::Say(phrase))) => {
            if told.ends_with("with ") {
                told.truncate(told.len() - "with ".len());
                told.push_str("by saying ");
            } else {
                told.push_str("say ");
            }
            told.push_str(&format!("\"{phrase}\""));
        }
        None => told.push_str(&format!("\"{}\"", title(name))),
    }
}

/// The name of a call as a title, without its prefix.
pub(crate) fn title(name: &str) -> String {
    let name =
        ["tool_", "cmd_", "get_"].iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
    let mut words = name.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_sends_nobody_to_a_terminal_for_a_session_or_a_key() {
        let words = "\"/a\" is not a Deskhand session (no file); make one with `deskhand new DIR`";
        let told = "\"/a\" is not a Deskhand session (no file); New session… makes one";
        assert_eq!(at_window(words), told);
        let words = "claude: no key: A_KEY is not set; export A_KEY=…, or set api_key_file in the configuration";
        assert_eq!(for_person(words), "claude: no key; paste one in Preferences");
        let words = "there is nothing to undo; the history shows every step: its panel in the window, `deskhand log DIR`, get_history";
        let told = "there is nothing to undo; the history shows every step: the clock at the top";
        assert_eq!(at_window(words), told);
        let words = "no tracks here; import audio first: `deskhand import DIR FILE`";
        assert_eq!(at_window(words), "no tracks here; drop audio files on the window first");
        let words = "there is no plan_1; list the plans: list_plans, or `deskhand plans DIR`";
        assert_eq!(at_window(words), "there is no plan_1; the conversation shows the plans");
        let words = "provider lab (a:1) cannot be reached: refused; check its address and the network, or that the server runs";
        let told = "provider lab (a:1) cannot be reached: refused; see that it runs, and who answers in Preferences";
        assert_eq!(at_window(words), told);
        let words = "it has no model \"m\": no; choose one that it has";
        let told = "it has no model \"m\": no; choose another one in Preferences";
        assert_eq!(at_window(&at_window(words)), told);
        let words = "claude has no key yet; give it one with `deskhand providers key claude`";
        assert_eq!(at_window(words), "claude has no key yet; paste one in Preferences");
        let words = "/a/mix.report.json exists already; give another `path`";
        assert_eq!(at_window(words), "/a/mix.report.json exists already; choose another name");
    }

    #[test]
    fn a_tool_becomes_what_is_said_or_done_in_the_window() {
        let all = [
            (
                "transcribe it first: tool_transcribe",
                "transcribe it first: say \"transcribe everything\"",
            ),
            (
                "transcribe with tool_transcribe, or read a file with tool_import_transcript",
                "transcribe by saying \"transcribe everything\", or read a file with \"Import a transcript…\" in Words",
            ),
            (
                "make a code with cmd_set_code",
                "make a code with \"New code\" on the page Codes of Words",
            ),
            (
                "the mix will peak at 1.2 dBTP: master it (tool_master), or lower the master",
                "the mix will peak at 1.2 dBTP: master it (say \"master for streaming\"), or lower the master",
            ),
            (
                "no clip of it is on the assembly tracks; tool_restore_segments puts it back",
                "no clip of it is on the assembly tracks; \"Removed\" on the page Assembly of Words puts it back",
            ),
            (
                "render it to a file: cmd_render with `plan_id`",
                "render it to a file: `deskhand render` in a terminal",
            ),
            (
                "see deskhand://tools/tool_fades for its parameters",
                "see \"Fades\" for its parameters",
            ),
            ("cmd_set_track_gain", "\"Set track gain\""),
            ("my_tool_box and mcmd_x are no tools", "my_tool_box and mcmd_x are no tools"),
        ];
        for (words, told) in all {
            assert_eq!(for_person(words), told);
        }
    }
}
