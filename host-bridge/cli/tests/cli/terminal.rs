//! `deskhand chat` on a terminal: cards, keys, news in between, and stopping.

use crate::desk::Desk;
use crate::model::{HEAD, configure, listen, request};
use crossbeam_channel::{Receiver, unbounded};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::json;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
/// How long a key may take that ends it.
const AGAIN: Duration = Duration::from_millis(1_500);

/// A terminal with a chat on it.
struct Screen {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    raw: Vec<u8>,
    seen: String,
}

/// The program on a terminal, and the other side of that.
fn on_terminal(desk: &Desk, args: &[&str]) -> (Child, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let slave = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let size = Winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&slave, size).unwrap();
    let side = || slave.try_clone().unwrap();
    let mut command = desk.command(args);
    command.stdin(side()).stdout(side()).stderr(side()).env("TERM", "xterm");
    (command.env("NO_COLOR", "1").spawn().unwrap(), File::from(master))
}

impl Screen {
    fn chat(desk: &Desk, more: &[&str]) -> Self {
        Self::run(desk, &[&["chat", "s"], more].concat())
    }

    fn run(desk: &Desk, args: &[&str]) -> Self {
        let (child, keys) = on_terminal(desk, args);
        let shown = show(keys.try_clone().unwrap());
        Self { child, keys, shown, raw: Vec::new(), seen: String::new() }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until `text` is shown. Returns what was shown before it.
    fn until(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(text) {
                let rest = self.seen.split_off(at + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            let piece = self.shown.recv_deadline(end);
            let piece = piece.unwrap_or_else(|_| panic!("\"{text}\" is not in: {}", self.seen));
            self.raw.extend(piece);
            self.seen += &plain(&mut self.raw);
        }
    }

    /// Leaves by Ctrl-D. A key that falls between two prompts is lost, so it is pressed again while nothing comes of it.
    fn leave(mut self) {
        let end = Instant::now() + PATIENCE;
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < end, "it does not end: {}", self.seen);
            drop(self.keys.write_all("\u{4}".as_bytes()));
            let next = Instant::now() + AGAIN;
            // Nothing is shown any more once it has ended.
            while let Ok(piece) = self.shown.recv_deadline(next) {
                self.raw.extend(piece);
            }
            self.seen += &plain(&mut self.raw);
        }
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{}", self.seen);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The output of the terminal, as it comes; a request for the cursor position gets an answer.
fn show(mut terminal: File) -> Receiver<Vec<u8>> {
    let (sender, shown) = unbounded();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count) = terminal.read(&mut bytes) {
            let piece = &bytes[..count];
            if piece.windows(4).any(|found| found == b"\x1b[6n") {
                terminal.write_all(b"\x1b[1;1R").unwrap();
            }
            if count == 0 || sender.send(piece.to_vec()).is_err() {
                return;
            }
        }
    });
    shown
}

/// Extracts the text from the bytes for a terminal; an incomplete sequence stays.
fn plain(raw: &mut Vec<u8>) -> String {
    let mut text = Vec::new();
    let mut at = 0;
    while let Some(byte) = raw.get(at) {
        let length = match (byte, raw.get(at + 1)) {
            (0x1b, Some(b'[')) => {
                let end = raw[at + 2..].iter().position(u8::is_ascii_alphabetic);
                let Some(end) = end else { break };
                end + 3
            }
            (0x1b, Some(_)) => 2,
            (0x1b, None) => break,
            (other, _) => {
                text.push(*other);
                1
            }
        };
        at += length;
    }
    raw.drain(..at);
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn a_question_that_is_left_by_ctrl_c_says_on_a_line_of_its_own_that_nothing_was_changed() {
    let desk = Desk::with_session();
    let mut screen = Screen::run(&desk, &["ask", "s", "normalize everything to -16 LUFS"]);
    screen.until("[y/N] ");
    kill_process(Pid::from_child(&screen.child), Signal::INT).unwrap();
    screen.until("\r\nNothing was changed.\r\n");
    assert_eq!(screen.child.wait().unwrap().code(), Some(3));
}

#[test]
fn one_scalar_is_one_line_and_enter() {
    let desk = Desk::with_session();
    let mut screen = Screen::chat(&desk, &[]);
    screen.until("› ");
    screen.press("turn the music down by 3 dB\r");
    screen.until("Music: set track gain +0.00 dB -> -3.00 dB");
    screen.until("[Enter] apply");
    screen.until("decide › ");
    screen.press("\r");
    screen.until("revision 2 (agent): Turn Music down by 3 dB");
    screen.until("Done: Turn Music down by 3 dB.");
    screen.until("› ");
    screen.leave();
    assert_eq!(desk.json(&["show", "s"])["tracks"][1]["gain"], -3.0);
    let typed = desk.path("config/deskhand/chat-history.txt");
    assert!(std::fs::read_to_string(&typed).unwrap().contains("turn the music down"));
    let mode = std::fs::metadata(&typed).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "words are for their owner alone");
}

