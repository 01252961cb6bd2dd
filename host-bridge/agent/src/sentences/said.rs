//! A sentence as it was said: its slots, and what each of them stands for in the session.

use super::Slot;
use super::codes;
use super::spoken::{Among, phrases, text_of};
use super::wanted::wanted;
use crate::draft::Draft;
use crate::known_words::is_grammar;
use crate::lexer::{Token, TokenKind};
use crate::part::{Part, Phrase, Pick, objects};
use crate::reader;
use crate::resolve::{Context, Resolved, Trouble, Want, list};
use crate::speakers;
use crate::targets::Scope;
use crate::times::{time_at, unit_of};
use deskhand_session::{ObjectId, PhraseId, Session, Source, SourceId, TrackId, TrackKind};
use serde_json::{Value, json};

/// A sentence's slots, and what they are held against.
pub(super) struct Said<'a> {
    pub(super) slots: &'a [Slot],
    pub(super) context: &'a Context<'a>,
}

/// The calls of a sentence, or why there are none.
pub(super) type Built = Result<Vec<Draft>, Trouble>;
/// The one call of a sentence.
pub(super) type One = Result<Draft, Trouble>;
/// The parameters of a call.
pub(super) type Params = Vec<(&'static str, Value)>;

/// A call about one object.
pub(super) fn about(object: ObjectId, tool: &str, params: Params) -> Draft {
    Draft { targets: vec![object], ..Draft::call(tool, params) }
}

impl Said<'_> {
    pub(super) fn session(&self) -> &Session {
        self.context.scope.session
    }

    /// The tokens of a slot.
    pub(super) fn tokens(&self, name: &str) -> Option<&[Token]> {
        let (_, from, to) = self.slots.iter().find(|slot| slot.0 == name)?;
        self.context.scope.tokens.get(*from..*to)
    }

    /// The words of a slot as they were written, without quotes around them.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.tokens(name).map(|tokens| text_of(tokens, self.context))
    }

    /// The words of a slot that are looked for in what is said.
    pub(super) fn wanted(&self, name: &str) -> Result<String, Trouble> {
        let found = self.tokens(name).map(|tokens| wanted(tokens, self.context));
        found.ok_or_else(|| Trouble::new("it does not say what", ["help"]))
    }

    pub(super) fn words(&self, name: &str) -> Result<String, Trouble> {
        self.text(name).ok_or_else(|| Trouble::new("it does not say what", ["help"]))
    }

    /// The path of a file in quotes, or one word with an ending.
    pub(super) fn file(&self, name: &str) -> Result<Params, Trouble> {
        Ok(vec![("file", json!(self.words(name)?))])
    }

    /// A plain number.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        let tokens = self.tokens(name)?;
        let unit = |word: &str| matches!(word, "s" | "sec" | "secs" | "second" | "seconds");
        let (value, next) = match tokens.first()?.kind {
            TokenKind::Number { value, .. } => (value, 1),
            _ => {
                let (time, next) = time_at(tokens, 0)?;
                (time.seconds, next)
            }
        };
        let rest = tokens.get(next..)?;
        match rest {
            [] => Some(value),
            [only] if only.word().is_some_and(unit) => Some(value),
            [only] if only.is("ms") || only.is("milliseconds") => Some(value / 1000.0),
            _ => time_at(tokens, 0).filter(|(_, end)| *end == tokens.len()).map(|(t, _)| t.seconds),
        }
    }

    /// A time that all of a slot says, in seconds.
    pub(super) fn time(&self, name: &str) -> Option<f64> {
        length(self.tokens(name)?)
    }

    /// Tracks, clips or sources of a slot; none when the slot is not there.
    pub(super) fn sound(&self, name: &str, want: Want) -> Result<Option<Resolved>, Trouble> {
        self.plainly(name, want).or_else(|trouble| {
            let id = self.named_by_a_verb(name).ok_or(trouble)?;
            let phrase = Phrase { parts: vec![objects(vec![id])], except: Vec::new() };
            self.context.resolve(Some(phrase), want).map(Some)
        })
    }

    /// A track whose whole name has a meaning of its own, as "show" has: in its slot it is the name.
    fn named_by_a_verb(&self, slot: &str) -> Option<ObjectId> {
        let text = text_of(self.tokens(slot)?, self.context).to_lowercase();
        let name = text.strip_prefix("the ").unwrap_or(&text);
        if !is_grammar(name) {
            return None;
        }
        let mut named =
            self.session().tracks.iter().filter(|(_, it)| it.name.to_lowercase() == name);
        let (id, _) = named.next()?;
        named.next().is_none().then_some((*id).into())
    }

    /// The same, where words that have a meaning of their own are no names.
    fn plainly(&self, name: &str, want: Want) -> Result<Option<Resolved>, Trouble> {
        let Some(tokens) = self.tokens(name) else {
            return Ok(None);
        };
        let text = text_of(tokens, self.context);
        let whole =
            source_of(self.session(), &text).map(ObjectId::from).or_else(|| self.track(&text));
        if let Some(id) = whole {
            let ids = vec![id];
            return Ok(Some(Resolved { param: list(&ids), ids }));
        }
        let scope = Scope { tokens, ..self.context.scope };
        let unknown = || {
            let text = text_of(tokens, self.context);
            speakers::on_a_track(&text, self.session()).unwrap_or_else(|| {
                let reason = format!("\"{text}\" is not understood, and nothing here is called so");
                Trouble::not_understood(reason, self.context.scope.track_names())
            })
        };
        let mut phrase = reader::names_alone(scope).ok_or_else(unknown)?;
        phrase.parts = phrase.parts.into_iter().map(all_candidates).collect();
        self.context.resolve(Some(phrase), want).map(Some)
    }

    /// A track that is said to be one, by its whole name: "the show track".
    fn track(&self, text: &str) -> Option<ObjectId> {
        let text = text.trim().to_lowercase();
        let name = text.strip_suffix(" track")?;
        let name = name.strip_prefix("the ").unwrap_or(name);
        let mut named =
            self.session().tracks.iter().filter(|(_, it)| it.name.to_lowercase() == name);
        let (id, _) = named.next()?;
        named.next().is_none().then_some((*id).into())
    }

    /// A call on the slot `on`, as the parameter `param`; everything where nothing is said.
    pub(super) fn on(&self, param: &'static str, tool: &str, params: Params) -> One {
        Ok(self.call_on(self.sound("on", Want::Sound)?, param, tool, params))
    }

    /// A call on what was found, as the parameter `param`; on all that is heard where nothing was said.
    fn call_on(
        &self,
        found: Option<Resolved>,
        param: &'static str,
        tool: &str,
        mut params: Params,
    ) -> Draft {
        // "all" is kept where it means the same, so that a call has the same digest at every door.
        let is_any_muted = self.session().tracks.values().any(|track| track.mute);
        let (value, targets) = match found {
            Some(found) => (found.param, found.ids),
            None if is_any_muted => (json!("heard"), Vec::new()),
            None => (json!("all"), Vec::new()),
        };
        params.push((param, value));
        Draft { targets, ..Draft::call(tool, params) }
    }

    /// A call on what is said: "the interview" and "it" are all that is written down where nothing is called so.
    pub(super) fn talk(&self, tool: &str, params: Params) -> One {
        let Some(tokens) = self.tokens("on").filter(|tokens| means_talk(tokens)) else {
            return self.on("targets", tool, params);
        };
        if let Ok(found) = self.plainly("on", Want::Sound) {
            return Ok(self.call_on(found, "targets", tool, params));
        }
        match talk_in(self.session(), tokens) {
            Some(ids) => Ok(Draft::on(tool, Resolved { param: list(&ids), ids }, params)),
            // "tighten it": nothing is selected and nothing is written down.
            None if tokens.iter().all(|token| token.is("it")) => {
                let all = self.context.or_heard(None);
                Ok(Draft::on(tool, self.context.resolve(all, Want::Sound)?, params))
            }
            None => self.on("targets", tool, params),
        }
    }

    /// The name of a code without the words around it, as the codebook writes it where it knows it.
    pub(super) fn code_name(&self, name: &str) -> Result<String, Trouble> {
        Ok(codes::known_name(self.session(), &self.words(name)?))
    }

    /// The phrases of a slot.
    pub(super) fn phrases(&self, name: &str, among: Among) -> Result<Vec<PhraseId>, Trouble> {
        let tokens = self.tokens(name).unwrap_or_default();
        phrases(tokens, among, self.context).unwrap_or_else(|| {
            let text = text_of(tokens, self.context);
            let reason = format!("\"{text}\" is no phrase");
            Err(Trouble::new(reason, ["phrase 3", "the last phrase", "the phrase about \"money\""]))
        })
    }

    pub(super) fn phrase(&self, name: &str) -> Result<PhraseId, Trouble> {
        match self.phrases(name, Among::Playing)?[..] {
            [one] => Ok(one),
            _ => Err(Trouble::new("one phrase at a time", ["phrase 3", "the last phrase"])),
        }
    }

    pub(super) fn groups(&self, tool: &str, among: Among) -> One {
        let slot = if self.tokens("p").is_some() { "p" } else { "r" };
        let ids = self.phrases(slot, among)?;
        Ok(on_groups(tool, "group_ids", &ids))
    }
}

