//! Items that say one thing together: the ends of a range, lists of names, names told twice, and exceptions.

use super::items::{Item, Kind};
use super::quantity::Quantity;
use crate::lexer::Token;
use crate::part::{Part, Phrase, Pick, Thing};
use crate::targets::Scope;
use crate::times::unit_of;
use deskhand_session::intent::Unit;
use deskhand_session::{ObjectId, Session};

/// The items of a sentence, each group as one.
pub(super) fn grouped(items: Vec<Item>, scope: Scope<'_>) -> Vec<Item> {
    let items = with_places(with_lists(with_units(items, scope.tokens)), scope.session);
    without_edges(with_exceptions(items))
}

/// "from 1 to 2 minutes": a number without a unit has that of the other end.
fn with_units(mut items: Vec<Item>, tokens: &[Token]) -> Vec<Item> {
    let time = |item: &Item| match &item.kind {
        Kind::Quantity(it) if it.unit == Some(Unit::Seconds) => {
            unit_of(tokens.get(item.own..item.tokens.1)?)
        }
        _ => None,
    };
    let is_bare = |item: &Item| matches!(&item.kind, Kind::Quantity(it) if it.unit.is_none() && !it.is_signed);
    for at in 1..items.len() {
        let is_joint = at > 1 && items[at - 1].kind == Kind::Join;
        let from = at - 1 - usize::from(is_joint);
        let is_end = matches!(items[at].prep, Some("until" | "to"))
            || is_joint && items[from].prep == Some("between");
        let factor = match (is_bare(&items[from]), is_bare(&items[at])) {
            (true, false) => time(&items[at]).map(|factor| (from, factor)),
            (false, true) => time(&items[from]).map(|factor| (at, factor)),
            _ => None,
        };
        if let Some((bare, factor)) = factor.filter(|_| is_end)
            && let Kind::Quantity(it) = &mut items[bare].kind
        {
            *it = Quantity { value: it.value * factor, unit: Some(Unit::Seconds), ..*it };
        }
    }
    items
}

/// "the kick, the snare and the bass" is one item.
fn with_lists(items: Vec<Item>) -> Vec<Item> {
    let mut merged: Vec<Item> = Vec::new();
    for item in items {
        if let Kind::Names(more) = &item.kind
            && let Some(at) = list_before(&merged, &item)
            && let Kind::Names(phrase) = &mut merged[at].kind
        {
            phrase.parts.extend(more.parts.clone());
            merged[at].tokens.1 = item.tokens.1;
            merged.truncate(at + 1);
            continue;
        }
        merged.push(item);
    }
    merged
}

/// "the speech of the host and the guest" is the host and the guest, if both are heard as speech; so is "the host's
/// speech".
fn with_places(items: Vec<Item>, session: &Session) -> Vec<Item> {
    let mut kept: Vec<Item> = Vec::new();
    for item in items {
        let merged = kept.last().and_then(|last| narrowed(last, &item, session));
        match merged {
            Some(merged) => {
                kept.pop();
                kept.push(merged);
            }
            None => kept.push(item),
        }
    }
    kept
}

/// Names that are told twice, by what they sound like and by name.
fn narrowed(one: &Item, next: &Item, session: &Session) -> Option<Item> {
    let tokens = (one.tokens.0, next.tokens.1);
    let is_narrower = |item: &Item, role: &Item| match (&item.kind, role_of(&role.kind)) {
        (Kind::Names(phrase), Some(ids)) => phrase.parts.iter().all(|it| is_of(it, ids, session)),
        _ => false,
    };
    match next.prep {
        Some("of" | "on" | "in" | "from") if is_narrower(next, one) => {
            Some(Item { prep: one.prep, tokens, ..next.clone() })
        }
        None if one.tokens.1 == next.own && is_narrower(one, next) => {
            Some(Item { tokens, ..one.clone() })
        }
        _ => None,
    }
}

