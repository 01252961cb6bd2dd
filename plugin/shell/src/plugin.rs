//! An instance as the host sees it.
//!
//! Thread: audio in `process` and `reset`, message elsewhere

use crate::audio::Audio;
use crate::gains::Gains;
use crate::guard::{Entry, Faults, caught};
use crate::params::DeskhandParams;
use crate::state::{self, SavedField};
use nice_plug::prelude::*;
use std::sync::Arc;

/// Mono and stereo; what comes in goes out with as many channels.
const LAYOUTS: &[AudioIOLayout] = &[layout(2, "Stereo"), layout(1, "Mono")];

const fn layout(channels: u32, name: &'static str) -> AudioIOLayout {
    AudioIOLayout {
        main_input_channels: NonZeroU32::new(channels),
        main_output_channels: NonZeroU32::new(channels),
        names: PortNames { layout: Some(name), ..PortNames::const_default() },
        ..AudioIOLayout::const_default()
    }
}

/// The plugin.
pub struct Deskhand {
    params: Arc<DeskhandParams>,
    gains: Arc<Gains>,
    faults: Arc<Faults>,
    audio: Option<Audio>,
}

impl Default for Deskhand {
    fn default() -> Self {
        let gains = Arc::new(Gains::default());
        let saved = SavedField::new(&gains);
        let params = Arc::new(DeskhandParams::new(saved, &gains));
        Self { params, gains, faults: Arc::default(), audio: None }
    }
}

impl Plugin for Deskhand {
    const NAME: &'static str = "Deskhand";
    const VENDOR: &'static str = "Deskhand";
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");
    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = LAYOUTS;

    type Editor = ();
    type SysExMessage = ();
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        Arc::clone(&self.params) as Arc<dyn Params>
    }

    fn filter_state(state: &mut PluginState) {
        state::filter(state);
    }

    fn activate(
        &mut self,
        _: &AudioIOLayout,
        config: &BufferConfig,
        _: &mut impl ActivateContext<Self>,
    ) -> bool {
        self.faults.clear();
        let made = caught(Entry::Activate, &self.faults, || {
            #[cfg(feature = "plant")]
            crate::plant::trip(Entry::Activate);
            Audio::new(config.sample_rate)
        });
        self.audio = made;
        // Without its audio side the instance passes sound on.
        true
    }

    fn reset(&mut self) {
        if let Some(audio) = &mut self.audio {
            audio.reset();
        }
    }

    fn process(
        &mut self,
        buffer: &mut Buffer<'_>,
        _: &mut AuxiliaryBuffers<'_>,
        _: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let settings = self.params.settings(&self.gains);
        if let Some(audio) = &mut self.audio {
            audio.process(buffer.as_slice(), &settings, &self.faults);
        }
        ProcessStatus::Normal
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
