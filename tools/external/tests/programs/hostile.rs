//! Tools that hang, flood, fork, lie and reach out: each ends with one clear line, and nothing is left of it.

use crate::desk::Desk;
use deskhand_external::Template;
use deskhand_external::launch::kept_from;
use deskhand_session::ClipId;
use deskhand_toolkit::{Code, Network};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("a_tool_that_hangs_is_ended_at_its_limit", a_tool_that_hangs),
    ("a_cancelled_call_answers_at_once_and_ends_the_group", a_cancelled_call_answers_at_once),
    ("a_call_can_be_cancelled_at_any_moment", a_call_can_be_cancelled_at_any_moment),
    ("floods_are_cut", floods_are_cut),
    ("children_do_not_outlive_it", children_do_not_outlive_it),
    ("bad_ends_are_told", bad_ends_are_told),
    ("garbage_is_told", garbage_is_told),
    ("memory_and_processes_are_limited", memory_and_processes_are_limited),
    ("it_writes_only_in_its_folder", it_writes_only_in_its_folder),
    ("it_reaches_no_network_and_no_other_program", it_reaches_nobody),
    ("files_that_are_no_audio_are_refused", files_that_are_no_audio),
    ("files_of_others_are_refused", files_of_others_are_refused),
];

/// How long the programs sleep that are to be ended before: on a busy machine too that takes no tenth of it.
const SLEEP: Duration = Duration::from_secs(600);

fn a_tool_that_hangs() {
    let desk = Desk::new();
    let started = Instant::now();
    let said = desk.refused_with("timeout_s = 1", "echo '{\"progress\": 0.1}'; sleep 600");
    assert!(said.contains("it took longer than its 1 s"), "{said}");
    assert!(started.elapsed() < SLEEP / 10);
    let said = desk.refused_with("timeout_s = 1", "exec 1>&- 2>&-; sleep 600");
    assert!(said.contains("it took longer than its 1 s"), "its output closed: {said}");
    let said =
        desk.refused_with("timeout_s = 1", "trap '' TERM INT HUP; while true; do sleep 60; done");
    assert!(said.contains("it took longer"), "deaf to signals: {said}");
}

/// Waits until nobody is there that holds the file open for writing, which the programs of a test do.
fn is_over(pid_file: &Path) -> bool {
    let until = Instant::now() + SLEEP / 10;
    loop {
        let pids = fs::read_to_string(pid_file).unwrap_or_default();
        let alive = pids.split_whitespace().any(|pid| {
            // A zombie that nobody fetched yet runs no more.
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
        });
        if !alive || Instant::now() > until {
            return !alive && !pids.is_empty();
        }
        std::thread::yield_now();
    }
}

/// The file with the process numbers of a tool: a tool of these tests has no place outside to write them,
/// so it reports them.
fn said_pids(desk: &Desk) -> std::path::PathBuf {
    let heard = desk.heard.0.lock().unwrap();
    let pids: Vec<&str> = heard.iter().filter_map(|(_, what)| what.strip_prefix("pids ")).collect();
    let file = desk.path("pids");
    fs::write(&file, pids.join(" ")).unwrap();
    file
}

fn a_cancelled_call_answers_at_once() {
    let desk = Desk::new();
    let script = "sleep 600 & a=$!; (sleep 600) & b=$!; echo \"{\\\"progress\\\": 0.1, \\\"what\\\": \\\"pids $$ $a $b\\\"}\"; wait";
    desk.write("tools", "slow", "", script);
    let (cancel, heard) = (desk.cancel.clone(), desk.heard.clone());
    let canceller = std::thread::spawn(move || {
        while !heard.0.lock().unwrap().iter().any(|(_, what)| what.starts_with("pids")) {
            std::thread::yield_now();
        }
        cancel.cancel();
        Instant::now()
    });
    let error = desk.call("slow", json!({})).unwrap_err();
    let waited = canceller.join().unwrap().elapsed();
    assert_eq!(error.code, Code::Cancelled);
    assert!(waited < SLEEP / 10, "{waited:?}");
    assert!(is_over(&said_pids(&desk)), "the group is gone");
    assert!(!desk.path("session/media").exists(), "nothing was made");
}

/// 5 random moments, 50 with `DESKHAND_LONG=1`, from before the start to about the end of a run.
fn a_call_can_be_cancelled_at_any_moment() {
    let is_long = std::env::var_os("DESKHAND_LONG").is_some_and(|value| value == "1");
    let mut state = std::process::id();
    for _ in 0..if is_long { 50 } else { 5 } {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let moment = Duration::from_millis(u64::from(state >> 23));
        let desk = Desk::new();
        Template::Plain.write("my_gain", &desk.path("tools")).unwrap();
        let (cancel, started) = (desk.cancel.clone(), Instant::now());
        let canceller = std::thread::spawn(move || {
            while started.elapsed() < moment {
                std::thread::yield_now();
            }
            cancel.cancel();
        });
        let ended = desk.call("my_gain", json!({}));
        assert!(started.elapsed() < moment + SLEEP / 10, "at {moment:?}");
        canceller.join().unwrap();
        match ended {
            Ok(draft) => assert_eq!(draft.changes.len(), 3, "it was faster than {moment:?}"),
            Err(error) => assert_eq!(error.code, Code::Cancelled, "at {moment:?}: {error}"),
        }
    }
}

