//! Arguments of `deskhand transcribe`, `words`, `codes` and `assemble`.

mod said;

pub(crate) use said::{SpeakersBy, TimesFrom, TranscriptFormat, WordsCommand};

use super::number::finite;
use crate::ahead::Ahead;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `deskhand transcribe`.
#[derive(Debug, Args)]
pub(crate) struct TranscribeArgs {
    /// A session folder and its clips or tracks (default: all clips), or audio files (each gets a session next to it)
    #[arg(required = true, value_name = "DIR [TARGET…] | FILE")]
    pub(crate) what: Vec<PathBuf>,
    /// The spoken language, such as en (default: detected)
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// An installed model (default: whisper-base if installed, else whisper-tiny)
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Transcribe again and replace existing transcripts
    #[arg(long)]
    pub(crate) again: bool,
    /// Keep every "um" and "uh" in the transcript, so that you can cut them
    #[arg(long)]
    pub(crate) verbatim: bool,
    /// Also write the transcript to this file, ending in .srt, .vtt, .json or .txt
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// With --model service: send the sound without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
}

/// Subcommands of `deskhand codes`.
#[derive(Debug, Subcommand)]
pub(crate) enum CodesCommand {
    /// List the codes with their numbers of segments
    List {
        /// The session folder
        dir: PathBuf,
    },
    /// Make a code, or change the code with this name
    Add {
        /// The session folder
        dir: PathBuf,
        /// The name of the code
        name: String,
        /// Color as #rrggbb
        #[arg(long)]
        color: Option<String>,
        /// When to use the code
        #[arg(long)]
        description: Option<String>,
        /// The parent code: name or id
        #[arg(long, value_name = "CODE")]
        parent: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Code every place where a speaker says these words
    Exact {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        /// The words, or a regular expression with --match regex
        text: String,
        /// Clips or sources to search (default: all transcripts)
        #[arg(long = "in", value_name = "TARGET")]
        targets: Vec<String>,
        /// How to compare the words
        #[arg(long = "match", value_enum, default_value_t)]
        match_type: MatchType,
        /// How much of the text to code
        #[arg(long, value_enum, default_value_t)]
        unit: Unit,
        /// Match upper and lower case exactly
        #[arg(long)]
        case: bool,
        /// Match whole words only
        #[arg(long)]
        whole_word: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Code every place where a speaker says something similar
    Similar {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        /// The words to compare with
        text: String,
        /// Clips or sources to search (default: all transcripts)
        #[arg(long = "in", value_name = "TARGET")]
        targets: Vec<String>,
        /// The least similarity, 0 to 1
        #[arg(long, value_name = "0..1", value_parser = finite)]
        threshold: Option<f64>,
        /// How to compare (default: by meaning if the model minilm is installed, else by letters)
        #[arg(long, value_enum)]
        measure: Option<Measure>,
        /// How much of the text to code
        #[arg(long, value_enum, default_value_t = Unit::Sentence)]
        unit: Unit,
        #[command(flatten)]
        decided: Decided,
    },
    /// Code a time range of a clip or source; a new code is made if needed
    Region {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        /// The clip or source
        target: String,
        /// Start in seconds
        #[arg(value_parser = finite)]
        from: f64,
        /// End in seconds
        #[arg(value_parser = finite)]
        to: f64,
        #[command(flatten)]
        decided: Decided,
    },
    /// Code a rectangle of a clip's or source's spectrogram; a new code is made if needed
    Spectral {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        /// The clip or source
        target: String,
        /// Start in seconds
        #[arg(value_parser = finite)]
        from: f64,
        /// End in seconds
        #[arg(value_parser = finite)]
        to: f64,
        /// Lower edge in Hz
        #[arg(value_parser = finite)]
        low: f64,
        /// Upper edge in Hz
        #[arg(value_parser = finite)]
        high: f64,
        #[command(flatten)]
        decided: Decided,
    },
    /// Rename a code
    Rename {
        /// The session folder
        dir: PathBuf,
        /// The code: name, path or id
        code: String,
        /// The new name
        name: String,
        #[command(flatten)]
        decided: Decided,
    },
    /// Move a code under another code, or to the top level
    Move {
        /// The session folder
        dir: PathBuf,
        /// The code: name, path or id
        code: String,
        /// The new parent code (default: the top level)
        #[arg(long, value_name = "CODE")]
        under: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Mark a segment as important, or remove the mark
    Important {
        /// The session folder
        dir: PathBuf,
        /// A seg_… id
        segment: String,
        /// Remove the mark
        #[arg(long)]
        off: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Remove codes from segments: from everything one call coded, or from single segments
    Uncode {
        /// The session folder
        dir: PathBuf,
        /// One batch_… id, or seg_… ids
        #[arg(required = true)]
        ids: Vec<String>,
        /// Only codes of this coder: "this session", "model", or the name of a merged coder
        #[arg(long, value_name = "NAME")]
        coder: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Merge two codes: segments of the first get the second
    Merge {
        /// The session folder
        dir: PathBuf,
        /// The code to remove
        from: String,
        /// The code to keep
        into: String,
        #[command(flatten)]
        decided: Decided,
    },
    /// Remove a code from the codebook and from its segments
    Remove {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        #[command(flatten)]
        decided: Decided,
    },
    /// Write a memo on a code, a segment or a source; without text, remove the memo
    Memo {
        /// The session folder
        dir: PathBuf,
        /// A code, a segment or a source
        target: String,
        /// The memo
        text: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Report on codes: counts, overlaps, quotes and coder agreement
    Report {
        /// The session folder
        dir: PathBuf,
        /// The report
        #[arg(value_enum, default_value_t)]
        report: Report,
        /// Write the report to this file, ending in .csv or .json
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Import the codes a second person gave in a copy of the session
    Codings {
        /// The session folder
        dir: PathBuf,
        /// The session folder of the other person
        from: PathBuf,
        /// The name of the other person
        coder: String,
        #[command(flatten)]
        decided: Decided,
    },
    /// Export the codebook (.qdc) or the whole project (.qdpx) for other programs (REFI-QDA)
    Export {
        /// The session folder
        dir: PathBuf,
        /// The file, ending in .qdc or .qdpx
        file: PathBuf,
        #[command(flatten)]
        decided: Decided,
    },
    /// Import the codebook of a .qdc or .qdpx file
    Import {
        /// The session folder
        dir: PathBuf,
        /// The file
        file: PathBuf,
        #[command(flatten)]
        decided: Decided,
    },
}

/// Subcommands of `deskhand assemble`.
#[derive(Debug, Subcommand)]
pub(crate) enum AssembleCommand {
    /// Find the phrases of transcribed clips or sources and put them one after another
    Phrases {
        /// The session folder
        dir: PathBuf,
        /// Clips or sources (default: all clips)
        targets: Vec<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// List the phrases in playing order with their numbers, and phrases that do not play
    List {
        /// The session folder
        dir: PathBuf,
    },
    /// Reorder the phrases; name every phrase that plays
    Order {
        /// The session folder
        dir: PathBuf,
        /// Numbers from `assemble list`, or phr_… ids
        #[arg(required = true)]
        phrases: Vec<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Find takes of the same phrase, or name them
    Duplicates {
        /// The session folder
        dir: PathBuf,
        /// Takes of one phrase: numbers from `assemble list`, or phr_… ids (default: Deskhand finds the takes)
        takes: Vec<String>,
        /// Find takes of this phrase only; may be repeated
        #[arg(long, value_name = "PHRASE", conflicts_with = "takes")]
        of: Vec<String>,
        /// The take to play, such as 3.2 for the second take of phrase 3
        #[arg(long, value_name = "PHRASE", conflicts_with = "of")]
        keep: Option<String>,
        /// Why you choose this take
        #[arg(long, value_name = "WORDS", requires = "keep")]
        reason: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Remove phrases
    Remove {
        /// The session folder
        dir: PathBuf,
        /// Numbers from `assemble list`, or phr_… ids
        #[arg(required = true)]
        phrases: Vec<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Restore removed phrases
    Restore {
        /// The session folder
        dir: PathBuf,
        /// phr_… ids, or 3.2 for the second take of phrase 3
        #[arg(required = true)]
        phrases: Vec<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Cut fillers, shorten long pauses, cut false starts
    #[command(after_help = "Examples:
  deskhand assemble tighten talk.deskhand
  deskhand assemble tighten talk.deskhand --pauses-over 1.5 --pause-to 0.6
  deskhand assemble tighten talk.deskhand --yes   # leaves out cuts that nobody heard
  deskhand assemble tighten talk.deskhand --yes --unheard")]
    Tighten {
        /// The session folder
        dir: PathBuf,
        /// Clips or tracks (default: all)
        targets: Vec<String>,
        /// Keep "um" and "uh"
        #[arg(long)]
        keep_fillers: bool,
        /// Keep false starts of sentences
        #[arg(long)]
        keep_false_starts: bool,
        /// Keep long pauses
        #[arg(long, conflicts_with_all = ["pauses_over", "pause_to"])]
        keep_pauses: bool,
        /// Shorten pauses longer than this, in seconds
        #[arg(long, value_name = "SECONDS", value_parser = finite)]
        pauses_over: Option<f64>,
        /// The new length of a long pause, in seconds
        #[arg(long, value_name = "SECONDS", value_parser = finite)]
        pause_to: Option<f64>,
        /// Replace fillers and false starts with room tone; the timing stays
        #[arg(long)]
        room_tone: bool,
        /// Cut only the named tracks and their groups
        #[arg(long)]
        alone: bool,
        #[command(flatten)]
        ahead: Ahead,
    },
    /// Finish the edit with a summary
    Finish {
        /// The session folder
        dir: PathBuf,
        /// The summary of the edit, in a sentence or two
        summary: String,
        #[command(flatten)]
        decided: Decided,
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
        #[command(flatten)]
        decided: Decided,
    },
}

/// Whether the person decided in advance.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Decided {
    /// Apply without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
}

/// How to compare words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchType {
    /// These words in this order; punctuation is ignored
    #[default]
    Exact,
    /// Words that start with this text
    Startswith,
    /// This text anywhere, also inside words
    Contains,
    /// Words that end with this text
    Endswith,
    /// Matches of a regular expression
    Regex,
}

/// How to compare two texts.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Measure {
    /// Similar letters
    Letters,
    /// Similar meaning (English)
    Meaning,
}

/// How much of the text to code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unit {
    /// Only the words
    #[default]
    Match,
    /// The sentence around them
    Sentence,
    /// The speaker's whole turn
    Turn,
}

/// Reports on codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Report {
    /// How often each code is used
    #[default]
    Counts,
    /// Codes on the same words
    Cooccurrence,
    /// Coded segments that overlap
    Overlaps,
    /// The words under each code
    Quotes,
    /// How far coders agree (Cohen's kappa)
    Agreement,
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
