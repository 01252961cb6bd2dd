//! Things that are told by their place: "track 3", "tracks 3 to 5", "the second clip on the guitar".

use crate::lexer::TokenKind;
use crate::names::NameKind;
use crate::numbers::{count_at, ordinal_at};
use crate::part::{Part, Pick, objects, one_of, whole};
use crate::reader::quantity;
use crate::targets::Scope;
use crate::times;
use deskhand_session::{ObjectId, TrackId};

/// Which in a row.
#[derive(Clone, Copy)]
enum Place {
    Number(usize),
    Last,
}

/// "track 3", "tracks 3, 4 and 5", "clip 2 on Guitar", "bus 1".
pub(crate) fn numbered_at(scope: &Scope<'_>, at: usize) -> Option<(Part, usize)> {
    let noun = scope.word(at);
    let single = noun.trim_end_matches('s');
    let kind = match single {
        "track" | "channel" => NameKind::Track,
        "bu" | "buse" | "busse" => NameKind::Bus,
        "clip" | "region" => NameKind::Clip,
        _ => return None,
    };
    let (numbers, next) = list_at(scope, at + 1, noun.ends_with('s') && noun != "bus")?;
    match kind {
        NameKind::Clip => clips_at(scope, &numbers, next),
        _ => Some((rows(scope, kind, &numbers), next)),
    }
}

/// "the second clip on the guitar", "the last track", "the third take".
pub(crate) fn ordered_at(scope: &Scope<'_>, at: usize) -> Option<(Part, usize)> {
    let (place, next) = match ordinal_at(scope.tokens, at) {
        Some((number, next)) => (Place::Number(number), next),
        None if scope.word(at) == "last" => (Place::Last, at + 1),
        None => return None,
    };
    match scope.word(next) {
        "clip" | "region" => clip_at(scope, place, next + 1),
        "track" | "channel" => Some((row(scope, NameKind::Track, place), next + 1)),
        "bus" => Some((row(scope, NameKind::Bus, place), next + 1)),
        "marker" => Some((row(scope, NameKind::Marker, place), next + 1)),
        "take" => take_at(scope, place, next),
        _ => None,
    }
}

/// Numbers behind a noun: "3", "3, 4 and 5", "3-5", "three through five". Only behind a plural is "to" a
/// range: "rename track 3 to 808" is none.
fn list_at(scope: &Scope<'_>, at: usize, ranges: bool) -> Option<(Vec<usize>, usize)> {
    let (first, mut next) = count_at(scope.tokens, at).filter(|_| !has_unit_at(scope, at))?;
    let mut numbers = vec![first];
    while let Some((number, behind, is_range)) = more_at(scope, next, ranges) {
        let from = numbers.last().copied().unwrap_or(number) + 1;
        if is_range && number >= from && number - from < 1000 {
            numbers.extend(from..number);
        }
        numbers.push(number);
        next = behind;
    }
    Some((numbers, next))
}

fn more_at(scope: &Scope<'_>, at: usize, ranges: bool) -> Option<(usize, usize, bool)> {
    let dash = scope.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Dash);
    let word = matches!(scope.word(at), "to" | "through" | "thru");
    let is_range = dash || ranges && word;
    let comma = scope.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Comma);
    let and = usize::from(scope.word(at + usize::from(comma)) == "and");
    let from = if is_range { at + 1 } else { at + usize::from(comma) + and };
    let (number, next) = count_at(scope.tokens, from).filter(|_| from > at)?;
    (!has_unit_at(scope, from)).then_some((number, next, is_range))
}

/// "all tracks 3 dB louder" is about no third track.
fn has_unit_at(scope: &Scope<'_>, at: usize) -> bool {
    quantity::level_at(scope.tokens, at).is_some() || times::time_at(scope.tokens, at).is_some()
}

fn pick<T: Copy>(list: &[T], place: Place) -> Option<T> {
    match place {
        Place::Number(number) => list.get(number.checked_sub(1)?).copied(),
        Place::Last => list.last().copied(),
    }
}

/// Tracks are counted with the buses, as they are listed.
fn ids_of(scope: &Scope<'_>, kind: NameKind) -> Vec<ObjectId> {
    match kind {
        NameKind::Track => scope.session.track_order.iter().map(|id| ObjectId::from(*id)).collect(),
        other => scope.names.of_kind(other).map(|name| name.id).collect(),
    }
}

fn rows(scope: &Scope<'_>, kind: NameKind, numbers: &[usize]) -> Part {
    let mut found = Vec::new();
    for number in numbers {
        match row(scope, kind, Place::Number(*number)).pick {
            Pick::Objects(ids) => found.extend(ids),
            other => return whole(other),
        }
    }
    objects(found)
}

