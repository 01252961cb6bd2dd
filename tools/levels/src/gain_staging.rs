//! `tool_gain_stage`: tracks and buses to a working level by their faders.

#[cfg(test)]
mod tests;

use crate::feeding::{feeders_first, feeding, is_bus};
use crate::gain::{Goal, Reach, gain_change, is_possible, tolerance};
use crate::mix_peak::{self, OVER};
use deskhand_dsp::Decibels;
use deskhand_dsp::loudness::{Levels, LoudnessProfile};
use deskhand_session::intent::{Intent, Kinds, Slot, Unit};
use deskhand_session::text::{asked, level, names, subject, trimmed};
use deskhand_session::{Finding, Measure, ObjectId, Prediction, Read, Session, TrackId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `tool_gain_stage`.
pub(crate) struct GainStage;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The tracks and buses.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// RMS of the active parts to reach, in dBFS; -18 without any `target_…`. Give at most one.
    #[schemars(range(min = -60.0, max = 0.0))]
    target_rms_dbfs: Option<f64>,
    /// Integrated loudness to reach, in LUFS (ITU-R BS.1770-5).
    #[schemars(range(min = -60.0, max = 0.0))]
    target_lufs: Option<f64>,
    /// Sample peak to reach, in dBFS: -6 leaves 6 dB of headroom.
    #[schemars(range(min = -60.0, max = 0.0))]
    target_peak_dbfs: Option<f64>,
}

/// How people ask for it: a level is RMS unless peaks are named.
fn says() -> [Intent; 1] {
    let level = |param: &str| Slot::of(param).unit(Unit::Dbfs).unit(Unit::Db).bare(-60.0, 0.0);
    let level_of_peaks = level("target_peak_dbfs").nouns("peak | sample peak");
    let rms = level("target_rms_dbfs").unit(Unit::Rms).preps("- | to | at | with");
    let loudness = Slot::of("target_lufs").preps("- | to | at");
    [Intent::verbs("stage").also("gain")].map(|it| {
        let it = it.slot(level_of_peaks.clone()).slot(loudness.clone()).slot(rms.clone());
        it.also("rms | level").or_everything().on(Kinds::Tracks)
    })
}

/// The call against the session.
pub(crate) struct Resolved {
    goal: Goal,
    tracks: Vec<TrackId>,
}

/// The working level of analog-minded mixing: 0 VU.
const WORKING_LEVEL: Goal = Goal { measure: Measure::ActiveRms, value: -18.0 };

impl TypedTool for GainStage {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_gain_stage",
            "Gain staging",
            "Brings tracks and buses to a working level by their faders; clip gains stay. The default is -18 \
             dBFS RMS of the active parts, without silence and bleed more than 15.9 dB below the rest. Or give \
             an integrated loudness or a peak. Buses are set after their inputs. Levels are read after the pan \
             law: RMS and peaks of a centered mono track are 3 dB below its file, its loudness is the same. \
             Reports the resulting headroom of buses and the mix.",
            Category::Level,
            Trust::Suggest,
            vec![json!({"targets": "all"}), json!({"targets": "Music*", "target_lufs": -23.0})],
        )
        .on_the_whole()
        .core()
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let given = [
            (Measure::ActiveRms, params.target_rms_dbfs),
            (Measure::IntegratedLoudness, params.target_lufs),
            (Measure::SamplePeak, params.target_peak_dbfs),
        ];
        let mut given = given.into_iter().filter_map(|(m, value)| value.map(|value| (m, value)));
        let goal = match (given.next(), given.next()) {
            (None, _) => WORKING_LEVEL,
            (Some((measure, value)), None) => Goal { measure, value },
            (Some(_), Some(_)) => {
                let message = "more than one working level was given";
                let fix =
                    "give one of `target_rms_dbfs`, `target_lufs` and `target_peak_dbfs`, or none";
                return Err(ToolError::prepare(Code::BadParams, message, fix));
            }
        };
        let mut tracks = params.targets.tracks(session)?;
        feeders_first(session, &mut tracks);
        Ok(Resolved { goal, tracks })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.tracks.iter().map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut run = Run::new(&call, context);
        for (index, id) in call.tracks.iter().enumerate() {
            let name = context.session.name_of((*id).into());
            context.step(index, call.tracks.len() + 1, &name)?;
            run.stage(*id, name)?;
        }
        context.step(call.tracks.len(), call.tracks.len() + 1, "the mix")?;
        run.headroom()?;
        Ok(run.finish())
    }
}

/// The plan while it grows.
struct Run<'a> {
    call: &'a Resolved,
    context: &'a PlanContext,
    /// The session with the gains planned so far.
    staged: Session,
    draft: Draft,
    silent: Vec<String>,
    /// Names of tracks that are at the level already.
    there: Vec<String>,
    /// What the mix peaks at in the end.
    peak: Option<f64>,
    /// The warning if the plan takes it over full scale.
    over: Option<String>,
}

impl<'a> Run<'a> {
    fn new(call: &'a Resolved, context: &'a PlanContext) -> Self {
        Self {
            call,
            context,
            staged: Session::clone(&context.session),
            draft: Draft::default(),
            silent: Vec::new(),
            there: Vec::new(),
            peak: None,
            over: None,
        }
    }

