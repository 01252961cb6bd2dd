//! Where a clip sounds.
//!
//! Everything is decided on the whole source, never on the clip alone: the pieces that a cut leaves
//! are then judged exactly as the whole was, and planning again finds nothing.

use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::level::{ActivityGate, active_rms};
use deskhand_dsp::silence::{SilenceSettings, active_ranges, union, zero_crossing};
use deskhand_dsp::{Decibels, FrameReader, Frames};
use deskhand_session::{Clip, ClipId, SourceId};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// Below the level at which sound begins, where it ends.
const HYSTERESIS: Decibels = Decibels(6.0);
/// Above the noise floor, where sound begins.
const ABOVE_FLOOR: Decibels = Decibels(12.0);
/// The automatic threshold stays this far below the level of the active parts: a steady tone is its own
/// noise floor, and must not count as silence.
const BELOW_ACTIVE: Decibels = Decibels(12.0);
/// The same where pauses are digital silence, so that nothing audible is lost.
const BELOW_ACTIVE_OVER_NOTHING: Decibels = Decibels(40.0);
/// Share of the 10 ms blocks that lie below the noise floor.
const FLOOR_SHARE: f64 = 0.1;

/// What counts as silence.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The level where sound begins, after the clip gain; `None`: above the noise floor.
    pub threshold: Option<Decibels>,
    /// Shorter silence is kept.
    pub min_silence: Frames,
    /// What is kept before a sound.
    pub pre_roll: Frames,
    /// What is kept after a sound.
    pub post_roll: Frames,
}

impl Wanted {
    /// The shortest stretch that is cut: the shortest silence without the kept parts.
    pub fn least(&self) -> Frames {
        (self.min_silence - self.pre_roll - self.post_roll).max(Frames(1))
    }
}

/// A source as a whole.
struct Heard {
    envelope: Envelope,
    floor: Option<Decibels>,
    automatic: Option<Threshold>,
}

/// Listens to clips, once to each source.
pub struct Listener<'a> {
    /// The run that listens.
    pub context: &'a PlanContext,
    /// What counts as silence.
    pub wanted: Wanted,
    /// The analysis of each source.
    sources: BTreeMap<SourceId, Rc<Heard>>,
    /// Sounds of a source at a threshold; its bits are the key, since floats have no order.
    known: BTreeMap<(SourceId, u64), Vec<Range<Frames>>>,
    /// Noise floors after the clip gain, of the clips that were analyzed.
    floors: BTreeMap<ClipId, Option<Decibels>>,
}

impl<'a> Listener<'a> {
    /// A listener that heard nothing yet.
    pub fn new(context: &'a PlanContext, wanted: Wanted) -> Self {
        Self {
            context,
            wanted,
            sources: BTreeMap::new(),
            known: BTreeMap::new(),
            floors: BTreeMap::new(),
        }
    }

    /// How many clips were listened to.
    pub fn heard(&self) -> usize {
        self.floors.len()
    }

    /// The noise floor of an analyzed clip, in dBFS after its gain.
    pub fn floor(&self, clip: ClipId) -> Option<f64> {
        self.floors.get(&clip).copied().flatten().map(|floor| floor.0)
    }

    /// Where `clip` sounds, on the timeline.
    pub fn sounds(&mut self, id: ClipId, clip: &Clip) -> Result<Vec<Range<Frames>>, ToolError> {
        let source = self.source(clip.source)?;
        self.floors.insert(id, source.floor.map(|floor| floor + clip.gain));
        let threshold = match self.wanted.threshold {
            Some(threshold) => Some(Threshold {
                open: threshold - clip.gain,
                close: threshold - clip.gain - HYSTERESIS,
            }),
            None => source.automatic,
        };
        let Some(threshold) = threshold else {
            return Ok(Vec::new());
        };
        let key = (clip.source, threshold.open.0.to_bits());
        let sounds = match self.known.get(&key) {
            Some(sounds) => sounds.clone(),
            None => self.listen(clip.source, &source.envelope, threshold)?,
        };
        self.known.insert(key, sounds.clone());
        let (shift, end) = (clip.position - clip.start, clip.end());
        let placed = sounds
            .into_iter()
            .map(|sound| (sound.start + shift).max(clip.position)..(sound.end + shift).min(end));
        Ok(union(placed.filter(|sound| sound.start < sound.end)))
    }

