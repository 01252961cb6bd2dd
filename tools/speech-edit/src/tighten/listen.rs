//! The content of a unit's tracks: words, and where each track sounds, on the timeline.

use crate::assembly::unit::Unit;
use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::phrases::{Phrasing, phrases};
use deskhand_dsp::silence::union;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Clip, Segment, SegmentId, SourceId, TrackId, Word};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// How speech is told from pauses, in ms: shorter pauses are part of it, shorter sounds are clicks.
const PAUSE_MS: i64 = 80;
/// A pause next to a filler may be shorter, in ms.
const SHORT_PAUSE_MS: i64 = 60;
const LEAST_MS: i64 = 60;

/// A track also picks up another microphone's voice, but softer, relative to the usual level of each. A
/// track softer than its own by this, in dB, has no speaker.
const BLEED_DB: f64 = 8.0;
/// Sound softer than a track's usual level by this, in dB, is no speech.
const SOFT_DB: f64 = 20.0;
/// A track's usual level: this share of its active parts is softer.
const USUAL: f64 = 0.95;
/// Levels are compared in steps of this many ms, each over this many steps on both sides.
const STEP_MS: i64 = 10;
const AROUND: usize = 2;

/// The analysis of a source, whatever of it plays, in its frames.
pub(super) struct Spoken {
    /// Its words, in order.
    pub(super) words: Vec<Word>,
    /// The same without bleed: that goes with the other microphone's part.
    pub(super) own: Vec<Word>,
    /// Where it sounds like speech.
    pub(super) active: Vec<Range<Frames>>,
    /// The sounds between pauses, shorter ones too.
    pub(super) islands: Vec<Range<Frames>>,
    envelope: Envelope,
    /// The energy of its louder moments.
    usual: f64,
}

/// One track.
pub(super) struct Heard {
    /// Which.
    pub(super) track: TrackId,
    /// Its words at their times on the timeline, in order.
    pub(super) words: Vec<Word>,
    /// The same without bleed.
    pub(super) own: Vec<Word>,
    /// Where it sounds like speech, on the timeline.
    pub(super) active: Vec<Range<Frames>>,
    /// Its clips.
    pub(super) clips: Vec<Clip>,
    /// The sources that these play.
    pub(super) sources: BTreeMap<SourceId, Rc<Spoken>>,
}

pub(super) fn millis(ms: i64, rate: SampleRate) -> Frames {
    Frames(ms * i64::from(rate.0) / 1000)
}

/// Listens to all tracks of a unit.
///
/// # Errors
/// When audio cannot be read, or the run is stopped.
pub(super) fn listen(context: &PlanContext, unit: &Unit) -> Result<Vec<Heard>, ToolError> {
    let session = &*context.session;
    let mut known: BTreeMap<SourceId, Rc<Spoken>> = BTreeMap::new();
    let mut heard = Vec::new();
    for track in &unit.tracks {
        let clips: Vec<Clip> =
            session.clips_on(*track).into_iter().map(|(_, clip)| clip.clone()).collect();
        let (mut words, mut own, mut sounds) = (Vec::new(), Vec::new(), Vec::new());
        let mut sources = BTreeMap::new();
        for clip in &clips {
            let spoken = match known.get(&clip.source) {
                Some(spoken) => Rc::clone(spoken),
                None => Rc::new(of_source(context, clip.source)?),
            };
            words.extend(heard_words(&spoken.words, clip));
            own.extend(heard_words(&spoken.own, clip));
            sounds.extend(spoken.active.iter().filter_map(|range| on_timeline(range, clip)));
            known.insert(clip.source, Rc::clone(&spoken));
            sources.insert(clip.source, spoken);
        }
        for words in [&mut words, &mut own] {
            words.sort_by_key(|word: &Word| (word.start, word.end));
        }
        heard.push(Heard { track: *track, words, own, active: union(sounds), clips, sources });
    }
    Ok(heard)
}

fn of_source(context: &PlanContext, source: SourceId) -> Result<Spoken, ToolError> {
    let envelope = context.envelope(source.into())?;
    let sounds =
        |pause| speech(&envelope, millis(pause, context.session.rate), context.session.rate);
    let (active, islands) = (sounds(PAUSE_MS), sounds(SHORT_PAUSE_MS));
    let segments = context.session.transcript_of(source);
    let words = words_of(&segments, |_| true);
    let own = words_of(&segments, |segment| !segment.is_bleed());
    let usual = usual(&envelope, &active);
    Ok(Spoken { words, own, active, islands, envelope, usual })
}

