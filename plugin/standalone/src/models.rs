//! Models of the catalog, for the preferences. Only a person's click comes here.
//!
//! Thread: the preferences' own; installing has one for itself.

use crossbeam_channel::{Receiver, bounded};
use deskhand_editor::ModelOffer;
use deskhand_inference::{Card, Library, Told, card, catalog};
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long the end of an install that was stopped is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The available and the installed models. Empty if this user has no place for models.
pub(crate) fn offers() -> Vec<ModelOffer> {
    let installed = Library::of_this_user().map(|library| library.installed()).unwrap_or_default();
    let here = |id: &str| installed.iter().any(|known| known.record.id == id);
    let cards = catalog().iter().map(|card| ModelOffer {
        id: card.id.into(),
        title: card.title.into(),
        task: card.task.title().into(),
        download: card.download(),
        size: card.size,
        license: card.license.into(),
        is_installed: here(card.id),
        ..ModelOffer::default()
    });
    let own = installed.iter().filter(|known| card(&known.record.id).is_none());
    let own = own.map(|known| ModelOffer {
        id: known.record.id.clone(),
        title: known.record.title.clone(),
        task: known.record.task.title().into(),
        size: known.record.size,
        license: known.record.license.clone(),
        is_installed: true,
        ..ModelOffer::default()
    });
    cards.chain(own).collect()
}

/// Downloads a model of the catalog and installs it; `told` gets each step, and may stop it.
pub(crate) fn install(id: &str, told: Told<'_>) -> Result<(), String> {
    let card = card(id).ok_or_else(|| format!("there is no model \"{id}\" in the catalog"))?;
    let library = Library::of_this_user().map_err(|error| error.to_string())?;
    keep(&library, card, told)
}

fn keep(library: &Library, card: &Card, told: Told<'_>) -> Result<(), String> {
    deskhand_inference::install(library, card, told).map(drop).map_err(|error| error.to_string())
}

/// A report of an install: a step, `None` once the model is there, or why it failed.
pub(crate) type Said = Result<Option<String>, String>;

/// An install that runs on a thread. When dropped, it stops and removes its files.
pub(crate) struct Install {
    is_stopped: Arc<AtomicBool>,
    /// Nothing is ever sent: it closes when the thread has ended.
    ended: Receiver<()>,
}

impl Install {
    /// Begins `work`; `tell` hears how it goes on, on that thread.
    pub(crate) fn begin(
        work: impl FnOnce(Told<'_>) -> Result<(), String> + Send + 'static,
        tell: impl Fn(Said) + Send + 'static,
    ) -> io::Result<Self> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (alive, ended) = bounded::<()>(0);
        let stop = Arc::clone(&is_stopped);
        let run = move || {
            let mut last = String::new();
            let mut told = |step: &str| {
                if step != last {
                    step.clone_into(&mut last);
                    tell(Ok(Some(step.to_owned())));
                }
                match stop.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            let done = work(&mut told);
            tell(done.map(|()| None));
            drop(alive);
        };
        thread::Builder::new().name("models".into()).spawn(run)?;
        Ok(Self { is_stopped, ended })
    }

    /// Has it end soon.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

impl Drop for Install {
    fn drop(&mut self) {
        self.stop();
        self.ended.recv_timeout(PATIENCE).ok();
    }
}

/// Takes a model off this computer.
pub(crate) fn uninstall(id: &str) -> Result<(), String> {
    let library = Library::of_this_user().map_err(|error| error.to_string())?;
    library.remove(id).map(drop).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
