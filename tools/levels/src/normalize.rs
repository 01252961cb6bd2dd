//! `tool_normalize`: clips, tracks or the mix to a loudness, a peak or an RMS level.

mod fader_note;
mod peaks;
mod says;
mod take;
mod targets;

pub(crate) use targets::{ByTrack, Per};

use crate::feeding::{feeding, feeds};
use crate::gain::{Ceiling, Goal, Reach, gain_change, is_possible, tolerance};
use crate::mix_peak::{self, Peaks};
use deskhand_dsp::Decibels;
use deskhand_dsp::loudness::{Levels, LoudnessProfile};
use deskhand_session::Session;
use deskhand_session::offers::Menu;
use deskhand_session::text::{asked, difference_unit, level, names, subject, trimmed};
use deskhand_session::{Finding, Measure, ObjectId, Prediction, Read};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::{
    Category, Code, Draft, HostInputs, Offers, PlanContext, Targets, ToolError, ToolSpec, Trust,
    TypedTool,
};
use peaks::Over;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `tool_normalize`.
pub(crate) struct Normalize;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips or tracks; `mix` means the mix.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// Integrated loudness to reach, in LUFS (ITU-R BS.1770-5). Give exactly one `target_…`.
    #[schemars(range(min = -70.0, max = 0.0))]
    target_lufs: Option<f64>,
    /// True peak to reach, in dBTP.
    #[schemars(range(min = -100.0, max = 6.0))]
    target_dbtp: Option<f64>,
    /// Sample peak to reach, in dBFS.
    #[schemars(range(min = -100.0, max = 6.0))]
    target_dbfs: Option<f64>,
    /// Overall RMS to reach, in dBFS.
    #[schemars(range(min = -100.0, max = 0.0))]
    target_rms_dbfs: Option<f64>,
    /// The highest true peak, in dBTP; it lowers the gain if needed.
    #[schemars(range(min = -60.0, max = 6.0))]
    ceiling_dbtp: Option<f64>,
    /// The gain to change: each clip (the default), each track, or the mix.
    per: Option<Per>,
    /// One gain for all targets, which keeps their balance, as on an album.
    #[serde(default)]
    together: bool,
}

/// The call against the session.
pub(crate) struct Resolved {
    goal: Goal,
    ceiling: Option<Ceiling>,
    objects: Vec<ObjectId>,
    noun: &'static str,
    together: bool,
    /// What to know of the targets.
    note: Option<String>,
}

impl TypedTool for Normalize {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_normalize",
            "Normalize",
            "Brings clips (by clip gain), tracks (by fader) or the mix (by master gain) to an integrated \
             loudness, a true peak, a sample peak or an RMS level. Each target is measured with its own gain \
             and fades; pieces of one recording on a track are one. A true-peak ceiling lowers the gain; the \
             plan states how far the level misses. Silent targets are skipped and named.",
            Category::Level,
            Trust::Suggest,
            vec![
                json!({"targets": "Dialogue*", "target_lufs": -16.0, "ceiling_dbtp": -1.0}),
                json!({"targets": "mix", "target_lufs": -14.0, "per": "mix"}),
            ],
        )
        .on_the_whole()
        .core()
        .offers(offers())
        .says(says::all())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let goal = goal(&params)?;
        let (objects, noun) = targets::objects(&params.targets, params.per, session)?;
        Ok(Resolved {
            goal,
            ceiling: params.ceiling_dbtp.map(Ceiling),
            objects,
            noun,
            together: params.together,
            note: None,
        })
    }

    fn resolve_in_hosts(
        params: Params,
        session: &Session,
        inputs: &HostInputs,
    ) -> Result<Resolved, ToolError> {
        let ByTrack { targets, per, note } =
            ByTrack::of(params.targets, params.per, session, inputs);
        let resolved = Self::resolve(Params { targets, per, ..params }, session)?;
        Ok(Resolved { note, ..resolved })
    }

    fn targets(resolved: &Resolved) -> Vec<ObjectId> {
        resolved.objects.clone()
    }

    fn run(resolved: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut run = Run::new(&resolved, context);
        if resolved.together {
            run.together()?;
        } else {
            run.each()?;
        }
        let peaks = std::mem::take(&mut run.peaks);
        let mut draft = run.finish();
        draft.notes.extend(resolved.note);
        if resolved.noun != "mix" {
            mix_peak::tell(context, &mut draft, &peaks)?;
        }
        Ok(draft)
    }
}

