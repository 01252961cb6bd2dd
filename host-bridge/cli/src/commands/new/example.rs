//! The interview that Deskhand comes with: two voices, their words, and a music bed, as files of the new session.

use crate::commands::import;
use crate::declared;
use crate::desk::Desk;
use crate::exit::Failure;
use crate::output::Output;
use deskhand_protocol::Apply;
use deskhand_session::offers::Gesture;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Below the session folder.
const FOLDER: &str = "recordings";

macro_rules! asset {
    ($name:literal) => {
        (
            $name,
            include_bytes!(concat!("../../../../../plugin/standalone/assets/example/", $name))
                .as_slice(),
        )
    };
}

const SOUND: [(&str, &[u8]); 3] = [asset!("Host.flac"), asset!("Guest.flac"), asset!("Music.flac")];
/// The words of recordings, by the recording's name.
const WORDS: [(&str, (&str, &[u8])); 2] =
    [("Host", asset!("Host.json")), ("Guest", asset!("Guest.json"))];

/// Copies the files into the session folder, and imports them.
pub(super) fn fill(desk: &mut Desk, dir: &Path, output: Output) -> Result<(), Failure> {
    let folder = dir.join(FOLDER);
    let failed = |error: std::io::Error| {
        let message = format!("{} cannot be written: {error}", folder.display());
        Failure::new("create", message, "choose another folder")
    };
    fs::create_dir_all(&folder).map_err(failed)?;
    for (name, bytes) in SOUND.into_iter().chain(WORDS.map(|(_, file)| file)) {
        fs::write(folder.join(name), bytes).map_err(failed)?;
    }
    let files = SOUND.map(|(name, _)| import::absolute(&folder.join(name)));
    let files = files.into_iter().collect::<Result<Vec<_>, _>>()?;
    import::import(desk, json!({"files": files}))?;
    for (recording, (name, _)) in WORDS {
        let file = import::absolute(&folder.join(name))?;
        let params = json!({"file": file, "target": recording});
        desk.call(declared::by(Gesture::ImportTranscript), params, Apply::Now)?;
    }
    // Cuts keep those who talk in sync.
    let talk = json!({"name": "Talk", "targets": WORDS.map(|(recording, _)| recording)});
    desk.call(declared::by(Gesture::GroupTracks), talk, Apply::Now)?;
    desk.finish_media(output);
    Ok(())
}
