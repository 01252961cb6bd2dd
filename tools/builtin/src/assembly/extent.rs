//! Where phrases are cut out of the timeline: at quiet points of all tracks of their group together.

use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Clip, PhraseId, Session, SourceId, TrackId};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// What is kept at most ahead of the first word and behind the last, in ms.
const LEAD_MS: i64 = 250;
const TAIL_MS: i64 = 350;
/// How far the times of words may be off, in ms: a cut is looked for at least this far to both sides.
const SLACK_MS: i64 = 60;
/// The steps in which a quiet point is looked for, in ms.
const STEP_MS: i64 = 10;

/// Up to so many times the energy of the quieter part of a pause, 12 dB, nobody speaks.
const QUIET: f64 = 16.0;
/// How much of a pause that part is: a quarter. Its very quietest point may be a drop-out, or where a gate closed.
const QUIETER: usize = 4;

/// How loud the tracks of a unit are together at any time.
pub(crate) struct Quiet {
    rate: SampleRate,
    clips: Vec<Heard>,
}

struct Heard {
    on: Range<Frames>,
    /// From the timeline to the source.
    shift: Frames,
    gain: f64,
    envelope: Rc<Envelope>,
}

impl Quiet {
    /// Listens to all clips on `tracks`, to each source once.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    pub(crate) fn new(context: &PlanContext, tracks: &[TrackId]) -> Result<Self, ToolError> {
        let session = &context.session;
        let mut known: BTreeMap<SourceId, Rc<Envelope>> = BTreeMap::new();
        let mut clips = Vec::new();
        for (_, clip) in tracks.iter().flat_map(|track| session.clips_on(*track)) {
            let envelope = match known.get(&clip.source) {
                Some(envelope) => Rc::clone(envelope),
                None => Rc::new(Envelope::from(&context.profile(clip.source.into())?)),
            };
            known.insert(clip.source, Rc::clone(&envelope));
            clips.push(Heard {
                on: clip.position..clip.end(),
                shift: clip.start - clip.position,
                gain: clip.gain.amplitude().powi(2),
                envelope,
            });
        }
        clips.sort_by_key(|heard| heard.on.start);
        Ok(Self { rate: session.rate, clips })
    }

    /// The energy of all tracks together around a time.
    fn energy(&self, at: Frames) -> f64 {
        let here = self.clips.iter().filter(|heard| heard.on.contains(&at));
        here.map(|heard| heard.energy(at, self.rate)).sum()
    }

    /// Where to cut behind the last word, in the pause that follows it: within `tail`, or later where the voice
    /// sounds on, since the times of last words are often early.
    fn behind(&self, pause: &Range<Frames>, tail: Frames) -> Frames {
        let half = Frames(tail.0 / 2);
        let from = self.settled(pause, pause.start + half, frames(STEP_MS, self.rate));
        let to = (from + half).max(pause.start + tail).min(pause.end);
        self.quietest(&(from.min(to)..to))
    }

    /// Where to cut ahead of the first word, in the pause before it.
    fn ahead(&self, pause: &Range<Frames>, lead: Frames) -> Frames {
        let half = Frames(lead.0 / 2);
        let to = self.settled(pause, pause.end - half, -frames(STEP_MS, self.rate));
        let from = (to - half).min(pause.end - lead).max(pause.start);
        self.quietest(&(from..to.max(from)))
    }

    /// The energy below which a part of a pause lies.
    fn quieter(&self, pause: &Range<Frames>) -> f64 {
        let step = frames(STEP_MS, self.rate).max(Frames(1));
        let count = ((pause.end - pause.start).0 / step.0).max(0);
        let times = (0..=count).map(|n| Frames(pause.start.0 + n * step.0));
        let mut energies: Vec<f64> = times.map(|at| self.energy(at)).collect();
        let place = energies.len() / QUIETER;
        *energies.select_nth_unstable_by(place, f64::total_cmp).1
    }

    /// The first time from `at` on, in steps, that is about as quiet as the pause mostly gets; `at` where none is.
    fn settled(&self, pause: &Range<Frames>, at: Frames, step: Frames) -> Frames {
        let at = Frames(at.0.clamp(pause.start.0, pause.end.0));
        let quiet = self.quieter(pause) * QUIET;
        let times = std::iter::successors(Some(at), |time| Some(*time + step));
        let mut times = times.take_while(|time| (pause.start..=pause.end).contains(time));
        times.find(|time| self.energy(*time) <= quiet).unwrap_or(at)
    }

    /// The quietest time in a range, of several the one nearest to its middle.
    pub(crate) fn quietest(&self, range: &Range<Frames>) -> Frames {
        let step = frames(STEP_MS, self.rate).max(Frames(1));
        let middle = Frames((range.start.0 + range.end.0) / 2);
        let count = ((range.end - range.start).0 / step.0).max(0);
        let times = (0..=count).map(|n| Frames(range.start.0 + n * step.0));
        let rated = times.map(|at| (self.energy(at), (at - middle).0.abs(), at));
        let best = rated.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        best.map_or(middle, |(_, _, at)| at.min(range.end.max(range.start)))
    }
}