/// Its entries in the menus of clips and tracks.
fn offers() -> Offers {
    let loudness = json!({"target_lufs": -16.0, "ceiling_dbtp": -1.0});
    let peak = json!({"target_dbtp": -1.0});
    let of_track = json!({"target_lufs": -16.0, "ceiling_dbtp": -1.0, "per": "track"});
    Offers::default()
        .entry(Menu::Clip, "Normalize to −16 LUFS", "", loudness)
        .entry(Menu::Clip, "Normalize the peak to −1 dBTP", "", peak)
        .entry(Menu::Track, "Normalize to −16 LUFS", "", of_track)
        .dial("target_lufs", "Loudness", "LUFS")
        .dial("target_dbtp", "True peak", "dBTP")
        .dial("ceiling_dbtp", "True peak at most", "dBTP")
}

/// The one level that is asked for.
fn goal(params: &Params) -> Result<Goal, ToolError> {
    let given = [
        (Measure::IntegratedLoudness, params.target_lufs),
        (Measure::TruePeak, params.target_dbtp),
        (Measure::SamplePeak, params.target_dbfs),
        (Measure::Rms, params.target_rms_dbfs),
    ];
    let mut given = given.into_iter().filter_map(|(m, value)| value.map(|value| (m, value)));
    match (given.next(), given.next()) {
        (Some((measure, value)), None) => Ok(Goal { measure, value }),
        (None, _) => Err(which_goal("no level to normalize to was given")),
        (Some(_), Some(_)) => Err(which_goal("more than one level to normalize to was given")),
    }
}

fn which_goal(message: &str) -> ToolError {
    let fix = "give exactly one of `target_lufs` (-16 for podcasts, -23 for broadcast), \
               `target_dbtp`, `target_dbfs` and `target_rms_dbfs`";
    ToolError::prepare(Code::BadParams, message, fix)
}

/// The plan while it grows.
struct Run<'a> {
    call: &'a Resolved,
    context: &'a PlanContext,
    /// The session with the gains planned so far.
    staged: Session,
    draft: Draft,
    /// Names of targets without a level.
    silent: Vec<String>,
    /// Names of targets that are as near to the level as can be.
    there: Vec<String>,
    /// Targets whose true peak comes over full scale.
    over: Vec<Over>,
    /// The true peak of each target with its gain.
    peaks: Peaks,
}

