//! Where an element lies: each has a clock of its own, which its children count by.

use super::read::{Element, Problem};
use super::time;
use deskhand_dsp::{Frames, SampleRate};

/// What an element is for its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What has no place in time.
    Other,
    /// A file among the resources.
    Asset,
    /// A sequence, or the spine of it.
    Main,
    /// Items one after another on a lane.
    Spine,
    /// A gap, a file's clip, a title: what is connected to it has a lane of its own.
    Item,
    /// A clip whose contents play through its window.
    Window,
    /// Picture inside of such a clip, with sound connected to it.
    Content,
    /// What is left out, with all that is in it.
    Unread,
}

/// An element that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) kind: Kind,
    /// Where its own time `start` is on the timeline.
    pub(super) position: Frames,
    pub(super) start: Frames,
    /// Where it ends on the timeline.
    pub(super) end: Frames,
    pub(super) lane: i64,
    pub(super) is_enabled: bool,
    /// What is heard of its contents.
    pub(super) window: Option<(Frames, Frames)>,
    /// The clip that its adjustments are about.
    pub(super) clip: Option<usize>,
}

impl Level {
    /// The document.
    pub(super) const ROOT: Self = Self {
        kind: Kind::Other,
        position: Frames::ZERO,
        start: Frames::ZERO,
        end: Frames::ZERO,
        lane: 0,
        is_enabled: true,
        window: None,
        clip: None,
    };

    /// A child that is left out.
    pub(super) fn unread(self) -> Self {
        Self { kind: Kind::Unread, ..self }
    }

    /// The timeline's position at a time of its own clock.
    pub(super) fn at(&self, own: Frames) -> Frames {
        self.position + (own - self.start)
    }

    /// A child of this kind, whose clock is that of the attributes; without them it begins with this one.
    pub(super) fn child(
        &self,
        kind: Kind,
        element: &Element,
        rate: SampleRate,
        start: Frames,
    ) -> Result<Self, Problem> {
        let offset = element.value("offset", time::parse)?;
        let offset = offset.unwrap_or((self.start.0, rate.0.into()));
        let duration = element.value("duration", time::parse)?.unwrap_or((0, 1));
        let own = element.value("start", time::parse)?.map(|time| time::samples(time, rate));
        let lane = element.value("lane", |text| text.parse::<i64>().ok())?;
        let is_inside = [Kind::Window, Kind::Content].contains(&self.kind);
        let window = match self.kind {
            Kind::Window if lane.is_none() => Some(self.heard()),
            Kind::Content => self.window,
            _ => None,
        };
        Ok(Self {
            kind,
            position: self.at(time::samples(offset, rate)),
            start: own.unwrap_or(start),
            end: self.at(time::end(offset, duration, rate)),
            lane: if is_inside || self.kind == Kind::Spine { self.lane } else { lane.unwrap_or(0) },
            is_enabled: element.get("enabled") != Some("0") && (self.is_enabled || !is_inside),
            window,
            clip: None,
        })
    }

    /// The stretch of the timeline in which it is heard.
    pub(super) fn heard(&self) -> (Frames, Frames) {
        match self.window {
            Some((from, to)) => (self.position.max(from), self.end.min(to)),
            None => (self.position, self.end),
        }
    }
}
