//! Sentences about takes: which one plays, in which order, what is cut, and where the edit is written.

use super::said::{One, Said, on_groups};
use super::spoken::Among;
use crate::requests::Draft;
use crate::resolve::Trouble;
use deskhand_session::PhraseId;
use serde_json::json;

/// Two takes of which one plays.
pub(super) fn keep_take(said: &Said<'_>) -> One {
    let (keep, other) = (said.phrase("p")?, said.phrase("q")?);
    let spoken = said.session().spoken(keep).map(|spoken| spoken.text).unwrap_or_default();
    let params = vec![
        ("phrase", json!(spoken)),
        ("group_ids", json!([keep, other])),
        ("recommended_group_id", json!(keep)),
        ("reason", json!("as asked")),
    ];
    Ok(Draft {
        targets: vec![keep.into(), other.into()],
        ..Draft::call("tool_mark_duplicates", params)
    })
}

pub(super) fn place_of(rest: &[PhraseId], other: Option<PhraseId>) -> Option<usize> {
    rest.iter().position(|id| Some(*id) == other)
}

/// The whole order, with one phrase or several in another place.
pub(super) fn moved(
    said: &Said<'_>,
    place: impl Fn(&[PhraseId], Option<PhraseId>) -> Option<usize>,
) -> One {
    let ids = said.phrases("p", Among::Playing)?;
    let other = said.tokens("q").map(|_| said.phrase("q")).transpose()?;
    let order = &said.session().assembly.order;
    let rest: Vec<PhraseId> = order.iter().copied().filter(|id| !ids.contains(id)).collect();
    let at = place(&rest, other).ok_or_else(|| {
        Trouble::new("a phrase cannot be put beside itself", ["put phrase 3 before phrase 1"])
    })?;
    let (before, behind) = rest.split_at(at);
    Ok(ordered(&[before, &ids, behind].concat(), &ids))
}

fn ordered(order: &[PhraseId], moved: &[PhraseId]) -> Draft {
    let targets = moved.iter().map(|id| (*id).into()).collect();
    let params = vec![("ordered_group_ids", json!(order))];
    Draft { targets, ..Draft::call("tool_reorder_segments", params) }
}

pub(super) fn swap(said: &Said<'_>) -> One {
    let two = match said.tokens("q") {
        Some(_) => vec![said.phrase("p")?, said.phrase("q")?],
        None => said.phrases("p", Among::Playing)?,
    };
    let [a, b] = two[..] else {
        return Err(Trouble::new("two phrases change places", ["swap phrases 1 and 2"]));
    };
    let other = |id: &PhraseId| match *id {
        id if id == a => b,
        id if id == b => a,
        id => id,
    };
    let order: Vec<PhraseId> = said.session().assembly.order.iter().map(other).collect();
    Ok(ordered(&order, &[a, b]))
}

pub(super) fn restore_all(said: &Said<'_>) -> One {
    match &said.session().assembly.removed[..] {
        [] => Err(Trouble::new("nothing was removed", ["show the phrases"])),
        removed => Ok(on_groups("tool_restore_segments", "group_ids", removed)),
    }
}

pub(super) fn tighten(said: &Said<'_>, fillers: bool, false_starts: bool) -> One {
    let params = vec![("fillers", json!(fillers)), ("false_starts", json!(false_starts))];
    said.on("targets", "tool_tighten", params)
}

pub(super) fn shorten_pauses(said: &Said<'_>) -> One {
    let mut params = vec![("fillers", json!(false)), ("false_starts", json!(false))];
    for (slot, name) in [("m", "pauses_longer_than_s"), ("n", "pause_to_s")] {
        if said.tokens(slot).is_none() {
            continue;
        }
        let Some(seconds) = said.number(slot).filter(|seconds| (0.0..=60.0).contains(seconds))
        else {
            let offer = "shorten pauses longer than 2 seconds to 0.6 seconds";
            return Err(Trouble::new("that is no length of a pause", [offer]));
        };
        params.push((name, json!(seconds)));
    }
    said.on("targets", "tool_tighten", params)
}

pub(super) fn finish(said: &Said<'_>) -> One {
    let summary = said.text("text").unwrap_or_else(|| "The edit is done.".into());
    Ok(Draft::call("cmd_finish", vec![("summary", json!(summary))]))
}

pub(super) fn export_assembly(said: &Said<'_>) -> One {
    let format = said.text("format").unwrap_or_else(|| "transcript".into());
    let (format, path) = match format.to_lowercase().as_str() {
        "otio" | "opentimelineio" | "timeline" => ("otio", "edit.otio"),
        "audacity" | "audacity labels" | "labels" | "label track" => ("audacity", "edit.txt"),
        "csv" | "table" | "spreadsheet" => ("csv", "edit.csv"),
        "srt" | "subtitles" => ("srt", "edit.srt"),
        "vtt" | "webvtt" => ("vtt", "edit.vtt"),
        "transcript" | "text" | "txt" => ("transcript", "edit.txt"),
        other => {
            let reason = format!("an edit is not written as \"{other}\"");
            return Err(Trouble::new(
                reason,
                ["as otio", "as audacity labels", "as csv", "as srt"],
            ));
        }
    };
    let mut params = vec![("path", json!(path)), ("format", json!(format))];
    let named = |word: &str| said.context.scope.text.to_lowercase().contains(word);
    if named("pseudonyms") || named("fake names") {
        params.push(("pseudonyms", json!(true)));
    }
    Ok(Draft::call("tool_export_assembly", params))
}
