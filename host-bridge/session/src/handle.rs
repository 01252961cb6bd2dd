//! Handles: `deskhand://` URIs that name what can be looked at, the same in process and over MCP.

use crate::ids::{ClipId, MarkerId, ParseIdError, PhraseId, PlanId, SourceId, TrackId};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The scheme of all handles.
pub const SCHEME: &str = "deskhand://";

/// The longest handle that is read, in bytes.
const LONGEST: usize = 4096;

/// Names something of a session that can be looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Handle {
    /// The session.
    Session,
    /// A track or bus.
    Track(TrackId),
    /// A clip.
    Clip(ClipId),
    /// A source.
    Source(SourceId),
    /// A plan.
    Plan(PlanId),
    /// A marker.
    Marker(MarkerId),
    /// The revisions.
    History,
    /// Spoken words, and data made of them.
    Talk(TalkPart),
    /// A tool, by name.
    Tool(String),
    /// A file, by its path inside the session folder: parts joined by `/`; no part is `.` or `..`.
    File(String),
}

/// Spoken words, and data made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TalkPart {
    /// The transcript of a source.
    Transcript(SourceId),
    /// The codebook.
    Codes,
    /// The segments that are coded.
    Segments,
    /// The phrases: playing ones in order, other takes, and removed ones.
    Assembly,
    /// One phrase.
    Phrase(PhraseId),
}

/// Why a text is no handle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseHandleError {
    /// It does not begin like one, or names a kind that is not there.
    #[error(
        "\"{0}\" is no handle; write deskhand://session, deskhand://history, deskhand://codes, \
         deskhand://segments, deskhand://assembly, or deskhand:// followed by tracks/ID, clips/ID, sources/ID, \
         plans/ID, markers/ID, transcripts/ID of a source, phrases/ID, tools/NAME or files/PATH"
    )]
    Unknown(String),
    /// The id is invalid.
    #[error(transparent)]
    Id(#[from] ParseIdError),
    /// The name of a tool is invalid.
    #[error("\"{0}\" is no name of a tool: letters, digits, _ and - alone")]
    Name(String),
    /// The path leads out of the session folder, or nowhere.
    #[error(
        "\"{0}\" is no path inside the session folder; write it relative to the folder, without . and .."
    )]
    Path(String),
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SCHEME)?;
        match self {
            Self::Session => f.write_str("session"),
            Self::Track(id) => write!(f, "tracks/{id}"),
            Self::Clip(id) => write!(f, "clips/{id}"),
            Self::Source(id) => write!(f, "sources/{id}"),
            Self::Plan(id) => write!(f, "plans/{id}"),
            Self::Marker(id) => write!(f, "markers/{id}"),
            Self::History => f.write_str("history"),
            Self::Talk(TalkPart::Transcript(id)) => write!(f, "transcripts/{id}"),
            Self::Talk(TalkPart::Codes) => f.write_str("codes"),
            Self::Talk(TalkPart::Segments) => f.write_str("segments"),
            Self::Talk(TalkPart::Assembly) => f.write_str("assembly"),
            Self::Talk(TalkPart::Phrase(id)) => write!(f, "phrases/{id}"),
            Self::Tool(name) => write!(f, "tools/{name}"),
            Self::File(path) => write!(f, "files/{}", encoded(path)),
        }
    }
}

impl FromStr for Handle {
    type Err = ParseHandleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || ParseHandleError::Unknown(shown(text));
        let rest = text.strip_prefix(SCHEME).filter(|_| text.len() <= LONGEST);
        let rest = rest.ok_or_else(unknown)?;
        match rest.split_once('/') {
            None if rest == "session" => Ok(Self::Session),
            None if rest == "history" => Ok(Self::History),
            None if rest == "codes" => Ok(Self::Talk(TalkPart::Codes)),
            None if rest == "segments" => Ok(Self::Talk(TalkPart::Segments)),
            None if rest == "assembly" => Ok(Self::Talk(TalkPart::Assembly)),
            Some(("tracks", id)) => Ok(Self::Track(id.parse()?)),
            Some(("clips", id)) => Ok(Self::Clip(id.parse()?)),
            Some(("sources", id)) => Ok(Self::Source(id.parse()?)),
            Some(("plans", id)) => Ok(Self::Plan(id.parse()?)),
            Some(("markers", id)) => Ok(Self::Marker(id.parse()?)),
            Some(("transcripts", id)) => Ok(Self::Talk(TalkPart::Transcript(id.parse()?))),
            Some(("phrases", id)) => Ok(Self::Talk(TalkPart::Phrase(id.parse()?))),
            Some(("tools", name)) => tool(name),
            Some(("files", path)) => file(path),
            _ => Err(unknown()),
        }
    }
}

impl From<Handle> for String {
    fn from(handle: Handle) -> Self {
        handle.to_string()
    }
}

