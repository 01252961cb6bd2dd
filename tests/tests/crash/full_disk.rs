//! Import, apply and render on a full disk: a clear error, nothing lost, no half-written file.

use crate::desk::{Desk, TRACK};
use deskhand_bounce::{RenderJob, render};
use deskhand_dsp::Frames;
use deskhand_media::BitDepth;
use deskhand_protocol::{Status, ToolResult};
use deskhand_session::Session;
use deskhand_session::tool_error::Code;
use deskhand_store::doctor;
use serde_json::json;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A file system of 3 MB in memory: room for a session, not for 10 s of speech as 32-bit floats.
struct SmallDisk(TempDir);

impl SmallDisk {
    /// `None` if mounting is not allowed; a message says so.
    fn mount() -> Option<Self> {
        let at = tempfile::tempdir().unwrap();
        let mount = ["-t", "tmpfs", "-o", "size=3m", "deskhand-test"];
        let mounted = Command::new("mount").args(mount).arg(at.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(at));
        }
        println!("SKIPPED: a full disk needs a small tmpfs, and only root can mount one");
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Leaves no more than `bytes`.
    fn fill(&self, bytes: usize) -> PathBuf {
        let reserve = self.path().join("reserve");
        std::fs::write(&reserve, vec![0; bytes]).unwrap();
        let ballast = self.path().join("ballast");
        let mut file = std::fs::File::create(&ballast).unwrap();
        for size in [65_536, 512, 1] {
            while std::io::Write::write_all(&mut file, &vec![0; size]).is_ok() {}
        }
        std::fs::remove_file(reserve).unwrap();
        ballast
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: after a failed test the session may still be open.
        drop(Command::new("umount").arg("-l").arg(self.path()).status());
    }
}

fn speech() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("audio/dialogue-1.flac")
}

fn import(desk: &mut Desk) -> ToolResult {
    desk.now("import_audio", json!({"files": [speech()]}))
}

/// Every file below `folder`, with links not followed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn import_on_a_full_disk_leaves_no_half_conformed_file() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let folder = disk.path().join("session");
    let mut desk = Desk::create(&folder);
    let ballast = disk.fill(600_000);
    let imported = import(&mut desk);
    assert_eq!(imported.status, Status::Applied, "the step itself fits: {imported:#?}");
    let [failed] = desk.settle_media().try_into().unwrap();
    assert!(failed.contains("the disk is full"), "{failed}");
    assert_eq!(files(&folder.join("media")), Vec::<PathBuf>::new());
    desk.bridge.close().unwrap();

    // With room again, opening makes the missing files.
    std::fs::remove_file(ballast).unwrap();
    let mut desk = Desk::open(&folder);
    assert_eq!(desk.settle_media(), Vec::<String>::new());
    assert_eq!(desk.bridge.session().sources.len(), 1);
    desk.bridge.close().unwrap();
    assert!(doctor::verify(&folder).unwrap().damage.is_empty());
}

#[test]
fn apply_on_a_full_disk_keeps_what_was_acknowledged() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let folder = disk.path().join("session");
    let mut desk = Desk::create(&folder);
    let ballast = disk.fill(100_000);
    let (last, refused) = gains_until_refused(&mut desk);
    assert_eq!(refused.error.as_ref().map(|error| error.code), Some(Code::Storage));
    assert!(refused.summary.contains("the disk is full"), "{}", refused.summary);
    assert!(desk.bridge.close().is_err());

    std::fs::remove_file(ballast).unwrap();
    let mut desk = Desk::open(&folder);
    assert_eq!(gain(desk.bridge.session()), last);
    assert_eq!(desk.now("cmd_set_track_gain", louder(1.0)).status, Status::Applied);
    desk.bridge.close().unwrap();
    assert!(doctor::verify(&folder).unwrap().is_sound());
}

fn gain(session: &Session) -> f64 {
    session.tracks[&TRACK].gain.0
}

fn louder(gain: f64) -> serde_json::Value {
    json!({"targets": "Dialogue", "gain_db": gain})
}

/// The last gain that was acknowledged, and the refusal of the next.
fn gains_until_refused(desk: &mut Desk) -> (f64, ToolResult) {
    let mut last = 0.0;
    for number in 1..5_000 {
        let next = -f64::from(number) / 1_000.0;
        let result = desk.now("cmd_set_track_gain", louder(next));
        if result.status != Status::Applied {
            return (last, result);
        }
        last = next;
    }
    panic!("the disk never was full");
}

#[test]
fn render_on_a_full_disk_leaves_no_file() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let tmp = tempfile::tempdir().unwrap();
    let mut desk = Desk::create(&tmp.path().join("session"));
    assert_eq!(import(&mut desk).status, Status::Applied);
    assert_eq!(desk.settle_media(), Vec::<String>::new());
    let ballast = disk.fill(300_000);
    let (mix, stems) = (disk.path().join("mix.wav"), disk.path().join("stems"));
    let session = desk.bridge.session();
    let job = RenderJob {
        mix: &mix,
        stems: Some(&stems),
        depth: BitDepth::F32,
        range: Frames::ZERO..session.end(),
    };
    let error = render(session, &desk.audio, &job, &mut |_| ControlFlow::Continue(())).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("the disk is full"), "{message}");
    assert_eq!(files(disk.path()), [ballast]);
    desk.bridge.close().unwrap();
}
