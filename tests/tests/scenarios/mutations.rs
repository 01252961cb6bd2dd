//! Every kind of text that is read, mutated: 600 inputs, and 100,000 with `DESKHAND_LONG=1`. Each is read or refused: no
//! panic, no input that takes over 10 s, and no more than 1.5 GB of memory. The same inputs each time.

use crate::check;
use crate::desk::Desk;
use deskhand_session::digest::plan_digest;
use deskhand_session::{Plan, Session};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// An input that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(10);
/// How often it is looked for one.
const LOOK: Duration = Duration::from_millis(200);
/// The most memory of this process, in KiB.
const MOST_KIB: u64 = 1_500_000;

const SRT: &str = "1\n00:00:00,100 --> 00:00:01,000\nAnn: {\\an8}Stop it,\\N<i>now</i> &amp; here\n\n\
    2\n00:00:01,000 --> 00:00:02,500\n- Well.\n- <font color=\"#ff0000\">No</font>\n\n\
    3\n00:00:02,500 --> 00:00:03,900\nБен: на здоровье 漢字 é\n";
const VTT: &str = "WEBVTT - a title\nKind: captions\n\nNOTE about it\n\nSTYLE\n::cue{}\n\nintro\n\
    00:00.100 --> 00:01.000 align:start\n<v.loud Ann Lee>1 &lt; 2 <00:00.500><c.red>yes</c> <ruby>漢<rt>か</rt></ruby>\n\n\
    00:01.000 --> 00:01.010\nyes\n \n\n00:01.010 --> 00:03.000\nyes\nand <00:02.000>no\n";
const WHISPER: &str = r#"{"text": "x", "language": "en", "segments": [
    {"id": 0, "start": 0.5, "end": 1.25, "text": " Hi you", "tokens": [1, 2], "avg_logprob": NaN,
     "words": [{"word": " Hi", "start": 0.5, "end": 0.75, "probability": 0.9}, {"word": " you"}]},
    {"start": 2, "end": 3, "text": " Bye now", "speaker": "B"}], "words": [{"word": "Bye", "start": 2.0, "end": 2.5}]}"#;
const WHISPER_CPP: &str = r#"{"result": {"language": "en"}, "transcription": [{"timestamps": {"from": "00:00:00,000"},
    "offsets": {"from": 0, "to": 2000}, "text": " Hello there.", "tokens": [{"offsets": {"from": 0, "to": 900}}]}]}"#;
const TEXTS: [&str; 4] = [
    "[00:00:00.100 --> 00:00:01.000] Anna: Good day.\n[00:00:01.000 --> 00:00:03.000] Ben: Hi\n",
    "Anna (0:01)\nGood day.\n\nBen (0:02.5)\nHi.\n",
    "Anna: so it was #00:00:01-5#\nBen: No #00:00:02-5#.\n",
    "[0:00] Anna: Hello\n[0:02] Ben: Hi\nand more\n",
];
const ASS: &str = "[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n\
    Dialogue: 0,0:00:00.10,0:00:01.00,Default,Ann,0,0,0,,{\\an8}Stop {\\i1}it{\\i0},\\Nnow\n\
    Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}Well, no\n";
const SBV: &str =
    "0:00:00.100,0:00:01.000\nAnn: Stop it,\nnow\n\n0:00:01.000,0:00:02.500\nWell[br]no\n";
const LRC: &str = "[ti:A song]\n[offset:+50]\n[00:00.10]Stop <00:00.50>it\n[00:01.00][00:03.00]Well\n[00:02.00]\n";
const TTML: &str = "<?xml version=\"1.0\"?>\n<tt xmlns=\"http://www.w3.org/ns/ttml\" ttp:frameRate=\"25\"><head>\
    <ttm:agent xml:id=\"a\"><ttm:name>Ann</ttm:name></ttm:agent></head><body><div xml:lang=\"en\">\n\
    <p begin=\"0.1s\" dur=\"900ms\" ttm:agent=\"a\">Stop <span>it</span>,<br/>now &amp; here</p>\n\
    <p begin=\"00:00:01:00\" end=\"00:00:02.5\">Well</p></div></body></tt>\n";