impl Heard {
    fn energy(&self, at: Frames, rate: SampleRate) -> f64 {
        let index = ((at + self.shift).0.max(0) as f64 / f64::from(rate.0) * 100.0) as usize;
        let energies = self.envelope.energies();
        energies.get(index).map_or(0.0, |energy| f64::from(*energy) * self.gain)
    }
}

fn frames(ms: i64, rate: SampleRate) -> Frames {
    Frames(ms * i64::from(rate.0) / 1000)
}

/// What is cut out for each phrase, on the timeline: no two share a frame. `spans` are in order; `others` are words
/// that are in no phrase, and stay with the one they are said over. `whole` is where the unit has clips.
pub(super) fn extents(
    quiet: &Quiet,
    spans: &[(PhraseId, Range<Frames>)],
    others: &[Range<Frames>],
    whole: &Range<Frames>,
) -> BTreeMap<PhraseId, Range<Frames>> {
    let spans = with_others(spans, others);
    let (lead, tail) = (frames(LEAD_MS, quiet.rate), frames(TAIL_MS, quiet.rate));
    let ahead = |pause: Range<Frames>| quiet.ahead(&pause, lead);
    let behind = |pause: Range<Frames>| quiet.behind(&pause, tail);
    let mut extents = BTreeMap::new();
    let mut start = spans
        .first()
        .map_or(Frames::ZERO, |(_, first)| ahead(whole.start.min(first.start)..first.start));
    for (at, (id, span)) in spans.iter().enumerate() {
        let next = spans.get(at + 1).map(|(_, next)| next);
        let (end, follows) = match next {
            None => (behind(span.end..whole.end.max(span.end)), Frames::ZERO),
            Some(next) if next.start - span.end > lead + tail => {
                let pause = span.end..next.start;
                (behind(pause.clone()), ahead(pause))
            }
            Some(next) => {
                let cut = between(quiet, span, next);
                (cut, cut)
            }
        };
        let end = end.max(start + Frames(1));
        extents.insert(*id, start..end);
        start = follows.max(end);
    }
    extents
}

/// The quietest point between two phrases, or where they are said over each other.
fn between(quiet: &Quiet, first: &Range<Frames>, second: &Range<Frames>) -> Frames {
    let slack = frames(SLACK_MS, quiet.rate);
    let mut from = first.end.min(second.start);
    let mut to = first.end.max(second.start).min(second.end);
    if to - from < slack + slack {
        let middle = Frames((from.0 + to.0) / 2);
        // Never over more than half of a phrase, however short it is.
        let most = |span: &Range<Frames>| Frames((span.end - span.start).0 / 2);
        from = from.min(middle - slack.min(most(first)));
        to = to.max(middle + slack.min(most(second)));
    }
    quiet.quietest(&(from..to))
}

/// The spans, each reaching over what is said along with it, but not into the next.
fn with_others(
    spans: &[(PhraseId, Range<Frames>)],
    others: &[Range<Frames>],
) -> Vec<(PhraseId, Range<Frames>)> {
    let mut spans = spans.to_vec();
    let starts: Vec<Frames> = spans.iter().map(|(_, span)| span.start).collect();
    for other in others {
        let shared =
            |span: &Range<Frames>| (span.end.min(other.end) - span.start.max(other.start)).0;
        let first = starts.partition_point(|start| *start < other.start).saturating_sub(2);
        let near = spans.iter().enumerate().skip(first).take_while(|(_, s)| s.1.start < other.end);
        let best = near.max_by_key(|(_, (_, span))| shared(span)).map(|(at, _)| at);
        let Some(at) = best.filter(|at| spans.get(*at).is_some_and(|s| shared(&s.1) > 0)) else {
            continue;
        };
        let next = starts.get(at + 1).copied().unwrap_or(Frames(i64::MAX));
        let ahead =
            at.checked_sub(1).and_then(|at| spans.get(at)).map_or(Frames::ZERO, |s| s.1.end);
        if let Some((_, span)) = spans.get_mut(at) {
            span.end = span.end.max(other.end.min(next));
            span.start = span.start.min(other.start.max(ahead));
        }
    }
    spans
}

/// The clips of `tracks` within a range of the timeline, at positions from its start.
pub(super) fn pieces<'a>(
    session: &'a Session,
    track: TrackId,
    range: &'a Range<Frames>,
) -> impl Iterator<Item = Clip> + 'a {
    session.clips_on(track).into_iter().filter_map(|(_, clip)| {
        let (from, to) = (clip.position.max(range.start), clip.end().min(range.end));
        let piece = (from < to).then(|| Clip {
            start: clip.start + (from - clip.position),
            length: to - from,
            position: from - range.start,
            ..clip.clone()
        })?;
        let cut = |is_own: bool, fade: deskhand_dsp::Fade| {
            if is_own { fade } else { deskhand_dsp::Fade::default() }
        };
        Some(Clip {
            fade_in: cut(from == clip.position, clip.fade_in),
            fade_out: cut(to == clip.end(), clip.fade_out),
            ..piece
        })
    })
}
