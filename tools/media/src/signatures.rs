//! What files begin with: the signatures of known kinds, and of tags before and after the sound.

/// What a file of a known kind begins with: the place in the file, and the bytes there.
// tidy: table
const FILES: [(usize, &[u8]); 12] = [
    (0, b"RIFF"),
    (0, b"RIFX"),
    (0, b"RF64"),
    (0, b"BW64"),
    (0, b"FORM"),
    (0, b"OggS"),
    (0, b"fLaC"),
    (0, &[0x1A, 0x45, 0xDF, 0xA3]),
    (4, b"ftyp"),
    // The note of an encoder in the first frame of an MP3 file, in stereo and in mono.
    (36, b"Xing"),
    (36, b"Info"),
    (21, b"Info"),
];

/// The bytes from the start of a file that show its kind or the size of a tag.
pub(crate) const MOST_HEAD: usize = 48;

/// Whether a file of a known kind begins with `head`.
pub(crate) fn is_file(head: &[u8]) -> bool {
    let is_frame = matches!(head, [0xFF, second, ..] if second & 0xE0 == 0xE0);
    let begins = |(at, mark): &(usize, &[u8])| {
        let found = head.get(*at..).is_some_and(|rest| rest.starts_with(mark));
        // The notes of encoders are inside a frame.
        found && (*at < 8 || is_frame)
    };
    FILES.iter().any(begins)
}

/// The length of the tag that begins with `head`, which contains no sound: ID3v2, ID3v1, APE.
pub(crate) fn tag_bytes(head: &[u8]) -> Option<u64> {
    match head {
        [b'I', b'D', b'3', _, _, flags, size @ ..] => {
            let size = size.get(..4)?;
            let body = size.iter().fold(0, |n, byte| n << 7 | u64::from(*byte & 0x7F));
            Some(10 + body + if flags & 0x10 != 0 { 10 } else { 0 })
        }
        [b'T', b'A', b'G', ..] => Some(128),
        [b'A', b'P', b'E', b'T', b'A', b'G', b'E', b'X', _, _, _, _, a, b, c, d, ..] => {
            Some(32 + u64::from(u32::from_le_bytes([*a, *b, *c, *d])))
        }
        _ => None,
    }
}