fn floods_are_cut() {
    let desk = Desk::new();
    let said = desk.refused("while true; do echo '{\"progress\": 0.5, \"what\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}'; done");
    assert!(said.contains("it wrote more than"), "{said}");
    let said = desk.refused("cat /dev/zero");
    assert!(said.contains("it wrote more than"), "no line end at all: {said}");
    let said = desk.refused(
        "head -c 50000000 /dev/zero | tr '\\0' 'e' >&2; printf '\\033[2Jlast words\\n' >&2; exit 3",
    );
    assert!(said.contains("exit code 3") && said.contains("last words"), "{said}");
    assert!(!said.contains('\u{1b}') && said.len() < 1_000, "{said}");
}

fn children_do_not_outlive_it() {
    let desk = Desk::new();
    let script = "sleep 600 & a=$!; setsid sleep 600 & b=$!; (sleep 600 & echo $! > home/c); \
        echo \"{\\\"progress\\\": 0.1, \\\"what\\\": \\\"pids $a $b $(cat home/c)\\\"}\"; \
        echo '{\"result\": {\"summary\": \"done\"}}'";
    desk.write("tools", "parent", "gives = \"nothing\"", script);
    let started = Instant::now();
    assert_eq!(desk.call("parent", json!({})).unwrap().summary, "parent: done");
    assert!(started.elapsed() < SLEEP / 10, "it does not wait for children");
    assert!(is_over(&said_pids(&desk)));
}

fn bad_ends_are_told() {
    let desk = Desk::new();
    for (script, told) in [
        ("exit 137", "exit code 137"),
        ("kill -9 $$", "signal 9"),
        ("kill -11 $$", "signal 11"),
        ("echo '{\"result\": {}}'; exit 1", "exit code 1"),
        ("true", "ended without a result"),
        ("echo '{\"error\": \"no voice here\"}'", "says: no voice here"),
        ("echo 'Traceback: \u{202e}x' >&2; exit 1", "(it wrote: \"Traceback: x\")"),
    ] {
        let said = desk.refused(script);
        assert!(said.contains(told), "{script}: {said}");
    }
    let manifest = desk.write("tools", "bad", "", "");
    let text = fs::read_to_string(&manifest).unwrap();
    let odd = text.replace("\"/bin/sh\"", "\"bad.sh\"");
    fs::write(&manifest, odd).unwrap();
    let said = desk.call("bad", json!({})).unwrap_err().to_string();
    assert!(said.contains("exit code 127") && said.contains("could not be started"), "{said}");
}

fn garbage_is_told() {
    let desk = Desk::new();
    for script in [
        "echo 'Loading model...'",
        "echo '{\"result\": 5}'",
        "echo '[[[['",
        "echo '{\"result\": {\"files\": [{\"file\": 3}]}}'",
        "echo '{\"result\": {\"changes\": []}}'",
        "head -c 3000 /dev/urandom | tr -d '\\n'; echo",
    ] {
        let said = desk.refused(script);
        assert!(said.contains("which means nothing"), "{script}: {said}");
    }
    let said = desk.refused("echo '{\"result\": {}}'; echo '{\"result\": {}}'");
    assert!(said.contains("its result twice"), "{said}");
}

fn memory_and_processes_are_limited() {
    let desk = Desk::new();
    let eater = "#python\nx = []\nwhile True:\n    x.append(bytearray(10_000_000))\n";
    let said = desk.refused_with("memory_mb = 300", eater);
    assert!(said.contains("MemoryError") || said.contains("memory"), "{said}");
    if cfg!(target_os = "linux") {
        let many = "i=0; while [ $i -lt 500 ]; do sleep 600 & i=$((i+1)); done; wait";
        let said = desk.refused(many);
        assert!(said.contains("more than 64 processes"), "{said}");
    }
}

