//! Arguments of `deskhand models`.

use clap::Subcommand;
use std::path::PathBuf;

/// Subcommands of `deskhand models`.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List the models: installed ones, and ones you can install
    List,
    /// Show a model with its full license
    Show {
        /// Id of a model
        id: String,
    },
    /// Download a listed model with pip, check it and install it
    Install {
        /// Id of a model
        id: String,
        /// Install without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// Add a copy of your own model: an ONNX file, or a CTranslate2 folder of Whisper; settings missing in an ONNX
    /// file are read from a .toml file next to the model
    Add {
        /// The ONNX file (Open-Unmix, MDX-Net, Demucs with or without spectra), or the folder with model.bin
        file: PathBuf,
    },
    /// Remove a model
    Remove {
        /// Id of a model
        id: String,
    },
    /// Never remove this model to free space for others
    Pin {
        /// Id of a model
        id: String,
        /// Allow its removal again
        #[arg(long)]
        off: bool,
    },
    /// Check that a model's file is unchanged since its installation
    Verify {
        /// Id of a model (default: all)
        id: Option<String>,
    },
}
