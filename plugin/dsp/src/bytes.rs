//! The frame of our cache files: magic, version, content, checksum.
//!
//! The checksum finds accidents, not attacks; what it guards can always be measured again.

/// Collects the bytes of one cache file.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new(magic: &[u8; 4], version: u16) -> Self {
        let mut bytes = magic.to_vec();
        bytes.extend(version.to_le_bytes());
        Self(bytes)
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn put_floats(&mut self, floats: &[f32]) {
        self.0.reserve(floats.len() * 4);
        for float in floats {
            self.0.extend_from_slice(&float.to_le_bytes());
        }
    }

    /// The bytes with their checksum.
    pub(crate) fn sealed(mut self) -> Vec<u8> {
        let sum = checksum(&self.0);
        self.put(&sum.to_le_bytes());
        self.0
    }
}

/// Parses such a file; every method gives `None` instead of reading past the end.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Checks magic and checksum; gives the version and the content.
    pub(crate) fn open(bytes: &'a [u8], magic: &[u8; 4]) -> Option<(u16, Self)> {
        let (content, sum) = bytes.split_last_chunk::<8>()?;
        if checksum(content) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut reader = Self(content.strip_prefix(magic.as_slice())?);
        Some((u16::from_le_bytes(reader.take()?), reader))
    }

    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        let (floats, rest) = self.0.split_at_checked(count.checked_mul(4)?)?;
        self.0 = rest;
        let (floats, _) = floats.as_chunks::<4>();
        Some(floats.iter().map(|float| f32::from_le_bytes(*float)).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// In the manner of FNV-1a, over words of eight bytes: a byte at a time would take longer than the
/// measurement that it guards takes to load.
fn checksum(bytes: &[u8]) -> u64 {
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().map(|word| u64::from_le_bytes(*word)).fold(0xcbf2_9ce4_8422_2325, mix);
    let sum = rest.iter().map(|byte| u64::from(*byte)).fold(sum, mix);
    mix(sum, bytes.len() as u64)
}
