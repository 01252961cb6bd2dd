//! The files of a Whisper model as CTranslate2 keeps them: weights, vocabulary and configuration.

use super::dims::Dims;
use super::error::WhisperError;
use serde::Deserialize;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest part that is read, in bytes.
const MOST_BYTES: u64 = 4 << 30;
/// The largest configuration that is read, in bytes.
const MOST_CONFIG: u64 = 1 << 20;
/// The vocabulary, under the names it is found by.
const VOCABULARIES: [&str; 2] = ["vocabulary.txt", "vocabulary.json"];

/// Gives a file by its name, not more bytes than that.
type ReadPart<'a> = &'a mut dyn FnMut(&str, u64) -> Result<Vec<u8>, String>;

/// The files of a model, whole.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// `model.bin`.
    pub weights: Vec<u8>,
    /// `vocabulary.txt` or `vocabulary.json`.
    pub vocabulary: Vec<u8>,
    /// `config.json`.
    pub config: Vec<u8>,
}

impl Parts {
    /// Reads the files of a folder, or of an archive with these files in it.
    ///
    /// # Errors
    /// When one is missing, too large, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, WhisperError> {
        if path.is_dir() {
            Self::of(&mut |name, most| bounded(open(&path.join(name))?, most))
        } else {
            let file = open(path).map_err(|cause| lost("file", cause))?;
            let archive = zip::ZipArchive::new(file);
            let mut archive = archive.map_err(|error| lost("archive", error.to_string()))?;
            Self::of(&mut |name, most| {
                let part = archive.by_name(name).map_err(|error| error.to_string())?;
                bounded(part, most)
            })
        }
    }

    fn of(read: ReadPart<'_>) -> Result<Self, WhisperError> {
        let weights = read("model.bin", MOST_BYTES).map_err(|cause| lost("model.bin", cause))?;
        let [text, json] = VOCABULARIES;
        let vocabulary = read(text, MOST_CONFIG * 64).or_else(|_| read(json, MOST_CONFIG * 64));
        let vocabulary = vocabulary.map_err(|cause| lost(text, cause))?;
        let config =
            read("config.json", MOST_CONFIG).map_err(|cause| lost("config.json", cause))?;
        Ok(Self { weights, vocabulary, config })
    }
}

/// Checks the file type before opening: opening a pipe would block.
fn open(path: &Path) -> Result<File, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is no file".into());
    }
    File::open(path).map_err(|error| error.to_string())
}

fn lost(part: &'static str, cause: String) -> WhisperError {
    WhisperError::Part { part, cause }
}

fn bounded(file: impl Read, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if read as u64 > most { Err(format!("it is larger than {most} bytes")) } else { Ok(bytes) }
}

/// What the configuration says of a model.
#[derive(Clone, Debug, Deserialize)]
struct Written {
    #[serde(default)]
    suppress_ids: Vec<u32>,
    #[serde(default)]
    suppress_ids_begin: Vec<u32>,
    #[serde(default)]
    alignment_heads: Vec<(usize, usize)>,
}

/// The used part of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Config {
    pub(super) suppressed: Vec<u32>,
    pub(super) suppressed_first: Vec<u32>,
    pub(super) alignment: Vec<(usize, usize)>,
}

impl Config {
    /// Reads `config.json`. Without heads of its own, all heads of the later half of the layers follow
    /// the words, as the reference code has it.
    pub(super) fn read(file: &[u8], dims: &Dims) -> Result<Self, WhisperError> {
        let written: Written =
            serde_json::from_slice(file).map_err(|error| lost("config.json", error.to_string()))?;
        let is_token = |token: &u32| (*token as usize) < dims.vocabulary;
        let is_head = |(layer, head): &(usize, usize)| {
            *layer < dims.decoder_layers && *head < dims.decoder_heads
        };
        let fits = written.suppress_ids.iter().all(is_token)
            && written.suppress_ids_begin.iter().all(is_token)
            && written.alignment_heads.iter().all(is_head);
        if !fits {
            let cause = "it names tokens or heads that the network has not".into();
            return Err(lost("config.json", cause));
        }
        let later = (dims.decoder_layers / 2..dims.decoder_layers)
            .flat_map(|layer| (0..dims.decoder_heads).map(move |head| (layer, head)));
        let alignment = match written.alignment_heads.is_empty() {
            true => later.collect(),
            false => written.alignment_heads,
        };
        Ok(Self {
            suppressed: written.suppress_ids,
            suppressed_first: written.suppress_ids_begin,
            alignment,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dims() -> Dims {
        Dims {
            mels: 80,
            frames: 1500,
            width: 8,
            encoder_heads: 2,
            decoder_heads: 2,
            encoder_layers: 1,
            decoder_layers: 2,
            context: 448,
            vocabulary: 20,
        }
    }

    #[test]
    fn heads_and_tokens_that_are_not_there_are_refused() {
        let config = br#"{"suppress_ids": [19], "suppress_ids_begin": [1], "lang_ids": [7]}"#;
        let config = Config::read(config, &dims()).unwrap();
        assert_eq!(config.alignment, [(1, 0), (1, 1)]);
        for wrong in [
            r#"{"suppress_ids": [20]}"#,
            r#"{"alignment_heads": [[2, 0]]}"#,
            r#"{"alignment_heads": [[0, 2]]}"#,
            "{",
        ] {
            assert!(Config::read(wrong.as_bytes(), &dims()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("model.bin"), "x").unwrap();
        let error = Parts::read(dir.path()).unwrap_err().to_string();
        assert!(error.starts_with("the model's vocabulary.txt cannot be read"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_no_part_of_a_model() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("model.bin");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [dir.path(), &pipe] {
            let error = Parts::read(path).unwrap_err().to_string();
            assert!(error.contains("it is no file"), "{error}");
        }
    }
}