#[test]
fn a_part_another_value_a_reason_and_a_step_back() {
    let desk = Desk::with_session();
    let mut screen = Screen::chat(&desk, &[]);
    screen.until("› ");
    screen.press("normalize everything to -16 LUFS\r");
    screen.until("decide › ");
    screen.press("s c1\r");
    screen.until("left out: c2");
    screen.until("Done: Bring Voice and Music to -16 LUFS (1 of 2 changes).");
    screen.until("› ");
    screen.press("/undo\r");
    screen.until("(person): undone: ");
    screen.until("› ");
    screen.press("turn the music down by 3 dB\r");
    screen.until("decide › ");
    screen.press("e c1=-1.5\r");
    screen.until("Done: Turn Music down by 3 dB (1 set by hand).");
    screen.until("› ");
    screen.press("mute the voice\r");
    screen.until("Done: ");
    screen.until("› ");
    screen.press("turn the music down by 3 dB\r");
    screen.until("decide › ");
    screen.press("r\r");
    screen.until("say why");
    screen.until("decide › ");
    screen.press("yes please\r");
    screen.until("decide first");
    screen.until("decide › ");
    screen.press("r keep it\r");
    screen.until("rejected (person): keep it");
    screen.until("› ");
    screen.leave();
    let tracks = desk.json(&["show", "s"])["tracks"].clone();
    assert_eq!((&tracks[1]["gain"], &tracks[0]["mute"]), (&json!(-1.5), &json!(true)));
}

#[test]
fn always_here_is_kept_beside_the_configuration() {
    let desk = Desk::with_session();
    let mut screen = Screen::chat(&desk, &[]);
    screen.until("› ");
    screen.press("turn the music down by 3 dB\r");
    screen.until("decide › ");
    screen.press("A\r");
    screen.until("Done: ");
    screen.until("› ");
    screen.press("turn the music down by 2 dB\r");
    let between = screen.until("Done: Turn Music down by 2 dB.");
    assert!(!between.contains("decide"), "{between}");
    screen.until("› ");
    screen.leave();
    let allowed = std::fs::read_to_string(desk.path("config/deskhand/allowed.toml")).unwrap();
    let session = desk.json(&["show", "s"])["session"].as_str().unwrap().to_owned();
    assert!(allowed.contains(&session) && allowed.contains("cmd_set_track_gain"), "{allowed}");
}

#[test]
fn local_only_is_turned_from_an_attached_chat_and_kept_with_the_persons_rules() {
    let desk = Desk::with_session();
    let mut own = Screen::chat(&desk, &[]);
    own.until("› ");
    let mut attached = Screen::chat(&desk, &[]);
    attached.until("› ");
    attached.press("/local\r");
    attached.until("local only: nothing is sent off this machine");
    own.until("local only: nothing is sent off this machine");
    attached.until("› ");
    attached.leave();
    own.press("\r");
    own.leave();
    let kept = std::fs::read_to_string(desk.path("config/deskhand/allowed.toml")).unwrap();
    let session = desk.json(&["show", "s"])["session"].as_str().unwrap().to_owned();
    assert!(kept.contains("local_only") && kept.contains(&session), "{kept}");
    let mut again = Screen::chat(&desk, &[]);
    again.until("› ");
    again.press("/local\r");
    again.until("your providers may be reached over the network");
    again.until("› ");
    again.leave();
}

