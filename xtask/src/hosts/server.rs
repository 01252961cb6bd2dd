//! Servers of our own: a display's, and JACK without a card. What a client plays into JACK is measured.

use crate::{limit, wav};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// A server that is asked to end: one that is killed leaves its place taken.
pub(super) struct Server(Child);

impl Server {
    /// Starts it; what it complains about is thrown away.
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        let child = command.stderr(Stdio::null()).spawn();
        let named = || format!("cannot start: {}", crate::shell::line(command));
        child.map(Self).with_context(named)
    }

    /// What it says, where its command pipes that.
    pub(super) fn says(&mut self) -> Option<ChildStdout> {
        self.0.stdout.take()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        Command::new("kill").arg(self.0.id().to_string()).status().ok();
        let ended = limit::until(Duration::from_secs(5), || Ok(self.0.try_wait()?));
        if !matches!(ended, Ok(Some(_))) {
            self.0.kill().ok();
            self.0.wait().ok();
        }
    }
}

/// A JACK server without a card, which calls back in real time at 48 kHz.
pub(super) struct Jack {
    name: String,
    _server: Server,
}

impl Jack {
    /// A server that answers; `part` makes its name one of its own.
    pub(super) fn start(part: &str) -> Result<Self> {
        let name = format!("{part}-{}", std::process::id());
        let mut jack = Command::new("jackd");
        jack.args(["--no-realtime", "-t", "5000", "-n", &name, "-d", "dummy", "-r", "48000"]);
        let server = Server::start(jack.args(["-p", "1024"]).stdout(Stdio::null()))?;
        let mut ask = Command::new("jack_wait");
        ask.args(["--server", &name, "--wait", "--timeout", "10"]);
        if limit::run(&mut ask, LIMIT)?.code != 0 {
            bail!(
                "jackd does not answer. Servers that were killed leave their places taken, and JACK has eight: where \
                 none runs, remove /dev/shm/jack*"
            );
        }
        Ok(Self { name, _server: server })
    }

    /// For a client's environment.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn tool(&self, program: &str) -> Command {
        let mut tool = Command::new(program);
        tool.env("JACK_DEFAULT_SERVER", &self.name);
        tool
    }

    /// The level of the output of `port` over a second, RMS in dBFS; silence while there is no such port.
    /// `folder` holds the recording meanwhile.
    pub(super) fn level(&self, port: &str, folder: &Path) -> Result<f64> {
        let ports = limit::run(&mut self.tool("jack_lsp"), LIMIT)?.stdout;
        let Some(port) = ports.lines().find(|line| line.ends_with(port)) else {
            return Ok(f64::NEG_INFINITY);
        };
        let file = folder.join("heard.wav");
        let mut record = self.tool("jack_rec");
        record.arg("-f").arg(&file).args(["-d", "1", "-b", "24", port]);
        limit::run(&mut record, LIMIT)?;
        Ok(level(&wav::read(&file)?.samples))
    }
}

/// RMS in dBFS.
fn level(samples: &[f32]) -> f64 {
    let sum: f64 = samples.iter().map(|sample| f64::from(*sample).powi(2)).sum();
    10.0 * (sum / samples.len().max(1) as f64).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_full_scale_is_six_decibels_less() {
        let found = level(&[0.5, -0.5]);
        assert!((found + 6.0206).abs() < 0.001, "{found}");
        assert_eq!(level(&[]), f64::NEG_INFINITY);
    }
}
