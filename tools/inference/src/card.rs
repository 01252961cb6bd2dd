//! The facts about a model before it is installed, and the record next to it afterwards.

use crate::layout::Layout;
use serde::{Deserialize, Serialize};

/// What a model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Splits a recording into stems.
    Separation,
    /// Transcribes speech.
    Transcription,
    /// Tells where someone speaks.
    VoiceActivity,
    /// Tells voices apart.
    Speakers,
    /// Tells how near sentences are in what they mean.
    Meaning,
}

impl Task {
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Separation => "stem separation",
            Self::Transcription => "transcription",
            Self::VoiceActivity => "voice activity",
            Self::Speakers => "telling speakers apart",
            Self::Meaning => "comparing what sentences mean",
        }
    }
}

/// A package of a registry that a model is taken from, always of this very version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Package {
    /// Its name on PyPI.
    pub name: &'static str,
    pub version: &'static str,
    /// Bytes to download.
    pub download: u64,
    /// The files to take from it.
    pub members: &'static [Member],
}

/// One file of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Member {
    pub path: &'static str,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256, 64 hexadecimal digits.
    pub sha256: &'static str,
}

/// How the installed file is made from the members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Conversion {
    /// Index and data of a Spleeter checkpoint become one ONNX file.
    Spleeter,
    /// A PyTorch checkpoint of Resemblyzer becomes one ONNX file.
    Resemblyzer,
    /// The one member is the file.
    Plain,
    /// The members become one archive, under the last part of their paths; `X.part1`, `X.part2` become one `X`.
    Archive,
}

/// A model of the catalog.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Card {
    /// What it is called in commands and parameters.
    pub id: &'static str,
    /// A few words.
    pub title: &'static str,
    pub task: Task,
    pub version: &'static str,
    pub file: &'static str,
    /// The size of the installed file in bytes.
    pub size: u64,
    /// SHA-256 of the installed file, 64 hexadecimal digits.
    pub sha256: &'static str,
    /// The license's short name.
    pub license: &'static str,
    /// The license, whole.
    pub license_text: &'static str,
    /// The origin; the members together, in this order, are converted.
    pub packages: &'static [Package],
    /// The conversion, done once.
    pub conversion: Conversion,
    /// What it gives and takes.
    pub layout: Layout,
    /// What to expect of it, measured.
    pub quality: &'static str,
    /// Bytes of memory it needs while it runs.
    pub memory: u64,
}

/// Where an installed model came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The catalog; it can be installed again.
    Catalog,
    /// A person's own file. It runs in a child process with limits.
    Added,
}

/// Whether a model may be removed to make room for another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pin {
    #[default]
    Free,
    Pinned,
}

/// The record next to an installed model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub id: String,
    /// A few words.
    pub title: String,
    pub task: Task,
    pub version: String,
    /// The file, next to this record.
    pub file: String,
    /// Its size in bytes.
    pub size: u64,
    pub sha256: String,
    /// Under which terms.
    pub license: String,
    /// Where it came from.
    pub origin: Origin,
    /// Whether it stays when room is needed.
    #[serde(default)]
    pub pin: Pin,
    /// What it gives and takes.
    pub layout: Layout,
}

impl Card {
    /// Bytes to download.
    #[must_use]
    pub fn download(&self) -> u64 {
        self.packages.iter().map(|package| package.download).sum()
    }

    /// The packages with their versions, for people.
    #[must_use]
    pub fn pinned(&self) -> String {
        let all =
            self.packages.iter().map(|package| format!("{} {}", package.name, package.version));
        all.collect::<Vec<_>>().join(", ")
    }

    /// The files to take from all packages.
    pub(crate) fn members(&self) -> impl Iterator<Item = &'static Member> {
        self.packages.iter().flat_map(|package| package.members)
    }

    /// The record for the installed file.
    pub(crate) fn record(&self) -> Record {
        Record {
            id: self.id.into(),
            title: self.title.into(),
            task: self.task,
            version: self.version.into(),
            file: self.file.into(),
            size: self.size,
            sha256: self.sha256.into(),
            license: self.license.into(),
            origin: Origin::Catalog,
            pin: Pin::Free,
            layout: self.layout.clone(),
        }
    }
}
