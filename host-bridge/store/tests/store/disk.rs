//! Folders that cannot be written, and disks that are full.
#![cfg(unix)]

use crate::owner::{in_second_process, said, second_process};
use crate::work::*;
use deskhand_store::*;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::tempdir;

pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0)
}

pub(crate) fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_folder_that_may_not_be_written_is_named() {
    if let Some(dir) = in_second_process() {
        println!("open: {}", Store::open(&dir.join("s")).unwrap_err());
        println!("create: {}", Store::create(&dir.join("new"), &session()).unwrap_err());
        return;
    }
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    Work::create(&dir).close();
    permit(&dir.join("session.db"), 0o444);
    permit(&dir.join("session.lock"), 0o444);
    permit(&dir, 0o555);
    permit(tmp.path(), 0o555);
    let mut command = second_process("disk::a_folder_that_may_not_be_written_is_named", tmp.path());
    if is_root() {
        // Root may write everywhere.
        command.uid(65_534).gid(65_534).current_dir("/");
    }
    let output = command.output();
    permit(tmp.path(), 0o755);
    permit(&dir, 0o755);
    let Ok(output) = output else {
        eprintln!("SKIPPED a_folder_that_may_not_be_written_is_named: others cannot run this test");
        return;
    };
    assert!(output.status.success(), "{}", said(&output));
    assert_named(&said(&output));
    assert_eq!(names(tmp.path()), ["s"]);
    assert_eq!(names(&dir), ["cache", "media", "session.db", "session.lock"]);
}

fn assert_named(said: &str) {
    for (what, way_out) in [
        ("open: ", "copy it to a folder that you may write to"),
        ("create: ", "choose a folder that you may write to"),
    ] {
        let line = said.lines().find_map(|line| line.split(what).nth(1)).unwrap_or_default();
        assert!(line.contains("cannot be written") && line.contains(way_out), "{said}");
    }
}

/// A small disk, taken away when dropped.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` if this user may not mount.
    pub(crate) fn mount(at: &Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=600k", "tmpfs"]).arg(at);
        mount.output().is_ok_and(|output| output.status.success()).then(|| Self(at.to_owned()))
    }

    /// Takes all the room that is left.
    pub(crate) fn fill(&self) -> PathBuf {
        use std::io::Write;
        let path = self.0.join("filler");
        let mut file = fs::File::create(&path).unwrap();
        while file.write_all(&[1; 4096]).is_ok() {}
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _left_behind = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_loses_nothing_that_was_answered() {
    let tmp = tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(tmp.path()) else {
        eprintln!("SKIPPED a_full_disk_loses_nothing_that_was_answered: cannot mount a tmpfs");
        return;
    };
    let dir = tmp.path().join("s");
    let mut work = Work::create(&dir);
    work.gain(-1.0);
    let filler = disk.fill();
    let other = tmp.path().join("other");
    let error = Store::create(&other, &session()).unwrap_err();
    assert!(matches!(error, CreateError::DiskFull(_)), "{error}");
    assert!(!other.exists());
    let error = fill_up(&mut work);
    assert_eq!(error, StoreError::DiskFull);
    assert!(error.to_string().contains("free some space"), "{error}");
    let next = Event::Revision(work.revision("Gain", work.gain_change(0.0)));
    let after = put(work.store(), vec![next]).unwrap_err();
    assert!(matches!(after, StoreError::ReadOnly { .. }), "never tried again: {after}");
    let Work { store, session, history } = work;
    assert!(store.unwrap().close().is_err());
    fs::remove_file(filler).unwrap();
    let work = Work::open(&dir);
    assert_eq!((&work.session, &work.history), (&session, &history));
}

/// Commits until it fails; `work` holds the acknowledged part.
fn fill_up(work: &mut Work) -> StoreError {
    for n in 0..10_000 {
        let change = work.gain_change(f64::from(n % 300) / 10.0 - 20.0);
        let revision = work.revision("Gain", change);
        if let Err(error) = put(work.store(), vec![Event::Revision(revision.clone())]) {
            return error;
        }
        work.session = work.session.with(&revision.changes).unwrap();
        work.history.push(revision);
    }
    panic!("the disk never got full");
}

#[test]
fn opening_on_a_full_disk_changes_nothing() {
    let tmp = tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(tmp.path()) else {
        eprintln!("SKIPPED opening_on_a_full_disk_changes_nothing: cannot mount a tmpfs");
        return;
    };
    let dir = tmp.path().join("s");
    let work = Work::create(&dir);
    let (session, history) = (work.session.clone(), work.history.clone());
    work.close();
    let filler = disk.fill();
    match Store::open(&dir) {
        Ok((store, loaded)) => {
            assert_eq!((&loaded.session, &loaded.history), (&session, &history));
            let state =
                Work { store: Some(store), session: loaded.session, history: loaded.history };
            let next = Event::Revision(state.revision("Gain", state.gain_change(-1.0)));
            assert_eq!(put(state.store(), vec![next]), Err(StoreError::DiskFull));
        }
        Err(error) => assert!(matches!(error, OpenError::DiskFull(_)), "{error}"),
    }
    fs::remove_file(filler).unwrap();
    let work = Work::open(&dir);
    assert_eq!((&work.session, &work.history), (&session, &history));
}