const SMI: &str = "<SAMI><BODY>\n<SYNC Start=100><P Class=ENCC>Stop<br>it\n<SYNC Start=1000><P Class=ENCC>&nbsp;\n\
    <SYNC Start=2000><P Class=ENCC>Well<P Class=FRCC>Bon\n</BODY></SAMI>\n";
const QDC: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<CodeBook xmlns=\"urn:QDA-XML:codebook:1.0\" origin=\"x\">\
    <Codes><Code guid=\"11111111-1111-1111-1111-111111111111\" name=\"Money &amp; more\" isCodable=\"true\" color=\"#ff0000\">\
    <Description>what is paid</Description><Code guid=\"11111111-1111-1111-1111-111111111112\" name=\"Debt\" isCodable=\"true\"/>\
    </Code></Codes><Sets><Set guid=\"11111111-1111-1111-1111-111111111113\" name=\"All\"/></Sets></CodeBook>";

/// A kind of text: its seeds for mutation, and its reader.
struct Kind {
    name: &'static str,
    seeds: Vec<Vec<u8>>,
    /// Reads a file of this name and number.
    read: fn(&Desk, &[u8], &str, usize),
}

fn desk() -> Desk {
    let clip = json!({"name": "Talk", "audio": [{"s": 4, "tone_hz": 200, "dbfs": -20}]});
    Desk::new(&json!({"rate": 8000, "tracks": [{"name": "Voice", "clips": [clip]}]}))
}

// tidy: table
fn kinds(desk: &Desk) -> Vec<Kind> {
    let seeds = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let session = serde_json::to_vec(&desk.session).unwrap();
    vec![
        Kind { name: "srt", seeds: seeds(&[SRT]), read: transcript },
        Kind { name: "vtt", seeds: seeds(&[VTT]), read: transcript },
        Kind { name: "json", seeds: seeds(&[WHISPER, WHISPER_CPP]), read: transcript },
        Kind { name: "txt", seeds: seeds(&TEXTS), read: transcript },
        Kind { name: "ass", seeds: seeds(&[ASS]), read: transcript },
        Kind { name: "sbv", seeds: seeds(&[SBV]), read: transcript },
        Kind { name: "lrc", seeds: seeds(&[LRC]), read: transcript },
        Kind { name: "ttml", seeds: seeds(&[TTML]), read: transcript },
        Kind { name: "smi", seeds: seeds(&[SMI]), read: transcript },
        Kind {
            name: "codebook",
            seeds: seeds(&[QDC]),
            read: |desk, file, _, n| codebook(desk, file, n),
        },
        Kind {
            name: "plan",
            seeds: vec![plan(desk)],
            read: |desk, file, _, _| plan_file(desk, file),
        },
        Kind { name: "session", seeds: vec![session], read: |_, file, _, _| session_file(file) },
    ]
}

fn transcript(desk: &Desk, file: &[u8], ending: &str, number: usize) {
    let path = desk.audio.join(format!("mutated-{number}.{ending}"));
    std::fs::write(&path, file).unwrap();
    let params = json!({"file": path, "target": "Talk"});
    if let Ok(draft) = desk.call("tool_import_transcript", &params) {
        desk.session.with(&changes(&draft)).unwrap();
    }
    std::fs::remove_file(path).unwrap();
}

fn codebook(desk: &Desk, file: &[u8], number: usize) {
    let path = desk.audio.join(format!("mutated-{number}.qdc"));
    std::fs::write(&path, file).unwrap();
    if let Ok(draft) = desk.call("tool_import_codebook", &json!({"file": path})) {
        desk.session.with(&changes(&draft)).unwrap();
    }
    std::fs::remove_file(path).unwrap();
}

fn changes(draft: &deskhand_toolkit::Draft) -> Vec<deskhand_session::Change> {
    draft.changes.iter().map(|planned| planned.change.clone()).collect()
}

