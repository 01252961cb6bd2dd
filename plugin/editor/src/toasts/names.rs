//! Words that name objects by their ids, with the names that people know in their place.

use deskhand_session::{ObjectId, Session};

/// What stands between an op and the object that it is of.
const ON: &str = " on ";

/// The same words; what is not in the session keeps its id.
pub(super) fn of(words: &str, session: &Session) -> String {
    let mut told = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(at) = rest.find(is_part) {
        let (ahead, behind) = rest.split_at(at);
        told.push_str(ahead);
        let end = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
        let (word, after) = behind.split_at(end);
        match name_of(word, session) {
            Some(name) => told.push_str(&name),
            None if is_op(word, after) => told.push_str(&word.replace('_', " ")),
            None => told.push_str(word),
        }
        rest = after;
    }
    told + rest
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// What an id stands for, in quotes where it is a name.
fn name_of(word: &str, session: &Session) -> Option<String> {
    let object = word.parse::<ObjectId>().ok()?;
    let name = session.name_of(object);
    match object {
        ObjectId::Session(_) => Some(name),
        _ => (name != word).then(|| format!("\"{name}\"")),
    }
}

/// Whether a word is an op, as "set_clip_gain" is where an object follows that it is of.
fn is_op(word: &str, after: &str) -> bool {
    let target = after.strip_prefix(ON).and_then(|rest| rest.split(|c| !is_part(c)).next());
    word.contains('_') && target.is_some_and(|target| target.parse::<ObjectId>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::session;
    use deskhand_session::{ClipId, TrackId};

    #[test]
    fn an_id_becomes_the_name_that_people_know() {
        let (clip, gone) = (ClipId::new(1), TrackId::new(99));
        let words = format!("set_clip_gain on {clip}: a gain of 999 dB is outside -150 to 48 dB");
        let told = "set clip gain on \"Vocal take\": a gain of 999 dB is outside -150 to 48 dB";
        assert_eq!(of(&words, &session()), told);
        let words = format!("there is no {gone} in a_file.wav");
        assert_eq!(of(&words, &session()), words);
    }
}
