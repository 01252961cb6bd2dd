//! An instance as the host sees it.
//!
//! Thread: audio in `process` and `reset`, message elsewhere

use crate::after_block;
use crate::audio::Audio;
use crate::capture;
use crate::declick::{Landing, frame};
use crate::guard::{Entry, Faults, caught};
use crate::hub::Chair;
use crate::meter::Meter;
use crate::panic_fuse::Fused;
use crate::params::{DeskhandParams, OutputMode};
use crate::played_timeline::Passage;
use crate::port::port;
use crate::session_out::SessionOut;
use crate::shared::Shared;
use crate::state;
use crate::tempo::{Block, Watch, watch};
use crate::voice::{Voice, Wants};
use crate::window::Window;
use deskhand_dsp::Frames;
use deskhand_dsp::subnormal;
use deskhand_engine::HostClock;
use deskhand_engine::capture::{CaptureThread, MayWait, Tap};
use nice_plug::prelude::*;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The valid range of a host's timeline, in frames. A host without a tempo may give nonsense for beats.
const PLACES: RangeInclusive<i64> = -(1 << 48)..=1 << 48;

/// Mono and stereo; the output has as many channels as the input.
const LAYOUTS: &[AudioIOLayout] = &[layout(2, "Stereo"), layout(1, "Mono")];

const fn layout(channels: u32, name: &'static str) -> AudioIOLayout {
    AudioIOLayout {
        main_input_channels: NonZeroU32::new(channels),
        main_output_channels: NonZeroU32::new(channels),
        names: PortNames { layout: Some(name), ..PortNames::const_default() },
        ..AudioIOLayout::const_default()
    }
}

pub struct Deskhand {
    params: Arc<DeskhandParams>,
    shared: Arc<Shared>,
    chair: Arc<Chair>,
    audio: Option<Audio>,
    passage: Passage,
    tempo: Fused<Watch>,
    /// Where a host that tells no place goes on while it plays.
    counted: i64,
    meter: Fused<Box<Meter>>,
    recording: Fused<Recording>,
    session: Fused<Box<SessionOut>>,
    /// The stretch that plays alone.
    alone: Fused<Box<Voice>>,
    /// The ends of the session's sound and of the stretch that plays alone, if one breaks off.
    landings: [Landing; 2],
}

/// The recording of the input. The tap is dropped first, which ends the recording; then the thread
/// finishes.
struct Recording {
    tap: Tap,
    waits: MayWait,
    _thread: CaptureThread,
}

impl Recording {
    /// Takes a block as it came in.
    fn take(&mut self, channels: &[&mut [f32]], at: i64, moves: bool, faults: &Faults) {
        if !moves {
            self.tap.pause();
            return;
        }
        let at = Frames(at);
        // The tap counts lost frames, and the thread reports them.
        let _ = match channels {
            [only] => self.tap.push(&[&**only], at, self.waits),
            [left, right] => self.tap.push(&[&**left, &**right], at, self.waits),
            _ => return,
        };
        // But not where it hangs.
        if self.tap.is_late() {
            faults.note(Entry::Late);
        }
    }
}

impl Default for Deskhand {
    fn default() -> Self {
        let params = Arc::<DeskhandParams>::default();
        let shared = Arc::new(Shared::new(Arc::clone(&params)));
        Self {
            params,
            shared,
            chair: Arc::default(),
            audio: None,
            passage: Passage::new(0.0),
            tempo: Fused::default(),
            counted: 0,
            meter: Fused::default(),
            recording: Fused::default(),
            session: Fused::default(),
            alone: Fused::default(),
            landings: [Landing::default(); 2],
        }
    }
}

impl Drop for Deskhand {
    fn drop(&mut self) {
        // No part of it may run after its end.
        let (recording, chair, faults) = (self.recording.take(), &self.chair, &self.shared.faults);
        caught(Entry::Life, faults, || {
            drop(recording);
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Life);
            chair.stand_up();
        });
    }
}

