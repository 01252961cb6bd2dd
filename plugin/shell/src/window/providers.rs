//! The providers, as the window shows and changes them. A DAW's process reads no configuration and talks to
//! no provider: the helper does, as `deskhand providers`.
//!
//! Thread: window; the helper is waited for on a thread of its own

use crate::hub::beside;
use deskhand_editor::Provider;
use deskhand_protocol::helper;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The text while a provider is being tested.
const ASKING: &str = "Asking…";
/// Between two looks whether the helper is done.
const GLANCE: Duration = Duration::from_millis(10);
/// The helper's own longest test, and some.
const LONGEST: Duration = Duration::from_secs(50);
/// How long the end may take at most.
const PATIENCE: Duration = Duration::from_millis(400);

/// What the helper is asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Asked {
    List,
    Use { id: Option<String> },
    Model { id: String, model: String, default: Option<String> },
    Add { address: String, model: String },
    Key { id: String, key: String },
    Test { id: String, is_local_only: bool },
}

enum Found {
    Offers(Offers),
    Tested(String, Tested),
    /// It could not be done, and why.
    Failed(String),
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Offers {
    providers: Vec<Offer>,
    default: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Offer {
    id: String,
    model: String,
    is_local: bool,
    needs_key: bool,
    has_key: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Tested {
    said: String,
    #[serde(default)]
    answers: bool,
    #[serde(default)]
    models: Vec<String>,
}

/// An error as the helper writes it.
#[derive(Deserialize)]
struct Refused {
    error: Said,
}

#[derive(Deserialize)]
struct Said {
    message: String,
    #[serde(default)]
    fix: String,
}

/// The providers that the helper reported.
pub(super) struct Providers {
    /// Gone when it ends.
    asks: Option<Sender<Asked>>,
    found: Receiver<Found>,
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    offers: Offers,
    tested: BTreeMap<String, Tested>,
}

impl Providers {
    /// Starts the search for providers. `wake` is called on news. `None` if there is no thread.
    pub(super) fn new(wake: impl Fn() + Send + 'static) -> Option<Self> {
        let (asks, asked) = channel();
        let (told, found) = channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let work = move || {
            for one in asked {
                drop(told.send(done(&one, &over)));
                wake();
            }
        };
        let thread = thread::Builder::new().name("deskhand-providers".into()).spawn(work).ok()?;
        let (offers, tested) = (Offers::default(), BTreeMap::new());
        let made = Self { asks: Some(asks), found, is_over, thread, offers, tested };
        made.ask(Asked::List);
        Some(made)
    }

    /// Has the helper do something.
    pub(super) fn ask(&self, asked: Asked) {
        if let Some(asks) = &self.asks {
            drop(asks.send(asked));
        }
    }

    pub(super) fn test(&mut self, id: String, is_local_only: bool) {
        self.tested.entry(id.clone()).or_default().said = ASKING.into();
        self.ask(Asked::Test { id, is_local_only });
    }

    /// Takes the news. Returns what went wrong.
    pub(super) fn look(&mut self) -> Option<String> {
        let mut wrong = None;
        while let Ok(found) = self.found.try_recv() {
            match found {
                Found::Offers(offers) => self.offers = offers,
                Found::Tested(id, tested) => drop(self.tested.insert(id, tested)),
                Found::Failed(why) => wrong = Some(why),
            }
        }
        wrong
    }

    /// Those that can be chosen, and the one that answers.
    pub(super) fn shown(&self) -> (Vec<Provider>, Option<String>) {
        let shown = |offer: &Offer| {
            let Offer { id, model, is_local, needs_key, has_key } = offer.clone();
            let Tested { said: tested, answers, models } =
                self.tested.get(&id).cloned().unwrap_or_default();
            let has_failed = !answers && !tested.is_empty() && tested != ASKING;
            Provider { id, model, models, is_local, needs_key, has_key, tested, has_failed }
        };
        (self.offers.providers.iter().map(shown).collect(), self.offers.default.clone())
    }
}

impl Drop for Providers {
    fn drop(&mut self) {
        self.asks = None;
        self.is_over.store(true, Ordering::Relaxed);
        let end = Instant::now() + PATIENCE;
        // The library may be unloaded with the last instance, so the thread must end before.
        while !self.thread.is_finished() && Instant::now() < end {
            thread::park_timeout(Duration::from_millis(2));
        }
    }
}

fn done(asked: &Asked, is_over: &AtomicBool) -> Found {
    let told = match asked {
        Asked::List => run(&["list"], None, is_over),
        Asked::Use { id } => run(&["use", id.as_deref().unwrap_or("offline")], None, is_over),
        Asked::Model { id, model, default } => {
            // Another model of a provider does not make it the one that answers.
            let set = run(&["use", id, "--model", model], None, is_over);
            match (set, default) {
                (Ok(_), default) if default.as_ref() != Some(id) => {
                    run(&["use", default.as_deref().unwrap_or("offline")], None, is_over)
                }
                (set, _) => set,
            }
        }
        Asked::Add { address, model } => run(&["add", "--", address, model], None, is_over),
        Asked::Key { id, key } => run(&["key", id], Some(key), is_over),
        Asked::Test { id, is_local_only } => {
            let words: &[&str] =
                if *is_local_only { &["test", id, "--local-only"] } else { &["test", id] };
            let told = run(words, None, is_over);
            let tested =
                told.and_then(|told| serde_json::from_str(&told).map_err(|it| it.to_string()));
            let failed = |said| Tested { said, ..Tested::default() };
            return Found::Tested(id.clone(), tested.unwrap_or_else(failed));
        }
    };
    match told.and_then(|told| serde_json::from_str(&told).map_err(|it| it.to_string())) {
        Ok(offers) => Found::Offers(offers),
        Err(why) => Found::Failed(why),
    }
}

/// Runs `deskhand providers` to its end. Returns its output, or the reason of its failure.
fn run(words: &[&str], input: Option<&str>, is_over: &AtomicBool) -> Result<String, String> {
    let program = helper::program(beside().as_deref());
    let program = program.ok_or_else(|| helper::HelperError::Absent.to_string())?;
    let mut command = Command::new(program);
    command.arg("--json").arg("providers").args(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|why| format!("deskhand cannot be started: {why}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A helper that ends before it read says why itself.
        drop(stdin.write_all(input.unwrap_or_default().as_bytes()));
    }
    if !ends(&mut child, is_over) {
        drop(child.kill());
        drop(child.wait());
        return Err("deskhand did not answer".into());
    }
    let told = child.wait_with_output().map_err(|why| why.to_string())?;
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    match serde_json::from_str::<Refused>(&text) {
        Ok(Refused { error: Said { message, fix } }) if fix.is_empty() => Err(message),
        Ok(Refused { error: Said { message, fix } }) => Err(format!("{message}; {fix}")),
        Err(_) => Ok(text),
    }
}

fn ends(child: &mut Child, is_over: &AtomicBool) -> bool {
    let start = Instant::now();
    while !is_over.load(Ordering::Relaxed) && start.elapsed() < LONGEST {
        match child.try_wait() {
            Ok(Some(_)) => return true,
            Ok(None) => thread::park_timeout(GLANCE),
            Err(_) => return false,
        }
    }
    false
}
