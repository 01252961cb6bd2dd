//! The tempo map of a host. It is known up to the furthest position that played. The session follows it
//! until somebody sets a tempo in the session.

use crate::bridge::Bridge;
use crate::commits::Commits;
use crate::ids::Asker;
use deskhand_dsp::{Frames, Seconds};
use deskhand_protocol::TempoStretch;
use deskhand_session::change::Edit;
use deskhand_session::{Author, Change, Meter, MeterPoint, Session, TempoPoint};

/// A host tells its tempo with each block, so a change is seen up to a block late: nearer than this it is the same one.
const NEAR: Seconds = Seconds(0.05);
/// A tempo that is played and differs by no more, in quarter notes a minute, is the one that is known: a host that
/// follows a clock from outside trembles.
const TREMBLE: f64 = 1.0;

impl Bridge {
    /// Takes over the tempo and the meter of the stopped host, or of what it played.
    pub(crate) fn host_tempo(&mut self, asker: Asker, stretches: &[TempoStretch]) {
        let step = self.own_track(asker).and_then(|_| {
            let (label, changes) = self.commits.of_host(stretches, self.hosts.is_tempo_told);
            self.hosts.is_tempo_told = true;
            self.host_step(asker, label, changes)
        });
        self.fail_if(asker, step);
    }
}

impl Commits {
    fn of_host(&self, stretches: &[TempoStretch], is_told: bool) -> (String, Vec<Change>) {
        let (session, near) = (&self.session, NEAR.frames(self.session.rate));
        let now = Maps::of(session);
        // Tempo arrives every second: the history is searched only if it is new.
        if now.with(stretches, near, Told::Again) == now {
            return (String::new(), Vec::new());
        }
        let told = match self.history.touched(is_of_maps).next().map(|step| step.author) {
            // If the session has this tempo already, no step is made.
            None if !is_told => Told::First,
            None | Some(Author::Host) => Told::Again,
            // One that the person gave stays where the host plays on, and goes where another is set there.
            Some(Author::User | Author::Agent | Author::Capture)
                if self.is_set_anew(stretches, near) =>
            {
                Told::Again
            }
            Some(Author::User | Author::Agent | Author::Capture) => {
                return (String::new(), Vec::new());
            }
        };
        let then = now.with(stretches, near, told);
        let label = match then.tempo.as_slice() {
            [only] => format!("{} BPM in the host", only.bpm),
            several => {
                format!("the host's tempo map, as far as it was played: {} tempi", several.len())
            }
        };
        let tempo = Change::SetTempo(Edit::new(session.id, now.tempo, then.tempo));
        let meter = Change::SetMeter(Edit::new(session.id, now.meter, then.meter));
        (label, vec![tempo, meter])
    }

    /// Whether the stopped host has another tempo there than before the session got its own: a new instance
    /// reports the current one. A map of the session's own always stays.
    fn is_set_anew(&self, stretches: &[TempoStretch], near: Frames) -> bool {
        let has_map = self.session.tempo.len() > 1 || self.session.meter.len() > 1;
        let stands = stretches.iter().all(|stretch| stretch.to <= stretch.from);
        let before = self.maps_ahead_of_own();
        stands && !has_map && before.with(stretches, near, Told::Again) != before
    }

    /// The maps before the session was given its own.
    fn maps_ahead_of_own(&self) -> Maps {
        let mut maps = Maps::of(&self.session);
        let own = self.history.touched(is_of_maps).take_while(|step| step.author != Author::Host);
        for change in own.flat_map(|step| step.changes.iter().rev()) {
            match change {
                Change::SetTempo(edit) => maps.tempo.clone_from(&edit.before),
                Change::SetMeter(edit) => maps.meter.clone_from(&edit.before),
                _ => {}
            }
        }
        maps
    }
}

fn is_of_maps(change: &Change) -> bool {
    matches!(change, Change::SetTempo(_) | Change::SetMeter(_))
}

/// Whether a host reports its tempo for the first time. The first report counts from the start on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    First,
    Again,
}

/// The maps of a session.
#[derive(Clone, Debug, PartialEq)]
struct Maps {
    tempo: Vec<TempoPoint>,
    meter: Vec<MeterPoint>,
}

impl Maps {
    fn of(session: &Session) -> Self {
        Self { tempo: session.tempo.clone(), meter: session.meter.clone() }
    }

    /// This map with a host's stretches added. Points within `near` of each other count as one.
    fn with(&self, stretches: &[TempoStretch], near: Frames, told: Told) -> Self {
        let mut tempo: Vec<(Frames, f64)> =
            self.tempo.iter().map(|point| (point.position, point.bpm)).collect();
        let mut meter: Vec<(Frames, Meter)> =
            self.meter.iter().map(|point| (point.position, point.meter)).collect();
        for (number, stretch) in stretches.iter().enumerate() {
            let is_first = told == Told::First && number == 0;
            let from = if is_first { Frames::ZERO } else { stretch.from };
            let part = Part { from, to: stretch.to, near };
            tempo = part.with(&tempo, settled(&tempo, stretch));
            if let Some(told) = stretch.meter {
                meter = part.with(&meter, told);
            }
        }
        let tempo = tempo.into_iter().map(|(position, bpm)| TempoPoint { position, bpm });
        let meter = meter.into_iter().map(|(position, meter)| MeterPoint { position, meter });
        Self { tempo: tempo.collect(), meter: meter.collect() }
    }
}

