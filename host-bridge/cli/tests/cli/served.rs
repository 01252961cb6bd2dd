//! Commands on a session that `deskhand serve` serves: the same answers, through the hub.

use crate::desk::{Desk, settings};
use deskhand_protocol::socket::{Role, attach};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Stdio};

/// A hub in a process of its own.
struct Served {
    child: Child,
    ready: Value,
    stdout: BufReader<ChildStdout>,
}

impl Served {
    /// Serves the session `dir` and waits for the ready line.
    fn start(desk: &Desk, dir: &str, more: &[&str]) -> Self {
        let mut command = desk.command(&[&["serve", dir, "--json"], more].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let ready = serde_json::from_str(&line).unwrap_or_else(|error| {
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            panic!("{error}: {line}{said}")
        });
        Self { child, ready, stdout }
    }

    fn kill(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Sends the stop signal. Returns the log.
    fn end(mut self) -> String {
        self.kill(rustix::process::Signal::TERM);
        self.wait()
    }

    /// Waits until the process ends by itself. Returns the log.
    fn wait(&mut self) -> String {
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "one ready line and no more");
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{log}");
        log
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Two sessions with equal tracks, `a` and `b`.
fn twins() -> Desk {
    let desk = Desk::new();
    desk.tone("Voice.wav", 440.0, -30.0, 3.0);
    desk.tone("Music.wav", 1000.0, -12.0, 3.0);
    for dir in ["a", "b"] {
        desk.ok(&["new", dir]);
        desk.ok(&["import", dir, "Voice.wav", "Music.wav"]);
    }
    desk
}

/// The output of a command, without the parts that must differ between two sessions.
fn said(desk: &Desk, dir: &str, args: &[&str]) -> (i32, Value) {
    let args: Vec<_> = args.iter().map(|arg| if *arg == "DIR" { dir } else { arg }).collect();
    let ran = desk.run(&[&args[..], &["--json"]].concat());
    let mut value = ran.json();
    forget(&mut value);
    (ran.code, value)
}

fn forget(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for key in ["session", "time_ms"] {
                fields.remove(key);
            }
            fields.values_mut().for_each(forget);
        }
        Value::Array(items) => items.iter_mut().for_each(forget),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

// tidy: table
#[test]
fn every_command_says_the_same_on_a_served_session() {
    let desk = twins();
    let served = Served::start(&desk, "b", &[]);
    let ids: std::cell::RefCell<Vec<String>> = std::cell::RefCell::default();
    let same = |args: &[&str]| {
        let (alone, through) = (said(&desk, "a", args), said(&desk, "b", args));
        assert_eq!(alone, through, "{args:?}");
        if let Some(id) = alone.1["id"].as_str() {
            ids.borrow_mut().push(id.to_owned());
        }
        alone.1
    };
    same(&["show", "DIR"]);
    same(&["plan", "DIR", "tool_normalize", "targets=all", "target_lufs=-16"]);
    same(&["plan", "DIR", "cmd_set_track_gain", "targets=Music", "gain_db=-3"]);
    same(&["plan", "DIR", "cmd_set_track_gain", "targets=Voise", "gain_db=-3"]);
    same(&["plan", "DIR", "cmd_rename_track", "targets=Music", "name=Bed", "-o", "p.json"]);
    let [first, second, third] = &ids.borrow().clone()[..] else { panic!("three plans") };
    same(&["apply", "DIR", second]);
    same(&["apply", "DIR", first, "--only", "c1", "--set", "c1=3", "--yes"]);
    same(&["reject", "DIR", second, "--reason", "not now"]);
    same(&["apply", "DIR", second, "--yes"]);
    same(&["plans", "DIR"]);
    same(&["plans", "DIR", third]);
    same(&["plans", "DIR", "plan_000000000000"]);
    same(&["render", "DIR", "planned.wav", "--plan", third]);
    same(&["render", "DIR", "mix.wav", "--range", "0.5..1"]);
    same(&["ask", "DIR", "what's loudest?"]);
    same(&["ask", "DIR", "what did you do last?"]);
    same(&["ask", "DIR", "mute the music", "--yes"]);
    same(&["undo", "DIR"]);
    same(&["undo", "DIR"]);
    same(&["redo", "DIR"]);
    same(&["log", "DIR"]);
    desk.tone("more.wav", 300.0, -20.0, 1.0);
    same(&["import", "DIR", "more.wav"]);
    same(&["import", "DIR", "gone.wav"]);
    let before = said(&desk, "b", &["show", "DIR"]);
    let log = served.end();
    assert!(log.contains("a person joined; 1 connected"), "{log}");
    assert!(log.contains("undone: "), "{log}");
    assert_eq!(said(&desk, "b", &["show", "DIR"]), before, "everything was stored");
    assert_eq!(desk.run(&["doctor", "b"]).code, 0);
}

#[test]
fn the_log_of_a_hub_reads_well() {
    let desk = Desk::with_session();
    let served = Served::start(&desk, "s", &[]);
    let plan = desk.json(&["plan", "s", "cmd_set_track_gain", "targets=Music", "gain_db=-3"]);
    desk.ok(&["apply", "s", plan["id"].as_str().unwrap(), "--yes"]);
    desk.ok(&["undo", "s"]);
    // Whether the last one left before the end is not defined.
    let log = served.end();
    let log: Vec<_> = log.lines().filter(|line| line.starts_with("person:")).collect();
    let log = log.join("\n");
    settings().bind(|| insta::assert_snapshot!("serve_log", log));
}

#[test]
fn a_second_hub_names_the_first() {
    let desk = Desk::with_session();
    let served = Served::start(&desk, "s", &[]);
    assert_eq!(served.ready["pid"], served.child.id());
    let error = desk.error(&["serve", "s"], 1);
    let text = error["message"].as_str().unwrap();
    assert!(text.contains(&format!("pid {}", served.child.id())), "{text}");
    served.end();
    let again = Served::start(&desk, "s", &[]);
    again.end();
}

#[test]
fn a_hub_that_died_leaves_a_session_that_works() {
    let desk = Desk::with_session();
    let mut served = Served::start(&desk, "s", &[]);
    let plan = desk.json(&["plan", "s", "cmd_set_track_gain", "targets=Music", "gain_db=-3"]);
    served.kill(rustix::process::Signal::KILL);
    served.child.wait().unwrap();
    desk.ok(&["apply", "s", plan["id"].as_str().unwrap(), "--yes"]);
    assert_eq!(desk.json(&["show", "s"])["tracks"][1]["gain"], -3.0);
}

#[test]
fn a_hub_that_lingers_ends_after_its_last_front_end() {
    let desk = Desk::with_session();
    let mut served = Served::start(&desk, "s", &["--linger", "1"]);
    // A person attaches before the linger time ends, however slowly a command starts.
    let person = attach(&desk.path("s"), Role::Person).unwrap();
    desk.ok(&["show", "s"]);
    drop(person);
    let log = served.wait();
    assert!(log.contains("a person left; 0 connected"), "{log}");
}

#[test]
fn a_policy_that_cannot_be_meant_is_refused_ahead() {
    let desk = Desk::with_session();
    std::fs::write(desk.path("p.toml"), "[policy]\ndeny = [\"tool_normalise\"]\n").unwrap();
    let error = desk.error(&["serve", "s", "--policy", "p.toml"], 1);
    assert!(error["message"].as_str().unwrap().contains("tool_normalise"), "{error}");
    desk.ok(&["show", "s"]);
}

#[test]
fn a_hub_in_the_background_is_there_when_the_command_returns() {
    let desk = Desk::with_session();
    let ready = desk.json(&["serve", "s", "--background", "--linger", "60"]);
    let pid = ready["pid"].as_i64().unwrap_or_else(|| panic!("{ready}"));
    desk.ok(&["show", "s"]);
    let error = desk.error(&["serve", "s", "--background"], 1);
    let text = error["message"].as_str().unwrap();
    assert!(text.contains(&format!("pid {pid}")), "{text}");
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
}
