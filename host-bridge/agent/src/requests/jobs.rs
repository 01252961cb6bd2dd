//! The heavier tools: "split the song into stems", "remove the hum from the guest", "duck the music under the
//! dialogue", "find the beats of the drums".

use super::{Built, Draft};
use crate::clause_reader::{OBJECT, Reader};
use crate::clauses::Clause;
use crate::levels::{BROADCAST, PODCAST, STREAMING, Standard, Unit};
use crate::resolve::{Context, Phrase, Resolved, Trouble, Want, list};
use crate::vocab::{Ask, Noun, Prep, Verb, Word};
use serde_json::{Value, json};

type Params = Vec<(&'static str, Value)>;

/// What a clause asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    Separate,
    Denoise,
    ReduceBleed,
    Align,
    Duck,
    LevelSpeech,
    Match,
    Master,
    /// A tool that takes targets, and what becomes of what it finds.
    Plain(&'static str, Option<&'static str>),
}

/// Reads a clause that is about one of these tools; none when it is about something else.
pub(super) fn build(clause: &Clause, reader: &mut Reader, context: &Context<'_>) -> Option<Built> {
    let job = by_verb(clause).or_else(|| by_noun(clause, reader))?;
    if let Some(verb) = clause.verb() {
        reader.take_verb(verb);
    }
    Some(call(job, reader, context))
}

/// Verbs that say it all.
fn by_verb(clause: &Clause) -> Option<Job> {
    match clause.verb()? {
        Verb::Separate => Some(Job::Separate),
        Verb::Denoise => Some(Job::Denoise),
        Verb::Align => Some(Job::Align),
        Verb::Duck => Some(Job::Duck),
        Verb::LevelOut => Some(Job::LevelSpeech),
        Verb::Match => Some(Job::Match),
        Verb::Master => Some(Job::Master),
        Verb::Classify => Some(Job::Plain("tool_classify_content", None)),
        Verb::AnalyzeAll => Some(Job::Plain("tool_analyze_all", None)),
        _ => None,
    }
}

/// Things that are found, or that are taken away.
fn by_noun(clause: &Clause, reader: &Reader) -> Option<Job> {
    let verb = clause.verb();
    let has = |noun| reader.has_noun(noun);
    let looks = verb == Some(Verb::Find) || verb.is_none() && clause.asks();
    let marks = matches!(verb, Some(Verb::Mark | Verb::Add)).then_some("markers");
    let splits = (verb == Some(Verb::Split)).then_some("clips");
    let takes_away =
        matches!(verb, Some(Verb::Remove | Verb::Lower | Verb::Strip | Verb::Cut | Verb::Knock));
    if has(Noun::Stems) {
        return Some(Job::Separate);
    }
    if takes_away {
        return [
            (Noun::Hum, Job::Plain("tool_remove_hum", None)),
            (Noun::DcOffset, Job::Plain("tool_remove_dc", None)),
            (Noun::Bleed, Job::ReduceBleed),
            (Noun::Noise, Job::Denoise),
        ]
        .into_iter()
        .find_map(|(noun, job)| has(noun).then_some(job));
    }
    let found = if looks { Some(None) } else { marks.or(splits).map(Some) };
    let becomes = found?;
    [
        (Noun::Beats, "tool_detect_beats"),
        (Noun::Onsets, "tool_detect_onsets"),
        (Noun::Parts, "tool_detect_segments"),
        (Noun::Key, "tool_detect_key"),
        (Noun::Spectrum, "tool_analyze_spectrum"),
        (Noun::Problems, "tool_find_problems"),
    ]
    .into_iter()
    .filter(|(_, tool)| takes_form(tool, becomes))
    .find_map(|(noun, tool)| has(noun).then_some(Job::Plain(tool, becomes)))
}

/// Which tools make markers, and which make clips.
fn takes_form(tool: &str, becomes: Option<&str>) -> bool {
    match becomes {
        None => true,
        Some("clips") => tool == "tool_detect_segments",
        Some(_) => {
            matches!(tool, "tool_detect_segments" | "tool_detect_onsets" | "tool_detect_beats")
        }
    }
}

fn call(job: Job, reader: &mut Reader, context: &Context<'_>) -> Built {
    let drafts = match job {
        Job::Separate => separate(reader, context),
        Job::Denoise => denoise(reader, context),
        Job::ReduceBleed => reduce_bleed(reader, context),
        Job::Align => align(reader, context),
        Job::Duck => duck(reader, context),
        Job::LevelSpeech => level_speech(reader, context),
        Job::Match => match_loudness(reader, context),
        Job::Master => master(reader),
        Job::Plain(tool, becomes) => plain(tool, becomes, reader, context),
    };
    drafts.map(|draft| vec![draft])
}

type One = Result<Draft, Trouble>;

fn sound(reader: &mut Reader, context: &Context<'_>) -> Result<Resolved, Trouble> {
    context.resolve_or_all(reader.take_phrase(OBJECT))
}

fn plain(
    tool: &str,
    becomes: Option<&'static str>,
    reader: &mut Reader,
    context: &Context<'_>,
) -> One {
    reader.ignore(|word| {
        matches!(word, Word::Ask(Ask::What | Ask::Show | Ask::Measure | Ask::Where))
    });
    let about = [
        Noun::Hum,
        Noun::DcOffset,
        Noun::Beats,
        Noun::Onsets,
        Noun::Parts,
        Noun::Key,
        Noun::Spectrum,
        Noun::Problems,
        Noun::Tempo,
        Noun::Marker,
    ];
    reader.drop_nouns(&about);
    let params: Params = becomes.map(|form| ("as", json!(form))).into_iter().collect();
    Ok(Draft::on(tool, sound(reader, context)?, params))
}

