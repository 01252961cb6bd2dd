//! Files of every format that is read, changed at random: no panic, no hang, no absurd memory.
//!
//! The inputs run in a child process, which ends at a panic, after 10 s of processor time for one input,
//! or with more than 1.5 GB of memory. `DESKHAND_LONG=1` runs 100,000 of them, another
//! number that many, a few hundred otherwise.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod support;

use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{BitDepth, Opener};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use support::boxes::{Raw, boxed, film};
use support::{encode, signal, wav};

/// The argument that makes this program the child; the folder of fixtures and how many inputs follow.
const MODE: &str = "__mutate";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    if let [_, mode, folder, count] = args.as_slice()
        && mode == MODE
    {
        child(Path::new(folder), count.parse().unwrap());
        return ExitCode::SUCCESS;
    }
    let count = match std::env::var("DESKHAND_LONG").as_deref() {
        Ok("1") => 100_000,
        Ok(count) => count.parse().unwrap(),
        Err(_) => 400,
    };
    let dir = tempfile::tempdir().unwrap();
    fixtures(dir.path());
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([MODE.as_ref(), dir.path().as_os_str()])
        .arg(count.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok).last();
    let status = child.wait().unwrap();
    assert!(status.success(), "input {told:?} ended the process: {status}");
    println!("mutants: {count} inputs, {}", told.unwrap_or_default());
    ExitCode::SUCCESS
}

