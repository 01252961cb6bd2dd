//! Rename, add tracks and buses, group, select.

use super::{Built, Draft};
use crate::clause_reader::{OBJECT, Reader};
use crate::lexer::{Token, TokenKind};
use crate::part::{Pick, Thing, whole};
use crate::resolve::{Context, Phrase, Trouble, Want};
use crate::vocab::{Noun, Verb};
use deskhand_session::ObjectId;
use serde_json::json;

/// Longest name that is taken from words without quotes.
const LONGEST_NAME_WORDS: usize = 6;

fn all_tracks() -> Phrase {
    Phrase { parts: vec![whole(Pick::All(Thing::Tracks))], except: Vec::new() }
}

/// Words behind which a name has ended, and something else is said.
const GOES_ON: [&str; 10] =
    ["so", "because", "since", "if", "unless", "when", "while", "until", "please", "thanks"];

/// Whether words begin with the name of a track or a clip: "Room and Kick_01 to Kick Main".
fn names_something(context: &Context<'_>, words: &[&str]) -> bool {
    let text = words.join(" ").to_lowercase();
    let session = context.scope.session;
    let tracks = session.tracks.values().map(|track| &track.name);
    let mut names = tracks.chain(session.clips.values().map(|clip| &clip.name));
    names.any(|name| text.starts_with(&format!("{} ", name.to_lowercase())))
}

/// The name as it is meant; one that may go on as something else is asked about.
pub(super) fn fitting(
    context: &Context<'_>,
    name: String,
    example: &str,
) -> Result<String, Trouble> {
    let is_it = |token: &Token| matches!(&token.kind, TokenKind::Quote(text) if *text == name);
    if context.scope.tokens.iter().any(is_it) {
        return Ok(name);
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_joint = |at: &usize| words[*at] == "and" && names_something(context, &words[at + 1..]);
    if let Some(word) = (1..words.len())
        .find(|at| GOES_ON.contains(&words[*at]) || is_joint(at))
        .map(|at| words[at])
    {
        let reason = format!(
            "it is not clear whether \"{word}\" is part of the name; put the name in quotes"
        );
        return Err(Trouble::new(reason, [example]));
    }
    match words.len() <= LONGEST_NAME_WORDS {
        true => Ok(name),
        false => {
            Err(Trouble::new("the name is long; put it in quotes if it is meant so", [example]))
        }
    }
}

/// Renames one object, or all tracks from their clips.
pub(super) fn rename(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    if reader.take_verb(Verb::RenameFromFiles) {
        let tracks = reader.take_noun(Noun::Track);
        let phrase = phrase.or_else(|| tracks.then(all_tracks));
        return Ok(vec![Draft::on(
            "tool_rename_tracks",
            context.resolve(phrase, Want::Tracks)?,
            Vec::new(),
        )]);
    }
    let example = "rename track 1 to \"Lead Vocal\"";
    let unnamed = || Trouble::new("it does not say the name", [example]);
    let name = fitting(context, reader.take_name().ok_or_else(unnamed)?, example)?;
    let resolved = context.resolve(phrase, Want::Any)?;
    let tool = match resolved.ids[..] {
        [ObjectId::Track(_)] => "cmd_rename_track",
        [ObjectId::Clip(_)] => "cmd_rename_clip",
        [marker @ ObjectId::Marker(_)] => {
            let params = vec![("name", json!(name))];
            return Ok(vec![Draft::on_marker("cmd_rename_marker", marker, params)]);
        }
        _ => {
            let names = resolved.ids.iter().map(|id| context.scope.session.name_of(*id));
            return Err(Trouble::new("one track, clip or marker gets a name at a time", names));
        }
    };
    Ok(vec![Draft::on(tool, resolved, vec![("name", json!(name))])])
}

/// Adds a track or a bus.
pub(super) fn add_track(reader: &mut Reader, context: &Context<'_>) -> Built {
    let bus = reader.take_noun(Noun::Bus);
    reader.drop_nouns(&[Noun::Track]);
    let (kind, title) = if bus { ("bus", "Bus") } else { ("audio", "Track") };
    let count = context.scope.session.tracks.len();
    let name = match reader.take_name() {
        Some(name) => fitting(context, name, "add a track called \"Tambourine\"")?,
        None => format!("{title} {}", count + 1),
    };
    Ok(vec![Draft::call("cmd_add_track", vec![("name", json!(name)), ("kind", json!(kind))])])
}

/// Makes a group.
pub(super) fn group(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    let name = match reader.take_name() {
        Some(name) => fitting(context, name, "group the kick and snare as \"Shells\"")?,
        None => format!("Group {}", context.scope.session.groups.len() + 1),
    };
    let resolved = context.resolve(phrase, Want::Tracks)?;
    Ok(vec![Draft::on("cmd_set_group", resolved, vec![("name", json!(name))])])
}

/// Selects.
pub(super) fn select(reader: &mut Reader, context: &Context<'_>) -> Built {
    let Some(phrase) = reader.take_phrase(OBJECT) else {
        return Err(Trouble::new(
            "it does not say what to select",
            ["select the drums", "select everything"],
        ));
    };
    let resolved = context.resolve(Some(phrase), Want::Any)?;
    let selectable = |id: &ObjectId| matches!(id, ObjectId::Track(_) | ObjectId::Clip(_));
    match resolved.ids.iter().all(selectable) {
        true => Ok(vec![Draft::on("cmd_set_selection", resolved, Vec::new())]),
        false => Err(Trouble::new("tracks and clips can be selected", context.scope.track_names())),
    }
}
