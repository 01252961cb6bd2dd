//! What names mean for each kind of thing that a tool works on.

use super::clause::Miss;
use crate::meanings::phrases_of;
use crate::part::{Part, Phrase, Pick, Thing, objects};
use crate::resolve::{Context, Deed, Resolved, Trouble, Want, list};
use deskhand_dsp::Seconds;
use deskhand_session::intent::{Kinds, Unsaid};
use deskhand_session::{Handle, ObjectId, TrackKind};
use serde_json::{Map, Value, json};

/// The objects of names, as far as they are of a kind.
// tidy: table
pub(super) fn of_kind(
    kinds: Kinds,
    phrase: Option<Phrase>,
    context: &Context<'_>,
) -> Result<Resolved, Miss> {
    Ok(match kinds {
        Kinds::Tracks | Kinds::OtherTracks => context.resolve(phrase, Want::Tracks)?,
        Kinds::AllFaders if !phrase.as_ref().is_some_and(is_all) => return Err(Miss::Other),
        Kinds::Faders | Kinds::AllFaders => {
            without_buses(context.resolve(phrase, Want::Tracks)?, context)
        }
        Kinds::MutedTracks => even_muted(context).resolve(phrase, Want::Tracks)?,
        Kinds::Sound => match sources(phrase.as_ref()) {
            Some(ids) => Resolved { param: list(&ids), ids },
            None => context.resolve(phrase, Want::Sound)?,
        },
        Kinds::TwoTracks => two(context.resolve(phrase, Want::Tracks)?)?,
        Kinds::TracksOrMix => tracks_or_mix(phrase, context)?,
        Kinds::OneSound => one(context.resolve(phrase, Want::Sound)?)?,
        // A marker in its place is another request.
        Kinds::OneTrack => {
            one(even_muted(context).resolve(phrase, Want::Tracks).map_err(|_| Miss::Other)?)?
        }
        Kinds::Clips => clips(context.resolve(phrase, Want::Sound)?)?,
        Kinds::LooseClips => loose(clips(context.resolve(phrase, Want::Any)?)?, context)?,
        Kinds::Phrases if !context.is_last => return Err(Miss::Other),
        Kinds::Phrases => phrases(&context.resolve(phrase, Want::Any)?, context)?,
        Kinds::OneClip => {
            one(clips(context.resolve(phrase, Want::Any).map_err(|_| Miss::Other)?)?)?
        }
        Kinds::Marker => marker(phrase, context)?,
        Kinds::NamedTracks => named_tracks(phrase, context)?,
        Kinds::Output => output(phrase.as_ref(), context)?,
        Kinds::EachChannel => channels(phrase, context)?,
        Kinds::EachHandle => handles(context.resolve(phrase, Want::Clips)?, context)?,
        Kinds::Groups => groups(context.resolve(phrase, Want::Any)?, context)?,
        Kinds::Selectable => selectable(context.resolve(phrase, Want::Any)?, context)?,
        Kinds::ClipOfTrack => context.resolve(phrase, Want::Clips)?,
        Kinds::FirstClip => context.clip_of_each(phrase, |clips| Some(clips.first()?.0))?,
        Kinds::LastClip => context.clip_of_each(phrase, |clips| Some(clips.last()?.0))?,
        Kinds::Mix
        | Kinds::AllOfMix
        | Kinds::Whole
        | Kinds::Any
        | Kinds::ClipAtPlace
        | Kinds::Span
        | Kinds::Opening
        | Kinds::Closing => return Err(Miss::Other),
    })
}

/// Recordings that are named by their files.
fn sources(phrase: Option<&Phrase>) -> Option<Vec<ObjectId>> {
    let Some(Pick::Objects(ids)) = phrase?.single() else { return None };
    let are_sources = ids.iter().all(|id| matches!(id, ObjectId::Source(_)));
    (are_sources && !ids.is_empty()).then(|| ids.clone())
}

/// What a question is about; no objects if it is about the whole session.
pub(super) fn asked_about(phrase: Option<Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    let nothing = Resolved { param: Value::Null, ids: Vec::new() };
    let Some(phrase) = phrase.map(|phrase| context.or_all(phrase)) else { return Ok(nothing) };
    let is_everything = phrase.is_all(Thing::Everything) || phrase.is_all(Thing::Heard);
    if is_everything && phrase.except.is_empty() {
        return Ok(nothing);
    }
    // One of several that are called so: the question is answered for each.
    let each = |part: Part| match part.pick {
        Pick::Ambiguous(ids) => objects(ids),
        _ => part,
    };
    let parts = phrase.parts.into_iter().map(each).collect();
    Ok(context.resolve(Some(Phrase { parts, ..phrase }), Want::Any)?)
}

