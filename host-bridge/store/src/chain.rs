//! The hash chain over the events: each hash covers the one before it.

/// Hash of an event and of all before it.
pub(crate) type Hash = [u8; 32];

/// What the first event follows.
pub(crate) const START: Hash = [0; 32];

/// `BLAKE3(previous, seq, length of kind, kind, body)`, integers as 8 bytes little-endian.
pub(crate) fn link(previous: &Hash, seq: i64, kind: &str, body: &str) -> Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(previous).update(&seq.to_le_bytes());
    hasher.update(&(kind.len() as u64).to_le_bytes());
    hasher.update(kind.as_bytes()).update(body.as_bytes());
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts() {
        let base = link(&START, 1, "head", "{}");
        assert_eq!(base, link(&START, 1, "head", "{}"));
        assert_ne!(base, link(&base, 1, "head", "{}"));
        assert_ne!(base, link(&START, 2, "head", "{}"));
        assert_ne!(base, link(&START, 1, "hea", "d{}"));
        assert_ne!(base, link(&START, 1, "head", "{ }"));
    }
}
