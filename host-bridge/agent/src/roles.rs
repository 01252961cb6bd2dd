//! What people call instruments and voices, as data: synonyms of name words, and role words.

/// Words in names that mean the same, and the form they are compared in.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("vocal", &["vocals", "vox", "voc", "vocs", "vx", "voxes"]),
    ("backing", &["background", "backup", "bgv", "bgvs", "bv", "bvs"]),
    ("guitar", &["guitars", "gtr", "gtrs", "gt", "gits"]),
    ("overhead", &["overheads", "oh", "ohs"]),
    ("hat", &["hats", "hihat", "hihats", "hh"]),
    ("kick", &["kik", "bd", "kicks"]),
    ("snare", &["sn", "sd", "snr", "snares"]),
    ("drum", &["drums", "drm"]),
    ("percussion", &["perc", "percs"]),
    ("dialogue", &["dialog", "dx", "dialogs", "dialogues"]),
    ("voiceover", &["vo", "narration"]),
    ("mic", &["mics", "mike", "mikes", "microphone", "microphones"]),
    ("keyboard", &["keys", "kbd", "keyboards"]),
    ("acoustic", &["acou", "acc"]),
    ("electric", &["elec"]),
    ("left", &["l", "lt"]),
    ("right", &["r", "rt"]),
    ("bass", &["basses"]),
];

/// A word that stands for every track whose name has one of some words.
pub(crate) struct Role {
    /// What people say, in the plural where there is one.
    pub title: &'static str,
    /// The words that are said, as [`stem`]s.
    pub said: &'static [&'static str],
    /// Stems in track names that have the role.
    pub names: &'static [&'static str],
    /// Stems that take a name out of the role.
    pub but: &'static [&'static str],
    /// Said words that mean one thing: if several tracks have the role, which one must be asked.
    pub single: &'static [&'static str],
}

impl Role {
    /// What analysis calls the content of such tracks, where it tells it from others.
    pub(crate) fn content(&self) -> Option<&'static str> {
        match self.title {
            "the dialogue" => Some("speech"),
            "the music" => Some("music"),
            _ => None,
        }
    }

    /// Whether it means who speaks, which is known by what was transcribed.
    pub(crate) fn is_of_speech(&self) -> bool {
        self.names.contains(&"dialogue")
    }
}

#[rustfmt::skip]
const DRUMS: &[&str] = &[
    "drum", "kick", "snare", "tom", "overhead", "hat", "cymbal", "crash", "ride", "kit", "clap", "shaker",
    "tambourine", "conga", "bongo", "cowbell", "percussion", "rimshot",
];
const BASS: &[&str] = &["bass", "sub", "808"];
const GUITARS: &[&str] =
    &["guitar", "acoustic", "electric", "strat", "tele", "banjo", "ukulele", "mandolin"];
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "keyboard", "piano", "organ", "rhode", "synth", "pad", "wurli", "clav", "wurlitzer", "epiano", "arp",
];
const STRINGS: &[&str] = &["string", "violin", "viola", "cello", "contrabass", "fiddle"];
const BRASS: &[&str] =
    &["brass", "horn", "trumpet", "trombone", "sax", "saxophone", "tuba", "flugelhorn"];
const VOCALS: &[&str] = &["vocal", "singer", "choir", "harmony", "harmonie", "adlib"];
#[rustfmt::skip]
const SPEECH: &[&str] = &[
    "dialogue", "speech", "interview", "podcast", "host", "guest", "narrator", "voiceover", "lav", "boom",
    "presenter", "speaker", "interviewer", "interviewee", "moderator", "cohost", "episode", "voice",
];
const MUSIC: &[&str] =
    &["music", "bed", "song", "score", "theme", "jingle", "soundtrack", "underscore"];

