//! Builds changes of codes, memos, phrases and the assembly, from dice.

use super::build::Dice;
use super::build_sound::some_or_new;
use deskhand_session::change::Edit;
use deskhand_session::*;
use std::collections::BTreeSet;

/// A valid change with the given op; `None` if there is nothing to change or the op belongs to another
/// builder.
pub(crate) fn change(s: &Session, op: &str, dice: &mut Dice) -> Option<Change> {
    Some(match op {
        "set_importance" => {
            let id = dice.pick(s.segments.keys().copied())?;
            let before = s.segments[&id].important;
            Change::SetImportance(Edit::new(id, before, !before))
        }
        "set_code" => {
            let (id, before) = some_or_new(&s.codes, dice, CodeId::new);
            let used = s.segments.values().flat_map(|segment| &segment.codings);
            let is_used = used.into_iter().any(|coding| coding.code == id)
                || s.codes.values().any(|code| code.parent == Some(id));
            let keep = before.is_none() || is_used || dice.coin();
            Change::SetCode(Edit::new(id, before, keep.then(|| code(s, id, dice))))
        }
        "set_memo" => {
            let sources = s.sources.keys().copied().map(ObjectId::from);
            let segments = s.segments.keys().copied().map(ObjectId::from);
            let on = dice
                .pick(s.codes.keys().copied().map(ObjectId::from).chain(sources).chain(segments))?;
            let before = s.memos.get(&on).cloned();
            let after = (before.is_none() || dice.coin()).then(|| "ask her\nagain".to_owned());
            Change::SetMemo(Edit::new(on, before, after))
        }
        "set_phrase" => {
            let (id, before) = some_or_new(&s.phrases, dice, PhraseId::new);
            let keep = before.is_none() || is_in(&s.assembly, id) || dice.coin();
            let after = if keep { Some(phrase(s, dice)?) } else { None };
            Change::SetPhrase(Edit::new(id, before, after))
        }
        "set_assembly" => {
            Change::SetAssembly(Edit::new(s.id, s.assembly.clone(), assembly(s, dice)))
        }
        _ => return None,
    })
}

/// Under any code that is not under it, with color or without.
fn code(s: &Session, id: CodeId, dice: &mut Dice) -> Code {
    let is_below = |other: &CodeId| {
        let mut above = Some(*other);
        std::iter::from_fn(|| {
            let at = above?;
            above = s.codes.get(&at).and_then(|code| code.parent);
            Some(at)
        })
        .any(|at| at == id)
    };
    let parents: Vec<_> = s.codes.keys().copied().filter(|other| !is_below(other)).collect();
    let parent = dice.pick(parents).filter(|_| dice.coin());
    let description = if dice.coin() { "what it costs".into() } else { String::new() };
    Code { description, parent, ..Code::new("Budget") }
}

fn phrase(s: &Session, dice: &mut Dice) -> Option<Phrase> {
    let (id, segment) = dice.pick(s.segments.iter())?;
    let mut segments = vec![*id];
    let later = s
        .segments_of(segment.source)
        .into_iter()
        .find(|(other, next)| other != id && next.start >= segment.start);
    segments.extend(later.map(|(id, _)| id).filter(|_| dice.coin()));
    Some(Phrase { segments })
}

fn is_in(assembly: &Assembly, id: PhraseId) -> bool {
    let takes = assembly.duplicates.iter().flat_map(|group| &group.takes);
    assembly.order.iter().chain(&assembly.removed).chain(takes).any(|other| *other == id)
}

/// Every phrase somewhere: a pair of takes, some removed, the others in an order.
fn assembly(s: &Session, dice: &mut Dice) -> Assembly {
    let mut left: BTreeSet<PhraseId> = s.phrases.keys().copied().collect();
    let mut assembly = Assembly::default();
    if left.len() > 2 && dice.coin() {
        let takes: Vec<_> = left.iter().copied().take(2).collect();
        let chosen = takes[dice.range(0, 1) as usize];
        left.retain(|id| !takes.contains(id) || *id == chosen);
        let (phrase, reason) = ("so it goes".into(), "cleaner".into());
        assembly.duplicates.push(Duplicates { phrase, takes, chosen, reason });
    }
    for id in left {
        let place = if dice.coin() { &mut assembly.order } else { &mut assembly.removed };
        place.insert(if place.is_empty() || dice.coin() { 0 } else { place.len() }, id);
    }
    if !assembly.is_empty() && dice.coin() {
        assembly.finished = Some("12 phrases in order".into());
    }
    assembly
}
