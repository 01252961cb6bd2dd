//! What the host sees and automates.
//!
//! Thread: any (the values are atomics)

use crate::gains::Gains;
use crate::guard::{Entry, Faults, caught};
use crate::kernel::Settings;
use crate::state::SavedField;
use deskhand_protocol::Switches;
use nice_plug::prelude::*;
use std::sync::Arc;

/// The lowest trim in dB.
pub const LEAST_TRIM: f32 = -60.0;
/// The highest trim in dB.
pub const MOST_TRIM: f32 = 24.0;
/// Hz; the low cut is off at this end of its range.
pub const LOW_CUT_OFF: f32 = 20.0;
/// The highest corner of the low cut in Hz.
pub const MOST_LOW_CUT: f32 = 400.0;

/// What an instance plays.
#[derive(Clone, Copy, Debug, Enum, PartialEq, Eq)]
pub enum OutputMode {
    /// What comes in.
    #[id = "input"]
    Input,
    /// Its track of the session, locked to the host's transport.
    #[id = "session"]
    Session,
}

/// The parameters and the saved state of an instance.
#[derive(Params)]
pub struct DeskhandParams {
    /// All that the project stores besides the parameters.
    #[persist = "deskhand"]
    pub saved: SavedField,
    /// Sound goes around everything.
    #[id = "bypass"]
    pub bypass: BoolParam,
    /// dB; with the desk gain it is the gain of the track.
    #[id = "trim"]
    pub trim: FloatParam,
    /// Turns the sign.
    #[id = "polarity"]
    pub polarity: BoolParam,
    /// Both sides become their mean.
    #[id = "mono"]
    pub mono: BoolParam,
    /// Corner in Hz, off at the lower end.
    #[id = "low_cut"]
    pub low_cut: FloatParam,
    /// Input or session.
    #[id = "output"]
    pub output: EnumParam<OutputMode>,
}

impl DeskhandParams {
    /// The defaults, which change nothing.
    #[must_use]
    pub fn new(saved: SavedField, gains: &Arc<Gains>) -> Self {
        Self {
            saved,
            bypass: BoolParam::new("Bypass", false).make_bypass(),
            trim: trim(gains),
            polarity: BoolParam::new("Polarity", false)
                .with_value_to_string(Arc::new(|on| if on { "inverted" } else { "normal" }.into())),
            mono: BoolParam::new("Mono", false),
            low_cut: low_cut(),
            output: EnumParam::new("Output", OutputMode::Input),
        }
    }

    /// What it does beside the gain and the sign, for the hub.
    #[must_use]
    pub(crate) fn switches(&self) -> Switches {
        Switches {
            bypass: self.bypass.value(),
            low_cut: self.low_cut.value() > LOW_CUT_OFF,
            mono: self.mono.value(),
        }
    }

    /// What the kernel is to do now.
    #[must_use]
    pub(crate) fn settings(&self, gains: &Gains) -> Settings {
        let corner = self.low_cut.value();
        Settings {
            gain: gains.heard(),
            inverts: self.polarity.value(),
            is_mono: self.mono.value(),
            low_cut: (corner > LOW_CUT_OFF).then_some(corner),
            is_bypassed: self.bypass.value(),
        }
    }
}

fn trim(gains: &Arc<Gains>) -> FloatParam {
    let gains = Arc::clone(gains);
    let range = FloatRange::Linear { min: LEAST_TRIM, max: MOST_TRIM };
    FloatParam::new("Trim", 0.0, range)
        .with_unit(" dB")
        .with_step_size(0.001)
        .with_value_to_string(formatters::v2s_f32_rounded(2))
        .with_callback(Arc::new(move |trim| {
            // The host calls it on any thread, ahead of what is shared too: the gains remember it for that.
            if caught(Entry::State, &Faults::default(), || gains.host_trim(trim)).is_none() {
                gains.note_fault();
            }
        }))
}

fn low_cut() -> FloatParam {
    let range = FloatRange::Skewed {
        min: LOW_CUT_OFF,
        max: MOST_LOW_CUT,
        factor: FloatRange::skew_factor(-1.0),
    };
    FloatParam::new("Low Cut", LOW_CUT_OFF, range)
        .with_value_to_string(Arc::new(|hertz| {
            if hertz > LOW_CUT_OFF { format!("{hertz:.0} Hz") } else { "off".into() }
        }))
        .with_string_to_value(Arc::new(|text| {
            let text = text.trim().trim_end_matches("Hz").trim();
            if text.eq_ignore_ascii_case("off") { Some(LOW_CUT_OFF) } else { text.parse().ok() }
        }))
}