/// The roles. "music", "band" and "voice" are put together in [`names_of`].
pub(crate) const ROLES: &[Role] = &[
    Role {
        title: "the drums",
        said: &["drum", "kit", "drumkit"],
        names: DRUMS,
        but: &["bed", "music"],
        single: &["drum"],
    },
    Role {
        title: "the cymbals",
        said: &["cymbal"],
        names: &["cymbal", "crash", "ride", "hat", "overhead"],
        but: &[],
        single: &[],
    },
    Role {
        title: "the vocals",
        said: &["vocal", "singer", "singing"],
        names: VOCALS,
        but: &[],
        single: &["vocal", "singer"],
    },
    Role {
        title: "the dialogue",
        said: &[
            "dialogue",
            "speech",
            "interview",
            "talking",
            "speaker",
            "voiceover",
            "someone",
            "somebody",
            "anyone",
            "anybody",
        ],
        names: SPEECH,
        but: &["music", "vocal"],
        single: &["speaker"],
    },
    Role { title: "the voices", said: &["voice"], names: &[], but: &["music"], single: &["voice"] },
    Role {
        title: "the bass",
        said: &["bass"],
        names: BASS,
        but: &["drum", "kick", "vocal"],
        single: &[],
    },
    Role {
        title: "the guitars",
        said: &["guitar"],
        names: GUITARS,
        but: &["bass", "drum", "kit", "piano", "violin"],
        single: &["guitar"],
    },
    Role {
        title: "the keys",
        said: &["keyboard", "synth"],
        names: KEYS,
        but: &[],
        single: &["synth"],
    },
    Role { title: "the strings", said: &["string"], names: STRINGS, but: &[], single: &[] },
    Role { title: "the brass", said: &["brass", "horn"], names: BRASS, but: &[], single: &[] },
    Role { title: "the music", said: &["music"], names: MUSIC, but: &[], single: &[] },
    Role {
        title: "the band",
        said: &["band", "instrument", "instrumental"],
        names: &[],
        but: &["vocal"],
        single: &[],
    },
];

/// The stems in track names that a role covers, and those it covers only if none of these are there.
pub(crate) fn names_of(role: &Role) -> (Vec<&'static str>, Vec<&'static str>) {
    let instruments = || [DRUMS, BASS, GUITARS, KEYS, STRINGS, BRASS].concat();
    match role.title {
        "the voices" => ([VOCALS, SPEECH].concat(), Vec::new()),
        "the band" => (instruments(), Vec::new()),
        "the music" => (MUSIC.to_vec(), [instruments(), VOCALS.to_vec(), vec!["lead"]].concat()),
        _ => (role.names.to_vec(), Vec::new()),
    }
}

/// The form in which words of names are compared: synonyms as one, singular, figures for number words.
pub(crate) fn stem(word: &str) -> String {
    if let Some((stem, _)) = SYNONYMS.iter().find(|(_, words)| words.contains(&word)) {
        return (*stem).to_owned();
    }
    if let Some(number) = crate::numbers::small(word) {
        return format!("{number}");
    }
    let trimmed = word.trim_start_matches('0');
    if !trimmed.is_empty() && trimmed.bytes().all(|b| b.is_ascii_digit()) {
        return trimmed.to_owned();
    }
    match word.strip_suffix('s') {
        Some(one) if one.len() > 2 && !one.ends_with('s') && !one.ends_with('u') => one.to_owned(),
        _ => word.to_owned(),
    }
}

/// Whether a word is in the plural, or names a whole that has no plural.
pub(crate) fn is_plural(word: &str) -> bool {
    let whole = ["vox", "keys", "dialogue", "speech", "music", "voxes"];
    whole.contains(&word) || (word.ends_with('s') && stem(word) != word && word.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_mean_the_same_have_one_stem() {
        for word in ["vox", "Vocals", "vocal", "voc"] {
            assert_eq!(stem(&word.to_lowercase()), "vocal");
        }
        for (word, expected) in [
            ("bass", "bass"),
            ("bus", "bus"),
            ("takes", "take"),
            ("01", "1"),
            ("two", "2"),
            ("brass", "brass"),
        ] {
            assert_eq!(stem(word), expected);
        }
    }

    #[test]
    fn plurals_are_told_from_words_that_end_in_s() {
        assert!(is_plural("vocals") && is_plural("mics") && is_plural("vox"));
        assert!(!is_plural("bass") && !is_plural("vocal") && !is_plural("bus"));
    }
}
