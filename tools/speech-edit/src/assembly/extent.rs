//! Where phrases are cut out of the timeline: at quiet points of all tracks of their group together.

use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Clip, PhraseId, Session, SourceId, TrackId};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// The most that is kept before the first word and after the last, in ms.
const LEAD_MS: i64 = 250;
const TAIL_MS: i64 = 350;
/// How far the times of words may be off, in ms: a cut is looked for at least this far to both sides.
const SLACK_MS: i64 = 60;
/// The times of words that a network wrote are up to a quarter of a second late: a pause between two phrases is looked
/// for this far into the one and the other, in ms.
const FAR_MS: i64 = 500;
/// So much of the inner side of a word is believed, in ms, and never more than half of it.
const SURE_MS: i64 = 150;
/// The sounds within a word leave shorter gaps, in ms.
const LEAST_PAUSE_MS: i64 = 100;
/// The steps in which a quiet point is looked for, in ms.
const STEP_MS: i64 = 10;

/// Nobody speaks up to this many times the energy of the quieter part of a pause: 12 dB.
const QUIET: f64 = 16.0;
/// How much of a pause that part is: a quarter. Its very quietest point may be a drop-out, or where a gate closed.
const QUIETER: usize = 4;
/// The share of a range between two phrases that counts as quiet as their pause, and the share that counts
/// as loud as speech: a tenth.
const EDGE: usize = 10;
/// A pause is at least this many times below the speech around it: 9 dB.
const BELOW_SPEECH: f64 = 8.0;
/// Nothing that is heard has less energy: -90 dBFS.
const NOTHING: f64 = 1e-9;

/// Speech on the timeline.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stretch {
    /// From its first word to its last.
    pub(super) span: Range<Frames>,
    /// How long its first word is.
    pub(super) first: Frames,
    /// How long its last word is.
    pub(super) last: Frames,
}

/// The most of a pause between two phrases that is kept.
pub(super) fn kept(rate: SampleRate) -> Frames {
    frames(LEAD_MS + TAIL_MS, rate)
}

/// The stretches that are cut out for phrases, on the timeline. Those of a phrase play in sequence.
pub(super) type Extents = BTreeMap<PhraseId, Vec<Range<Frames>>>;

