//! "Revise plan 3: …", as the window writes it behind a warning: without a model no plan is worked on, so it is told
//! what can be done about that warning, and nothing that has to do with it in words alone.

use crate::resolve::Trouble;
use deskhand_session::Session;

/// How such words begin.
const OPENING: &str = "revise plan ";

/// At most so many tracks are named.
const MOST: usize = 3;

/// Words of warnings, and what can be done; NAME stands for each track that the warning names, NAMES for all of them.
// tidy: table
#[rustfmt::skip]
const HELPS: [(&str, &[&str]); 14] = [
    ("peaks are cut by", &["what's loudest?", "is anything clipping?", "master the mix for broadcast"]),
    ("the mix will peak at", &["master the mix for streaming", "turn the mix down by 3 dB"]),
    ("comes over full scale", &["master the mix for streaming", "turn the mix down by 3 dB"]),
    ("the limiter holds it", &["master the mix for broadcast", "what's loudest?"]),
    ("somebody else speaks", &["cut the ums and fill with room tone", "who speaks when?"]),
    ("who speaks is not marked", &["mark the speakers"]),
    ("name the speakers", &["mark the speakers"]),
    ("in no group", &["group NAMES"]),
    ("muted, left as it is", &["unmute NAME", "which tracks are muted?"]),
    ("no speech found", &["transcribe NAME", "find problems in NAME"]),
    ("silent; passed over", &["find problems in NAME", "list the tracks"]),
    ("not written down", &["transcribe NAME", "transcribe everything"]),
    ("gain line that it has is replaced", &["turn NAME down by 3 dB"]),
    ("below every gate", &["find problems in NAME"]),
];

/// What is offered about any warning.
const USUAL: [&str; 2] = ["what did you just do?", "help"];

/// Why a plan is not revised, where words ask for that.
pub(crate) fn asked(words: &str, session: &Session) -> Option<Trouble> {
    let text = words.trim();
    let opening = text.get(..OPENING.len())?;
    if !opening.eq_ignore_ascii_case(OPENING) {
        return None;
    }
    let (number, warning) = text.get(OPENING.len()..)?.split_once(':')?;
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| {
        let reason = format!(
            "a plan is revised by a model; without one, leave plan {number} and say what should be \
             done in its place"
        );
        Trouble::new(reason, offers(&warning.to_lowercase(), session))
    })
}

/// What can be done about a warning.
fn offers(warning: &str, session: &Session) -> Vec<String> {
    let tracks = session.tracks_in_order().map(|(_, track)| track.name.clone());
    let named = |name: &String| warning.contains(&name.to_lowercase());
    let names: Vec<String> = tracks.filter(named).take(MOST).collect();
    let helps = HELPS.iter().filter(|(words, _)| warning.contains(words));
    let said = |help: &&str| -> Vec<String> {
        match (help.contains("NAMES"), help.contains("NAME")) {
            (true, _) if names.len() < 2 => Vec::new(),
            (true, _) => vec![help.replace("NAMES", &names.join(" and "))],
            (false, true) => names.iter().map(|name| help.replace("NAME", name)).collect(),
            (false, false) => vec![(*help).to_owned()],
        }
    };
    let about = helps.flat_map(|(_, helps)| helps.iter()).flat_map(said);
    // Something is always left to be said: examples that share words with the warning are about other things.
    about.chain(USUAL.map(str::to_owned)).collect()
}
