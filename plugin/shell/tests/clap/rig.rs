//! A host with one instance, stepped by hand.

use clack_extensions::audio_ports_config::PluginAudioPortsConfig;
use clack_extensions::gui::{
    GuiApiType, GuiConfiguration, GuiSize, HostGui, HostGuiImpl, PluginGui,
};
use clack_extensions::params::{
    HostParams, HostParamsImplMainThread, HostParamsImplShared, ParamClearFlags, ParamInfoBuffer,
    ParamInfoFlags, ParamRescanFlags, PluginParams,
};
use clack_extensions::render::{PluginRender, RenderMode};
use clack_extensions::state::PluginState;
use clack_extensions::track_info::{
    HostTrackInfo, HostTrackInfoImpl, PluginTrackInfo, TrackInfo, TrackInfoWriter,
};
use clack_host::events::event_types::{ParamValueEvent, TransportEvent, TransportFlags};
use clack_host::events::spaces::CoreEventSpace;
use clack_host::events::{EventFlags, UnknownEvent};
use clack_host::prelude::*;
use clack_host::utils::{BeatTime, Color, SecondsTime};
use deskhand_plugin::param_ranges::{LEAST_TRIM, MOST_TRIM};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Answers what an instance asks of its host.
#[derive(Default)]
pub struct Callbacks {
    wants_main: AtomicBool,
}

impl SharedHandler<'_> for Callbacks {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {
        self.wants_main.store(true, Ordering::SeqCst);
    }
}

impl HostGuiImpl for Callbacks {
    fn resize_hints_changed(&self) {}
    fn request_resize(&self, _: GuiSize) -> Result<(), HostError> {
        Ok(())
    }
    fn request_show(&self) -> Result<(), HostError> {
        Ok(())
    }
    fn request_hide(&self) -> Result<(), HostError> {
        Ok(())
    }
    fn closed(&self, _: bool) {}
}

impl HostParamsImplShared for Callbacks {
    fn request_flush(&self) {}
}

/// What the host says of the track; nothing while it has no name.
#[derive(Default)]
pub struct Main {
    track: Cell<(&'static str, Option<Color>)>,
}

impl MainThreadHandler<'_> for Main {}

impl HostTrackInfoImpl for Main {
    fn get<'a>(&'a self, writer: &mut TrackInfoWriter<'_, 'a>) {
        let (name, color) = self.track.get();
        let name = Some(name.as_bytes()).filter(|name| !name.is_empty());
        writer.set(&TrackInfo::new().with_name(name).with_color(color));
    }
}

impl HostParamsImplMainThread for Main {
    fn rescan(&self, _: ParamRescanFlags) {}
    fn clear(&self, _: ClapId, _: ParamClearFlags) {}
}

pub struct Host;

impl HostHandlers for Host {
    type Shared<'a> = Callbacks;
    type MainThread<'a> = Main;
    type AudioProcessor<'a> = ();

    fn declare_extensions(builder: &mut HostExtensions<'_, Self>, _: &Callbacks) {
        builder.register::<HostParams>().register::<HostGui>().register::<HostTrackInfo>();
    }
}

/// What a host knows of a parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub id: ClapId,
    pub name: String,
    pub range: [f64; 2],
    pub flags: ParamInfoFlags,
}

/// A parameter report of an instance: the parameter, and its value in the host's terms.
type Told = (Option<ClapId>, f64);

fn told_in(event: &UnknownEvent) -> Option<Told> {
    match event.as_core_event()? {
        CoreEventSpace::ParamValue(event) => Some((event.param_id(), event.value())),
        _ => None,
    }
}

/// Longer than this no instances take to go: far above what they need, so that a busy machine keeps it, and below what
/// eight would take that each wait for a disk.
pub const FAREWELL: Duration = Duration::from_secs(6);

pub struct Rig {
    // Declared before the instance, so that it is dropped first.
    audio: Option<StartedPluginAudioProcessor<Host>>,
    pub instance: PluginInstance<Host>,
    pub channels: usize,
    changes: EventBuffer,
    /// Of its parameters, since the beginning.
    told: Vec<Told>,
    /// Blocks that were an error, since the beginning.
    pub errors: usize,
}

