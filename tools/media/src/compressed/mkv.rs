//! What a Matroska or WebM file calls its tracks of audio, and its samples in kinds that symphonia does not know.
//!
//! Source: RFC 9559 section 5.1.4 (Tracks), RFC 8794 (EBML).

use super::input::Input;
use super::listed_track::Listed;
use super::{codec_names, wav_tags};
use std::io::{Read, Seek, SeekFrom};
use symphonia::core::audio::Channels;
use symphonia::core::codecs::audio::{AudioCodecParameters, well_known as id};

const EBML: u32 = 0x1A45_DFA3;
const SEEK_HEAD: u32 = 0x114D_9B74;
const SEGMENT: u32 = 0x1853_8067;
const CLUSTER: u32 = 0x1F43_B675;
const TRACKS: u32 = 0x1654_AE6B;
const ENTRY: u32 = 0xAE;
const NUMBER: u32 = 0xD7;
const KIND: u32 = 0x83;
const NAME: u32 = 0x536E;
const LANGUAGE: u32 = 0x22_B59C;
const LANGUAGE_TAG: u32 = 0x22_B59D;
const CODEC: u32 = 0x86;
const SETTINGS: u32 = 0x63A2;
const AUDIO: u32 = 0xE1;
const SAMPLING_RATE: u32 = 0xB5;
const CHANNELS: u32 = 0x9F;
const BITS: u32 = 0x6264;

/// The audio tracks in file order; empty if the track list comes after the audio.
pub(super) fn tracks(input: &Input) -> Vec<Listed> {
    let body = body(input).unwrap_or_default();
    Elements(&body).filter(|(id, _)| *id == ENTRY).filter_map(|(_, entry)| listed(entry)).collect()
}

/// The bytes read in place of two things for which symphonia 0.6.1 refuses a file that was cut off: the
/// length of the whole, and the lists that index the file.
pub(super) fn mended(input: &Input) -> Vec<(u64, [u8; 4])> {
    /// An element that counts for nothing, with a length of three bytes.
    const VOID: u32 = 0xEC20_0000;
    let mut mended = Vec::new();
    // Where the part begins in the file.
    let first = input.ranges.first().map_or(0, |range| range.start);
    let head = head(input);
    // Only the lists lead to content after the audio.
    let is_whole = head.iter().any(|element| element.id == TRACKS);
    for Element { id, start, body, end } in head.into_iter().filter(|_| is_whole) {
        let length = end.saturating_sub(start + 4);
        let place = |at: u64| at.saturating_add(first);
        match u32::try_from(length).ok().filter(|length| *length < 1 << 21) {
            Some(length) if id == SEEK_HEAD => {
                mended.push((place(start), (VOID | length).to_be_bytes()));
            }
            // A length of eight bytes that is not known.
            _ if id == SEGMENT && end > input.len() && body - start == 12 => {
                mended
                    .extend([(place(start + 4), [1, 255, 255, 255]), (place(start + 8), [255; 4])]);
            }
            _ => {}
        }
    }
    mended
}

/// The bytes from the start of an element to the next one; for a segment or cluster of unknown size only
/// its own header. `None` if no element of a file begins with `head`.
pub(super) fn element_bytes(head: &[u8]) -> Option<u64> {
    /// All that can be in a file, a segment or a cluster (RFC 9559 section 5, RFC 8794 section 11.3).
    const KNOWN: [u32; 19] = [
        EBML,
        SEEK_HEAD,
        SEGMENT,
        CLUSTER,
        TRACKS,
        0x1549_A966,
        0x1C53_BB6B,
        0x1941_A469,
        0x1043_A770,
        0x1254_C367,
        0xEC,
        0xBF,
        0xE7,
        0xA3,
        0xA0,
        0xAB,
        0xA7,
        0x5854,
        0xAF,
    ];
    let (id, size, length) = head_of(head)?;
    let is_open = matches!(id, SEGMENT | CLUSTER);
    let body = if is_open { size.unwrap_or(0) } else { size? };
    KNOWN.contains(&id).then(|| body.saturating_add(length as u64))
}

/// Whether the file promises more than is there.
pub(super) fn is_cut(input: &Input) -> bool {
    let input = Input { mended: Vec::new(), ..input.clone() };
    let is_longer = |element: &Element| element.end > input.len() && element.end < u64::MAX;
    head(&input).iter().any(|element| element.id == SEGMENT && is_longer(element))
}

