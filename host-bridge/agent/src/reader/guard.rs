//! The second guard: a plan, said in words again, must hold each number and each name that was said.

use super::clauses::Found;
use super::files::source_of;
use super::items::{Item, Kind};
use super::quantity::Quantity;
use crate::draft::Draft;
use crate::meanings::phrases_of;
use crate::part::Pick;
use crate::reading::RequestKind;
use crate::times::rounded;
use deskhand_session::intent::Unit;
use deskhand_session::{Binding, ObjectId, Session};
use serde_json::Value;
use std::sync::Arc;

/// How numbers change on their way to a parameter: seconds to milliseconds, percent to parts of one.
const SCALES: [f64; 3] = [1.0, 1000.0, 0.01];

/// The kinds of projects, each by the name of its program.
const DAWS: [&str; 3] = ["reaper", "ardour", "dawproject"];

/// Whether each number and each name of a request is in its call.
pub(super) fn holds(found: &Found, items: &[Item], session: &Session) -> bool {
    let facts = Facts::of(&found.draft);
    let (from, to) = found.items;
    // Words of a person's own are held against the session as they are read.
    let is_in_text = |item: &Item| {
        found.texts.iter().any(|(from, to)| *from <= item.tokens.0 && item.tokens.1 <= *to)
    };
    items[from..to].iter().filter(|item| !is_in_text(item)).all(|item| match &item.kind {
        Kind::Quantity(quantity) => facts.has_quantity(quantity, session),
        Kind::Names(phrase) => {
            let kept = phrase.parts.iter().all(|part| facts.has_names(&part.pick, session));
            let is_out = |pick: &Pick| !matches!(pick, Pick::Objects(ids) if facts.has_any(ids));
            kept || !phrase.except.is_empty() && phrase.except.iter().all(|part| is_out(&part.pick))
        }
        Kind::Color(word) => facts.words.contains(word),
        Kind::File(word) => {
            let source = source_of(session, word).map(ObjectId::from);
            facts.words.contains(word) || source.is_some_and(|id| facts.targets.contains(&id))
        }
        Kind::Words(_) => !facts.words.is_empty() || !is_other_daw(item, session),
        Kind::Join | Kind::End => true,
        Kind::Except | Kind::But | Kind::Unknown | Kind::Text(_) => false,
    })
}

/// Whether a DAW is named that is not the one of the session's project.
fn is_other_daw(item: &Item, session: &Session) -> bool {
    let is_other = |host: &Arc<Binding>| !item.is(&host.program.to_lowercase());
    DAWS.iter().any(|daw| item.is(daw)) && session.host.as_ref().is_some_and(is_other)
}

/// What a call says.
struct Facts {
    numbers: Vec<f64>,
    words: Vec<String>,
    targets: Vec<ObjectId>,
}

impl Facts {
    fn of(draft: &Draft) -> Self {
        let mut facts =
            Self { numbers: Vec::new(), words: Vec::new(), targets: draft.targets.clone() };
        if let RequestKind::Call { params, .. } = &draft.kind {
            facts.add(params);
        }
        facts
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Number(number) => self.numbers.extend(number.as_f64()),
            Value::String(word) => self.words.push(word.clone()),
            Value::Array(list) => list.iter().for_each(|value| self.add(value)),
            Value::Object(map) => map.values().for_each(|value| self.add(value)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Whether a number that was said is there, as it is or as what it means.
    fn has_quantity(&self, said: &Quantity, session: &Session) -> bool {
        let value = said.value;
        // 50 % of an amplitude is -6 dB.
        let decibels = || (200.0 * (value / 100.0).log10()).round() / 10.0;
        let is_share = || value > 0.0 && self.has_number(decibels());
        // "the last 10 seconds" begin that much before the end.
        let end = session.end().seconds(session.rate).0;
        let is_before_end = || self.numbers.iter().any(|it| (end - value - it).abs() < 1e-6);
        self.has_number(value)
            || match said.unit {
                Some(Unit::Percent) => is_share(),
                Some(Unit::Seconds) => is_before_end(),
                _ => false,
            }
    }

    fn has_number(&self, said: f64) -> bool {
        let is_near = |number: f64, other: f64| (number.abs() - other.abs()).abs() < 1e-6;
        let is_it = |number: &f64| SCALES.iter().any(|scale| is_near(*number, said * scale));
        // Where something ends is a start and a length.
        let is_end = |number: &f64| self.numbers.iter().any(|other| is_near(number + other, said));
        self.numbers.iter().any(|number| is_it(number) || is_end(number))
    }

    /// Whether a place is where a marker or a clip begins.
    fn is_at(&self, id: ObjectId, session: &Session) -> bool {
        let place = match id {
            ObjectId::Marker(id) => session.markers.get(&id).map(|it| it.position),
            ObjectId::Clip(id) => session.clips.get(&id).map(|it| it.position),
            _ => None,
        };
        place.is_some_and(|at| self.has_number(rounded(at.seconds(session.rate).0)))
    }

    /// Whether an object is worked on: itself, a clip on it, or as another parameter.
    fn has(&self, id: ObjectId, session: &Session) -> bool {
        let is_on = |target: &ObjectId| {
            session.track_of(*target).is_some_and(|track| ObjectId::from(track) == id)
        };
        let is_member = |target: &ObjectId| match id {
            ObjectId::Group(group) => session.groups.get(&group).is_some_and(|group| {
                group.tracks.iter().any(|track| ObjectId::from(*track) == *target)
            }),
            _ => false,
        };
        self.targets.iter().any(|target| *target == id || is_on(target) || is_member(target))
            || self.words.contains(&id.to_string())
            || self.is_at(id, session)
            || phrases_of(session, &[id]).is_some_and(|phrases| {
                phrases.iter().all(|phrase| self.words.contains(&phrase.to_string()))
            })
    }

    fn has_any(&self, ids: &[ObjectId]) -> bool {
        ids.iter().any(|id| self.targets.contains(id))
    }

    fn has_names(&self, pick: &Pick, session: &Session) -> bool {
        match pick {
            Pick::Objects(ids) => ids.iter().any(|id| self.has(*id, session)),
            // A tool that only works on the mix has no targets.
            Pick::Mix => {
                let is_output = self.words.iter().any(|word| word == "master");
                is_output || self.targets.is_empty() || self.targets.contains(&session.id.into())
            }
            Pick::All(_) | Pick::Selection | Pick::Selected | Pick::It | Pick::Rest => true,
            Pick::Ambiguous(_) | Pick::Missing(..) => false,
        }
    }
}