/// The objects of a name that tells what they sound like.
fn role_of(kind: &Kind) -> Option<&[ObjectId]> {
    match kind {
        Kind::Names(Phrase { parts, except }) if except.is_empty() => match &parts[..] {
            [Part { pick: Pick::Objects(ids), role: true, .. }] => Some(ids),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a name is that of some of these tracks, or of clips on them.
fn is_of(part: &Part, ids: &[ObjectId], session: &Session) -> bool {
    let is_there = |id: &ObjectId| {
        let track = session.track_of(*id).map(ObjectId::from);
        ids.contains(id) || track.is_some_and(|track| ids.contains(&track))
    };
    matches!(&part.pick, Pick::Objects(own) if own.iter().all(is_there))
}

/// The names to which this item goes on.
fn list_before(items: &[Item], next: &Item) -> Option<usize> {
    let joins = items.iter().rev().take_while(|item| item.kind == Kind::Join).count();
    let at = items.len().checked_sub(joins + 1).filter(|_| (1..=2).contains(&joins))?;
    let goes_on = next.prep.is_none() || next.prep == items[at].prep;
    (matches!(items[at].kind, Kind::Names(_)) && goes_on).then_some(at)
}

/// Names behind "except" are taken from the names before them; without any, it is not understood.
fn with_exceptions(items: Vec<Item>) -> Vec<Item> {
    let mut kept: Vec<Item> = Vec::new();
    let mut items = items.into_iter().peekable();
    while let Some(mut item) = items.next() {
        if !matches!(item.kind, Kind::Except | Kind::But) {
            kept.push(item);
            continue;
        }
        // "match it to the host but 3 dB quieter", "mute the kick but solo the snare".
        let goes_on = |next: &Item| next.is_verb() || matches!(next.kind, Kind::Quantity(_));
        if item.kind == Kind::But && items.peek().is_some_and(goes_on) {
            item.kind = Kind::Join;
            kept.push(item);
            continue;
        }
        let is_place = |next: &Item| matches!(next.prep, Some("in" | "on"));
        let behind = items.next_if(|next| {
            matches!(next.kind, Kind::Names(_)) && (next.prep.is_none() || is_place(next))
        });
        let at = kept.iter().rposition(|it| matches!(it.kind, Kind::Names(_) | Kind::End));
        let has_names = at.is_some_and(|at| matches!(kept[at].kind, Kind::Names(_)));
        if let Some(place) = behind.as_ref().filter(|next| is_place(next) && !has_names) {
            drop_joints(&mut kept);
            kept.push(all_but(&item, place));
            continue;
        }
        let taken = behind.and_then(|behind| match behind.kind {
            Kind::Names(phrase) => Some(phrase.parts),
            _ => None,
        });
        match (taken, at.map(|at| &mut kept[at].kind)) {
            (Some(parts), Some(Kind::Names(phrase))) if phrase.except.is_empty() => {
                phrase.except = parts;
                drop_joints(&mut kept);
            }
            _ => {
                item.kind = Kind::Unknown;
                kept.push(item);
            }
        }
    }
    kept
}

fn drop_joints(items: &mut Vec<Item>) {
    while items.last().is_some_and(|last| last.kind == Kind::Join) {
        items.pop();
    }
}

/// "… but not in the guest mic": in all others.
fn all_but(except: &Item, place: &Item) -> Item {
    let parts = match &place.kind {
        Kind::Names(phrase) => phrase.parts.clone(),
        _ => Vec::new(),
    };
    let phrase = Phrase { except: parts, ..Phrase::all(Thing::Everything) };
    let tokens = (except.tokens.0, place.tokens.1);
    Item { kind: Kind::Names(phrase), tokens, ..place.clone() }
}

/// Joints at the ends join nothing.
fn without_edges(mut items: Vec<Item>) -> Vec<Item> {
    let is_joint = |item: &Item| matches!(item.kind, Kind::Join | Kind::End);
    while items.last().is_some_and(is_joint) {
        items.pop();
    }
    let from = items.iter().position(|item| !is_joint(item)).unwrap_or(0);
    items.drain(..from);
    items
}
