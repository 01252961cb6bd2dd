//! A mix that is read like a file.
//!
//! Thread: any (a worker)

use super::{BounceError, BounceSettings, Desk, span_at};
use crate::inserts::lead_in;
use crate::schedule::{Schedule, SourceKey};
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};

/// Frames rendered at a time.
const BLOCK: usize = 2048;

/// The mix of a schedule as stereo audio, rendered while it is read, from any position.
pub struct BounceReader<O> {
    desk: Desk<O>,
    rate: SampleRate,
    end: Frames,
}

impl<O> BounceReader<O>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Send,
{
    /// Reads the mix of `schedule`; `open` is asked for a source when a clip of it begins.
    pub fn new(schedule: &Schedule, open: O) -> Self {
        let settings = BounceSettings { block: BLOCK, ..BounceSettings::PLAIN };
        let desk = Desk::new(schedule, open, settings);
        Self { desk, rate: schedule.rate(), end: schedule.end() }
    }

    fn render(
        &mut self,
        at: Frames,
        left: &mut [f32],
        right: &mut [f32],
    ) -> Result<(), BounceError> {
        let span = span_at(at.0, left.len());
        let lead = self.desk.stage.rack.lead();
        if self.desk.stage.rack.must_lead_in(&span.roll) {
            for span in lead_in(span, lead, BLOCK) {
                self.desk.render(span)?;
            }
        }
        self.desk.render(span)?;
        self.desk.stage.rack.stands_at(span.roll.epoch, span.end());
        let [mix_left, mix_right] = self.desk.block(span).master();
        left.copy_from_slice(mix_left);
        right.copy_from_slice(mix_right);
        Ok(())
    }
}

impl<O> FrameReader for BounceReader<O>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Send,
{
    fn channels(&self) -> usize {
        2
    }

    fn frames(&self) -> Frames {
        self.end
    }

    fn rate(&self) -> SampleRate {
        self.rate
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let [left, right] = out else {
            return Err(ReadError(format!("a mix has 2 channels, {} were asked for", out.len())));
        };
        let present = if at < Frames::ZERO { 0 } else { (self.end - at).index() };
        let frames = left.len().min(right.len()).min(present);
        let (left, right) = (&mut left[..frames], &mut right[..frames]);
        let blocks = left.chunks_mut(BLOCK).zip(right.chunks_mut(BLOCK)).enumerate();
        for (index, (left, right)) in blocks {
            let at = at + Frames::from_index(index * BLOCK);
            self.render(at, left, right).map_err(|error| ReadError(error.to_string()))?;
        }
        Ok(frames)
    }
}
