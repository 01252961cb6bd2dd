//! One owner, reported to everyone else, also across processes and their deaths.

use crate::work::*;
use deskhand_session::*;
use deskhand_store::*;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::tempdir;

/// Set in the second process, to the folder it works on.
const CHILD: &str = "DESKHAND_STORE_TEST_DIR";

/// Runs one test of this program in a second process.
pub(crate) fn second_process(test: &str, dir: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(CHILD, dir);
    command
}

/// The folder, in the second process.
pub(crate) fn in_second_process() -> Option<std::path::PathBuf> {
    std::env::var_os(CHILD).map(Into::into)
}

pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_second_process_is_told_who_holds_the_session() {
    if let Some(dir) = in_second_process() {
        let error = Store::open(&dir).unwrap_err();
        assert!(matches!(error, OpenError::InUse { .. }));
        println!("{error}");
        return;
    }
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let work = Work::create(&dir);
    let test = "owner::a_second_process_is_told_who_holds_the_session";
    let output = second_process(test, &dir).output().unwrap();
    let said = said(&output);
    let exe = std::env::current_exe().unwrap();
    let program = exe.file_stem().unwrap().to_string_lossy();
    let expected = format!("is open in {program} (pid {})", std::process::id());
    assert!(output.status.success() && said.contains(&expected), "{said}");
    work.close();
}

#[test]
fn an_owner_that_dies_leaves_what_was_answered() {
    if let Some(dir) = in_second_process() {
        let mut work = Work::open(&dir);
        work.gain(-7.0);
        // No close, no drop: the process ends here.
        std::process::abort();
    }
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    Work::create(&dir).close();
    let test = "owner::an_owner_that_dies_leaves_what_was_answered";
    let output = second_process(test, &dir).output().unwrap();
    assert!(!output.status.success(), "{}", said(&output));
    assert!(names(&dir).contains(&"session.db-wal".to_owned()), "{:?}", names(&dir));
    let work = Work::open(&dir);
    assert_eq!(work.session.tracks[&TRACK].gain.0, -7.0);
    assert_eq!(work.history.head(), RevisionId(2));
}

#[test]
fn the_same_process_cannot_open_it_twice() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let work = Work::create(&dir);
    let error = Store::open(&dir).unwrap_err();
    let expected = format!("(pid {})", std::process::id());
    assert!(error.to_string().contains(&expected), "{error}");
    let session = work.session.clone();
    work.close();
    assert_eq!(Work::open(&dir).session, session);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_session_is_that_session() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut work = Work::create(&dir);
    work.gain(-3.0);
    let link = tmp.path().join("link");
    std::os::unix::fs::symlink(&dir, &link).unwrap();
    assert!(matches!(Store::open(&link), Err(OpenError::InUse { .. })));
    work.close();
    let (store, loaded) = Store::open(&link).unwrap();
    assert_eq!(store.dir(), dir.canonicalize().unwrap());
    assert_eq!(loaded.history.head(), RevisionId(2));
}

#[cfg(unix)]
#[test]
fn a_database_behind_a_link_or_a_pipe_is_not_opened() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    Work::create(&dir).close();
    let fake = tmp.path().join("fake");
    std::fs::create_dir(&fake).unwrap();
    std::os::unix::fs::symlink(dir.join("session.db"), fake.join("session.db")).unwrap();
    let error = Store::open(&fake).unwrap_err();
    assert!(error.to_string().contains("not a plain file"), "{error}");
    assert_eq!(names(&fake), ["session.db"]);
    std::fs::remove_file(fake.join("session.db")).unwrap();
    let made = Command::new("mkfifo").arg(fake.join("session.db")).status().unwrap();
    assert!(made.success());
    let error = Store::open(&fake).unwrap_err();
    assert!(error.to_string().contains("not a plain file"), "{error}");
}

#[test]
fn what_is_no_session_is_named_and_left_alone() {
    let tmp = tempdir().unwrap();
    let missing = Store::open(&tmp.path().join("no")).unwrap_err();
    assert!(matches!(missing, OpenError::Missing(_)));
    let dir = tmp.path().join("other");
    std::fs::create_dir(&dir).unwrap();
    assert!(matches!(Store::open(&dir), Err(OpenError::NotASession { .. })));
    let conn = rusqlite::Connection::open(dir.join("session.db")).unwrap();
    conn.execute_batch("CREATE TABLE mine (x)").unwrap();
    drop(conn);
    assert!(matches!(Store::open(&dir), Err(OpenError::NotASession { .. })));
    std::fs::write(dir.join("session.db"), "").unwrap();
    assert!(matches!(Store::open(&dir), Err(OpenError::NotASession { .. })));
    assert_eq!(names(&dir), ["session.db"]);
    let file = dir.join("session.db");
    assert!(matches!(Store::open(&file), Err(OpenError::NotASession { .. })));
}