/// A plan in its file form.
fn plan(desk: &Desk) -> Vec<u8> {
    let draft =
        desk.call("cmd_set_track_gain", &json!({"targets": "Voice", "gain_db": -3})).unwrap();
    let change = serde_json::to_value(&draft.changes[0]).unwrap();
    let plan = json!({
        "format": deskhand_session::plan::FORMAT, "id": "plan_0000000000000001", "digest": "", "tool": "cmd_set_track_gain",
        "params": {"gain_db": -3}, "session": desk.session.id, "base_revision": 0, "summary": "Quieter",
        "changes": [change], "reads": [], "findings": [], "predicted": [], "artifacts": [], "warnings": [],
        "notes": [], "derived_from": null,
    });
    serde_json::to_vec(&plan).unwrap()
}

/// With its digest put right, so that not each mutation is refused for that.
fn plan_file(desk: &Desk, file: &[u8]) {
    let text = String::from_utf8_lossy(file);
    let _refused = Plan::from_json(&text);
    let Ok(mut json) = serde_json::from_str::<Value>(&text) else { return };
    if json.is_object() {
        json["digest"] = plan_digest(&json).into();
    }
    if let Ok(plan) = Plan::from_json(&json.to_string()) {
        let _refused = plan.applied_to(&desk.session);
    }
}

fn session_file(file: &[u8]) {
    if let Ok(session) = serde_json::from_slice::<Session>(file) {
        let _end = (session.heard_end(), serde_json::to_string(&session).unwrap());
    }
}

pub(crate) fn test() -> Trial {
    check("every_mutation_of_a_text_is_read_or_refused", every_mutation_is_read_or_refused)
}

fn every_mutation_is_read_or_refused() {
    let inputs = if std::env::var_os("DESKHAND_LONG").is_some() { 100_000 } else { 600 };
    let desk = desk();
    let kinds = kinds(&desk);
    for kind in &kinds {
        for seed in &kind.seeds {
            (kind.read)(&desk, seed, kind.name, usize::MAX);
        }
    }
    let watch = Watch::new();
    let panics = std::thread::scope(|scope| {
        let share = |core: usize| {
            let (desk, kinds, watch) = (&desk, &kinds, &watch);
            scope.spawn(move || {
                let mine = (core..inputs).step_by(2);
                mine.filter_map(|number| one(desk, kinds, number, watch.of(core)))
                    .collect::<Vec<_>>()
            })
        };
        let cores = [share(0), share(1)];
        cores.into_iter().flat_map(|core| core.join().unwrap()).collect::<Vec<String>>()
    });
    let (longest, memory) = (watch.end(), peak_memory());
    eprintln!(
        "{inputs} mutated texts of {} kinds: {} panics, the longest took {longest} ms, {} MB at most",
        kinds.len(),
        panics.len(),
        memory / 1_000
    );
    assert_eq!(panics, Vec::<String>::new());
    assert!(memory < MOST_KIB, "{memory} KiB");
}

/// Reads one input; how it panicked, if it did.
fn one(desk: &Desk, kinds: &[Kind], number: usize, watch: &Watched) -> Option<String> {
    let mut random = Random(number as u64);
    let kind = &kinds[number % kinds.len()];
    let mut input = kind.seeds[random.below(kind.seeds.len())].clone();
    for _ in 0..1 + random.below(6) {
        mutate(&mut input, &mut random);
    }
    watch.begin(number);
    let read = catch_unwind(AssertUnwindSafe(|| (kind.read)(desk, &input, kind.name, number)));
    watch.end();
    read.err().map(|_| format!("{} {number}: {:?}", kind.name, String::from_utf8_lossy(&input)))
}

/// What programs stumble over.
const TOKENS: [&[u8]; 30] = [
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"-1",
    b"0",
    b"18446744073709551616",
    b"null",
    b"{}",
    b"[]",
    b"\"",
    b"\\",
    b"\n\n",
    b"\r",
    b"-->",
    b"00:00:99,999 --> 00:00:00,000\n",
    b"99:59:59.999",
    b"<",
    b">",
    b"<v ",
    b"<rt>",
    b"{\\an8}",
    b"{\\",
    b"\\N",
    b"&#x110000;",
    b"&#0;",
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"#0:01#",
    b"\xf0\x9f\x98\x80",
];