/// A source by the name of its file.
pub(crate) fn source_of(session: &Session, text: &str) -> Option<SourceId> {
    let wanted = text.trim().to_lowercase();
    if !wanted.contains('.') {
        return None;
    }
    let sources = session.sources.iter();
    let is_called = |name: &str| name.to_lowercase() == wanted;
    let mut named =
        sources.filter(|(_, source)| is_called(&source.name) || is_called(file_of(source)));
    let (id, _) = named.next()?;
    named.next().is_none().then_some(*id)
}

/// A question of which is none where nothing is changed but read.
fn all_candidates(part: Part) -> Part {
    match part.pick {
        Pick::Ambiguous(ids) => objects(ids),
        _ => part,
    }
}

/// Words for all that is said, whatever its tracks are called.
const TALK: [&str; 19] = [
    "it",
    "this",
    "that",
    "things",
    "interview",
    "dialogue",
    "dialog",
    "talk",
    "conversation",
    "discussion",
    "speech",
    "recording",
    "podcast",
    "episode",
    "show",
    "edit",
    "assembly",
    "cut",
    "speakers",
];

/// Whether tokens are a word for all that is said.
pub(super) fn means_talk(tokens: &[Token]) -> bool {
    let is_filling = |token: &&Token| {
        ["the", "my", "this", "whole", "entire", "rough"].iter().any(|word| token.is(word))
    };
    match tokens.split_last() {
        Some((last, before)) => {
            TALK.iter().any(|word| last.is(word)) && before.iter().all(|token| is_filling(&token))
        }
        None => false,
    }
}

