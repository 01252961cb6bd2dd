//! Raw samples and ALAC in MP4 and QuickTime, as the sample entry of a track describes them: symphonia 0.6.1 refuses
//! some of them and takes the bytes of others in the wrong order.
//!
//! Sources: Apple "QuickTime File Format" (sound sample descriptions), ISO/IEC 23003-5 (`ipcm`, `fpcm`).

use super::codec_names;
use super::input::Input;
use super::mp4::{Span, Walker, movie};
use symphonia::core::audio::Channels;
use symphonia::core::codecs::audio::{AudioCodecId, AudioCodecParameters, well_known as id};

/// The content of a sample entry.
struct Entry {
    kind: [u8; 4],
    /// Where the name of its kind is.
    kind_at: u64,
    channels: u16,
    bits: u16,
    boxes: Span,
}

/// The bytes read in place of those that symphonia 0.6.1 refuses. The kind of raw samples becomes one whose
/// fields it does not check. The bytes of a frame, which old programs give as 1, become the real number.
pub(super) fn mended(input: &Input) -> Vec<(u64, [u8; 4])> {
    const UNCHECKED: [u8; 4] = *b"mp4a";
    let Some((mut walker, moov)) = movie(input) else {
        return Vec::new();
    };
    let first = input.ranges.first().map_or(0, |range| range.start);
    let mut mended = Vec::new();
    for track in walker.tracks(moov) {
        let Some((entry, codec)) = walker.samples(track) else {
            continue;
        };
        mended.push((first.saturating_add(entry.kind_at), UNCHECKED));
        let sizes = walker.find_deep(track, &[*b"mdia", *b"minf", *b"stbl", *b"stsz"]);
        let size = sizes.and_then(|sizes| Some((sizes.start + 4, walker.u32(sizes.start + 4)?)));
        // Where it is 0, each sample has a size of its own.
        if let Some((at, 1..)) = size {
            let frame = u32::from(entry.channels) * bytes_of(codec);
            mended.push((first.saturating_add(at), frame.to_be_bytes()));
        }
    }
    mended
}

/// What symphonia found of a track, with what the file says of raw samples and of ALAC in QuickTime.
pub(super) fn completed(
    mut params: AudioCodecParameters,
    input: &Input,
    track_id: u32,
) -> AudioCodecParameters {
    let Some((mut walker, moov)) = movie(input) else {
        return params;
    };
    let Some(track) = walker.track(moov, track_id) else {
        return params;
    };
    if let Some((entry, codec)) = walker.samples(track) {
        let is_law = matches!(codec, id::CODEC_ID_PCM_ALAW | id::CODEC_ID_PCM_MULAW);
        let bits = (!is_law).then(|| 8 * bytes_of(codec));
        params.codec = codec;
        params.channels = Some(Channels::Discrete(entry.channels));
        (params.bits_per_sample, params.bits_per_coded_sample) = (bits, bits);
        params.max_frames_per_packet = Some(1);
    } else if let Some(cookie) = walker.cookie(track).filter(|_| params.extra_data.is_none()) {
        params.codec = id::CODEC_ID_ALAC;
        params.extra_data = Some(cookie.into());
    }
    params
}

impl Walker {
    pub(super) fn codec(&mut self, track: Span) -> Option<String> {
        let entry = self.entry(track)?;
        let number = (&entry.kind == b"mp4a").then(|| self.object_type(entry.boxes)).flatten();
        Some(number.map_or_else(|| codec_names::four(entry.kind), codec_names::object_type))
    }

    /// The number of the codec that the descriptors among `boxes` give (ISO/IEC 14496-1 section 7.2.6).
    fn object_type(&mut self, boxes: Span) -> Option<u8> {
        const STREAM: u8 = 3;
        const DECODER: u8 = 4;
        let direct = self.find(boxes, *b"esds");
        let esds = direct.or_else(|| self.find_deep(boxes, &[*b"wave", *b"esds"]))?;
        let body = self.read::<32>(esds.start + 4)?;
        // A length is of one to four bytes; each but the last has its highest bit set.
        let inside = |bytes: &[u8], tag| {
            let (first, rest) = bytes.split_first()?;
            let length = rest.iter().position(|byte| byte & 0x80 == 0)? + 1;
            (*first == tag).then(|| rest.get(length..).map(Vec::from)).flatten()
        };
        let stream = inside(&body, STREAM)?;
        // A number and flags, which as a rule announce nothing.
        inside(stream.get(3..)?, DECODER)?.first().copied()
    }

