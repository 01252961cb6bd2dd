//! `cargo xtask hosts`: the plugin in hosts of others, and timelines in libraries of others. Scripts in `tests/hosts`
//! drive them and print a line for each thing that was measured.

mod app;
mod ardour;
mod desk;
mod editor;
mod episode;
pub(crate) mod gallery;
mod qtractor;
mod report;
mod screen;
mod seat;
mod server;
mod timelines;
pub(crate) mod windows;

use crate::soak::Soak;
use crate::{bundle, limit, shell, venv, workspace};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Hosts from PyPI, and what they compute with.
const PACKAGES: [&str; 3] = ["pedalboard==0.9.26", "dawdreamer==0.9.0", "numpy==2.4.6"];
/// Driven in this order.
const SCRIPTS: [&str; 2] = ["in_pedalboard.py", "in_dawdreamer.py"];
const LIMIT: Duration = Duration::from_secs(300);
/// Where programs of ours are built first.
const BUILD: Duration = Duration::from_secs(1800);

/// What is run, by the names that ask for it; it returns the problems.
type Part = (&'static [&'static str], fn(Soak) -> Result<Vec<String>>);

const PARTS: [Part; 10] = [
    (&["python"], in_python),
    (&["timelines", "python"], |_| timelines::run()),
    (&["clack"], in_clack),
    (&["plugin-window"], |_| windows::run()),
    (&["ardour"], |_| ardour::run()),
    (&["ardour-session", "ardour"], |_| ardour::session::run()),
    (&["ardour-window"], |_| ardour::window::run()),
    (&["qtractor"], |_| qtractor::run()),
    (&["app"], |_| app::run()),
    (&["episode"], |_| episode::run()),
];

/// Installs the hosts; the reason when that cannot be, for the end of the test run.
pub(crate) fn prepare() -> Result<(), String> {
    installed().and_then(|python| must_start(&python)).map_err(|error| {
        format!("the plugin in hosts, which pip installs from the network: {error:#}")
    })
}

/// A host may need libraries of the system that are not here.
fn must_start(python: &Path) -> Result<()> {
    let started =
        limit::run(Command::new(python).args(["-c", "import pedalboard, dawdreamer"]), LIMIT)?;
    if started.code != 0 {
        bail!("they do not start: {}", limit::last_lines(&started.stderr));
    }
    Ok(())
}

/// Runs the parts called `names`, or every one, and lists all that is wrong at once.
pub(crate) fn run(names: &[String], soak: Soak) -> Result<()> {
    let known = PARTS.map(|(part, _)| part[0]);
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("no part is called `{unknown}`; there are: {}", known.join(", "));
    }
    let mut problems = Vec::new();
    for (part, run) in PARTS {
        if names.is_empty() || names.iter().any(|wanted| part.contains(&wanted.as_str())) {
            problems.extend(run(soak).with_context(|| format!("in the part `{}`", part[0]))?);
        }
    }
    all_well(&problems)
}

/// Runs the hosts that take seconds.
pub(crate) fn quick(soak: Soak) -> Result<()> {
    all_well(&in_python(soak)?)
}

fn all_well(problems: &[String]) -> Result<()> {
    if !problems.is_empty() {
        bail!("{} things are wrong:\n- {}", problems.len(), problems.join("\n- "));
    }
    Ok(())
}

fn in_python(soak: Soak) -> Result<Vec<String>> {
    let python = installed()?;
    let folder = workspace::target()?.join("hosts/plugin");
    bundle::plugin_only(bundle::Profile::Dev, &folder)?;
    let mut problems = Vec::new();
    let helper = helper()?;
    for script in SCRIPTS {
        problems.extend(play(&python, script, &folder, soak, None)?);
        println!("   with a helper:");
        problems.extend(play(&python, script, &folder, soak, Some(&helper))?);
    }
    Ok(problems)
}

/// The program, as it was built last.
fn helper() -> Result<PathBuf> {
    let helper = workspace::target()?.join("debug/deskhand");
    if !helper.is_file() {
        bail!("{} is missing; `cargo build --workspace` makes it", helper.display());
    }
    Ok(helper)
}

/// The CLAP in clack-host and the VST3 in a host of our own: the tests of the plugin. Some of them print a
/// line when they pass.
fn in_clack(soak: Soak) -> Result<Vec<String>> {
    // With the whole workspace the features of every dependency stay as they are.
    let mut command = shell::cargo(["test", "--workspace", "--test", "clap", "--test", "vst3"]);
    command.args(["--test", "hub", "--test", "planted"]);
    command.args(["--", "--nocapture", "--test-threads", "1"]);
    if soak == Soak::Run {
        command.env("DESKHAND_LONG", "1");
    }
    let outcome = limit::run(&mut command, BUILD)?;
    // The harness names a test, without a line's end, before what it prints.
    let rows = outcome.stdout.lines().filter_map(|line| Some(&line[line.find("   ok    ")?..]));
    let count = rows.inspect(|row| println!("{row}")).count();
    if outcome.code == 0 && count > 0 {
        return Ok(Vec::new());
    }
    let said = limit::last_lines(&outcome.stdout);
    Ok(vec![format!("{}\n{said}", shell::line(&command))])
}

/// The Python that knows the hosts.
fn installed() -> Result<PathBuf> {
    venv::kept(&workspace::target()?.join("hosts/venv"), &PACKAGES)
}

/// Runs a script on the plugin; returns the problems. Without a `helper` no hub is started.
fn play(
    python: &Path,
    script: &str,
    plugins: &Path,
    soak: Soak,
    helper: Option<&Path>,
) -> Result<Vec<String>> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(python);
    command.arg("-B").arg(workspace::root().join("tests/hosts").join(script));
    command.arg(plugins.join("Deskhand.vst3"));
    // Nobody's own sessions and settings are touched.
    command.env("HOME", home.path()).env("XDG_RUNTIME_DIR", home.path());
    command.env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME").env("PATH", "");
    if let Some(helper) = helper {
        command.env("DESKHAND_HELPER", helper);
    }
    if soak == Soak::Run {
        command.env("DESKHAND_LONG", "1");
    }
    rows(&mut command, script)
}

/// Runs `script` and prints its measurements; returns the problems.
fn rows(command: &mut Command, script: &str) -> Result<Vec<String>> {
    let outcome = limit::run(command, LIMIT)?;
    print!("{}", outcome.stdout);
    let mut wrong: Vec<String> = outcome
        .stdout
        .lines()
        .filter(|line| line.trim_start().starts_with("WRONG"))
        .map(|line| format!("{script}: {}", line.trim()))
        .collect();
    if outcome.code != 0 && wrong.is_empty() {
        let said = limit::last_lines(&outcome.stderr);
        wrong.push(format!("{}\n{said}", shell::line(command)));
    }
    Ok(wrong)
}