/// The tracks that are heard and of which something is written down; the only track where there is one.
fn talk_in(session: &Session, tokens: &[Token]) -> Option<Vec<ObjectId>> {
    let tracks = || session.tracks_in_order().filter(|(_, it)| it.kind == TrackKind::Audio);
    let is_said = |track: TrackId| {
        let clips = session.clips_on(track);
        clips.iter().any(|(_, clip)| !session.transcript_of(clip.source).is_empty())
    };
    let said = tracks().filter(|(id, track)| !track.mute && is_said(*id));
    let said: Vec<ObjectId> = said.map(|(id, _)| id.into()).collect();
    let is_named = tokens.len() > 1 || !session.assembly.is_empty();
    match (&said[..], tracks().count()) {
        ([_, ..], 1) => Some(said),
        ([_, ..], _) if is_named => Some(said),
        ([], 1) => Some(tracks().map(|(id, _)| id.into()).collect()),
        _ => None,
    }
}

/// A call on phrases.
pub(super) fn on_groups(tool: &str, param: &'static str, ids: &[PhraseId]) -> Draft {
    let targets: Vec<ObjectId> = ids.iter().map(|id| (*id).into()).collect();
    Draft { targets, ..Draft::call(tool, vec![(param, json!(ids))]) }
}

/// The time that all of some tokens say, in seconds; in "the first minute" it is one.
pub(super) fn length(tokens: &[Token]) -> Option<f64> {
    if let [unit] = tokens
        && ["second", "minute", "hour"].iter().any(|word| unit.is(word))
    {
        return unit_of(tokens);
    }
    let (time, end) = time_at(tokens, 0)?;
    (end == tokens.len()).then_some(time.seconds)
}

/// The name of the file of a source, with its ending.
fn file_of(source: &Source) -> &str {
    source.path.rsplit(['/', '\\']).next().unwrap_or_default()
}
