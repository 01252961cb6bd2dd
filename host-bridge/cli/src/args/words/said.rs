//! What can be typed about what is said: `deskhand words`.

use super::Decided;
use clap::{Subcommand, ValueEnum};
use std::path::PathBuf;

/// What `deskhand words` does.
#[derive(Debug, Subcommand)]
pub(crate) enum WordsCommand {
    /// What is said, with its times and speakers
    #[command(after_help = "Examples:
  deskhand words show talk.deskhand
  deskhand words show talk.deskhand Host
  deskhand words show talk.deskhand --edit   # as the edit plays it")]
    Show {
        /// The session folder
        dir: PathBuf,
        /// Sources by name; omitted: all that are written down
        sources: Vec<String>,
        /// What the edit plays of it, in its order, with the times at which it is heard there; omitted: all of it, with
        /// times from the start of each recording
        #[arg(long)]
        edit: bool,
    },
    /// Find where words are said, also when they were misheard a little
    Search {
        /// The session folder
        dir: PathBuf,
        /// The words, in their order
        #[arg(required = true)]
        text: Vec<String>,
        /// Where: clips or sources; omitted: all that is written down
        #[arg(long = "in", value_name = "TARGET")]
        targets: Vec<String>,
        /// Only what this speaker says, by the whole name
        #[arg(long, value_name = "NAME")]
        speaker: Option<String>,
    },
    /// Read a transcript of a recording: SRT, WebVTT, Whisper's JSON, or text with times and speakers
    Import {
        /// The session folder
        dir: PathBuf,
        /// The file, ending in .srt, .vtt, .json or .txt
        file: PathBuf,
        /// The recording: a clip or source; omitted: the only one
        #[arg(long, value_name = "TARGET")]
        of: Option<String>,
        /// The kind of file; omitted: by its ending
        #[arg(long, value_enum)]
        format: Option<TranscriptFormat>,
        /// Put it in the place of what is written down already
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Write what is said to a file: SRT, WebVTT, Whisper's JSON or text
    Export {
        /// The session folder
        dir: PathBuf,
        /// The file, ending in .srt, .vtt, .json or .txt
        file: PathBuf,
        /// Clips or sources; omitted: all clips
        targets: Vec<String>,
        /// From where times count; omitted: from the source, of several from the timeline
        #[arg(long, value_enum)]
        from: Option<TimesFrom>,
        /// Leave out who speaks
        #[arg(long)]
        no_speakers: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Mark who speaks: by names in the text, by track, or by voice
    Speakers {
        /// The session folder
        dir: PathBuf,
        /// Clips or sources; omitted: all clips
        targets: Vec<String>,
        /// How speakers are told apart
        #[arg(long, value_enum, default_value_t)]
        by: SpeakersBy,
        /// With --by sound: how many there are, 1 to 20; omitted: found out
        #[arg(long, value_name = "1..20", value_parser = clap::value_parser!(u64).range(1..=20))]
        count: Option<u64>,
        /// Make each speaker a code too, under "Speakers"
        #[arg(long)]
        codes: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Call a speaker otherwise wherever they speak
    Rename {
        /// The session folder
        dir: PathBuf,
        /// The speaker as now, such as "Speaker 1"
        speaker: String,
        /// The speaker from now on
        name: String,
        #[command(flatten)]
        decided: Decided,
    },
}

/// How speakers are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpeakersBy {
    /// By track where there are several, else by names in the text
    #[default]
    Auto,
    /// A name and a colon ahead of the text
    Colon,
    /// A name in brackets ahead of the text
    Bracket,
    /// A name in braces ahead of the text
    Brace,
    /// Each track is one speaker
    Track,
    /// Voices that are alike are one speaker (needs the model resemblyzer)
    Sound,
}

/// From where the times of a transcript count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TimesFrom {
    /// From the start of the recording, all of it
    Source,
    /// From the start of the timeline, what clips play of it
    Timeline,
}

/// Kinds of files of transcripts.
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