fn separate(reader: &mut Reader, context: &Context<'_>) -> One {
    let named = [Noun::Stems, Noun::Track];
    let phrase = reader.take_phrase(OBJECT);
    reader.drop_nouns(&named);
    Ok(Draft::on("tool_separate_stems", context.resolve(phrase, Want::Sound)?, Vec::new()))
}

fn denoise(reader: &mut Reader, context: &Context<'_>) -> One {
    reader.drop_nouns(&[Noun::Noise]);
    let strength = reader.take_percent().map(|percent| ("strength", json!(percent)));
    Ok(Draft::on("tool_denoise", sound(reader, context)?, strength.into_iter().collect()))
}

fn reduce_bleed(reader: &mut Reader, context: &Context<'_>) -> One {
    reader.drop_nouns(&[Noun::Bleed]);
    let params = depth(reader);
    let between = [OBJECT, &[Some(Prep::Between)]].concat();
    let resolved = context.resolve(reader.take_phrase(&between), Want::Tracks)?;
    Ok(Draft::on("tool_reduce_bleed", resolved, params))
}

/// "by 12 dB".
fn depth(reader: &mut Reader) -> Params {
    let by = |unit, prep| matches!(unit, Unit::Db | Unit::Lu) && prep == Some(Prep::By);
    let level = reader.take_level(|level, prep| by(level.unit, prep));
    level.map(|(level, _)| ("depth_db", json!(level.value.abs()))).into_iter().collect()
}

fn align(reader: &mut Reader, context: &Context<'_>) -> One {
    let targets = sound(reader, context)?;
    let to = [Some(Prep::To), Some(Prep::With)];
    let Some(reference) = reader.take_phrase(&to) else {
        return Err(Trouble::new(
            "it does not say what they are lined up with",
            ["align the guest mic to the host mic"],
        ));
    };
    let reference = context.resolve(Some(reference), Want::Sound)?.param;
    Ok(Draft::on("tool_align_clips", targets, vec![("reference", reference)]))
}

fn duck(reader: &mut Reader, context: &Context<'_>) -> One {
    let mut params = depth(reader);
    let phrase = reader.take_phrase(OBJECT);
    let is_broad = phrase.as_ref().is_some_and(Phrase::is_broad);
    let mut targets = context.resolve(phrase, Want::Tracks)?;
    let Some(under) = reader.take_phrase(&[Some(Prep::Below)]) else {
        return Err(Trouble::new(
            "it does not say under what",
            ["duck the music under the dialogue", "duck the music under the host mic by 12 dB"],
        ));
    };
    let under = context.resolve(Some(under), Want::Tracks)?;
    // "Everything under the voice": all but the voice.
    let others = targets.ids.iter().copied().filter(|id| !under.ids.contains(id));
    let others: Vec<_> = others.collect();
    if is_broad && !others.is_empty() && others.len() < targets.ids.len() {
        targets = Resolved { param: list(&others), ids: others };
    }
    params.push(("under", under.param));
    Ok(Draft::on("tool_duck", targets, params))
}

fn level_speech(reader: &mut Reader, context: &Context<'_>) -> One {
    let mut params = Params::new();
    if let Some((level, _)) = reader.take_level(|level, _| level.unit == Unit::Lufs) {
        params.push(("target_lufs", json!(level.value)));
    }
    if let Some((level, _)) = reader.take_level(|level, _| level.unit == Unit::Lu) {
        params.push(("within_lu", json!(level.value)));
    }
    reader.drop_nouns(&[Noun::Level, Noun::Loudness]);
    Ok(Draft::on("tool_level_speech", sound(reader, context)?, params))
}

fn match_loudness(reader: &mut Reader, context: &Context<'_>) -> One {
    reader.drop_nouns(&[Noun::Level, Noun::Loudness]);
    let targets = sound(reader, context)?;
    let reference = reader.take_phrase(&[Some(Prep::To), Some(Prep::With)]);
    let reference = reference.ok_or_else(no_reference)?;
    match &context.resolve(Some(reference), Want::Sound)?.ids[..] {
        [one] => {
            let reference = ("reference", json!(one.to_string()));
            Ok(Draft::on("tool_match_loudness", targets, vec![reference]))
        }
        _ => Err(no_reference()),
    }
}

fn no_reference() -> Trouble {
    Trouble::new(
        "it does not say which one track or clip it is matched to",
        ["match the guest mic to the host mic"],
    )
}

/// The mix for a delivery.
fn master(reader: &mut Reader) -> One {
    reader.take_pronoun();
    reader.take_phrase(OBJECT).filter(|phrase| !phrase.is_mix()).map_or(Ok(()), |_| {
        Err(Trouble::new("only the mix is mastered", ["master the mix for streaming"]))
    })?;
    let delivery = reader.take_standard().and_then(delivery_of);
    let compact_disc = reader.take_noun(Noun::CompactDisc).then_some("cd");
    let Some(delivery) = delivery.or(compact_disc) else {
        return Err(Trouble::new(
            "it does not say for which delivery",
            ["master the mix for streaming", "master the mix for podcasts"],
        ));
    };
    Ok(Draft::call("tool_master", vec![("for", json!(delivery))]))
}

fn delivery_of(standard: Standard) -> Option<&'static str> {
    [(STREAMING, "streaming"), (PODCAST, "podcast"), (BROADCAST, "broadcast")]
        .into_iter()
        .find_map(|(known, name)| (known == standard).then_some(name))
}