/// Where a source sounds like speech, but for pauses of some length.
fn speech(envelope: &Envelope, pause: Frames, rate: SampleRate) -> Vec<Range<Frames>> {
    let phrasing = Phrasing { pause, least: millis(LEAST_MS, rate), around: Frames::ZERO };
    phrases(envelope, phrasing)
}

fn usual(envelope: &Envelope, active: &[Range<Frames>]) -> f64 {
    let hops = envelope.energies().iter().enumerate();
    let is_active = |hop: usize| {
        let at = envelope.hop_start(hop);
        active.get(active.partition_point(|it| it.end <= at)).is_some_and(|it| it.start <= at)
    };
    let mut energies: Vec<f32> =
        hops.filter(|(hop, _)| is_active(*hop)).map(|(_, energy)| *energy).collect();
    energies.sort_by(f32::total_cmp);
    let at = (energies.len() as f64 * USUAL) as usize;
    energies.get(at).map_or(0.0, |energy| f64::from(*energy))
}

/// The part of a range of its source that a clip plays, on the timeline.
pub(super) fn on_timeline(range: &Range<Frames>, clip: &Clip) -> Option<Range<Frames>> {
    let shift = clip.position - clip.start;
    let start = (range.start + shift).max(clip.position);
    let end = (range.end + shift).min(clip.end());
    (start < end).then_some(start..end)
}

/// The words of the chosen segments, in order.
fn words_of(segments: &[(SegmentId, &Segment)], is_meant: impl Fn(&Segment) -> bool) -> Vec<Word> {
    let meant = segments.iter().filter(|(_, segment)| is_meant(segment));
    let mut words: Vec<Word> = meant.flat_map(|(_, segment)| segment.words.clone()).collect();
    words.sort_by_key(|word| (word.start, word.end));
    words
}

/// Those whose middle a clip plays, at their times on the timeline.
fn heard_words<'a>(words: &'a [Word], clip: &'a Clip) -> impl Iterator<Item = Word> + 'a {
    let (shift, end) = (clip.position - clip.start, clip.start + clip.length);
    let last = words.partition_point(|word| word.start < end);
    let inside = words.get(..last).unwrap_or_default().iter().filter(move |word| {
        let middle = Frames((word.start.0 + word.end.0) / 2);
        clip.start <= middle && middle < end
    });
    inside.map(move |word| Word {
        start: (word.start + shift).max(clip.position),
        end: (word.end + shift).min(clip.end()),
        ..word.clone()
    })
}

impl Heard {
    /// Whether anybody speaks on the track within a range: a word, or a sound like speech.
    pub(super) fn speaks(&self, range: &Range<Frames>) -> bool {
        let over = |word: &Word| word.start < range.end && range.start < word.end;
        self.words.iter().any(over) || self.speaks_in(range)
    }

    /// Whether something sounds like speech within a range.
    pub(super) fn speaks_in(&self, range: &Range<Frames>) -> bool {
        self.active.iter().any(|sound| sound.start < range.end && range.start < sound.end)
    }

    /// For how long within a range somebody speaks on this track whom `own` does not just hear louder.
    pub(super) fn speaks_beside(
        &self,
        own: &Self,
        range: &Range<Frames>,
        rate: SampleRate,
    ) -> Frames {
        let step = millis(STEP_MS, rate);
        let (bleed, soft) = (energy(-BLEED_DB), energy(-SOFT_DB));
        let mut spoken = Frames::ZERO;
        for sound in self.active.iter().filter(|it| it.start < range.end && range.start < it.end) {
            let mut at = sound.start.max(range.start);
            while at < sound.end.min(range.end) {
                let (other, own) = (self.level(at, rate), own.level(at, rate));
                if other >= soft && other >= own * bleed {
                    spoken += step;
                }
                at += step;
            }
        }
        spoken
    }

    /// How loud it is around a time, against how loud it usually is.
    fn level(&self, at: Frames, rate: SampleRate) -> f64 {
        let here = self.clips.iter().filter(|clip| clip.position <= at && at < clip.end());
        here.filter_map(|clip| {
            let spoken = self.sources.get(&clip.source)?;
            let hop = ((at - clip.position + clip.start).seconds(rate).0 * 100.0) as usize;
            let energies = spoken.envelope.energies();
            let last = (hop + AROUND + 1).min(energies.len());
            let around = energies.get(hop.saturating_sub(AROUND)..last)?;
            let mean = around.iter().map(|it| f64::from(*it)).sum::<f64>() / around.len() as f64;
            Some(mean / spoken.usual.max(f64::MIN_POSITIVE))
        })
        .fold(0.0, f64::max)
    }
}

fn energy(db: f64) -> f64 {
    10f64.powf(db / 10.0)
}
