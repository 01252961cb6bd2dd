//! Ctrl-C while a tool listens: the command fails, and says what is kept.

use crate::added::serve;
use crate::desk::{Desk, Ran};
use deskhand_dsp::SampleRate;
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::socket::{Role, attach};
use deskhand_protocol::{Link, News};
use rustix::process::{Pid, Signal, kill_process};
use std::process::Stdio;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);
/// Long enough to be listened to for some time.
const SECONDS: usize = 600;

/// A session with a hit each second on the track "Snare".
fn beaten() -> Desk {
    let desk = Desk::new();
    let hit = |n: usize| (0.5 * (-(n as f64) / 400.0).exp() * (n as f64 * 0.3).sin()) as f32;
    let second: Vec<f32> = (0..48_000).map(hit).collect();
    let path = desk.path("Snare.wav");
    let mut writer = WavWriter::create(&path, SampleRate(48_000), 1, BitDepth::S16).unwrap();
    for _ in 0..SECONDS {
        writer.write(&[&second]).unwrap();
    }
    writer.finish().unwrap();
    desk.ok(&["new", "s"]);
    desk.ok(&["import", "s", "Snare.wav"]);
    desk
}

/// Runs a command on the served session, with Ctrl-C once its tool has shown something.
fn interrupted(desk: &Desk, args: &[&str]) -> Ran {
    let visitor = attach(&desk.path("s"), Role::Person).unwrap();
    let mut command = desk.command(args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let shows = |news: &News| matches!(news, News::Provisional { .. });
    while !shows(&visitor.events().recv_timeout(PATIENCE).unwrap().news) {}
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    Ran::of(child.wait_with_output().unwrap())
}

/// How many plans are in a state.
fn count(desk: &Desk, state: &str) -> usize {
    let plans = desk.json(&["plans", "s"]);
    plans.as_array().unwrap().iter().filter(|plan| plan["state"] == state).count()
}

#[test]
fn what_was_found_until_ctrl_c_waits_or_is_kept_and_the_command_did_not_succeed() {
    let desk = beaten();
    let _hub = serve(&desk);
    let call = ["plan", "s", "tool_detect_onsets", "targets=Snare", "as=markers"];
    let planned = interrupted(&desk, &call);
    assert_eq!(planned.code, 1, "{}{}", planned.stdout, planned.stderr);
    let waits = "error: stopped: the results so far wait for you\n  `deskhand apply DIR plan_";
    assert!(planned.stderr.contains(waits), "{}", planned.stderr);
    assert_eq!(count(&desk, "waiting"), 1);
    let for_programs = interrupted(&desk, &[&call[..], &["--json"]].concat());
    let error = &for_programs.json()["error"];
    assert_eq!((for_programs.code, error["code"].as_str()), (1, Some("cancelled")), "{error}");
    let asked = interrupted(&desk, &["ask", "s", "mark every hit in the snare"]);
    assert_eq!(asked.code, 1, "{}{}", asked.stdout, asked.stderr);
    assert!(asked.stderr.contains(waits), "{}", asked.stderr);
    // The same wish again takes the place of the plan that waits.
    assert_eq!(count(&desk, "waiting"), 2);
    let before = count(&desk, "applied");
    let taken = interrupted(&desk, &["ask", "s", "mark every hit in the snare", "--yes"]);
    assert_eq!(taken.code, 1, "{}{}", taken.stdout, taken.stderr);
    let kept = "error: stopped: the results so far are kept in the session";
    assert!(taken.stderr.contains(kept), "{}", taken.stderr);
    assert_eq!((count(&desk, "waiting"), count(&desk, "applied")), (1, before + 1));
}
