//! The state of the mixer between frames.

use crate::kit::Cx;
use crate::mixer::wheel::Wheel;
use deskhand_session::{RevisionId, TrackId};
use egui::{Pos2, Rect};

/// Something with a value that a person moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Knob {
    Gain(TrackId),
    Pan(TrackId),
    Master,
}

/// Where a move is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Phase {
    /// The pointer holds it, at this place along its travel.
    Held(f32),
    /// The wheel turned it last at this time.
    Turned(f64),
    /// Its call went out at this revision and time.
    Sent(RevisionId, f64),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) knob: Knob,
    pub(super) value: f64,
    pub(super) phase: Phase,
}

/// The state that the mixer keeps between frames.
#[derive(Default)]
pub(crate) struct MixerView {
    pub(crate) left: f32,
    pub(super) moving: Option<Moving>,
    /// The value that is being typed, and where.
    pub(crate) typing: Option<(Knob, String, Rect)>,
    pub(crate) is_over_knob: bool,
    /// Where the pointer was when the wheel scrolled last.
    pub(crate) scrolled_at: Option<Pos2>,
    pub(super) wheel: Wheel,
    /// The loudness that was asked for last, LUFS.
    pub(crate) target: Option<f32>,
}

impl MixerView {
    /// The value to show for a knob whose value is `value`.
    pub(crate) fn shown(&self, knob: Knob, value: f64) -> f64 {
        let moving = self.moving.filter(|moving| moving.knob == knob);
        moving.map_or(value, |moving| moving.value)
    }

    /// Until the pointer moves, the wheel keeps scrolling: controls that pass under it do not change.
    pub(super) fn is_scrolling(&self, cx: &Cx<'_>) -> bool {
        let at = cx.ui.input(|input| input.pointer.latest_pos());
        at.is_some() && self.scrolled_at == at
    }
}