fn it_writes_only_in_its_folder() {
    let desk = Desk::new();
    let target = desk.path("session/stolen");
    let (kept, _) = kept_from(Network::Closed);
    let script = format!(
        "echo x > {0}; mkdir {0}.d; ln -s /etc {0}.l; rm -f {1}; true > {1}; echo '{{\"result\": {{\"summary\": \"tried\"}}}}'",
        target.display(),
        desk.path("session/mine").display()
    );
    fs::write(desk.path("session/mine"), "mine").unwrap();
    desk.write("tools", "out", "gives = \"nothing\"", &script);
    desk.call("out", json!({})).unwrap();
    if !kept.contains(&"writing outside of its own folder") {
        println!(
            "SKIPPED: this kernel has no Landlock, so that nothing keeps a tool to its folder"
        );
        return;
    }
    for ending in ["", ".d", ".l"] {
        assert!(!desk.path(&format!("session/stolen{ending}")).exists());
    }
    assert_eq!(fs::read_to_string(desk.path("session/mine")).unwrap(), "mine");
}

fn it_reaches_nobody() {
    let desk = Desk::new();
    let (kept, _) = kept_from(Network::Closed);
    if !kept.contains(&"the network") {
        println!("SKIPPED: this system keeps a tool from nothing of that");
        return;
    }
    let script = format!(
        "#python\nimport json, os, socket\ndid = []\n\
         def attempt(name, f):\n    try:\n        f()\n        did.append(name)\n    except OSError:\n        pass\n\
         attempt('inet', lambda: socket.socket(socket.AF_INET))\n\
         attempt('inet6', lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))\n\
         attempt('unix', lambda: socket.socket(socket.AF_UNIX))\n\
         attempt('setsid', os.setsid)\nattempt('setpgid', lambda: os.setpgid(0, 0))\n\
         attempt('kill', lambda: os.kill({}, 0))\n\
         print(json.dumps({{'result': {{'answer': did}}}}))\n",
        std::process::id()
    );
    desk.write("tools", "closed", "gives = \"nothing\"", &script);
    assert_eq!(desk.call("closed", json!({})).unwrap().answer, Some(json!([])));
    desk.write("tools", "open", "gives = \"nothing\"\nnetwork = true", &script);
    let answer = desk.call("open", json!({})).unwrap().answer;
    assert_eq!(
        answer,
        Some(json!(["inet", "inet6"])),
        "never the sockets of this machine's programs"
    );
}

fn files_that_are_no_audio() {
    let desk = Desk::new();
    let give = |make: &str| {
        format!(
            "{make}\necho '{{\"result\": {{\"files\": [{{\"clip\": \"{}\", \"file\": \"out/1.wav\"}}]}}}}'",
            ClipId::new(7)
        )
    };
    for make in [
        "echo hello > out/1.wav",
        "true",
        "mkdir out/1.wav",
        "ln -s /etc/passwd out/1.wav",
        "mkfifo out/1.wav",
        ": > out/1.wav",
        "head -c 60 in/1.wav > out/1.wav && printf 'garbage' >> out/1.wav",
        "truncate -s 10G out/1.wav",
        "head -c 200000 /dev/urandom > out/1.wav",
    ] {
        let said = desk.refused(&give(make));
        assert!(said.contains("it gave \"out/1.wav\""), "{make}: {said}");
    }
    // A header that is right, and then ten gigabytes of nothing: the limit of a file stops it.
    let said = desk.refused(&give("cp in/1.wav out/1.wav; truncate -s 10G out/1.wav || exit 9"));
    assert!(
        said.contains("exit code 9") || said.contains("signal 25") || said.contains("larger"),
        "{said}"
    );
}

fn files_of_others_are_refused() {
    let desk = Desk::new();
    fs::write(desk.path("secret.wav"), "x").unwrap();
    let clip = ClipId::new(7);
    for (result, told) in [
        (
            format!("{{\"files\": [{{\"clip\": \"{clip}\", \"file\": \"/etc/passwd\"}}]}}"),
            "not below its folder",
        ),
        (
            format!("{{\"files\": [{{\"clip\": \"{clip}\", \"file\": \"out/../in/1.wav\"}}]}}"),
            "not below its folder",
        ),
        (
            format!(
                "{{\"files\": [{{\"clip\": \"{}\", \"file\": \"out/1.wav\"}}]}}",
                ClipId::new(99)
            ),
            "which it was not given",
        ),
        ("{\"files\": [{\"file\": \"out/1.wav\"}]}".into(), "in place of no clip"),
    ] {
        let said = desk.refused(&format!("cp in/1.wav out/1.wav; echo '{{\"result\": {result}}}'"));
        assert!(said.contains(told), "{result}: {said}");
    }
    let one = format!("{{\"clip\": \"{clip}\", \"file\": \"out/1.wav\"}}");
    let twice =
        format!("cp in/1.wav out/1.wav; echo '{{\"result\": {{\"files\": [{one}, {one}]}}}}'");
    let said = desk.refused(&twice);
    assert!(said.contains("two files in place of"), "and the first is not left: {said}");
    let said = desk.refused_with(
        "gives = \"nothing\"",
        &format!("cp in/1.wav out/1.wav; echo '{{\"result\": {{\"files\": [{one}]}}}}'"),
    );
    assert!(said.contains("its manifest does not say"), "{said}");
}
