//! Bars and beats from the tempo map.

use deskhand_dsp::Frames;
use deskhand_session::{Meter, Session};
use std::fmt;

/// A position in bars, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bars {
    bar: i64,
    beat: i64,
    sixteenth: i64,
}

impl fmt::Display for Bars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.bar, self.beat, self.sixteenth)
    }
}

/// Whether the session was given a tempo or a meter: a new one has 120 in 4/4.
pub(crate) fn is_set(session: &Session) -> bool {
    let fresh = Session::new(session.id, session.rate);
    session.tempo != fresh.tempo || session.meter != fresh.meter
}

pub(crate) fn at(session: &Session, position: Frames) -> (f64, Meter) {
    let tempo = session.tempo.iter().rev().find(|point| point.position <= position);
    let meter = session.meter.iter().rev().find(|point| point.position <= position);
    let four = Meter { numerator: 4, denominator: 4 };
    (tempo.map_or(120.0, |point| point.bpm), meter.map_or(four, |point| point.meter))
}

fn quarters(session: &Session, position: Frames) -> f64 {
    let rate = f64::from(session.rate.0);
    let ends = session.tempo.iter().skip(1).map(|point| point.position).chain([position]);
    let parts = session.tempo.iter().zip(ends).take_while(|(point, _)| point.position < position);
    let count = |frames: Frames, bpm: f64| frames.0 as f64 / rate * bpm / 60.0;
    parts.map(|(point, end)| count(end.min(position) - point.position, point.bpm)).sum()
}

/// The position that is `quarters` quarter notes from the start.
fn frame_of(session: &Session, quarters: f64) -> Frames {
    let rate = f64::from(session.rate.0);
    let mut rest = quarters;
    let mut points = session.tempo.iter().peekable();
    while let Some(point) = points.next() {
        let per_frame = point.bpm / 60.0 / rate;
        if let Some(next) = points.peek() {
            let whole = (next.position - point.position).0 as f64 * per_frame;
            if rest >= whole {
                rest -= whole;
                continue;
            }
        }
        return point.position + Frames((rest / per_frame).round() as i64);
    }
    Frames::ZERO
}

/// Bar, beat and sixteenth of a beat's note at a position.
pub(crate) fn bars(session: &Session, position: Frames) -> Bars {
    let mut bar = 1;
    let mut points = session.meter.iter().peekable();
    while let Some(point) = points.next() {
        let beat = 4.0 / f64::from(point.meter.denominator);
        let length = beat * f64::from(point.meter.numerator);
        let start = quarters(session, point.position);
        if let Some(next) = points.peek().filter(|next| next.position <= position) {
            let whole = (quarters(session, next.position) - start) / length;
            bar += (whole - 1e-9).ceil().max(0.0) as i64;
            continue;
        }
        // A beat between two frames begins at the nearer one.
        let half = at(session, position).0 / 120.0 / f64::from(session.rate.0);
        let into = (quarters(session, position) - start + half).max(0.0);
        let in_bar = into % length;
        return Bars {
            bar: bar + (into / length) as i64,
            beat: 1 + (in_bar / beat) as i64,
            sixteenth: 1 + (in_bar % beat / 0.25) as i64,
        };
    }
    Bars { bar: 1, beat: 1, sixteenth: 1 }
}

pub(crate) fn nearest_beat(session: &Session, position: Frames) -> Frames {
    let (_, meter) = at(session, position);
    let beat = 4.0 / f64::from(meter.denominator);
    let count = (quarters(session, position) / beat).round();
    frame_of(session, count * beat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{MeterPoint, SessionId, TempoPoint};

    fn session(tempo: &[(i64, f64)], meter: (u8, u8)) -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.tempo =
            tempo.iter().map(|(at, bpm)| TempoPoint { position: Frames(*at), bpm: *bpm }).collect();
        let meter = Meter { numerator: meter.0, denominator: meter.1 };
        session.meter = vec![MeterPoint { position: Frames::ZERO, meter }];
        session
    }

    #[test]
    fn bars_count_from_one() {
        // 96 bpm: a quarter is 30,000 frames, a bar of 4/4 120,000.
        let session = session(&[(0, 96.0)], (4, 4));
        assert!(is_set(&session));
        assert_eq!(bars(&session, Frames(0)).to_string(), "1.1.1");
        assert_eq!(bars(&session, Frames(119_999)).to_string(), "1.4.4");
        assert_eq!(bars(&session, Frames(35 * 120_000 + 30_000)).to_string(), "36.2.1");
    }

    #[test]
    fn a_tempo_change_counts_on() {
        // Two bars of 3/4 at 60 bpm, then 120 bpm.
        let session = session(&[(0, 60.0), (288_000, 120.0)], (3, 4));
        assert_eq!(bars(&session, Frames(288_000)).to_string(), "3.1.1");
        assert_eq!(bars(&session, Frames(288_000 + 24_000)).to_string(), "3.2.1");
        assert_eq!(nearest_beat(&session, Frames(288_000 + 23_000)), Frames(312_000));
        assert_eq!(nearest_beat(&session, Frames(47_000)), Frames(48_000));
    }

    #[test]
    fn a_new_session_has_no_tempo_of_its_own() {
        assert!(!is_set(&session(&[(0, 120.0)], (4, 4))));
    }
}
