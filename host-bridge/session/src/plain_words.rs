//! Replaces ids with names in texts for a person. Errors and plans name objects by id, because models need ids; every
//! front end passes their texts through here before it shows them.

use crate::session::Session;
use crate::{ObjectId, PlanId};

/// The text between an op and its object, as in "set_clip_gain on clip_…".
const ON: &str = " on ";

impl Session {
    /// Replaces each object id in `text` with the object's name in quotes, or with its kind if it is not in the
    /// session. `plan` gives the words for a plan id. Ids within paths and handles stay.
    #[must_use]
    pub fn without_ids(&self, text: &str, plan: &dyn Fn(PlanId) -> String) -> String {
        let name = |id: ObjectId| {
            let name = self.name_of(id);
            match id {
                ObjectId::Session(other) if other != self.id => None,
                ObjectId::Session(_) => Some(name),
                _ => (!name.is_empty() && name != id.to_string()).then(|| format!("\"{name}\"")),
            }
        };
        without_ids(text, &name, plan)
    }
}

/// Replaces each id in `text` with the words of `name` or `plan`, or with the object's kind if it has no name.
#[must_use]
pub fn without_ids(
    text: &str,
    name: &dyn Fn(ObjectId) -> Option<String>,
    plan: &dyn Fn(PlanId) -> String,
) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_part) {
        let (ahead, behind) = rest.split_at(at);
        told.push_str(ahead);
        let end = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
        let (word, after) = behind.split_at(end);
        rest = after;
        let Some(id) = Named::of(word).filter(|_| !is_in_path(&told, after)) else {
            put_word(&mut told, word, after);
            continue;
        };
        if let (Some(named), Some(behind)) = (named_ahead(&told), after.strip_prefix(')')) {
            // The text has the form "name (id)": drop the id.
            told.truncate(named);
            rest = behind;
            continue;
        }
        let words = match id {
            Named::Plan(id) => plan(id),
            Named::Object(id) => name(id).unwrap_or_else(|| unnamed(id, &told)),
        };
        told.push_str(&words);
    }
    told + rest
}

/// The kind of an object without a name, with the article that fits after `ahead`.
fn unnamed(id: ObjectId, ahead: &str) -> String {
    match kind(id) {
        kind if ahead.ends_with("no ") => format!("such {kind}"),
        kind if ahead.is_empty() || ahead.ends_with(". ") => format!("A {kind}"),
        kind => format!("a {kind}"),
    }
}

/// An id of an object or a plan.
enum Named {
    Object(ObjectId),
    Plan(PlanId),
}

impl Named {
    fn of(word: &str) -> Option<Self> {
        // Most words have no underscore: skip the parsing.
        if !word.contains('_') {
            return None;
        }
        let object = word.parse().ok().map(Self::Object);
        object.or_else(|| word.parse().ok().map(Self::Plan))
    }
}

/// The kind of an object, in one word.
#[must_use]
pub fn kind(id: ObjectId) -> &'static str {
    match id {
        ObjectId::Session(_) => "session",
        ObjectId::Track(_) => "track",
        ObjectId::Clip(_) => "clip",
        ObjectId::Source(_) => "source",
        ObjectId::Marker(_) => "marker",
        ObjectId::Group(_) => "group",
        ObjectId::Insert(_) => "processor",
        ObjectId::Segment(_) => "passage",
        ObjectId::Code(_) => "code",
        ObjectId::Phrase(_) => "phrase",
    }
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of the text before " (", where an id in brackets follows a name.
fn named_ahead(told: &str) -> Option<usize> {
    told.strip_suffix(" (").map(str::len).filter(|length| *length > 0)
}

/// Whether a word is part of a path or a handle, as in "takes/clip_000000000001.wav".
fn is_in_path(told: &str, after: &str) -> bool {
    let mut next = after.chars();
    let is_ending = next.next() == Some('.') && next.next().is_some_and(char::is_alphanumeric);
    told.ends_with(['/', '\\', '-', '.']) || after.starts_with(['/', '\\', '-']) || is_ending
}

/// Appends a word that is not an id. The underscores of an op before its object become spaces.
fn put_word(told: &mut String, word: &str, after: &str) {
    let target = after.strip_prefix(ON).and_then(|rest| rest.split(|c| !is_part(c)).next());
    match target.is_some_and(|target| Named::of(target).is_some()) {
        true => told.push_str(&word.replace('_', " ")),
        false => told.push_str(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::{Conflict, InvalidChange};
    use crate::plan::Refusal;
    use crate::track::Track;
    use crate::{ClipId, SegmentId, SessionId, SourceId, TrackId};
    use deskhand_dsp::SampleRate;
    use serde_json::json;

    fn session() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.tracks.insert(TrackId::new(1), Track::audio("Guest"));
        session
    }

    fn told(text: &str) -> String {
        session().without_ids(text, &|_| "another plan".into())
    }

    #[test]
    fn an_id_becomes_a_name_or_what_it_is_of() {
        let (known, gone) = (TrackId::new(1), ClipId::new(9));
        let all = [
            (format!("{known} does not exist"), "\"Guest\" does not exist"),
            (format!("Guest ({known}) moved"), "Guest moved"),
            (format!("there is no {gone} here"), "there is no such clip here"),
            (format!("{gone} is gone"), "A clip is gone"),
            (format!("set_clip_gain on {gone}: too loud"), "set clip gain on a clip: too loud"),
            (format!("as {} says", PlanId::new(3)), "as another plan says"),
            (format!("{} is lost.", SessionId::new(1)), "the mix is lost."),
            ("ü over_all a_file.wav".into(), "ü over_all a_file.wav"),
        ];
        for (text, expected) in all {
            assert_eq!(told(&text), expected);
        }
    }

    #[test]
    fn paths_and_handles_stay_as_they_are() {
        for text in [
            format!("/tmp/{}.wav is full", TrackId::new(1)),
            format!("deskhand://plans/{}", PlanId::new(1)),
            format!("a-{}-4.wav", TrackId::new(1)),
        ] {
            assert_eq!(told(&text), text);
        }
    }

    #[test]
    fn no_error_of_a_plan_that_does_not_fit_shows_an_id_to_a_person() {
        let (here, there) = (SessionId::new(1), SessionId::new(2));
        let conflict = |target: ObjectId| Conflict {
            change: Some("c1".into()),
            target,
            name: session().name_of(target),
            expected: json!(SourceId::new(4)),
            found: json!(null),
        };
        let invalid = InvalidChange {
            op: "set_clip_gain",
            target: ClipId::new(9).into(),
            name: ClipId::new(9).to_string(),
            reason: format!("{} does not exist", SegmentId::new(3)),
        };
        let all = [
            Refusal::OtherSession { plan: there, here },
            Refusal::Conflicts(vec![conflict(TrackId::new(1).into()), conflict(here.into())]),
            Refusal::Conflicts(vec![conflict(ClipId::new(7).into())]),
            Refusal::Invalid(invalid),
        ];
        for refusal in all {
            let words = told(&refusal.to_string());
            let ids = words.split(|c| !is_part(c)).filter(|word| Named::of(word).is_some());
            assert_eq!(ids.count(), 0, "{words}");
        }
    }
}