/// A track that is called "Track 3" and is not the third is a question.
fn row(scope: &Scope<'_>, kind: NameKind, place: Place) -> Part {
    let ids = ids_of(scope, kind);
    let noun = match kind {
        NameKind::Track => "track",
        NameKind::Bus => "bus",
        NameKind::Marker => "marker",
        NameKind::Clip => "clip",
        NameKind::Group => "group",
    };
    let mut found: Vec<ObjectId> = pick(&ids, place).into_iter().collect();
    if let Place::Number(number) = place {
        let called = scope.names.exactly(&format!("{noun} {number}"), crate::targets::TRACKS);
        found.extend(called.into_iter().filter(|id| !found.contains(id)).collect::<Vec<_>>());
    }
    if found.is_empty() {
        let reason = format!("there is no such {noun}: the session has {}", ids.len());
        return whole(Pick::Missing(reason, scope.track_names()));
    }
    one_of(found)
}

fn takes(scope: &Scope<'_>) -> Vec<ObjectId> {
    let clips = scope.names.of_kind(NameKind::Clip);
    let takes =
        clips.filter(|name| crate::names::words_of(&name.text).iter().any(|word| word == "take"));
    takes.map(|name| name.id).collect()
}

/// "every take", "all takes on the lead vocal".
pub(crate) fn takes_at(scope: &Scope<'_>, at: usize) -> Option<(Part, usize)> {
    let mut found = matches!(scope.word(at), "take" | "takes").then(|| takes(scope))?;
    let mut next = at + 1;
    if let Some((track, behind)) = scope.place_at(next) {
        let Pick::Objects(on) = clips_on(scope, &track).pick else {
            return Some((track, behind));
        };
        found.retain(|id| on.contains(id));
        next = behind;
    }
    (!found.is_empty()).then(|| (whole(Pick::Objects(found)), next))
}

fn take_at(scope: &Scope<'_>, place: Place, at: usize) -> Option<(Part, usize)> {
    let takes = takes(scope);
    let mut found: Vec<ObjectId> = pick(&takes, place).into_iter().collect();
    if let Place::Number(number) = place {
        let called = scope.names.exactly(&format!("take {number}"), &[NameKind::Clip]);
        found.extend(called.into_iter().filter(|id| !found.contains(id)).collect::<Vec<_>>());
    }
    (!found.is_empty()).then(|| (one_of(found), at + 1))
}

fn clips_at(scope: &Scope<'_>, numbers: &[usize], at: usize) -> Option<(Part, usize)> {
    let mut found = Vec::new();
    let mut next = at;
    for number in numbers {
        let (part, behind) = clip_at(scope, Place::Number(*number), at)?;
        next = behind;
        match part.pick {
            Pick::Objects(ids) => found.extend(ids),
            other => return Some((whole(other), next)),
        }
    }
    Some((objects(found), next))
}

/// The clip in that place on the track that is named behind it, or on the only track that has clips.
fn clip_at(scope: &Scope<'_>, place: Place, at: usize) -> Option<(Part, usize)> {
    if let Some((track, next)) = scope.place_at(at) {
        return Some((clip_on(scope, &track, place), next));
    }
    let mut tracks: Vec<TrackId> = scope.session.clips.values().map(|clip| clip.track).collect();
    tracks.sort_unstable();
    tracks.dedup();
    let part = match tracks[..] {
        [track] => clip_on(scope, &objects(vec![track.into()]), place),
        _ => {
            let reason = "the track of that clip was not said".to_owned();
            whole(Pick::Missing(reason, suggested_clips(scope)))
        }
    };
    Some((part, at))
}

fn suggested_clips(scope: &Scope<'_>) -> Vec<String> {
    let names = scope.names.of_kind(NameKind::Clip);
    names.map(|name| name.text.clone()).take(12).collect()
}

fn clip_on(scope: &Scope<'_>, tracks: &Part, place: Place) -> Part {
    let ids = match &tracks.pick {
        Pick::Objects(ids) | Pick::Ambiguous(ids) => ids.clone(),
        other => return whole(other.clone()),
    };
    let clips = |id: &ObjectId| ids_on(scope, *id);
    let found: Vec<ObjectId> = ids.iter().filter_map(|id| pick(&clips(id), place)).collect();
    if found.is_empty() {
        let have =
            ids.iter().flat_map(clips).filter_map(|id| scope.names.text(id).map(str::to_owned));
        return whole(Pick::Missing("there is no such clip".into(), have.collect()));
    }
    one_of(found)
}

/// The clips on a track; none on anything else.
fn ids_on(scope: &Scope<'_>, on: ObjectId) -> Vec<ObjectId> {
    let ObjectId::Track(track) = on else {
        return Vec::new();
    };
    scope.session.clips_on(track).into_iter().map(|(id, _)| id.into()).collect()
}

/// All clips on tracks.
pub(crate) fn clips_on(scope: &Scope<'_>, tracks: &Part) -> Part {
    let Pick::Objects(ids) = &tracks.pick else {
        return tracks.clone();
    };
    let clips: Vec<ObjectId> = ids.iter().flat_map(|id| ids_on(scope, *id)).collect();
    if clips.is_empty() {
        return whole(Pick::Missing("there are no clips on it".into(), Vec::new()));
    }
    whole(Pick::Objects(clips))
}

/// The one object of a part, or the question which.
pub(crate) fn single(part: Part) -> Part {
    match part.pick {
        Pick::Objects(ids) => one_of(ids),
        _ => part,
    }
}