    fn source(&mut self, id: SourceId) -> Result<Rc<Heard>, ToolError> {
        if let Some(heard) = self.sources.get(&id) {
            return Ok(Rc::clone(heard));
        }
        let envelope = self.context.envelope(id.into())?;
        let heard = Rc::new(Heard {
            floor: envelope.noise_floor(FLOOR_SHARE),
            automatic: automatic(&envelope),
            envelope,
        });
        self.sources.insert(id, Rc::clone(&heard));
        Ok(heard)
    }

    /// Where a source sounds, with its edges at zero crossings.
    fn listen(
        &self,
        source: SourceId,
        envelope: &Envelope,
        threshold: Threshold,
    ) -> Result<Vec<Range<Frames>>, ToolError> {
        let settings = SilenceSettings {
            open: threshold.open,
            close: threshold.close,
            min_silence: self.wanted.min_silence,
            min_sound: Frames::ZERO,
            pre_roll: self.wanted.pre_roll,
            post_roll: self.wanted.post_roll,
        };
        let session = &self.context.session;
        let mut reader = self.context.audio.source(session, source).map_err(ToolError::media)?;
        let mut sounds = Vec::new();
        for sound in active_ranges(envelope, settings) {
            let start = quiet_frame(reader.as_mut(), sound.start)?;
            let end = quiet_frame(reader.as_mut(), sound.end)?;
            sounds.push(start..end);
            self.context.check()?;
        }
        Ok(union(sounds))
    }
}

/// Where sound begins and where it ends.
#[derive(Clone, Copy)]
struct Threshold {
    open: Decibels,
    close: Decibels,
}

/// A threshold from the noise floor and the level of the active parts; `None` for digital silence.
fn automatic(envelope: &Envelope) -> Option<Threshold> {
    let gate = ActivityGate { floor: Decibels(-120.0), ..ActivityGate::DEFAULT };
    let active = active_rms(envelope.energies(), gate)?;
    let floor = envelope.noise_floor(FLOOR_SHARE)?;
    let nothing = envelope.energies().iter().filter(|energy| **energy == 0.0).count();
    if nothing as f64 >= envelope.energies().len() as f64 * FLOOR_SHARE {
        let open = active - BELOW_ACTIVE_OVER_NOTHING;
        return Some(Threshold { open, close: open - HYSTERESIS });
    }
    let lower = |a: Decibels, b: Decibels| if a < b { a } else { b };
    let open = lower(floor + ABOVE_FLOOR, active - BELOW_ACTIVE);
    // Never down into the noise, or sound would go on in it.
    let close = Decibels((floor + ABOVE_FLOOR - HYSTERESIS).0.clamp((open - HYSTERESIS).0, open.0));
    Some(Threshold { open, close })
}

/// The zero crossing nearest to `near`, up to 5 ms away; `near` itself if there is none.
fn quiet_frame(reader: &mut dyn FrameReader, near: Frames) -> Result<Frames, ToolError> {
    if near <= Frames::ZERO || near >= reader.frames() {
        return Ok(near);
    }
    let reach = Frames(i64::from(reader.rate().0) / 200);
    let from = (near - reach).max(Frames::ZERO);
    let length = (near + reach + Frames(1)).min(reader.frames()) - from;
    let mut planes = vec![vec![0.0; length.index()]; reader.channels()];
    let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    reader.read(from, &mut out).map_err(ToolError::media)?;
    let heard: Vec<&[f32]> = planes.iter().map(Vec::as_slice).collect();
    let found = zero_crossing(&heard, (near - from).index(), reach.index());
    Ok(found.map_or(near, |index| from + Frames::from_index(index)))
}