/// A target with its measurement.
struct Part {
    target: ObjectId,
    name: String,
    own: Decibels,
    profile: LoudnessProfile,
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
            over: Vec::new(),
            peaks: Peaks::new(),
        }
    }

    fn each(&mut self) -> Result<(), ToolError> {
        for take in take::each(&self.context.session, &self.call.objects) {
            let parts = take.into_iter().map(|index| self.measure(index));
            let parts = parts.collect::<Result<Vec<_>, _>>()?;
            let parts: Vec<Part> = parts.into_iter().flatten().collect();
            match &parts[..] {
                [] => {}
                [part] => match self.call.goal.gain(&part.profile, part.own, self.call.ceiling) {
                    Some(reach) => self.plan(part, reach),
                    None => self.silent.push(part.name.clone()),
                },
                pieces => self.take(pieces),
            }
        }
        Ok(())
    }

    fn together(&mut self) -> Result<(), ToolError> {
        let mut parts = Vec::new();
        for index in 0..self.call.objects.len() {
            parts.extend(self.measure(index)?);
        }
        let (fed, parts): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| self.is_fed(part.target));
        self.tell_fed(&fed);
        let whole = LoudnessProfile::together(parts.iter().map(|part| (&part.profile, part.own)));
        let reach =
            whole.and_then(|whole| self.call.goal.gain(&whole, Decibels::UNITY, self.call.ceiling));
        let Some(reach) = reach else {
            self.silent.extend(parts.into_iter().map(|part| part.name));
            return Ok(());
        };
        self.tell_miss("all together", reach);
        for part in &parts {
            if !is_possible(part.own + reach.after) {
                self.tell_impossible(part, part.own + reach.after);
                return Ok(());
            }
        }
        for part in &parts {
            self.plan_together(part, reach);
        }
        Ok(())
    }

    /// The profile of a target, once it is known to have any length.
    fn measure(&mut self, index: usize) -> Result<Option<Part>, ToolError> {
        let session = &self.context.session;
        let Some(target) = self.call.objects.get(index).copied() else {
            return Ok(None);
        };
        let name = session.name_of(target);
        self.context.step(index, self.call.objects.len(), &name)?;
        let own = session.gain_of(target);
        let profile = self.context.profile_in(&self.staged, target)?;
        self.keep_peak(target, &profile.levels(own));
        Ok(Some(Part { target, name, own, profile }))
    }

    fn keep_peak(&mut self, target: ObjectId, levels: &Levels) {
        self.peaks.insert(target, levels.true_peak.unwrap_or(Decibels(f64::NEG_INFINITY)));
    }

    /// Whether other targets play into this one.
    fn is_fed(&self, target: ObjectId) -> bool {
        let ObjectId::Track(bus) = target else { return false };
        let mut others = self.call.objects.iter();
        others.any(
            |other| matches!(other, ObjectId::Track(id) if feeds(&self.context.session, *id, bus)),
        )
    }

    /// Says of buses that one gain for all reaches them through their tracks.
    fn tell_fed(&mut self, fed: &[Part]) {
        if fed.is_empty() {
            return;
        }
        let called: Vec<_> = fed.iter().map(|part| part.name.clone()).collect();
        let warning =
            format!("{}: gets the gain of what plays into it; its fader stays", names(&called));
        self.draft.warnings.push(warning);
    }

    /// Plans the gain of one target on its own.
    fn plan(&mut self, part: &Part, reach: Reach) {
        self.find(part);
        self.tell_miss(&format!("\"{}\"", part.name), reach);
        if !is_possible(reach.after) {
            self.tell_impossible(part, reach.after);
        } else if reach.is_there() {
            self.there.push(part.name.clone());
        } else {
            let reason = self.reason(part, reach);
            self.change(part, reach.after, reason);
        }
    }

    /// Plans the common gain of one target among others.
    fn plan_together(&mut self, part: &Part, reach: Reach) {
        self.find(part);
        self.draft.reads.push(Read::audio(&self.context.session, part.target));
        if reach.is_there() {
            self.there.push(part.name.clone());
            return;
        }
        let goal = self.call.goal;
        let measured = reach.measured.map_or("nothing".into(), |now| level(goal.measure, now));
        let gain = trimmed(reach.after.0, 3);
        let reason = format!("measured {measured} all together; {gain} dB for each");
        self.change(part, (part.own + reach.after).rounded(), reason);
    }

    fn reason(&self, part: &Part, reach: Reach) -> String {
        let measure = self.call.goal.measure;
        let now = part.profile.levels(part.own);
        let mut reason = match reach.measured {
            Some(measured) => format!("measured {}", level(measure, measured)),
            None => format!("below the gate at {} dB", trimmed(part.own.0, 3)),
        };
        if let (true, Some(peak)) = (reach.is_held, now.true_peak) {
            reason += &format!(", true peak {}", level(Measure::TruePeak, peak.0));
        }
        reason
    }

    fn find(&mut self, part: &Part) {
        let levels = part.profile.levels(part.own);
        let mut add = |measure| {
            let value = level_of(&levels, measure);
            self.draft.findings.push(Finding::new(part.target, measure, value));
        };
        add(self.call.goal.measure);
        if self.call.ceiling.is_some() && self.call.goal.measure != Measure::TruePeak {
            add(Measure::TruePeak);
        }
    }

    /// Adds the change of a gain, the state it relies on, and its prediction.
    fn change(&mut self, part: &Part, after: Decibels, mut reason: String) {
        let session = &self.context.session;
        let Some(change) = gain_change(session, part.target, after) else {
            return;
        };
        let read = Read::audio(session, part.target);
        if !self.draft.reads.contains(&read) {
            self.draft.reads.push(read);
        }
        let mut from = match part.target {
            ObjectId::Track(id) => feeding(session, id, &self.draft.changes),
            _ => Vec::new(),
        };
        self.stage(part.target, after);
        let levels = part.profile.levels(after);
        self.keep_peak(part.target, &levels);
        let over = self.peaks_over(part, &levels);
        let mut measures = vec![self.call.goal.measure];
        if self.call.ceiling.is_some() || over.is_some() {
            measures.push(Measure::TruePeak);
        }
        measures.dedup();
        if let Some(over) = over {
            reason += &over.told();
            self.tell_over(part, over);
        }
        from.push(self.draft.change(change, part.name.clone(), reason));
        for measure in measures {
            let predicted = level_of(&levels, measure).map(|value| {
                let (value, from) = (rounded(value), from.clone());
                Prediction::now(part.target, measure, value, tolerance(measure), from)
            });
            self.draft.predicted.extend(predicted);
        }
    }

    /// Makes later measurements include the planned gain of a track.
    fn stage(&mut self, target: ObjectId, gain: Decibels) {
        if let ObjectId::Track(id) = target {
            self.staged.tracks.entry(id).and_modify(|track| track.gain = gain);
        }
    }

    /// Warns when the level is not reached.
    fn tell_miss(&mut self, who: &str, reach: Reach) {
        let Goal { measure, value } = self.call.goal;
        let miss = value - reach.predicted;
        if miss.abs() <= tolerance(measure) {
            return;
        }
        let why = match self.call.ceiling.filter(|_| reach.is_held) {
            Some(Ceiling(peak)) => format!("the ceiling of {}", asked(Measure::TruePeak, peak)),
            None => "the gate of the loudness measurement".into(),
        };
        let side = if miss > 0.0 { "below" } else { "above" };
        let (miss, unit) = (miss.abs(), difference_unit(measure));
        let reached = level(measure, reach.predicted);
        let goal = asked(measure, value);
        self.draft
            .warnings
            .push(format!("{who}: {why} holds it at {reached}, {miss:.1} {unit} {side} {goal}"));
    }

    fn tell_impossible(&mut self, part: &Part, gain: Decibels) {
        let gain = trimmed(gain.0, 1);
        let warning = if self.call.together {
            format!(
                "\"{}\" would need a gain of {gain} dB, so all were left as they are",
                part.name
            )
        } else {
            format!("\"{}\" would need a gain of {gain} dB and was passed over", part.name)
        };
        self.draft.warnings.push(warning);
    }

    fn finish(mut self) -> Draft {
        let goal = asked(self.call.goal.measure, self.call.goal.value);
        let noun = self.call.noun;
        self.draft.summary = if !self.draft.changes.is_empty() {
            let what = if noun == "mix" { "the mix".into() } else { self.draft.subject(noun) };
            let together = if self.call.together { " together" } else { "" };
            let ceiling = self.call.ceiling.map_or(String::new(), |ceiling| {
                format!(", true peak at most {}", asked(Measure::TruePeak, ceiling.0))
            });
            let ahead = fader_note::of_faders(&self.context.session, &self.draft);
            format!("Bring {what}{together} to {goal}{ceiling}{ahead}")
        } else if !self.there.is_empty() {
            format!(
                "Nothing to change: {} as near to {goal} as can be",
                is_there(noun, &self.there)
            )
        } else {
            format!("Nothing to change: no {noun} could be brought to {goal}")
        };
        if let Some(warning) = peaks::warning(self.over, noun == "mix") {
            self.draft.offers.push(peaks::hold(&warning));
            // First of all, because it is audible.
            self.draft.warnings.insert(0, warning);
        }
        if !self.silent.is_empty() {
            let who = names(&self.silent);
            let warning = format!("{who}: silent, below the gate or too short; passed over");
            self.draft.warnings.push(warning);
        }
        self.draft
    }
}

fn is_there(noun: &str, names: &[String]) -> String {
    match (noun, names.len()) {
        ("mix", _) => "the mix is".into(),
        (_, 1) => format!("{} is", subject(names, noun)),
        _ => format!("{} are", subject(names, noun)),
    }
}

/// Levels are promised to 0.01.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}

#[cfg(test)]
mod tests;
