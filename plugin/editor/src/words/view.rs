//! The state of the Words panel between frames.

use crate::coding::codebook::view::CodesView;
use crate::words::assembly::view::AssemblyView;
use crate::words::takes::view::TakesView;
use crate::words::transcript::view::TranscriptView;

/// What the panel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Page {
    #[default]
    Transcript,
    Codes,
    Takes,
    Assembly,
}

impl Page {
    pub(super) fn all(has_coding: bool) -> Vec<Self> {
        let codes = has_coding.then_some(Self::Codes);
        [Self::Transcript].into_iter().chain(codes).chain([Self::Takes, Self::Assembly]).collect()
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Transcript => "Transcript",
            Self::Codes => "Codes",
            Self::Takes => "Takes",
            Self::Assembly => "Assembly",
        }
    }
}

/// The state that the panel keeps between frames.
#[derive(Default)]
pub(crate) struct WordsView {
    pub(crate) is_open: bool,
    pub(crate) page: Page,
    pub(crate) transcript: TranscriptView,
    pub(crate) codes: CodesView,
    pub(super) takes: TakesView,
    pub(super) assembly: AssemblyView,
}