/// The content of the element that describes the tracks.
fn body(input: &Input) -> Option<Vec<u8>> {
    /// Descriptions of tracks hold a few kilobytes, fonts and pictures are elsewhere.
    const LONGEST: u64 = 1 << 22;
    let tracks = head(input).into_iter().find(|element| element.id == TRACKS)?;
    let mut file = input.open().ok()?.0;
    file.seek(SeekFrom::Start(tracks.body)).ok()?;
    let mut body = Vec::new();
    file.take((tracks.end - tracks.body).min(LONGEST)).read_to_end(&mut body).ok()?;
    Some(body)
}

/// An element in the file, and where its content begins and ends.
struct Element {
    id: u32,
    start: u64,
    body: u64,
    /// The largest number where it is not known.
    end: u64,
}

/// The elements before the first cluster of audio.
fn head(input: &Input) -> Vec<Element> {
    const MOST_ELEMENTS: usize = 1000;
    let mut found = Vec::new();
    let Ok((mut file, _)) = input.open() else {
        return found;
    };
    let mut at = 0;
    while found.len() < MOST_ELEMENTS {
        let mut bytes = Vec::new();
        let is_read = file.seek(SeekFrom::Start(at)).is_ok()
            && (&mut file).take(12).read_to_end(&mut bytes).is_ok();
        let Some((id, size, length)) = head_of(&bytes).filter(|_| is_read) else {
            break;
        };
        let body = at.saturating_add(length as u64);
        let end = size.map_or(u64::MAX, |size| body.saturating_add(size));
        if (at == 0) != (id == EBML) || id == CLUSTER {
            break;
        }
        found.push(Element { id, start: at, body, end });
        // The children of the segment come next.
        at = if id == SEGMENT { body } else { end };
    }
    found
}

/// The element with this id among `elements`.
fn find(elements: &[u8], wanted: u32) -> Option<&[u8]> {
    Elements(elements).find(|(id, _)| *id == wanted).map(|(_, body)| body)
}

fn number(elements: &[u8], wanted: u32) -> Option<u64> {
    let mut bytes = find(elements, wanted)?.iter();
    bytes.try_fold(0u64, |sum, byte| Some(sum.checked_mul(256)? + u64::from(*byte)))
}

fn text(elements: &[u8], wanted: u32) -> Option<String> {
    const LONGEST: usize = 200;
    let bytes = find(elements, wanted)?;
    let text = String::from_utf8_lossy(bytes.get(..LONGEST).unwrap_or(bytes));
    let text = text.trim_matches(|c: char| c.is_control() || c.is_whitespace());
    (!text.is_empty()).then(|| text.to_owned())
}

/// What an entry says of a track, if it is one of audio.
fn listed(entry: &[u8]) -> Option<Listed> {
    const OF_AUDIO: u64 = 2;
    (number(entry, KIND)? == OF_AUDIO).then_some(())?;
    let language = text(entry, LANGUAGE_TAG).or_else(|| text(entry, LANGUAGE));
    Some(Listed {
        id: u32::try_from(number(entry, NUMBER)?).ok()?,
        title: text(entry, NAME),
        language: language.filter(|code| code != "und"),
        codec: text(entry, CODEC).map(|codec| codec_name(&codec, entry)),
    })
}

/// The codec of a track in words. Windows' and QuickTime's own are named by their own settings.
fn codec_name(codec: &str, entry: &[u8]) -> String {
    let settings = find(entry, SETTINGS).unwrap_or_default();
    let of_windows = || Some(wav_tags::named(wave_tag(settings)?, 0));
    let of_quicktime = || Some(codec_names::four(*settings.get(4..)?.first_chunk()?));
    let named = match codec {
        "A_MS/ACM" => of_windows(),
        "A_QUICKTIME" => of_quicktime(),
        _ => None,
    };
    named.unwrap_or_else(|| format!("{} audio", codec.trim_start_matches("A_")))
}

/// The tag of WAV in the settings of a track of Windows, which are the body of a `fmt ` chunk.
fn wave_tag(settings: &[u8]) -> Option<u16> {
    const EXTENSIBLE: u16 = 0xFFFE;
    let number = |at: usize| Some(u16::from_le_bytes(*settings.get(at..)?.first_chunk()?));
    number(0).and_then(|tag| if tag == EXTENSIBLE { number(24) } else { Some(tag) })
}

