//! `deskhand serve`: runs the hub of a session until it is asked to end.

mod background;
mod log;

pub(crate) use background::run as in_background;
pub(crate) use log::{state_word, who};

use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::Output;
use crate::serving::{Serving, Wishes};
use crossbeam_channel::RecvTimeoutError;
use log::Log;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often Ctrl-C is looked for while nothing happens.
const GLANCE: Duration = Duration::from_millis(100);

/// How to serve.
pub(crate) struct ServeOptions {
    pub(crate) policy: Option<PathBuf>,
    pub(crate) linger: Option<f64>,
    pub(crate) local_only: bool,
}

/// Serves the session in `dir`.
pub(crate) fn run(dir: &Path, options: ServeOptions, output: Output) -> Result<Exit, Failure> {
    let ServeOptions { policy, linger, local_only } = options;
    let linger = linger.map(seconds).transpose()?;
    interrupt::listen();
    let told = policy.clone();
    let wishes = Wishes {
        policy,
        linger,
        local_only,
        on_sent: Box::new(move |sent| output.note(sent.to_string())),
    };
    let serving = Serving::start(dir, wishes, output)?;
    if let Some(file) = told {
        output.note(format!("using the rules of {}", file.display()));
    }
    say_ready(&serving, output);
    watch(&serving, output);
    serving.wait()?;
    output.note("stopped; everything is stored");
    Ok(Exit::Done)
}

fn seconds(seconds: f64) -> Result<Duration, Failure> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        let message = format!("--linger {seconds} is not a number of seconds");
        Failure::new("bad_params", message, "write --linger 30")
    })
}

/// One line: the program that starts a hub waits for it.
fn say_ready(serving: &Serving, output: Output) {
    let (folder, session) = (serving.folder(), serving.session());
    output.json_line(&json!({
        "serving": folder,
        "session": session,
        "pid": std::process::id(),
    }));
    output.say(format!("serving {}; Ctrl-C ends it", folder.display()));
}

/// Tells what happens until the hub ends; Ctrl-C ends it.
fn watch(serving: &Serving, output: Output) {
    let mut log = Log::default();
    loop {
        if interrupt::take() {
            output.note("stopping");
            serving.door().stop();
        }
        match serving.sights.recv_timeout(GLANCE) {
            Ok(sight) => log.lines(&sight).iter().for_each(|line| output.note(line)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
