//! A film of QuickTime with one track of raw samples, written box by box.

/// A box of `name` around `parts`.
pub(crate) fn boxed(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [&(body.len() as u32 + 8).to_be_bytes()[..], name, &body].concat()
}

/// The description of raw samples, and the value in `stsz` for the bytes of a frame.
pub(crate) struct Raw<'a> {
    pub(crate) kind: &'a [u8; 4],
    pub(crate) channels: u16,
    pub(crate) bits: u16,
    pub(crate) boxes: Vec<u8>,
    pub(crate) frame: u32,
}

/// The film with `samples`, of `frames` frames at 48 kHz.
pub(crate) fn film(raw: &Raw<'_>, frames: u32, samples: &[u8]) -> Vec<u8> {
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>();
    let head = boxed(b"ftyp", &[b"qt  \0\0\0\0qt  "]);
    let data = boxed(b"mdat", &[samples]);
    let (channels, bits) = (raw.channels.to_be_bytes(), raw.bits.to_be_bytes());
    let fields = [&[0, 0, 0, 0, 0, 0, 0, 1][..], &[0; 8], &channels, &bits, &[0; 4]];
    let entry = boxed(raw.kind, &[&fields.concat(), &words(&[48_000 << 16]), &raw.boxes]);
    let tables = boxed(
        b"stbl",
        &[
            &boxed(b"stsd", &[&words(&[0, 1]), &entry]),
            &boxed(b"stts", &[&words(&[0, 1, frames, 1])]),
            &boxed(b"stsc", &[&words(&[0, 1, 1, frames, 1])]),
            &boxed(b"stsz", &[&words(&[0, raw.frame, frames])]),
            &boxed(b"stco", &[&words(&[0, 1, head.len() as u32 + 8])]),
        ],
    );
    let media = boxed(
        b"mdia",
        &[
            &boxed(b"mdhd", &[&words(&[0, 0, 0, 48_000, frames, 0])]),
            &boxed(b"hdlr", &[&[0; 8], b"soun", &[0; 13]]),
            &boxed(b"minf", &[&boxed(b"smhd", &[&[0; 8]]), &tables]),
        ],
    );
    let header = boxed(b"tkhd", &[&words(&[1, 0, 0, 1, 0, frames]), &[0; 60]]);
    let movie = boxed(b"mvhd", &[&words(&[0, 0, 0, 48_000, frames]), &[0; 80]]);
    let moov = boxed(b"moov", &[&movie, &boxed(b"trak", &[&header, &media])]);
    [head, data, moov].concat()
}
