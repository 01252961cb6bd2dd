//! Opus in Ogg: packets and pages by `opus-pure`, 20 ms at a time, at 48 kHz.

use super::error::ExportError;
use opus_pure::{Application, MAX_PACKET_BYTES, OggOpusWriter, OpusEncoder, OpusHead, OpusTags};
use std::io::Write;

/// The rate of the output, in Hz.
pub(super) const RATE: u32 = 48_000;
/// Frames of a packet.
const PACKET: usize = 960;

/// An Opus file being written.
pub(super) struct OpusWriter<W: Write> {
    writer: OggOpusWriter<W>,
    encoder: OpusEncoder,
    channels: usize,
    pre_skip: usize,
    held: Vec<f32>,
    packet: Vec<u8>,
    frames: u64,
    /// A packet waits for the next one, since the last one says where the sound ends.
    waiting: Option<Vec<u8>>,
}

fn failed(error: opus_pure::Error) -> ExportError {
    match error {
        opus_pure::Error::Io(error) => ExportError::Io(error),
        error => ExportError::Encode(error.to_string()),
    }
}

impl<W: Write> OpusWriter<W> {
    /// `kbps` is the bit rate of the whole in kbit/s; `comments` as in FLAC.
    pub(super) fn new(
        sink: W,
        channels: usize,
        kbps: u32,
        comments: &[(String, String)],
    ) -> Result<Self, ExportError> {
        let mut encoder =
            OpusEncoder::new(RATE as i32, channels, Application::Audio).map_err(failed)?;
        encoder.bitrate_bps = i32::try_from(kbps).unwrap_or(128) * 1000;
        let head = OpusHead::for_encoder(&encoder, RATE);
        let pre_skip = usize::from(head.pre_skip);
        let mut tags = OpusTags::new();
        for (name, value) in comments {
            tags.push(name, value).map_err(failed)?;
        }
        let writer = OggOpusWriter::with_tags(sink, head, tags).map_err(failed)?;
        let (held, packet) = (Vec::new(), vec![0; MAX_PACKET_BYTES]);
        Ok(Self { writer, encoder, channels, pre_skip, held, packet, frames: 0, waiting: None })
    }

    /// Appends frames, interleaved.
    pub(super) fn write(&mut self, interleaved: &[f32]) -> Result<(), ExportError> {
        self.frames += (interleaved.len() / self.channels) as u64;
        self.held.extend_from_slice(interleaved);
        self.packets()
    }

    fn packets(&mut self) -> Result<(), ExportError> {
        let size = PACKET * self.channels;
        while self.held.len() >= size {
            let rest = self.held.split_off(size);
            let block = std::mem::replace(&mut self.held, rest);
            if let Some(waiting) = self.waiting.take() {
                self.writer.write_packet(&waiting).map_err(failed)?;
            }
            let bytes = self.encoder.encode(&block, PACKET, &mut self.packet).map_err(failed)?;
            self.waiting = self.packet.get(..bytes).map(<[u8]>::to_vec);
        }
        Ok(())
    }

    /// Completes the file: the encoder's rest is written, and the file ends where the sound does.
    pub(super) fn finish(mut self) -> Result<W, ExportError> {
        let end = self.pre_skip as u64 + self.frames;
        let packets = usize::try_from(end).unwrap_or(usize::MAX).div_ceil(PACKET);
        let whole = packets.saturating_mul(PACKET) as u64;
        let silence = usize::try_from(whole - self.frames).unwrap_or(0) * self.channels;
        self.held.extend(vec![0.0; silence]);
        self.packets()?;
        if let Some(last) = self.waiting.take() {
            let before = u64::try_from(self.writer.granule()).unwrap_or(0);
            let left = u32::try_from(end.saturating_sub(before)).unwrap_or(0);
            self.writer.write_packet_with_duration(&last, left).map_err(failed)?;
        }
        self.writer.finish().map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// Accepts this many bytes and no more.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.checked_sub(bytes.len()) {
                Some(left) => self.0 = left,
                None => return Err(io::ErrorKind::StorageFull.into()),
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_no_fault_of_the_encoder() {
        let noise: Vec<f32> =
            (0..96_000u32).map(|n| (n.wrapping_mul(2_654_435_761) as f32 / 4e9) - 0.5).collect();
        let mut writer = OpusWriter::new(Full(4_000), 1, 128, &[]).unwrap();
        let ended = writer.write(&noise).and_then(|()| writer.finish().map(drop));
        let told = ended.unwrap_err();
        let full = |error: &io::Error| error.kind() == io::ErrorKind::StorageFull;
        assert!(matches!(&told, ExportError::Io(error) if full(error)), "{told}");
    }
}
