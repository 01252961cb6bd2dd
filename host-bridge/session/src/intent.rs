//! How people ask for a tool: data in its spec, by which the offline planner reads plain requests.
//!
//! Words are concepts of the language ("louder", "noise"); alternatives stand between bars: `"turn | make | raise"`, and
//! `"take+out"` is said where both words are. Units, ranges and kinds of values come from the schema of the parameter.
//! `effect.bands.0.gain` is a parameter inside others.

mod build;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One way to ask for a tool. What it does not list cannot be said with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Intent {
    /// Of these one must be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub verbs: Vec<String>,
    /// Of each of these sets one must be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<Vec<String>>,
    /// These may be said, and add nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Numbers that may be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<Slot>,
    /// Of each of these sets of parameters one must be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Vec<String>>,
    /// What may be named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refs: Vec<Reference>,
    /// A file that may be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<FileSlot>,
    /// Words of a person's own that may be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<TextSlot>,
    /// Words that set parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
    /// Parameters that this way to ask sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<(String, Value)>,
    /// What is set where all tracks are named: "each track".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each_track: Option<(String, Value)>,
    /// Whether it can be meant only where phrases are laid out as an edit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_edit: bool,
    /// Whether all other readers are asked first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_last: bool,
    /// The tool that makes the same change over the selected time; its parameter `range` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_time: Option<String>,
    /// What is meant where nothing is named.
    pub unsaid: Unsaid,
    /// What is answered if all else is said, and not one of the names or numbers that it needs; then sentences that say
    /// it all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
}

/// A parameter that a number sets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slot {
    /// The parameter; several where one number sets all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<String>,
    /// The units that may be said, where that is not the one that the name of the parameter ends in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<Unit>,
    /// A factor for the number, in addition to the scale of its unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Nouns to which the number belongs; where there are any, one must be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nouns: Vec<String>,
    /// The prepositions in front of the number; `-` for none. Any where this is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preps: Vec<String>,
    /// A number without a unit is meant within these bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bare: Option<(f64, f64)>,
    /// Words that make the number positive. Where there are any, one of them or of `down` must be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub up: Vec<String>,
    /// Words that make the number negative.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub down: Vec<String>,
    /// Whether "by -3 dB" may be said without any of these words.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_sign: bool,
    /// Words for values: "a bit" is 1.5.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, f64)>,
    /// The value where no number is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsaid: Option<f64>,
    /// The number is an end, and the parameter how far that is behind this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The number is how far the parameter is before the end of the session.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub before_end: bool,
    /// A percentage is one of the amplitude, and the parameter is in dB.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_amplitude: bool,
}

/// A parameter that names set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// The parameter.
    pub param: String,
    /// The prepositions in front of the names; `-` for none.
    pub preps: Vec<String>,
    /// What may be named.
    pub kinds: Kinds,
}

/// A parameter that the name of a file sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileSlot {
    /// The parameter.
    pub param: String,
    /// The endings that the file may have, without a dot.
    pub endings: Vec<String>,
    /// Whether several may be said, and the parameter is a list.
    pub is_list: bool,
}

/// A parameter that words of a person's own set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextSlot {
    /// The parameter.
    pub param: String,
    /// The prepositions in front of them; `-` for none.
    pub preps: Vec<String>,
    /// What they are.
    pub kind: TextKind,
}