/// A short file of every format, and joined ones.
fn fixtures(dir: &Path) {
    let from = dir.join("a.wav");
    wav(&from, &signal(2, 12_000, 44_100), 44_100, BitDepth::S16);
    wav(&dir.join("b.wav"), &signal(1, 12_000, 48_000), 48_000, BitDepth::F32);
    wav(&dir.join("c.wav"), &signal(6, 4_000, 48_000), 48_000, BitDepth::S24);
    let two: &[&str] = &["-map", "0", "-map", "0", "-c:a", "aac"];
    let cases: [(&str, &[&str]); 21] = [
        ("a.aiff", &[]),
        ("a.aifc", &["-c:a", "pcm_f32be", "-f", "aiff"]),
        ("rf64.wav", &["-rf64", "always"]),
        ("a.flac", &["-c:a", "flac"]),
        ("a.mp3", &["-c:a", "libmp3lame"]),
        ("a.m4a", &["-c:a", "aac"]),
        ("b.m4a", &["-c:a", "alac"]),
        ("two.mp4", two),
        ("two.mkv", two),
        ("a.webm", &["-c:a", "libopus"]),
        ("parts.mp4", &["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]),
        ("a.ogg", &["-c:a", "libvorbis"]),
        ("a.opus", &["-c:a", "libopus"]),
        ("a.oga", &["-c:a", "flac", "-f", "ogg"]),
        ("a.aac", &["-c:a", "aac"]),
        ("adpcm.wav", &["-c:a", "adpcm_ms"]),
        ("two.ogg", &["-map", "0", "-map", "0", "-c:a", "libvorbis"]),
        ("two.oga", &["-map", "0", "-map", "0", "-c:a", "flac", "-f", "ogg"]),
        ("a.mka", &["-c:a", "flac"]),
        ("law.mka", &["-c:a", "pcm_alaw"]),
        ("alac.mov", &["-c:a", "alac"]),
    ];
    for (name, args) in cases {
        encode(&from, &dir.join(name), args);
    }
    quicktime(dir);
    for name in ["a.mp3", "a.ogg", "a.opus", "a.flac", "a.aac", "a.wav", "a.mka", "a.webm", "a.m4a"]
    {
        if let Ok(bytes) = std::fs::read(dir.join(name)) {
            std::fs::write(dir.join(format!("joined {name}")), bytes.repeat(2)).unwrap();
        }
    }
}

/// Raw samples in QuickTime.
fn quicktime(dir: &Path) {
    let samples: Vec<u8> = (0..12_000u32).map(|n| ((n * n) >> 7) as u8).collect();
    let order = boxed(b"wave", &[&boxed(b"enda", &[&[0, 1]])]);
    let config = boxed(b"pcmC", &[&[0, 0, 0, 0, 1, 16]]);
    for (kind, bits, boxes, frame) in [
        (b"twos", 8, Vec::new(), 2),
        (b"sowt", 16, Vec::new(), 1),
        (b"in24", 24, order, 6),
        (b"ipcm", 16, config, 4),
        (b"ulaw", 16, Vec::new(), 2),
    ] {
        let raw = Raw { kind, channels: 2, bits, boxes, frame };
        let name = String::from_utf8_lossy(kind);
        std::fs::write(dir.join(format!("{name}.mov")), film(&raw, 2000, &samples)).unwrap();
    }
}

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// One change: bytes, a size field, a cut, a piece that is repeated, left out or comes from another file.
fn change(dice: &mut Dice, bytes: &mut Vec<u8>, other: &[u8]) {
    const SIZES: [u32; 9] =
        [0, 1, 2, 0x7F, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, u32::MAX];
    if bytes.len() < 16 {
        return;
    }
    let reach = if dice.below(2) == 0 { bytes.len().min(600) } else { bytes.len() };
    let at = dice.below(reach - 8);
    let length = dice.below(200).min(bytes.len() - at);
    match dice.below(8) {
        0..=2 => bytes[at] = dice.below(256) as u8,
        3 => {
            let size = SIZES[dice.below(SIZES.len())];
            let size = if dice.below(2) == 0 { size.to_le_bytes() } else { size.to_be_bytes() };
            bytes[at..at + 4].copy_from_slice(&size);
        }
        4 => bytes.truncate(at.max(16)),
        5 => drop(bytes.drain(at..at + length)),
        6 => {
            let piece = bytes[at..at + length].to_vec();
            drop(bytes.splice(at..at, piece));
        }
        _ => {
            let from = dice.below(other.len());
            let piece = other[from..(from + length).min(other.len())].to_vec();
            drop(bytes.splice(at..at, piece));
        }
    }
}

/// Everything that the program does with a file.
fn use_it(path: &Path) -> bool {
    /// Frames that are read of one input, so that long silence costs no hours.
    const MOST: i64 = 1 << 20;
    let opener = Opener::in_process();
    let Ok((probe, mut reader)) = opener.probe_and_open_at(path, SampleRate(48_000)) else {
        return false;
    };
    let mut block = vec![vec![0.0f32; 4096]; reader.channels()];
    let total = reader.frames().0;
    let steps = (0..total.min(MOST)).step_by(4096).chain([total - 1, total / 2, 0]);
    for at in steps {
        let mut planes: Vec<&mut [f32]> = block.iter_mut().map(Vec::as_mut_slice).collect();
        match reader.read(Frames(at), &mut planes) {
            Ok(_) => assert!(block.iter().flatten().all(|sample| sample.is_finite())),
            Err(_) => break,
        }
    }
    for track in 0..u16::try_from(probe.tracks.len()).unwrap_or(0).min(4) {
        drop(opener.track(Some(track)).probe(path));
    }
    true
}

fn child(folder: &Path, count: u64) {
    limit_memory();
    let mut names: Vec<_> = folder.read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    names.sort();
    let fixtures: Vec<_> =
        names.iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
    let mut opened = 0u64;
    for input in 0..count {
        let mut dice =
            Dice(0x9E37_79B9_7F4A_7C15 ^ (input + 1).wrapping_mul(0xD134_2543_DE82_EF95));
        let (from, whole) = &fixtures[dice.below(fixtures.len())];
        let other = &fixtures[dice.below(fixtures.len())].1;
        let mut bytes = whole.clone();
        for _ in 0..=dice.below(6) {
            change(&mut dice, &mut bytes, other);
        }
        println!("{opened} of them opened; number {input} is made of {:?}", from.file_name());
        std::io::stdout().flush().unwrap();
        let path = folder.join("mutant").with_extension(from.extension().unwrap());
        std::fs::write(&path, &bytes).unwrap();
        allow_ten_seconds();
        opened += u64::from(use_it(&path));
    }
    // Without a panic but also without any reading, the test would prove nothing.
    assert!(opened * 10 > count, "only {opened} of {count} opened");
}

#[cfg(unix)]
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = Some(1_500_000_000);
    setrlimit(Resource::As, Rlimit { current: most, maximum: most }).unwrap();
}

#[cfg(unix)]
fn allow_ten_seconds() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use rustix::time::{ClockId, clock_gettime};
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let maximum = getrlimit(Resource::Cpu).maximum;
    let current = Some(u64::try_from(used).unwrap() + 10);
    setrlimit(Resource::Cpu, Rlimit { current, maximum }).unwrap();
}

#[cfg(not(unix))]
fn limit_memory() {}

#[cfg(not(unix))]
fn allow_ten_seconds() {}
