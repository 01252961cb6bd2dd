//! Stable typed identifiers: a prefix that names the kind, and 48 bits in hexadecimal.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Why a text is no identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is no {kind} id: expected {kind}_ and 12 hexadecimal digits")]
pub struct ParseIdError {
    /// The text that was read.
    pub text: String,
    /// The prefix that was expected.
    pub kind: &'static str,
}

const BITS: u64 = (1 << 48) - 1;

fn parse(text: &str, kind: &'static str) -> Result<u64, ParseIdError> {
    text.strip_prefix(kind)
        .and_then(|rest| rest.strip_prefix('_'))
        .filter(|hex| hex.len() == 12 && !hex.contains('+'))
        .and_then(|hex| u64::from_str_radix(hex, 16).ok())
        .ok_or_else(|| ParseIdError { text: text.chars().take(80).collect(), kind })
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub struct $name(u64);

        impl $name {
            /// The prefix of this kind of id.
            pub const PREFIX: &'static str = $prefix;

            /// From any number; the lower 48 bits are kept.
            #[must_use]
            pub const fn new(bits: u64) -> Self {
                Self(bits & BITS)
            }

            /// The 48 bits.
            #[must_use]
            pub const fn bits(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "_{:012x}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                parse(text, $prefix).map(Self)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }

        impl TryFrom<String> for $name {
            type Error = ParseIdError;
            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    };
}

id!(/// A session.
    SessionId, "session");
id!(/// A track or bus.
    TrackId, "track");
id!(/// A clip.
    ClipId, "clip");
id!(/// A source.
    SourceId, "src");
id!(/// A marker.
    MarkerId, "marker");
id!(/// A group of tracks that are edited together.
    GroupId, "group");
id!(/// A processor on a track or on the mix.
    InsertId, "fx");
id!(/// A described piece of a source.
    SegmentId, "seg");
id!(/// A code of the codebook.
    CodeId, "code");
id!(/// A phrase of the assembly.
    PhraseId, "phr");
id!(/// A plan.
    PlanId, "plan");

/// Any object of a session: what a change, a finding or a prediction is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum ObjectId {
    /// The session itself: its mix, tempo, selection.
    Session(SessionId),
    /// A track or bus.
    Track(TrackId),
    /// A clip.
    Clip(ClipId),
    /// A source.
    Source(SourceId),
    /// A marker.
    Marker(MarkerId),
    /// A group.
    Group(GroupId),
    /// A processor.
    Insert(InsertId),
    /// A described piece of a source.
    Segment(SegmentId),
    /// A code.
    Code(CodeId),
    /// A phrase.
    Phrase(PhraseId),
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Session(id) => id.fmt(f),
            Self::Track(id) => id.fmt(f),
            Self::Clip(id) => id.fmt(f),
            Self::Source(id) => id.fmt(f),
            Self::Marker(id) => id.fmt(f),
            Self::Group(id) => id.fmt(f),
            Self::Insert(id) => id.fmt(f),
            Self::Segment(id) => id.fmt(f),
            Self::Code(id) => id.fmt(f),
            Self::Phrase(id) => id.fmt(f),
        }
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ObjectId {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split('_').next().unwrap_or_default() {
            SessionId::PREFIX => text.parse().map(Self::Session),
            TrackId::PREFIX => text.parse().map(Self::Track),
            ClipId::PREFIX => text.parse().map(Self::Clip),
            SourceId::PREFIX => text.parse().map(Self::Source),
            MarkerId::PREFIX => text.parse().map(Self::Marker),
            GroupId::PREFIX => text.parse().map(Self::Group),
            InsertId::PREFIX => text.parse().map(Self::Insert),
            SegmentId::PREFIX => text.parse().map(Self::Segment),
            CodeId::PREFIX => text.parse().map(Self::Code),
            PhraseId::PREFIX => text.parse().map(Self::Phrase),
            _ => Err(ParseIdError { text: text.chars().take(80).collect(), kind: "object" }),
        }
    }
}

impl From<ObjectId> for String {
    fn from(id: ObjectId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for ObjectId {
    type Error = ParseIdError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

macro_rules! object {
    ($($kind:ident($id:ident)),*) => {
        $(impl From<$id> for ObjectId {
            fn from(id: $id) -> Self {
                Self::$kind(id)
            }
        })*
    };
}
object!(
    Session(SessionId),
    Track(TrackId),
    Clip(ClipId),
    Source(SourceId),
    Marker(MarkerId),
    Group(GroupId),
    Insert(InsertId),
    Segment(SegmentId),
    Code(CodeId),
    Phrase(PhraseId)
);

/// Makes the ids of the things that one tool call creates.
///
/// They derive from tool, parameters, base revision and a running index, so that the same call on the
/// same session gives the same plan through every front end.
#[derive(Clone, Debug)]
pub struct IdSeed {
    hasher: blake3::Hasher,
    next: u64,
}

impl IdSeed {
    /// Seeds from the call; `params` should be canonical JSON.
    #[must_use]
    pub fn new(tool: &str, params: &str, base: u64) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(tool.as_bytes()).update(&[0]).update(params.as_bytes());
        hasher.update(&base.to_le_bytes());
        Self { hasher, next: 0 }
    }

    /// The bits of the next id; wrap them as `ClipId::new(seed.next_bits())`.
    pub fn next_bits(&mut self) -> u64 {
        let mut hasher = self.hasher.clone();
        hasher.update(&self.next.to_le_bytes());
        self.next += 1;
        let mut bytes = [0; 8];
        hasher.finalize_xof().fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_as_text() {
        let id = ClipId::new(0x1234_5678_9abc);
        assert_eq!(id.to_string(), "clip_123456789abc");
        assert_eq!("clip_123456789abc".parse(), Ok(id));
        assert_eq!("clip_123456789abc".parse(), Ok(ObjectId::Clip(id)));
    }

    #[test]
    fn a_wrong_prefix_says_what_was_expected() {
        let error = "track_123456789abc".parse::<ClipId>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"track_123456789abc\" is no clip id: expected clip_ and 12 hexadecimal digits"
        );
        assert!("plan_zz".parse::<ObjectId>().is_err());
        assert!("clip_+23456789abc".parse::<ClipId>().is_err());
    }

    #[test]
    fn the_same_call_makes_the_same_ids() {
        let mut a = IdSeed::new("cmd_split_clip", "{}", 3);
        let mut b = IdSeed::new("cmd_split_clip", "{}", 3);
        assert_eq!((a.next_bits(), a.next_bits()), (b.next_bits(), b.next_bits()));
        assert_ne!(a.next_bits(), IdSeed::new("cmd_split_clip", "{}", 4).next_bits());
    }
}
