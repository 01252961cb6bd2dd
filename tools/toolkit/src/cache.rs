//! Where measurements are kept, so that a second plan on the same audio measures nothing.

/// Bytes by key. A cache may lose anything at any time; it is never an error.
pub trait MeasurementCache: Send + Sync {
    /// The bytes stored under `key`, if they are still there and whole.
    fn get(&self, key: &str) -> Option<Vec<u8>>;

    /// Stores bytes under `key`.
    fn put(&self, key: &str, bytes: &[u8]);
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

impl MeasurementCache for NoCache {
    fn get(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _: &str, _: &[u8]) {}
}
