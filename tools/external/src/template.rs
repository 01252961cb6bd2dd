//! What `deskhand tools new` writes: a manifest and a program that work as they are.

use crate::folder::ENDING;
use crate::manifest::Manifest;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What a new tool begins as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Template {
    /// Changes the level of clips; the standard library of Python and nothing else.
    #[default]
    Plain,
    /// Pitch and time by the program `rubberband`.
    PitchAndTime,
}

/// Why a template was not written.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    #[error("{0}")]
    Name(String),
    #[error("{0} is there already; choose another name or folder")]
    Exists(String),
    #[error("{file} cannot be written: {why}; choose another folder")]
    Write { file: String, why: io::Error },
}

impl Template {
    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Plain => (
                include_str!("../templates/plain.deskhand-tool.toml"),
                include_str!("../templates/plain.py"),
            ),
            Self::PitchAndTime => (
                include_str!("../templates/pitch_and_time.deskhand-tool.toml"),
                include_str!("../templates/pitch_and_time.py"),
            ),
        }
    }

    /// Writes manifest and program for the tool `name` into `folder`, which is made when it is not there.
    /// Returns the manifest and the program.
    ///
    /// # Errors
    /// When the name cannot be a tool's, or a file is there already. Nothing is written over.
    pub fn write(self, name: &str, folder: &Path) -> Result<(PathBuf, PathBuf), TemplateError> {
        let (manifest, program) = self.texts();
        let manifest = manifest.replace("{{name}}", name).replace("{{title}}", &title(name));
        Manifest::parse(&manifest).map_err(|why| TemplateError::Name(why.to_string()))?;
        let files = [folder.join(format!("{name}{ENDING}")), folder.join(format!("{name}.py"))];
        if let Some(there) = files.iter().find(|file| file.exists()) {
            return Err(TemplateError::Exists(crate::candidate::shown(there)));
        }
        std::fs::create_dir_all(folder).map_err(|why| unwritten(folder, why))?;
        let [manifest_file, program_file] = files;
        write_new(&program_file, program)?;
        write_new(&manifest_file, &manifest)?;
        Ok((manifest_file, program_file))
    }
}

/// "pitch_and_time" is titled "Pitch and time".
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn write_new(file: &Path, text: &str) -> Result<(), TemplateError> {
    let written = OpenOptions::new().write(true).create_new(true).open(file);
    written.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|why| unwritten(file, why))
}

fn unwritten(file: &Path, why: io::Error) -> TemplateError {
    TemplateError::Write { file: crate::candidate::shown(file), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_templates_are_manifests_and_write_over_nothing() {
        let dir = tempfile::tempdir().unwrap();
        for (template, name) in [(Template::Plain, "my_gain"), (Template::PitchAndTime, "shift")] {
            let (manifest, program) = template.write(name, &dir.path().join("new")).unwrap();
            let text = std::fs::read_to_string(&manifest).unwrap();
            assert_eq!(Manifest::parse(&text).unwrap().name, format!("tool_{name}"));
            assert!(program.is_file() && !text.contains("{{"));
            let again = template.write(name, &dir.path().join("new"));
            assert!(matches!(again, Err(TemplateError::Exists(_))));
        }
        for name in ["../x", "", "Tool", "a b", "tool_x"] {
            let wrong = Template::Plain.write(name, dir.path());
            assert!(matches!(wrong, Err(TemplateError::Name(_))), "{name}");
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
