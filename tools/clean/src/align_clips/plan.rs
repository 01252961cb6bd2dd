//! The plan: what is measured of each pair, and how the clip moves or is resampled.

use super::delay::{self, Alignment};
use super::place::{Correction, Line, correction};
use super::{By, search, transients};
use crate::processed_clips::{Changeover, Ready};
use deskhand_dsp::Frames;
use deskhand_dsp::correlation::{ReadMono, mono};
use deskhand_session::text::{names, trimmed};
use deskhand_session::{Change, Clip, ClipId, ClipPlace, Edit, Finding, Measure, Read, Source};
use deskhand_toolkit::audio::{BLOCK, stretch};
use deskhand_toolkit::generated_audio::Order;
use deskhand_toolkit::{Code, Draft, PlanContext, ToolError};

/// Part of a made file's identity: change it when the samples would come out differently.
const ALGORITHM: u32 = 1;
/// The share of windows that must agree on one line.
const LEAST_AGREEMENT: f64 = 0.4;

/// How far microphones on one source are apart, in ms: there clips are looked for first.
const USUAL_MS: f64 = 50.0;
/// What clips must share where they were looked for over minutes, in s; shorter ones half of their length.
const LEAST_SHARED_S: i64 = 3;
/// How alike they must be there, by what sounds and by where levels rise: over minutes chance finds more.
const LEAST_FAR: f64 = 0.25;
const LEAST_FAR_RISES: f64 = 0.5;

/// The plan while it grows.
pub(super) struct Lining<'a> {
    plan: Changeover<'a>,
    by: By,
    /// The farthest that a clip may go; none: as far as it takes.
    most: Option<Frames>,
    /// How far microphones on one source are apart.
    usual: Frames,
    least: f64,
    there: Vec<String>,
    refused: Vec<String>,
    moved: Vec<String>,
}

/// Two clips over the time in which both sound.
struct Pair<'a> {
    clip: &'a Clip,
    other: &'a Clip,
    from: Frames,
    length: Frames,
}

impl<'a> Lining<'a> {
    pub(super) fn new(context: &'a PlanContext, by: By, most: Option<Frames>, least: f64) -> Self {
        let plan = Changeover::new(context);
        let usual = deskhand_toolkit::find::millis(USUAL_MS, context.session.rate);
        let (there, refused, moved) = (Vec::new(), Vec::new(), Vec::new());
        Self { plan, by, most, usual, least, there, refused, moved }
    }

    /// Measures one pair and plans its correction.
    pub(super) fn line_up(&mut self, id: ClipId, reference: ClipId) -> Result<(), ToolError> {
        let session = &self.plan.context.session;
        let (Some(clip), Some(other)) = (session.clips.get(&id), session.clips.get(&reference))
        else {
            return Ok(());
        };
        let from = clip.position.max(other.position);
        let pair = Pair { clip, other, from, length: clip.end().min(other.end()) - from };
        let Some(found) = self.measure(&pair)? else {
            self.refused.push(format!("\"{}\" is silent or too short to compare", clip.name));
            return Ok(());
        };
        let correction = correction(clip, from, found);
        self.find(id, &pair, found);
        if let Some(why) = self.refusal(found, &pair) {
            self.refused.push(format!("\"{}\" {why}", clip.name));
            return Ok(());
        }
        self.plan.draft.reads.push(Read::audio(session, reference));
        self.tell_far(found, &pair);
        match correction {
            Correction { shift: Frames(0), line: None } => self.there.push(clip.name.clone()),
            Correction { shift, line: None } => self.shift(id, clip, shift, found),
            Correction { shift, line: Some(line) } => {
                self.resample(id, clip, shift, line, found)?;
            }
        }
        Ok(())
    }

    /// The alignment where the clips lie, and else wherever they belong together.
    fn measure(&self, pair: &Pair<'_>) -> Result<Option<Alignment>, ToolError> {
        let context = self.plan.context;
        let open = |clip: &Clip| {
            context.audio.source(&context.session, clip.source).map_err(ToolError::media)
        };
        let (mut a, mut b) = (open(pair.other)?, open(pair.clip)?);
        let place = |clip: &Clip| pair.from - clip.position + clip.start;
        let (at_a, at_b) = (place(pair.other), place(pair.clip));
        let mut first = |at: i64, count| {
            context.check()?;
            Ok(mono(&stretch(a.as_mut(), at_a + Frames(at), count)?))
        };
        let sign = pair.other.polarity.sign() * pair.clip.polarity.sign();
        let mut second = |at: i64, count| {
            let mut samples = mono(&stretch(b.as_mut(), at_b + Frames(at), count)?);
            samples.iter_mut().for_each(|sample| *sample *= sign as f32);
            Ok(samples)
        };
        // Farther than is allowed, so that what is refused can be told.
        let most = self.most.unwrap_or(self.usual).index() * 2;
        let found = self.compare(&mut first, &mut second, pair.length.index(), most)?;
        if found.is_some_and(|found| self.is_sure(found)) {
            return Ok(found);
        }
        Ok(self.search(&mut first, &mut second, pair)?.or(found))
    }

