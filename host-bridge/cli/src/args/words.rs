//! Arguments of `deskhand transcribe`, `words`, `codes` and `assemble` that no tool declares.

use crate::declared::{declared, value};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand, ValueEnum};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// The words of `deskhand transcribe`.
pub(crate) const TRANSCRIBE: &str = "transcribe";

/// `deskhand transcribe`.
#[derive(Debug, Args)]
pub(crate) struct TranscribeArgs {
    /// A session folder and its clips or tracks (default: all clips), or audio files (each gets a session next to it)
    #[arg(required = true, value_name = "DIR [TARGET…] | FILE")]
    pub(crate) what: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) params: TranscribeParams,
    /// Also write the transcript to this file, ending in .srt, .vtt, .json or .txt
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// With --model service: send the sound without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
}

/// What the tool that transcribes declares.
#[derive(Debug)]
pub(crate) struct TranscribeParams(pub(crate) Map<String, Value>);

impl FromArgMatches for TranscribeParams {
    fn from_arg_matches(typed: &ArgMatches) -> Result<Self, clap::Error> {
        let declared = declared(TRANSCRIBE, None).into_iter();
        let all = declared.flat_map(|it| it.line.arguments.iter().map(move |arg| (it.spec, arg)));
        let given = |(spec, arg): (_, &deskhand_session::command_line::Argument)| {
            Some((arg.param.to_owned(), value(spec, arg, typed)?))
        };
        Ok(Self(all.filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, typed: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(typed)?;
        Ok(())
    }
}

impl Args for TranscribeParams {
    fn augment_args(command: Command) -> Command {
        match declared(TRANSCRIBE, None) {
            Some(declared) => declared.with_arguments(command),
            None => command,
        }
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Subcommands of `deskhand words` that no tool declares.
#[derive(Debug, Subcommand)]
pub(crate) enum WordsCommand {
    /// Show transcripts with times and speakers
    #[command(after_help = "Examples:
  deskhand words show talk.deskhand
  deskhand words show talk.deskhand Host
  deskhand words show talk.deskhand --edit   # in the order of the edit")]
    Show {
        /// The session folder
        dir: PathBuf,
        /// Sources by name (default: all with a transcript)
        sources: Vec<String>,
        /// Show the words of the edit, in its order and with its times (default: all words, with times from the start
        /// of each recording)
        #[arg(long)]
        edit: bool,
    },
}

/// Subcommands of `deskhand codes` that no tool declares.
#[derive(Debug, Subcommand)]
pub(crate) enum CodesCommand {
    /// List the codes with their numbers of segments
    List {
        /// The session folder
        dir: PathBuf,
    },
}

/// Subcommands of `deskhand assemble` that no tool declares, or that several share.
#[derive(Debug, Subcommand)]
pub(crate) enum AssembleCommand {
    /// List the phrases in playing order with their numbers, and phrases that do not play
    List {
        /// The session folder
        dir: PathBuf,
    },
    /// Export the edit for other programs and people, or its mix
    #[command(after_help = "Examples:
  deskhand assemble export talk.deskhand talk.otio
  deskhand assemble export talk.deskhand labels.txt --format audacity
  deskhand assemble export talk.deskhand talk.txt --pseudonyms
  deskhand assemble export talk.deskhand talk.wav   # the mix, and a loudness report next to it")]
    Export {
        /// The session folder
        dir: PathBuf,
        /// The file
        file: PathBuf,
        /// The format (default: by the file name's ending: .otio, .csv, .srt, .vtt, .txt for the transcript, or .wav,
        /// .flac, .opus or .mp3 for the mix)
        #[arg(long, value_enum)]
        format: Option<AssemblyFormat>,
        /// Write Speaker 1, Speaker 2 … instead of names
        #[arg(long)]
        pseudonyms: bool,
        /// Apply without asking
        #[arg(long, short)]
        yes: bool,
    },
}

/// File formats of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AssemblyFormat {
    /// OpenTimelineIO
    Otio,
    /// A label track for Audacity
    Audacity,
    /// A table
    Csv,
    /// The edited text with speakers
    Transcript,
    /// Subtitles
    Srt,
    /// Subtitles for the web
    Vtt,
    /// The mix, as .wav, .flac, .opus or .mp3
    Mix,
}
