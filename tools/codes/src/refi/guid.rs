//! GUIDs of exported things: the same thing of the same session has the same one each time.

use deskhand_session::{IdSeed, SessionId};

/// The GUID of an object with this name in a session, such as an id: a UUID of version 8 (RFC 9562).
pub(super) fn guid(session: SessionId, what: &str) -> String {
    let mut seed = IdSeed::new("refi-qda", what, session.bits());
    let (high, low) = (seed.next_bits(), seed.next_bits());
    let high = (high & !0xf000) | 0x8000;
    let low = (low & !(0b11 << 62)) | (0b10 << 62);
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guids_are_stable_and_of_version_8() {
        let one = guid(SessionId::new(1), "code_000000000001");
        assert_eq!(one, guid(SessionId::new(1), "code_000000000001"));
        assert_ne!(one, guid(SessionId::new(2), "code_000000000001"));
        assert_ne!(one, guid(SessionId::new(1), "code_000000000002"));
        let parts: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert_eq!(&one[14..15], "8");
        assert!("89ab".contains(&one[19..20]), "{one}");
    }
}
