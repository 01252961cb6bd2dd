//! From a person's yes to the first block that sounds different, in a session of 1,000 clips: the plan
//! is checked, applied, stored durably, compiled and handed to a running engine.
//!
//! Thread: the main thread plays the message thread; another one plays the device, in blocks of 64
//! frames.
//!
//! `decision_latency DIR [DECISIONS]` works in DIR, which must not exist yet (on the disk to measure), and
//! prints one JSON object with medians in seconds.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "it answers on stdout")]

use anyhow::{Context, Result, bail};
use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, NoRenderer, Parts, PersonFront};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_engine::{Controller, EngineConfig, Processor, engine};
use deskhand_media::Opener;
use deskhand_protocol::{Apply, CallId, Decision, News, ToolResult};
use deskhand_session::{Clip, ClipId, Session, SessionId, Track, TrackId};
use deskhand_store::Store;
use deskhand_toolkit::{MeasurementCache, Pool, Registry};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const RATE: SampleRate = SampleRate(48_000);
const BLOCK: usize = 64;
const TRACKS: u64 = 20;
const CLIPS: u64 = 50;
/// Longer than the whole measurement, so that only a decision changes the sound.
const SECONDS: usize = 300;

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().context("usage: decision_latency DIR [DECISIONS]")?;
    let decisions: u64 = words.next().map_or(Ok(100), |word| word.parse())?;
    let folder = Path::new(&folder);
    std::fs::create_dir(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let tone = folder.join("tone.wav");
    std::fs::write(&tone, steady_wav())?;
    let mut rig = Rig::new(&folder.join("large"), &large(&folder.join("small"), &tone)?)?;
    let faders = rig.medians("cmd_set_track_gain", &track_name(0), decisions)?;
    let clips = rig.medians("cmd_set_clip_gain", &clip_name(1, 0), decisions)?;
    println!(
        "{{\"decisions\":{},\"fader_median_s\":{:.6},\"clip_median_s\":{:.6},\"median_s\":{:.6}}}",
        decisions * 2,
        faders,
        clips,
        faders.max(clips)
    );
    rig.close()
}