impl Deskhand {
    fn prepare(&mut self, channels: usize, config: &BufferConfig, api: PluginApi) {
        let rate = config.sample_rate;
        #[cfg(feature = "test-probes")]
        crate::planted_faults::trip(Entry::Activate);
        self.audio = Some(Audio::new(rate));
        self.passage = Passage::new(rate);
        let (watch, tempi) = watch(rate);
        self.shared.set_tempi(tempi);
        self.tempo = Fused::new(Some(watch));
        self.meter = Fused::new(Some(Box::new(Meter::new(rate))));
        self.landings = [Landing::new(rate); 2];
        self.shared.clock.start(rate);
        self.shared.set_format(match api {
            PluginApi::Vst3 => "VST3",
            PluginApi::Clap | PluginApi::Standalone => "CLAP",
        });
        let waits = match config.process_mode {
            ProcessMode::Offline => MayWait::Offline,
            ProcessMode::Realtime | ProcessMode::Buffered => MayWait::Never,
        };
        let made = capture::start(&self.shared, rate, channels);
        let (hub, audio) = port(rate);
        self.shared.set_port(hub);
        self.session = Fused::new(Some(Box::new(SessionOut::new(audio, rate, waits))));
        self.prepare_alone(rate, waits);
        let recording = made.map(|(tap, _thread)| Recording { tap, waits, _thread });
        self.recording = Fused::new(recording);
        self.chair.sit(&self.shared);
    }

    /// Nobody listens to a host's offline render.
    fn prepare_alone(&mut self, rate: f32, waits: MayWait) {
        self.shared.alone.want(Wants::Input);
        let ends = (waits == MayWait::Never).then(|| port(rate));
        let (hub, audio) = ends.unzip();
        self.shared.alone.set_port(hub);
        self.alone = Fused::new(audio.map(|audio| Box::new(Voice::new(audio, rate))));
    }

    /// What replaces the input. A bypass skips the session as well.
    fn wants(&self) -> Wants {
        match self.params.output.value() {
            OutputMode::Session if !self.params.bypass.value() => Wants::Engine,
            OutputMode::Session | OutputMode::Input => Wants::Input,
        }
    }

    /// Records the input. If the output is the session, it does not: a recording would cover the very clips
    /// that replace the input.
    fn record(&mut self, channels: &[&mut [f32]], at: i64, moves: bool) {
        let hears_input = self.params.output.value() == OutputMode::Input;
        let (recording, shared) = (&mut self.recording, &*self.shared);
        let records = moves && hears_input && shared.records();
        let _ = recording.run(&shared.faults, |it| it.take(channels, at, records, &shared.faults));
    }

    /// Plays the session in place of the input, if that is the output mode.
    fn play(&mut self, channels: &mut [&mut [f32]], at: i64, moves: bool) {
        let wants = self.wants();
        let (session, shared) = (&mut self.session, &*self.shared);
        let clock = HostClock { at: Frames(at), moves };
        let came = frame(channels, 0);
        // First: the link makes the engine for which an offline render waits.
        shared.set_plays(wants == Wants::Engine && session.is_whole());
        let is_whole = session.run(&shared.faults, |session| {
            session.run(channels, wants, clock, &shared.faults);
        });
        self.landings[0].follow(channels, came, is_whole);
    }

    /// Plays it as it was recorded, after the gain.
    fn play_alone(&mut self, channels: &mut [&mut [f32]]) {
        let (alone, by_itself) = (&mut self.alone, &self.shared.alone);
        let came = frame(channels, 0);
        let is_whole =
            alone.run(&self.shared.faults, |it| it.run_alone(channels, by_itself.wants()));
        if !is_whole {
            by_itself.want(Wants::Input);
        }
        self.landings[1].follow(channels, came, is_whole);
    }

    /// Where the host is at the beginning of a block. One that plays and does not tell is counted on, from zero.
    fn place(&mut self, transport: &Transport, length: i64) -> i64 {
        let told = transport.pos_samples().filter(|at| PLACES.contains(at));
        let at = told.unwrap_or(self.counted);
        self.counted = if transport.playing { at.saturating_add(length) } else { 0 };
        at
    }

    fn tell_tempo(&mut self, transport: &Transport, at: i64, length: i64) {
        let (tempo, Shared { clock, faults, .. }) = (&mut self.tempo, &*self.shared);
        let meter = transport.time_sig_numerator.zip(transport.time_sig_denominator);
        let _ = tempo.run(faults, |watch| {
            clock.tell_tempo(transport.tempo, meter);
            let tempo = clock.tempo().filter(|_| transport.playing);
            watch.follow(Block { at, length, tempo, beats: transport.pos_beats() });
        });
    }