/// How loud the tracks of a unit are together at any time.
pub(crate) struct Quiet {
    rate: SampleRate,
    /// By their start.
    clips: Vec<Heard>,
    /// The longest of them. A phrase that begins longer ago than this is over.
    longest: Frames,
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
                None => Rc::new(context.envelope(clip.source.into())?),
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
        let lengths = clips.iter().map(|heard: &Heard| heard.on.end - heard.on.start);
        let longest = lengths.max().unwrap_or_default();
        Ok(Self { rate: session.rate, clips, longest })
    }

    /// The energy of all tracks together around a time.
    fn energy(&self, at: Frames) -> f64 {
        let from = self.clips.partition_point(|heard| heard.on.start <= at - self.longest);
        let to = self.clips.partition_point(|heard| heard.on.start <= at);
        let near = self.clips.get(from..to).unwrap_or_default();
        let here = near.iter().filter(|heard| heard.on.contains(&at));
        here.map(|heard| heard.energy(at, self.rate)).sum()
    }

    /// Where to cut after the last word, in the pause that follows it. This is within `tail`, or later if
    /// the voice continues, since the times of last words are often early.
    fn behind(&self, pause: &Range<Frames>, tail: Frames) -> Frames {
        let half = Frames(tail.0 / 2);
        let from = self.settled(pause, pause.start + half, frames(STEP_MS, self.rate));
        let to = (from + half).max(pause.start + tail).min(pause.end);
        self.quietest(&(from.min(to)..to))
    }

    /// Where to cut before the first word, in the pause before it.
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

    /// The first time from `at` on, in steps, that is about as quiet as most of the pause; `at` if there is
    /// none.
    fn settled(&self, pause: &Range<Frames>, at: Frames, step: Frames) -> Frames {
        let at = Frames(at.0.clamp(pause.start.0, pause.end.0));
        let quiet = self.quieter(pause) * QUIET;
        let times = std::iter::successors(Some(at), |time| Some(*time + step));
        let mut times = times.take_while(|time| (pause.start..=pause.end).contains(time));
        times.find(|time| self.energy(*time) <= quiet).unwrap_or(at)
    }

    /// Within the longest pause of a range, away from its edges; `None` if its only pauses are the gaps of
    /// a word.
    fn in_pause(&self, range: &Range<Frames>) -> Option<Frames> {
        let step = frames(STEP_MS, self.rate).max(Frames(1));
        let count = ((range.end - range.start).0 / step.0).max(0);
        let times = (0..count).map(|n| Frames(range.start.0 + n * step.0));
        let energies: Vec<f64> = times.map(|at| self.energy(at)).collect();
        let mut sorted = energies.clone();
        sorted.sort_by(f64::total_cmp);
        let (floor, speech) =
            (sorted.get(sorted.len() / EDGE)?, sorted.get(sorted.len() - 1 - sorted.len() / EDGE)?);
        let most = (floor.max(NOTHING) * QUIET).min(speech / BELOW_SPEECH);
        let pause = longest(&energies, most);
        let third = pause.len() / 3;
        let least = frames(LEAST_PAUSE_MS, self.rate).0 / step.0;
        let at = |index: usize| Frames(range.start.0 + index as i64 * step.0);
        (pause.len() as i64 >= least)
            .then(|| self.quietest(&(at(pause.start + third)..at(pause.end - third))))
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

/// The longest run of energies that are not above `most`.
fn longest(energies: &[f64], most: f64) -> Range<usize> {
    let (mut best, mut start) = (0..0, 0);
    for (at, energy) in energies.iter().enumerate() {
        if *energy > most {
            start = at + 1;
        } else if at + 1 - start > best.len() {
            best = start..at + 1;
        }
    }
    best
}

/// The stretches cut out for each phrase, at each place where it is heard: no two share a frame. `said` is
/// in order. `others` are words outside any phrase; they stay with the phrase they are said over. `whole`
/// is where the unit has clips.
pub(super) fn extents(
    quiet: &Quiet,
    said: &[(PhraseId, Stretch)],
    others: &[Stretch],
    whole: &Range<Frames>,
) -> Extents {
    let said = with_others(said, others);
    let (lead, tail) = (frames(LEAD_MS, quiet.rate), frames(TAIL_MS, quiet.rate));
    let ahead = |pause: Range<Frames>| quiet.ahead(&pause, lead);
    let behind = |pause: Range<Frames>| quiet.behind(&pause, tail);
    let mut extents = Extents::new();
    let mut start = said.first().map_or(Frames::ZERO, |(_, first)| {
        ahead(whole.start.min(first.span.start)..first.span.start)
    });
    for (at, (id, stretch)) in said.iter().enumerate() {
        let (span, next) = (&stretch.span, said.get(at + 1).map(|(_, next)| next));
        let (end, follows) = match next {
            None => (behind(span.end..whole.end.max(span.end)), Frames::ZERO),
            Some(next) if next.span.start - span.end > lead + tail => {
                let pause = span.end..next.span.start;
                (behind(pause.clone()), ahead(pause))
            }
            Some(next) => {
                let cut = between(quiet, stretch, next);
                (cut, cut)
            }
        };
        let end = end.max(start + Frames(1));
        extents.entry(*id).or_default().push(start..end);
        start = follows.max(end);
    }
    extents
}

/// Where one phrase ends and the next begins: in the pause between them, or at the quietest point around. Where they are
/// said over each other that is the end of the first, so that no word of it is cut.
fn between(quiet: &Quiet, first: &Stretch, second: &Stretch) -> Frames {
    if let Some(cut) = quiet.in_pause(&around(quiet.rate, first, second)) {
        return cut;
    }
    let (first, second) = (&first.span, &second.span);
    let slack = frames(SLACK_MS, quiet.rate);
    let mut from = first.end;
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

/// Where the pause between two phrases may be: from within the last word of the first to within the first of the second.
fn around(rate: SampleRate, first: &Stretch, second: &Stretch) -> Range<Frames> {
    let (far, sure) = (frames(FAR_MS, rate), frames(SURE_MS, rate));
    let inner = |word: Frames| sure.min(Frames(word.0 / 2));
    let middle = |span: &Range<Frames>| Frames((span.start.0 + span.end.0) / 2);
    let (end, start) = (first.span.end, second.span.start);
    let from = (end - first.last + inner(first.last)).max(end - far).max(middle(&first.span));
    let to = (start + second.first - inner(second.first)).min(start + far);
    from..to.min(middle(&second.span))
}

/// The phrases, each extended over the words said along with it, but not into the next.
fn with_others(said: &[(PhraseId, Stretch)], others: &[Stretch]) -> Vec<(PhraseId, Stretch)> {
    let mut said = said.to_vec();
    let starts: Vec<Frames> = said.iter().map(|(_, one)| one.span.start).collect();
    for other in others {
        let shared = |one: &Stretch| {
            (one.span.end.min(other.span.end) - one.span.start.max(other.span.start)).0
        };
        let first = starts.partition_point(|start| *start < other.span.start).saturating_sub(2);
        let near = said.iter().enumerate().skip(first);
        let near = near.take_while(|(_, one)| one.1.span.start < other.span.end);
        let best = near.max_by_key(|(_, (_, one))| shared(one)).map(|(at, _)| at);
        let Some(at) = best.filter(|at| said.get(*at).is_some_and(|one| shared(&one.1) > 0)) else {
            continue;
        };
        let next = starts.get(at + 1).copied().unwrap_or(Frames(i64::MAX));
        let ahead =
            at.checked_sub(1).and_then(|at| said.get(at)).map_or(Frames::ZERO, |s| s.1.span.end);
        if let Some((_, one)) = said.get_mut(at) {
            one.reach(other, ahead, next);
        }
    }
    said
}

impl Stretch {
    /// Reaches over another one, between two times.
    fn reach(&mut self, other: &Self, ahead: Frames, next: Frames) {
        let (start, end) = (other.span.start.max(ahead), other.span.end.min(next));
        if start < self.span.start {
            (self.span.start, self.first) = (start, other.first);
        }
        if end > self.span.end {
            (self.span.end, self.last) = (end, other.last);
        }
    }
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
