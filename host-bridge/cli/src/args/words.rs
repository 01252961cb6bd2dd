//! What can be typed about words and takes: `deskhand transcribe`, `words`, `codes` and `assemble`.

mod said;

pub(crate) use said::{SpeakersBy, TimesFrom, TranscriptFormat, WordsCommand};

use super::number::finite;
use crate::ahead::Ahead;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `deskhand transcribe`.
#[derive(Debug, Args)]
pub(crate) struct TranscribeArgs {
    /// A session folder and what in it (omitted: all its clips), or audio files: each gets a session beside it
    #[arg(required = true, value_name = "DIR [TARGET…] | FILE")]
    pub(crate) what: Vec<PathBuf>,
    /// The language that is spoken, such as en; omitted: found out
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// The installed model; omitted: whisper-base where it is installed, else whisper-tiny
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Listen again to what is written down already
    #[arg(long)]
    pub(crate) again: bool,
    /// Write every "um" and "uh" down as well, so that they can be cut
    #[arg(long)]
    pub(crate) verbatim: bool,
    /// Also write it to this file, ending in .srt, .vtt, .json or .txt
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// With --model service: send the sound without asking; else nothing is asked
    #[arg(long, short)]
    pub(crate) yes: bool,
}

/// What `deskhand codes` does.
#[derive(Debug, Subcommand)]
pub(crate) enum CodesCommand {
    /// The codebook, with how many segments each code is on
    List {
        /// The session folder
        dir: PathBuf,
    },
    /// Make a code, or change the one of that name
    Add {
        /// The session folder
        dir: PathBuf,
        /// Its name
        name: String,
        /// #rrggbb
        #[arg(long)]
        color: Option<String>,
        /// When to use it
        #[arg(long)]
        description: Option<String>,
        /// The code it is a kind of: name or id
        #[arg(long, value_name = "CODE")]
        parent: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Code every place where words are said exactly
    Exact {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        /// The words, or a regular expression with --match regex
        text: String,
        /// Where: clips or sources; omitted: all that is written down
        #[arg(long = "in", value_name = "TARGET")]
        targets: Vec<String>,
        /// How the words are compared
        #[arg(long = "match", value_enum, default_value_t)]
        match_type: MatchType,
        /// What becomes a coded segment
        #[arg(long, value_enum, default_value_t)]
        unit: Unit,
        /// "Money" is not "money"
        #[arg(long)]
        case: bool,
        /// Whole words alone
        #[arg(long)]
        whole_word: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Code every place where something like the words is said
    Similar {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        /// The words
        text: String,
        /// Where: clips or sources; omitted: all that is written down
        #[arg(long = "in", value_name = "TARGET")]
        targets: Vec<String>,
        /// How alike, 0 to 1
        #[arg(long, value_name = "0..1", value_parser = finite)]
        threshold: Option<f64>,
        /// By what it is like; omitted: by meaning where the model minilm is installed
        #[arg(long, value_enum)]
        measure: Option<Measure>,
        /// What becomes a coded segment
        #[arg(long, value_enum, default_value_t = Unit::Sentence)]
        unit: Unit,
        #[command(flatten)]
        decided: Decided,
    },
    /// Code a range of a clip or source; a code that is not there is made
    Region {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        /// The clip or source
        target: String,
        /// From, in seconds
        #[arg(value_parser = finite)]
        from: f64,
        /// To, in seconds
        #[arg(value_parser = finite)]
        to: f64,
        #[command(flatten)]
        decided: Decided,
    },
    /// Code a rectangle of the spectrogram of a clip or source; a code that is not there is made
    Spectral {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        /// The clip or source
        target: String,
        /// From, in seconds
        #[arg(value_parser = finite)]
        from: f64,
        /// To, in seconds
        #[arg(value_parser = finite)]
        to: f64,
        /// Its lower edge, in Hz
        #[arg(value_parser = finite)]
        low: f64,
        /// Its upper edge, in Hz
        #[arg(value_parser = finite)]
        high: f64,
        #[command(flatten)]
        decided: Decided,
    },
    /// Give a code another name
    Rename {
        /// The session folder
        dir: PathBuf,
        /// The code: name, path or id
        code: String,
        /// Its name from now on
        name: String,
        #[command(flatten)]
        decided: Decided,
    },
    /// Move a code under another one; without one to the top
    Move {
        /// The session folder
        dir: PathBuf,
        /// The code: name, path or id
        code: String,
        /// The code it is a kind of from now on
        #[arg(long, value_name = "CODE")]
        under: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Mark a segment as important, or take the mark away
    Important {
        /// The session folder
        dir: PathBuf,
        /// A seg_… id
        segment: String,
        /// Take the mark away
        #[arg(long)]
        off: bool,
        #[command(flatten)]
        decided: Decided,
    },
    /// Take codes off segments: all that one call coded, or single segments
    Uncode {
        /// The session folder
        dir: PathBuf,
        /// A batch_… or seg_… ids
        #[arg(required = true)]
        ids: Vec<String>,
        /// Only what this coder gave: "this session", "model", or a name that codings were merged by
        #[arg(long, value_name = "NAME")]
        coder: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Make one code of two: what the first is on gets the second
    Merge {
        /// The session folder
        dir: PathBuf,
        /// The code that goes
        from: String,
        /// The code that stays
        into: String,
        #[command(flatten)]
        decided: Decided,
    },
    /// Remove a code, and take it off its segments
    Remove {
        /// The session folder
        dir: PathBuf,
        /// The code: name or id
        code: String,
        #[command(flatten)]
        decided: Decided,
    },
    /// Write a note on a code, a segment or a source; without text it is taken away
    Memo {
        /// The session folder
        dir: PathBuf,
        /// A code, a segment or a source
        target: String,
        /// The note
        text: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Numbers and quotes: how often, what together, who agrees
    Report {
        /// The session folder
        dir: PathBuf,
        /// Which report
        #[arg(value_enum, default_value_t)]
        report: Report,
        /// Write it to this file, ending in .csv or .json
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Take over what a second person coded in a copy of the session
    Codings {
        /// The session folder
        dir: PathBuf,
        /// The session folder of the other person
        from: PathBuf,
        /// Who that is
        coder: String,
        #[command(flatten)]
        decided: Decided,
    },
    /// Write the codebook (.qdc) or the whole project (.qdpx) for other programs (REFI-QDA)
    Export {
        /// The session folder
        dir: PathBuf,
        /// The file, ending in .qdc or .qdpx
        file: PathBuf,
        #[command(flatten)]
        decided: Decided,
    },
    /// Read a codebook (.qdc), or that of a project (.qdpx)
    Import {
        /// The session folder
        dir: PathBuf,
        /// The file
        file: PathBuf,
        #[command(flatten)]
        decided: Decided,
    },
}

/// What `deskhand assemble` does.
#[derive(Debug, Subcommand)]
pub(crate) enum AssembleCommand {
    /// Find the phrases of transcribed clips or sources, and lay them out one after another
    Phrases {
        /// The session folder
        dir: PathBuf,
        /// Clips or sources; omitted: all clips
        targets: Vec<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// The phrases as they play, with their numbers, and those that do not play
    List {
        /// The session folder
        dir: PathBuf,
    },
    /// Play the phrases in this order; all that play must be named
    Order {
        /// The session folder
        dir: PathBuf,
        /// Numbers of `assemble list`, or phr_… ids
        #[arg(required = true)]
        phrases: Vec<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Find takes of the same phrase, or name them
    Duplicates {
        /// The session folder
        dir: PathBuf,
        /// Takes of one phrase, by the numbers of `assemble list` or their phr_… ids; omitted: they are found
        takes: Vec<String>,
        /// Find takes of this phrase alone; give it once for each phrase
        #[arg(long, value_name = "PHRASE", conflicts_with = "takes")]
        of: Vec<String>,
        /// The one that plays; alone it is a take that is known: 3.2 is the second take of phrase 3
        #[arg(long, value_name = "PHRASE", conflicts_with = "of")]
        keep: Option<String>,
        /// Why that one
        #[arg(long, value_name = "WORDS", requires = "keep")]
        reason: Option<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Take phrases out
    Remove {
        /// The session folder
        dir: PathBuf,
        /// Numbers of `assemble list`, or phr_… ids
        #[arg(required = true)]
        phrases: Vec<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Put phrases back that were taken out
    Restore {
        /// The session folder
        dir: PathBuf,
        /// Their phr_… ids, or 3.2 for the second take of phrase 3
        #[arg(required = true)]
        phrases: Vec<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Cut fillers, shorten long pauses, cut false starts
    #[command(after_help = "Examples:
  deskhand assemble tighten talk.deskhand
  deskhand assemble tighten talk.deskhand --pauses-over 1.5 --pause-to 0.6
  deskhand assemble tighten talk.deskhand --yes   # cuts that nobody heard are left out
  deskhand assemble tighten talk.deskhand --yes --unheard")]
    Tighten {
        /// The session folder
        dir: PathBuf,
        /// Clips or tracks; omitted: all
        targets: Vec<String>,
        /// Leave "um" and "uh" in
        #[arg(long)]
        keep_fillers: bool,
        /// Leave sentences in that are begun and begun again
        #[arg(long)]
        keep_false_starts: bool,
        /// Leave long pauses as they are
        #[arg(long, conflicts_with_all = ["pauses_over", "pause_to"])]
        keep_pauses: bool,
        /// Shorten pauses longer than this, seconds
        #[arg(long, value_name = "SECONDS", value_parser = finite)]
        pauses_over: Option<f64>,
        /// What is left of a long pause, seconds
        #[arg(long, value_name = "SECONDS", value_parser = finite)]
        pause_to: Option<f64>,
        /// Put room tone in place of fillers and false starts, so that the timing stays
        #[arg(long)]
        room_tone: bool,
        /// Cut only the named tracks and their groups; the others stay as they are
        #[arg(long)]
        alone: bool,
        #[command(flatten)]
        ahead: Ahead,
    },
    /// Say that the edit is done
    Finish {
        /// The session folder
        dir: PathBuf,
        /// What was done, in a sentence or two
        summary: String,
        #[command(flatten)]
        decided: Decided,
    },
    /// Write the edit for other programs and people, or the mix of it
    #[command(after_help = "Examples:
  deskhand assemble export talk.deskhand talk.otio
  deskhand assemble export talk.deskhand labels.txt --format audacity
  deskhand assemble export talk.deskhand talk.txt --pseudonyms
  deskhand assemble export talk.deskhand talk.wav   # the mix, with a report of its loudness beside it")]
    Export {
        /// The session folder
        dir: PathBuf,
        /// The file
        file: PathBuf,
        /// The kind of file; omitted: by its ending (.otio, .csv, .srt, .vtt, .txt for the transcript, or .wav, .flac,
        /// .opus or .mp3 for the mix)
        #[arg(long, value_enum)]
        format: Option<AssemblyFormat>,
        /// Write Speaker 1, Speaker 2 … in place of names
        #[arg(long)]
        pseudonyms: bool,
        #[command(flatten)]
        decided: Decided,
    },
}

/// Whether the person decided ahead.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Decided {
    /// Apply without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
}

/// How words are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchType {
    /// These words, one after another, whatever their punctuation
    #[default]
    Exact,
    /// Words that begin so
    Startswith,
    /// These letters anywhere, also inside of words
    Contains,
    /// Words that end so
    Endswith,
    /// What a regular expression fits
    Regex,
}

/// By what two texts are like each other.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Measure {
    /// The same letters
    Letters,
    /// The same meaning (English)
    Meaning,
}

/// What becomes a coded segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unit {
    /// The words alone
    #[default]
    Match,
    /// The sentence around them
    Sentence,
    /// All that the speaker says there
    Turn,
}

/// Which report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Report {
    /// How often each code is used
    #[default]
    Counts,
    /// Codes on the same words
    Cooccurrence,
    /// Coded segments that overlap
    Overlaps,
    /// What is said under each code
    Quotes,
    /// How far coders agree (Cohen's kappa)
    Agreement,
}

/// Kinds of files of an assembly.
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
    /// What is heard, as .wav, .flac, .opus or .mp3
    Mix,
}