/// Clips; for a track, its clip at the time in `at_s`.
pub(super) fn at_place(
    phrase: Option<Phrase>,
    context: &Context<'_>,
    params: &Map<String, Value>,
) -> Result<Resolved, Miss> {
    let seconds = params.get("at_s").and_then(Value::as_f64).ok_or(Miss::Other)?;
    let at = Seconds(seconds).frames(context.scope.session.rate);
    Ok(context.clip_of_each(phrase, |clips| {
        let mut clips = clips.iter();
        clips.find(|(_, clip)| clip.position < at && at < clip.end()).map(|(id, _)| *id)
    })?)
}

/// Clips that are not phrases of an edit: phrases are removed by the tool of the edit.
fn loose(found: Resolved, context: &Context<'_>) -> Result<Resolved, Miss> {
    let are_phrases = phrases_of(context.scope.session, &found.ids).is_some();
    if are_phrases || found.param == "all" { Err(Miss::Other) } else { Ok(found) }
}

fn phrases(found: &Resolved, context: &Context<'_>) -> Result<Resolved, Miss> {
    let phrases = phrases_of(context.scope.session, &found.ids).ok_or(Miss::Other)?;
    let ids = phrases.iter().map(|id| (*id).into()).collect();
    Ok(Resolved { param: json!(phrases), ids })
}

fn marker(phrase: Option<Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    let found = one(context.resolve(phrase, Want::Any).map_err(|_| Miss::Other)?)?;
    of_these(found, |id| matches!(id, ObjectId::Marker(_)))
}

/// Tracks that are named one by one.
fn named_tracks(phrase: Option<Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    let is_told = phrase.as_ref().is_none_or(|it| it.is_broad() || it.has_role());
    let found = context.resolve(phrase, Want::Any)?;
    let found = of_these(found, |id| matches!(id, ObjectId::Track(_)))?;
    if !is_told {
        return Ok(found);
    }
    let name = |id: &ObjectId| context.scope.session.name_of(*id);
    let offers = found.ids.iter().map(|id| format!("remove the track \"{}\"", name(id)));
    Err(Trouble::new("tracks are removed by their own names: say which track", offers).into())
}

/// A bus that tracks play to, or the mix.
fn output(phrase: Option<&Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    if phrase.is_some_and(Phrase::is_mix) {
        return Ok(Resolved { param: json!("master"), ids: Vec::new() });
    }
    let session = context.scope.session;
    let is_bus = |id: &ObjectId| matches!(id, ObjectId::Track(track) if session.tracks.get(track).is_some_and(|track| track.kind == TrackKind::Bus));
    let found = phrase.and_then(|it| context.resolve(Some(it.clone()), Want::Any).ok());
    match found.as_ref().map(|found| &found.ids[..]) {
        Some([id]) if is_bus(id) => Ok(Resolved { param: json!(id.to_string()), ids: vec![*id] }),
        _ => {
            let buses = session.tracks_in_order().filter(|(_, track)| track.kind == TrackKind::Bus);
            let offers = buses.map(|(_, track)| track.name.clone());
            let offers = offers.chain(["the master".to_owned()]);
            Err(Trouble::new("a track plays to one bus or to the master", offers).into())
        }
    }
}

/// Tracks and buses, or the mix, which is `"mix"`. A selected clip means its track.
fn tracks_or_mix(phrase: Option<Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    let is_whole = |it: &Phrase| {
        it.is_mix() || it.single() == Some(&Pick::All(Thing::Heard)) || is_all_of_mix(it)
    };
    if phrase.as_ref().is_some_and(|it| is_whole(it) && !it.is_it()) {
        context.may_touch_all()?;
        return Ok(Resolved { param: json!("mix"), ..the_mix(context) });
    }
    let want = match context.is_selection(phrase.as_ref()) {
        true => Want::Sound,
        false => Want::Tracks,
    };
    Ok(context.resolve(phrase, want)?)
}

/// Tracks, buses or the mix, which is `"master"`.
fn channels(phrase: Option<Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    if phrase.as_ref().is_some_and(Phrase::is_mix) {
        return Ok(Resolved { param: json!(["master"]), ..the_mix(context) });
    }
    let is_whole = phrase.as_ref().is_some_and(|it| is_all(it) || it.is_all(Thing::Heard));
    let found = context.resolve(phrase, Want::Any)?;
    match found.ids.iter().all(|id| matches!(id, ObjectId::Track(_))) && !is_whole {
        true => Ok(Resolved { param: list(&found.ids), ..found }),
        false => {
            let offers = context.scope.track_names().into_iter().chain(["the mix".to_owned()]);
            Err(Trouble::new("a processor goes on tracks, buses or the mix: say which", offers)
                .into())
        }
    }
}