fn mutate(input: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + random.below(40)).min(input.len());
    match random.below(11) {
        0 | 1 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        2 => drop(input.drain(at..end)),
        3 => {
            let piece = input[at..end].to_vec();
            let times = [1, 2, 300][random.below(3)];
            input.splice(at..at, piece.repeat(times));
        }
        4 | 5 => {
            let token = TOKENS[random.below(TOKENS.len())];
            input.splice(at..end, token.iter().copied());
        }
        6 => {
            let token = TOKENS[random.below(TOKENS.len())];
            input.splice(at..at, token.repeat(1 + random.below(2_000)));
        }
        7 => input.truncate(at),
        8 => lines_swapped(input, random),
        9 => number(input, random),
        _ => *input = wide(input, random),
    }
    input.truncate(1 << 20);
}

fn lines_swapped(input: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<Vec<u8>> = input.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(one, other);
    *input = lines.join(&b'\n');
}

/// Another digit.
fn number(input: &mut [u8], random: &mut Random) {
    let digits: Vec<usize> = (0..input.len()).filter(|at| input[*at].is_ascii_digit()).collect();
    if !digits.is_empty() {
        input[digits[random.below(digits.len())]] = b'0' + random.below(10) as u8;
    }
}

/// The same in UTF-16.
fn wide(input: &[u8], random: &mut Random) -> Vec<u8> {
    let text = String::from_utf8_lossy(input);
    let order = if random.below(2) == 0 { u16::to_le_bytes } else { u16::to_be_bytes };
    text.encode_utf16().flat_map(order).collect()
}

/// Ends the process where an input takes too long: what hangs cannot be stopped otherwise.
struct Watch {
    cores: Arc<[Watched; 2]>,
    /// The guard ends when this is dropped.
    goes_on: Sender<()>,
    guard: std::thread::JoinHandle<()>,
}

struct Watched {
    start: Instant,
    /// The current input, and since when it is read in ms; 0 without one.
    number: AtomicU64,
    since: AtomicU64,
    longest: AtomicU64,
}

impl Watched {
    fn now(&self) -> u64 {
        1 + u64::try_from(self.start.elapsed().as_millis()).unwrap()
    }

    fn begin(&self, number: usize) {
        self.number.store(number as u64, Ordering::SeqCst);
        self.since.store(self.now(), Ordering::SeqCst);
    }

    fn end(&self) {
        let took = self.now() - self.since.swap(0, Ordering::SeqCst);
        self.longest.fetch_max(took, Ordering::SeqCst);
    }
}

impl Watch {
    fn new() -> Self {
        let watched = || Watched {
            start: Instant::now(),
            number: AtomicU64::new(0),
            since: AtomicU64::new(0),
            longest: AtomicU64::new(0),
        };
        let cores = Arc::new([watched(), watched()]);
        let (goes_on, over) = channel();
        let seen = Arc::clone(&cores);
        let guard = std::thread::spawn(move || {
            while over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                seen.iter().for_each(end_what_hangs);
            }
        });
        Self { cores, goes_on, guard }
    }

    fn of(&self, core: usize) -> &Watched {
        &self.cores[core]
    }

    /// The longest that an input took, in ms.
    fn end(self) -> u64 {
        drop(self.goes_on);
        self.guard.join().unwrap();
        self.cores.iter().map(|core| core.longest.load(Ordering::SeqCst)).max().unwrap()
    }
}

fn end_what_hangs(core: &Watched) {
    let since = core.since.load(Ordering::SeqCst);
    if since > 0 && core.now().saturating_sub(since) > LONGEST.as_millis() as u64 {
        eprintln!("input {} hangs", core.number.load(Ordering::SeqCst));
        std::process::abort();
    }
}

/// The most memory that this process had, in KiB; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string(Path::new("/proc/self/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Small, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        // Twice, for the first numbers of neighbors are alike.
        for _ in 0..2 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
        }
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}
