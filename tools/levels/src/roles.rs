//! The role of a track in a mix: by its name, or by the analysis of its recordings.

use deskhand_session::{Session, TrackId, TrackKind};

/// The part of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Role {
    LeadVocal,
    Backing,
    Speech,
    Kick,
    Snare,
    Hats,
    Drums,
    Percussion,
    Bass,
    Guitar,
    Keys,
    Strings,
    Brass,
    Music,
    Ambience,
    Effects,
    Other,
}

/// A microphone of that name hears drums in a band, and everybody in a talk.
const ROOM: &str = "room";

/// Words of names, the first that fits wins: "Backing Vox" is no lead.
const WORDS: &[(Role, &[&str])] = &[
    (
        Role::Backing,
        &["backing", "bgv", "bvox", "bv", "choir", "harmony", "harmonies", "double", "dbl"],
    ),
    (
        Role::Speech,
        &[
            "host",
            "guest",
            "speech",
            "voice",
            "voiceover",
            "vo",
            "dialog",
            "dialogue",
            "interview",
            "narrator",
            "speaker",
            "talk",
            "podcast",
        ],
    ),
    (Role::LeadVocal, &["lead", "vocal", "vocals", "vox", "singer", "voc"]),
    (Role::Kick, &["kick", "kik", "kck", "bd", "bassdrum"]),
    (Role::Snare, &["snare", "snr", "sd", "clap", "rim"]),
    (Role::Hats, &["hat", "hats", "hh", "hihat", "cymbal", "cymbals", "ride", "crash"]),
    (
        Role::Percussion,
        &["perc", "percussion", "shaker", "tamb", "tambourine", "conga", "congas", "bongo"],
    ),
    (
        Role::Drums,
        &["drum", "drums", "drm", "kit", "tom", "toms", "overhead", "overheads", "oh", "ohs", ROOM],
    ),
    (Role::Bass, &["bass", "bs", "sub"]),
    (Role::Guitar, &["guitar", "guitars", "gtr", "gtrs", "git", "acoustic", "banjo", "ukulele"]),
    (
        Role::Keys,
        &[
            "keys", "key", "piano", "pno", "organ", "rhodes", "synth", "synths", "pad", "pads",
            "keyboard",
        ],
    ),
    (Role::Strings, &["strings", "string", "violin", "violins", "viola", "cello", "cellos"]),
    (Role::Brass, &["brass", "horns", "horn", "trumpet", "sax", "trombone", "flute"]),
    (
        Role::Ambience,
        &["ambience", "ambient", "amb", "atmo", "atmos", "roomtone", "audience", "crowd"],
    ),
    (Role::Effects, &["fx", "sfx", "effect", "effects", "foley", "riser", "jingle"]),
    (
        Role::Music,
        &["music", "song", "beat", "backing track", "instrumental", "playback", "theme", "bed"],
    ),
];

impl Role {
    /// By words in a name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let words: Vec<String> = words_of(name);
        let fits =
            |(_, known): &&(Self, &[&str])| words.iter().any(|word| known.contains(&word.as_str()));
        WORDS.iter().find(fits).map(|(role, _)| *role)
    }

    /// By what analysis calls the content of a recording.
    fn of_content(content: &str) -> Option<Self> {
        match content {
            "speech" => Some(Self::Speech),
            "singing" => Some(Self::LeadVocal),
            "music" => Some(Self::Music),
            "drums" => Some(Self::Drums),
            "noise" => Some(Self::Ambience),
            _ => None,
        }
    }

    /// The bus that tracks of this part share; `None` for those without one.
    pub(crate) fn bus(self) -> Option<&'static str> {
        match self {
            Self::LeadVocal | Self::Backing => Some("Vocals"),
            Self::Speech => Some("Speech"),
            Self::Kick | Self::Snare | Self::Hats | Self::Drums | Self::Percussion => Some("Drums"),
            Self::Bass => Some("Bass"),
            Self::Guitar => Some("Guitars"),
            Self::Keys => Some("Keys"),
            Self::Strings | Self::Brass => Some("Orchestra"),
            Self::Music => Some("Music"),
            Self::Ambience | Self::Effects => Some("Effects"),
            Self::Other => None,
        }
    }

    /// How people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::LeadVocal => "lead vocal",
            Self::Backing => "backing vocals",
            Self::Speech => "speech",
            Self::Kick => "kick",
            Self::Snare => "snare",
            Self::Hats => "cymbals",
            Self::Drums => "drums",
            Self::Percussion => "percussion",
            Self::Bass => "bass",
            Self::Guitar => "guitar",
            Self::Keys => "keys",
            Self::Strings => "strings",
            Self::Brass => "brass",
            Self::Music => "music",
            Self::Ambience => "ambience",
            Self::Effects => "effects",
            Self::Other => "something else",
        }
    }

    /// This part has nothing below this frequency, in Hz; `None` if its lows matter.
    pub(crate) fn low_cut(self) -> Option<f64> {
        match self {
            Self::LeadVocal | Self::Speech | Self::Guitar => Some(80.0),
            Self::Backing | Self::Snare | Self::Strings => Some(100.0),
            Self::Hats => Some(250.0),
            Self::Percussion | Self::Ambience => Some(120.0),
            Self::Brass => Some(70.0),
            Self::Kick
            | Self::Drums
            | Self::Bass
            | Self::Keys
            | Self::Music
            | Self::Effects
            | Self::Other => None,
        }
    }
}

