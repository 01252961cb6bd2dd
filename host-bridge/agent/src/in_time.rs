//! The selected time: what is asked of "this" is asked of that stretch, and not of the whole of what it lies on. Gain
//! changes over it, and clips lose or repeat what lies in it; what works on the whole alone says so.

use crate::draft::Draft;
use crate::part::Phrase;
use crate::reading::RequestKind;
use crate::resolve::{Context, Resolved, Trouble, list};
use crate::times::{clock_text, rounded};
use deskhand_dsp::Frames;
use deskhand_session::intent::Kinds;
use deskhand_session::{ObjectId, Session, TimeRange, TrackId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// How long gain takes to change where nothing is said, in milliseconds: short enough to be on time, too long to be
/// heard as a step.
const RAMP_MS: f64 = 300.0;

/// Of how many tracks or clips something is offered.
const MOST: usize = 3;

/// A stretch of the timeline, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub from: f64,
    pub to: f64,
}

impl Stretch {
    /// The one that is selected.
    pub(crate) fn selected(session: &Session) -> Option<Self> {
        let range = session.selection.range?;
        let seconds = |at: Frames| rounded(at.seconds(session.rate).0);
        let stretch = Self { from: seconds(range.start), to: seconds(range.end) };
        (stretch.from < stretch.to).then_some(stretch)
    }

    /// A change of gain over it, as the parameter of a command.
    pub(crate) fn gain(self, change_db: f64) -> Value {
        let ramp = RAMP_MS.min((self.to - self.from) * 500.0);
        json!({"from_s": self.from, "to_s": self.to, "change_db": change_db, "ramp_ms": ramp})
    }

    /// Its edges, as the parameters of a command.
    pub(crate) fn edges(self) -> Vec<(&'static str, Value)> {
        vec![("start_s", json!(self.from)), ("end_s", json!(self.to))]
    }

    /// As it is said: "from 0:10 to 0:20".
    fn said(self) -> String {
        format!("from {} to {}", clock_text(self.from), clock_text(self.to))
    }
}

/// What a tool makes of a selected time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct InTime {
    /// Whether it works on the whole of tracks or clips.
    pub is_whole: bool,
    /// The tool that makes the same change over a time.
    pub over: Option<String>,
}

/// A request, held to the selected time where it is about what is selected.
pub(crate) fn held(
    mut draft: Draft,
    in_time: &InTime,
    session: &Session,
) -> Result<Draft, Trouble> {
    let Some(time) = Stretch::selected(session) else { return Ok(draft) };
    let RequestKind::Call { params, .. } = &mut draft.kind else { return Ok(draft) };
    if params.get("targets") != Some(&json!("selection")) {
        return Ok(draft);
    }
    let param = list(&draft.targets);
    let change = params.get("change_db").and_then(Value::as_f64);
    if let Some((tool, change)) = in_time.over.as_ref().zip(change) {
        let found = Resolved { param, ids: draft.targets.clone() };
        return Ok(Draft::on(tool, found, vec![("range", time.gain(change))]));
    }
    let is_undone = params.get("mute") == Some(&json!(false));
    if in_time.is_whole && !is_undone {
        return Err(whole(params, &draft.targets, time, session));
    }
    // Where time alone is selected, the session knows no targets of that.
    params["targets"] = param;
    Ok(draft)
}

/// Why it is not done in the selected time, with what can be done there, and the whole by its name.
fn whole(params: &Value, ids: &[ObjectId], time: Stretch, session: &Session) -> Trouble {
    let names: Vec<String> = ids.iter().take(MOST).map(|id| session.name_of(*id)).collect();
    let (told, said) = (names.join(", "), time.said());
    let reason = format!(
        "a time is selected, {said}, and this works on the whole of {told}: name it where that \
         is meant"
    );
    let has = |param: &&str| params.get(*param).is_some();
    let change = match params.get("mute") {
        Some(_) => Some("down by 60 dB"),
        None if ["gain_db", "change_db", "target_lufs"].iter().any(has) => Some("up by 3 dB"),
        None => None,
    };
    let over = |change: &str| {
        let tracks = tracks_of(ids, session).into_iter().take(MOST);
        let turned = |id| format!("turn {} {change} {said}", session.name_of(id));
        tracks.map(turned).collect::<Vec<_>>()
    };
    let offers = change.map(over).unwrap_or_default();
    Trouble::new(reason, offers.into_iter().chain(names))
}

/// Offers of levels with the names of the selected tracks or clips: "this" would mean the selected time.
pub(crate) fn by_name(
    trouble: Trouble,
    verb: Option<&String>,
    phrase: Option<&Phrase>,
    context: &Context<'_>,
) -> Trouble {
    let session = context.scope.session;
    let is_level = trouble.suggestions.iter().all(|offer| offer.starts_with("to "));
    let verb = match verb {
        Some(verb) if is_level && Stretch::selected(session).is_some() => verb,
        _ => return trouble,
    };
    if !context.is_selection(phrase) {
        return trouble;
    }
    let names = context.chosen().into_iter().take(MOST).map(|id| session.name_of(id));
    let levels = &trouble.suggestions;
    let said = |name: String| levels.iter().map(move |level| format!("{verb} {name} {level}"));
    let suggestions = names.flat_map(said).collect();
    Trouble { suggestions, ..trouble }
}

/// The clips in the selected time; for ripple edits, the tracks that it covers.
pub(crate) fn on(kinds: Kinds, time: Stretch, context: &Context<'_>) -> Result<Resolved, Trouble> {
    let session = context.scope.session;
    if kinds == Kinds::Groups {
        return Ok(on_tracks(&context.chosen(), session));
    }
    let range = session.selection.range.filter(|_| time.from < time.to);
    let ids = range.map(|range| clips_in(range, context)).unwrap_or_default();
    match ids.is_empty() {
        true => Err(Trouble::new("nothing lies in the selected time", ["what is selected?"])),
        false => Ok(Resolved { param: list(&ids), ids }),
    }
}

/// The clips that lie in a time, of what is selected and of the groups of its tracks.
fn clips_in(range: TimeRange, context: &Context<'_>) -> Vec<ObjectId> {
    let session = context.scope.session;
    let chosen = context.chosen();
    let together = |track: TrackId| match session.group_of(track) {
        Some((_, group)) => group.tracks.clone(),
        None => vec![track],
    };
    let own = chosen.iter().filter_map(|id| match id {
        ObjectId::Track(track) => Some(*track),
        _ => None,
    });
    let tracks: BTreeSet<TrackId> = own.flat_map(together).collect();
    let lies = session.clips.iter().filter(|(id, clip)| {
        let is_chosen = tracks.contains(&clip.track) || chosen.contains(&ObjectId::from(**id));
        is_chosen && clip.position < range.end && range.start < clip.end()
    });
    lies.map(|(id, _)| ObjectId::from(*id)).collect()
}

/// The same on the tracks of what was found: time goes from tracks, and not from clips.
fn on_tracks(ids: &[ObjectId], session: &Session) -> Resolved {
    let ids = tracks_of(ids, session);
    Resolved { param: list(&ids), ids }
}

/// The tracks of objects, each once.
fn tracks_of(ids: &[ObjectId], session: &Session) -> Vec<ObjectId> {
    let mut tracks: Vec<ObjectId> = Vec::new();
    for track in ids.iter().filter_map(|id| session.track_of(*id)).map(ObjectId::from) {
        if !tracks.contains(&track) {
            tracks.push(track);
        }
    }
    tracks
}
