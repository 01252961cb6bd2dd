//! The `CHAN` chunk, in which AIFF files say which channel is which.

use crate::chunks::Kind;
use crate::speakers;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// The names of the channels of the AIFF file at `path`; empty if it does not say.
pub(crate) fn of_aiff(path: &Path, channels: usize) -> Vec<String> {
    File::open(path).ok().and_then(|file| chan(file, channels)).unwrap_or_default()
}

/// The chunk begins with a tag and a mask.
fn chan(mut file: impl Read + Seek, channels: usize) -> Option<Vec<String>> {
    let kind = Kind::of(&mut file)?;
    kind.find(&mut file, *b"CHAN")?;
    let mut body = [0; 8];
    file.read_exact(&mut body).ok()?;
    let [tag @ .., a, b, c, d] = body;
    Some(speakers::of_tag(kind.u32(tag), kind.u32([a, b, c, d]), channels))
}

#[cfg(test)]
mod tests {
    use super::chan;
    use std::io::Cursor;

    fn file(chunks: &[(&[u8], &[u8])]) -> Cursor<Vec<u8>> {
        let mut bytes = b"FORM\0\0\0\0AIFF".to_vec();
        for (id, body) in chunks {
            bytes.extend(*id);
            bytes.extend((body.len() as u32).to_be_bytes());
            bytes.extend(*body);
            bytes.extend(vec![0; body.len() % 2]);
        }
        Cursor::new(bytes)
    }

    #[test]
    fn the_chunk_is_found_behind_others() {
        let layout: &[u8] = &[0, 122, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0];
        let found = chan(file(&[(b"NAME", b"odd"), (b"CHAN", layout)]), 6);
        assert_eq!(found.unwrap(), ["L", "R", "Ls", "Rs", "C", "LFE"]);
        assert_eq!(chan(file(&[(b"CHAN", layout)]), 5), Some(Vec::new()));
        assert_eq!(chan(file(&[(b"NAME", b"odd")]), 6), None);
        assert_eq!(chan(file(&[(b"CHAN", &layout[..5])]), 6), None);
    }
}
