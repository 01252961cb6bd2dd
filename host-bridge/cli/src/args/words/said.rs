//! Arguments of `deskhand words`.

use super::Decided;
use clap::{Subcommand, ValueEnum};
use deskhand_session::transcript::FILE_ENDINGS;
use std::path::PathBuf;

/// Subcommands of `deskhand words`.
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
    /// Search transcripts for words; small mishearings match too
    Search {
        /// The session folder
        dir: PathBuf,
        /// The words in order
        #[arg(required = true)]
        text: Vec<String>,
        /// Clips or sources to search (default: all transcripts)
        #[arg(long = "in", value_name = "TARGET")]
        targets: Vec<String>,
        /// Search only the words of this speaker (full name)
        #[arg(long, value_name = "NAME")]
        speaker: Option<String>,
    },
    /// Import a transcript: SRT, WebVTT, Whisper's JSON, or text with times and speakers
    Import {
        /// The session folder
        dir: PathBuf,
        #[arg(help = format!("The file, ending in .{}", FILE_ENDINGS.join(", .")))]
        file: PathBuf,
        /// The recording, a clip or source (default: the only recording)
        #[arg(long, value_name = "TARGET")]
        of: Option<String>,
        /// The file format (default: by the file name's ending)
        #[arg(long, value_enum)]
        format: Option<TranscriptFormat>,
        /// Replace the transcript the recording has
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Export transcripts to a file: SRT, WebVTT, Whisper's JSON or text
    Export {
        /// The session folder
        dir: PathBuf,
        /// The file, ending in .srt, .vtt, .json or .txt
        file: PathBuf,
        /// Clips or sources (default: all clips)
        targets: Vec<String>,
        /// The zero of the times (default: `source` for one recording, `timeline` for several)
        #[arg(long, value_enum)]
        from: Option<TimesFrom>,
        /// Leave out the names of speakers
        #[arg(long)]
        no_speakers: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Mark speakers by track, by names in the text, or by voice
    Speakers {
        /// The session folder
        dir: PathBuf,
        /// Clips or sources (default: all clips)
        targets: Vec<String>,
        /// How to find speakers
        #[arg(long, value_enum, default_value_t)]
        by: SpeakersBy,
        /// With --by sound: the number of speakers, 1 to 20 (default: detected)
        #[arg(long, value_name = "1..20", value_parser = clap::value_parser!(u64).range(1..=20))]
        count: Option<u64>,
        /// Also make a code for each speaker, under "Speakers"
        #[arg(long)]
        codes: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Rename a speaker everywhere
    Rename {
        /// The session folder
        dir: PathBuf,
        /// The current name, such as "Speaker 1"
        speaker: String,
        /// The new name
        name: String,
        #[command(flatten)]
        decided: Decided,
    },
}

/// How to find speakers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpeakersBy {
    /// By track if there are several tracks, else by names in the text
    #[default]
    Auto,
    /// A name and a colon before the text
    Colon,
    /// A name in brackets before the text
    Bracket,
    /// A name in braces before the text
    Brace,
    /// Each track is one speaker
    Track,
    /// Similar voices are one speaker (needs the model resemblyzer)
    Sound,
}

/// The zero of a transcript's times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TimesFrom {
    /// The start of the recording; writes all words
    Source,
    /// The start of the timeline; writes the words that clips play
    Timeline,
}

/// File formats of transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TranscriptFormat {
    /// Subtitles
    Srt,
    /// Subtitles for the web
    Vtt,
    /// Whisper's JSON, with the times of words
    Json,
    /// Lines with times and speakers
    Text,
}
