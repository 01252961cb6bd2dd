//! The similarity of texts by meaning: the cosine between their all-MiniLM-L6-v2 vectors.

use super::{Resolved, best_apart, windows};
use crate::exact::Unit;
use crate::text::Talk;
use deskhand_inference::{Library, MEANING, Meaning, RunError};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Texts that are understood in a second, roughly.
const SPEED: f64 = 100.0;
/// Matches are looked for in sentences that are this much less near than is asked: the words around them dilute it.
const DILUTED: f64 = 0.25;

/// Whether the model is there.
pub(super) fn is_installed() -> bool {
    Library::of_this_user().is_ok_and(|library| library.find(MEANING).is_ok())
}

/// Refuses where the model is not there.
pub(super) fn check() -> Result<(), ToolError> {
    let missing = |error: &dyn std::fmt::Display| {
        let fix = "a person installs it; or compare by `measure` \"letters\"";
        ToolError::prepare(Code::Refused, error.to_string(), fix)
    };
    let library = Library::of_this_user().map_err(|error| missing(&error))?;
    library.find(MEANING).map(drop).map_err(|error| missing(&error))
}

/// How long it will take, in seconds.
pub(super) fn seconds(talks: &[Talk<'_>], unit: Unit) -> f64 {
    let texts = |talk: &Talk<'_>| match unit {
        Unit::Turn => talk.turns.len(),
        Unit::Sentence | Unit::Match => talk.sentences.len(),
    };
    talks.iter().map(texts).sum::<usize>() as f64 / SPEED
}

/// The meaning of the query, and of the texts compared so far.
pub(super) struct Near {
    model: Arc<Meaning>,
    text: Vec<f32>,
    /// People say the same again and again.
    known: HashMap<String, f64>,
}

impl Near {
    /// Loads the model, and has it read `text`.
    pub(super) fn to(text: &str) -> Result<Self, ToolError> {
        let failed = |error: &dyn std::fmt::Display| {
            let fix = "`deskhand models verify minilm` checks the model; or compare by `measure` \"letters\"";
            ToolError::run(Code::Refused, error.to_string(), fix)
        };
        let library = Library::of_this_user().map_err(|error| failed(&error))?;
        let model = library.meaning(MEANING).map_err(|error| failed(&error))?;
        let text = model.vector(text).map_err(|error| failed(&error))?;
        Ok(Self { model, text, known: HashMap::new() })
    }

    /// The units of a talk that are near enough, in order, and how near.
    pub(super) fn places(
        &mut self,
        talk: &Talk<'_>,
        call: &Resolved,
        context: &PlanContext,
    ) -> Result<Vec<(Range<usize>, f64)>, ToolError> {
        let least = call.threshold;
        match call.unit {
            Unit::Sentence => self.near(talk, &talk.sentences, least, context),
            Unit::Turn => self.near(talk, &talk.turns, least, context),
            Unit::Match => {
                let around = self.near(talk, &talk.sentences, least - DILUTED, context)?;
                let windows = around.into_iter().flat_map(|(range, _)| windows(range, &call.text));
                let windows: Vec<Range<usize>> = windows.collect();
                Ok(best_apart(self.near(talk, &windows, least, context)?))
            }
        }
    }

    /// The unit that is the nearest, however far; of matches the one in the nearest sentence.
    pub(super) fn nearest(
        &mut self,
        talk: &Talk<'_>,
        call: &Resolved,
        context: &PlanContext,
    ) -> Result<Option<(Range<usize>, f64)>, ToolError> {
        let best =
            |all: Vec<(Range<usize>, f64)>| all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        match call.unit {
            Unit::Turn => Ok(best(self.near(talk, &talk.turns, 0.0, context)?)),
            Unit::Sentence => Ok(best(self.near(talk, &talk.sentences, 0.0, context)?)),
            Unit::Match => {
                let sentence = best(self.near(talk, &talk.sentences, 0.0, context)?);
                let windows = sentence.map_or_else(Vec::new, |(it, _)| windows(it, &call.text));
                Ok(best(self.near(talk, &windows, 0.0, context)?))
            }
        }
    }

    fn near(
        &mut self,
        talk: &Talk<'_>,
        units: &[Range<usize>],
        least: f64,
        context: &PlanContext,
    ) -> Result<Vec<(Range<usize>, f64)>, ToolError> {
        let mut found = Vec::new();
        for unit in units.iter().filter(|unit| !unit.is_empty()) {
            context.check()?;
            let score = self.score(talk.text(unit)).map_err(|error| {
                let fix = "compare by `measure` \"letters\"";
                ToolError::run(Code::Refused, error.to_string(), fix)
            })?;
            if score >= least {
                found.push((unit.clone(), score));
            }
        }
        Ok(found)
    }

    /// The cosine, 0 where it is less.
    fn score(&mut self, text: String) -> Result<f64, RunError> {
        if let Some(score) = self.known.get(&text) {
            return Ok(*score);
        }
        let vector = self.model.vector(&text)?;
        let score = self.text.iter().zip(&vector).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let score = score.clamp(0.0, 1.0);
        self.known.insert(text, score);
        Ok(score)
    }
}
