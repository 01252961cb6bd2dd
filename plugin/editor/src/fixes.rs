//! Rewrites fixes for a terminal for a person at a window.

/// The text of a fix at a terminal, by its start and end, and the same fix in a window.
const AT_TERMINAL: [(&str, &str, &str); 15] = [
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_sends_nobody_to_a_terminal_for_a_session_or_a_key() {
        let words = "\"/a\" is not a Deskhand session (no file); make one with `deskhand new DIR`";
        let told = "\"/a\" is not a Deskhand session (no file); New session… makes one";
        assert_eq!(at_window(words), told);
        let words = "claude: no key: A_KEY is not set; export A_KEY=…, or set api_key_file in the configuration";
        assert_eq!(at_window(words), "claude: no key; paste one in Preferences");
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
}
