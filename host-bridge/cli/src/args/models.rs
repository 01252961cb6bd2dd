//! What can be typed about models.

use clap::Subcommand;
use std::path::PathBuf;

/// What `deskhand models` does.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// What is installed, and what can be
    List,
    /// One model, with its license in full
    Show {
        /// Id of a model
        id: String,
    },
    /// Download a model of the list with pip, check it, and keep it
    Install {
        /// Id of a model
        id: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Keep a copy of a model of your own: an ONNX file, or a CTranslate2 folder of Whisper; what an ONNX file does not
    /// say is read from a .toml beside it
    Add {
        /// The ONNX file (Open-Unmix, MDX-Net, Demucs with or without spectra), or the folder with model.bin
        file: PathBuf,
    },
    /// Remove a model
    Remove {
        /// Id of a model
        id: String,
    },
    /// Keep a model when room is needed for others
    Pin {
        /// Id of a model
        id: String,
        /// Let it go again
        #[arg(long)]
        off: bool,
    },
    /// Check that a model's file is the one that was installed, byte for byte
    Verify {
        /// Id of a model; omitted: all
        id: Option<String>,
    },
}
