//! Sentences about the order in which phrases play, and about which of them play at all.

use super::said::{One, Said, on_groups};
use super::spoken::{Among, number_of, said_by};
use super::transcripts::voice;
use crate::draft::Draft;
use crate::lexer::{Token, TokenKind};
use crate::resolve::Trouble;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, PhraseId, Session, TrackId};
use serde_json::json;
use std::collections::BTreeSet;

/// Which way a phrase goes, or where phrases stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
}

pub(super) fn place_of(rest: &[PhraseId], other: Option<PhraseId>) -> Option<usize> {
    rest.iter().position(|id| Some(*id) == other)
}

/// The whole order, with one phrase or several in another place.
pub(super) fn moved(
    said: &Said<'_>,
    place: impl Fn(&[PhraseId], Option<PhraseId>) -> Option<usize>,
) -> One {
    let ids = playing(said)?;
    let other = said.tokens("q").map(|_| said.phrase("q")).transpose()?;
    let rest = others(said, &ids);
    let at = place(&rest, other).ok_or_else(|| {
        Trouble::new("a phrase cannot be put beside itself", ["put phrase 3 before phrase 1"])
    })?;
    inserted(said, &rest, at, &ids)
}

/// The phrases that are moved or kept.
fn playing(said: &Said<'_>) -> Result<Vec<PhraseId>, Trouble> {
    said.phrases(if said.tokens("p").is_some() { "p" } else { "r" }, Among::Playing)
}

fn others(said: &Said<'_>, ids: &[PhraseId]) -> Vec<PhraseId> {
    let order = &said.session().assembly.order;
    order.iter().copied().filter(|id| !ids.contains(id)).collect()
}

fn inserted(said: &Said<'_>, rest: &[PhraseId], at: usize, ids: &[PhraseId]) -> One {
    let (before, behind) = rest.split_at(at.min(rest.len()));
    ordered(said, &[before, ids, behind].concat(), ids)
}

/// The call that makes this the order; nothing waits where it is that already.
fn ordered(said: &Said<'_>, order: &[PhraseId], moved: &[PhraseId]) -> One {
    if said.session().assembly.order == order {
        return Err(Trouble::new("the phrases are in that order already", ["show the phrases"]));
    }
    let targets = moved.iter().map(|id| (*id).into()).collect();
    let params = vec![("ordered_group_ids", json!(order))];
    Ok(Draft { targets, ..Draft::call("tool_reorder_segments", params) })
}

/// "move phrase 3 up", "move phrase 2 two places down".
pub(super) fn stepped(said: &Said<'_>, way: Way) -> One {
    let ids = playing(said)?;
    let steps = said.tokens("steps").and_then(number_of).unwrap_or(1);
    let order = &said.session().assembly.order;
    let first = ids.iter().filter_map(|id| place_of(order, Some(*id))).min().unwrap_or_default();
    let rest = others(said, &ids);
    let most = rest.len();
    let at = match way {
        Way::Up => first.saturating_sub(steps),
        Way::Down => (first + steps).min(most),
    };
    if at == first || first > most {
        let end = if way == Way::Up { "first" } else { "last" };
        let reason = format!("it is the {end} phrase already");
        return Err(Trouble::new(reason, ["show the phrases"]));
    }
    inserted(said, &rest, at, &ids)
}

/// "make phrase 3 the first one", "move phrase 2 to position 5".
pub(super) fn to_place(said: &Said<'_>) -> One {
    let ids = playing(said)?;
    let rest = others(said, &ids);
    let place = said.tokens("nth").and_then(number_of).unwrap_or_default();
    let places = 1..=rest.len() + 1;
    if !places.contains(&place) {
        let reason = format!("there is no place {place}: {} phrases play", rest.len() + ids.len());
        return Err(Trouble::new(reason, ["show the phrases"]));
    }
    inserted(said, &rest, place - 1, &ids)
}

/// "put phrase 5 between phrases 1 and 2".
pub(super) fn between(said: &Said<'_>) -> One {
    let ids = playing(said)?;
    let (one, two) = (said.phrase("q")?, said.phrase("other")?);
    let rest = others(said, &ids);
    let places = place_of(&rest, Some(one)).zip(place_of(&rest, Some(two)));
    match places {
        Some((a, b)) if a.abs_diff(b) == 1 => inserted(said, &rest, a.max(b), &ids),
        _ => {
            let reason = "those two are not beside each other; name the one that it comes after";
            Err(Trouble::new(reason, ["put phrase 3 after phrase 1"]))
        }
    }
}

pub(super) fn swap(said: &Said<'_>) -> One {
    let two = match said.tokens("q") {
        Some(_) => vec![said.phrase("p")?, said.phrase("q")?],
        None => playing(said)?,
    };
    let [a, b] = two[..] else {
        return Err(Trouble::new("two phrases change places", ["swap phrases 1 and 2"]));
    };
    swapped(said, a, b)
}

/// "swap phrase 2 with the next one".
pub(super) fn swap_beside(said: &Said<'_>, way: Way) -> One {
    let own = said.phrase("p")?;
    let order = &said.session().assembly.order;
    let at = place_of(order, Some(own));
    let beside = at.and_then(|at| match way {
        Way::Up => at.checked_sub(1),
        Way::Down => Some(at + 1),
    });
    let other = beside.and_then(|at| order.get(at)).copied();
    let other = other
        .ok_or_else(|| Trouble::new("no phrase stands beside it there", ["show the phrases"]))?;
    swapped(said, own, other)
}

