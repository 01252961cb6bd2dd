//! Models that are loaded once, while anyone uses them.

use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

/// Models in use, by their file.
pub(crate) struct InUse<M>(Mutex<Vec<(PathBuf, Weak<M>)>>);

impl<M> InUse<M> {
    pub(crate) const fn none() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The model of a file: the one in use, or the result of `open`.
    ///
    /// # Errors
    /// When `open` fails.
    pub(crate) fn get<E>(
        &self,
        path: &Path,
        open: impl FnOnce() -> Result<M, E>,
    ) -> Result<Arc<M>, E> {
        // Held while opening, so that one model is not loaded twice at once.
        let mut models = self.0.lock();
        models.retain(|(_, model)| model.strong_count() > 0);
        let known = models.iter().find(|(known, _)| known == path);
        if let Some(model) = known.and_then(|(_, model)| model.upgrade()) {
            return Ok(model);
        }
        let model = Arc::new(open()?);
        models.push((path.to_owned(), Arc::downgrade(&model)));
        Ok(model)
    }
}
