//! Measurements that can be made again, as one file each. A cache may always miss: nothing here fails.
//!
//! A file is the BLAKE3 of the value (32 bytes) and the value. It is written under another name and
//! renamed, without a sync: after a power cut the hash tells a torn one.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The largest size of all values together.
const MOST_BYTES: u64 = 2 << 30;
/// How a file of the cache ends; no other file is ever touched.
const SUFFIX: &str = "cached";
/// Length of the hash before a value.
const HASH: usize = 32;

/// A folder of measurements by key.
#[derive(Clone, Debug)]
pub struct Cache {
    dir: Arc<PathBuf>,
    most: u64,
    keeps: Keeps,
    /// Bytes in the folder as far as this process knows; `u64::MAX` until counted.
    size: Arc<AtomicU64>,
}

/// What becomes of new values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeps {
    WhatFits,
    Nothing,
}

impl Cache {
    /// The cache in a folder, which need not exist yet. The oldest values go when all together are
    /// larger than 2 GB.
    #[must_use]
    pub fn new(dir: PathBuf) -> Self {
        Self::with_room(dir, MOST_BYTES)
    }

    /// A cache in a folder that is only looked into: new values are not stored.
    pub(crate) fn looked_into(dir: PathBuf) -> Self {
        Self { keeps: Keeps::Nothing, ..Self::new(dir) }
    }

    fn with_room(dir: PathBuf, most: u64) -> Self {
        let size = Arc::new(AtomicU64::new(u64::MAX));
        Self { dir: Arc::new(dir), most, keeps: Keeps::WhatFits, size }
    }

    /// The value of a key of 1 to 128 hexadecimal digits.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.path(key)?;
        // A pipe in a folder from elsewhere would make opening wait.
        let size = path.symlink_metadata().ok().filter(fs::Metadata::is_file)?.len();
        if size > self.most {
            return None;
        }
        let mut bytes = Vec::new();
        fs::File::open(path).ok()?.take(self.most).read_to_end(&mut bytes).ok()?;
        let (hash, value) = bytes.split_at_checked(HASH)?;
        (blake3::hash(value).as_bytes() == hash).then(|| value.to_vec())
    }

    /// Keeps a value, or not.
    pub fn put(&self, key: &str, value: &[u8]) {
        if self.keeps == Keeps::WhatFits
            && let Some(path) = self.path(key)
            && write(&self.dir, &path, value).is_some()
        {
            self.make_room(value.len() as u64);
        }
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        let valid = (1..=128).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_hexdigit());
        valid.then(|| self.dir.join(format!("{}.{SUFFIX}", key.to_ascii_lowercase())))
    }

    fn make_room(&self, added: u64) {
        let known = self.size.load(Ordering::Relaxed);
        let size = known.saturating_add(added);
        if known != u64::MAX && size <= self.most {
            self.size.fetch_add(added, Ordering::Relaxed);
            return;
        }
        let mut entries = entries(&self.dir);
        let mut size: u64 = entries.iter().map(|entry| entry.bytes).sum();
        if size > self.most {
            entries.sort_by_key(|entry| entry.modified);
            // A tenth more than needed, or each new value would count the folder again.
            let goal = self.most / 10 * 9;
            for entry in entries {
                if size > goal && fs::remove_file(&entry.path).is_ok() {
                    size -= entry.bytes;
                }
            }
        }
        self.size.store(size, Ordering::Relaxed);
    }
}

fn write(dir: &Path, path: &Path, value: &[u8]) -> Option<()> {
    fs::create_dir_all(dir).ok()?;
    let suffix = format!(".{SUFFIX}");
    let mut file = tempfile::Builder::new().prefix("new-").suffix(&suffix).tempfile_in(dir).ok()?;
    file.write_all(blake3::hash(value).as_bytes()).ok()?;
    file.write_all(value).ok()?;
    file.persist(path).ok().map(drop)
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    modified: SystemTime,
}

/// The plain files of the cache, those that a killed process left half-written too.
fn entries(dir: &Path) -> Vec<Entry> {
    let found = fs::read_dir(dir).into_iter().flatten().flatten();
    let files = found.filter_map(|entry| {
        let path = entry.path();
        let ours = path.extension().is_some_and(|ending| ending == SUFFIX);
        let meta = entry.metadata().ok().filter(|meta| ours && meta.is_file())?;
        let modified = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(Entry { path, bytes: meta.len(), modified })
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_until_it_is_damaged() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().join("cache"));
        assert_eq!(cache.get("ab12"), None);
        cache.put("ab12", b"loud");
        cache.put("ff", b"");
        assert_eq!(cache.get("AB12").unwrap(), b"loud");
        assert_eq!(cache.get("ff").unwrap(), b"");
        let file = dir.path().join("cache/ab12.cached");
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&file, &bytes).unwrap();
        assert_eq!(cache.get("ab12"), None);
        fs::write(&file, &bytes[..20]).unwrap();
        assert_eq!(cache.get("ab12"), None);
    }

    #[test]
    fn keys_cannot_leave_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().join("cache"));
        let long = "a".repeat(129);
        for key in ["", "../ab", "ab/cd", "g0", "é", &long] {
            cache.put(key, b"x");
            assert_eq!(cache.get(key), None, "{key}");
        }
        assert!(!dir.path().join("cache").exists());
    }

    #[test]
    fn the_oldest_goes_first_and_strangers_stay() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("notes.txt"), vec![0; 5000]).unwrap();
        let cache = Cache::with_room(dir.path().into(), 1000);
        for (age, key) in ["a1", "a2", "a3"].into_iter().enumerate() {
            cache.put(key, &[7; 300 - HASH]);
            let file = fs::File::options().write(true).open(cache.path(key).unwrap()).unwrap();
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(age as u64 + 1);
            file.set_modified(time).unwrap();
        }
        cache.put("a4", &[7; 300 - HASH]);
        let kept: Vec<_> =
            ["a1", "a2", "a3", "a4"].map(|key| cache.get(key).is_some()).into_iter().collect();
        assert_eq!(kept, [false, true, true, true]);
        assert!(dir.path().join("notes.txt").exists());
    }

    #[test]
    fn a_folder_that_cannot_be_written_only_misses() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = Cache::new(file);
        cache.put("aa", b"x");
        assert_eq!(cache.get("aa"), None);
    }

    #[test]
    fn it_is_shared_between_workers() {
        fn shared<T: Send + Sync + Clone>() {}
        shared::<Cache>();
    }
}
