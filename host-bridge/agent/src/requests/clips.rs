//! Clips: move, split, duplicate, trim, remove. Removing tracks and markers too.

use super::{Built, Draft};
use crate::clause_reader::{OBJECT, Reader};
use crate::in_time;
use crate::resolve::{Context, Phrase, Trouble, Want};
use crate::sentences::phrases_of;
use crate::times::Time;
use crate::vocab::{Dir, Noun, Prep};
use deskhand_dsp::Seconds;
use deskhand_session::{Clip, ClipId, ObjectId, PhraseId};
use serde_json::{Value, json};

const TO: &[Option<Prep>] = &[Some(Prep::To), Some(Prep::At)];

fn clips(
    phrase: Option<Phrase>,
    context: &Context<'_>,
) -> Result<crate::resolve::Resolved, Trouble> {
    context.resolve(phrase, Want::Clips)
}

/// Moves clips to a time, by a time, or to a track.
pub(super) fn relocate(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(&[None, Some(Prep::Of)]);
    let mut params = Vec::new();
    if let Some(by) = shift(reader) {
        params.push(("by_s", by));
    } else if let Some(time) = reader.take_time(TO).or_else(|| reader.take_place()) {
        params.push(("at_s", json!(time.seconds)));
    }
    if let Some(track) = reader.take_phrase(&[Some(Prep::To)]) {
        params.push(("track", track_id(track, context)?));
    }
    if params.is_empty() {
        return Err(Trouble::new(
            "it does not say where to",
            [
                "move take 2 to 1:30",
                "move take 2 by 2 seconds",
                "move take 2 to the backing vox track",
            ],
        ));
    }
    Ok(vec![Draft::on("cmd_move_clip", clips(phrase, context)?, params)])
}

/// "by 2 seconds", "200 ms later", "back by a second".
fn shift(reader: &mut Reader) -> Option<Value> {
    let direction = reader.take_dir(&[Dir::Later, Dir::Earlier]);
    let by = match direction {
        Some(_) => reader.take_time(&[None, Some(Prep::By)]),
        None => reader.take_time(&[Some(Prep::By)]),
    };
    let seconds = by.filter(|time| !time.place)?.seconds;
    Some(json!(if direction == Some(Dir::Earlier) { -seconds } else { seconds }))
}

fn track_id(phrase: Phrase, context: &Context<'_>) -> Result<Value, Trouble> {
    let resolved = context.resolve(Some(phrase), Want::Tracks)?;
    match resolved.ids[..] {
        [id] => Ok(json!(id.to_string())),
        _ => Err(Trouble::new(
            "a clip is on one track",
            resolved.ids.iter().map(|id| context.scope.session.name_of(*id)),
        )),
    }
}

/// Splits clips at a time.
pub(super) fn split(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    let time = reader.take_time(&[Some(Prep::At)]).or_else(|| reader.take_place());
    let Some(time) = time else {
        return Err(Trouble::new(
            "it does not say where to cut, or by how much",
            ["split take 2 at 0:45", "turn the bass down by 3 dB", "mute the bass"],
        ));
    };
    let at = Seconds(time.seconds).frames(context.scope.session.rate);
    let there = |clips: &[(ClipId, &Clip)]| {
        let mut clips = clips.iter();
        clips.find(|(_, clip)| clip.position < at && at < clip.end()).map(|(id, _)| *id)
    };
    let found = context.clip_of_each(phrase, there)?;
    Ok(vec![Draft::on("cmd_split_clip", found, vec![("at_s", json!(time.seconds))])])
}

/// Duplicates clips.
pub(super) fn duplicate(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    if let Some(part) = in_time::parts("cmd_duplicate_clip", phrase.as_ref(), context) {
        return Ok(vec![part?]);
    }
    Ok(vec![Draft::on("cmd_duplicate_clip", clips(phrase, context)?, Vec::new())])
}

