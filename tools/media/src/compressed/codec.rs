//! One packet in, planar `f32` out.

use super::{Panicked, guarded};
use opus_decoder::OpusMultistreamDecoder;
use symphonia::core::codecs::audio::well_known::CODEC_ID_OPUS;
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::packet::Packet;

/// Frames decoded before a seek target, so that the result does not depend on where reading came from.
///
/// The bit reservoir of MP3 (511 bytes) can reach over 20 frames back at the lowest bit rates, then come
/// two frames of overlap and filter memory. Opus needs 80 ms (RFC 7845 section 4.6). Vorbis and AAC overlap
/// with the packet before. Lossless packets are independent.
pub(super) fn preroll(codec: &str) -> i64 {
    match codec {
        "FLAC" | "ALAC" | "PCM" | "A-law" | "mu-law" => 0,
        "AAC" => 4096,
        "Opus" => 3840 + 2 * 5760,
        "Vorbis" => 4 * 8192,
        _ => 40 * 1152,
    }
}

/// A decoder of one codec.
pub(super) enum Codec {
    Symphonia(Box<dyn AudioDecoder>),
    Opus(Box<Opus>),
}

/// Opus: pure Rust, delivers 48 kHz.
pub(super) struct Opus {
    decoder: OpusMultistreamDecoder,
    channels: usize,
    /// The header's output gain (RFC 7845 section 5.1).
    gain: f32,
    interleaved: Vec<f32>,
}

/// One decoded packet: the rate that the decoder says, and a vector per channel.
#[derive(Default)]
pub(super) struct Block {
    pub(super) rate: u32,
    pub(super) planes: Vec<Vec<f32>>,
}

impl Block {
    pub(super) fn frames(&self) -> usize {
        self.planes.first().map_or(0, Vec::len)
    }

    pub(super) fn silence(&mut self, frames: usize) {
        for plane in &mut self.planes {
            plane.clear();
            plane.resize(frames, 0.0);
        }
    }
}

/// Why a packet gave no audio.
#[derive(Debug)]
pub(super) enum DecodeFailure {
    /// This packet is broken; the next one may be fine.
    Packet,
    Decoder(String),
}

impl Codec {
    /// `gapless` lets the decoder trim what the container marks.
    pub(super) fn new(params: &AudioCodecParameters, gapless: bool) -> Result<Self, Error> {
        if params.codec == CODEC_ID_OPUS {
            let opus = Opus::new(params).ok_or(Error::Unsupported("this kind of Opus"))?;
            return Ok(Self::Opus(Box::new(opus)));
        }
        let options = AudioDecoderOptions::default().gapless(gapless);
        let made =
            guarded(|| symphonia::default::get_codecs().make_audio_decoder(params, &options));
        let decoder = made.unwrap_or(Err(Error::DecodeError("the decoder failed")))?;
        Ok(Self::Symphonia(decoder))
    }

    pub(super) fn reset(&mut self) -> Result<(), Panicked> {
        guarded(|| match self {
            Self::Symphonia(decoder) => decoder.reset(),
            Self::Opus(opus) => opus.decoder.reset(),
        })
    }

    /// Decodes `packet` into `block`, without NaN or infinities; returns how many were replaced.
    pub(super) fn decode(
        &mut self,
        packet: &Packet,
        block: &mut Block,
    ) -> Result<u64, DecodeFailure> {
        let decoded = guarded(|| match self {
            Self::Symphonia(decoder) => symphonia(decoder.as_mut(), packet, block),
            Self::Opus(opus) => opus.decode(packet, block),
        });
        match decoded {
            Ok(decoded) => decoded?,
            // Fallen over one packet; from a clean state it goes on.
            Err(_) if self.reset().is_ok() => return Err(DecodeFailure::Packet),
            Err(_) => return Err(DecodeFailure::Decoder("the decoder failed inside".into())),
        }
        Ok(block.planes.iter_mut().map(|plane| crate::stats::make_finite(plane)).sum())
    }
}

fn symphonia(
    decoder: &mut dyn AudioDecoder,
    packet: &Packet,
    block: &mut Block,
) -> Result<(), DecodeFailure> {
    match decoder.decode(packet) {
        Ok(audio) => {
            block.rate = audio.spec().rate();
            audio.copy_to_vecs_planar(&mut block.planes);
            Ok(())
        }
        Err(Error::DecodeError(_) | Error::IoError(_)) => Err(DecodeFailure::Packet),
        Err(other) => Err(DecodeFailure::Decoder(other.to_string())),
    }
}

impl Opus {
    /// Reads the identification header (RFC 7845 section 5.1).
    fn new(params: &AudioCodecParameters) -> Option<Self> {
        let head = params.extra_data.as_deref()?;
        let channels = usize::from(*head.get(9)?);
        // The copy inside MP4 (version 0) is big-endian, the one in Ogg (version 1) is not.
        let big_endian = *head.get(8)? == 0;
        let raw = [*head.get(16)?, *head.get(17)?];
        let gain = if big_endian { i16::from_be_bytes(raw) } else { i16::from_le_bytes(raw) };
        let family = *head.get(18)?;
        let decoder = if family == 0 {
            let coupled = channels.checked_sub(1)?;
            let mapping: &[u8] = if coupled == 1 { &[0, 1] } else { &[0] };
            OpusMultistreamDecoder::new(48_000, channels, 1, coupled, mapping)
        } else {
            let (streams, coupled) = (usize::from(*head.get(19)?), usize::from(*head.get(20)?));
            let mapping = head.get(21..21 + channels)?;
            OpusMultistreamDecoder::new(48_000, channels, streams, coupled, mapping)
        };
        let gain = 10f32.powf(f32::from(gain) / (20.0 * 256.0));
        Some(Self { decoder: decoder.ok()?, channels, gain, interleaved: Vec::new() })
    }

    fn decode(&mut self, packet: &Packet, block: &mut Block) -> Result<(), DecodeFailure> {
        /// The longest Opus packet: 120 ms at 48 kHz.
        const LONGEST: usize = 5760;
        if packet.data.is_empty() {
            return Err(DecodeFailure::Packet);
        }
        self.interleaved.resize(LONGEST * self.channels, 0.0);
        let conceal = false;
        let frames = self
            .decoder
            .decode_float(&packet.data, &mut self.interleaved, conceal)
            .map_err(|_| DecodeFailure::Packet)?;
        block.rate = 48_000;
        block.planes.resize_with(self.channels, Vec::new);
        for (index, plane) in block.planes.iter_mut().enumerate() {
            let samples = self.interleaved.iter().skip(index).step_by(self.channels).take(frames);
            plane.clear();
            plane.extend(samples.map(|sample| sample * self.gain));
        }
        let start = usize::try_from(packet.trim_start.get()).unwrap_or(usize::MAX).min(frames);
        let end = usize::try_from(packet.trim_end.get()).unwrap_or(usize::MAX).min(frames - start);
        for plane in &mut block.planes {
            plane.truncate(frames - end);
            plane.drain(..start);
        }
        Ok(())
    }
}
