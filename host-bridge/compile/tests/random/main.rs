//! Random changes of every kind give a session that the engine accepts at every rate. A schedule depends on
//! the session only: the same session plays the same, whatever its history.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

// The sessions and changes of the algebra's own tests.
#[path = "../../../session/tests/session/build.rs"]
mod build;
#[path = "../../../session/tests/session/build_sound.rs"]
mod build_sound;
#[path = "../../../session/tests/session/build_words.rs"]
mod build_words;

use build::{base, steps, walk};
use deskhand_compile::{heard_mix, mix, mix_at, track};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_engine::Schedule;
use deskhand_session::apply::inverses;
use deskhand_session::{Change, Session};
use proptest::prelude::*;

const RATES: [u32; 5] = [44_100, 48_000, 88_200, 96_000, 192_000];

/// The last frame of a clip that is heard.
fn end(schedule: &Schedule) -> Frames {
    let voices = schedule.strips().iter().flat_map(|strip| &strip.voices);
    voices.map(|voice| voice.position + voice.envelope.length).max().unwrap_or(Frames::ZERO)
}

fn read_again(session: &Session) -> Session {
    serde_json::from_str(&serde_json::to_string(session).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn every_session_can_be_played(seed: u64, steps in steps(30), rate in 0..RATES.len()) {
        let start = base(seed);
        let reached = walk(&start, &steps).into_iter().map(|(_, session)| session);
        for session in std::iter::once(start.clone()).chain(reached) {
            let schedule = mix(&session).unwrap();
            prop_assert_eq!(schedule.strips().len(), session.tracks.len());
            prop_assert!(end(&heard_mix(&session).unwrap()) <= end(&schedule));
            prop_assert!(mix_at(&session, SampleRate(RATES[rate])).is_ok());
            for id in session.tracks.keys() {
                prop_assert!(track(&session, *id).is_ok(), "{}", id);
            }
        }
    }

    #[test]
    fn a_schedule_follows_from_the_session_alone(seed: u64, steps in steps(20)) {
        let start = base(seed);
        let before = mix(&start).unwrap();
        prop_assert_eq!(&mix(&read_again(&start)).unwrap(), &before);
        let walked = walk(&start, &steps);
        let Some((_, last)) = walked.last() else { return Ok(()) };
        let changes: Vec<Change> = walked.iter().map(|(change, _)| change.clone()).collect();
        let undone = last.with(&inverses(&changes)).unwrap();
        prop_assert_eq!(&mix(&undone).unwrap(), &before);
        let again = undone.with(&changes).unwrap();
        prop_assert_eq!(mix(&again).unwrap(), mix(last).unwrap());
    }
}
