//! Finds the nearest text if none is near enough, and the threshold that would find it.

use super::meaning::Near;
use super::trigrams::Query;
use super::{Resolved, alike, rounded};
use crate::text::Talk;
use deskhand_dsp::Frames;
use deskhand_session::{Session, SourceId};
use deskhand_toolkit::find::clock;
use deskhand_toolkit::{Draft, PlanContext, ToolError};
use serde_json::json;

/// Less similar texts are not worth naming.
const LEAST: f64 = 0.1;
/// Thresholds are proposed in steps of this, below the score.
const STEP: f64 = 0.05;

/// The unit of all talks that is the most alike.
pub(super) struct Nearest {
    score: f64,
    source: SourceId,
    start: Frames,
    text: String,
}

/// The nearest; `None` if nothing comes near.
///
/// # Errors
/// When the model fails, or the run is stopped.
pub(super) fn of(
    talks: &[Talk<'_>],
    query: &Query,
    mut near: Option<&mut Near>,
    call: &Resolved,
    context: &PlanContext,
) -> Result<Option<Nearest>, ToolError> {
    let mut best: Option<Nearest> = None;
    for talk in talks {
        let found = match &mut near {
            Some(near) => near.nearest(talk, call, context)?.into_iter().collect(),
            None => alike(talk, query, call, LEAST, context)?,
        };
        for (range, score) in found {
            let known = best.as_ref().map_or(LEAST, |best| best.score);
            if score > known {
                let (source, start) = (talk.source, talk.frames(&range).start);
                best = Some(Nearest { score, source, start, text: talk.text(&range) });
            }
        }
    }
    Ok(best)
}

impl Nearest {
    /// Says it in the answer, and to the person.
    pub(super) fn tell(&self, draft: &mut Draft, session: &Session) {
        let score = rounded(self.score);
        let name = session.name_of(self.source.into());
        let at = clock(self.start, session.rate);
        let threshold = ((self.score / STEP).floor() * STEP).max(STEP);
        draft.warnings.push(format!(
            "the nearest is {score:.2} alike: \"{}\" in \"{name}\" at {at}; `similarity_threshold` {threshold:.2} finds it",
            self.text
        ));
        if let Some(answer) = &mut draft.answer {
            let seconds = rounded(self.start.seconds(session.rate).0);
            answer["nearest"] = json!({
                "source": name, "start_s": seconds, "text": self.text, "similarity": score,
            });
        }
    }
}
