//! True peaks over full scale. A target level does not cover them.

use super::{Part, Run};
use crate::gain::{Ceiling, Goal};
use crate::mix_peak::{OFFERED, OVER};
use deskhand_dsp::Decibels;
use deskhand_dsp::loudness::{Levels, LoudnessProfile};
use deskhand_session::text::{asked, level, names};
use deskhand_session::{Finding, Measure, PlanOffer};
use deskhand_toolkit::levels::level_of;
use serde_json::json;

/// A target whose true peak comes over full scale.
pub(super) struct Over {
    name: String,
    /// The peak, dBTP.
    peak: f64,
    /// Its level under the suggested ceiling, with the unit; `None` if all share one gain.
    held: Option<String>,
}

impl Run<'_> {
    /// The true peak that goes over full scale, if the call has no true-peak goal. `levels` are those of
    /// the target with its new gain.
    pub(super) fn peaks_over(&self, part: &Part, levels: &Levels) -> Option<Over> {
        let goal = self.call.goal;
        if self.call.ceiling.is_some() || goal.measure == Measure::TruePeak {
            return None;
        }
        let over = Over::of(&part.name, level_of(levels, Measure::TruePeak)?)?;
        Some(if self.call.together { over } else { over.held(goal, &part.profile, part.own) })
    }

    /// Says what the true peak of a target is now, and keeps that it comes over full scale.
    pub(super) fn tell_over(&mut self, part: &Part, over: Over) {
        let now = level_of(&part.profile.levels(part.own), Measure::TruePeak);
        self.draft.findings.push(Finding::new(part.target, Measure::TruePeak, now));
        self.over.push(over);
    }
}

impl Over {
    /// A target with this peak in dBTP; `None` if that is not over full scale.
    fn of(name: &str, peak: f64) -> Option<Self> {
        (peak >= OVER).then(|| Self { name: name.to_owned(), peak, held: None })
    }

    /// The same, with its level under the ceiling that is offered; its gain is `own` now.
    fn held(self, goal: Goal, profile: &LoudnessProfile, own: Decibels) -> Self {
        let reach = goal.gain(profile, own, Some(Ceiling(OFFERED)));
        let held = reach.map(|reach| level(goal.measure, reach.predicted));
        Self { held, ..self }
    }

    /// The text after the reason of its change.
    pub(super) fn told(&self) -> String {
        format!("; peaks come to {}", level(Measure::TruePeak, self.peak))
    }
}

/// The warning about all of them, the highest first, and the way out; `None` if there are none.
pub(super) fn warning(mut over: Vec<Over>, is_mix: bool) -> Option<String> {
    over.sort_by(|one, other| other.peak.total_cmp(&one.peak));
    let highest = over.first()?;
    // The pieces of a recording have one name.
    let mut all: Vec<String> = Vec::new();
    for it in &over {
        if !all.contains(&it.name) {
            all.push(it.name.clone());
        }
    }
    let (up_to, behind) = match (is_mix, all.len()) {
        (true, _) => ("", ""),
        (false, 1) => ("", " unless a fader or limiter after it takes it down"),
        (false, _) => ("up to ", " unless faders or limiters after them take them down"),
    };
    let peak = level(Measure::TruePeak, highest.peak);
    let ceiling = asked(Measure::TruePeak, OFFERED);
    let way = match &highest.held {
        Some(held) => format!("; a ceiling of {ceiling} brings \"{}\" to {held}", highest.name),
        None => String::new(),
    };
    let both = if is_mix { "; for both: tool_master" } else { "" };
    let who = names(&all);
    let told = format!("{who}: peaks would reach {up_to}{peak}: over 0, which clips{behind}");
    Some(format!("{told}{way}{both}"))
}

/// The offer to hold them under the ceiling.
pub(super) fn hold(warning: &str) -> PlanOffer {
    let label = format!("Hold at {}", asked(Measure::TruePeak, OFFERED));
    PlanOffer::again(warning, label, json!({"ceiling_dbtp": OFFERED}))
}