/// A user of its own, with no sessions and no helper.
pub fn home() -> &'static std::path::Path {
    static HOME: std::sync::OnceLock<tempfile::TempDir> = std::sync::OnceLock::new();
    let home = HOME.get_or_init(|| {
        let home = tempfile::tempdir().unwrap();
        let run = home.path().join("run");
        std::fs::create_dir(&run).unwrap();
        for name in ["HOME", "XDG_DATA_HOME", "LOCALAPPDATA"] {
            // SAFETY: every test comes by here before it does anything else, and nothing here reads
            // the environment without Rust's lock.
            unsafe { std::env::set_var(name, home.path()) };
        }
        // SAFETY: as above.
        unsafe { std::env::set_var("XDG_RUNTIME_DIR", &run) };
        // SAFETY: as above.
        unsafe { std::env::set_var("PATH", "") };
        home
    });
    home.path()
}

impl Rig {
    /// An instance that is not active yet.
    pub fn idle() -> Self {
        Self::try_idle().unwrap()
    }

    /// The same if it may fail.
    pub fn try_idle() -> Result<Self, PluginInstanceError> {
        home();
        // SAFETY: the entry is part of this program and lives as long as it.
        let entry = unsafe { PluginEntry::load_from_raw(&deskhand_plugin::clap_entry, c"") };
        Self::try_of(&entry.unwrap())
    }

    /// An instance of a library's that is not active yet.
    pub fn of(entry: &PluginEntry) -> Self {
        Self::try_of(entry).unwrap()
    }

    fn try_of(entry: &PluginEntry) -> Result<Self, PluginInstanceError> {
        let info = HostInfo::new("Bench", "Deskhand", "", "1.0").unwrap();
        let id = c"org.deskhand.deskhand";
        let instance =
            PluginInstance::new(|_| Callbacks::default(), |_| Main::default(), entry, id, &info)?;
        let (audio, changes, told) = (None, EventBuffer::new(), Vec::new());
        Ok(Self { audio, instance, channels: 2, changes, told, errors: 0 })
    }

    /// A stereo instance at `rate`, with blocks of up to `block` frames.
    pub fn stereo(rate: f64, block: u32) -> Self {
        let mut rig = Self::idle();
        rig.start(rate, block);
        rig
    }

    pub fn mono(rate: f64, block: u32) -> Self {
        let mut rig = Self::idle();
        let plugin = rig.instance.plugin_handle();
        let configs = plugin.get_extension::<PluginAudioPortsConfig>().unwrap();
        configs.select(&plugin, ClapId::new(1)).unwrap();
        rig.channels = 1;
        rig.start(rate, block);
        rig
    }

    pub fn start(&mut self, rate: f64, block: u32) {
        let config = PluginAudioConfiguration {
            sample_rate: rate,
            min_frames_count: 1,
            max_frames_count: block.max(1),
        };
        let stopped = self.instance.activate(|_, _| (), config).unwrap();
        self.audio = Some(stopped.start_processing().unwrap());
    }

    pub fn stop(&mut self) {
        if let Some(audio) = self.audio.take() {
            self.instance.deactivate(audio.stop_processing());
        }
    }

    pub fn reset(&mut self) {
        self.audio.as_mut().unwrap().reset();
    }

    /// Opens its window and closes it, if there is a display.
    pub fn look(&mut self) {
        let plugin = self.instance.plugin_handle();
        let gui = plugin.get_extension::<PluginGui>().unwrap();
        let api_type = GuiApiType::default_for_current_platform().unwrap();
        if gui.create(&plugin, GuiConfiguration { api_type, is_floating: false }).is_ok() {
            gui.destroy(&plugin);
        }
    }

    /// The host's track gets a name and a color, red, green and blue.
    pub fn name_track(&mut self, name: &'static str, [red, green, blue]: [u8; 3]) {
        let color = Color { alpha: 255, red, green, blue };
        let set = |main: &Main| main.track.set((name, Some(color)));
        self.instance.access_handler(set);
        let plugin = self.instance.plugin_handle();
        plugin.get_extension::<PluginTrackInfo>().unwrap().changed(&plugin);
    }

    /// Calls the instance back on the main thread, if it asked for it.
    pub fn main_thread(&mut self) {
        let take = |shared: &Callbacks| shared.wants_main.swap(false, Ordering::SeqCst);
        if self.instance.access_shared_handler(take) {
            self.instance.call_on_main_thread_callback();
        }
    }

    pub fn render(&mut self, mode: RenderMode) {
        let plugin = self.instance.plugin_handle();
        plugin.get_extension::<PluginRender>().unwrap().set(&plugin, mode).unwrap();
    }

