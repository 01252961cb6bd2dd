//! One channel of a file as a source of its own.

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};

/// Reads one channel of another reader.
pub(crate) struct ChannelPick {
    inner: Box<dyn FrameReader>,
    channel: usize,
    planes: Vec<Vec<f32>>,
}

impl ChannelPick {
    /// Channel `channel` (from 0) of `inner`.
    pub(crate) fn new(inner: Box<dyn FrameReader>, channel: usize) -> Result<Self, ReadError> {
        let channels = inner.channels();
        if channel >= channels {
            let message = format!("there is no channel {}: the file has {channels}", channel + 1);
            return Err(ReadError(message));
        }
        Ok(Self { inner, channel, planes: vec![Vec::new(); channels] })
    }
}

impl FrameReader for ChannelPick {
    fn channels(&self) -> usize {
        1
    }

    fn frames(&self) -> Frames {
        self.inner.frames()
    }

    fn rate(&self) -> SampleRate {
        self.inner.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let Some(out) = out.first_mut() else {
            return Ok(0);
        };
        self.planes.iter_mut().for_each(|plane| plane.resize(out.len(), 0.0));
        let mut planes: Vec<&mut [f32]> = self.planes.iter_mut().map(Vec::as_mut_slice).collect();
        let read = self.inner.read(at, &mut planes)?;
        if let Some(picked) = planes.get(self.channel).and_then(|plane| plane.get(..read)) {
            out[..read].copy_from_slice(picked);
        }
        Ok(read)
    }
}