impl TryFrom<String> for Handle {
    type Error = ParseHandleError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

fn tool(name: &str) -> Result<Handle, ParseHandleError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 80 || !name.chars().all(is_plain) {
        return Err(ParseHandleError::Name(shown(name)));
    }
    Ok(Handle::Tool(name.into()))
}

/// Any text stays inside the folder: a root and `..` are refused.
fn file(path: &str) -> Result<Handle, ParseHandleError> {
    let refused = || ParseHandleError::Path(shown(path));
    let decoded = decoded(path).ok_or_else(refused)?;
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    // Drives and streams of Windows have a colon; its separators would hide a way up.
    let is_foreign = |c: char| c.is_control() || c == '\\' || c == ':';
    if !decoded.split('/').all(is_plain) || decoded.chars().any(is_foreign) {
        return Err(refused());
    }
    Ok(Handle::File(decoded))
}

/// The start of a text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A path as a URI writes it (RFC 3986, "unreserved" characters and `/` as they are).
fn encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(byte));
            }
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
}

/// The text of a URI; `None` if an escape is invalid or the bytes are not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first == b'%' {
            let (digits, behind) = rest.split_at_checked(2)?;
            let digits = digits.iter().all(u8::is_ascii_hexdigit).then_some(digits)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = behind;
        } else {
            bytes.push(first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_kind_is_written_and_read() {
        let all = [
            (Handle::Session, "deskhand://session"),
            (Handle::Track(TrackId::new(1)), "deskhand://tracks/track_000000000001"),
            (Handle::Clip(ClipId::new(2)), "deskhand://clips/clip_000000000002"),
            (Handle::Source(SourceId::new(3)), "deskhand://sources/src_000000000003"),
            (Handle::Plan(PlanId::new(4)), "deskhand://plans/plan_000000000004"),
            (Handle::Marker(MarkerId::new(5)), "deskhand://markers/marker_000000000005"),
            (Handle::History, "deskhand://history"),
            (
                Handle::Talk(TalkPart::Transcript(SourceId::new(3))),
                "deskhand://transcripts/src_000000000003",
            ),
            (Handle::Talk(TalkPart::Codes), "deskhand://codes"),
            (Handle::Talk(TalkPart::Segments), "deskhand://segments"),
            (Handle::Talk(TalkPart::Assembly), "deskhand://assembly"),
            (
                Handle::Talk(TalkPart::Phrase(PhraseId::new(6))),
                "deskhand://phrases/phr_000000000006",
            ),
            (Handle::Tool("tool_fades".into()), "deskhand://tools/tool_fades"),
            (Handle::File("media/a b.wav".into()), "deskhand://files/media/a%20b.wav"),
        ];
        for (handle, text) in all {
            assert_eq!(handle.to_string(), text);
            assert_eq!(text.parse(), Ok(handle));
        }
        assert_eq!("deskhand://files/a b.wav".parse(), Ok(Handle::File("a b.wav".into())));
    }

    #[test]
    fn what_is_no_handle_is_refused_with_the_way_out() {
        let error = |text: &str| text.parse::<Handle>().unwrap_err().to_string();
        for text in
            ["", "session", "deskhand:/session", "deskhand://", "deskhand://files", "https://a"]
        {
            assert!(error(text).contains("tracks/ID"), "{text}");
        }
        assert!(error("deskhand://session/").contains("is no handle"));
        assert!(error("deskhand://tracks/clip_000000000001").contains("is no track id"));
        assert!(error("deskhand://tools/../x").contains("is no name of a tool"));
        assert!(error(&format!("deskhand://files/{}", "a".repeat(9_000))).len() < 400);
    }

    #[test]
    fn no_path_leads_out() {
        let paths = [
            "",
            "/",
            "/etc/passwd",
            "..",
            "../a",
            "a/../../b",
            "a//b",
            "./a",
            "a/.",
            "%2e%2e/a",
            "a%2f..%2fb",
            "%2Fetc",
            "C:%5Ca",
            "c:/a",
            "a%00",
            "%",
            "%4",
            "%zz",
            "%+1",
            "%ff",
        ];
        for path in paths {
            let text = format!("deskhand://files/{path}");
            let error = text.parse::<Handle>().unwrap_err();
            assert!(matches!(error, ParseHandleError::Path(_)), "{path}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_file_round_trips(parts in prop::collection::vec("[^/\\\\:\\p{C}]{1,20}", 1..5)) {
            prop_assume!(parts.iter().all(|part| part != "." && part != ".."));
            let handle = Handle::File(parts.join("/"));
            let text = handle.to_string();
            prop_assert!(text.is_ascii());
            prop_assert_eq!(text.parse(), Ok(handle));
        }

        #[test]
        fn nothing_read_leads_out(text in "deskhand://files/(%2e|%2f|\\.|/|a|\\\\|%5c|%){0,12}") {
            if let Ok(Handle::File(path)) = text.parse::<Handle>() {
                let plain = |part: std::path::Component<'_>| matches!(part, std::path::Component::Normal(_));
                prop_assert!(std::path::Path::new(&path).components().all(plain));
            }
        }
    }
}
