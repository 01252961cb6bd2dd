//! What an edit has beside what plays: the takes of its phrases, and what was taken out of it.

use super::answer::Answer;
use deskhand_session::text::clock;
use deskhand_session::{Duplicates, ObjectId, PhraseId, Session};
use serde_json::{Value, json};

/// The takes of each phrase, or of those asked about, by the numbers that they are chosen by.
pub(super) fn takes(session: &Session, about: &[ObjectId]) -> Answer {
    let is_asked = |set: &&Duplicates| {
        about.is_empty() || set.takes.iter().any(|take| about.contains(&(*take).into()))
    };
    let sets: Vec<&Duplicates> = session.assembly.duplicates.iter().filter(is_asked).collect();
    if sets.is_empty() {
        let none = Answer::new("no takes are marked; say \"find the retakes\"", json!([]));
        return none.offering(["find the retakes"]);
    }
    let mut lines: Vec<String> = sets.iter().map(|set| told(session, set)).collect();
    lines.push("say \"use take 2\" for another one".into());
    let values: Vec<Value> = sets.iter().map(|set| json!(set)).collect();
    Answer::new(lines.join("\n"), json!(values)).offering(["use take 2"])
}

fn told(session: &Session, set: &Duplicates) -> String {
    let reason = if set.reason.is_empty() { String::new() } else { format!(": {}", set.reason) };
    let removed = &session.assembly.removed;
    let one = |(number, id): (usize, &PhraseId)| {
        let state = match (*id == set.chosen, removed.contains(id)) {
            (true, false) => format!("  [plays{reason}]"),
            (true, true) => "  [chosen, and removed]".to_owned(),
            (false, _) => String::new(),
        };
        format!("  take {number}: {}{state}", quote(session, *id))
    };
    let takes: Vec<String> = (1..).zip(&set.takes).map(one).collect();
    format!("{} takes of \"{}\"\n{}", set.takes.len(), set.phrase, takes.join("\n"))
}

/// "0:12.500  Anna: so it is".
fn quote(session: &Session, id: PhraseId) -> String {
    let Some(spoken) = session.spoken(id) else { return id.to_string() };
    let who = spoken.speaker.map(|who| format!("{who}: ")).unwrap_or_default();
    format!("{}  {who}{}", clock(spoken.start, session.rate), spoken.text)
}

/// What was taken out, with how it comes back.
pub(super) fn removed(session: &Session) -> Answer {
    let removed = &session.assembly.removed;
    if removed.is_empty() {
        return Answer::new("nothing was removed", json!([]));
    }
    let line = |id: &PhraseId| format!("removed: {}", quote(session, *id));
    let mut lines: Vec<String> = removed.iter().map(line).collect();
    lines.push("say \"restore\" with some of its words, or \"restore everything\"".into());
    let value = |id: &PhraseId| json!({"id": id, "text": session.spoken(*id).map(|it| it.text)});
    let values = removed.iter().map(value).collect();
    Answer::new(lines.join("\n"), values).offering(["restore everything"])
}