/// Lower-case words, cut at anything that is no letter, and between a small and a capital letter.
fn words_of(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut last = ' ';
    for c in name.chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && last.is_lowercase()) {
            spaced.push(' ');
        }
        if c.is_alphabetic() {
            spaced.extend(c.to_lowercase());
        }
        last = c;
    }
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// The part of a track, and how it is known: "by its name", "by its content".
pub(crate) fn role_of(session: &Session, id: TrackId) -> (Role, &'static str) {
    let Some(track) = session.tracks.get(&id) else {
        return (Role::Other, "unknown");
    };
    let by_content = || match track.kind {
        TrackKind::Bus => None,
        TrackKind::Audio => session.content_of(id).and_then(Role::of_content),
    };
    let heard = |role| (role, "by its content");
    match Role::of_name(&track.name) {
        Some(Role::Drums) if is_room(&track.name) && by_content() == Some(Role::Speech) => {
            heard(Role::Speech)
        }
        Some(role) => (role, "by its name"),
        None => by_content().map_or((Role::Other, "unknown"), heard),
    }
}

/// Whether a room is all that a name tells.
fn is_room(name: &str) -> bool {
    let words = words_of(name);
    words.iter().any(|word| word == ROOM)
        && words.iter().all(|word| word == ROOM || Role::of_name(word).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::{SegmentId, Track};
    use deskhand_toolkit::testing::{Desk, tone};
    use serde_json::json;

    #[test]
    fn names_tell_parts() {
        let expected = [
            ("Kick In", Some(Role::Kick)),
            ("03_LeadVox", Some(Role::LeadVocal)),
            ("BGV 2", Some(Role::Backing)),
            ("Host mic", Some(Role::Speech)),
            ("Bass DI", Some(Role::Bass)),
            ("E-Gtr L", Some(Role::Guitar)),
            ("OH", Some(Role::Drums)),
            ("Music bed", Some(Role::Music)),
            ("Track 7", None),
            ("Basso", None),
        ];
        for (name, role) in expected {
            assert_eq!(Role::of_name(name), role, "{name}");
        }
    }

    #[test]
    fn a_room_microphone_is_what_it_hears() {
        let mut desk = Desk::new(crate::all());
        let [room, drums] = ["Room mic", "Drum room"].map(|name| {
            let track = desk.track(Track::audio(name));
            desk.clip(track, name, 0, tone(300.0, -20.0, 1.0));
            track
        });
        assert_eq!(role_of(&desk.session, room), (Role::Drums, "by its name"));
        let speech = json!({"content": {"value": "speech", "by": "tool_classify_content"}});
        let sources: Vec<_> = desk.session.sources.keys().copied().collect();
        for (n, source) in sources.into_iter().enumerate() {
            let segment =
                json!({"source": source, "start": 0, "length": 48_000, "description": speech});
            let id = SegmentId::new(n as u64 + 1);
            desk.session.segments.insert(id, serde_json::from_value(segment).unwrap());
        }
        assert_eq!(role_of(&desk.session, room), (Role::Speech, "by its content"));
        assert_eq!(role_of(&desk.session, drums), (Role::Drums, "by its name"));
    }
}
