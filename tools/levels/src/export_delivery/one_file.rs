//! One file of an export: written, decoded again and measured.

use super::call::{Bits, Resolved};
use super::encode::{Format, Job};
use super::error::ExportError;
use super::passes::{Encoded, Goal};
use super::report::{self, Report, tenth};
use super::sound::{AS_IT_IS, Measured, Sound};
use crate::match_loudness::profile_of_file;
use crate::targets::Delivery;
use deskhand_dsp::loudness::Levels;
use deskhand_dsp::{Decibels, FrameReader, SampleRate};
use deskhand_session::Session;
use deskhand_toolkit::{Code, PlanContext, ToolError};
use std::path::Path;

/// The share of the work on a file that its limiter takes.
const LIMITING: f64 = 0.4;

/// The part of a call's progress that one step has, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    from: f64,
    to: f64,
}

impl Share {
    pub(super) fn of(n: usize, all: usize) -> Self {
        let all = all.max(1) as f64;
        Self { from: n as f64 / all, to: (n + 1) as f64 / all }
    }

    pub(super) fn at(self, done: f64) -> f64 {
        self.from + (self.to - self.from) * done
    }

    fn part(self, from: f64, to: f64) -> Self {
        Self { from: self.at(from), to: self.at(to) }
    }
}

/// A failure to write names the file, and says that there is none.
pub(super) fn not_written(error: ExportError, path: &Path) -> ToolError {
    let error = ToolError::from(error);
    if error.code != Code::Write {
        return error;
    }
    let message = format!("{}: {}; no file was written", path.display(), error.message);
    ToolError { message, ..error }
}

/// Writes the file that will be `path` as `part`, and measures it.
pub(super) fn export(
    call: &Resolved,
    context: &PlanContext,
    (sound, share): (&Sound, Share),
    path: &Path,
    part: &Path,
) -> Result<Report, ToolError> {
    let limiting = if call.limit().is_some() { LIMITING } else { 0.0 };
    let report = |done| context.progress.report(share.at(done * limiting), "limiting");
    let sound = call.limited(sound, context, &report)?;
    let now = sound.measured(context, AS_IT_IS)?.levels;
    let rate = call.rate(context.session.rate);
    let goal = goal(call, &now);
    let work = Work { call, context, sound: &sound, rate, share: share.part(limiting, 1.0) };
    let tried = work.encode(&goal, plain_gain(call, &now), part);
    let tried = tried.map_err(|error| not_written(error, path))?;
    let best = goal.best(&tried).unwrap_or_default();
    let measured = tried.get(best).map(|kept| kept.measured).unwrap_or_default();
    let mut decoded = context.opener.open_at(part, rate).map_err(ToolError::media)?;
    let course = report::course(context, decoded.as_mut())?;
    // An encoder may have chosen another rate.
    let file = context.opener.open(part).map_err(ToolError::media)?;
    Ok(Report {
        notes: goal.notes(&tried, best, call.format.is_lossy()),
        course,
        ..summary(path, file.as_ref(), &measured, call, &context.session)
    })
}

/// The work on one file.
struct Work<'a> {
    call: &'a Resolved,
    context: &'a PlanContext,
    sound: &'a Sound,
    rate: SampleRate,
    share: Share,
}

impl<'a> Work<'a> {
    /// Encodes until no other gain is likely to be better; the best file stays at `part`.
    fn encode(
        &self,
        goal: &Goal,
        first: Decibels,
        part: &Path,
    ) -> Result<Vec<Encoded>, ExportError> {
        let again =
            part.with_file_name("again").with_extension(part.extension().unwrap_or_default());
        let (mut gain, mut tried) = (Some(first), Vec::new());
        while let Some(now) = gain {
            let sound = self.sound.open(self.context, self.rate);
            let mut sound = sound.map_err(ToolError::media)?;
            self.job(now, tried.len()).write(sound.as_mut(), &again)?;
            let profile = profile_of_file(&again, self.context)?;
            tried.push(Encoded { gain: now, measured: Measured::of(&profile, Decibels::UNITY) });
            if goal.best(&tried) == Some(tried.len() - 1) {
                std::fs::rename(&again, part)?;
            }
            gain = goal.next(&tried);
        }
        Ok(tried)
    }