/// At most this many windows are opened by one request.
const MOST_WINDOWS: usize = 4;

fn handles(found: Resolved, context: &Context<'_>) -> Result<Resolved, Miss> {
    let handle = |id: &ObjectId| match id {
        ObjectId::Clip(id) => Some(Handle::Clip(*id).to_string()),
        ObjectId::Source(id) => Some(Handle::Source(*id).to_string()),
        _ => None,
    };
    let handles: Option<Vec<String>> = found.ids.iter().map(handle).collect();
    let handles = handles.ok_or(Miss::Other)?;
    if handles.len() > MOST_WINDOWS {
        let names = found.ids.iter().map(|id| context.scope.session.name_of(*id));
        let reason = format!("that is {} clips, and each needs a window", handles.len());
        return Err(Trouble::new(reason, names.take(MOST_WINDOWS)).into());
    }
    Ok(Resolved { param: json!(handles), ..found })
}

fn groups(found: Resolved, context: &Context<'_>) -> Result<Resolved, Miss> {
    let fits = |id: &ObjectId| matches!(id, ObjectId::Group(_) | ObjectId::Track(_));
    let reason = "ripple edits work on tracks and groups of tracks";
    all_or_told(found, fits, reason, context)
}

fn selectable(found: Resolved, context: &Context<'_>) -> Result<Resolved, Miss> {
    let fits = |id: &ObjectId| matches!(id, ObjectId::Track(_) | ObjectId::Clip(_));
    all_or_told(found, fits, "tracks and clips can be selected", context)
}

fn all_or_told(
    found: Resolved,
    fits: impl Fn(&ObjectId) -> bool,
    reason: &str,
    context: &Context<'_>,
) -> Result<Resolved, Miss> {
    match found.ids.iter().all(fits) {
        true => Ok(found),
        false => Err(Trouble::new(reason, context.scope.track_names()).into()),
    }
}

fn of_these(found: Resolved, fits: impl Fn(&ObjectId) -> bool) -> Result<Resolved, Miss> {
    if found.ids.iter().all(fits) { Ok(found) } else { Err(Miss::Other) }
}

/// The mix is no parameter; what is said of anything else is not about it.
pub(super) fn mix(phrase: Option<&Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    if !phrase.is_some_and(Phrase::is_mix) {
        return Err(Miss::Other);
    }
    context.may_touch_all()?;
    Ok(the_mix(context))
}

pub(super) fn the_mix(context: &Context<'_>) -> Resolved {
    Resolved { param: Value::Null, ids: vec![context.scope.session.id.into()] }
}

/// "it" and everything are the mix, where only that can be meant.
pub(super) fn is_all_of_mix(phrase: &Phrase) -> bool {
    phrase.is_it() || phrase.is_all(Thing::Everything) && phrase.except.is_empty()
}

/// What is meant if nothing is named and nothing is selected.
pub(super) fn or_everything(
    phrase: Option<Phrase>,
    unsaid: Unsaid,
    context: &Context<'_>,
) -> Option<Phrase> {
    match unsaid {
        Unsaid::Ask | Unsaid::Named | Unsaid::LeftOut => phrase,
        Unsaid::ItIsAll => phrase.map(|phrase| context.or_all(phrase)),
        Unsaid::Everything | Unsaid::EverythingLater => context.or_heard(phrase),
        Unsaid::All => match phrase {
            None => Some(Phrase::all(Thing::Heard)),
            phrase => context.or_heard(phrase),
        },
        Unsaid::Whole => match phrase {
            Some(phrase) if !phrase.is_it() => Some(phrase),
            _ => Some(Phrase::all(Thing::Everything)),
        },
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

/// What switches mutes, or gives a name, is about muted tracks as well.
fn even_muted<'a>(context: &Context<'a>) -> Context<'a> {
    Context { deed: Deed::OfAll, ..context.clone() }
}

fn clips(found: Resolved) -> Result<Resolved, Miss> {
    let are_clips = found.ids.iter().all(|id| matches!(id, ObjectId::Clip(_)));
    if are_clips { Ok(found) } else { Err(Miss::Other) }
}

fn one(found: Resolved) -> Result<Resolved, Miss> {
    if found.ids.len() == 1 { Ok(found) } else { Err(Miss::Other) }
}

fn two(found: Resolved) -> Result<Resolved, Miss> {
    if found.ids.len() == 2 { Ok(found) } else { Err(Miss::Other) }
}

fn is_all(phrase: &Phrase) -> bool {
    phrase.is_all(Thing::Everything) || phrase.is_all(Thing::Tracks)
}
