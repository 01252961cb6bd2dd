//! Help texts, as people read them.

use crate::desk::{Desk, settings};

const COMMANDS: &[&str] = &[
    "measure",
    "new",
    "open",
    "import",
    "show",
    "tools",
    "models",
    "providers",
    "plan",
    "plans",
    "apply",
    "reject",
    "undo",
    "redo",
    "log",
    "render",
    "ask",
    "chat",
    "transcribe",
    "words",
    "codes",
    "assemble",
    "serve",
    "mcp",
    "doctor",
    "install",
    "completions",
    "write",
    "link",
    "export",
    "timeline",
];

#[test]
fn every_command_has_help_with_an_example() {
    let desk = Desk::new();
    let mut all = desk.ok(&["--help"]).stdout;
    for command in COMMANDS {
        let help = desk.ok(&[command, "--help"]).stdout;
        assert!(help.contains("Example"), "{command}: {help}");
        all += &format!("\n=== {command} ===\n{help}");
    }
    settings().bind(|| insta::assert_snapshot!("help", all));
}

#[test]
fn the_list_above_is_whole() {
    let help = Desk::new().ok(&["--help"]).stdout;
    let listed = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let listed: Vec<_> = listed
        .take_while(|line| !line.trim().is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(listed, COMMANDS);
}

#[test]
fn completions_exist_for_common_shells() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = Desk::new().ok(&["completions", shell]).stdout;
        assert!(script.contains("split-channels"), "{shell}");
    }
}

#[test]
fn usage_errors_exit_with_2() {
    assert_eq!(Desk::new().run(&["bounce"]).code, 2);
    assert_eq!(Desk::new().error(&["bounce"], 2)["code"], "usage");
    assert_eq!(Desk::new().run(&["reject", "s", "plan_000000000000"]).code, 2);
}