    fn job(&self, gain: Decibels, pass: usize) -> Job<'a> {
        let params = &self.call.params;
        let bits = match (params.bits, params.delivery) {
            (Some(Bits::B16), _) | (None, Some(Delivery::Cd)) => 16,
            (Some(Bits::B24) | None, _) => 24,
        };
        let usual = if self.call.format == Format::Opus { 128 } else { 192 };
        // Each pass takes half of the remaining progress, since their number is unknown.
        let left = |pass: usize| 1.0 - 0.5f64.powi(pass as i32);
        let Share { from, to } = self.share.part(left(pass), left(pass + 1));
        Job {
            context: self.context,
            format: self.call.format,
            bits,
            kbps: params.kbps.unwrap_or(usual),
            gain: gain.amplitude() as f32,
            done: (from, to),
            tags: &params.tags,
            chapters: self.call.chapters(&self.context.session),
        }
    }
}

/// What the file is to be like once it is decoded: the target where it is adjusted to that, else the mix. Where it is
/// adjusted, the ceiling comes first: a file that is a little quieter is in order, one whose peaks are over is not.
fn goal(call: &Resolved, now: &Levels) -> Goal {
    let delivery = call.params.delivery;
    let is_lossy = call.format.is_lossy();
    let target = delivery.filter(|_| call.params.adjust);
    let measure: fn(&Levels) -> Option<f64> = match target.is_some_and(Delivery::is_rms) {
        true => |levels| levels.rms.map(|level| level.0),
        false => |levels| levels.integrated.map(|level| level.0),
    };
    Goal {
        loudness: measure(now).map(|level| target.map_or(level, Delivery::level)),
        measure,
        of: if target.is_some() { "the target" } else { "the mix" },
        ceiling: delivery.map(Delivery::ceiling).or(is_lossy.then_some(report::LOSSY_CEILING)),
        may_lower: target.is_some(),
        peak: now.sample_peak.map_or(f64::MIN, |peak| peak.0),
    }
}

/// The one gain that brings the mix to its target, no further than its highest peak allows.
pub(super) fn plain_gain(call: &Resolved, now: &Levels) -> Decibels {
    let Some(delivery) = call.params.delivery.filter(|_| call.params.adjust) else {
        return Decibels::UNITY;
    };
    let wanted = delivery.measured(now).map_or(0.0, |level| delivery.level() - level);
    let room = now.true_peak.map_or(f64::MAX, |peak| delivery.ceiling() - peak.0);
    Decibels(wanted.min(room))
}

fn summary(
    path: &Path,
    file: &dyn FrameReader,
    measured: &Measured,
    call: &Resolved,
    session: &Session,
) -> Report {
    let levels = &measured.levels;
    let length = call.range.end - call.range.start;
    let decibels = |level: Option<Decibels>| level.map(|level| tenth(level.0));
    Report {
        format: "deskhand.delivery/1",
        file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        duration_s: (length.seconds(session.rate).0 * 100.0).round() / 100.0,
        sample_rate: file.rate().0,
        channels: file.channels(),
        integrated_lufs: levels.integrated.map(|level| tenth(level.0)),
        range_lu: levels.range_lu.map(tenth),
        max_momentary_lufs: levels.max_momentary.map(|level| tenth(level.0)),
        max_short_term_lufs: levels.max_short_term.map(|level| tenth(level.0)),
        true_peak_dbtp: decibels(levels.true_peak),
        sample_peak_dbfs: decibels(levels.sample_peak),
        rms_dbfs: decibels(levels.rms),
        noise_floor_dbfs: measured.floor.map(tenth),
        checks: report::checks(measured, call.params.delivery, call.format.is_lossy()),
        notes: Vec::new(),
        chapters: call.chapters(session),
        course: report::Course::default(),
    }
}
