//! Sentences to calls: what a slot stands for, and which tool is called with it.

use super::spoken::{Among, phrases, text_of};
use super::{Job, Slot, delivery, takes};
use crate::clause_reader::{OBJECT, Reader};
use crate::clauses::clauses_of;
use crate::lexer::{Token, TokenKind};
use crate::pieces::pieces_of;
use crate::reading::{Question, RequestKind};
use crate::requests::Draft;
use crate::resolve::{Context, Resolved, Trouble, Want, list};
use crate::targets::{Part, Pick, Scope, objects};
use crate::times::time_at;
use deskhand_session::{CodeId, ObjectId, PhraseId, Session, SourceId};
use serde_json::{Value, json};

/// A sentence's slots, and what they are held against.
pub(super) struct Said<'a> {
    pub(super) slots: &'a [Slot],
    pub(super) context: &'a Context<'a>,
}

pub(super) type Built = Result<Vec<Draft>, Trouble>;
pub(super) type One = Result<Draft, Trouble>;
pub(super) type Params = Vec<(&'static str, Value)>;

/// Builds the calls of a sentence: an arm each.
// tidy: table
pub(super) fn build(job: Job, said: &Said<'_>) -> Built {
    let one = match job {
        Job::Transcribe | Job::TranscribeAgain | Job::TranscribeVerbatim => transcribe(job, said),
        Job::ImportTranscript => said.on("target", "tool_import_transcript", said.file("file")?),
        Job::ExportTranscript => export_transcript(said),
        Job::MarkSpeakers => mark_speakers(said),
        Job::Turns => Ok(question(Question::Turns)),
        Job::Search => search(said),
        Job::CodeExact => code_text(said, "contains", "match"),
        Job::CodeStart => code_text(said, "startswith", "match"),
        Job::CodeEnd => code_text(said, "endswith", "match"),
        Job::CodeSentences => code_text(said, "contains", "sentence"),
        Job::CodeSimilar => code_similar(said),
        Job::CodeRegion => return code_region(said),
        Job::NewCode => new_code(said),
        Job::RenameCode => said.change_code("name"),
        Job::DescribeCode => said.change_code("description"),
        Job::MoveCode => move_code(said),
        Job::MergeCodes => merge_codes(said),
        Job::RemoveCode => {
            let code = said.code("code")?;
            Ok(about(code.into(), "cmd_remove_code", vec![("code_id", json!(code))]))
        }
        Job::Memo => memo(said),
        Job::Important => return important(said, 1),
        Job::Unimportant => return important(said, 0),
        Job::CountCodes => report("counts"),
        Job::CodesTogether => report("cooccurrence"),
        Job::CodesOverlap => report("overlaps"),
        Job::Quotes => quotes(said),
        Job::Agreement => report("agreement"),
        Job::ExportCodebook => written("tool_export_codebook", "codebook.qdc"),
        Job::ImportCodebook => Ok(Draft::call("tool_import_codebook", said.file("file")?)),
        Job::ExportProject => written("tool_export_project", "project.qdpx"),
        Job::FindPhrases => said.on("targets", "tool_find_phrases", Params::new()),
        Job::ListPhrases => Ok(Draft::call("tool_list_phrases", Params::new())),
        Job::FindDuplicates => Ok(Draft::call("tool_mark_duplicates", Params::new())),
        Job::KeepTake => takes::keep_take(said),
        Job::PhraseFirst => takes::moved(said, |_, _| Some(0)),
        Job::PhraseLast => takes::moved(said, |rest, _| Some(rest.len())),
        Job::PhraseBefore => takes::moved(said, takes::place_of),
        Job::PhraseBehind => {
            takes::moved(said, |rest, other| Some(takes::place_of(rest, other)? + 1))
        }
        Job::SwapPhrases => takes::swap(said),
        Job::RemovePhrases => said.groups("tool_remove_segments", Among::Playing),
        Job::RestorePhrases => said.groups("tool_restore_segments", Among::Removed),
        Job::RestoreAll => takes::restore_all(said),
        Job::CutFillers => takes::tighten(said, true, false),
        Job::CutFalseStarts => takes::tighten(said, false, true),
        Job::ShortenPauses => takes::shorten_pauses(said),
        Job::Tighten => said.on("targets", "tool_tighten", Params::new()),
        Job::Finish => takes::finish(said),
        Job::ExportAssembly => takes::export_assembly(said),
        Job::AddInsert => delivery::add_insert(said),
        Job::LowCut => delivery::low_cut(said),
        Job::SwitchInsertOff => delivery::switch_insert(said, "off"),
        Job::SwitchInsertOn => delivery::switch_insert(said, "on"),
        Job::RemoveInsert => delivery::remove_insert(said),
        Job::AutoMix => delivery::auto_mix(said),
        Job::BalanceEq => said.on("targets", "tool_eq_balance", Params::new()),
        Job::MakeRoom => delivery::make_room(said),
        Job::Deliver => delivery::deliver(said),
    };
    one.map(|draft| vec![draft])
}

fn question(question: Question) -> Draft {
    Draft { kind: RequestKind::Question(question), targets: Vec::new() }
}

/// A call about one object.
pub(super) fn about(object: ObjectId, tool: &str, params: Params) -> Draft {
    Draft { targets: vec![object], ..Draft::call(tool, params) }
}

fn report(report: &str) -> One {
    Ok(Draft::call("tool_report_codes", vec![("report", json!(report))]))
}

fn written(tool: &str, path: &str) -> One {
    Ok(Draft::call(tool, vec![("path", json!(path))]))
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

    fn words(&self, name: &str) -> Result<String, Trouble> {
        self.text(name).ok_or_else(|| Trouble::new("it does not say what", ["help"]))
    }

    /// The path of a file in quotes, or one word with an ending.
    fn file(&self, name: &str) -> Result<Params, Trouble> {
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
    fn time(&self, name: &str) -> Option<f64> {
        let tokens = self.tokens(name)?;
        let (time, end) = time_at(tokens, 0)?;
        (end == tokens.len()).then_some(time.seconds)
    }

    /// Tracks, clips or sources of a slot; none when the slot is not there.
    pub(super) fn sound(&self, name: &str, want: Want) -> Result<Option<Resolved>, Trouble> {
        let Some(tokens) = self.tokens(name) else {
            return Ok(None);
        };
        if let Some(source) = self.source(&text_of(tokens, self.context)) {
            let ids = vec![source.into()];
            return Ok(Some(Resolved { param: list(&ids), ids }));
        }
        let scope = Scope { tokens, ..self.context.scope };
        let clauses = clauses_of(pieces_of(scope.text, scope));
        let unknown = || {
            let text = text_of(tokens, self.context);
            let reason = format!("\"{text}\" is not understood, and nothing here is called so");
            Trouble::new(reason, self.context.scope.track_names())
        };
        let [clause] = &clauses[..] else {
            return Err(unknown());
        };
        let mut reader = Reader::new(clause);
        let mut phrase = reader.take_phrase(OBJECT).ok_or_else(unknown)?;
        if !reader.leftovers().is_empty() {
            return Err(unknown());
        }
        phrase.parts = phrase.parts.into_iter().map(all_candidates).collect();
        self.context.resolve(Some(phrase), want).map(Some)
    }

    /// A source by the name of its file.
    fn source(&self, text: &str) -> Option<SourceId> {
        let wanted = Some(text.trim().to_lowercase()).filter(|text| text.contains('.'))?;
        let sources = self.session().sources.iter();
        let mut named = sources.filter(|(_, source)| source.name.to_lowercase() == wanted);
        let (id, _) = named.next()?;
        named.next().is_none().then_some(*id)
    }

    /// A call on the slot `on`, as the parameter `param`; everything where nothing is said.
    pub(super) fn on(&self, param: &'static str, tool: &str, mut params: Params) -> One {
        let found = self.sound("on", Want::Sound)?;
        let (value, targets) = match found {
            Some(found) => (found.param, found.ids),
            None => (json!("all"), Vec::new()),
        };
        params.push((param, value));
        Ok(Draft { targets, ..Draft::call(tool, params) })
    }

    /// The name of a code without the words around it, as the codebook writes it where it knows it.
    fn code_name(&self, name: &str) -> Result<String, Trouble> {
        let text = self.words(name)?;
        let plain = text.trim();
        let plain = plain.strip_prefix("the code ").unwrap_or(plain);
        let plain = plain.strip_prefix("the ").unwrap_or(plain);
        let known = code_of(self.session(), plain).and_then(|id| self.session().codes.get(&id));
        Ok(known.map_or_else(|| plain.to_owned(), |code| code.name.clone()))
    }

    /// A code that is in the codebook.
    fn code(&self, name: &str) -> Result<CodeId, Trouble> {
        let text = self.code_name(name)?;
        code_of(self.session(), &text).ok_or_else(|| {
            let names: Vec<_> =
                self.session().codes.values().map(|code| code.name.clone()).collect();
            let offers =
                if names.is_empty() { vec![format!("add a code called {text}")] } else { names };
            Trouble::new(format!("no code is called \"{text}\""), offers)
        })
    }

    fn change_code(&self, what: &'static str) -> One {
        let code = self.code("code")?;
        let params = vec![("code_id", json!(code)), (what, json!(self.words("text")?))];
        Ok(about(code.into(), "cmd_set_code", params))
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

    fn groups(&self, tool: &str, among: Among) -> One {
        let slot = if self.tokens("p").is_some() { "p" } else { "r" };
        let ids = self.phrases(slot, among)?;
        Ok(on_groups(tool, "group_ids", &ids))
    }
}

/// A question of which is none where nothing is changed but read.
fn all_candidates(part: Part) -> Part {
    match part.pick {
        Pick::Ambiguous(ids) => objects(ids),
        _ => part,
    }
}

fn code_of(session: &Session, name: &str) -> Option<CodeId> {
    let wanted = name.to_lowercase();
    let mut found = session.codes.iter().filter(|(_, code)| code.name.to_lowercase() == wanted);
    let (id, _) = found.next()?;
    found.next().is_none().then_some(*id)
}

pub(super) fn on_groups(tool: &str, param: &'static str, ids: &[PhraseId]) -> Draft {
    let targets: Vec<ObjectId> = ids.iter().map(|id| (*id).into()).collect();
    Draft { targets, ..Draft::call(tool, vec![(param, json!(ids))]) }
}

const LANGUAGES: [(&str, &str); 12] = [
    ("english", "en"),
    ("german", "de"),
    ("french", "fr"),
    ("spanish", "es"),
    ("italian", "it"),
    ("portuguese", "pt"),
    ("dutch", "nl"),
    ("polish", "pl"),
    ("swedish", "sv"),
    ("japanese", "ja"),
    ("chinese", "zh"),
    ("russian", "ru"),
];

fn transcribe(job: Job, said: &Said<'_>) -> One {
    let mut params = Params::new();
    if let Some(name) = said.text("language") {
        let known =
            LANGUAGES.iter().find(|(word, code)| name.to_lowercase() == *word || name == *code);
        let Some((_, code)) = known else {
            let offers = LANGUAGES.map(|(word, _)| word);
            return Err(Trouble::new(
                format!("\"{name}\" is no language that is known here"),
                offers,
            ));
        };
        params.push(("language", json!(code)));
    }
    // What was written down without fillers has to be written down anew.
    if matches!(job, Job::TranscribeAgain | Job::TranscribeVerbatim) {
        params.push(("known", json!("replace")));
    }
    if job == Job::TranscribeVerbatim {
        params.push(("verbatim", json!(true)));
    }
    said.on("targets", "tool_transcribe", params)
}

fn export_transcript(said: &Said<'_>) -> One {
    let format = said.text("format").unwrap_or_else(|| "text".into());
    let ending = match format.to_lowercase().as_str() {
        "srt" | "subrip" => "srt",
        "vtt" | "webvtt" => "vtt",
        "json" => "json",
        "text" | "txt" | "plain text" | "text file" => "txt",
        _ => {
            let reason = format!("a transcript is not written as \"{format}\"");
            return Err(Trouble::new(reason, ["as srt", "as vtt", "as json", "as text"]));
        }
    };
    let path = format!("transcript.{ending}");
    said.on("targets", "tool_export_transcript", vec![("path", json!(path))])
}

fn mark_speakers(said: &Said<'_>) -> One {
    let mut params = Params::new();
    if let Some(format) = said.text("format") {
        let format = match format.to_lowercase().as_str() {
            "track" | "tracks" | "microphone" | "microphones" | "mic" | "mics" => "track",
            "sound" | "voice" | "voices" | "ear" => "sound",
            "text" | "names" | "name" => "auto",
            _ => {
                let reason = format!("speakers are not told by \"{format}\"");
                return Err(Trouble::new(reason, ["by track", "by sound", "by name"]));
            }
        };
        params.push(("speaker_format", json!(format)));
    }
    said.on("targets", "tool_mark_speakers", params)
}

/// Words for nobody in particular.
const ANYBODY: &[&str] = &[
    "he",
    "she",
    "they",
    "i",
    "we",
    "you",
    "it",
    "anyone",
    "anybody",
    "someone",
    "somebody",
    "people",
    "the speaker",
    "everyone",
    "everybody",
    "one",
];

fn search(said: &Said<'_>) -> One {
    let query = said.words("text")?;
    let mut params = vec![("query", json!(query))];
    let who = said.text("who").filter(|who| !ANYBODY.contains(&who.to_lowercase().as_str()));
    let slot = if who.is_some() { "who" } else { "on" };
    let found = said.sound(slot, Want::Sound)?;
    let targets = found.as_ref().map(|found| found.ids.clone()).unwrap_or_default();
    params.extend(found.map(|found| ("targets", found.param)));
    Ok(Draft { targets, ..Draft::call("tool_search_transcript", params) })
}

/// The words that are looked for: "every 'price'" and "the word price" are both price.
fn looked_for(said: &Said<'_>) -> Result<String, Trouble> {
    let text = said.words("text")?;
    let anybody = said.text("who").is_none_or(|who| ANYBODY.contains(&who.to_lowercase().as_str()));
    match anybody {
        true => Ok(text),
        false => Err(Trouble::new(
            "what one speaker says is coded by naming the clips of that speaker",
            ["code every \"price\" as Money"],
        )),
    }
}

fn code_text(said: &Said<'_>, match_type: &str, unit: &str) -> One {
    let params = vec![
        ("code", json!(said.code_name("code")?)),
        ("text", json!(looked_for(said)?)),
        ("match_type", json!(match_type)),
        ("unit", json!(unit)),
    ];
    Ok(Draft::call("tool_code_exact", params))
}

fn code_similar(said: &Said<'_>) -> One {
    let params = vec![
        ("code", json!(said.code_name("code")?)),
        ("text", json!(looked_for(said)?)),
        ("unit", json!("sentence")),
    ];
    Ok(Draft::call("tool_code_similar", params))
}

/// A code that is not there yet is made first.
fn code_region(said: &Said<'_>) -> Built {
    let code = said.code_name("code")?;
    let times = said.time("from").zip(said.time("to")).filter(|(from, to)| from < to);
    let Some((from, to)) = times else {
        let offer = "code 0:10 to 0:20 of take 1 as Laughter";
        return Err(Trouble::new("it does not say from when to when", [offer]));
    };
    let found = said.sound("on", Want::Clips)?;
    let Some(ObjectId::Clip(clip)) = found
        .as_ref()
        .and_then(|it| it.ids.first())
        .filter(|_| found.as_ref().is_some_and(|found| found.ids.len() == 1))
    else {
        return Err(Trouble::new("a region is in one clip", said.context.scope.track_names()));
    };
    let params = vec![
        ("code", json!(code)),
        ("target", json!(clip)),
        ("start_ms", json!(from * 1000.0)),
        ("end_ms", json!(to * 1000.0)),
    ];
    let coding = about((*clip).into(), "tool_code_region", params);
    let new = code_of(said.session(), &code).is_none();
    let making = new.then(|| Draft::call("cmd_set_code", vec![("name", json!(code))]));
    Ok(making.into_iter().chain([coding]).collect())
}

fn new_code(said: &Said<'_>) -> One {
    let name = said.words("code")?;
    let mut params = vec![("name", json!(name))];
    if said.tokens("into").is_some() {
        params.push(("parent", json!(said.code("into")?)));
    }
    Ok(Draft::call("cmd_set_code", params))
}

fn move_code(said: &Said<'_>) -> One {
    let (code, parent) = (said.code("code")?, said.code("into")?);
    let params = vec![("code_id", json!(code)), ("parent", json!(parent))];
    Ok(about(code.into(), "cmd_set_code", params))
}

fn merge_codes(said: &Said<'_>) -> One {
    let (from, into) = (said.code("code")?, said.code("into")?);
    let params = vec![("from", json!(from)), ("into", json!(into))];
    Ok(Draft { targets: vec![from.into(), into.into()], ..Draft::call("cmd_merge_codes", params) })
}

fn memo(said: &Said<'_>) -> One {
    let code = said.code("code")?;
    let params = vec![("target", json!(code)), ("text", json!(said.words("text")?))];
    Ok(about(code.into(), "cmd_set_memo", params))
}

/// Each segment of the phrase.
fn important(said: &Said<'_>, importance: u8) -> Built {
    let phrase = said.phrase("p")?;
    let segments = said.session().phrases.get(&phrase).map(|it| it.segments.clone());
    let draft = |segment: deskhand_session::SegmentId| {
        let params = vec![("segment_id", json!(segment)), ("importance", json!(importance))];
        about(segment.into(), "tool_set_importance", params)
    };
    Ok(segments.unwrap_or_default().into_iter().map(draft).collect())
}

fn quotes(said: &Said<'_>) -> One {
    let mut params = vec![("report", json!("quotes"))];
    let mut targets = Vec::new();
    if said.tokens("code").is_some() {
        let code = said.code("code")?;
        params.push(("codes", json!([code])));
        targets.push(code.into());
    }
    Ok(Draft { targets, ..Draft::call("tool_report_codes", params) })
}