    fn compare(
        &self,
        first: &mut ReadMono<'_, ToolError>,
        second: &mut ReadMono<'_, ToolError>,
        length: usize,
        most: usize,
    ) -> Result<Option<Alignment>, ToolError> {
        match self.by {
            By::Waveform => delay::align(first, second, length, most),
            By::Transients => transients::align(first, second, length, most),
        }
    }

    /// Looks for minutes around where the clips lie.
    fn search(
        &self,
        first: &mut ReadMono<'_, ToolError>,
        second: &mut ReadMono<'_, ToolError>,
        pair: &Pair<'_>,
    ) -> Result<Option<Alignment>, ToolError> {
        let range = |clip: &Clip| (clip.position - pair.from).0..(clip.end() - pair.from).0;
        let (of_a, of_b) = (range(pair.other), range(pair.clip));
        let rate = self.plan.context.session.rate.0 as usize;
        let found = search::candidates(
            &mut search::Recording { read: &mut *first, range: of_a.clone() },
            &mut search::Recording { read: &mut *second, range: of_b.clone() },
            self.by,
            rate,
        )?;
        let shorter = (of_a.end - of_a.start).min(of_b.end - of_b.start);
        let least = (shorter / 2).min(LEAST_SHARED_S * rate as i64);
        let mut best: Option<Alignment> = None;
        for late in found {
            let (from, to) = (of_a.start.max(of_b.start - late), of_a.end.min(of_b.end - late));
            if to - from < least {
                continue;
            }
            let mut a = |at: i64, count| first(from + at, count);
            let mut b = |at: i64, count| second(from + late + at, count);
            let length = (to - from) as usize;
            let found = self.compare(&mut a, &mut b, length, self.usual.index())?;
            let found = found.map(|found| found.from(from, late));
            let better = |found: &Alignment| {
                let least = if self.by == By::Waveform { LEAST_FAR } else { LEAST_FAR_RISES };
                self.is_sure(*found)
                    && found.correlation.abs() >= least
                    && best.is_none_or(|best| best.correlation.abs() < found.correlation.abs())
            };
            best = found.filter(better).or(best);
        }
        Ok(best)
    }

    /// Whether the recordings have enough in common.
    fn is_sure(&self, found: Alignment) -> bool {
        found.correlation.abs() >= self.least && found.agreement >= LEAST_AGREEMENT
    }

    fn find(&mut self, id: ClipId, pair: &Pair<'_>, found: Alignment) {
        let at_start = shift_of(found, pair);
        let findings = &mut self.plan.draft.findings;
        findings.push(Finding::new(id, Measure::Delay, Some(at_start)));
        findings.push(Finding::new(id, Measure::Correlation, Some(found.correlation * 100.0)));
        if found.drift != 0.0 {
            findings.push(Finding::new(id, Measure::ClockDrift, Some(found.drift * 1e6)));
        }
    }

    /// Why an alignment is not used.
    fn refusal(&self, found: Alignment, pair: &Pair<'_>) -> Option<String> {
        let sure = trimmed(found.correlation * 100.0, 0);
        if !self.is_sure(found) {
            let with = &pair.other.name;
            return Some(format!("has too little in common with \"{with}\": correlation {sure} %"));
        }
        let most = self.most.filter(|most| shift_of(found, pair).abs() > most.0 as f64)?;
        let polarity = if found.correlation < 0.0 { ", polarity inverted" } else { "" };
        Some(format!(
            "is {}, over the limit of {}; correlation {sure} %{polarity}",
            self.off(found, pair),
            time(most.0 as f64 / f64::from(self.plan.context.session.rate.0))
        ))
    }

    /// "321.7 ms late".
    fn off(&self, found: Alignment, pair: &Pair<'_>) -> String {
        let shift = shift_of(found, pair);
        let late = if shift < 0.0 { "early" } else { "late" };
        format!("{} {late}", time(shift.abs() / f64::from(self.plan.context.session.rate.0)))
    }

    /// Says of a clip that it goes far, so that a person looks whether it is of the same take.
    fn tell_far(&mut self, found: Alignment, pair: &Pair<'_>) {
        if self.most.is_none() && shift_of(found, pair).abs() > self.usual.0 as f64 {
            let polarity =
                if found.correlation < 0.0 { " and its polarity is inverted" } else { "" };
            let (name, off) = (&pair.clip.name, self.off(found, pair));
            let told = format!("\"{name}\" is {off}{polarity}: check that it is the same take");
            self.plan.draft.warnings.push(told);
        }
    }

