//! The child to kill: it works on a session endlessly and reports acknowledged steps.

use crate::desk::{Desk, TRACK};
use deskhand_protocol::{Apply, Decision, Op, Status};
use serde_json::json;
use std::path::Path;

/// The session folder; set only for the child.
pub(crate) const FOLDER: &str = "DESKHAND_CRASH_FOLDER";
/// Where the child's random steps start.
pub(crate) const SEED: &str = "DESKHAND_CRASH_SEED";
/// The start of every line that acknowledges: `acked HEAD GAIN` or `rejected PLAN`.
pub(crate) const ACKED: &str = "acked ";
/// See [`ACKED`].
pub(crate) const REJECTED: &str = "rejected ";

/// Small, and the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Not a test by itself: [`crate::kills`] starts this program again with a folder to work in.
#[test]
fn child() {
    if let (Ok(folder), Ok(seed)) = (std::env::var(FOLDER), std::env::var(SEED)) {
        work(Path::new(&folder), Random(seed.parse().unwrap()));
    }
}

fn work(folder: &Path, mut random: Random) {
    let mut desk = if folder.exists() { Desk::open(folder) } else { Desk::create(folder) };
    loop {
        match random.below(20) {
            0..3 => step(&mut desk, Op::Undo),
            3..5 => step(&mut desk, Op::Redo),
            5 => reject(&mut desk),
            _ => gain(&mut desk),
        }
    }
}

/// A gain that no step before had.
fn next_gain(desk: &Desk) -> f64 {
    -(desk.bridge.history().next_id().0 as f64) / 1_000.0
}

fn gain(desk: &mut Desk) {
    let params = json!({"targets": "Dialogue", "gain_db": next_gain(desk)});
    let result = desk.now("cmd_set_track_gain", params);
    assert_eq!(result.status, Status::Applied, "{result:?}");
    acknowledge(desk);
}

fn step(desk: &mut Desk, op: Op) {
    // An error: nothing is there to undo or redo.
    if desk.ask(op).status == Status::Ok {
        acknowledge(desk);
    }
}

fn acknowledge(desk: &Desk) {
    let head = desk.bridge.history().head();
    println!("{ACKED}{head} {}", desk.bridge.session().tracks[&TRACK].gain.0);
}

fn reject(desk: &mut Desk) {
    let params = json!({"targets": "Dialogue", "gain_db": 40.0});
    let (tool, apply) = ("cmd_set_track_gain".into(), Apply::Never);
    let plan = desk.ask(Op::Call { tool, params, apply }).plan.unwrap().id;
    let decision = Decision::Reject { reason: "far too loud".into() };
    assert_eq!(desk.ask(Op::Decide { plan, decision }).status, Status::Rejected);
    println!("{REJECTED}{plan}");
}
