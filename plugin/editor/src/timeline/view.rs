//! The state of the timeline between frames.

use crate::coding::coded::Coded;
use crate::kit::name_field::NameField;
use crate::saved_view::Seen;
use crate::timeline::axis::Axis;
use crate::timeline::ghosts::link::GhostLink;
use crate::timeline::ghosts::place::Place;
use crate::timeline::hit::{Edge, Hit};
use crate::timeline::tiles::Tiles;
use crate::timeline::track_shift::Down;
use deskhand_dsp::{EnvelopePoint, FadeCurve, Frames};
use deskhand_session::{ClipId, Crossing, MarkerId, PlanId, RevisionId, TimeRange, TrackId};
use egui::{Id, Pos2, Rect};
use std::collections::BTreeMap;

/// Sizes that differ between the app and the plugin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Density {
    pub(crate) header: f32,
    pub(crate) lane: f32,
    pub(crate) has_toolbar: bool,
}

impl Density {
    pub(crate) const WINDOW: Self = Self { header: 184.0, lane: 76.0, has_toolbar: true };
    pub(crate) const PLUGIN: Self = Self { header: 112.0, lane: 52.0, has_toolbar: false };
}

/// What a click and a drag on the lanes do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tool {
    #[default]
    Select,
    Split,
    Range,
}

/// Something with a name that can be typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Named {
    Track(TrackId),
    Clip(ClipId),
    Marker(MarkerId),
    Group(Vec<TrackId>),
}

/// A drag whose call is running: its preview stays until the session answers.
pub(super) struct Sent {
    pub(super) drag: Drag,
    pub(super) head: RevisionId,
    pub(super) time: f64,
}

/// The state that the timeline keeps between frames.
#[derive(Default)]
pub(crate) struct TimelineView {
    /// Points per second; `None` shows the whole session.
    pub(crate) zoom: Option<f64>,
    /// The seconds of the whole session when all of it is shown; `None` fits it again.
    pub(super) fitted: Option<f64>,
    /// The second at the left edge.
    pub(crate) left: f64,
    /// Points scrolled down.
    pub(crate) down: f32,
    pub(crate) hides_ghosts: bool,
    /// The range that was repeated last.
    pub(crate) last_loop: Option<(Frames, Frames)>,
    pub(crate) tool: Tool,
    /// Without snapping.
    pub(crate) is_loose: bool,
    /// Deleting closes the gap.
    pub(crate) ripples: bool,
    /// The view does not follow the playhead.
    pub(crate) stays: bool,
    pub(crate) tiles: Tiles,
    pub(crate) lanes: Option<Id>,
    /// Where the lanes were drawn last, and how tall each is.
    pub(super) placed: Option<(Axis, f32)>,
    pub(crate) link: GhostLink,
    /// The plan whose card is to be brought into view.
    pub(super) card: Option<PlanId>,
    pub(super) shown: Option<Place>,
    pub(super) drag: Option<Drag>,
    pub(super) sent: Option<Sent>,
    pub(super) pull: Option<Pull>,
    pub(super) reorder: Option<(TrackId, usize)>,
    /// Where a track that is dragged would go.
    pub(super) line: Option<Rect>,
    pub(super) naming: Option<Naming>,
    pub(super) marker: Option<MarkerId>,
    /// A line of gain that is drawn.
    pub(super) gains: Option<Draft>,
    pub(super) clipboard: Clipboard,
    pub(super) take: Option<Take>,
    /// The person wants to ask about what is selected.
    pub(crate) asks: bool,
    pub(super) menu_hit: Hit,
    pub(super) menu_frame: Frames,
    pub(super) playhead: Frames,
    /// The playhead ran in the last frame.
    pub(super) runs: bool,
    /// The codings of the shown revision.
    pub(super) coded: Option<(RevisionId, Coded)>,
}

pub(super) struct Parts {
    pub(super) toolbar: Rect,
    pub(super) ruler: Rect,
    /// Headers and lanes.
    pub(super) area: Rect,
    pub(super) lanes: Rect,
}

