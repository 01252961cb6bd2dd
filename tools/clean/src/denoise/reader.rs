//! The part that the network removes from a recording, as audio: the recording less its denoised version.

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use nnnoiseless::DenoiseState;

/// The rate that the network works at.
pub(super) const RATE: SampleRate = SampleRate(48_000);
/// Frames that it takes at once; its output is late by as many.
const FRAME: usize = DenoiseState::FRAME_SIZE;
/// It takes samples as 16-bit integers have them.
const SCALE: f32 = 32_768.0;

/// The noise in `inner`, in time with it to the sample.
pub(super) struct TakenAway {
    inner: Box<dyn FrameReader>,
    states: Vec<Box<DenoiseState<'static>>>,
    /// The block that was fed last, whose denoised self comes with the next one.
    fed: Vec<Vec<f32>>,
    /// The noise of the block in front of it.
    noise: Vec<Vec<f32>>,
    /// Blocks that were fed; the one in `noise` is the last but one.
    blocks: usize,
}

impl TakenAway {
    /// `inner` is at [`RATE`].
    pub(super) fn new(inner: Box<dyn FrameReader>) -> Self {
        let channels = inner.channels();
        Self {
            inner,
            states: (0..channels).map(|_| DenoiseState::new()).collect(),
            fed: vec![vec![0.0; FRAME]; channels],
            noise: vec![vec![0.0; FRAME]; channels],
            blocks: 0,
        }
    }

    /// Makes `noise` hold block `index`. Going back starts over, since the network has memory.
    fn hold(&mut self, index: usize) -> Result<(), ReadError> {
        if self.blocks > index + 2 {
            let channels = self.states.len();
            self.states = (0..channels).map(|_| DenoiseState::new()).collect();
            self.blocks = 0;
        }
        while self.blocks < index + 2 {
            self.feed()?;
        }
        Ok(())
    }

    fn feed(&mut self) -> Result<(), ReadError> {
        let mut input = vec![vec![0.0f32; FRAME]; self.states.len()];
        let at = Frames::from_index(self.blocks * FRAME);
        if at < self.inner.frames() {
            let mut out: Vec<&mut [f32]> = input.iter_mut().map(Vec::as_mut_slice).collect();
            self.inner.read(at, &mut out)?;
        }
        let mut clean = vec![0.0f32; FRAME];
        for (channel, state) in self.states.iter_mut().enumerate() {
            let (Some(input), Some(fed), Some(noise)) =
                (input.get(channel), self.fed.get_mut(channel), self.noise.get_mut(channel))
            else {
                continue;
            };
            let scaled: Vec<f32> = input.iter().map(|sample| sample * SCALE).collect();
            state.process_frame(&mut clean, &scaled);
            for ((noise, dry), clean) in noise.iter_mut().zip(fed.iter()).zip(&clean) {
                *noise = dry - clean / SCALE;
            }
            fed.copy_from_slice(input);
        }
        self.blocks += 1;
        Ok(())
    }
}

impl FrameReader for TakenAway {
    fn channels(&self) -> usize {
        self.inner.channels()
    }

    fn frames(&self) -> Frames {
        self.inner.frames()
    }

    fn rate(&self) -> SampleRate {
        self.inner.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let wanted = out.first().map_or(0, |channel| channel.len());
        let count = wanted.min((self.frames() - at).index());
        let mut done = 0;
        while done < count {
            let from = at.index() + done;
            let (block, skip) = (from / FRAME, from % FRAME);
            self.hold(block)?;
            let step = (FRAME - skip).min(count - done);
            for (out, noise) in out.iter_mut().zip(&self.noise) {
                let noise = noise.get(skip..skip + step).unwrap_or_default();
                out.get_mut(done..done + step).unwrap_or_default().copy_from_slice(noise);
            }
            done += step;
        }
        Ok(done)
    }
}
