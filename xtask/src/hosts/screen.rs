//! A display without a monitor, and a hand on it: windows are found by name, clicked, typed into and pictured.

use super::server::Server;
use crate::limit::{self, Running};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(30);
/// The color that plans and nothing else have, in the dark theme.
const ACCENT: [u8; 3] = [0x4f, 0xc5, 0xfc];
/// Points of it in a row that only the button has: the number of a ghost has fewer.
const BUTTON: usize = 40;
/// So far down it has the color as well.
const BUTTON_HEIGHT: usize = 8;

/// The size at which the window was designed, and the height of its top bar, points.
const SIZE: [u32; 2] = [1440, 900];
const TOP_BAR: u32 = 44;

/// So often a caret comes and goes before it is one: a session that opens changes the window once or twice.
const BLINKS: usize = 4;

/// The display and its window manager.
pub(super) struct Screen {
    display: String,
    _manager: Running,
    _server: Server,
}

/// A window by its id, and where it is.
#[derive(Clone, Debug)]
pub(super) struct Window(String);

impl Screen {
    /// A display of its own number.
    pub(super) fn start() -> Result<Self> {
        let mut server = Command::new("Xvfb");
        server.args(["-displayfd", "1", "-screen", "0", "1600x1000x24"]);
        let mut server = Server::start(server.stdout(Stdio::piped()))?;
        let mut number = String::new();
        let told = server.says().context("Xvfb has no output")?;
        BufReader::new(told).read_line(&mut number)?;
        let display = format!(":{}", number.trim());
        let mut manager = Command::new("openbox");
        manager.env("DISPLAY", &display).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self { _manager: Running::start(&mut manager)?, _server: server, display })
    }

    pub(super) fn display(&self) -> &str {
        &self.display
    }

    fn tool<const N: usize>(&self, args: [&str; N]) -> Result<String> {
        let mut tool = Command::new("xdotool");
        tool.args(args).env("DISPLAY", &self.display);
        Ok(limit::run(&mut tool, LIMIT)?.stdout)
    }

    /// A window with that in its name, if there is one.
    pub(super) fn find(&self, name: &str) -> Result<Option<Window>> {
        let found = self.tool(["search", "--onlyvisible", "--name", name])?;
        Ok(found.lines().next().map(|id| Window(id.to_owned())))
    }

    /// A window with that in its name, once there is one.
    pub(super) fn window(&self, name: &str, patience: Duration) -> Result<Window> {
        let found = limit::until(patience, || self.find(name))?;
        match found {
            Some(window) => Ok(window),
            None => bail!("no window named {name} came up"),
        }
    }

    pub(super) fn click(&self, window: &Window, at: [i32; 2]) -> Result<()> {
        let [x, y] = at.map(|it| it.to_string());
        self.tool(["mousemove", "--window", &window.0, &x, &y])?;
        self.tool(["click", "1"]).map(drop)
    }

    /// Clicks a field of text until its caret blinks: a window may appear before its content.
    pub(super) fn click_field(&self, window: &Window, at: [i32; 2]) -> Result<()> {
        for _ in 0..6 {
            self.still(window)?;
            self.click(window, at)?;
            if self.blinks(window)? {
                return Ok(());
            }
        }
        bail!("a click on the composer brings no caret")
    }

    /// Whether a caret blinks within a few seconds.
    pub(super) fn blinks(&self, window: &Window) -> Result<bool> {
        let (mut seen, mut changes) = (self.pixels(window)?, 0);
        let blinks = limit::until(Duration::from_secs(5), || {
            let now = self.pixels(window)?;
            changes += usize::from(now != seen);
            seen = now;
            Ok((changes >= BLINKS).then_some(()))
        })?;
        Ok(blinks.is_some())
    }

    /// Clicks it twice, again and again, until something is there.
    pub(super) fn click_until<T>(
        &self,
        window: &Window,
        at: [i32; 2],
        mut is_there: impl FnMut() -> Result<Option<T>>,
    ) -> Result<()> {
        let [x, y] = at.map(|it| it.to_string());
        for _ in 0..6 {
            self.tool(["mousemove", "--window", &window.0, &x, &y])?;
            self.tool(["click", "--repeat", "2", "--delay", "150", "1"])?;
            if limit::until(Duration::from_secs(10), &mut is_there)?.is_some() {
                return Ok(());
            }
        }
        bail!("a double click on the plugin opens no window")
    }

    /// Types words and Enter to whatever has the keyboard.
    pub(super) fn type_words(&self, words: &str) -> Result<()> {
        self.tool(["type", "--delay", "60", words])?;
        self.key("Return")
    }

    /// Presses a key, or several at once: `ctrl+z`.
    pub(super) fn key(&self, keys: &str) -> Result<()> {
        self.tool(["key", keys]).map(drop)
    }

    /// Presses it as soon as the window is still, and waits for what the window shows of that.
    pub(super) fn press(&self, window: &Window, keys: &str) -> Result<()> {
        let still = self.still(window)?;
        self.key(keys)?;
        match limit::until(LIMIT, || Ok((self.pixels(window)? != still).then_some(())))? {
            Some(()) => Ok(()),
            None => bail!("nothing is seen of the key {keys}"),
        }
    }

    /// Waits until a window is still, as a person does before a click: new content moves the old. Returns
    /// its picture.
    pub(super) fn still(&self, window: &Window) -> Result<Vec<u8>> {
        let mut still = self.pixels(window)?;
        limit::until(LIMIT, || {
            let seen = self.pixels(window)?;
            let is_still = seen == still;
            still = seen;
            Ok(is_still.then_some(()))
        })?;
        Ok(still)
    }

    /// Gives a window the size at which it was designed.
    pub(super) fn resize(&self, window: &Window) -> Result<()> {
        let [wide, tall] = SIZE.map(|it| it.to_string());
        self.tool(["windowsize", "--sync", &window.0, &wide, &tall]).map(drop)
    }

    /// Asks a window to close, as its manager does.
    pub(super) fn close(&self, window: &Window) -> Result<()> {
        self.tool(["windowactivate", "--sync", &window.0])?;
        self.key("alt+F4")
    }

    /// A picture of a window in the format PPM.
    fn pixels(&self, window: &Window) -> Result<Vec<u8>> {
        let file = tempfile::Builder::new().suffix(".ppm").tempfile()?;
        self.picture(window, file.path())?;
        Ok(std::fs::read(file.path())?)
    }

    pub(super) fn picture(&self, window: &Window, file: &Path) -> Result<()> {
        let mut import = Command::new("import");
        import.args(["-window", &window.0, "-depth", "8"]).arg(file).env("DISPLAY", &self.display);
        limit::run(&mut import, LIMIT).map(drop)
    }

    /// A picture of the right edge of a window of the size at which it was designed, below its top bar.
    pub(super) fn right_edge(&self, window: &Window, width: u32, file: &Path) -> Result<()> {
        let mut import = Command::new("import");
        let place = format!("{width}x{}+{}+{TOP_BAR}", SIZE[1] - TOP_BAR, SIZE[0] - width);
        import.args(["-window", &window.0, "-crop", &place, "+repage", "-depth", "8"]);
        limit::run(import.arg(file).env("DISPLAY", &self.display), LIMIT).map(drop)
    }

    /// The middle of the first stretch of the accent in the right half of a window: the button that applies a plan.
    pub(super) fn accent(&self, window: &Window, patience: Duration) -> Result<Option<[i32; 2]>> {
        // Under the pointer the button has another color.
        self.tool(["mousemove", "--window", &window.0, "8", "8"])?;
        limit::until(patience, || Ok(button(&self.pixels(window)?)))
    }
}

