//! The state of timeline, mixer, meters and library between frames. None of it is stored.

use crate::inserts::view::InsertsView;
use crate::jobs::view::JobsView;
use crate::library::view::LibraryView;
use crate::meters::Meters;
use crate::mixer::view::MixerView;
use crate::timeline::view::TimelineView;
use crate::words::view::WordsView;

#[derive(Default)]
pub(crate) struct DeskView {
    pub(crate) timeline: TimelineView,
    pub(crate) mixer: MixerView,
    pub(crate) meters: Meters,
    pub(crate) library: LibraryView,
    pub(crate) inserts: InsertsView,
    pub(crate) words: WordsView,
    pub(crate) jobs: JobsView,
}