fn swapped(said: &Said<'_>, a: PhraseId, b: PhraseId) -> One {
    let other = |id: &PhraseId| match *id {
        id if id == a => b,
        id if id == b => a,
        id => id,
    };
    let order: Vec<PhraseId> = said.session().assembly.order.iter().map(other).collect();
    ordered(said, &order, &[a, b])
}

/// "3 1 2 4", "3, 1, 2 and 4": the numbers in that order.
fn listed(tokens: &[Token]) -> Option<Vec<usize>> {
    let is_joint = |token: &&Token| token.kind != TokenKind::Comma && !token.is("and");
    let numbers = tokens.iter().filter(is_joint);
    numbers.map(|token| number_of(std::slice::from_ref(token))).collect()
}

/// Whether tokens are numbers of phrases in an order.
pub(super) fn is_order(tokens: &[Token]) -> bool {
    listed(tokens).is_some_and(|numbers| numbers.len() > 1)
}

/// "order the phrases 3 1 2 4": every number once.
pub(super) fn as_listed(said: &Said<'_>) -> One {
    let order = begun(said)?;
    let numbers = said.tokens("order").and_then(listed).unwrap_or_default();
    let places: BTreeSet<usize> = numbers.iter().copied().collect();
    let missing = (1..=order.len()).find(|number| !places.contains(number));
    let trouble = |reason: String| Err(Trouble::new(reason, ["show the phrases"]));
    if let Some(number) = missing {
        return trouble(format!("{} phrases play, and {number} is not in that order", order.len()));
    }
    if numbers.len() > order.len() {
        return trouble(format!("{} phrases play, and that order has more", order.len()));
    }
    let ids: Vec<PhraseId> = numbers.iter().map(|number| order[number - 1]).collect();
    ordered(said, &ids, &[])
}

/// The order in which the phrases were said: recording by recording, as their tracks stand.
pub(super) fn original(said: &Said<'_>) -> One {
    let session = said.session();
    let mut order = begun(said)?.to_vec();
    order.sort_by_key(|id| recorded(session, *id));
    ordered(said, &order, &[])
}

/// Which tracks a phrase was recorded on, and when it is heard there.
fn recorded(session: &Session, phrase: PhraseId) -> (usize, Frames) {
    let Some(spoken) = session.spoken(phrase) else { return (usize::MAX, Frames::ZERO) };
    let name = session.name_of(phrase.into());
    let is_there = |clip: &Clip| {
        clip.source == spoken.source
            && clip.start <= spoken.start
            && spoken.start < clip.start + clip.length
    };
    let clips = session.clips.values().filter(|clip| clip.name != name && is_there(clip));
    let heard = clips
        .map(|clip| (together(session, clip.track), clip.position + (spoken.start - clip.start)));
    heard.min().unwrap_or((usize::MAX, spoken.start))
}

/// The place of a track; of a group, that of its first.
fn together(session: &Session, track: TrackId) -> usize {
    let place = |id: &TrackId| session.track_order.iter().position(|other| other == id);
    let group = session.group_of(track).map(|(_, group)| &group.tracks[..]);
    let tracks = group.unwrap_or_default().iter().chain([&track]);
    tracks.filter_map(place).min().unwrap_or(usize::MAX)
}

/// The last phrase first.
pub(super) fn reversed(said: &Said<'_>) -> One {
    let order: Vec<PhraseId> = begun(said)?.iter().rev().copied().collect();
    ordered(said, &order, &[])
}

fn begun<'a>(said: &'a Said<'_>) -> Result<&'a [PhraseId], Trouble> {
    match &said.session().assembly.order[..] {
        [] => Err(Trouble::new("no phrases are in order yet", ["find the phrases"])),
        order => Ok(order),
    }
}

/// "keep only the first three phrases": the others are taken out.
pub(super) fn keep_only(said: &Said<'_>) -> One {
    let kept = match said.tokens("stranger") {
        Some(tokens) => {
            let speaker = voice(tokens, said.session()).unwrap_or_default();
            said_by(&speaker, Among::Playing, said.session())?
        }
        None => playing(said)?,
    };
    match &others(said, &kept)[..] {
        [] => Err(Trouble::new("nothing else plays", ["show the phrases"])),
        gone => Ok(on_groups("tool_remove_segments", "group_ids", gone)),
    }
}

/// "take out everything after the welcome": what plays on that side of a phrase.
pub(super) fn remove_beyond(said: &Said<'_>, way: Way) -> One {
    let phrase = said.phrase("p")?;
    let order = &said.session().assembly.order;
    let at = place_of(order, Some(phrase)).unwrap_or_default();
    let gone = match way {
        Way::Up => &order[..at],
        Way::Down => order.get(at + 1..).unwrap_or_default(),
    };
    match gone {
        [] => Err(Trouble::new("nothing plays there", ["show the phrases"])),
        gone => Ok(on_groups("tool_remove_segments", "group_ids", gone)),
    }
}
