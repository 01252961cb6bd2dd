//! The names of a request: to which parameter they belong, and which objects of the session they are.

use super::explain::{Clause, Miss, Taking, lacking};
use super::items::Kind;
use super::vocabulary::Way;
use crate::part::Thing;
use crate::requests::Draft;
use crate::resolve::{Context, Phrase, Resolved, Want, list};
use crate::vocab::Verb;
use deskhand_session::intent::{Kinds, Reference, Unsaid};
use deskhand_session::{ObjectId, TrackKind};
use serde_json::{Map, Value, json};

/// The parameter that says what a tool works on.
const TARGETS: &str = "targets";

/// Takes all names, and makes the call.
pub(super) fn take(
    way: Way<'_>,
    clause: &Clause<'_>,
    context: &Context<'_>,
    taking: &mut Taking<'_>,
    params: &mut Map<String, Value>,
) -> Result<Draft, Miss> {
    let (mut targets, mut is_broad) = (Vec::new(), false);
    let phrases: Vec<Option<Phrase>> =
        way.intent.refs.iter().map(|reference| named(reference, taking)).collect();
    // What is left over is about something else, whatever the names mean.
    if taking.left().next().is_some() {
        return Err(Miss::Other);
    }
    if let Some(trouble) = taking.trouble.take() {
        return Err(trouble.into());
    }
    for (reference, phrase) in way.intent.refs.iter().zip(phrases) {
        let phrase = phrase.or_else(|| shared(reference, clause));
        if let (Some((param, value)), true) =
            (&way.intent.each_track, phrase.as_ref().is_some_and(is_each_track))
        {
            params.insert(param.clone(), value.clone());
        }
        is_broad |= reference.param == TARGETS && phrase.as_ref().is_none_or(Phrase::is_broad);
        let found = resolve(way, reference, phrase, context)?;
        if reference.param == TARGETS || reference.kinds == Kinds::Mix {
            targets.clone_from(&found.ids);
        }
        if reference.kinds == Kinds::OtherTracks {
            if is_broad && leave_out(&mut targets, &found.ids) {
                params.insert(TARGETS.into(), list(&targets));
            }
            if targets.iter().any(|id| found.ids.contains(id)) {
                return Err(lacking(way).map_or(Miss::Other, Miss::Trouble));
            }
        }
        if matches!(reference.kinds, Kinds::Mix | Kinds::AllOfMix) {
            continue;
        }
        let value = match reference.kinds {
            Kinds::OneSound | Kinds::OneTrack => json!(found.ids.first().map(ToString::to_string)),
            _ => found.param,
        };
        params.insert(reference.param.clone(), value);
    }
    let pairs = params.iter().map(|(param, value)| (param.as_str(), value.clone())).collect();
    Ok(Draft { targets, ..Draft::call(way.tool, pairs) })
}

/// "everything under the voice": all but the voice. Whether anything was left out.
fn leave_out(targets: &mut Vec<ObjectId>, others: &[ObjectId]) -> bool {
    let kept: Vec<ObjectId> = targets.iter().copied().filter(|id| !others.contains(id)).collect();
    let is_fewer = !kept.is_empty() && kept.len() < targets.len();
    if is_fewer {
        *targets = kept;
    }
    is_fewer
}

fn is_each_track(phrase: &Phrase) -> bool {
    phrase.is_all(Thing::Tracks)
}

/// The names that stand behind one of the prepositions.
fn named(reference: &Reference, taking: &mut Taking<'_>) -> Option<Phrase> {
    let fits = |prep: Option<&str>| reference.preps.iter().any(|it| it == prep.unwrap_or("-"));
    let found = taking.left().find_map(|(at, item)| match &item.kind {
        Kind::Names(phrase) if fits(item.prep) => Some((at, phrase.clone())),
        _ => None,
    });
    let (at, phrase) = found?;
    taking.used[at] = true;
    taking.score += 2;
    Some(phrase)
}

/// What the requests around name, where it is what is worked on.
fn shared(reference: &Reference, clause: &Clause<'_>) -> Option<Phrase> {
    clause.shared.clone().filter(|_| reference.param == TARGETS && reference.kinds != Kinds::Mix)
}

