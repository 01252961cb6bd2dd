//! How intents are written down: a method for each thing that a tool says of how it is asked for.

use super::{FileSlot, Flag, Intent, Kinds, Reference, Slot, TextKind, TextSlot, Unit, Unsaid};
use serde_json::Value;

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

    /// A new name may be said behind one of these prepositions.
    #[must_use]
    pub fn name(self, preps: &str) -> Self {
        self.text("name", preps)
    }

    /// Words of a person's own may be said behind one of these prepositions.
    #[must_use]
    pub fn text(self, param: &str, preps: &str) -> Self {
        self.said(param, preps, TextKind::Name)
    }

    /// Words of this kind may be said behind one of these prepositions.
    #[must_use]
    pub fn said(mut self, param: &str, preps: &str, kind: TextKind) -> Self {
        self.texts.push(TextSlot { param: param.into(), preps: list(preps), kind });
        self
    }

    /// A color must be said.
    #[must_use]
    pub fn color(mut self, param: &str) -> Self {
        let text = TextSlot { param: param.into(), preps: Vec::new(), kind: TextKind::Color };
        self.texts.push(text);
        self
    }

    fn of_files(mut self, param: &str, endings: &str, is_list: bool) -> Self {
        self.file = Some(FileSlot { param: param.into(), endings: list(endings), is_list });
        self
    }

    /// One of these parameters must be said.
    #[must_use]
    pub fn needs(mut self, params: &str) -> Self {
        self.needs.push(list(params));
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

    /// Where nothing is named everything is meant, whatever is selected.
    #[must_use]
    pub fn or_the_whole(mut self) -> Self {
        self.unsaid = Unsaid::Whole;
        self
    }

    /// Everything, unless another reader takes it first.
    #[must_use]
    pub fn or_everything_later(mut self) -> Self {
        self.unsaid = Unsaid::EverythingLater;
        self
    }

    /// It can be meant only where phrases are laid out as an edit.
    #[must_use]
    pub fn in_edit(mut self) -> Self {
        self.in_edit = true;
        self
    }

    /// All other readers are asked first.
    #[must_use]
    pub fn last(mut self) -> Self {
        self.is_last = true;
        self
    }

    /// Something must be named.
    #[must_use]
    pub fn only_named(mut self) -> Self {
        self.unsaid = Unsaid::Named;
        self
    }

    /// Where nothing is named everything is meant, whatever is selected, and "it" is what is selected.
    #[must_use]
    pub fn or_all(mut self) -> Self {
        self.unsaid = Unsaid::All;
        self
    }

    /// What is not named is left to the tool.
    #[must_use]
    pub fn or_left_out(mut self) -> Self {
        self.unsaid = Unsaid::LeftOut;
        self
    }

    /// "It" is everything where it points at nothing.
    #[must_use]
    pub fn or_all_of_it(mut self) -> Self {
        self.unsaid = Unsaid::ItIsAll;
        self
    }

    /// If a time is selected, this tool makes the change over it.
    #[must_use]
    pub fn over_time(mut self, tool: &str) -> Self {
        self.over_time = Some(tool.into());
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

    /// The parameter that takes one thing at a time, in a call for each.
    #[must_use]
    pub fn each(&self) -> Option<&str> {
        let named = self.refs.iter().find(|it| it.kinds.is_each()).map(|it| &it.param);
        let text = self.texts.iter().find(|it| it.kind.is_each()).map(|it| &it.param);
        named.or(text).map(String::as_str)
    }

    /// Every parameter that it sets.
    pub fn params(&self) -> impl Iterator<Item = &str> {
        let slots = self.slots.iter().flat_map(|slot| &slot.params);
        let refs = self
            .refs
            .iter()
            .filter(|it| {
                !matches!(it.kinds, Kinds::Mix | Kinds::AllOfMix | Kinds::Any | Kinds::Whole)
            })
            .map(|it| &it.param);
        let flags = self.flags.iter().flat_map(|flag| flag.sets.iter().map(|(param, _)| param));
        let sets = self.sets.iter().chain(&self.each_track).map(|(param, _)| param);
        let file = self.file.iter().map(|file| &file.param);
        let texts = self.texts.iter().map(|text| &text.param);
        slots
            .chain(refs)
            .chain(file)
            .chain(texts)
            .chain(flags)
            .chain(sets)
            .chain(self.needs.iter().flatten())
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

    /// The number is an end, and the parameter how far that is behind another one.
    #[must_use]
    pub fn since(mut self, param: &str) -> Self {
        self.since = Some(param.into());
        self
    }

    /// The number is how far the parameter is before the end of the session: "the last 10 seconds".
    #[must_use]
    pub fn before_end(mut self) -> Self {
        self.before_end = true;
        self
    }

    /// A percentage is one of the amplitude: 50 % is -6 dB.
    #[must_use]
    pub fn of_amplitude(mut self) -> Self {
        self.of_amplitude = true;
        self.unit(Unit::Percent)
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
