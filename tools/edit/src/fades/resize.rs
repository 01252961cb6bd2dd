//! Crossfades that get another length.

use deskhand_dsp::Frames;
use deskhand_session::text::{count, subject, trimmed};
use deskhand_session::{Change, Clip, ClipId, Crossing, Edit, Session};
use deskhand_toolkit::growing_draft::Sketch;
use deskhand_toolkit::{Code, Draft, ToolError};
use std::collections::BTreeSet;

const REASON: &str = "the length of the crossfade";

/// Gives all crossings among `clips` a length.
pub(super) fn draft(
    session: &Session,
    clips: &[ClipId],
    length: Frames,
) -> Result<Draft, ToolError> {
    let crossings = Crossing::among(session, clips);
    if crossings.is_empty() {
        let fix =
            "name two clips of one track of which the second begins in the first or where it ends";
        return Err(ToolError::prepare(Code::NoTarget, "no two of these clips meet", fix));
    }
    let mut sketch = Sketch::new(session, String::new());
    let mut crossed = Vec::new();
    for together in crossings {
        crossed.extend(Crossing::resized(&sketch.session, &together, length));
        for one in crossed.iter().skip(crossed.len() - together.len()) {
            cross(&mut sketch, one, REASON, &[])?;
        }
    }
    sketch.draft.summary = summary(session, &crossed);
    Ok(sketch.draft)
}

/// Brings both clips to a crossing, with fades over all of it.
///
/// # Errors
/// When the session would not be valid.
pub(crate) fn cross(
    sketch: &mut Sketch,
    crossing: &Crossing,
    reason: &str,
    needs: &[String],
) -> Result<(), ToolError> {
    let curve = crossing.curve(&sketch.session);
    let ending = |clip: &Clip| crossing.ending(clip, curve);
    let made = become_so(sketch, crossing.first, &ending, reason, needs)?;
    let beginning = |clip: &Clip| crossing.beginning(clip, curve);
    become_so(sketch, crossing.second, &beginning, reason, &made)?;
    Ok(())
}

/// Gives a clip another window and other fades, in the order in which the fades always fit; gives the ids of the
/// changes.
fn become_so(
    sketch: &mut Sketch,
    id: ClipId,
    after: &dyn Fn(&Clip) -> Clip,
    reason: &str,
    needs: &[String],
) -> Result<Vec<String>, ToolError> {
    let Some(clip) = sketch.session.clips.get(&id).cloned() else { return Ok(Vec::new()) };
    let after = after(&clip);
    let trim = Change::TrimClip(Edit::new(id, clip.window(), after.window()));
    let fades = after.fades().fitted(after.length);
    let fade = Change::SetClipFades(Edit::new(id, clip.fades(), fades));
    let order = if after.length > clip.length { [trim, fade] } else { [fade, trim] };
    let mut made = needs.to_vec();
    for change in order {
        let next = sketch.add([change], reason, &made)?;
        made.extend(next);
    }
    Ok(made)
}

fn summary(session: &Session, crossed: &[Crossing]) -> String {
    let ids: BTreeSet<ClipId> = crossed.iter().flat_map(|one| [one.first, one.second]).collect();
    let clips = ids.iter().filter_map(|id| session.clips.get(id)).map(|clip| clip.name.clone());
    let clips = subject(&clips.collect::<Vec<_>>(), "clip");
    let ms = |one: &Crossing| one.length().seconds(session.rate).0 * 1000.0;
    let longest = crossed.iter().map(ms).fold(0.0, f64::max);
    let what = count(crossed.len(), "crossfade");
    if longest == 0.0 {
        return format!("Take off {what} of {clips}");
    }
    format!("Make {what} of {clips} {} ms long", trimmed(longest, 1))
}