/// The button in a picture in the format PPM, 8 bit.
fn button(ppm: &[u8]) -> Option<[i32; 2]> {
    let mut words = ppm.split(u8::is_ascii_whitespace).take(4);
    let mut number = || std::str::from_utf8(words.next()?).ok()?.parse::<usize>().ok();
    let _format = number();
    let (width, height) = (number()?, number()?);
    let pixels = ppm.get(ppm.len().checked_sub(width * height * 3)?..)?;
    for (y, row) in pixels.chunks_exact(width * 3).enumerate() {
        let mut run = 0;
        for (x, pixel) in row.chunks_exact(3).enumerate().skip(width / 2) {
            run = if *pixel == ACCENT { run + 1 } else { 0 };
            // The bar of a prediction is as wide, and lower.
            let below = (y + BUTTON_HEIGHT) * width + x;
            if run >= BUTTON && pixels.get(below * 3..below * 3 + 3) == Some(&ACCENT) {
                let at = [x - BUTTON / 2, y + 4];
                return Some(at.map(|it| it as i32));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_button_is_the_first_row_of_the_accent_in_the_right_half() {
        let (width, height) = (200, 20);
        let mut ppm = format!("P6\n{width} {height}\n255\n").into_bytes();
        let pixel = |index: usize| {
            let (x, y) = (index % width, index / width);
            let is_left = y == 2 && x < 60;
            let is_bar = y == 5 && x > 130;
            if is_left || is_bar || y > 9 && (120..170).contains(&x) { ACCENT } else { [0; 3] }
        };
        ppm.extend((0..width * height).flat_map(pixel));
        assert_eq!(button(&ppm), Some([139, 14]));
        assert_eq!(button(b"P6\n2 2\n255\n"), None);
    }
}
