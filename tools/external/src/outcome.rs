//! The output of a tool: files in its own folder, markers, findings, an answer, texts. All of it is
//! untrusted input.

use crate::findings::{self, Finding, Mark};
use crate::sanitize;
use deskhand_session::ClipId;
use serde::Deserialize;
use serde_json::Value;
use std::path::{Component, Path, PathBuf};

/// The most files of one run.
const MOST_FILES: usize = 256;
/// The longest answer, in bytes of JSON.
const LONGEST_ANSWER: usize = 200_000;

/// The result as the tool wrote it.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Outcome {
    pub(crate) summary: Option<String>,
    #[serde(default)]
    pub(crate) files: Vec<Given>,
    /// Markers; an empty list removes those of an earlier call.
    pub(crate) markers: Option<Vec<Mark>>,
    /// The new facts about clips.
    #[serde(default)]
    pub(crate) findings: Vec<Finding>,
    pub(crate) answer: Option<Value>,
    /// What to look at before applying.
    #[serde(default)]
    pub(crate) warnings: Vec<String>,
}

/// A file with audio.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Given {
    /// The file, below `out/`.
    pub(crate) file: String,
    pub(crate) clip: Option<ClipId>,
    pub(crate) name: Option<String>,
    /// Where it starts on the timeline, in seconds; used when it was made from no clip.
    pub(crate) at_s: Option<f64>,
}

impl Outcome {
    /// The result with harmless words.
    ///
    /// # Errors
    /// When there is too much of it, or a marker or finding is invalid.
    pub(crate) fn cleaned(self) -> Result<Self, String> {
        if self.files.len() > MOST_FILES {
            return Err(format!("it gave {} files; {MOST_FILES} are the most", self.files.len()));
        }
        let length = self.answer.as_ref().map_or(0, |answer| answer.to_string().len());
        if length > LONGEST_ANSWER {
            return Err(format!("its answer has {length} bytes; {LONGEST_ANSWER} are the most"));
        }
        let warnings =
            self.warnings.iter().take(20).map(|text| sanitize::line(text, 300)).collect();
        Ok(Self {
            summary: self
                .summary
                .map(|text| sanitize::line(&text, 200))
                .filter(|text| !text.is_empty()),
            answer: self.answer.map(sanitize::json),
            warnings,
            files: self.files,
            markers: self.markers.map(findings::marks).transpose()?,
            findings: findings::findings(self.findings)?,
        })
    }
}

impl Given {
    /// Where the file is: a regular file below the folder `out` of `room`, reached without a link.
    ///
    /// # Errors
    /// When it is anything else.
    pub(crate) fn path(&self, room: &Path) -> Result<PathBuf, String> {
        let shown = sanitize::line(&self.file, 120);
        let relative = Path::new(&self.file);
        let mut parts = relative.components();
        let in_out = parts.next() == Some(Component::Normal("out".as_ref()));
        if !in_out || !parts.all(|part| matches!(part, Component::Normal(_))) {
            return Err(format!("it gave {shown:?}, which is not below its folder out/"));
        }
        let mut at = room.to_owned();
        for part in relative.components() {
            at.push(part);
            match at.symlink_metadata() {
                Ok(about) if about.is_symlink() => {
                    return Err(format!("it gave {shown:?}, which is a link to elsewhere"));
                }
                Ok(_) => {}
                Err(error) => {
                    return Err(format!("it gave {shown:?}, which cannot be read: {error}"));
                }
            }
        }
        if at.is_file() { Ok(at) } else { Err(format!("it gave {shown:?}, which is no file")) }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_its_own_are_taken() {
        let tmp = tempfile::tempdir().unwrap();
        let room = tmp.path();
        std::fs::create_dir_all(room.join("out/sub")).unwrap();
        for file in ["out/a.wav", "out/sub/b.wav", "c.wav"] {
            std::fs::write(room.join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", room.join("out/link")).unwrap();
        std::os::unix::fs::symlink("/etc", room.join("out/folder")).unwrap();
        let of = |file: &str| {
            let given = Given { file: file.into(), clip: None, name: None, at_s: None };
            given.path(room).map(drop)
        };
        assert_eq!((of("out/a.wav"), of("out/sub/b.wav")), (Ok(()), Ok(())));
        for file in [
            "c.wav",
            "/etc/passwd",
            "out/../c.wav",
            "../x",
            "out/link",
            "out/folder/passwd",
            "out/sub",
            "out/none",
            "out",
            "",
        ] {
            assert!(of(file).is_err(), "{file}");
        }
    }

    #[test]
    fn words_are_made_harmless_and_floods_are_refused() {
        let outcome = Outcome {
            summary: Some("a\u{202e}b".into()),
            answer: Some(serde_json::json!({"k\u{7}": ["x\u{1b}y"]})),
            ..Outcome::default()
        };
        let clean = outcome.cleaned().unwrap();
        assert_eq!(clean.summary.as_deref(), Some("ab"));
        assert_eq!(clean.answer, Some(serde_json::json!({"k": ["xy"]})));
        let long = Outcome { answer: Some("x".repeat(300_000).into()), ..Outcome::default() };
        assert!(long.cleaned().is_err());
    }
}
