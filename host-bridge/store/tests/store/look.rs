//! Looking into a session that cannot be opened for work, without a trace.

use crate::owner::{in_second_process, second_process};
use crate::work::*;
use deskhand_session::*;
use deskhand_store::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::tempdir;

/// Every file below a folder with its bytes and the time of its last change, and every folder.
fn everything(dir: &Path) -> BTreeMap<PathBuf, (Option<Vec<u8>>, SystemTime)> {
    let mut found = BTreeMap::new();
    for name in names(dir) {
        let path = dir.join(name);
        if path.is_dir() {
            found.extend(everything(&path));
        }
        let bytes = path.is_file().then(|| fs::read(&path).unwrap());
        found.insert(path.clone(), (bytes, path.metadata().unwrap().modified().unwrap()));
    }
    found
}

/// A closed session with a plan and some steps.
fn made(dir: &Path) -> Work {
    let mut work = Work::create(dir);
    work.gain(-3.0);
    let made = PlanMade { plan: plan(&work.session), author: Author::User, time_ms: 1 };
    put(work.store(), vec![Event::Plan(made)]).unwrap();
    work.gain(-4.5);
    let state = Work { store: None, session: work.session.clone(), history: work.history.clone() };
    work.close();
    state
}

#[test]
fn a_look_shows_what_opening_would_and_leaves_no_trace() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let work = made(&dir);
    fs::remove_file(dir.join("session.lock")).unwrap();
    let before = everything(tmp.path());
    let look = Store::look(&dir).unwrap();
    work.assert_same(&look.loaded);
    assert_eq!(look.loaded.plans.len(), 1);
    assert_eq!(look.dir, dir.canonicalize().unwrap());
    look.cache().put("ab", b"loud");
    assert_eq!(look.cache().get("ab"), None);
    let loaded = look.loaded;
    assert_eq!(everything(tmp.path()), before);
    let (_store, opened) = Store::open(&dir).unwrap();
    assert_eq!(opened, loaded);
}

#[test]
fn a_look_reads_the_log_that_a_crash_left() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut work = Work::create(&dir);
    for db in [-1.0, -2.0, -3.0] {
        work.gain(db);
    }
    let crashed = frozen(&dir, &tmp.path().join("crashed"));
    assert!(names(&crashed).contains(&"session.db-wal".to_owned()));
    let before = everything(&crashed);
    work.assert_same(&Store::look(&crashed).unwrap().loaded);
    assert_eq!(everything(&crashed), before);
    // Without the log only earlier content is there. That is a session, or damage with a message.
    fs::remove_file(crashed.join("session.db-wal")).unwrap();
    let before = everything(&crashed);
    match Store::look(&crashed) {
        Ok(look) => assert_eq!(look.loaded.history.head(), RevisionId(0)),
        Err(error) => assert!(matches!(error, OpenError::Damaged { .. }), "{error}"),
    }
    assert_eq!(everything(&crashed), before);
    work.close();
}

#[test]
fn a_look_keeps_measurements_that_are_there() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let work = Work::create(&dir);
    work.store().cache().put("ab", b"loud");
    work.close();
    assert_eq!(Store::look(&dir).unwrap().cache().get("ab").unwrap(), b"loud");
}

#[test]
fn an_open_session_is_not_looked_into_and_the_rest_is_told_as_by_opening() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let work = Work::create(&dir);
    let error = Store::look(&dir).unwrap_err();
    let own = Some(std::process::id());
    assert!(matches!(&error, OpenError::InUse { holder, .. } if holder.pid == own), "{error}");
    work.close();
    let error = Store::look(&tmp.path().join("nowhere")).unwrap_err();
    assert!(matches!(error, OpenError::Missing(_)), "{error}");
    let error = Store::look(tmp.path()).unwrap_err();
    assert!(matches!(error, OpenError::NotASession { .. }), "{error}");
    let mut bytes = fs::read(dir.join("session.db")).unwrap();
    let at = bytes.windows(6).rposition(|found| found == b"Vocals").unwrap();
    bytes[at] ^= 1;
    fs::write(dir.join("session.db"), bytes).unwrap();
    let error = Store::look(&dir).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
}

#[cfg(unix)]
mod read_only {
    use super::*;
    use crate::disk::{SmallDisk, is_root, permit};
    use crate::owner::said;
    use std::os::unix::process::CommandExt;

    const FILES: [(&str, u32); 3] = [("session.db", 0o444), ("session.lock", 0o444), ("", 0o555)];

    const NAMES: [&str; 4] = ["all", "crashed", "database", "folder"];

    /// Makes a folder and all in it writable for everyone.
    fn open_up(dir: &Path) {
        permit(dir, 0o777);
        names(dir).iter().for_each(|file| permit(&dir.join(file), 0o777));
    }

    /// The same session in four folders, each with another thing in the way of writing.
    fn forbidden(tmp: &Path) {
        let at = |name: &str| tmp.join(name);
        let mut work = Work::create(&at("all"));
        work.gain(-1.0);
        frozen(&at("all"), &at("crashed"));
        work.close();
        for name in ["database", "folder"] {
            frozen(&at("all"), &at(name));
        }
        NAMES.iter().for_each(|name| open_up(&at(name)));
        for (file, mode) in FILES {
            permit(&at("all").join(file), mode);
            permit(&at("crashed").join(file), mode);
        }
        permit(&at("database/session.db"), 0o444);
        permit(&at("folder"), 0o555);
        permit(tmp, 0o555);
    }

    /// A session that does not open can be looked into; its head.
    fn look_into(dir: &Path) -> RevisionId {
        let error = Store::open(dir).unwrap_err();
        assert!(error.leaves_a_look(), "{error}");
        Store::look(dir).unwrap().loaded.history.head()
    }

    #[test]
    fn a_folder_that_may_not_be_written_can_be_looked_into() {
        const NAME: &str = "look::read_only::a_folder_that_may_not_be_written_can_be_looked_into";
        if let Some(tmp) = in_second_process() {
            NAMES.iter().for_each(|name| println!("{name}: {}", look_into(&tmp.join(name))));
            return;
        }
        let tmp = tempdir().unwrap();
        forbidden(tmp.path());
        let bytes = || everything(tmp.path()).into_iter().map(|(path, (bytes, _))| (path, bytes));
        let before: Vec<_> = bytes().collect();
        let mut command = second_process(NAME, tmp.path());
        if is_root() {
            // Root may write everywhere.
            command.uid(65_534).gid(65_534).current_dir("/");
        }
        let output = command.output();
        let after: Vec<_> = bytes().collect();
        permit(tmp.path(), 0o755);
        NAMES.iter().for_each(|name| open_up(&tmp.path().join(name)));
        let Ok(output) = output else {
            eprintln!("SKIPPED {NAME}: others cannot run this test");
            return;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for name in NAMES {
            assert!(said(&output).contains(&format!("{name}: 2")), "{}", said(&output));
        }
        assert_eq!(after, before);
    }

    #[test]
    fn a_session_on_a_full_disk_can_be_looked_into() {
        let tmp = tempdir().unwrap();
        let Some(disk) = SmallDisk::mount(tmp.path()) else {
            eprintln!("SKIPPED a_session_on_a_full_disk_can_be_looked_into: cannot mount a tmpfs");
            return;
        };
        let dir = tmp.path().join("s");
        let work = made(&dir);
        disk.fill();
        let before = everything(&dir);
        work.assert_same(&Store::look(&dir).unwrap().loaded);
        assert_eq!(everything(&dir), before);
    }
}
