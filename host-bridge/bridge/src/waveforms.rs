//! Waveforms for front ends that hold no audio: a worker reads the peaks that were built at import.

use crate::effect::Effect;
use crate::errors::panicked;
use crate::ids::Asker;
use crate::input::Input;
use deskhand_dsp::Frames;
use deskhand_dsp::peaks::{Peak, PeakPyramid};
use deskhand_protocol::peaks::{
    FULL_SCALE, LAST_LEVEL, MOST_COLUMNS, PeakColumns, frames_per_column,
};
use deskhand_session::Source;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_toolkit::{MeasurementCache, peaks};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of sources whose peaks are kept in memory. An hour of stereo takes about 16 MB.
const KEPT: usize = 8;

/// The peaks that were read last, the newest at the end.
#[derive(Clone, Default)]
pub(crate) struct Waveforms(Arc<Mutex<Recent>>);

/// Sources with their peaks, the latest last.
type Recent = VecDeque<(Source, Arc<PeakPyramid>)>;

impl Waveforms {
    /// The peaks of a source, if they were built. On a worker.
    fn of(&self, source: &Source, cache: &dyn MeasurementCache) -> Option<Arc<PeakPyramid>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.iter().position(|(known, _)| known == source) {
            let found = kept.remove(found)?;
            let pyramid = Arc::clone(&found.1);
            kept.push_back(found);
            return Some(pyramid);
        }
        let pyramid = Arc::new(peaks::known(cache, source)?);
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((source.clone(), Arc::clone(&pyramid)));
        Some(pyramid)
    }

    /// The work that reads columns of a source.
    ///
    /// # Errors
    /// If there is no such source or level.
    pub(crate) fn read(
        &self,
        asker: Asker,
        source: Option<&Source>,
        level: u32,
        range: Range<u64>,
        cache: &Arc<dyn MeasurementCache>,
    ) -> Result<Effect, ToolError> {
        let source = source.cloned().ok_or_else(|| {
            let message = "there is no such recording in this session";
            ToolError::prepare(Code::NoTarget, message, "list the sources")
        })?;
        if level > LAST_LEVEL {
            let message = format!("there is no level {level} of a waveform");
            let fix = format!("ask for one from 0 to {LAST_LEVEL}");
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        let (kept, cache) = (self.clone(), Arc::clone(cache));
        Ok(Effect::ask_short(
            move || kept.of(&source, &*cache).map(|pyramid| columns(&pyramid, level, range)),
            move |outcome| Input::Waveform { asker, outcome: outcome.map_err(panicked) },
        ))
    }
}

fn columns(pyramid: &PeakPyramid, level: u32, range: Range<u64>) -> PeakColumns {
    let width = frames_per_column(level);
    let frames = u64::try_from(pyramid.frames().0).unwrap_or(0);
    let last = frames.div_ceil(width);
    let first = range.start.min(last);
    let end = range.end.min(last).min(first.saturating_add(MOST_COLUMNS.into()));
    let count = usize::try_from(end.saturating_sub(first)).unwrap_or(0);
    let at = |column: u64| Frames(i64::try_from(column * width).unwrap_or(i64::MAX));
    let mut columns = vec![[0_u16; 2]; count];
    for channel in 0..pyramid.channels() {
        let peaks = pyramid.columns(channel, at(first)..at(end), count);
        for (column, peak) in columns.iter_mut().zip(peaks) {
            let Peak { min, max, rms } = peak;
            *column = [column[0].max(steps(max.max(-min))), column[1].max(steps(rms))];
        }
    }
    PeakColumns { frames, columns }
}

/// An amplitude as a front end gets it.
fn steps(amplitude: f32) -> u16 {
    (amplitude * FULL_SCALE).round().clamp(0.0, f32::from(u16::MAX)) as u16
}
