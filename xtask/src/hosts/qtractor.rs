//! Qtractor with its windows, on a display and a JACK server of its own: the editor is used inside the
//! host's window.

use super::desk::Desk;
use super::editor;
use super::screen::Screen;
use super::server::Jack;
use crate::setup::need;
use crate::shell::at_home;
use crate::{limit, workspace};
use anyhow::{Result, bail};
use limit::Running;
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
/// The place of the plugin in Qtractor's window, from its left top.
const PLUGIN: [i32; 2] = [186, 180];

/// Drives it, and judges what the session says afterwards.
pub(super) fn run() -> Result<Vec<String>> {
    need("Qtractor", &PROGRAMS)?;
    let desk = Desk::new()?;
    let screen = Screen::start()?;
    let jack = Jack::start("hosts")?;
    let _host = host(&desk, &screen, &jack)?;
    let main = screen.window("song.qtr", LIMIT)?;
    screen.click_until(&main, PLUGIN, || screen.find("Deskhand - Voice"))?;
    let window = screen.window("Deskhand - Voice", LIMIT)?;
    editor::ask_and_apply(HOST, &screen, (&window, 0), &desk)
}

fn host(desk: &Desk, screen: &Screen, jack: &Jack) -> Result<Running> {
    let home = desk.home();
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
    host.env("LD_PRELOAD", stub).env("JACK_DEFAULT_SERVER", jack.name());
    host.env("QT_QPA_PLATFORM", "xcb");
    host.env("CLAP_PATH", home.join(".clap")).env("LIBGL_ALWAYS_SOFTWARE", "1");
    Running::start(host.stdout(Stdio::null()).stderr(Stdio::null()))
}
