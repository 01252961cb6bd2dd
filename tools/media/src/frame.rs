//! The header of one frame of MPEG audio (ISO/IEC 11172-3 and 13818-3) or ADTS (13818-7).

/// A frame as its header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) bytes: u64,
    /// Version, layer, rate and number of channels, as far as a decoder must be made for them.
    pub(crate) shape: u32,
    /// It holds no sound: an encoder's note about the file that begins here (Xing, Info, VBRI).
    pub(crate) is_tag: bool,
}

/// This many bytes describe a frame completely.
pub(crate) const MOST_HEAD: usize = 48;

/// kbit/s by version 1 or not, layer, and index.
// tidy: table
const BIT_RATES: [[[u64; 15]; 3]; 2] = [
    [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ],
    [
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ],
];

/// The frame with these first bytes. `None` for a free bit rate, which does not give the length of a frame.
pub(crate) fn parse(head: &[u8]) -> Option<Frame> {
    let [0xFF, b, c, d, e, f, ..] = *head else {
        return None;
    };
    if b & 0xF6 == 0xF0 {
        let bytes = u64::from(d & 3) << 11 | u64::from(e) << 3 | u64::from(f) >> 5;
        let shape = 1 << 16 | u32::from(c & 0xFD) << 8 | u32::from(d & 0xC0);
        return (bytes > 7 && c >> 2 & 15 < 13).then_some(Frame { bytes, shape, is_tag: false });
    }
    mpeg(head, [b, c, d])
}

/// The layer of the frame of MPEG audio that begins with `head`.
pub(crate) fn layer(head: &[u8]) -> Option<usize> {
    let [0xFF, b, ..] = *head else {
        return None;
    };
    let layer = 4 - usize::from(b >> 1 & 3);
    (b & 0xE0 == 0xE0 && layer < 4).then_some(layer)
}

fn mpeg(head: &[u8], [b, c, d]: [u8; 3]) -> Option<Frame> {
    // 0: version 2.5, 2: version 2, 3: version 1.
    let (version, layer) = (b >> 3 & 3, layer(head)?);
    if version == 1 {
        return None;
    }
    let one = version == 3;
    let kbits = BIT_RATES.get(usize::from(!one))?.get(layer - 1)?.get(usize::from(c >> 4))?;
    let base = [44_100u64, 48_000, 32_000].get(usize::from(c >> 2 & 3)).copied()?;
    let rate = base
        >> match version {
            3 => 0,
            2 => 1,
            _ => 2,
        };
    let samples = match (layer, one) {
        (1, _) => 384,
        (3, false) => 576,
        _ => 1152,
    };
    let slot = if layer == 1 { 4 } else { 1 };
    let bytes = (samples / 8 * kbits * 1000 / rate / slot + u64::from(c >> 1 & 1)) * slot;
    let mono = d >> 6 == 3;
    let shape = u32::from(b & 0xFE) << 8 | u32::from(c & 0x0C) << 1 | u32::from(mono);
    let is_tag = layer == 3 && is_tag(head, one, mono);
    (*kbits > 0).then_some(Frame { bytes, shape, is_tag })
}

fn is_tag(head: &[u8], one: bool, mono: bool) -> bool {
    let side = match (one, mono) {
        (true, false) => 32,
        (true, true) | (false, false) => 17,
        (false, true) => 9,
    };
    let at = |place: usize, names: &[&[u8]]| {
        let found = head.get(place..place + 4);
        found.is_some_and(|found| names.contains(&found))
    };
    // With a checksum two bytes come in between.
    at(4 + side, &[b"Xing", b"Info"]) || at(6 + side, &[b"Xing", b"Info"]) || at(36, &[b"VBRI"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_as_long_as_their_headers_say() {
        let bytes = |head: &[u8]| parse(&[head, &[0; 40]].concat()).map(|frame| frame.bytes);
        assert_eq!(bytes(&[0xFF, 0xFB, 0x90, 0x64]), Some(417), "128 kbit/s at 44.1 kHz");
        assert_eq!(bytes(&[0xFF, 0xFB, 0x92, 0x64]), Some(418), "padded");
        assert_eq!(bytes(&[0xFF, 0xF3, 0x84, 0xC4]), Some(192), "64 kbit/s at 24 kHz");
        assert_eq!(bytes(&[0xFF, 0xFB, 0x00, 0x64]), None, "a free bit rate");
        assert_eq!(bytes(&[0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F]), Some(371), "ADTS");
        assert_eq!(bytes(&[0xFF, 0xD8, 0xFF, 0xE0]), None, "a photo");
    }

    #[test]
    fn an_encoders_note_is_no_sound() {
        let mut head = [0; MOST_HEAD];
        head[..4].copy_from_slice(&[0xFF, 0xFB, 0x90, 0x64]);
        assert!(!parse(&head).unwrap().is_tag);
        head[36..40].copy_from_slice(b"Xing");
        assert!(parse(&head).unwrap().is_tag);
    }
}