    pub fn parameters(&mut self) -> Vec<Parameter> {
        let plugin = self.instance.plugin_handle();
        let params = plugin.get_extension::<PluginParams>().unwrap();
        let one = |index| {
            let mut buffer = ParamInfoBuffer::new();
            let info = params.get_info(&plugin, index, &mut buffer).unwrap();
            let name = String::from_utf8_lossy(info.name).into_owned();
            let range = [info.min_value, info.max_value];
            Parameter { id: info.id, name, range, flags: info.flags }
        };
        (0..params.count(&plugin)).map(one).collect()
    }

    pub fn parameter(&mut self, name: &str) -> Parameter {
        let all = self.parameters();
        all.into_iter().find(|one| one.name == name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// The next block begins with this value, in the host's terms.
    pub fn set(&mut self, name: &str, value: f64) {
        let id = self.parameter(name).id;
        self.set_at(0, id, value);
    }

    /// The next block has this value of a parameter from its frame `at` on, in the host's terms.
    pub fn set_at(&mut self, at: u32, id: ClapId, value: f64) {
        self.changes.push(&ParamValueEvent::new(at, id, Pckn::match_all(), value));
    }

    pub fn set_trim(&mut self, decibels: f64) {
        let [least, most] = trims();
        self.set("Trim", (decibels - least) / (most - least));
    }

    pub fn value(&mut self, name: &str) -> f64 {
        let id = self.parameter(name).id;
        let plugin = self.instance.plugin_handle();
        plugin.get_extension::<PluginParams>().unwrap().get_value(&plugin, id).unwrap()
    }

    /// In dB.
    pub fn trim(&mut self) -> f64 {
        decibels(self.value("Trim"))
    }

    /// The trims that it reported to the host, in dB.
    pub fn trims_told(&mut self) -> Vec<f64> {
        let trim = Some(self.parameter("Trim").id);
        assert!(self.told.iter().all(|(id, _)| *id == trim), "{:?}", self.told);
        self.told.iter().map(|(_, value)| decibels(*value)).collect()
    }

    /// What the instance reads in `text`, in the host's terms.
    pub fn read(&mut self, name: &str, text: &str) -> Option<f64> {
        let id = self.parameter(name).id;
        let plugin = self.instance.plugin_handle();
        let params = plugin.get_extension::<PluginParams>().unwrap();
        params.text_to_value(&plugin, id, &std::ffi::CString::new(text).unwrap())
    }

    pub fn text(&mut self, name: &str, value: f64) -> String {
        let id = self.parameter(name).id;
        let plugin = self.instance.plugin_handle();
        let params = plugin.get_extension::<PluginParams>().unwrap();
        let mut buffer = [0; 64];
        let text = params.value_to_text(&plugin, id, value, &mut buffer).unwrap();
        String::from_utf8_lossy(text).into_owned()
    }

    pub fn save(&mut self) -> Vec<u8> {
        let plugin = self.instance.plugin_handle();
        let mut bytes = Vec::new();
        plugin.get_extension::<PluginState>().unwrap().save(&plugin, &mut bytes).unwrap();
        bytes
    }

    /// Whether the instance says that it took `bytes`.
    pub fn load(&mut self, bytes: &[u8]) -> bool {
        let plugin = self.instance.plugin_handle();
        plugin.get_extension::<PluginState>().unwrap().load(&plugin, &mut &bytes[..]).is_ok()
    }

    /// One block; `input` has a slice for each channel.
    pub fn block(&mut self, input: &[&[f32]], transport: Option<&TransportEvent>) -> Vec<Vec<f32>> {
        let mut input: Vec<Vec<f32>> = input.iter().map(|side| side.to_vec()).collect();
        let frames = input[0].len();
        let mut output = vec![vec![f32::NAN; frames]; self.channels];
        let (mut ins, mut outs) =
            (AudioPorts::with_capacity(2, 1), AudioPorts::with_capacity(2, 1));
        let ins = ins.with_input_buffers([AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_input_only(
                input.iter_mut().map(|side| InputChannel::variable(side.as_mut_slice())),
            ),
        }]);
        let mut outs = outs.with_output_buffers([AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_output_only(
                output.iter_mut().map(Vec::as_mut_slice),
            ),
        }]);
        let changes = self.changes.as_input();
        let mut told = EventBuffer::with_capacity(64);
        let audio = self.audio.as_mut().unwrap();
        let status =
            audio.process(&ins, &mut outs, &changes, &mut told.as_output(), None, transport);
        self.errors += usize::from(status.is_err());
        self.changes.clear();
        self.told.extend(told.iter().filter_map(told_in));
        output
    }

