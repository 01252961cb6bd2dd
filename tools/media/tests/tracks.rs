//! Films and recordings with several tracks of audio: what each is called, where it begins, and what it holds.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

mod support;

use deskhand_media::{BitDepth, Opener, Probe};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{best_lag, positions, read_all, read_at, signal, wav};
use tempfile::TempDir;

const RATE: u32 = 48_000;
const FRAMES: usize = 3 * RATE as usize;

/// A film whose tracks are written by ffmpeg, each from a signal of its own.
struct Film {
    folder: TempDir,
    command: Command,
    signals: Vec<Vec<f32>>,
    delays: Vec<&'static str>,
    options: Vec<String>,
}

impl Film {
    fn new() -> Self {
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-y"]);
        let folder = tempfile::tempdir().unwrap();
        Self { folder, command, signals: Vec::new(), delays: Vec::new(), options: Vec::new() }
    }

    /// One track more, with what ffmpeg writes of it: `c` its codec, `metadata` as `key=value`.
    fn track(mut self, codec: &str, metadata: &[&str], delay: &'static str) -> Self {
        let index = self.signals.len();
        self.signals.extend(signal(index + 1, FRAMES, RATE).pop());
        self.delays.push(delay);
        self.options.extend(["-map".into(), index.to_string()]);
        self.options.extend([format!("-c:a:{index}"), codec.into()]);
        for pair in metadata {
            self.options.extend([format!("-metadata:s:a:{index}"), (*pair).into()]);
        }
        self
    }

    /// The file; `None`, with a message, if there is no ffmpeg that writes it.
    fn write(mut self, name: &str, options: &[&str]) -> Option<(Self, PathBuf)> {
        for (index, (signal, delay)) in self.signals.iter().zip(&self.delays).enumerate() {
            let from = self.folder.path().join(format!("{index}.wav"));
            wav(&from, std::slice::from_ref(signal), RATE, BitDepth::S16);
            self.command.args(["-itsoffset", delay, "-i"]).arg(from);
        }
        let to = self.folder.path().join(name);
        self.command
            .args(&self.options)
            .args(["-strict", "-2", "-b:a", "192k", "-aac_pns", "0"])
            .args(options)
            .arg(&to);
        let is_made = self.command.status().is_ok_and(|status| status.success());
        if !is_made {
            println!("skipped: no ffmpeg that writes {name}");
        }
        is_made.then_some((self, to))
    }

    /// Reads track `index`, compares it with the written signal, and checks seeking. Returns the frame of
    /// the film at which the signal begins.
    fn check(&self, file: &Path, index: u16) -> i64 {
        let opener = Opener::in_process().track(Some(index));
        let probe = opener.probe(file).unwrap();
        assert_eq!((probe.channels, probe.rate.0), (1, RATE));
        let (mut reader, stats) = opener.open_counted(file).unwrap();
        let whole = read_all(reader.as_mut(), 4096).remove(0);
        assert_eq!((stats.nonfinite(), stats.damaged()), (0, 0), "{index}");
        let original = &self.signals[usize::from(index)];
        let (lag, likeness) = best_lag(&original[20_000..36_000], &whole[20_000..36_000], 1400);
        assert!(likeness > 0.9, "track {index}: {lag} {likeness}");
        for at in positions(whole.len(), 6) {
            let piece = read_at(reader.as_mut(), at, 3000).remove(0);
            let expected = &whole[at..(at + 3000).min(whole.len())];
            let differ = piece.iter().zip(expected).map(|(a, b)| (a - b).abs());
            let worst = differ.fold(0.0, f32::max);
            assert!(piece.len() == expected.len() && worst < 2e-3, "{index}: {at} {worst}");
        }
        probe.start.0 + lag
    }
}

fn names(probe: &Probe) -> Vec<String> {
    (0..).zip(&probe.tracks).map(|(index, track)| track.name(index)).collect()
}

fn probe(file: &Path) -> Probe {
    Opener::in_process().probe(file).unwrap()
}

fn are_in_step(film: &Film, file: &Path) {
    let begins = [0, 1].map(|index| film.check(file, index));
    assert!((begins[0] - begins[1]).abs() <= 48, "{begins:?}");
}

#[test]
fn the_tracks_of_a_film_are_read_each_with_its_title_and_its_start() {
    // ffmpeg writes languages in MOV as numbers of old QuickTime, which are not read.
    for (name, codec, last) in
        [("a.mp4", "alac", "audio 4 (fra)"), ("a.mov", "pcm_s16le", "audio 4")]
    {
        let film = Film::new()
            .track("aac", &["title=Desktop"], "0")
            .track("aac", &["title=Mic\u{1}  ", "language=deu"], "0.5")
            .track(codec, &["handler_name=Guest", "language=eng"], "0")
            .track("aac", &["language=fra"], "0");
        let Some((film, file)) = film.write(name, &[]) else { return };
        assert_eq!(names(&probe(&file)), ["Desktop", "Mic", "Guest", last], "{name}");
        let begins: Vec<i64> = (0..4).map(|index| film.check(&file, index)).collect();
        println!("{name}: {begins:?}");
        // The clock of a film may count milliseconds.
        assert!((begins[1] - 24_000).abs() <= 48, "{begins:?}");
        assert_eq!((begins[0], begins[2], begins[3]), (0, 0, 0));
    }
}

