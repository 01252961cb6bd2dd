//! Ardour with its windows, on a display of its own: the editor is used inside the host's window.

use super::super::desk::Desk;
use super::super::editor;
use super::super::screen::Screen;
use super::{HOST, install_ardour, script};
use crate::setup::need;
use crate::shell::at_home;
use crate::{limit, workspace};
use anyhow::{Result, bail};
use limit::Running;
use std::process::Stdio;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);
/// Programs, and the packages that bring them.
const PROGRAMS: [(&str, &str); 4] =
    [("Xvfb", "xvfb"), ("openbox", "openbox"), ("xdotool", "xdotool"), ("import", "imagemagick")];
/// The place of the plugin in Ardour's mixer, from the left top of the window.
const PLUGIN: [i32; 2] = [326, 215];
/// The height of the host's own row above the editor.
const ABOVE: i32 = 34;

/// Drives it, and judges what the session says afterwards.
pub(in crate::hosts) fn run() -> Result<Vec<String>> {
    install_ardour()?;
    need("Ardour's window", &PROGRAMS)?;
    let desk = Desk::new()?;
    super::scan(desk.home())?;
    make_song(&desk)?;
    let screen = Screen::start()?;
    let _host = host(&desk, &screen)?;
    let main = screen.window("^song - Ardour", LIMIT)?;
    screen.press(&main, "alt+m")?;
    screen.click_until(&main, PLUGIN, || screen.find("Voice: Deskhand"))?;
    screen.window("^Deskhand$", LIMIT)?; // the editor's own, in the host's
    let window = screen.window("Voice: Deskhand", LIMIT)?;
    editor::ask_and_apply(HOST, &screen, (&window, ABOVE), &desk)
}

/// A session with an instance on its one track.
fn make_song(desk: &Desk) -> Result<()> {
    let made = limit::run(&mut script(desk, "ardour-song.lua"), LIMIT)?;
    if !desk.home().join("song/song.ardour").is_file() {
        bail!("Ardour makes no session:\n{}{}", made.stdout, made.stderr);
    }
    Ok(())
}

fn host(desk: &Desk, screen: &Screen) -> Result<Running> {
    let home = desk.home();
    let settings = home.join(".config/ardour7");
    std::fs::create_dir_all(&settings)?;
    let config = workspace::root().join("tests/hosts/ardour-config.xml");
    std::fs::copy(config, settings.join("config"))?;
    std::fs::write(settings.join(".a7"), "")?; // not the first start, which asks about everything
    let mut host = at_home("ardour", home);
    host.arg("--no-splash").arg(home.join("song")).env("DISPLAY", screen.display());
    host.env("LIBGL_ALWAYS_SOFTWARE", "1").env_remove("DBUS_SESSION_BUS_ADDRESS");
    Running::start(host.stdout(Stdio::null()).stderr(Stdio::null()))
}
