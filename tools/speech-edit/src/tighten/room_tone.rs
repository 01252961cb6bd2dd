//! Room tone: a quiet stretch of a recording that fills the place of a cut.

use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::{Fade, FadeCurve, Frames, SampleRate};
use deskhand_session::{Clip, SourceId, Word};
use deskhand_toolkit::audio::stretch;
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeMap;
use std::ops::Range;

/// How long a stretch is looked for, the longest first, in 10 ms.
const LENGTHS: [usize; 3] = [100, 50, 25];

/// The quietest stretch of each source.
#[derive(Default)]
pub(super) struct Rooms {
    known: BTreeMap<SourceId, Option<Range<Frames>>>,
}

impl Rooms {
    /// The most even and quiet stretch of a source without speech; `None` if somebody speaks throughout, or
    /// if it is silent to the last bit.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    pub(super) fn tone(
        &mut self,
        context: &PlanContext,
        source: SourceId,
    ) -> Result<Option<Range<Frames>>, ToolError> {
        if let Some(known) = self.known.get(&source) {
            return Ok(known.clone());
        }
        let session = &context.session;
        let envelope = context.envelope(source.into())?;
        let segments = session.transcript_of(source);
        let words: Vec<&Word> = segments.iter().flat_map(|(_, segment)| &segment.words).collect();
        let found = quietest(&envelope, &words, session.rate);
        let found = match found {
            Some(range) if !is_nothing(context, source, &range)? => Some(range),
            Some(_) | None => None,
        };
        self.known.insert(source, found.clone());
        Ok(found)
    }
}

/// Whether a stretch has no sound at all, but perhaps a DC offset.
fn is_nothing(
    context: &PlanContext,
    source: SourceId,
    range: &Range<Frames>,
) -> Result<bool, ToolError> {
    let reader = context.audio.source(&context.session, source);
    let mut reader = reader.map_err(ToolError::media)?;
    let planes = stretch(reader.as_mut(), range.start, (range.end - range.start).index())?;
    Ok(planes.iter().all(|plane| plane.windows(2).all(|pair| pair[0] == pair[1])))
}

/// The stretch whose loudest 10 ms is the softest, free of words and of digital silence.
fn quietest(envelope: &Envelope, words: &[&Word], rate: SampleRate) -> Option<Range<Frames>> {
    let hop = |at: Frames| (at.seconds(rate).0 * 100.0).floor().max(0.0) as usize;
    let mut energies: Vec<f32> = envelope.energies().to_vec();
    for word in words {
        let end = (hop(word.end) + 1).min(energies.len());
        if let Some(spoken) = energies.get_mut(hop(word.start).min(end)..end) {
            spoken.fill(f32::MAX);
        }
    }
    for energy in energies.iter_mut().filter(|energy| **energy <= 0.0) {
        *energy = f32::MAX;
    }
    LENGTHS.into_iter().find_map(|length| {
        let loudest = |part: &[f32]| part.iter().copied().fold(0.0, f32::max);
        let windows = energies.windows(length).enumerate().map(|(at, part)| (loudest(part), at));
        let (level, at) = windows.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (level < f32::MAX).then(|| envelope.hop_start(at)..envelope.hop_start(at + length))
    })
}

/// Clips of room tone over a range of the timeline, otherwise like `clip`. They have equal lengths, and
/// each overlaps the next by a crossfade. Empty if the tone is too short for that.
pub(super) fn tiles(
    clip: &Clip,
    over: &Range<Frames>,
    tone: &Range<Frames>,
    fade: Frames,
) -> Vec<Clip> {
    let (whole, step) = ((over.end - over.start).0, (tone.end - tone.start - fade).0);
    if step <= fade.0 || whole <= fade.0 {
        return Vec::new();
    }
    let count = ((whole - fade.0 + step - 1) / step).max(1);
    let at = |n: i64| Frames((whole - fade.0) * n / count);
    let edge = Fade { length: fade, curve: FadeCurve::EqualPower };
    let tile = |n: i64| {
        let (position, length) = (over.start + at(n), at(n + 1) - at(n) + fade);
        let edge = Fade { length: fade.min(Frames(length.0 / 2)), ..edge };
        Clip {
            start: tone.start,
            length,
            position,
            fade_in: edge,
            fade_out: edge,
            envelope: Vec::new(),
            ..clip.clone()
        }
    };
    (0..count).map(tile).collect()
}
