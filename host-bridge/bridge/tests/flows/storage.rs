//! When the disk is full, answered work is safe. The rest is taken back and reported.

use crate::desk::{Desk, Who, call, code};
use crate::sound::{DRUMS, KICK};
use deskhand_protocol::{Apply, Decision, News, Op, Status};
use deskhand_session::PlanState;
use deskhand_session::tool_error::Code;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A file system of 4 MB in memory. Gone at the end, whatever happens.
struct SmallDisk(TempDir);

impl SmallDisk {
    /// `None` if mounting is not allowed; a message says so.
    fn mount() -> Option<Self> {
        let at = tempfile::tempdir().unwrap();
        let mount = ["-t", "tmpfs", "-o", "size=4m", "deskhand-test"];
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

    /// Fills the rest.
    fn fill(&self) -> Ballast {
        let path = self.path().join("ballast");
        let mut file = std::fs::File::create(&path).unwrap();
        for size in [65_536, 4_096, 512, 1] {
            let block = vec![0; size];
            while file.write_all(&block).is_ok() {}
        }
        Ballast(path)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: after a failed test the store may still be open.
        let unmounted = Command::new("umount").arg("-l").arg(self.path()).status();
        drop(unmounted);
    }
}

/// What fills the disk.
struct Ballast(PathBuf);

impl Ballast {
    fn throw_off(self) {
        std::fs::remove_file(self.0).unwrap();
    }
}

/// Applies gains until the disk refuses one; the number of those that were answered.
fn work_until_full(desk: &mut Desk) -> (u32, deskhand_protocol::ToolResult) {
    for number in 1..5_000 {
        let gain = -f64::from(number) / 1_000.0;
        let params = json!({"targets": "Drums", "gain_db": gain});
        let answer = desk.now("cmd_set_track_gain", params);
        if answer.status != Status::Applied {
            return (number - 1, answer);
        }
    }
    panic!("the disk never was full");
}

#[test]
fn a_full_disk_takes_back_what_is_not_stored_and_goes_read_only() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let mut desk = Desk::create(&disk.path().join("session"));
    let waiting = desk.plan("fake_bundle", json!({}));
    let ballast = disk.fill();
    let (answered, refused) = work_until_full(&mut desk);
    assert_eq!(code(&refused), Code::Storage);
    assert!(refused.summary.contains("disk is full"), "{}", refused.summary);
    let gain = -f64::from(answered) / 1_000.0;
    assert_eq!(desk.session().tracks[&DRUMS].gain.0, gain);
    assert_eq!(desk.bridge.history().head().0, u64::from(answered));

    still_answers(&mut desk);
    assert_eq!(code(&desk.apply(waiting)), Code::Storage);
    let told = |event: &&deskhand_protocol::Event| matches!(event.news, News::ReadOnly { .. });
    assert_eq!(desk.heard.iter().filter(told).count(), 1, "once");

    let (session, plans) = (desk.session().clone(), desk.bridge.plans().to_vec());
    ballast.throw_off();
    let mut desk = desk.reopened_after_failure();
    assert_eq!(desk.session(), &session);
    assert_eq!(desk.bridge.plans(), plans);
    assert_eq!(desk.now("fake_mute", json!({})).status, Status::Applied);
}

/// A session that is read-only answers each submission once, and lets tools that only read run.
fn still_answers(desk: &mut Desk) {
    let (session, plans) = (desk.session().clone(), desk.bridge.plans().to_vec());
    let ops = [
        Op::Undo,
        call("fake_mute", json!({}), Apply::Now),
        call("fake_bundle", json!({}), Apply::Never),
        call("fake_invalid", json!({}), Apply::Now),
    ];
    let calls = ops.map(|op| desk.person.submit(op));
    for call in calls {
        assert_eq!(desk.answer(Who::Person, call).status, Status::Error);
    }
    let looked = desk.now("fake_look", json!({}));
    assert_eq!(looked.status, Status::Ok);
    for call in calls {
        assert_eq!(desk.answers(Who::Person, call).len(), 1);
    }
    assert_eq!((desk.session(), desk.bridge.plans()), (&session, plans.as_slice()));
}

#[test]
fn a_step_whose_receipt_cannot_be_stored_is_still_told_as_applied() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let mut desk = Desk::create(&disk.path().join("session"));
    let params = json!({"targets": "Kick", "target_lufs": -20.0});
    let plan = desk.plan("tool_normalize", params);
    desk.sound.close_gate();
    let decided = desk.person.decide(plan, Decision::Apply);
    desk.until(|desk| desk.sound.waiting() == 1);
    let kick = desk.session().clips[&KICK].gain;
    let ballast = disk.fill();
    work_until_full(&mut desk);
    desk.sound.open_gate();
    let answer = desk.answer(Who::Person, decided);
    assert_eq!(answer.status, Status::Applied);
    assert!(answer.summary.contains("receipt was not saved"), "{}", answer.summary);
    assert!(answer.receipt.unwrap().measured[0].within);
    assert_eq!(desk.state(plan), PlanState::Applying);
    ballast.throw_off();
    let desk = desk.reopened_after_failure();
    assert_eq!(desk.state(plan), PlanState::Applied);
    assert_eq!(desk.session().clips[&KICK].gain, kick);
}