/// Trims clips to start or end at times on the timeline.
pub(super) fn trim(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(&[None, Some(Prep::Of)]);
    let starts = reader.take_noun(Noun::Start);
    let from: &[Option<Prep>] =
        if starts { &[Some(Prep::From), Some(Prep::At)] } else { &[Some(Prep::From)] };
    let start = reader.take_time(from);
    let until: &[Option<Prep>] =
        if start.is_some() { &[Some(Prep::To), Some(Prep::Until)] } else { &[Some(Prep::Until)] };
    let end = reader.take_time(until);
    if start.is_none() && end.is_none() {
        return Err(Trouble::new(
            "it does not say where the clip starts or ends",
            ["trim take 1 from 5 seconds to 20 seconds", "trim take 1 to end at 0:20"],
        ));
    }
    let params = range(start, end)?;
    Ok(vec![Draft::on("cmd_trim_clip", clips(phrase, context)?, params)])
}

/// Start and end as parameters, in order.
pub(super) fn range(
    start: Option<Time>,
    end: Option<Time>,
) -> Result<Vec<(&'static str, Value)>, Trouble> {
    if let (Some(start), Some(end)) = (start, end)
        && start.seconds >= end.seconds
    {
        return Err(Trouble::new("the end is not behind the start", ["from 1:00 to 1:30"]));
    }
    let start = start.map(|time| ("start_s", json!(time.seconds)));
    let end = end.map(|time| ("end_s", json!(time.seconds)));
    Ok(start.into_iter().chain(end).collect())
}

/// Removes clips, markers, or tracks that are named as tracks.
pub(super) fn remove(reader: &mut Reader, context: &Context<'_>) -> Built {
    let Some(phrase) = reader.take_phrase(OBJECT) else {
        return Err(no_such(reader, context));
    };
    if let Some(part) = in_time::parts("cmd_remove_clip", Some(&phrase), context) {
        return Ok(vec![part?]);
    }
    let broad = phrase.is_broad();
    let role = phrase.has_role();
    let resolved = context.resolve(Some(phrase), Want::Any)?;
    // A phrase goes as a whole, as the edit knows it: without its clip alone it would go on to be listed as one that plays.
    if let Some(phrases) = phrases_of(context.scope.session, &resolved.ids) {
        return Ok(vec![out_of_the_edit(&phrases)]);
    }
    let all = |fits: fn(&ObjectId) -> bool| resolved.ids.iter().all(fits);
    let tool = if resolved.param == json!("all") {
        return Err(Trouble::new(
            "removing everything is not done by words",
            ["remove clip 1 on Lead Vocal", "mute everything"],
        ));
    } else if all(|id| matches!(id, ObjectId::Clip(_))) {
        "cmd_remove_clip"
    } else if all(|id| matches!(id, ObjectId::Marker(_))) {
        let each = |id: &ObjectId| Draft::on_marker("cmd_remove_marker", *id, Vec::new());
        return Ok(resolved.ids.iter().map(each).collect());
    } else if all(|id| matches!(id, ObjectId::Track(_))) && !broad && !role {
        "cmd_remove_track"
    } else {
        let names = resolved
            .ids
            .iter()
            .map(|id| format!("remove the track \"{}\"", context.scope.session.name_of(*id)));
        return Err(Trouble::new("tracks are removed by their own names: say which track", names));
    };
    Ok(vec![Draft::on(tool, resolved, Vec::new())])
}

fn out_of_the_edit(phrases: &[PhraseId]) -> Draft {
    let targets = phrases.iter().map(|id| (*id).into()).collect();
    let params = vec![("group_ids", json!(phrases))];
    Draft { targets, ..Draft::call("tool_remove_segments", params) }
}

fn no_such(reader: &Reader, context: &Context<'_>) -> Trouble {
    use crate::names::NameKind;
    let reason = "it does not say which one to remove";
    if !reader.has_noun(Noun::Marker) {
        return Trouble::new(reason, ["list the tracks"]);
    }
    let names = context.scope.names.of_kind(NameKind::Marker).map(|name| name.text.clone());
    Trouble::new(reason, names)
}
