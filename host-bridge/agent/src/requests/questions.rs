//! Questions: "what's loudest?", "how loud is the vocal?", "which tracks are muted?".

use super::{Built, Draft};
use crate::clause_reader::Reader;
use crate::part::{Part, Pick, Thing};
use crate::reading::{Among, Listing, Question, Rank, RequestKind, Setting, TrackState};
use crate::resolve::{Context, Phrase, Trouble, Want};
use crate::vocab::{Ask, Noun, Prep, Top, Verb, Word};
use deskhand_session::{Measure, ObjectId};

/// The relations in which a question names what it is about.
const ABOUT: &[Option<Prep>] =
    &[None, Some(Prep::On), Some(Prep::Of), Some(Prep::In), Some(Prep::For), Some(Prep::From)];

/// A question that measurements or the session answer.
pub(super) fn answerable(reader: &mut Reader, context: &Context<'_>) -> Built {
    let asks = openings(reader);
    let targets = about(&asks, reader, context)?;
    let tops = |word| {
        if let Word::Rank(top) = word { Some(top) } else { None }
    };
    let top = reader.take_as(tops);
    reader.ignore(|word| matches!(word, Word::Be));
    let question = match top {
        Some(top) => Some(extreme(top, reader, &targets)),
        None => asks.iter().find_map(|ask| answer(*ask, reader, &targets)),
    };
    let question = question.filter(|_| !asks.contains(&Ask::Other)).ok_or_else(unanswerable)?;
    Ok(vec![Draft { kind: RequestKind::Question(question), targets }])
}

fn unanswerable() -> Trouble {
    Trouble::not_understood(
        "this is no question that measurements or the session can answer",
        [
            "what's loudest?",
            "how loud is the vocal?",
            "which tracks are muted?",
            "is anything clipping?",
        ],
    )
}

fn openings(reader: &mut Reader) -> Vec<Ask> {
    let mut asks = Vec::new();
    while let Some(ask) =
        reader.take_as(|word| if let Word::Ask(ask) = word { Some(ask) } else { None })
    {
        asks.push(ask);
    }
    asks
}

/// What the question is about; a question may be about several candidates. Nothing for all that is heard: the mix.
fn about(
    asks: &[Ask],
    reader: &mut Reader,
    context: &Context<'_>,
) -> Result<Vec<ObjectId>, Trouble> {
    let Some(phrase) = reader.take_phrase(ABOUT) else {
        let is_of_tracks = asks.contains(&Ask::HowLoud) && reader.take_noun(Noun::Track);
        return match is_of_tracks {
            true => Ok(context.resolve(Some(Phrase::all(Thing::Tracks)), Want::Any)?.ids),
            false => Ok(Vec::new()),
        };
    };
    let phrase = context.or_all(phrase);
    let is_everything = phrase.is_all(Thing::Everything) || phrase.is_all(Thing::Heard);
    if is_everything && phrase.except.is_empty() {
        return Ok(Vec::new());
    }
    let candidates = |part: Part| match part.pick {
        Pick::Ambiguous(ids) => crate::part::objects(ids),
        _ => part,
    };
    let parts = phrase.parts.into_iter().map(candidates).collect();
    Ok(context.resolve(Some(Phrase { parts, ..phrase }), Want::Any)?.ids)
}

fn extreme(top: Top, reader: &mut Reader, targets: &[ObjectId]) -> Question {
    let loudness = matches!(top, Top::Loudest | Top::Quietest);
    let measure = measure(reader).unwrap_or(if loudness {
        Measure::IntegratedLoudness
    } else {
        Measure::TruePeak
    });
    let clips =
        reader.take_noun(Noun::Clip) || targets.iter().any(|id| matches!(id, ObjectId::Clip(_)));
    reader.drop_nouns(&[Noun::Track, Noun::Level]);
    let rank = match top {
        Top::Loudest | Top::Highest => Rank::Highest,
        Top::Quietest | Top::Lowest => Rank::Lowest,
    };
    let among = if clips { Among::Clips } else { Among::Tracks };
    Question::Extreme { measure, rank, among }
}

/// The quantity that is named.
fn measure(reader: &mut Reader) -> Option<Measure> {
    const MEASURES: &[(Noun, Measure)] = &[
        (Noun::TruePeak, Measure::TruePeak),
        (Noun::SamplePeak, Measure::SamplePeak),
        (Noun::Peak, Measure::TruePeak),
        (Noun::Rms, Measure::Rms),
        (Noun::Range, Measure::LoudnessRange),
        (Noun::Momentary, Measure::MaxMomentary),
        (Noun::ShortTerm, Measure::MaxShortTerm),
        (Noun::NoiseFloor, Measure::NoiseFloor),
        (Noun::Silence, Measure::Silence),
        (Noun::Loudness, Measure::IntegratedLoudness),
        (Noun::Level, Measure::IntegratedLoudness),
    ];
    MEASURES.iter().find(|(noun, _)| reader.take_noun(*noun)).map(|(_, measure)| *measure)
}