    /// Both channels get `input` while the host plays from frame `at` on, in blocks of `size`.
    pub fn roll(&mut self, input: &[f32], at: i64, rate: f64, size: usize) -> Vec<Vec<f32>> {
        let mut whole = vec![Vec::new(); self.channels];
        for (n, block) in input.chunks(size).enumerate() {
            let here = at + (n * size) as i64;
            let sides = vec![block; self.channels];
            let out = self.block(&sides, Some(&transport(here, rate, TransportFlags::IS_PLAYING)));
            whole.iter_mut().zip(out).for_each(|(whole, side)| whole.extend(side));
        }
        whole
    }

    /// The same, of a host that plays and does not tell where.
    pub fn roll_nowhere(&mut self, input: &[f32], size: usize) {
        let flags = TransportFlags::IS_PLAYING;
        let nowhere = TransportEvent { flags, ..transport(0, 1.0, TransportFlags::empty()) };
        for block in input.chunks(size) {
            let sides = vec![block; self.channels];
            self.block(&sides, Some(&nowhere));
        }
    }

    /// The host stops at frame `at`.
    pub fn halt(&mut self, at: i64, rate: f64) {
        let sides = vec![&[0.0; 64][..]; self.channels];
        self.block(&sides, Some(&transport(at, rate, TransportFlags::empty())));
    }

    /// Both channels get `input`, in blocks of `size`.
    pub fn run(&mut self, input: &[f32], size: usize) -> Vec<Vec<f32>> {
        let mut whole = vec![Vec::new(); self.channels];
        for block in input.chunks(size) {
            let sides = vec![block; self.channels];
            let out = self.block(&sides, None);
            whole.iter_mut().zip(out).for_each(|(whole, side)| whole.extend(side));
        }
        whole
    }
}

fn trims() -> [f64; 2] {
    [LEAST_TRIM, MOST_TRIM].map(f64::from)
}

/// A trim in the host's terms.
fn decibels(value: f64) -> f64 {
    let [least, most] = trims();
    least + value * (most - least)
}

thread_local! {
    /// Of the host, quarter notes a minute.
    pub static TEMPO: Cell<f64> = const { Cell::new(120.0) };
}

fn transport(at: i64, rate: f64, flags: TransportFlags) -> TransportEvent {
    let seconds = |seconds| SecondsTime::from_float(seconds);
    TransportEvent {
        header: EventHeader::new_core(0, EventFlags::empty()),
        flags: flags
            | TransportFlags::HAS_SECONDS_TIMELINE
            | TransportFlags::HAS_TEMPO
            | TransportFlags::HAS_TIME_SIGNATURE,
        song_pos_beats: BeatTime::from_float(0.0),
        song_pos_seconds: seconds(at as f64 / rate),
        tempo: TEMPO.with(Cell::get),
        tempo_inc: 0.0,
        loop_start_beats: BeatTime::from_float(0.0),
        loop_end_beats: BeatTime::from_float(0.0),
        loop_start_seconds: seconds(0.0),
        loop_end_seconds: seconds(0.0),
        bar_start: BeatTime::from_float(0.0),
        bar_number: 0,
        time_signature_numerator: 4,
        time_signature_denominator: 4,
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.stop();
    }
}

pub fn sine(hertz: f64, rate: f64, frames: usize) -> Vec<f32> {
    let turn = std::f64::consts::TAU * hertz / rate;
    (0..frames).map(|n| (0.5 * (turn * n as f64).sin()) as f32).collect()
}

/// Level in dB.
pub fn level(samples: &[f32]) -> f64 {
    let square: f64 = samples.iter().map(|x| f64::from(*x).powi(2)).sum();
    10.0 * (square / samples.len() as f64).log10()
}

/// The largest jump of the second difference: a click stands out by it in a sine.
pub fn roughness(samples: &[f32]) -> f32 {
    samples.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).fold(0.0, f32::max)
}

/// A line of the table of `cargo xtask hosts`: the check and its figure. It is printed once it holds.
pub fn row(what: &str, figure: impl std::fmt::Display) {
    row_in("clack-host", what, figure);
}

/// The same in another host.
#[allow(clippy::print_stdout, reason = "a table, which a test's output is for")]
pub fn row_in(host: &str, what: &str, figure: impl std::fmt::Display) {
    println!("   ok    {host:<11} {what:<58} {figure}");
}
