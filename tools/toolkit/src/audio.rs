//! Where a task gets audio: sources by id, clips through their own gain stage, tracks and the mix. How it reads them: in
//! blocks, or a stretch at once.

use crate::task::PlanContext;
use deskhand_dsp::gain::ClipEnvelope;
use deskhand_dsp::{EnvelopePoint, FrameReader, Frames, ReadError, SampleRate, volume};
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Clip, ObjectId, Session, SourceId};

/// Frames that are read and written at once.
pub const BLOCK: usize = 1 << 15;

/// Gives audio at the session rate. The application provides it, backed by the engine.
pub trait Audio: Send + Sync {
    /// The audio of a source.
    ///
    /// # Errors
    /// When the file is missing, changed since it was imported, or cannot be decoded.
    fn source(&self, session: &Session, id: SourceId) -> Result<Box<dyn FrameReader>, ReadError>;

    /// What the engine plays: the mix for the session, or one track or bus after its fader. Stereo, from
    /// the start of the timeline to the end of the last clip. Mute and solo of others do not count for a
    /// single track.
    ///
    /// # Errors
    /// As [`Audio::source`].
    fn render(&self, session: &Session, what: ObjectId) -> Result<Box<dyn FrameReader>, ReadError>;
}

/// A clip's region through the clip's own gain, fades and gain over time, as the engine plays it, with the channels
/// of its source.
pub struct ClipReader {
    source: Box<dyn FrameReader>,
    start: Frames,
    envelope: ClipEnvelope,
    /// Gain over time, at frames of the source.
    points: Vec<EnvelopePoint>,
}

impl ClipReader {
    /// Reads `clip` from `source`.
    #[must_use]
    pub fn new(source: Box<dyn FrameReader>, clip: &Clip) -> Self {
        let envelope = ClipEnvelope {
            gain: clip.gain,
            polarity: clip.polarity,
            fade_in: clip.fade_in,
            fade_out: clip.fade_out,
            length: clip.length,
        };
        Self { source, start: clip.start, envelope, points: clip.envelope.clone() }
    }
}

impl FrameReader for ClipReader {
    fn channels(&self) -> usize {
        self.source.channels()
    }

    fn frames(&self) -> Frames {
        self.envelope.length
    }

    fn rate(&self) -> SampleRate {
        self.source.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let left = (self.envelope.length - at).index();
        let wanted = out.first().map_or(0, |channel| channel.len()).min(left);
        let mut part: Vec<&mut [f32]> =
            out.iter_mut().filter_map(|channel| channel.get_mut(..wanted)).collect();
        let read = self.source.read(self.start + at, &mut part)?;
        self.envelope.apply(at, &mut part);
        volume::apply(&self.points, self.start + at, &mut part);
        Ok(read)
    }
}

/// A source, read from its beginning to its end in blocks of [`BLOCK`] frames.
pub fn each_block(
    context: &PlanContext,
    reader: &mut dyn FrameReader,
    mut hear: impl FnMut(Frames, &[&[f32]]) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let mut planes = vec![vec![0.0f32; BLOCK]; reader.channels()];
    let mut at = Frames::ZERO;
    while at < reader.frames() {
        context.check()?;
        let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
        let read = reader.read(at, &mut out).map_err(ToolError::media)?;
        if read == 0 {
            break;
        }
        let block: Vec<&[f32]> = planes.iter().filter_map(|plane| plane.get(..read)).collect();
        hear(at, &block)?;
        at += Frames::from_index(read);
    }
    Ok(())
}

/// The whole of a reader from `from` on, `length` frames, all channels; zeros where there is nothing.
pub fn stretch(
    reader: &mut dyn FrameReader,
    from: Frames,
    length: usize,
) -> Result<Vec<Vec<f32>>, ToolError> {
    let mut planes = vec![vec![0.0f32; length]; reader.channels()];
    let skip = Frames((-from.0).max(0)).index().min(length);
    let mut out: Vec<&mut [f32]> =
        planes.iter_mut().filter_map(|plane| plane.get_mut(skip..)).collect();
    if skip < length && from + Frames::from_index(skip) < reader.frames() {
        reader.read(from + Frames::from_index(skip), &mut out).map_err(ToolError::media)?;
    }
    Ok(planes)
}
