//! What is wrong, said before the request: "the guitars hum, get rid of it". The request is read as if it named what the
//! remark is about.

use super::items::{Item, Kind};
use std::ops::Range;

/// Words that a remark is made of, beside names and the thing that is wrong.
const STATES: [&str; 7] = ["is", "there is", "have", "sound", "get", "flawed", "too"];

/// Sentences in which remarks are joined to the requests behind them.
pub(super) fn joined(items: Vec<Item>) -> Vec<Item> {
    let parts = parts(&items);
    let pair = parts.windows(2).find_map(|pair| {
        let merged = merged(&items[pair[0].clone()], &items[pair[1].clone()])?;
        Some((pair[0].start..pair[1].end, merged))
    });
    match pair {
        Some((range, merged)) => {
            joined([&items[..range.start], &merged, &items[range.end..]].concat())
        }
        None => items,
    }
}

/// The ranges between joints.
fn parts(items: &[Item]) -> Vec<Range<usize>> {
    let is_joint = |item: &Item| matches!(item.kind, Kind::Join | Kind::End);
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, item) in items.iter().enumerate() {
        if is_joint(item) {
            parts.push(from..at);
            from = at + 1;
        }
    }
    parts.push(from..items.len());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The request with what the remark names.
fn merged(remark: &[Item], request: &[Item]) -> Option<Vec<Item>> {
    let (names, thing) = said(remark)?;
    let is_begun = request.first().is_some_and(Item::is_verb);
    let is_name = |item: &Item| matches!(item.kind, Kind::Names(_));
    let is_it = |item: &Item| matches!(&item.kind, Kind::Names(phrase) if phrase.is_it());
    let place = Item { prep: Some("on"), ..names.clone() };
    let named: Vec<usize> = (0..request.len()).filter(|at| is_name(&request[*at])).collect();
    if !is_begun {
        return None;
    }
    match (named[..].first().copied().filter(|_| named.len() < 2), thing) {
        (Some(at), thing) if is_it(&request[at]) => {
            let it = Item { prep: request[at].prep, ..names.clone() };
            // "Remove it" is said of the hum, and "turn it down" of the track.
            let own = match thing {
                Some(thing) => vec![Item { prep: request[at].prep, ..thing.clone() }, place],
                None => vec![it],
            };
            Some([&request[..at], &own, &request[at + 1..]].concat())
        }
        (None, None) if named.is_empty() => Some([request, &[place]].concat()),
        _ => None,
    }
}

/// Whom a remark is about, and the thing that is wrong, if one is named; `None` if it says more than that.
fn said(remark: &[Item]) -> Option<(&Item, Option<&Item>)> {
    let is_names = |item: &&Item| matches!(&item.kind, Kind::Names(phrase) if !phrase.is_it());
    let is_state = |item: &&Item| STATES.iter().any(|word| item.is(word));
    let names: Vec<&Item> = remark.iter().filter(is_names).collect();
    let rest: Vec<&Item> =
        remark.iter().filter(|item| !is_names(item) && !is_state(item)).collect();
    let is_thing =
        |item: &Item| matches!(item.kind, Kind::Words(_)) && !item.is_verb() && item.prep.is_none();
    let is_wrong = remark.iter().any(|item| item.is("flawed"));
    match (&names[..], &rest[..]) {
        ([names], []) if is_wrong => Some((*names, None)),
        ([names], [thing]) if is_thing(thing) => Some((*names, Some(*thing))),
        _ => None,
    }
}