    fn shift(&mut self, id: ClipId, clip: &Clip, shift: Frames, found: Alignment) {
        let position = clip.position - shift;
        let session = &self.plan.context.session;
        let (change, reason) = if position < Frames::ZERO {
            let cut = cut_at_zero(&Clip { position, ..clip.clone() });
            let edit = Edit { target: id, before: clip.window(), after: cut.window() };
            (Change::TrimClip(edit), format!("{}; starts at 0", told(found, shift, clip)))
        } else {
            let after = ClipPlace { position, ..clip.place() };
            let edit = Edit { target: id, before: clip.place(), after };
            (Change::MoveClip(edit), told(found, shift, clip))
        };
        self.plan.draft.reads.push(Read::audio(session, id));
        self.plan.draft.change(change, clip.name.clone(), reason);
        self.moved.push(clip.name.clone());
    }

    fn resample(
        &mut self,
        id: ClipId,
        clip: &Clip,
        shift: Frames,
        line: Line,
        found: Alignment,
    ) -> Result<(), ToolError> {
        let context = self.plan.context;
        let Some(source) = context.session.sources.get(&clip.source) else {
            return Ok(());
        };
        let reason = told(found, shift, clip);
        let ready = self.write(clip, source, line, &reason)?;
        self.plan.replace(id, &ready, ("aligned", &reason), |after| {
            after.position = clip.position - shift;
            after.length = after.length.min(ready.source.frames - after.start).max(Frames(1));
            for point in &mut after.envelope {
                point.position = line.place_of(point.position);
            }
            *after = cut_at_zero(after);
        })?;
        self.moved.push(clip.name.clone());
        Ok(())
    }

    fn write(
        &mut self,
        clip: &Clip,
        source: &Source,
        line: Line,
        reason: &str,
    ) -> Result<Ready, ToolError> {
        let context = self.plan.context;
        let reader = context.audio.source(&context.session, clip.source);
        let mut reader = reader.map_err(ToolError::media)?;
        let name = format!("{}, aligned", source.name);
        let order = Order { step: "align", name: &name, of: source, channels: reader.channels() };
        let key = (ALGORITHM, format!("{:.3} {:.9} {}", line.first, line.step, line.sign));
        self.plan.make(order, &key, reason, |write| {
            let length = line.length(reader.frames());
            let mut at = Frames::ZERO;
            while at < length {
                context.check()?;
                let count = BLOCK.min((length - at).index());
                let planes = line.read(reader.as_mut(), at, count)?;
                write(&planes.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
                at += Frames::from_index(count);
            }
            Ok(())
        })
    }

    /// The plan; an error when all was refused.
    pub(super) fn finish(mut self) -> Result<Draft, ToolError> {
        if self.moved.is_empty() && self.there.is_empty() {
            let message = self.refused.join("; ");
            let fix = "check that both record the same source; raise `max_shift_ms` or lower `min_correlation` where \
                       you are sure";
            return Err(ToolError::run(Code::Invalid, message, fix));
        }
        self.plan.draft.warnings.append(&mut self.refused);
        self.plan.changed = self.moved;
        let nothing = format!("{} lined up already", names(&self.there));
        Ok(self.plan.finish(|clips| format!("Line up {clips}"), &nothing))
    }
}

/// How far the clip must move to the left, in frames.
fn shift_of(found: Alignment, pair: &Pair<'_>) -> f64 {
    found.shift((pair.clip.position - pair.from).0 as f64)
}

/// Seconds for people: "321.7 ms", from 10 s on "12.35 s".
fn time(seconds: f64) -> String {
    match seconds < 10.0 {
        true => format!("{} ms", trimmed(seconds * 1000.0, 1)),
        false => format!("{} s", trimmed(seconds, 2)),
    }
}

/// What was measured, in words.
fn told(found: Alignment, shift: Frames, clip: &Clip) -> String {
    let late = if shift < Frames::ZERO { "early" } else { "late" };
    let frames = trimmed(found.delay.abs(), 2);
    let mut told =
        format!("{frames} frames {late}, correlation {:.0} %", found.correlation * 100.0);
    if found.drift.abs() * clip.length.0 as f64 >= 0.1 {
        told += &format!(", clock {} ppm off", trimmed(found.drift * 1e6, 1));
    }
    if found.correlation < 0.0 {
        told += ", polarity inverted";
    }
    told
}

/// A clip that would begin ahead of the timeline loses what is there.
fn cut_at_zero(clip: &Clip) -> Clip {
    let cut = Frames((-clip.position.0).max(0)).min(clip.length - Frames(1));
    Clip {
        start: clip.start + cut,
        length: clip.length - cut,
        position: (clip.position + cut).max(Frames::ZERO),
        ..clip.clone()
    }
}