/// What words of a person's own are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextKind {
    /// A new name; without quotes it goes on to the end of the request, or to a number behind a preposition.
    Name,
    /// A color, by its name or as `#rrggbb`.
    Color,
    /// Words as they are written, to the end of the request.
    Text,
    /// The same, in quotes.
    Quote,
    /// The name of a file without its ending.
    Stem,
    /// Words that are looked for in what is said: "the word garden" is garden.
    Words,
    /// A code of the codebook; the parameter is its id.
    Code,
    /// The name of a code, as the codebook writes it, or of a new one.
    CodeName,
    /// The same, where no track is called so.
    KnownCode,
    /// A list with the id of such a code.
    KnownCodes,
    /// A list with the id of a code.
    Codes,
    /// The name of a new code.
    NewCode,
    /// A code, or the first segment of a phrase: a memo is on it.
    Noted,
    /// Somebody who speaks.
    Speaker,
    /// The same, where no track and no clip is called so.
    OnlySpeaker,
    /// The segments of phrases, or of what is selected, each in a call of its own.
    Segments,
    /// The same as a list, for what is coded there.
    Coded,
    /// A list of phrases that play in the edit.
    Phrases,
    /// The same, where nothing else in the session is called so.
    OnlyPhrases,
    /// The same; words in quotes are all that a phrase says.
    WholePhrases,
    /// One phrase that plays in the edit.
    Phrase,
    /// Phrases that are called so, each in a call of its own.
    EachPhrase,
    /// The numbers of phrases in another order, as a list: "3 1 2".
    PhraseOrder,
    /// A place among the phrases, from 1; -1 is the last: "the third place".
    Place,
    /// A list of phrases that were removed from the edit.
    RemovedPhrases,
    /// A list of stems of a recording: "vocals and drums". What is left of it is one more.
    Stems,
    /// Takes that are marked, by their number or by what they are: "take 2", "the last take of every line". Each is in a
    /// call of its own.
    Takes,
    /// A list of phrases of which takes are meant, those that do not play among them.
    TakesOf,
    /// The takes of the only set that is marked: "the best take".
    MarkedTakes,
    /// Where phrases or a take start in the edit, in seconds.
    PhraseStart,
    /// Where phrases end in the edit, in seconds.
    PhraseEnd,
    /// The time from the first of some phrases to the last; it sets `from_s` and `to_s`.
    PhraseSpan,
    /// A list of the clips that play phrases.
    PhraseClips,
}

impl TextKind {
    /// Whether it takes words that mean nothing here.
    #[must_use]
    pub fn is_free(self) -> bool {
        matches!(self, Self::Text | Self::Words | Self::CodeName | Self::NewCode)
    }

    /// Whether it is phrases of an edit.
    #[must_use]
    pub fn is_phrase(self) -> bool {
        matches!(
            self,
            Self::Phrases
                | Self::OnlyPhrases
                | Self::WholePhrases
                | Self::Phrase
                | Self::EachPhrase
                | Self::RemovedPhrases
                | Self::PhraseClips
        )
    }

    /// Whether each of several is in a call of its own.
    #[must_use]
    pub fn is_each(self) -> bool {
        matches!(self, Self::Segments | Self::EachPhrase | Self::Takes | Self::Words)
    }
}

/// Words that set parameters: "podcast" is -16 LUFS and -1 dBTP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flag {
    /// The words.
    pub words: Vec<String>,
    /// The parameters with their values.
    pub sets: Vec<(String, Value)>,
}

/// Kinds of things that can be named, and how a name is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kinds {
    /// Tracks and buses.
    Tracks,
    /// The same; everything means no bus, through which the tracks would be changed twice.
    Faders,
    /// The same; all of them must be meant.
    AllFaders,
    /// The same, muted ones as well, whatever they are told by.
    MutedTracks,
    /// Clips that are named as clips.
    Clips,
    /// The same; no phrases of an edit.
    LooseClips,
    /// Phrases of an edit, named by their clips.
    Phrases,
    /// One clip that is named as a clip.
    OneClip,
    /// Clips; a track means the one clip on it.
    ClipOfTrack,
    /// Clips; a track means its clip at the place that `at_s` says.
    ClipAtPlace,
    /// Clips; a track means its first clip.
    FirstClip,
    /// Clips; a track means its last clip.
    LastClip,
    /// Tracks or clips, as they are named.
    Sound,
    /// The same, one of them.
    OneSound,
    /// One track or bus.
    OneTrack,
    /// Two tracks or buses.
    TwoTracks,
    /// Tracks and buses, or the mix as `"mix"`; everything is the mix. A selected clip means its track.
    TracksOrMix,
    /// Tracks and buses by their own names, and not all of them.
    NamedTracks,
    /// One bus, or the mix as `"master"`.
    Output,
    /// Tracks, buses or the mix (`"master"`), each in a call of its own.
    EachChannel,
    /// A stretch of time: a marker with a length, the selection, a clip or everything. It sets where that starts and
    /// ends: `from_s` and `to_s`.
    Span,
    /// Clips and sources as handles, each in a call of its own.
    EachHandle,
    /// The clips that are heard first, if all of them start together.
    Opening,
    /// The clips that are heard last, if all of them end together.
    Closing,
    /// Tracks and groups of tracks.
    Groups,
    /// Tracks and clips, as they are named.
    Selectable,
    /// One marker.
    Marker,
    /// What a question is about; nothing is the whole.
    Any,
    /// Tracks and buses; they are left out where everything is worked on.
    OtherTracks,
    /// The sum of everything, which is no parameter.
    Mix,
    /// The same, also where nothing, "it" or everything is said.
    AllOfMix,
    /// Everything, which is no parameter.
    Whole,
}

