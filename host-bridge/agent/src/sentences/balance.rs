//! Sentences about levels: per cent of the fader, gain over a stretch of time, music under speech.

use super::said::{One, Params, Said, length};
use super::stretch::stretch;
use super::transcripts::is_anybody;
use crate::draft::Draft;
use crate::in_time::Stretch;
use crate::lexer::{Token, TokenKind};
use crate::reader::quantity::level_at;
use crate::reading::RequestKind;
use crate::resolve::{Resolved, Trouble, Want};
use deskhand_session::ObjectId;
use deskhand_session::intent::Unit;
use serde_json::json;

/// A change of level that all of some tokens say, in dB.
pub(super) fn decibels(tokens: &[Token]) -> Option<f64> {
    let (level, end) = level_at(tokens, 0)?;
    (end == tokens.len() && matches!(level.unit, Some(Unit::Db | Unit::Lu))).then_some(level.value)
}

/// The change that a slot says, without its sign: the verb says where to.
pub(super) fn amount(said: &Said<'_>) -> Option<f64> {
    said.tokens("db").and_then(decibels).map(f64::abs)
}

/// "make the guest as loud as the host".
pub(super) fn as_loud_as(said: &Said<'_>) -> One {
    let reason = "it does not say which one track or clip it is matched to";
    let unsaid = || Trouble::new(reason, said.context.scope.track_names());
    let reference = said.sound("ref", Want::Sound)?.ok_or_else(unsaid)?;
    let targets = said.sound("on", Want::Sound)?.ok_or_else(unsaid)?;
    match &reference.ids[..] {
        [one] if !targets.ids.contains(one) => {
            let params = vec![("reference", json!(one.to_string()))];
            Ok(Draft::on("tool_match_loudness", targets, params))
        }
        several @ [_, _, ..] => {
            Err(Trouble::new(reason, several.iter().map(|id| said.session().name_of(*id))))
        }
        _ => Err(unsaid()),
    }
}

/// "make the vocals 3 dB louder than the guitar".
pub(super) fn louder_than(said: &Said<'_>, way: Way) -> One {
    let mut draft = as_loud_as(said)?;
    if let (RequestKind::Call { params, .. }, Some(by)) = (&mut draft.kind, amount(said)) {
        params["offset_lu"] = json!(way.of(by));
    }
    Ok(draft)
}

/// "the music at 20 %": of the amplitude, as faders that count so do.
pub(super) fn percent(said: &Said<'_>) -> One {
    let share = said.number("n").filter(|share| (1.0..=200.0).contains(share));
    let share = share.ok_or_else(|| {
        Trouble::new("a volume is 1 to 200 percent here", ["turn the music down by 12 dB"])
    })?;
    let decibels = (20.0 * (share / 100.0).log10() * 10.0).round() / 10.0;
    let targets = tracks(said)?;
    Ok(Draft::on("cmd_set_track_gain", targets, vec![("gain_db", json!(decibels))]))
}

fn tracks(said: &Said<'_>) -> Result<Resolved, Trouble> {
    said.sound("on", Want::Tracks)?
        .ok_or_else(|| Trouble::new("it does not say on what", said.context.scope.track_names()))
}

/// Up or down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
}

impl Way {
    pub(super) fn of(self, amount: f64) -> f64 {
        match self {
            Self::Up => amount,
            Self::Down => -amount,
        }
    }
}

/// "turn the music down by 6 dB from 0:10 to 0:20", "… in the chorus".
pub(super) fn over_time(said: &Said<'_>, way: Way) -> One {
    let example = ["turn the music down by 6 dB from 0:10 to 0:20"];
    let time = match said.tokens("stretch") {
        Some(_) => Some(stretch(said)?),
        None => said.time("from").zip(said.time("to")).map(|(from, to)| Stretch { from, to }),
    };
    let time = time.filter(|time| time.from < time.to);
    let (time, amount) = time.zip(amount(said)).ok_or_else(|| {
        Trouble::new("it does not say from when to when, and by how much", example)
    })?;
    let range = time.gain(way.of(amount));
    Ok(Draft::on("cmd_set_track_envelope", tracks(said)?, vec![("range", range)]))
}

/// "lower the music whenever somebody speaks".
pub(super) fn duck_while(said: &Said<'_>) -> One {
    let who = said.text("who").unwrap_or_default();
    let speech = match is_anybody(&who) {
        true => said.named("the dialogue", Want::Tracks),
        false => said.sound("who", Want::Tracks)?.map_or_else(Vec::new, |found| found.ids),
    };
    let targets = tracks(said)?;
    let under: Vec<ObjectId> = speech.into_iter().filter(|id| !targets.ids.contains(id)).collect();
    if under.is_empty() {
        let example = ["duck the music under the dialogue"];
        return Err(Trouble::new("it does not say under whose voice", example));
    }
    let mut params: Params = amount(said).map(|db| ("depth_db", json!(db))).into_iter().collect();
    params.push(("under", crate::resolve::list(&under)));
    Ok(Draft::on("tool_duck", targets, params))
}

/// "sidechain the music to the host".
pub(super) fn duck_under(said: &Said<'_>) -> One {
    let under = said.sound("ref", Want::Tracks)?.map(|found| found.param);
    let params = vec![("under", under.unwrap_or_default())];
    Ok(Draft::on("tool_duck", tracks(said)?, params))
}

/// Whether tokens are a length of time, and nothing else.
pub(super) fn is_length(tokens: &[Token]) -> bool {
    length(tokens).is_some()
        && !matches!(tokens.first(), Some(Token { kind: TokenKind::Clock(_), .. }))
}
