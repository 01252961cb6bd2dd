//! Qtractor with its windows, on a display and a JACK server of its own: the editor stands in the host's window,
//! words are typed into it, a plan card comes up, and a click applies it. The pictures are kept to be looked at.

mod screen;

use super::{at_home, check};
use crate::{bundle, limit, setup, shell, workspace};
use anyhow::{Result, bail};
use limit::Running;
use screen::{Screen, Server};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const HOST: &str = "Qtractor";
const LIMIT: Duration = Duration::from_secs(60);
/// Programs, and the packages that bring them.
const PROGRAMS: [(&str, &str); 6] = [
    ("qtractor", "qtractor"),
    ("jackd", "jackd2"),
    ("Xvfb", "xvfb"),
    ("openbox", "openbox"),
    ("xdotool", "xdotool"),
    ("import", "imagemagick"),
];
const WORDS: &str = "make it louder";
/// What the offline planner makes of that, dB.
const LOUDER: f64 = 3.0;
/// Where the plugin stands in Qtractor's window, from its left top.
const PLUGIN: [i32; 2] = [186, 180];
/// Where the composer stands in the editor's window of 900 x 600 points.
const COMPOSER: [i32; 2] = [686, 541];

/// Drives it, and judges what the session says afterwards.
pub(super) fn run() -> Result<Vec<String>> {
    let missing: Vec<&str> = PROGRAMS
        .iter()
        .filter(|(program, _)| !shell::on_path(program))
        .map(|(_, package)| *package)
        .collect();
    if !missing.is_empty()
        && let Some(refused) = setup::install(&missing)
    {
        bail!("Qtractor's windows need {}. {refused}", missing.join(", "));
    }
    let home = tempfile::tempdir()?;
    let bundled = bundle::bundle(bundle::Profile::Dev)?;
    let mut install = at_home(bundled.join("deskhand"), home.path());
    let installed = limit::run(install.arg("install"), LIMIT)?;
    if installed.code != 0 {
        bail!("deskhand install: {}", installed.stderr);
    }
    let screen = Screen::start()?;
    let name = format!("hosts-{}", std::process::id());
    let _jack = jack(&name)?;
    let _host = host(home.path(), &screen, &name)?;
    let pictures = workspace::target()?.join("hosts/pictures");
    std::fs::create_dir_all(&pictures)?;
    let found = drive(&screen, home.path(), &pictures)?;
    println!("   pictures to look at: {}", pictures.display());
    Ok(found)
}

/// A server without a card.
fn jack(name: &str) -> Result<Server> {
    let mut jack = Command::new("jackd");
    jack.args(["--no-realtime", "-t", "5000", "-n", name, "-d", "dummy", "-r", "48000"]);
    let server = Server::start(jack.args(["-p", "1024"]).stdout(Stdio::null()))?;
    let mut ask = Command::new("jack_wait");
    ask.args(["--server", name, "--wait", "--timeout", "10"]);
    if limit::run(&mut ask, LIMIT)?.code != 0 {
        bail!(
            "jackd does not answer. Servers that were killed leave their places taken, and JACK has eight: where none \
             runs, remove /dev/shm/jack*"
        );
    }
    Ok(server)
}

fn host(home: &Path, screen: &Screen, server: &str) -> Result<Running> {
    let files = workspace::root().join("tests/hosts");
    let stub = home.join("seqstub.so");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"]).arg(&stub).arg(files.join("seqstub.c")).arg("-lasound");
    let built = limit::run(&mut cc, LIMIT)?;
    if built.code != 0 {
        bail!("the stub of a sequencer: {}", built.stderr);
    }
    let song = home.join("song.qtr");
    let text = std::fs::read_to_string(files.join("qtractor.qtr.in"))?;
    let folder = home.display().to_string();
    let plugin = home.join(".clap/Deskhand.clap").display().to_string();
    std::fs::write(&song, text.replace("@SESSION@", &folder).replace("@CLAP@", &plugin))?;
    let mut host = at_home("qtractor", home);
    host.arg(song).current_dir(home).env("DISPLAY", screen.display());
    host.env("LD_PRELOAD", stub).env("JACK_DEFAULT_SERVER", server).env("QT_QPA_PLATFORM", "xcb");
    host.env("CLAP_PATH", home.join(".clap")).env("LIBGL_ALWAYS_SOFTWARE", "1");
    Running::start(host.stdout(Stdio::null()).stderr(Stdio::null()))
}

fn drive(screen: &Screen, home: &Path, pictures: &Path) -> Result<Vec<String>> {
    let main = screen.window("song.qtr", LIMIT)?;
    screen.click_until(&main, PLUGIN, || screen.find("Deskhand - Voice"))?;
    let editor = screen.window("Deskhand - Voice", LIMIT)?;
    let is_joined = |session: &Value| session["tracks"].as_array().map(Vec::len) == Some(1);
    let joined = wait(home, is_joined)?.is_some();
    screen.click(&editor, COMPOSER)?;
    screen.type_words(WORDS)?;
    let apply = screen.accent(&editor, LIMIT)?;
    screen.picture(&editor, &pictures.join("plan-in-qtractor.png"))?;
    let found = check(HOST, "the editor is embedded and came to a session", yes(joined), joined);
    let card =
        check(HOST, "words typed bring up a plan card", yes(apply.is_some()), apply.is_some());
    let Some(apply) = apply else { return Ok([found, card].into_iter().flatten().collect()) };
    screen.click(&editor, apply)?;
    let gain = |session: &Value| session["tracks"][0]["gain"].as_f64();
    let louder = |session: &Value| gain(session).is_some_and(|gain| (gain - LOUDER).abs() < 0.01);
    let applied = wait(home, louder)?;
    screen.picture(&editor, &pictures.join("applied-in-qtractor.png"))?;
    let figure = applied.as_ref().and_then(gain).map_or("none".into(), |it| format!("{it:+.2} dB"));
    let moved = check(HOST, "a click applies it: the track's gain", &figure, applied.is_some());
    Ok([found, card, moved].into_iter().flatten().collect())
}

fn yes(it: bool) -> &'static str {
    if it { "yes" } else { "no" }
}

/// The session, once it is as it should be.
fn wait(home: &Path, is_so: impl Fn(&Value) -> bool) -> Result<Option<Value>> {
    limit::until(LIMIT, || {
        let Some(session) = session(home) else { return Ok(None) };
        let mut show = at_home(home.join(".local/bin/deskhand"), home);
        let shown = limit::run(show.arg("show").arg(session).arg("--json"), LIMIT)?;
        let shown: Value = serde_json::from_str(&shown.stdout).unwrap_or_default();
        Ok(Some(shown).filter(|shown| is_so(shown)))
    })
}

fn session(home: &Path) -> Option<PathBuf> {
    let sessions = std::fs::read_dir(home.join(".local/share/deskhand/sessions")).ok()?;
    let dirs = sessions.filter_map(Result::ok).map(|entry| entry.path());
    dirs.into_iter().find(|dir| dir.join("session.db").is_file())
}