/// A constant: any change of gain is heard in the first sample that has it.
fn steady_wav() -> Vec<u8> {
    let frames = SECONDS * RATE.0 as usize;
    let bytes = (frames * 2) as u32;
    let mut wav = Vec::with_capacity(44 + frames * 2);
    wav.extend(b"RIFF");
    wav.extend((bytes + 36).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wav.extend(RATE.0.to_le_bytes());
    wav.extend((RATE.0 * 2).to_le_bytes());
    wav.extend(b"\x02\0\x10\0data");
    wav.extend(bytes.to_le_bytes());
    wav.extend(1_000i16.to_le_bytes().repeat(frames));
    wav
}

/// A session with 1,000 clips of the file `tone`, which a small session in `folder` imports.
fn large(folder: &Path, tone: &Path) -> Result<Session> {
    let empty = Session::new(SessionId::new(1), RATE);
    let (mut bridge, front, _) = open(folder, &empty)?;
    let call = front.call("import_audio", json!({"files": [tone], "library": true}), Apply::Now);
    wait(&mut bridge, &front, call)?;
    let mut session = Session::clone(bridge.session());
    bridge.close()?;
    let (source, length) = session
        .sources
        .iter()
        .next()
        .map(|(id, source)| (*id, source.frames))
        .context("the tone was not imported")?;
    for number in 0..TRACKS {
        let track = TrackId::new(100 + number);
        session.track_order.push(track);
        session.tracks.insert(track, Track::audio(track_name(number)));
        for place in 0..CLIPS {
            let clip = clip(track, source, length, (number, place));
            session.clips.insert(ClipId::new(1_000 + number * CLIPS + place), clip);
        }
    }
    session.id = SessionId::new(2);
    Ok(session)
}

fn track_name(number: u64) -> String {
    format!("Track {number}")
}

fn clip_name(track: u64, place: u64) -> String {
    format!("Clip {track} {place}")
}

fn clip(
    track: TrackId,
    source: deskhand_session::SourceId,
    length: Frames,
    (number, place): (u64, u64),
) -> Clip {
    Clip {
        name: clip_name(number, place),
        track,
        source,
        start: Frames::ZERO,
        length,
        position: Frames(length.0 * place as i64),
        gain: deskhand_dsp::Decibels::UNITY,
        fade_in: deskhand_dsp::Fade::default(),
        fade_out: deskhand_dsp::Fade::default(),
        envelope: Vec::new(),
        polarity: Default::default(),
        mute: false,
    }
}

/// Measurements are not kept: nothing here measures.
struct NoCache;

impl MeasurementCache for NoCache {
    fn get(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _: &str, _: &[u8]) {}
}

fn open(folder: &Path, session: &Session) -> Result<(Bridge, PersonFront, SessionAudio)> {
    let (store, loaded) = Store::create(folder, session)?;
    let opener = Opener::in_process();
    let audio = SessionAudio::new(folder, opener.clone());
    let parts = Parts {
        registry: Registry::new(deskhand_bridge::all_tools()),
        pool: Pool::for_this_machine(),
        audio: Arc::new(audio.clone()),
        cache: Arc::new(NoCache),
        opener,
        folder: folder.to_owned(),
        renderer: Arc::new(NoRenderer),
        opened: Vec::new(),
    };
    let mut bridge = Bridge::new(store, loaded, parts);
    let front = bridge.connect_person();
    Ok((bridge, front, audio))
}

fn wait(bridge: &mut Bridge, front: &PersonFront, call: CallId) -> Result<ToolResult> {
    let result = bridge.pump_until_done(call, || front.events().collect(), &mut |_| {});
    match &result.error {
        Some(error) => bail!("{}; {}", error.message, error.fix),
        None => Ok(result),
    }
}

/// What the message side and the device side share.
struct Shared {
    start: Instant,
    /// Set by the message side at a decision, cleared by the device at the first change.
    armed: AtomicBool,
    /// Nanoseconds after `start` at which the change was heard.
    heard: AtomicU64,
    /// The device goes on until this is set.
    ended: AtomicBool,
}

/// A large session, open, playing.
struct Rig {
    bridge: Bridge,
    front: PersonFront,
    controller: Controller,
    shared: Arc<Shared>,
    device: Option<std::thread::JoinHandle<()>>,
    _disk: deskhand_engine::DiskThread,
}

impl Rig {
    fn new(folder: &Path, session: &Session) -> Result<Self> {
        let (bridge, front, audio) = open(folder, session)?;
        let sources = session.sources.clone();
        let (mut controller, processor, disk) = engine(EngineConfig::at(RATE), move |key| {
            let source = sources.get(&deskhand_compile::source_of(key));
            let missing = || deskhand_dsp::ReadError("no such source".to_owned());
            audio.open(source.ok_or_else(missing)?, RATE)
        })?;
        let disk = disk.spawn()?;
        controller.apply(deskhand_compile::mix(session)?)?;
        controller.play()?;
        let shared = Arc::new(Shared {
            start: Instant::now(),
            armed: AtomicBool::new(false),
            heard: AtomicU64::new(0),
            ended: AtomicBool::new(false),
        });
        let its_shared = Arc::clone(&shared);
        let device = std::thread::spawn(move || play(processor, &its_shared));
        let mut rig = Self { bridge, front, controller, shared, device: Some(device), _disk: disk };
        rig.settle(Duration::from_secs(1));
        Ok(rig)
    }

    /// The median time from yes to sound in seconds, of `decisions` plans of `tool` on `target`.
    fn medians(&mut self, tool: &str, target: &str, decisions: u64) -> Result<f64> {
        let mut times = Vec::new();
        for number in 0..decisions {
            let gain = -3.0 - (number % 2) as f64 * 3.0;
            let params = json!({"targets": target, "gain_db": gain});
            times.push(self.decide(tool, params)?);
            self.settle(Duration::from_millis(30));
        }
        times.sort();
        let median = times.get(times.len() / 2).context("no decisions were made")?;
        Ok(median.as_secs_f64())
    }

    /// Plans, decides, and waits until it is heard.
    fn decide(&mut self, tool: &str, params: Value) -> Result<Duration> {
        let call = self.front.call(tool, params, Apply::Never);
        let planned = wait(&mut self.bridge, &self.front, call)?;
        let plan = planned.plan.context("no plan waits")?.id;
        self.shared.heard.store(0, Ordering::SeqCst);
        self.shared.armed.store(true, Ordering::SeqCst);
        let yes = self.shared.start.elapsed();
        let call = self.front.decide(plan, Decision::Apply);
        let mut answered = false;
        let give_up = yes + Duration::from_secs(10);
        loop {
            let heard = Duration::from_nanos(self.shared.heard.load(Ordering::SeqCst));
            if heard > yes && answered {
                return Ok(heard - yes);
            }
            if self.shared.start.elapsed() > give_up {
                bail!("a decision was not heard within 10 s");
            }
            if answered {
                self.settle(Duration::from_millis(1));
            } else {
                self.bridge.pump_next();
                answered = self.hear(call)?;
            }
        }
    }

    /// Handles events; a durable step goes to the engine at once. Returns whether `call` is answered.
    fn hear(&mut self, call: CallId) -> Result<bool> {
        let mut answered = false;
        for event in self.front.events().collect::<Vec<_>>() {
            match event.news {
                News::Moved { .. } => {
                    let schedule = deskhand_compile::mix(self.bridge.session())?;
                    self.controller.apply(schedule)?;
                }
                News::Done { result } if event.call == Some(call) => {
                    answered = true;
                    if let Some(error) = result.error {
                        bail!("{}; {}", error.message, error.fix);
                    }
                }
                _ => {}
            }
        }
        Ok(answered)
    }

    /// Lets the music go on for a while.
    fn settle(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until {
            self.controller.pump();
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    fn close(mut self) -> Result<()> {
        self.shared.ended.store(true, Ordering::SeqCst);
        if let Some(device) = self.device.take() {
            device.join().map_err(|_| anyhow::anyhow!("the device thread panicked"))?;
        }
        self.bridge.close()?;
        Ok(())
    }
}

/// The device: a block every 1.33 ms. Notes when the sound first differs after it was armed.
fn play(mut processor: Processor, shared: &Shared) {
    let (mut left, mut right) = ([0.0f32; BLOCK], [0.0f32; BLOCK]);
    let period = Duration::from_secs_f64(BLOCK as f64 / f64::from(RATE.0));
    let mut last = 0.0f32;
    let mut due = Instant::now();
    while !shared.ended.load(Ordering::SeqCst) {
        processor.process([&mut left, &mut right]);
        let changed = left.iter().any(|sample| (sample - last).abs() > 1e-6);
        if changed && shared.armed.swap(false, Ordering::SeqCst) {
            let heard = u64::try_from(shared.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
            shared.heard.store(heard, Ordering::SeqCst);
        }
        last = left[BLOCK - 1];
        due += period;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        due = due.max(Instant::now());
    }
}