/// The tempo of a stretch, quarter notes a minute: to a thousandth, or the one of `known` that it may be.
fn settled(known: &[(Frames, f64)], stretch: &TempoStretch) -> f64 {
    let there = known.iter().rfind(|(at, _)| *at <= stretch.from.max(Frames::ZERO));
    match there {
        Some((_, bpm)) if stretch.to > stretch.from && (bpm - stretch.bpm).abs() <= TREMBLE => *bpm,
        Some(_) | None => (stretch.bpm * 1_000.0).round() / 1_000.0,
    }
}

/// A part of the timeline, and how near points are one.
struct Part {
    from: Frames,
    to: Frames,
    near: Frames,
}

impl Part {
    /// `points`, the first at 0, with `value` in this part. Points before it stay, and so do the points
    /// after it: the value holds until the first of them.
    fn with<T: Copy + PartialEq>(&self, points: &[(Frames, T)], value: T) -> Vec<(Frames, T)> {
        let mut after = if self.to > self.from {
            self.played(points, value)
        } else {
            self.stood(points, value)
        };
        after.dedup_by(|later, earlier| later.1 == earlier.1);
        after
    }

    fn played<T: Copy + PartialEq>(&self, points: &[(Frames, T)], value: T) -> Vec<(Frames, T)> {
        if self.to <= Frames::ZERO {
            return points.to_vec();
        }
        let from = self.from.max(Frames::ZERO);
        let is_it = |(at, known): &&(Frames, T)| {
            *known == value && *at > Frames::ZERO && (at.0 - from.0).abs() <= self.near.0
        };
        let start = points.iter().find(is_it).map_or(from, |(at, _)| *at);
        // The change at its end may have been seen late.
        let end = self.to - self.near;
        let ahead = points.iter().copied().filter(|(at, _)| *at < start);
        let behind = points.iter().copied().filter(|(at, _)| *at > start && *at >= end);
        ahead.chain([(start, value)]).chain(behind).collect()
    }

    /// Changes the tempo where the host is stopped, if it differs from the known one.
    fn stood<T: Copy + PartialEq>(&self, points: &[(Frames, T)], value: T) -> Vec<(Frames, T)> {
        let mut after = points.to_vec();
        let governs = points.iter().rposition(|(at, _)| *at <= self.from).unwrap_or(0);
        let next = points.get(governs + 1).filter(|(at, _)| *at <= self.from + self.near);
        if next.is_none_or(|(_, next)| *next != value)
            && let Some(point) = after.get_mut(governs)
        {
            point.1 = value;
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn played(from: i64, to: i64) -> Part {
        Part { from: Frames(from), to: Frames(to), near: Frames(50) }
    }

    fn points(all: &[(i64, u32)]) -> Vec<(Frames, u32)> {
        all.iter().map(|(at, value)| (Frames(*at), *value)).collect()
    }

    #[test]
    fn a_change_that_was_played_is_a_point_and_one_that_went_is_none() {
        let map = played(1_000, 5_000).with(&points(&[(0, 92)]), 92);
        assert_eq!(map, points(&[(0, 92)]));
        let map = played(5_000, 9_000).with(&map, 150);
        assert_eq!(map, points(&[(0, 92), (5_000, 150)]));
        // In the host the change moved to after 7,000; how far shows later, when more was played.
        assert_eq!(played(0, 5_020).with(&map, 92), map);
        assert_eq!(played(0, 7_000).with(&map, 92), points(&[(0, 92)]));
        // Points after the played part stay as they are.
        assert_eq!(played(0, 3_000).with(&map, 100), points(&[(0, 100), (5_000, 150)]));
    }

    #[test]
    fn a_change_that_is_seen_a_block_late_is_the_one_that_is_known() {
        let map = points(&[(0, 92), (5_000, 150)]);
        assert_eq!(played(0, 5_040).with(&map, 92), map);
        assert_eq!(played(5_040, 9_000).with(&map, 150), map);
        assert_eq!(played(4_970, 9_000).with(&map, 150), map);
        assert_eq!(played(4_980, 4_980).with(&map, 150), map, "it stands at the change");
    }

    #[test]
    fn where_a_host_stands_its_tempo_is_another_one() {
        let map = points(&[(0, 92), (5_000, 150)]);
        assert_eq!(played(8_000, 8_000).with(&map, 140), points(&[(0, 92), (5_000, 140)]));
        assert_eq!(played(8_000, 8_000).with(&points(&[(0, 92)]), 140), points(&[(0, 140)]));
        assert_eq!(played(-500, -500).with(&map, 80), points(&[(0, 80), (5_000, 150)]));
        assert_eq!(played(-500, -100).with(&map, 80), map, "a pre-roll is no part of the session");
    }

    fn in_force(map: &[(Frames, u32)], at: i64) -> u32 {
        map.iter().rev().find(|(position, _)| position.0 <= at).unwrap().1
    }

    proptest! {
        #[test]
        fn what_was_played_has_its_value_and_the_map_stays_one(
            stretches in prop::collection::vec((-200i64..10_000, 0i64..4_000, 1u32..4), 1..20),
        ) {
            let mut map = points(&[(0, 1)]);
            for (from, length, value) in stretches {
                let part = played(from, from + length);
                let after = part.with(&map, value);
                prop_assert_eq!(after[0].0, Frames::ZERO);
                prop_assert!(after.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
                prop_assert_eq!(&part.with(&after, value), &after, "told again it is the same");
                let (first, last) = (from.max(0) + 50, from + length - 51);
                if last >= first {
                    for at in [first, last] {
                        prop_assert_eq!(in_force(&after, at), value);
                    }
                    // A point may have moved by as much as is near.
                    for at in (0..from - 50).step_by(97) {
                        prop_assert_eq!(in_force(&after, at), in_force(&map, at));
                    }
                }
                map = after;
            }
        }
    }
}
