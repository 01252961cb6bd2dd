//! Loaded models: each once, shared by all users, and unloaded when unused for a while.

use crate::card::Origin;
use crate::child;
use crate::digest;
use crate::error::LibraryError;
use crate::library::{Installed, Library, damaged};
use crate::local::Local;
use crate::network::{Network, RunError};
use parking_lot::{Condvar, Mutex};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A model that nobody used for this long is put away.
const IDLE: Duration = Duration::from_secs(120);

/// Why a model is not there to run.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is not installed, or damaged.
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("{id}: {error}; `deskhand models verify {id}` checks its file")]
    Run { id: String, error: RunError },
}

struct Loaded {
    path: PathBuf,
    network: Arc<dyn Network>,
    used: Instant,
}

#[derive(Default)]
struct Shelf {
    loaded: Mutex<Vec<Loaded>>,
    /// A model was put on the empty shelf.
    filled: Condvar,
}

impl Library {
    /// The network of an installed model, loaded now or before. Files of the catalog are checked against
    /// their hash before they are loaded; a person's own run in a child process.
    ///
    /// # Errors
    /// When it is not installed, damaged, or does not load.
    pub fn load(&self, id: &str) -> Result<Arc<dyn Network>, LoadError> {
        let found = self.find(id)?;
        self.touch(id);
        shelf().get(&found.path, || load(&found))
    }
}

fn load(found: &Installed) -> Result<Arc<dyn Network>, LoadError> {
    let record = &found.record;
    let failed = |error| LoadError::Run { id: record.id.clone(), error };
    match record.origin {
        Origin::Catalog => {
            let file = std::fs::read(&found.path).map_err(|e| LibraryError::io(&found.path, &e))?;
            if digest::of_bytes(&file) != record.sha256 {
                return Err(damaged(record, "its file was changed".into()).into());
            }
            Ok(Arc::new(Local::load(file).map_err(failed)?))
        }
        Origin::Added => Ok(Arc::new(child::Remote::start(&found.path).map_err(failed)?)),
    }
}

fn shelf() -> &'static Arc<Shelf> {
    static SHELF: OnceLock<Arc<Shelf>> = OnceLock::new();
    SHELF.get_or_init(|| {
        let shelf = Arc::new(Shelf::default());
        let tidied = Arc::clone(&shelf);
        // Without the thread models stay loaded, which costs memory and nothing else.
        drop(
            std::thread::Builder::new().name("deskhand-models".into()).spawn(move || tidy(&tidied)),
        );
        shelf
    })
}

/// Puts idle models away, and sleeps while the shelf is empty.
fn tidy(shelf: &Shelf) {
    let mut loaded = shelf.loaded.lock();
    loop {
        if loaded.is_empty() {
            shelf.filled.wait(&mut loaded);
        } else {
            // Woken early or not, due models are unloaded.
            let _why = shelf.filled.wait_for(&mut loaded, IDLE / 4);
            put_away(&mut loaded, IDLE);
        }
    }
}

/// Drops networks that nobody holds and that were not requested since `idle`.
fn put_away(loaded: &mut Vec<Loaded>, idle: Duration) {
    loaded.retain(|one| Arc::strong_count(&one.network) > 1 || one.used.elapsed() < idle);
}

impl Shelf {
    fn get(
        &self,
        path: &PathBuf,
        load: impl FnOnce() -> Result<Arc<dyn Network>, LoadError>,
    ) -> Result<Arc<dyn Network>, LoadError> {
        // Held while loading, so that one model is not loaded twice at once.
        let mut loaded = self.loaded.lock();
        if let Some(one) = loaded.iter_mut().find(|one| one.path == *path) {
            one.used = Instant::now();
            return Ok(Arc::clone(&one.network));
        }
        let network = load()?;
        let one =
            Loaded { path: path.clone(), network: Arc::clone(&network), used: Instant::now() };
        loaded.push(one);
        self.filled.notify_all();
        Ok(network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Tensor;

    struct Nothing;

    impl Network for Nothing {
        fn run(&self, _: &[Tensor], _: &[usize]) -> Result<Vec<Tensor>, RunError> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn a_model_is_loaded_once_shared_and_put_away_when_idle() {
        let shelf = Shelf::default();
        let path = PathBuf::from("m");
        let first = shelf.get(&path, || Ok(Arc::new(Nothing))).unwrap();
        let second = shelf.get(&path, || panic!("it is loaded")).unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        put_away(&mut shelf.loaded.lock(), Duration::ZERO);
        assert_eq!(shelf.loaded.lock().len(), 1, "it is in use");
        drop((first, second));
        put_away(&mut shelf.loaded.lock(), Duration::from_secs(60));
        assert_eq!(shelf.loaded.lock().len(), 1, "it was used just now");
        put_away(&mut shelf.loaded.lock(), Duration::ZERO);
        assert_eq!(shelf.loaded.lock().len(), 0);
    }
}