    /// Plans the fader of one track.
    fn stage(&mut self, id: TrackId, name: String) -> Result<(), ToolError> {
        // Before its fader, with the gains planned so far.
        let profile = self.context.profile_in(&self.staged, id.into())?;
        let own = self.staged.tracks.get(&id).map_or(Decibels::UNITY, |track| track.gain);
        let Goal { measure, .. } = self.call.goal;
        let reach = self.call.goal.gain(&profile, own, None);
        self.draft.findings.push(Finding::new(id, measure, reach.and_then(|reach| reach.measured)));
        match reach {
            None => self.silent.push(name),
            Some(reach) if !is_possible(reach.after) => {
                let gain = trimmed(reach.after.0, 1);
                let warning =
                    format!("\"{name}\" would need a gain of {gain} dB and was passed over");
                self.draft.warnings.push(warning);
            }
            Some(reach) if reach.is_there() => self.there.push(name),
            Some(reach) => self.change(id, name, &profile, reach),
        }
        Ok(())
    }

    fn change(&mut self, id: TrackId, name: String, profile: &LoudnessProfile, reach: Reach) {
        let Some(change) = gain_change(&self.context.session, id.into(), reach.after) else {
            return;
        };
        let measure = self.call.goal.measure;
        let mut from = feeding(&self.staged, id, &self.draft.changes);
        // A bus cannot be measured yet with the planned faders before it.
        let how = if from.is_empty() { "measured" } else { "with its tracks as planned" };
        let now = reach.measured.map_or("below the gate".into(), |now| {
            format!("{how} {} {}", level(measure, now), measure.title())
        });
        self.staged.tracks.entry(id).and_modify(|track| track.gain = reach.after);
        self.draft.reads.push(Read::audio(&self.context.session, id));
        let own = self.draft.change(change, name, now);
        from.push(own);
        let levels = profile.levels(reach.after);
        self.promise(id.into(), measure, &levels, &from);
        if is_bus(&self.context.session, id) {
            self.promise(id.into(), Measure::TruePeak, &levels, &from);
        }
    }

    fn promise(&mut self, target: ObjectId, measure: Measure, levels: &Levels, from: &[String]) {
        let value = level_of(levels, measure).map(|value| (value * 100.0).round() / 100.0 + 0.0);
        self.draft.predicted.extend(value.map(|value| {
            Prediction::now(target, measure, value, tolerance(measure), from.to_vec())
        }));
    }

    /// Measures the peaks that buses which stay will have, and the mix where it is heard.
    fn headroom(&mut self) -> Result<(), ToolError> {
        let session = &self.context.session;
        let buses = session.tracks_in_order().map(|(id, _)| id).filter(|id| is_bus(session, *id));
        for bus in buses.collect::<Vec<_>>() {
            let from = feeding(session, bus, &self.draft.changes);
            if from.is_empty() || self.is_planned(bus) {
                continue;
            }
            let levels = self.context.measure(&self.staged, bus.into())?.levels(Decibels::UNITY);
            self.promise(bus.into(), Measure::TruePeak, &levels, &from);
        }
        if self.context.mix_is_heard { self.mix() } else { Ok(()) }
    }

    /// Measures what the mix will be.
    fn mix(&mut self) -> Result<(), ToolError> {
        let session = &self.context.session;
        let mix = ObjectId::from(session.id);
        if self.draft.changes.is_empty() {
            let levels = self.context.levels(mix)?;
            self.peak = level_of(&levels, Measure::TruePeak);
            self.draft.findings.push(Finding::new(mix, Measure::TruePeak, self.peak));
            return Ok(());
        }
        let levels = self.context.measure(&self.staged, mix)?.levels(Decibels::UNITY);
        self.peak = level_of(&levels, Measure::TruePeak);
        if self.peak.is_some_and(|peak| peak >= OVER) {
            self.over = mix_peak::warning(&self.context.levels(mix)?, &levels);
        }
        let from: Vec<String> = self.draft.changes.iter().map(|c| c.id.clone()).collect();
        self.draft.reads.push(Read::audio(session, mix));
        for measure in [Measure::IntegratedLoudness, Measure::TruePeak] {
            self.promise(mix, measure, &levels, &from);
        }
        Ok(())
    }

    fn is_planned(&self, id: TrackId) -> bool {
        self.draft.changes.iter().any(|c| c.change.target() == id.into())
    }

    fn finish(mut self) -> Draft {
        let goal = asked(self.call.goal.measure, self.call.goal.value);
        let what = self.call.goal.measure.title();
        let is_empty = self.draft.changes.is_empty();
        let mut summary = match (is_empty, self.there.is_empty()) {
            (true, true) => {
                format!("Nothing to change: no track could be brought to {goal} {what}")
            }
            (true, false) => format!(
                "Nothing to change: {} at {goal} {what} already",
                subject(&self.there, "track")
            ),
            (false, _) => format!("Bring {} to {goal} {what}", self.draft.subject("track")),
        };
        if let Some(peak) = self.peak.filter(|_| !is_empty) {
            summary += &format!("; the mix will peak at {}", level(Measure::TruePeak, peak));
        }
        if let Some(over) = self.peak.filter(|peak| *peak >= OVER) {
            let still = || format!("the mix is {over:.1} dB over full scale, which clips");
            let warning = self.over.take().unwrap_or_else(still);
            mix_peak::warn(&self.context.session, &mut self.draft, warning, over);
        }
        if !self.silent.is_empty() {
            let warning = format!("{}: no active parts; passed over", names(&self.silent));
            self.draft.warnings.push(warning);
        }
        self.draft.summary = summary;
        self.draft
    }
}