/// The sample format of a track that symphonia 0.6.1 does not know: those of Windows, and of 8 bits.
pub(super) fn samples(input: &Input, track: u32) -> Option<AudioCodecParameters> {
    let body = body(input)?;
    let mut entries = Elements(&body).filter(|(id, _)| *id == ENTRY).map(|(_, entry)| entry);
    let entry = entries.find(|entry| number(entry, NUMBER) == Some(u64::from(track)))?;
    let audio = find(entry, AUDIO)?;
    let bits = number(audio, BITS);
    let tag = find(entry, SETTINGS).and_then(wave_tag);
    let codec = match (text(entry, CODEC)?.as_str(), tag, bits) {
        ("A_PCM/INT/LIT" | "A_PCM/INT/BIG", _, Some(8)) => id::CODEC_ID_PCM_U8,
        ("A_MS/ACM", Some(1), Some(8)) => id::CODEC_ID_PCM_U8,
        ("A_MS/ACM", Some(1), Some(16)) => id::CODEC_ID_PCM_S16LE,
        ("A_MS/ACM", Some(1), Some(24)) => id::CODEC_ID_PCM_S24LE,
        ("A_MS/ACM", Some(1), Some(32)) => id::CODEC_ID_PCM_S32LE,
        ("A_MS/ACM", Some(3), Some(32)) => id::CODEC_ID_PCM_F32LE,
        ("A_MS/ACM", Some(3), Some(64)) => id::CODEC_ID_PCM_F64LE,
        ("A_MS/ACM", Some(6), _) => id::CODEC_ID_PCM_ALAW,
        ("A_MS/ACM", Some(7), _) => id::CODEC_ID_PCM_MULAW,
        _ => return None,
    };
    let rate = match *find(audio, SAMPLING_RATE)? {
        [a, b, c, d] => f64::from(f32::from_be_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => f64::from_be_bytes([a, b, c, d, e, f, g, h]),
        _ => return None,
    };
    let mut params = AudioCodecParameters::new();
    params.for_codec(codec).with_sample_rate(rate.round() as u32);
    let channels = number(audio, CHANNELS).unwrap_or(1);
    params.with_channels(Channels::Discrete(u16::try_from(channels).ok()?));
    let is_law = matches!(codec, id::CODEC_ID_PCM_ALAW | id::CODEC_ID_PCM_MULAW);
    if let Some(bits) = bits.and_then(|bits| u32::try_from(bits).ok()).filter(|_| !is_law) {
        params.with_bits_per_sample(bits).with_bits_per_coded_sample(bits);
    }
    Some(params)
}

/// The id of an element, the size of its content (`None`: up to its end), and the length of both fields.
fn head_of(bytes: &[u8]) -> Option<(u32, Option<u64>, usize)> {
    let id_length = bytes.first()?.leading_zeros() as usize + 1;
    let id = bytes.get(..id_length).filter(|_| id_length <= 4)?;
    let id = id.iter().fold(0, |id, byte| id << 8 | u32::from(*byte));
    let first = *bytes.get(id_length)?;
    let length = first.leading_zeros() as usize + 1;
    let rest = bytes.get(id_length + 1..id_length + length).filter(|_| length <= 8)?;
    let own = u64::from(first) & ((1u64 << (8 - length)) - 1);
    let size = rest.iter().fold(own, |size, byte| size << 8 | u64::from(*byte));
    let is_known = size != (1u64 << (7 * length)) - 1;
    Some((id, is_known.then_some(size), id_length + length))
}

/// The elements that follow one another in some bytes.
struct Elements<'a>(&'a [u8]);

impl<'a> Iterator for Elements<'a> {
    type Item = (u32, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (id, size, length) = head_of(self.0)?;
        let rest = self.0.get(length..)?;
        let size = usize::try_from(size?).unwrap_or(usize::MAX).min(rest.len());
        let (body, rest) = rest.split_at_checked(size)?;
        self.0 = rest;
        Some((id, body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_of_unknown_size_and_a_cut_one_are_no_harm() {
        assert_eq!(head_of(b"\x1A\x45\xDF\xA3\x84"), Some((0x1A45_DFA3, Some(4), 5)));
        assert_eq!(head_of(b"\xAE\xFF"), Some((ENTRY, None, 2)));
        assert_eq!(head_of(b"\xAE\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), Some((ENTRY, None, 9)));
        assert_eq!(head_of(b"\xAE\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), None);
        assert_eq!(head_of(b"\x00\x00"), None);
        assert_eq!(
            Elements(b"\x83\x81\x02\x53\x6E\x89Mic").collect::<Vec<_>>(),
            [(KIND, &b"\x02"[..]), (NAME, &b"Mic"[..]),]
        );
    }
}
