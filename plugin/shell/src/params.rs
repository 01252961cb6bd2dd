//! What the host sees and automates.
//!
//! Thread: any (the values are atomics)

mod text;

use crate::kernel::Settings;
use crate::param_ranges::{LEAST_TRIM, LOW_CUT_OFF, MOST_LOW_CUT, MOST_TRIM};
use crate::state::SavedField;
use crate::trim_moves::Steps;
use deskhand_protocol::Switches;
use nice_plug::params::InternalParamMut;
use nice_plug::prelude::*;
use std::sync::Arc;

/// What an instance plays.
#[derive(Clone, Copy, Debug, Enum, PartialEq, Eq)]
pub enum OutputMode {
    #[id = "input"]
    Input,
    /// Its track of the session, locked to the host's transport.
    #[id = "session"]
    Session,
}

/// The parameters and the saved state of an instance.
#[derive(Params)]
pub struct DeskhandParams {
    /// All that the project stores apart from the parameters.
    #[persist = "deskhand"]
    pub saved: SavedField,
    /// Sound goes around everything.
    #[id = "bypass"]
    pub bypass: BoolParam,
    /// dB: the gain of the track.
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

impl Default for DeskhandParams {
    /// Changes nothing.
    fn default() -> Self {
        let trim = FloatRange::Linear { min: LEAST_TRIM, max: MOST_TRIM };
        let low_cut = FloatRange::Skewed {
            min: LOW_CUT_OFF,
            max: MOST_LOW_CUT,
            factor: FloatRange::skew_factor(-1.0),
        };
        Self {
            saved: SavedField::default(),
            bypass: BoolParam::new("Bypass", false)
                .with_value_to_string(Arc::new(text::switch))
                .with_string_to_value(Arc::new(text::read_switch))
                .make_bypass(),
            trim: FloatParam::new("Trim", 0.0, trim)
                .with_unit(" dB")
                .with_step_size(0.001)
                .with_value_to_string(Arc::new(text::decibels))
                .with_string_to_value(Arc::new(text::read_decibels)),
            polarity: BoolParam::new("Polarity", false)
                .with_value_to_string(Arc::new(text::polarity))
                .with_string_to_value(Arc::new(text::read_polarity)),
            mono: BoolParam::new("Mono", false)
                .with_value_to_string(Arc::new(text::switch))
                .with_string_to_value(Arc::new(text::read_switch)),
            low_cut: FloatParam::new("Low Cut", LOW_CUT_OFF, low_cut)
                .with_step_size(0.1)
                .with_value_to_string(Arc::new(text::low_cut))
                .with_string_to_value(Arc::new(text::read_low_cut)),
            output: EnumParam::new("Output", OutputMode::Input),
        }
    }
}

impl DeskhandParams {
    /// The value of the knob, in dB.
    #[must_use]
    pub fn trim(&self) -> f32 {
        self.trim.value()
    }

    /// Trim as a fraction of its range, as hosts keep it.
    pub(crate) fn trim_as_fraction(&self) -> f32 {
        self.trim.unmodulated_normalized_value()
    }

    /// Turns the knob to `decibels`, or to the nearer end of its range. A value that is no number turns
    /// nothing.
    #[expect(
        unsafe_code,
        reason = "the framework has no other way to move a parameter without an open window"
    )]
    pub fn move_trim(&self, decibels: f32) {
        if decibels.is_finite() {
            // SAFETY: it stores atomics and calls nothing, for trim has no callback. It is unsafe by
            // convention: the host must learn of the move, which `after_block` does.
            unsafe { self.trim._internal_set_plain_value(decibels.clamp(LEAST_TRIM, MOST_TRIM)) };
        }
    }

    /// What it does apart from gain and sign, for the hub.
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
    pub(crate) fn settings(&self, steps: &Steps) -> Settings {
        let corner = self.low_cut.value();
        Settings {
            gain: (self.trim() + steps.heard()).clamp(LEAST_TRIM, MOST_TRIM),
            inverts: self.polarity.value(),
            is_mono: self.mono.value(),
            low_cut: (corner > LOW_CUT_OFF).then_some(corner),
            is_bypassed: self.bypass.value(),
        }
    }
}