impl Kinds {
    /// Whether each thing is worked on in a call of its own.
    #[must_use]
    pub fn is_each(self) -> bool {
        matches!(self, Self::EachChannel | Self::EachHandle)
    }
}

/// What is meant where nothing is named and nothing selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unsaid {
    /// Which one is asked.
    #[default]
    Ask,
    /// The same, and "it" is everything.
    ItIsAll,
    /// Everything.
    Everything,
    /// Everything, whatever is selected; "it" is the same.
    Whole,
    /// Everything, whatever is selected; "it" is what is selected.
    All,
    /// Everything, once older readers were asked: "cut the pauses" is about speech where there is any.
    EverythingLater,
    /// Nothing: this way to ask needs names.
    Named,
    /// The parameter is left out, and the tool decides.
    LeftOut,
}

/// A unit that is said behind a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A difference of levels, or the position of a fader.
    Db,
    /// Loudness.
    Lufs,
    /// A difference of loudness.
    Lu,
    /// True peak.
    Dbtp,
    /// A sample peak.
    Dbfs,
    /// RMS relative to full scale.
    Rms,
    /// Parts in a hundred.
    Percent,
    /// Time.
    Seconds,
    /// Frequency.
    Hertz,
    /// A place on the timeline, as on a clock: "1:30".
    Clock,
    /// A tempo.
    Bpm,
    /// How many to one: "4:1".
    Ratio,
}

impl Unit {
    /// Whether it is one of levels.
    #[must_use]
    pub fn is_level(self) -> bool {
        matches!(self, Self::Db | Self::Lufs | Self::Lu | Self::Dbtp | Self::Dbfs | Self::Rms)
    }

    /// The unit that the name of a parameter ends in, and how many of the parameter's units it is.
    #[must_use]
    pub fn of_param(name: &str) -> Option<(Self, f64)> {
        const ENDINGS: &[(&str, Unit, f64)] = &[
            ("rms_dbfs", Unit::Rms, 1.0),
            ("_dbfs", Unit::Dbfs, 1.0),
            ("_dbtp", Unit::Dbtp, 1.0),
            ("_lufs", Unit::Lufs, 1.0),
            ("_lu", Unit::Lu, 1.0),
            ("_db", Unit::Db, 1.0),
            ("_ms", Unit::Seconds, 1000.0),
            ("_s", Unit::Seconds, 1.0),
            ("_hz", Unit::Hertz, 1.0),
            ("bpm", Unit::Bpm, 1.0),
            ("ratio", Unit::Ratio, 1.0),
        ];
        let found = ENDINGS.iter().find(|(ending, ..)| name.ends_with(ending));
        found.map(|(_, unit, scale)| (*unit, *scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_intent_reads_back_as_it_was_written() {
        let slot =
            Slot::of("change_db").preps("- | by").signed_by("up", "down").value("a bit", 1.5);
        let intent = Intent::verbs("turn | take+off").slot(slot).on(Kinds::Tracks).sets("x", true);
        let text = serde_json::to_string(&intent).unwrap();
        assert_eq!(serde_json::from_str::<Intent>(&text).unwrap(), intent);
        assert_eq!(intent.params().collect::<Vec<_>>(), ["change_db", "targets", "x"]);
    }

    #[test]
    fn a_unit_is_what_the_name_of_a_parameter_ends_in() {
        assert_eq!(Unit::of_param("target_rms_dbfs"), Some((Unit::Rms, 1.0)));
        assert_eq!(Unit::of_param("fade_in_ms"), Some((Unit::Seconds, 1000.0)));
        assert_eq!(Unit::of_param("pan"), None);
    }
}