#[test]
fn what_was_said_and_what_waits_is_shown_again_and_may_be_decided_elsewhere() {
    let desk = Desk::with_session();
    let ran = desk.run_with(&["chat", "s"], "turn the music down by 3 dB\n");
    assert_eq!(ran.code, 3);
    let plans = desk.json(&["plans", "s"]);
    let id = plans.as_array().unwrap().last().unwrap()["plan"]["id"].as_str().unwrap().to_owned();
    let mut screen = Screen::chat(&desk, &[]);
    screen.until("› turn the music down by 3 dB");
    screen.until("this waits for you");
    screen.until("Music: set track gain");
    screen.until("decide › ");
    screen.press("half a w");
    screen.until("half a w");
    desk.ok(&["apply", "s", &id, "--yes"]);
    screen.until("revision 2 (agent)");
    screen.until("› half a w");
    screen.press("\u{15}");
    screen.leave();
}

#[test]
fn a_question_with_choices_takes_a_number_and_the_model_reads_the_words() {
    let desk = Desk::with_session();
    let choices = json!(["the first take", "the second take"]);
    let ask = json!({"message": "Which one?", "type": "query", "choices": choices});
    let replies = vec![("Tell me.", Some(("notify_user", ask))), ("So be it.", None)];
    let sent = configure(&desk, replies);
    let mut screen = Screen::chat(&desk, &["--provider", "scripted"]);
    screen.until("› ");
    screen.press("keep a take\r");
    screen.until("asked: Which one?");
    screen.until("1  the first take");
    screen.until("2  the second take");
    screen.until("answer › ");
    screen.press("3\r");
    screen.until("the choices are 1 to 2; or answer in words");
    screen.until("answer › ");
    screen.press("2\r");
    screen.until("answered: the second take");
    screen.until("So be it.");
    screen.until("› ");
    screen.leave();
    let read = sent.iter().nth(1).unwrap();
    assert!(read.contains(r#"\"answer\":\"the second take\""#), "{read}");
}

#[test]
fn escape_stops_a_model_that_goes_on_and_on() {
    let desk = Desk::with_session();
    let listener = listen(&desk);
    let (sender, closed) = unbounded();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        request(&stream);
        let piece = json!({"choices": [{"index": 0, "delta": {"content": "endless "}}]});
        stream.write_all(format!("{HEAD}data: {piece}\n\n").as_bytes()).unwrap();
        // Nothing comes until the other side goes.
        let gone = stream.read(&mut [0; 16]).map_or(true, |count| count == 0);
        sender.send(gone).unwrap();
    });
    let mut screen = Screen::chat(&desk, &["--provider", "scripted"]);
    screen.until("› ");
    screen.press("tell me a story\r");
    screen.until("endless ");
    screen.press("\u{1b}");
    screen.until("stopped");
    assert!(closed.recv_timeout(PATIENCE).unwrap(), "the connection was closed");
    screen.until("› ");
    screen.press("/quit\r");
    assert_eq!(screen.child.wait().unwrap().code(), Some(0));
}

#[test]
fn when_the_terminal_is_closed_the_chat_ends() {
    let desk = Desk::with_session();
    let (mut child, mut terminal) = on_terminal(&desk, &["chat", "s"]);
    let (mut shown, mut bytes) = (Vec::new(), [0; 4_096]);
    while !String::from_utf8_lossy(&shown).contains("› ") {
        let count = terminal.read(&mut bytes).unwrap();
        shown.extend(&bytes[..count]);
        if bytes[..count].windows(4).any(|found| found == b"\x1b[6n") {
            terminal.write_all(b"\x1b[1;1R").unwrap();
        }
    }
    drop(terminal);
    let (tell, ended) = unbounded();
    thread::spawn(move || tell.send(child.wait()));
    let status = ended.recv_timeout(PATIENCE).expect("it goes on without a terminal");
    assert_eq!(status.unwrap().code(), Some(129));
}
