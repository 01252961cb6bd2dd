//! The plan: what is measured of each pair, and how the clip moves or is resampled.

use super::delay::{self, Alignment};
use super::place::{Correction, Line, correction};
use super::{By, transients};
use crate::made::{BLOCK, Changeover, Ready, stretch};
use crate::words::{names, trimmed};
use deskhand_dsp::Frames;
use deskhand_session::{Change, Clip, ClipId, ClipPlace, Edit, Finding, Measure, Read, Source};
use deskhand_toolkit::made::Order;
use deskhand_toolkit::{Code, Draft, PlanContext, ToolError};

/// Part of a made file's identity: change it when the samples would come out differently.
const ALGORITHM: u32 = 1;
/// The share of windows that must agree on one line.
const LEAST_AGREEMENT: f64 = 0.4;

/// The plan while it grows.
pub(super) struct Lining<'a> {
    plan: Changeover<'a>,
    by: By,
    most: Frames,
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
    pub(super) fn new(context: &'a PlanContext, by: By, most: Frames, least: f64) -> Self {
        let plan = Changeover::new(context);
        let (there, refused, moved) = (Vec::new(), Vec::new(), Vec::new());
        Self { plan, by, most, least, there, refused, moved }
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
        match correction {
            Correction { shift: Frames(0), line: None } => self.there.push(clip.name.clone()),
            Correction { shift, line: None } => self.shift(id, clip, shift, found),
            Correction { shift, line: Some(line) } => {
                self.resample(id, clip, shift, line, found)?;
            }
        }
        Ok(())
    }

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
        let mut second = |at: i64, count| Ok(mono(&stretch(b.as_mut(), at_b + Frames(at), count)?));
        // Farther than is allowed, so that what is refused can be told.
        let (length, most) = (pair.length.index(), self.most.index() * 2);
        match self.by {
            By::Waveform => delay::align(&mut first, &mut second, length, most),
            By::Transients => transients::align(&mut first, &mut second, length, most),
        }
    }

    fn find(&mut self, id: ClipId, pair: &Pair<'_>, found: Alignment) {
        let at_start = found.at((pair.clip.position - pair.from).0 as f64);
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
        let shift = found.at((pair.clip.position - pair.from).0 as f64);
        let rate = f64::from(self.plan.context.session.rate.0);
        let ms = |frames: f64| trimmed(frames * 1000.0 / rate, 1);
        if found.correlation.abs() < self.least || found.agreement < LEAST_AGREEMENT {
            let with = &pair.other.name;
            return Some(format!("has too little in common with \"{with}\": correlation {sure} %"));
        }
        (shift.abs() > self.most.0 as f64).then(|| {
            let most = ms(self.most.0 as f64);
            format!("is {} ms off, over the limit of {most} ms; correlation {sure} %", ms(shift))
        })
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
        self.plan.replace(id, &ready, &reason, |after| {
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
    pub(super) fn finish(mut self, alone: &[String]) -> Result<Draft, ToolError> {
        if self.moved.is_empty() && self.there.is_empty() {
            let message = self.refused.join("; ");
            let fix = "check that both record the same source at the same time; raise `max_shift_ms` or \
                       lower `min_correlation` where you are sure";
            return Err(ToolError::run(Code::Invalid, message, fix));
        }
        self.plan.draft.warnings.append(&mut self.refused);
        if !alone.is_empty() {
            let warning = format!("{}: no clip of the reference at that time", names(alone));
            self.plan.draft.warnings.push(warning);
        }
        self.plan.changed = self.moved;
        let nothing = format!("{} lined up already", names(&self.there));
        Ok(self.plan.finish(|clips| format!("Line up {clips}"), &nothing))
    }
}

/// What was measured, in words.
fn told(found: Alignment, shift: Frames, clip: &Clip) -> String {
    let late = if shift < Frames::ZERO { "early" } else { "late" };
    let frames = trimmed(found.at(0.0).abs(), 2);
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

fn mono(planes: &[Vec<f32>]) -> Vec<f32> {
    let mut sum = planes.first().cloned().unwrap_or_default();
    for plane in planes.iter().skip(1) {
        sum.iter_mut().zip(plane).for_each(|(sum, sample)| *sum += sample);
    }
    sum
}
