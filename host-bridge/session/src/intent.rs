//! How people ask for a tool: data in its spec, by which the offline planner reads plain requests.
//!
//! Words are concepts of the language ("louder", "noise"); alternatives stand between bars: `"turn | make | raise"`, and
//! `"take+out"` is said where both words are. Units, ranges and kinds of values come from the schema of the parameter.

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
    /// Parameters of which one must be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// What may be named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refs: Vec<Reference>,
    /// A file that may be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<FileSlot>,
    /// Words that set parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
    /// Parameters that this way to ask sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<(String, Value)>,
    /// What is set where all tracks are named: "each track".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each_track: Option<(String, Value)>,
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
    /// The same, muted ones as well, whatever they are told by.
    MutedTracks,
    /// Clips that are named as clips.
    Clips,
    /// Clips; a track means the one clip on it.
    ClipOfTrack,
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
    /// Tracks and buses; they are left out where everything is worked on.
    OtherTracks,
    /// The sum of everything, which is no parameter.
    Mix,
    /// The same, also where nothing, "it" or everything is said.
    AllOfMix,
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
    /// The same, once older readers were asked: "cut the pauses" is about speech where there is any.
    EverythingLater,
    /// Nothing: this way to ask needs names.
    Named,
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
}

/// Alternatives between bars.
fn list(words: &str) -> Vec<String> {
    words.split('|').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

impl Intent {
    /// A way to ask with one of these words.
    #[must_use]
    pub fn verbs(words: &str) -> Self {
        Self { verbs: list(words), ..Self::default() }
    }

    /// One of these must be said as well.
    #[must_use]
    pub fn about(mut self, words: &str) -> Self {
        self.about.push(list(words));
        self
    }

    /// These may be said as well.
    #[must_use]
    pub fn also(mut self, words: &str) -> Self {
        self.also.extend(list(words));
        self
    }

    /// A number may be said.
    #[must_use]
    pub fn slot(mut self, slot: Slot) -> Self {
        self.slots.push(slot);
        self
    }

    /// The name of a file must be said, with one of these endings: "wav | flac".
    #[must_use]
    pub fn file(self, param: &str, endings: &str) -> Self {
        self.of_files(param, endings, false)
    }

    /// Names of files must be said, with one of these endings.
    #[must_use]
    pub fn files(self, param: &str, endings: &str) -> Self {
        self.of_files(param, endings, true)
    }

    fn of_files(mut self, param: &str, endings: &str, is_list: bool) -> Self {
        self.file = Some(FileSlot { param: param.into(), endings: list(endings), is_list });
        self
    }

    /// One of these parameters must be said.
    #[must_use]
    pub fn needs(mut self, params: &str) -> Self {
        self.needs = list(params);
        self
    }

    /// What it works on, as `targets`.
    #[must_use]
    pub fn on(self, kinds: Kinds) -> Self {
        self.named("targets", "- | on | of | in | for | from", kinds)
    }

    /// The same, also of what is given something: "add 2 dB to the kick".
    #[must_use]
    pub fn on_or_to(self, kinds: Kinds) -> Self {
        self.named("targets", "- | on | of | in | for | from | to", kinds)
    }

    /// Something is named behind one of these prepositions.
    #[must_use]
    pub fn named(mut self, param: &str, preps: &str, kinds: Kinds) -> Self {
        self.refs.push(Reference { param: param.into(), preps: list(preps), kinds });
        self
    }

    /// A parameter that asking this way sets.
    #[must_use]
    pub fn sets(mut self, param: &str, value: impl Into<Value>) -> Self {
        self.sets.push((param.into(), value.into()));
        self
    }

    /// Words that set a parameter.
    #[must_use]
    pub fn flag(self, words: &str, param: &str, value: impl Into<Value>) -> Self {
        self.flags(words, &[(param, value.into())])
    }

    /// Words that set several parameters.
    #[must_use]
    pub fn flags(mut self, words: &str, sets: &[(&str, Value)]) -> Self {
        let sets = sets.iter().map(|(param, value)| ((*param).to_owned(), value.clone())).collect();
        self.flags.push(Flag { words: list(words), sets });
        self
    }

    /// Where nothing is named, everything is meant.
    #[must_use]
    pub fn or_everything(mut self) -> Self {
        self.unsaid = Unsaid::Everything;
        self
    }

    /// The same, unless another reader takes it first.
    #[must_use]
    pub fn or_everything_later(mut self) -> Self {
        self.unsaid = Unsaid::EverythingLater;
        self
    }

    /// Something must be named.
    #[must_use]
    pub fn only_named(mut self) -> Self {
        self.unsaid = Unsaid::Named;
        self
    }

    /// "It" is everything where it points at nothing.
    #[must_use]
    pub fn or_all_of_it(mut self) -> Self {
        self.unsaid = Unsaid::ItIsAll;
        self
    }

    /// What is answered where something that it needs is missing, "it does not say under what", with sentences that say
    /// it all.
    #[must_use]
    pub fn lacks(mut self, answer: &str, examples: &str) -> Self {
        self.lacks = [vec![answer.to_owned()], list(examples)].concat();
        self
    }

    /// A parameter that naming all tracks sets.
    #[must_use]
    pub fn each_track(mut self, param: &str, value: impl Into<Value>) -> Self {
        self.each_track = Some((param.into(), value.into()));
        self
    }

    /// Every parameter that it sets.
    pub fn params(&self) -> impl Iterator<Item = &str> {
        let slots = self.slots.iter().flat_map(|slot| &slot.params);
        let refs = self
            .refs
            .iter()
            .filter(|it| !matches!(it.kinds, Kinds::Mix | Kinds::AllOfMix))
            .map(|it| &it.param);
        let flags = self.flags.iter().flat_map(|flag| flag.sets.iter().map(|(param, _)| param));
        let sets = self.sets.iter().chain(&self.each_track).map(|(param, _)| param);
        let file = self.file.iter().map(|file| &file.param);
        slots
            .chain(refs)
            .chain(file)
            .chain(flags)
            .chain(sets)
            .chain(&self.needs)
            .map(String::as_str)
    }
}

impl Slot {
    /// A number for a parameter, or for several at once.
    #[must_use]
    pub fn of(params: &str) -> Self {
        Self { params: list(params), ..Self::default() }
    }

    /// A unit that may be said, where that is not the one that the name of the parameter ends in.
    #[must_use]
    pub fn unit(mut self, unit: Unit) -> Self {
        self.units.push(unit);
        self
    }

    /// A place on the timeline, as seconds or as on a clock.
    #[must_use]
    pub fn place(param: &str) -> Self {
        Self::of(param).unit(Unit::Seconds).unit(Unit::Clock)
    }

    /// What the number is multiplied by.
    #[must_use]
    pub fn scale(mut self, scale: f64) -> Self {
        self.scale = Some(scale);
        self
    }

    /// The nouns to which the number belongs.
    #[must_use]
    pub fn nouns(mut self, words: &str) -> Self {
        self.nouns = list(words);
        self
    }

    /// The prepositions in front of the number.
    #[must_use]
    pub fn preps(mut self, words: &str) -> Self {
        self.preps = list(words);
        self
    }

    /// Numbers without a unit are meant within these bounds.
    #[must_use]
    pub fn bare(mut self, least: f64, most: f64) -> Self {
        self.bare = Some((least, most));
        self
    }

    /// The words that give the sign.
    #[must_use]
    pub fn signed_by(mut self, up: &str, down: &str) -> Self {
        self.up = list(up);
        self.down = list(down);
        self
    }

    /// "by -3 dB" may be said without such a word.
    #[must_use]
    pub fn or_own_sign(mut self) -> Self {
        self.own_sign = true;
        self
    }

    /// A word for a value.
    #[must_use]
    pub fn value(mut self, words: &str, value: f64) -> Self {
        self.values.extend(list(words).into_iter().map(|word| (word, value)));
        self
    }

    /// The value where no number is said.
    #[must_use]
    pub fn unsaid(mut self, value: f64) -> Self {
        self.unsaid = Some(value);
        self
    }
}

impl Unit {
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
