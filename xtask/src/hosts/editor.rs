//! The plugin's window in a host: words are typed into it, a plan card comes up, and a click applies it. The
//! pictures are kept to be looked at.

use super::desk::Desk;
use super::report::{check, pictures, yes};
use super::screen::{Screen, Window};
use anyhow::Result;
use serde_json::Value;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);
/// How much louder is asked for, in dB: no number that anything else would come to.
const LOUDER: f64 = 2.5;
const WORDS: &str = "make it louder by 2.5 dB";
/// The place of the composer in the editor of 900 x 600 points.
const COMPOSER: [i32; 2] = [686, 541];

/// Uses the editor in `window`, below what the host has there in a height of `above` points, and judges what the
/// session says of it.
pub(super) fn ask_and_apply(
    host: &str,
    screen: &Screen,
    (window, above): (&Window, i32),
    desk: &Desk,
) -> Result<Vec<String>> {
    let folder = pictures()?;
    let picture = |what: &str| folder.join(format!("{what}-in-{}.png", host.to_lowercase()));
    let is_joined = |session: &Value| session["tracks"].as_array().map(Vec::len) == Some(1);
    let joined = desk.wait("show", is_joined)?.is_some();
    let [x, y] = COMPOSER;
    screen.click_field(window, [x, y + above])?;
    screen.type_words(WORDS)?;
    // The card comes into view, then stays still.
    screen.accent(window, LIMIT)?;
    screen.still(window)?;
    let apply = screen.accent(window, LIMIT)?;
    screen.picture(window, &picture("plan"))?;
    let whole = apply.is_some() && desk.has_words(WORDS);
    let mut found = vec![
        check(host, "the editor is embedded and came to a session", yes(joined), joined),
        check(host, "words typed bring up a plan card", yes(apply.is_some()), apply.is_some()),
        check(host, "they arrived whole, says the session", yes(whole), whole),
    ];
    if let Some(apply) = apply {
        screen.click(window, apply)?;
        let applied = desk.wait_for_gain(LOUDER)?;
        screen.picture(window, &picture("applied"))?;
        let gain = applied.as_ref().and_then(|session| session["tracks"][0]["gain"].as_f64());
        let figure = gain.map_or("none".into(), |gain| format!("{gain:+.2} dB"));
        found.push(check(host, "a click applies it: the track's gain", &figure, gain.is_some()));
    }
    println!("   pictures to look at: {}", folder.display());
    Ok(found.into_iter().flatten().collect())
}
