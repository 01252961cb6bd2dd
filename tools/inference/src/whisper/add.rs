//! Adding a person's own Whisper model: a folder in the format of CTranslate2, without anything next to it.
//!
//! Its files are weights and lists, nothing in them is run; they are read within bounds, and the network is tried
//! once before the folder is kept as one archive.

use super::{MEL_FRAMES, Parts, Whisper};
use crate::archive;
use crate::card::{Origin, Pin, Record, Task};
use crate::digest;
use crate::error::{InstallError, LibraryError};
use crate::layout::Layout;
use crate::library::{Installed, Library};
use std::path::{Path, PathBuf};

const FILE: &str = "model.zip";
/// The largest weights that are added, in bytes.
const LARGEST: u64 = 4_000_000_000;
/// The files that are kept of a folder; only one vocabulary exists.
const FILES: [&str; 4] = ["model.bin", "vocabulary.txt", "vocabulary.json", "config.json"];

/// Adds the model in `folder`; `id` is what it is called.
pub(crate) fn add(library: &Library, folder: &Path, id: String) -> Result<Installed, InstallError> {
    let refused = |problem: String| InstallError::File { file: format!("{folder:?}"), problem };
    let weights = folder.join("model.bin");
    let size = weights.metadata().map_err(|error| {
        refused(format!(
            "it has no model.bin ({error}); a Whisper folder of CTranslate2 has model.bin, a vocabulary and \
             config.json"
        ))
    })?;
    if size.len() > LARGEST {
        return Err(refused("its weights are larger than 4 GB; no Whisper model is".into()));
    }
    let parts = Parts::read(folder).map_err(|error| refused(own(&error.to_string())))?;
    let whisper = Whisper::of(parts).map_err(|error| refused(own(&error.to_string())))?;
    try_once(&whisper).map_err(refused)?;
    let title = format!(
        "Whisper, {} and {} layers, {} languages",
        whisper.dims.encoder_layers,
        whisper.dims.decoder_layers,
        whisper.vocabulary.languages.len().max(1)
    );
    drop(whisper);
    keep(library, folder, id, title)
}

/// Rewrites advice for a model of the catalog so that it fits a person's own.
fn own(problem: &str) -> String {
    problem.replace("install the model again", "convert or download it again")
}

/// Has the network hear silence and say what it would begin with.
fn try_once(whisper: &Whisper) -> Result<(), String> {
    let failed = |error: crate::RunError| format!("{error}; it was not kept");
    let heard = whisper.hear(&vec![0.0; whisper.dims.mels * MEL_FRAMES]).map_err(failed)?;
    let begin = [whisper.vocabulary.start];
    let scores = whisper.say(&heard, &mut whisper.begin(), &begin, &[0]).map_err(failed)?;
    let is_sound = scores.len() == whisper.dims.vocabulary && scores.iter().all(|s| s.is_finite());
    if is_sound { Ok(()) } else { Err("it gives no scores for its tokens; it was not kept".into()) }
}

fn keep(
    library: &Library,
    folder: &Path,
    id: String,
    title: String,
) -> Result<Installed, InstallError> {
    let there: Vec<(&str, PathBuf)> = FILES
        .iter()
        .map(|name| (*name, folder.join(name)))
        .filter(|(_, path)| path.is_file())
        .collect();
    let files: Vec<(&str, &PathBuf)> = there.iter().map(|(name, path)| (*name, path)).collect();
    let workshop = library.workshop()?;
    let kept = workshop.path().join(FILE);
    let failed = |error: std::io::Error| LibraryError::io(&kept, &error);
    archive::pack(&files, &kept).map_err(failed)?;
    let record = Record {
        id,
        title,
        task: Task::Transcription,
        version: "1".into(),
        file: FILE.into(),
        size: kept.metadata().map_err(failed)?.len(),
        sha256: digest::of_file(&kept).map_err(failed)?,
        license: "not said".into(),
        origin: Origin::Added,
        pin: Pin::Free,
        layout: Layout::Whisper,
    };
    library.keep(workshop, &record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_no_model_is_refused_and_nothing_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let library = Library::at(dir.path().join("models"), 1 << 30);
        let folder = dir.path().join("Mine");
        std::fs::create_dir(&folder).unwrap();
        let told = |library: &Library| crate::add(library, &folder).unwrap_err().to_string();
        assert!(told(&library).contains("it has no model.bin"), "{}", told(&library));
        std::fs::write(folder.join("model.bin"), "no weights at all").unwrap();
        std::fs::write(folder.join("vocabulary.txt"), "a\nb\n").unwrap();
        assert!(told(&library).contains("config.json cannot be read"), "{}", told(&library));
        std::fs::write(folder.join("config.json"), "{}").unwrap();
        let error = told(&library);
        assert!(error.contains("binary version") && !error.contains('\n'), "{error}");
        assert_eq!(library.installed(), []);
    }
}