fn resolve(
    way: Way<'_>,
    reference: &Reference,
    phrase: Option<Phrase>,
    context: &Context<'_>,
) -> Result<Resolved, Miss> {
    let may_be_unsaid = reference.param == TARGETS || reference.kinds == Kinds::AllOfMix;
    if phrase.is_none() && !may_be_unsaid {
        return Err(lacking(way).map_or(Miss::Other, Miss::Trouble));
    }
    if reference.kinds == Kinds::Mix {
        return mix(phrase.as_ref(), context);
    }
    if reference.kinds == Kinds::AllOfMix {
        let is_all = phrase.as_ref().is_none_or(is_all_of_mix);
        return if is_all { Ok(the_mix(context)) } else { mix(phrase.as_ref(), context) };
    }
    let is_unsaid = phrase.is_none();
    let is_guess = match way.intent.unsaid {
        Unsaid::Named => true,
        // A clause has its verb; whole sentences are read first, and have none.
        Unsaid::EverythingLater => context.verb.is_none() || !context.alone,
        Unsaid::Ask | Unsaid::ItIsAll | Unsaid::Everything => !context.alone,
    };
    if is_unsaid && reference.param == TARGETS && is_guess {
        let open = context.resolve(None, Want::Sound).err().filter(|_| is_asked(way));
        return Err(open.map_or(Miss::Other, Miss::Unsaid));
    }
    let phrase = or_everything(phrase, way.intent.unsaid, context);
    let found = of_kind(reference.kinds, phrase, context);
    if reference.kinds == Kinds::OneSound && matches!(found, Err(Miss::Other)) {
        return Err(lacking(way).map_or(Miss::Other, Miss::Trouble));
    }
    found.map_err(|miss| match miss {
        Miss::Trouble(trouble) if is_unsaid => Miss::Unsaid(trouble),
        miss => miss,
    })
}

/// Whether a person is asked what is meant, if that is not clear.
fn is_asked(way: Way<'_>) -> bool {
    matches!(way.intent.unsaid, Unsaid::Ask | Unsaid::ItIsAll | Unsaid::Everything)
}

/// The objects of names, as far as they are of a kind.
fn of_kind(kinds: Kinds, phrase: Option<Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    Ok(match kinds {
        Kinds::Tracks | Kinds::OtherTracks => context.resolve(phrase, Want::Tracks)?,
        Kinds::Faders => without_buses(context.resolve(phrase, Want::Tracks)?, context),
        Kinds::MutedTracks => even_muted(context).resolve(phrase, Want::Tracks)?,
        Kinds::Sound => context.resolve(phrase, Want::Sound)?,
        Kinds::OneSound => one(context.resolve(phrase, Want::Sound)?)?,
        // A marker in its place is another request.
        Kinds::OneTrack => one(context.resolve(phrase, Want::Tracks).map_err(|_| Miss::Other)?)?,
        Kinds::Clips => clips(context.resolve(phrase, Want::Sound)?)?,
        Kinds::ClipOfTrack => context.resolve(phrase, Want::Clips)?,
        Kinds::FirstClip => context.clip_of_each(phrase, |clips| Some(clips.first()?.0))?,
        Kinds::LastClip => context.clip_of_each(phrase, |clips| Some(clips.last()?.0))?,
        Kinds::Mix | Kinds::AllOfMix => return Err(Miss::Other),
    })
}

/// The mix is no parameter; what is said of anything else is not about it.
fn mix(phrase: Option<&Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    if !phrase.is_some_and(Phrase::is_mix) {
        return Err(Miss::Other);
    }
    context.may_touch_all()?;
    Ok(the_mix(context))
}

fn the_mix(context: &Context<'_>) -> Resolved {
    Resolved { param: Value::Null, ids: vec![context.scope.session.id.into()] }
}

/// "it" and everything are the mix, where only that can be meant.
fn is_all_of_mix(phrase: &Phrase) -> bool {
    phrase.is_it() || phrase.is_all(Thing::Everything) && phrase.except.is_empty()
}

/// What is meant if nothing is named and nothing is selected.
fn or_everything(phrase: Option<Phrase>, unsaid: Unsaid, context: &Context<'_>) -> Option<Phrase> {
    match unsaid {
        Unsaid::Ask | Unsaid::Named => phrase,
        Unsaid::ItIsAll => phrase.map(|phrase| context.or_all(phrase)),
        Unsaid::Everything | Unsaid::EverythingLater => context.or_heard(phrase),
    }
}

/// With buses, "all" would turn down a track and the bus it plays to.
fn without_buses(found: Resolved, context: &Context<'_>) -> Resolved {
    let has_buses = context.scope.session.tracks.values().any(|track| track.kind == TrackKind::Bus);
    match has_buses && found.param == "all" {
        true => Resolved { param: list(&found.ids), ..found },
        false => found,
    }
}

/// What switches mutes is about muted tracks as well.
fn even_muted<'a>(context: &Context<'a>) -> Context<'a> {
    Context {
        scope: context.scope,
        alone: context.alone,
        previous: context.previous.clone(),
        mentioned: context.mentioned.clone(),
        protected: context.protected.clone(),
        verb: context.verb.or(Some(Verb::Mute)),
    }
}

fn clips(found: Resolved) -> Result<Resolved, Miss> {
    let are_clips = found.ids.iter().all(|id| matches!(id, ObjectId::Clip(_)));
    if are_clips { Ok(found) } else { Err(Miss::Other) }
}

fn one(found: Resolved) -> Result<Resolved, Miss> {
    if found.ids.len() == 1 { Ok(found) } else { Err(Miss::Other) }
}