    fn work(&mut self, channels: &mut [&mut [f32]], transport: &Transport) {
        let frames = channels.first().map_or(0, |side| side.len());
        let length = i64::try_from(frames).unwrap_or(0);
        let (at, moves) = (self.place(transport, length), transport.playing);
        self.record(channels, at, moves);
        self.play(channels, at, moves);
        let Some(audio) = &mut self.audio else { return };
        let (params, Shared { steps, clock, faults, .. }) = (&*self.params, &*self.shared);
        let mut start = 0;
        let passage = &mut self.passage;
        passage.follow(at, moves);
        let due = caught(Entry::Process, faults, || steps.offset(passage, length));
        passage.played(length);
        if let Some(offset) = due.flatten() {
            audio.process(channels, 0..offset, &params.settings(steps), faults);
            caught(Entry::Process, faults, || steps.take(params));
            start = offset;
        }
        audio.process(channels, start..frames, &params.settings(steps), faults);
        if steps.take_untold() {
            after_block::tell_trim(params.trim_as_fraction());
        }
        let told = if moves { at.saturating_add(length) } else { at };
        caught(Entry::Process, faults, || clock.tell(told, moves));
        self.tell_tempo(transport, at, length);
        self.play_alone(channels);
        let Shared { faults, meter: place, .. } = &*self.shared;
        let _ = self.meter.run(faults, |meter| meter.take(channels, place));
    }
}

impl Plugin for Deskhand {
    const NAME: &'static str = "Deskhand";
    const VENDOR: &'static str = "Deskhand";
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");
    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = LAYOUTS;

    type Editor = Window;
    type SysExMessage = ();
    type BackgroundTask = ();
    /// The same bounce at every size of block: a block is cut where a parameter changes.
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;

    fn params(&self) -> Arc<dyn Params> {
        Arc::clone(&self.params) as Arc<dyn Params>
    }

    fn filter_state(state: &mut PluginState) {
        let faults = Faults::default();
        state::filter(state, &faults);
        if let Some(entry) = faults.latest() {
            // The host does not say whose state it is.
            Shared::all().iter().for_each(|one| one.faults.note(entry));
        }
    }

    fn editor(&mut self, _: AsyncExecutor<Self>) -> Option<Window> {
        let (shared, chair) = (Arc::clone(&self.shared), Arc::clone(&self.chair));
        caught(Entry::Window, &self.shared.faults, || Window::new(shared, chair))
    }

    fn activate(
        &mut self,
        layout: &AudioIOLayout,
        config: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        let shared = Arc::clone(&self.shared);
        shared.faults.clear();
        let old =
            (self.audio.take(), self.recording.take(), self.session.take(), self.alone.take());
        let meter = self.meter.take();
        let channels = layout.main_output_channels.map_or(2, |count| count.get() as usize);
        let api = context.plugin_api();
        caught(Entry::Activate, &shared.faults, || {
            drop((old, meter));
            self.prepare(channels, config, api);
        });
        // Without its audio side the instance passes sound on.
        true
    }

    fn reset(&mut self) {
        let (audio, faults) = (&mut self.audio, &self.shared.faults);
        // All that broke is tried again.
        self.session.mend();
        self.alone.mend();
        self.meter.mend();
        self.tempo.mend();
        self.recording.mend();
        if faults.latest() == Some(Entry::Process) {
            faults.clear();
        }
        caught(Entry::Reset, faults, || {
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Reset);
            audio.iter_mut().for_each(Audio::reset);
        });
    }

    fn process(
        &mut self,
        buffer: &mut Buffer<'_>,
        _: &mut AuxiliaryBuffers<'_>,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let channels = buffer.as_slice();
        // Many hosts call this with subnormal numbers switched off. None come in here and none arise, so the
        // sound is the same in both modes.
        channels.iter_mut().for_each(|side| subnormal::flush(side));
        self.work(channels, context.transport());
        // A host may put an instance with silent input to sleep. Then the session that it plays would be
        // silent too.
        if self.shared.alone.wants() == Wants::Engine || self.shared.plays() {
            ProcessStatus::KeepAlive
        } else {
            ProcessStatus::Normal
        }
    }

    fn stop_processing(&mut self) {
        let _ = self.recording.run(&self.shared.faults, |it| it.tap.pause());
    }

    fn deactivate(&mut self) {
        let recording = self.recording.take();
        caught(Entry::Activate, &self.shared.faults, || drop(recording));
    }

    fn setup_logger() -> Option<bool> {
        // The host's process is not ours to log in, nor its panic hook ours to set.
        Some(false)
    }
}

impl ClapPlugin for Deskhand {
    const CLAP_ID: &'static str = "org.deskhand.deskhand";
    const CLAP_DESCRIPTION: Option<&'static str> =
        Some("Ask for changes to your mix, check the plan, apply");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] = &[
        ClapFeature::AudioEffect,
        ClapFeature::Mixing,
        ClapFeature::Utility,
        ClapFeature::Stereo,
        ClapFeature::Mono,
    ];
}

impl Vst3Plugin for Deskhand {
    const VST3_CLASS_ID: [u8; 16] = *b"DeskhandPlugin01";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] =
        &[Vst3SubCategory::Fx, Vst3SubCategory::Tools, Vst3SubCategory::Stereo];
}
