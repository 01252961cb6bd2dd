//! The state of a transcript between frames, and its lines.

use super::typing::Typing;
use crate::action::Action;
use crate::coding::code_menu::CodeMenu;
use crate::coding::coded::Coded;
use crate::words::find::Plain;
use crate::words::lines::{Bleed, Cuts, Region, Script};
use crate::words::names::Names;
use crate::words::struck::Struck;
use deskhand_session::{RevisionId, Session, SourceId};
use egui::{Id, Rect};
use std::cell::OnceCell;
use std::ops::Range;

/// In a narrower panel, time and speaker are above the words, and the controls share room.
pub(super) const NARROW: f32 = 420.0;

/// The gap between names and words.
pub(super) const GAP: f32 = 12.0;

/// Height of a line.
pub(super) const ROW: f32 = 28.0;

/// The left edge of the speaker, or of the words if there are no speakers; and the width of the
/// star at the right.
pub(super) const NAME: f32 = 60.0;

pub(super) const STAR: f32 = 36.0;

/// The state that a transcript keeps between frames.
#[derive(Default)]
pub(crate) struct TranscriptView {
    /// The source that is shown alone.
    pub(crate) only: Option<SourceId>,
    pub(super) bleed: Bleed,
    pub(super) cuts: Cuts,
    pub(super) made: Option<Made>,
    pub(super) search: String,
    /// The search text, and where it is said.
    pub(super) looked_for: String,
    pub(super) found: Vec<Range<usize>>,
    /// The place that was gone to last.
    pub(super) hit: Option<usize>,
    pub(super) picked: Option<Picked>,
    pub(super) about: Option<About>,
    pub(super) typing: Option<Typing>,
    /// The search field should get the keyboard.
    pub(super) searches: bool,
    pub(super) codes: CodeMenu,
    /// The pointer picks words, from where it was pressed.
    pub(super) picks: bool,
    /// The line to bring into view.
    pub(super) wanted: Option<usize>,
    /// The line that was followed last.
    pub(super) followed: Option<usize>,
    /// The view does not follow playback.
    pub(super) stays: bool,
    /// The visible words with their places.
    pub(super) cells: Vec<(usize, Rect)>,
    /// Lines laid out in the last frame.
    pub(crate) drawn: usize,
    pub(super) list: Option<Id>,
}

/// What cached lines are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Of {
    pub(super) head: RevisionId,
    /// The source that is shown alone.
    pub(super) only: Option<SourceId>,
    pub(super) shown: (Bleed, Cuts),
    /// Points.
    pub(super) width: u32,
}

/// Data computed once for a revision and a width.
#[derive(Default)]
pub(super) struct Made {
    pub(super) of: Of,
    pub(super) script: Script,
    pub(super) struck: Struck,
    /// The sources in which anything is said.
    pub(super) sources: Vec<SourceId>,
    /// For searching; made when somebody searches.
    pub(super) plain: OnceCell<Plain>,
    pub(super) coded: Coded,
    pub(super) names: Names,
    /// Where the words begin.
    pub(super) left: f32,
    /// The number of phrases on two microphones, if speakers are not marked yet.
    pub(super) twins: usize,
}

impl Made {
    /// The places where a query is said; empty if there is none.
    pub(super) fn find(&self, session: &Session, query: &str) -> Vec<Range<usize>> {
        if query.trim().is_empty() {
            return Vec::new();
        }
        self.plain.get_or_init(|| Plain::new(session, &self.script)).find(query)
    }
}

/// Selected words: the first and the last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Picked {
    pub(super) anchor: usize,
    pub(super) head: usize,
}

impl Picked {
    pub(super) fn words(self) -> Range<usize> {
        self.anchor.min(self.head)..self.anchor.max(self.head) + 1
    }

    /// As many words from `first` on.
    pub(super) fn from(self, first: usize) -> Self {
        let number = |word: usize| first + (word - self.words().start);
        Self { anchor: number(self.anchor), head: number(self.head) }
    }
}

/// Facts about picked words.
pub(super) struct About {
    pub(super) of: (Picked, Of),
    pub(super) region: Region,
    /// The actions that cut them out of the sound; empty if no clip plays them.
    pub(super) cuts: Vec<Action>,
    /// How many they are, when they are heard and how long.
    pub(super) told: String,
    /// Where in its recording the first is said.
    pub(super) said: String,
    /// The first of them, for screen readers.
    pub(super) read: String,
}
