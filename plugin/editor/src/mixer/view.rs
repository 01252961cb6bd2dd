//! The state of the mixer between frames.

use crate::kit::Cx;
use crate::kit::wheel::Wheel;
use crate::scene::Scene;
use deskhand_session::{RevisionId, Track, TrackId};
use egui::{Pos2, Rect, pos2};

/// Something with a value that a person moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Knob {
    Gain(TrackId),
    Pan(TrackId),
    Master,
}

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

pub(super) const STRIP: f32 = 112.0;

/// The master with its numbers small below its meters.
pub(super) const NARROW_MASTER: f32 = 212.0;

/// The least width of the master with its numbers next to its meters.
pub(super) const NUMBERED: f32 = 320.0;

pub(super) fn fader_area(strip: Rect) -> Rect {
    let top_left = pos2(strip.left(), strip.top() + 64.0);
    Rect::from_min_max(top_left, pos2(strip.right(), strip.bottom() - 40.0))
}

/// What a strip's controls are named after.
pub(super) fn name_of(scene: Scene<'_>, knob: Knob) -> String {
    let track = |id| scene.session.tracks.get(&id).map_or("", |track: &Track| track.name.as_str());
    match knob {
        Knob::Gain(id) => format!("Fader {}", track(id)),
        Knob::Pan(id) => format!("Pan {}", track(id)),
        Knob::Master => "Fader Master".into(),
    }
}