impl TimelineView {
    /// Restores an earlier view; the view does not go to the playhead.
    pub(crate) fn look_again(&mut self, seen: &Seen) {
        (self.zoom, self.left, self.down) = (seen.zoom, seen.left, seen.down);
        (self.last_loop, self.playhead) = (seen.last_loop, seen.position);
    }

    /// Shows exactly the whole session.
    pub(super) fn show_all(&mut self) {
        (self.zoom, self.fitted, self.left) = (None, None, 0.0);
    }

    /// The drag to show: the current one, or the one whose call is running.
    pub(super) fn shown_drag(&mut self, head: RevisionId, time: f64) -> Option<Drag> {
        if self.sent.as_ref().is_some_and(|sent| sent.head != head || time - sent.time > 1.0) {
            self.sent = None;
        }
        self.drag.clone().or_else(|| self.sent.as_ref().map(|sent| sent.drag.clone()))
    }
}

/// A name that is being typed.
pub(crate) struct Naming {
    pub(super) what: Named,
    pub(super) was: String,
    pub(super) field: NameField,
    /// Where the field is; the thing that is named says so when it is drawn.
    pub(super) rect: Rect,
    /// The new object had a frame to report its name.
    pub(super) was_awaited: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pull {
    Cancelled,
    /// The playhead, to where it was brought last.
    Playhead {
        to: Frames,
    },
    Loop {
        from: Frames,
        to: Frames,
    },
    Marker {
        id: MarkerId,
        grabbed: Frames,
        to: Frames,
    },
}

/// The owner of a gain line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Track(TrackId),
    Clip(ClipId),
}

/// A line under the hand, or on its way to the session.
pub(crate) struct Draft {
    pub(super) owner: Owner,
    pub(super) points: Vec<EnvelopePoint>,
    pub(super) sent: Option<RevisionId>,
    /// Esc took it back; it lasts until the button is let go.
    pub(super) is_cancelled: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Clipboard {
    pub(super) clips: Vec<ClipId>,
    /// Only the part of them in this time.
    pub(super) range: Option<TimeRange>,
    /// They are moved, not copied.
    pub(super) is_cut: bool,
    /// The text for them on the system's clipboard.
    pub(super) words: String,
}

/// The current recording: its start, and for each frame of the timeline the largest sample since the
/// previous one.
pub(crate) struct Take {
    pub(super) from: Frames,
    pub(super) heard: BTreeMap<TrackId, Vec<(Frames, f32)>>,
}

/// A drag of such a handle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Join {
    /// The dragged crossing, and those of its group over the same time.
    pub(super) together: Vec<Crossing>,
    pub(super) curve: FadeCurve,
    pub(super) grabbed: Frames,
    /// The crossings as they would be.
    pub(super) after: Vec<Crossing>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Drag {
    /// Esc took it back; it lasts until the button is let go.
    Cancelled,
    /// Clips that a rubber band touches.
    Band {
        from: Pos2,
        to: Pos2,
        keeps: Vec<ClipId>,
        left: f64,
        down: f32,
    },
    Move {
        clips: Vec<ClipId>,
        held: ClipId,
        grabbed: Frames,
        by: Frames,
        to: Down,
        /// With Ctrl held, the dragged clips stay and their copies move.
        copies: bool,
    },
    Trim {
        clips: Vec<ClipId>,
        held: ClipId,
        edge: Edge,
        was: Frames,
        to: Frames,
        /// What follows the edge: it ripples.
        behind: Option<Vec<ClipId>>,
    },
    Fade {
        clips: Vec<ClipId>,
        held: ClipId,
        edge: Edge,
        length: Frames,
    },
    /// The length of a crossfade.
    Join(Join),
    Gain {
        clips: Vec<ClipId>,
        held: ClipId,
        was: f64,
        y: f32,
        db: f64,
    },
    Time {
        from: Frames,
        to: Frames,
        tracks: (usize, usize),
    },
}