#[test]
fn the_tracks_of_a_matroska_file_are_read_in_every_codec() {
    let film = Film::new()
        .track("aac", &["title=Desktop"], "0")
        .track("libopus", &["title=Mic", "language=deu"], "0.5")
        .track("flac", &["language=fra"], "0")
        .track("libvorbis", &[], "0")
        .track("pcm_s24le", &[], "0")
        .track("libmp3lame", &[], "0");
    let Some((film, file)) = film.write("a.mkv", &[]) else { return };
    let told = probe(&file);
    assert_eq!((told.format.as_str(), told.sample_format.as_str()), ("Matroska", "AAC"));
    let expected = ["Desktop", "Mic", "audio 3 (fra)", "audio 4", "audio 5", "audio 6"];
    assert_eq!(names(&told), expected);
    let begins: Vec<i64> = (0..6).map(|index| film.check(&file, index)).collect();
    println!("{begins:?}");
    // ffmpeg lets the whole file begin later where AAC is primed; a tick is a millisecond.
    for (index, begin) in begins.iter().enumerate() {
        // ffmpeg 5 stamps Opus too early, by the delay of its coder.
        let (delay, off) = if index == 1 { (24_000, 48 + 312) } else { (0, 48) };
        assert!((begin - begins[0] - delay).abs() <= off, "{begins:?}");
    }
    for index in 0..6 {
        let frames = Opener::in_process().track(Some(index)).probe(&file).unwrap().frames;
        // A millisecond less, and what an encoder pads.
        assert!((-48..=3500).contains(&(frames.0 - FRAMES as i64)), "{index}: {frames:?}");
    }
}

#[test]
fn a_track_that_cannot_be_read_is_named_and_the_others_are_read() {
    for (name, codecs, refusals) in [
        ("a.mp4", ["ac3", "dca", "aac"], ["AC-3 audio", "DTS audio"]),
        ("a.mkv", ["ac3", "dca", "aac"], ["AC-3 audio", "DTS audio"]),
        ("b.mkv", ["truehd", "wavpack", "flac"], ["TRUEHD audio", "WAVPACK4 audio"]),
    ] {
        let film = codecs.iter().fold(Film::new(), |film, codec| film.track(codec, &[], "0"));
        let Some((film, file)) = film.write(name, &[]) else { return };
        assert_eq!(names(&probe(&file)), ["audio 1", "audio 2", "audio 3"], "{name}");
        for (index, codec) in (0..).zip(refusals) {
            let refused = Opener::in_process().track(Some(index)).probe(&file).unwrap_err();
            assert!(refused.to_string().contains(codec), "{name}: {refused}");
            let told = format!("Deskhand left out audio track {}: {refused}", index + 1);
            assert_eq!(probe(&file).warnings[usize::from(index)], told, "{name}");
            let advice = format!("-map 0:a:{index} -c:a pcm_s16le out.wav");
            assert!(told.contains(codec) && told.ends_with(&advice), "{name}: {told}");
        }
        film.check(&file, 2);
    }
}

#[test]
fn beside_a_track_that_is_read_those_that_cannot_be_are_named() {
    // The readable one comes first, as in a recording whose desktop track is silent.
    for (name, codecs, codec) in [
        ("a.mp4", ["aac", "ac3"], "AC-3 audio"),
        ("a.mov", ["pcm_s16le", "eac3"], "E-AC-3 audio"),
        ("a.mkv", ["aac", "ac3"], "AC-3 audio"),
        ("b.mkv", ["aac", "g722"], "G.722 audio"),
        ("a.ogg", ["flac", "libspeex"], "Speex audio"),
    ] {
        let film = codecs.iter().fold(Film::new(), |film, codec| film.track(codec, &[], "0"));
        let options: &[&str] = if codec.starts_with("Speex") { &["-ar", "16000"] } else { &[] };
        let Some((_film, file)) = film.write(name, options) else { return };
        let known = probe(&file);
        let told = format!("holds {codec}, which Deskhand cannot decode; convert it first: ffmpeg");
        assert_eq!((known.tracks.len(), known.warnings.len()), (2, 1), "{name}: {known:?}");
        assert!(known.warnings[0].starts_with("Deskhand left out audio track 2: "), "{known:?}");
        assert!(known.warnings[0].contains(&told), "{name}: {known:?}");
        assert!(known.warnings[0].contains(" -map 0:a:1 "), "{name}: {known:?}");
        // A probe of one track only reports that one.
        let one = Opener::in_process().track(Some(0)).probe(&file).unwrap();
        assert_eq!(one.warnings, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_matroska_file_that_is_cut_off_or_was_streamed_is_read_as_far_as_it_goes() {
    let film = || Film::new().track("aac", &["title=A"], "0").track("flac", &["title=B"], "0");
    let Some((streamed, file)) = film().write("a.mkv", &["-live", "1"]) else { return };
    assert_eq!(names(&probe(&file)), ["A", "B"]);
    are_in_step(&streamed, &file);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.extend([0; 5000]);
    std::fs::write(&file, &bytes).unwrap();
    are_in_step(&streamed, &file);
    let warnings = probe(&file).warnings;
    assert!(warnings[0].starts_with("It is damaged after 3.0 s"), "{warnings:?}");
    let Some((cut, file)) = film().write("b.mkv", &["-cluster_time_limit", "500"]) else { return };
    let bytes = std::fs::read(&file).unwrap();
    for part in [2, 3] {
        std::fs::write(&file, &bytes[..bytes.len() / part]).unwrap();
        are_in_step(&cut, &file);
        for index in 0..2 {
            let known = Opener::in_process().track(Some(index)).probe(&file).unwrap();
            let told = "Its end is missing, it was probably cut off.";
            assert!(known.warnings[0].starts_with(told), "{:?}", known.warnings);
            let seconds = known.frames.0 as f64 / f64::from(RATE);
            assert!((seconds - 3.0 / part as f64).abs() < 0.4, "1/{part}: {seconds}");
        }
    }
}
