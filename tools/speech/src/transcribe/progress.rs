//! The transcription so far, and its progress in words.

use super::{Region, Tongues};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::Segment;
use deskhand_session::text::whole_seconds;

/// The transcription so far.
#[derive(Default)]
pub(super) struct Written {
    pub(super) tongues: Tongues,
    pub(super) segments: Vec<Segment>,
    /// The number of regions that were started.
    pub(super) regions: usize,
    /// Where the last one is, at the session rate.
    pub(super) heard: Frames,
    /// Whether an earlier run had saved the last part.
    pub(super) is_known: bool,
    /// Where it went on from what earlier runs had heard: in which of the regions, from 1, and where.
    pub(super) goes_on: Vec<(usize, Frames)>,
    pub(super) left_out: Vec<String>,
}

impl Written {
    /// The current recording, and where it continued, for people who wait.
    pub(super) fn label(&self, region: &Region, rate: SampleRate) -> String {
        let here = self.goes_on.last().filter(|(number, _)| *number == self.regions);
        let on = here.map(|(_, at)| format!(", goes on at {}", whole_seconds(at.seconds(rate).0)));
        format!("{}{}", region.name, on.unwrap_or_default())
    }

    /// For the error of a run that is stopped and leaves nothing in the session.
    pub(super) fn finished(&self) -> String {
        match self.segments.len() {
            0 => "no phrase was understood yet".to_owned(),
            1 => "1 phrase was understood".to_owned(),
            phrases => format!("{phrases} phrases were understood"),
        }
    }
}
