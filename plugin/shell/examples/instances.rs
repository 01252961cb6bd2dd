//! The cost of instances in a host: 64 of them, stereo, in blocks of 64 frames, with the transport running.
//!
//! Thread: any
//!
//! `instances PLUGIN.clap [SECONDS]` loads the plugin as a host does and waits until every instance is a
//! track of a session. Then it plays in real time, so that each instance captures its input. It prints one
//! JSON object. `cpu_share` is the mean CPU time of a block of all instances as a share of the block's
//! length, with the 99.9th percentile of the same. `process_share` is the same mean including all other
//! threads of the process. `bytes_each` is the memory that an instance adds once it has joined and before
//! it plays. `denormal_share` compares blocks of denormal numbers after the low cut with blocks of ordinary
//! numbers, by CPU time.
//!
//! The hub is the program that `DESKHAND_HELPER` names. `HOME` is to be a folder of its own.

#![expect(unsafe_code, reason = "a plugin's entry is loaded as a host loads it")]
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stdout,
    reason = "a stopwatch on the command line, beside the audio thread and not on it"
)]

use clack_extensions::params::{ParamInfoBuffer, PluginParams};
use clack_extensions::state::PluginState;
use clack_host::events::event_types::{ParamValueEvent, TransportEvent, TransportFlags};
use clack_host::events::{EventFlags, Pckn};
use clack_host::prelude::*;
use clack_host::utils::{BeatTime, SecondsTime};
use rustix::time::ClockId;
use serde_json::Value;
use std::error::Error;
use std::time::{Duration, Instant};

/// The samples of a block, and those of a denormal one.
const LEVEL: f32 = 0.25;
const DENORMAL: f32 = 1e-40;
const INSTANCES: usize = 64;
const FRAMES: u32 = 64;
const RATE: f64 = 48_000.0;
/// How long instances may take to join.
const PATIENCE: Duration = Duration::from_secs(120);
/// The pause between two checks, and how far before their time blocks are computed.
const PAUSE: Duration = Duration::from_millis(10);

type Outcome<T> = Result<T, Box<dyn Error>>;
type Started = StartedPluginAudioProcessor<Host>;

struct Host;
struct Callbacks;
struct Main;

impl SharedHandler<'_> for Callbacks {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {}
}

impl MainThreadHandler<'_> for Main {}

impl HostHandlers for Host {
    type Shared<'a> = Callbacks;
    type MainThread<'a> = Main;
    type AudioProcessor<'a> = ();
}

fn main() -> Outcome<()> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("usage: instances PLUGIN.clap [SECONDS]")?;
    let seconds: f64 = words.next().map_or(Ok(20.0), |word| word.parse())?;
    // SAFETY: the file is a plugin of ours, whose entry keeps the promises of CLAP.
    let entry = unsafe { PluginEntry::load(path) }?;
    let mut first = [instance(&entry)?]; // what all share is loaded with it
    hear(&mut first)?;
    join(&mut first)?;
    let before = resident()?;
    let mut instances = (0..INSTANCES).map(|_| instance(&entry)).collect::<Outcome<Vec<_>>>()?;
    join(&mut instances)?;
    let bytes = resident()?.saturating_sub(before) / INSTANCES as u64;
    let (started, computed) = (Instant::now(), time_of(ClockId::ProcessCPUTime));
    let mut times = play(&mut instances, seconds)?;
    let computed = time_of(ClockId::ProcessCPUTime) - computed;
    let process_share = computed / started.elapsed().as_secs_f64();
    let denormal = denormal_share(&mut first[0])?;
    for (mut plugin, audio) in instances.into_iter().chain(first) {
        plugin.deactivate(audio.stop_processing());
    }
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let high = times[times.len() * 999 / 1000];
    let block = f64::from(FRAMES) / RATE;
    let (share, p999) = (mean / block, high / block);
    println!(
        "{{\"cpu_share\": {share:.4}, \"p999_share\": {p999:.4}, \"process_share\": {process_share:.4}, \
         \"bytes_each\": {bytes}, \"denormal_share\": {denormal:.3}}}"
    );
    Ok(())
}

/// A stereo instance that is ready to process.
fn instance(entry: &PluginEntry) -> Outcome<(PluginInstance<Host>, Started)> {
    let info = HostInfo::new("Bench", "Deskhand", "", "1.0")?;
    let id = c"org.deskhand.deskhand";
    let mut plugin = PluginInstance::<Host>::new(|_| Callbacks, |_| Main, entry, id, &info)?;
    let config = PluginAudioConfiguration {
        sample_rate: RATE,
        min_frames_count: FRAMES,
        max_frames_count: FRAMES,
    };
    let stopped = plugin.activate(|_, _| (), config)?;
    let started = stopped.start_processing()?;
    Ok((plugin, started))
}

/// Plays long enough that the input is recorded, for which a session is made.
fn hear(instances: &mut [(PluginInstance<Host>, Started)]) -> Outcome<()> {
    let mut at = 0.0;
    while at < 1.0 {
        for (_, audio) in &mut *instances {
            process(audio, Some(&transport(at)), LEVEL)?;
        }
        at += f64::from(FRAMES) / RATE;
    }
    instances.iter_mut().try_for_each(|(_, audio)| process(audio, None, LEVEL))
}

/// Waits until each is a track of the session.
fn join(instances: &mut [(PluginInstance<Host>, Started)]) -> Outcome<()> {
    let started = Instant::now();
    for (plugin, _) in instances {
        while !is_joined(plugin)? {
            if started.elapsed() > PATIENCE {
                return Err(
                    "an instance did not join; does DESKHAND_HELPER name `deskhand`?".into()
                );
            }
            plugin.call_on_main_thread_callback();
            std::thread::park_timeout(PAUSE);
        }
    }
    Ok(())
}

