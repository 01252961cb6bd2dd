//! What a Matroska or WebM file calls its tracks of audio: symphonia does not tell the names.
//!
//! Source: RFC 9559 section 5.1.4 (Tracks), RFC 8794 (EBML).

use super::input::Input;
use super::tracks::Listed;
use std::io::{Read, Seek, SeekFrom};

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

/// The audio tracks in file order; empty if the track list comes after the audio.
pub(super) fn tracks(input: &Input) -> Vec<Listed> {
    let body = body(input).unwrap_or_default();
    Elements(&body).filter(|(id, _)| *id == ENTRY).filter_map(|(_, entry)| listed(entry)).collect()
}

/// What is read in place of two things for which symphonia 0.6.1 refuses a file that was cut off: the length of the
/// whole, and the lists of where else in the file something is.
pub(super) fn mended(input: &Input) -> Vec<(u64, [u8; 4])> {
    /// An element that counts for nothing, with a length of three bytes.
    const VOID: u32 = 0xEC20_0000;
    let mut mended = Vec::new();
    // Where the part begins in the file.
    let first = input.ranges.first().map_or(0, |range| range.start);
    let head = head(input);
    // What comes after the audio is found by the lists alone.
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

/// The bytes from the start of an element to the next one; of a segment or cluster of unknown size only its own
/// header. `None` if no element of a file begins with `head`.
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

/// What is inside the element that describes the tracks.
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

/// An element in the file, and where what is in it begins and ends.
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

/// What an entry says of a track, if it is one of audio.
fn listed(entry: &[u8]) -> Option<Listed> {
    const AUDIO: u64 = 2;
    const LONGEST: usize = 200;
    let find = |wanted| Elements(entry).find(|(id, _)| *id == wanted).map(|(_, body)| body);
    let text = |id| {
        let bytes = find(id)?;
        let text = String::from_utf8_lossy(bytes.get(..LONGEST).unwrap_or(bytes));
        let text = text.trim_matches(|c: char| c.is_control() || c.is_whitespace());
        (!text.is_empty()).then(|| text.to_owned())
    };
    let number = |id| {
        find(id)?.iter().try_fold(0u64, |sum, byte| Some(sum.checked_mul(256)? + u64::from(*byte)))
    };
    (number(KIND)? == AUDIO).then_some(())?;
    let codec = text(CODEC).map(|id| format!("{} audio", id.trim_start_matches("A_")));
    Some(Listed {
        id: u32::try_from(number(NUMBER)?).ok()?,
        title: text(NAME),
        language: text(LANGUAGE_TAG).or_else(|| text(LANGUAGE)).filter(|code| code != "und"),
        codec,
    })
}

/// The id of an element, the size of what is in it (`None`: up to its end), and the length of both fields.
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
