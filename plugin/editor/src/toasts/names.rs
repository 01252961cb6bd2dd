//! Words that name objects by their ids, with the names that people know in their place.

use crate::kit::scale::minus;
use deskhand_session::{PlanId, Session, plain_words};

/// The words for a plan whose number is not known here.
pub(crate) const OTHER: &str = "another plan";

/// The same words without ids, for a person at the window.
pub(crate) fn of(words: &str, session: &Session) -> String {
    session.without_ids(words, &|_: PlanId| OTHER.to_owned())
}

/// The same without a session: the kind of the id's object. With true minus signs.
pub(crate) fn bare(words: &str) -> String {
    minus(&plain_words::without_ids(words, &|_| None, &|_: PlanId| OTHER.to_owned()))
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
        assert_eq!(of(&words, &session()), "there is no such track in a_file.wav");
    }
}
