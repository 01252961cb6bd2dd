//! Random edits of every kind that a person makes while the music plays. None of them may click: clips move
//! by whole turns of the tone.

use crate::user_session::{RATE, Seat};
use deskhand_editor::{Action, Model};
use deskhand_protocol::Decision;
use deskhand_protocol::desk::{Play, Which};
use deskhand_session::{PlanId, TrackId};
use serde_json::json;

/// What kinds there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Gain,
    Pan,
    NewTrack,
    Move,
    Split,
    Mute,
    Undo,
    Plan,
}

pub(crate) const KINDS: [Kind; 8] = [
    Kind::Gain,
    Kind::Pan,
    Kind::NewTrack,
    Kind::Move,
    Kind::Split,
    Kind::Mute,
    Kind::Undo,
    Kind::Plan,
];

/// Where a clip of 10 s starts at the latest, in steps of 10 turns of the tone, to sound from 1 s to 9 s.
const STEPS: u64 = 280;
const STEP: u64 = 160;

/// An edit that landed, and how much had been played by then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landed {
    pub(crate) kind: Kind,
    pub(crate) frames: usize,
}

/// Makes the edits, and notes which.
pub(crate) struct Edits<F, P> {
    track: TrackId,
    /// What may be undone: all above this.
    first: u64,
    seed: u64,
    /// Kinds to come before any comes again.
    deck: Vec<Kind>,
    /// The test has heard enough.
    is_over: F,
    /// How much was played so far, frames.
    played: P,
    pub(crate) landed: Vec<Landed>,
}

impl<F: Fn() -> bool, P: Fn() -> usize> Edits<F, P> {
    /// Edits of the current session, which has one track.
    pub(crate) fn new(seat: &Seat, is_over: F, played: P) -> Self {
        let track = *seat.model.session().unwrap().track_order.first().unwrap();
        let first = seat.model.head().map_or(0, |head| head.0);
        Self { track, first, seed: 7, deck: Vec::new(), is_over, played, landed: Vec::new() }
    }

    /// A number below `end`.
    fn random(&mut self, end: u64) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.seed >> 33) % end
    }

    /// One of the kinds to come; undo not while there is nothing to undo.
    fn draw(&mut self, has_undo: bool) -> Kind {
        if self.deck.is_empty() {
            self.deck = KINDS.to_vec();
        }
        let at = self.random(self.deck.len() as u64) as usize;
        if self.deck[at] == Kind::Undo && !has_undo {
            Kind::Gain
        } else {
            self.deck.swap_remove(at)
        }
    }

    /// Makes one and waits until it landed.
    pub(crate) fn next(&mut self, seat: &mut Seat) {
        let is_muted = seat.model.session().unwrap().tracks[&self.track].mute;
        let has_undo = seat.model.head().is_some_and(|head| head.0 > self.first);
        // A silent edit proves little: the track is unmuted at once.
        let kind = if is_muted { Kind::Mute } else { self.draw(has_undo) };
        let before = seat.model.head();
        if kind == Kind::Plan {
            self.hear_a_plan(seat);
        } else {
            self.edit(seat, kind, is_muted);
            seat.until("an edit", || {}, |model| model.head() != before || (self.is_over)());
        }
        if !(self.is_over)() {
            self.landed.push(Landed { kind, frames: (self.played)() });
        }
    }

    fn edit(&mut self, seat: &mut Seat, kind: Kind, is_muted: bool) {
        let track = self.track;
        let number = self.random(24_000);
        let part = number as f64 / 24_000.0;
        let (tool, params) = match kind {
            Kind::Undo | Kind::Plan => {
                assert_eq!(seat.open.act(&mut seat.model, Action::Undo), None);
                return;
            }
            Kind::Gain => {
                ("cmd_set_track_gain", json!({"targets": [track], "gain_db": -24.0 * part}))
            }
            Kind::Pan => ("cmd_set_track_pan", json!({"targets": [track], "pan": part})),
            Kind::NewTrack => {
                ("cmd_add_track", json!({"name": format!("new {}", self.landed.len())}))
            }
            Kind::Move => {
                let at = (number % STEPS * STEP) as f64 / f64::from(RATE.0);
                ("cmd_move_clip", json!({"targets": "all", "at_s": at}))
            }
            Kind::Split => ("cmd_split_clip", json!({"targets": "all", "at_s": 1.0 + 8.0 * part})),
            Kind::Mute => ("cmd_set_track_mute", json!({"targets": [track], "mute": !is_muted})),
        };
        seat.call(tool, params);
    }

    /// Asks for a plan, hears it against the session, and decides.
    fn hear_a_plan(&mut self, seat: &mut Seat) {
        let gain = seat.model.session().unwrap().tracks[&self.track].gain.0;
        let way = if gain > -12.0 { "down" } else { "up" };
        let words = format!("turn the tone {way} by {} dB", 1 + self.random(10));
        assert_eq!(seat.open.act(&mut seat.model, Action::Say(words)), None);
        self.until(seat, "a plan", |model| model.waiting().is_some());
        let Some(plan) = seat.model.waiting() else { return };
        for which in [Which::Plan, Which::Current, Which::LevelMatched] {
            self.hear(seat, plan, which);
        }
        let is_good = self.random(2) == 0;
        let rejected = || Decision::Reject { reason: "no".into() };
        let decision = if is_good { Decision::Apply } else { rejected() };
        assert_eq!(seat.open.act(&mut seat.model, Action::Decide { plan, decision }), None);
        let is_decided = |model: &Model| model.waiting().is_none() && model.live.hearing.is_none();
        self.until(seat, "the decision", is_decided);
    }

    fn hear(&self, seat: &mut Seat, plan: PlanId, which: Which) {
        let heard = Action::Play(Play::Hear { plan, which });
        assert_eq!(seat.open.act(&mut seat.model, heard), None);
        self.until(seat, "hearing it", |model| model.live.hearing == Some((plan, which)));
    }

    fn until(&self, seat: &mut Seat, what: &str, done: impl Fn(&Model) -> bool) {
        seat.until(what, || {}, |model| done(model) || (self.is_over)());
    }
}
