//! Where a task gets audio: sources by id, clips through their own gain stage, tracks and the mix.

use deskhand_dsp::gain::ClipEnvelope;
use deskhand_dsp::{EnvelopePoint, FrameReader, Frames, ReadError, SampleRate, volume};
use deskhand_session::{Clip, ObjectId, Session, SourceId};

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
