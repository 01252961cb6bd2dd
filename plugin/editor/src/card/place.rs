//! Where a card is drawn, with what, and its sizes there.

use super::lines;
use crate::live::Live;
use crate::settings::Settings;
use crate::theme::{Type, Weight, space};
use crate::timeline::ghosts::link::GhostLink;
use crate::tools::Tools;
use crate::waves::Waves;
use deskhand_session::{RevisionId, Session};
use egui::Ui;

pub(super) const HEADER: f32 = 56.0;
pub(super) const SECTION: f32 = 28.0;
pub(super) const LINE: f32 = 20.0;
pub(super) const AUDITION: f32 = 44.0;
pub(super) const STRIP: f32 = 36.0;
pub(super) const FOOTER: f32 = 52.0;
/// Heights of the header, of a change, of a finding, and of a prediction.
const WIDE_HEADER: f32 = 72.0;
const WIDE_ROW: f32 = 52.0;
const WIDE_LINE: f32 = 24.0;
pub(super) const WIDE_RAIL_ROW: f32 = 40.0;
/// The room for units, and the pencil after them, next to the numbers.
pub(super) const UNITS: f32 = 72.0;
pub(super) const WIDE_TITLE: Type = Type { weight: Weight::Semibold, ..Type::READOUT };

/// The least width of a window in which a card has a window of its own.
const ROOM: f32 = 1_000.0;
/// What a card needs to draw, apart from its own state.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) session: &'a Session,
    pub(crate) tools: &'a Tools,
    /// Where the session lies.
    pub(crate) folder: &'a str,
    pub(crate) head: RevisionId,
    pub(crate) live: &'a Live,
    pub(crate) settings: Option<&'a Settings>,
    /// Little room: predictions in one line.
    pub(crate) is_compact: bool,
    /// The card has a window of its own.
    pub(crate) is_wide: bool,
    /// Where waveforms for its drawings come from.
    pub(crate) waves: Option<&'a dyn Waves>,
    /// What of its ghosts the pointer is on.
    pub(crate) link: &'a GhostLink,
}

impl Place<'_> {
    pub(super) fn row(&self) -> f32 {
        if self.is_wide { WIDE_ROW } else { lines::ROW }
    }

    /// Height of a header whose title has one line.
    pub(super) fn header(&self) -> f32 {
        if self.is_wide { WIDE_HEADER } else { HEADER }
    }

    pub(super) fn line(&self) -> f32 {
        if self.is_wide { WIDE_LINE } else { LINE }
    }

    /// The edge at which all numbers of a card end, measured from its right side.
    pub(super) fn number_edge(&self) -> f32 {
        space::M + if self.is_wide { UNITS } else { 20.0 }
    }
}

/// The plain and the strong font of a card.
pub(super) fn types(is_wide: bool) -> (Type, Type) {
    if is_wide { (Type::BODY, Type::BODY_STRONG) } else { (Type::SMALL, Type::SMALL_STRONG) }
}

/// Whether cards can have a window of their own here.
pub(super) fn has_room(ui: &Ui) -> bool {
    ui.ctx().content_rect().width() >= ROOM
}