fn answer(ask: Ask, reader: &mut Reader, targets: &[ObjectId]) -> Option<Question> {
    match ask {
        Ask::Help => Some(Question::Help),
        Ask::History => Some(Question::History),
        Ask::HowLong => Some(Question::Length),
        Ask::HowLoud | Ask::Measure => {
            let measure = measure(reader).unwrap_or(Measure::IntegratedLoudness);
            reader.drop_nouns(&[Noun::Loudness, Noun::Level]);
            Some(Question::Level { measure })
        }
        Ask::HowMany => {
            Some(Question::Count { what: listing(reader).or_else(|| clips_named(targets))? })
        }
        Ask::Where => setting(reader).or_else(|| where_is(reader, targets)),
        Ask::What | Ask::Show => state(reader).or_else(|| fact(reader)).or_else(|| {
            let level = measure(reader).map(|measure| Question::Level { measure });
            level.or_else(|| setting(reader)).or_else(|| {
                listing(reader).or_else(|| clips_named(targets)).map(|what| Question::List { what })
            })
        }),
        Ask::Other => None,
    }
}

fn where_is(reader: &mut Reader, targets: &[ObjectId]) -> Option<Question> {
    reader.take_noun(Noun::Start);
    let placed = |id: &ObjectId| matches!(id, ObjectId::Clip(_) | ObjectId::Marker(_));
    (!targets.is_empty() && targets.iter().all(placed)).then_some(Question::Position)
}

fn state(reader: &mut Reader) -> Option<Question> {
    let state = if reader.take_noun(Noun::Muted) {
        TrackState::Muted
    } else if reader.take_noun(Noun::Soloed) {
        TrackState::Soloed
    } else {
        return None;
    };
    reader.drop_nouns(&[Noun::Track]);
    Some(Question::State { state })
}

/// Facts about the session as a whole.
fn fact(reader: &mut Reader) -> Option<Question> {
    let facts = [
        (Noun::Tempo, Question::Tempo),
        (Noun::Bpm, Question::Tempo),
        (Noun::Meter, Question::Meter),
        (Noun::Length, Question::Length),
    ];
    if reader.take_noun(Noun::Clipping) {
        reader.drop_nouns(&[Noun::Track, Noun::Clip]);
        return Some(Question::Clipping);
    }
    facts.into_iter().find(|(noun, _)| reader.take_noun(*noun)).map(|(_, question)| question)
}

fn setting(reader: &mut Reader) -> Option<Question> {
    const SETTINGS: &[(Noun, Setting)] = &[
        (Noun::PanSetting, Setting::Pan),
        (Noun::Gain, Setting::Gain),
        (Noun::ClipGain, Setting::Gain),
        (Noun::Output, Setting::Output),
        (Noun::Color, Setting::Color),
    ];
    let named =
        SETTINGS.iter().find(|(noun, _)| reader.take_noun(*noun)).map(|(_, setting)| *setting);
    let by_verb = || {
        let pan = reader.take_verb(Verb::Pan).then_some(Setting::Pan);
        pan.or_else(|| reader.take_verb(Verb::Route).then_some(Setting::Output))
    };
    named.or_else(by_verb).map(|setting| Question::Setting { setting })
}

/// "the clips on the host mic" names clips already.
fn clips_named(targets: &[ObjectId]) -> Option<Listing> {
    let clips = targets.iter().all(|id| matches!(id, ObjectId::Clip(_)));
    (clips && !targets.is_empty()).then_some(Listing::Clips)
}

/// What is listed or counted.
fn listing(reader: &mut Reader) -> Option<Listing> {
    const LISTINGS: &[(Noun, Listing)] = &[
        (Noun::Selected, Listing::Selection),
        (Noun::Clip, Listing::Clips),
        (Noun::Bus, Listing::Buses),
        (Noun::Source, Listing::Sources),
        (Noun::Marker, Listing::Markers),
        (Noun::Group, Listing::Groups),
        (Noun::Track, Listing::Tracks),
    ];
    LISTINGS.iter().find(|(noun, _)| reader.take_noun(*noun)).map(|(_, what)| *what)
}