    fn entry(&mut self, track: Span) -> Option<Entry> {
        let entries = self.find_deep(track, &[*b"mdia", *b"minf", *b"stbl", *b"stsd"])?;
        let (start, kind_at) = (entries.start + 8, entries.start + 12);
        let u16_at = |walker: &mut Self, at| walker.read::<2>(start + at).map(u16::from_be_bytes);
        let version = u16_at(self, 16)?;
        // The entry begins with fields of three lengths.
        let fields = [36, 52, 72].get(usize::from(version))?;
        let own = u16_at(self, 26)?;
        // Version 1 counts the bytes of a sample.
        let bytes = self.u32(start + 40).filter(|bytes| version == 1 && (1..=8).contains(bytes));
        let bits = bytes.and_then(|bytes| u16::try_from(8 * bytes).ok()).unwrap_or(own);
        Some(Entry {
            kind: self.read::<4>(kind_at)?,
            kind_at,
            channels: u16_at(self, 24)?,
            bits,
            boxes: Span { start: start + fields, end: entries.end },
        })
    }

    /// The sample entry of a track of raw samples, and how they are written.
    fn samples(&mut self, track: Span) -> Option<(Entry, AudioCodecId)> {
        let entry = self.entry(track)?;
        let (bits, boxes) = (entry.bits, entry.boxes);
        // QuickTime means the highest byte first, unless the file says `enda` 1.
        let order = |walker: &mut Self| {
            let order = walker.find_deep(boxes, &[*b"wave", *b"enda"]);
            let order = order.and_then(|order| walker.read::<2>(order.start));
            if order == Some([0, 1]) { Order::Little } else { Order::Big }
        };
        let codec = match &entry.kind {
            b"raw " | b"NONE" if bits == 8 => Some(id::CODEC_ID_PCM_U8),
            b"raw " | b"NONE" | b"twos" => integer(bits, Order::Big),
            b"sowt" => integer(bits, Order::Little),
            b"in24" => integer(24, order(self)),
            b"in32" => integer(32, order(self)),
            b"fl32" => float(32, order(self)),
            b"fl64" => float(64, order(self)),
            b"alaw" => Some(id::CODEC_ID_PCM_ALAW),
            b"ulaw" => Some(id::CODEC_ID_PCM_MULAW),
            kind @ (b"ipcm" | b"fpcm") => {
                let config = self.find(boxes, *b"pcmC")?;
                let [flags, bits] = self.read::<2>(config.start + 4)?;
                let order = if flags & 1 == 1 { Order::Little } else { Order::Big };
                let written = if kind == b"ipcm" { integer } else { float };
                written(bits.into(), order)
            }
            _ => None,
        };
        Some((entry, codec?))
    }

    /// The settings of ALAC as QuickTime keeps them.
    fn cookie(&mut self, track: Span) -> Option<Vec<u8>> {
        const SHORT: u64 = 24;
        const LONG: u64 = 48;
        let entry = self.entry(track).filter(|entry| &entry.kind == b"alac")?;
        let cookie = self.find_deep(entry.boxes, &[*b"wave", *b"alac"])?;
        let start = cookie.start + 4;
        if cookie.end.saturating_sub(start) >= LONG {
            return self.read::<{ LONG as usize }>(start).map(Vec::from);
        }
        self.read::<{ SHORT as usize }>(start).map(Vec::from)
    }
}

/// Which byte of a sample comes first.
#[derive(Clone, Copy)]
enum Order {
    Big,
    Little,
}

fn integer(bits: u16, order: Order) -> Option<AudioCodecId> {
    Some(match (bits, order) {
        (8, _) => id::CODEC_ID_PCM_S8,
        (16, Order::Big) => id::CODEC_ID_PCM_S16BE,
        (16, Order::Little) => id::CODEC_ID_PCM_S16LE,
        (24, Order::Big) => id::CODEC_ID_PCM_S24BE,
        (24, Order::Little) => id::CODEC_ID_PCM_S24LE,
        (32, Order::Big) => id::CODEC_ID_PCM_S32BE,
        (32, Order::Little) => id::CODEC_ID_PCM_S32LE,
        _ => return None,
    })
}

fn float(bits: u16, order: Order) -> Option<AudioCodecId> {
    Some(match (bits, order) {
        (32, Order::Big) => id::CODEC_ID_PCM_F32BE,
        (32, Order::Little) => id::CODEC_ID_PCM_F32LE,
        (64, Order::Big) => id::CODEC_ID_PCM_F64BE,
        (64, Order::Little) => id::CODEC_ID_PCM_F64LE,
        _ => return None,
    })
}

fn bytes_of(codec: AudioCodecId) -> u32 {
    match codec {
        id::CODEC_ID_PCM_S16BE | id::CODEC_ID_PCM_S16LE => 2,
        id::CODEC_ID_PCM_S24BE | id::CODEC_ID_PCM_S24LE => 3,
        id::CODEC_ID_PCM_F64BE | id::CODEC_ID_PCM_F64LE => 8,
        id::CODEC_ID_PCM_S32BE
        | id::CODEC_ID_PCM_S32LE
        | id::CODEC_ID_PCM_F32BE
        | id::CODEC_ID_PCM_F32LE => 4,
        _ => 1,
    }
}