/// Whether the state for a project names a track of the session.
fn is_joined(plugin: &mut PluginInstance<Host>) -> Outcome<bool> {
    let handle = plugin.plugin_handle();
    let state = handle.get_extension::<PluginState>().ok_or("it keeps no state")?;
    let mut bytes = Vec::new();
    state.save(&handle, &mut bytes)?;
    let saved: Value = serde_json::from_slice(bytes.get(8..).unwrap_or_default())?;
    let ours = saved["fields"]["deskhand"].as_str().unwrap_or_default();
    let ours: Value = serde_json::from_str(ours)?;
    Ok(!ours["snapshot"].is_null())
}

/// CPU seconds of this thread for each block of all instances.
fn play(instances: &mut [(PluginInstance<Host>, Started)], seconds: f64) -> Outcome<Vec<f64>> {
    let blocks = (seconds * RATE / f64::from(FRAMES)) as usize;
    let mut times = Vec::with_capacity(blocks);
    let started = Instant::now();
    for block in 0..blocks {
        let at = block as f64 * f64::from(FRAMES) / RATE;
        // A host waits for its card. It is not waited for each of these short blocks.
        let ahead = Duration::from_secs_f64(at).saturating_sub(started.elapsed());
        if ahead > PAUSE {
            std::thread::park_timeout(ahead);
        }
        let start = time_of(ClockId::ThreadCPUTime);
        for (_, audio) in &mut *instances {
            process(audio, Some(&transport(at)), LEVEL)?;
        }
        times.push(time_of(ClockId::ThreadCPUTime) - start);
    }
    Ok(times)
}

/// CPU time of denormal input over that of ordinary input, with the low cut on. It is the best of five
/// rounds of each, because other work of the machine only ever adds time.
fn denormal_share((plugin, audio): &mut (PluginInstance<Host>, Started)) -> Outcome<f64> {
    let mut on = EventBuffer::new();
    // Half of the parameter's range is a cut of some 100 Hz.
    on.push(&ParamValueEvent::new(0, parameter(plugin, b"Low Cut")?, Pckn::match_all(), 0.5));
    process_with(audio, None, LEVEL, &on)?;
    let mut least = [f64::INFINITY; 2];
    for _ in 0..5 {
        for (level, least) in [LEVEL, DENORMAL].into_iter().zip(&mut least) {
            let start = time_of(ClockId::ThreadCPUTime);
            (0..20_000).try_for_each(|_| process(audio, None, level))?;
            *least = least.min(time_of(ClockId::ThreadCPUTime) - start);
        }
    }
    Ok(least[1] / least[0])
}

fn parameter(plugin: &mut PluginInstance<Host>, name: &[u8]) -> Outcome<ClapId> {
    let handle = plugin.plugin_handle();
    let params = handle.get_extension::<PluginParams>().ok_or("it has no parameters")?;
    let mut buffer = ParamInfoBuffer::new();
    let all = (0..params.count(&handle)).map(|index| {
        let found = params.get_info(&handle, index, &mut buffer)?;
        (found.name == name).then_some(found.id)
    });
    let found: Vec<ClapId> = all.flatten().collect();
    Ok(*found.first().ok_or("a parameter is missing")?)
}

fn process(audio: &mut Started, transport: Option<&TransportEvent>, level: f32) -> Outcome<()> {
    process_with(audio, transport, level, &EventBuffer::new())
}

fn process_with(
    audio: &mut Started,
    transport: Option<&TransportEvent>,
    level: f32,
    changes: &EventBuffer,
) -> Outcome<()> {
    let mut input = [[level; FRAMES as usize]; 2];
    let mut output = [[0f32; FRAMES as usize]; 2];
    let (mut ins, mut outs) = (AudioPorts::with_capacity(2, 1), AudioPorts::with_capacity(2, 1));
    let ins = ins.with_input_buffers([AudioPortBuffer {
        latency: 0,
        channels: AudioPortBufferType::f32_input_only(
            input.iter_mut().map(|side| InputChannel::variable(side.as_mut_slice())),
        ),
    }]);
    let mut outs = outs.with_output_buffers([AudioPortBuffer {
        latency: 0,
        channels: AudioPortBufferType::f32_output_only(
            output.iter_mut().map(<[f32; FRAMES as usize]>::as_mut_slice),
        ),
    }]);
    let mut told = EventBuffer::new();
    audio.process(&ins, &mut outs, &changes.as_input(), &mut told.as_output(), None, transport)?;
    Ok(())
}

fn transport(seconds: f64) -> TransportEvent {
    let zero = SecondsTime::from_float(0.0);
    TransportEvent {
        header: EventHeader::new_core(0, EventFlags::empty()),
        flags: TransportFlags::IS_PLAYING | TransportFlags::HAS_SECONDS_TIMELINE,
        song_pos_beats: BeatTime::from_float(0.0),
        song_pos_seconds: SecondsTime::from_float(seconds),
        tempo: 120.0,
        tempo_inc: 0.0,
        loop_start_beats: BeatTime::from_float(0.0),
        loop_end_beats: BeatTime::from_float(0.0),
        loop_start_seconds: zero,
        loop_end_seconds: zero,
        bar_start: BeatTime::from_float(0.0),
        bar_number: 0,
        time_signature_numerator: 4,
        time_signature_denominator: 4,
    }
}

/// Seconds of CPU that this thread or process has used.
fn time_of(clock: ClockId) -> f64 {
    let time = rustix::time::clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Bytes of this process that are in memory.
fn resident() -> Outcome<u64> {
    let told = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = told.split_whitespace().nth(1).ok_or("statm has no second number")?.parse()?;
    Ok(pages * 4096)
}
