//! The command line: commands, arguments and help texts.

#[cfg(feature = "mcp")]
pub(crate) mod mcp;
mod models;
pub(crate) mod number;
mod providers;
mod tools;
pub(crate) mod words;

pub(crate) use models::ModelsCommand;
pub(crate) use providers::ProvidersCommand;
pub(crate) use tools::{Like, ToolsCommand};

use crate::advance_approval::Ahead;
use clap::{Parser, Subcommand, ValueEnum};
use deskhand_session::SessionId;
use std::path::PathBuf;
use words::{AssembleCommand, CodesCommand, TranscribeArgs, WordsCommand};

const EXAMPLES: &str = "Examples:
  To bring a folder of recordings to -16 LUFS and export one file per recording:
    deskhand new talk.deskhand
    deskhand import talk.deskhand recordings
    deskhand ask talk.deskhand \"bring every track to -16 LUFS\" --yes
    deskhand render talk.deskhand mix.wav --stems exported

  To measure files, or to change one file in plain words:
    deskhand measure recordings/*.wav
    deskhand ask interview.wav \"normalize to -16 LUFS\"

`deskhand COMMAND --help` shows options and examples of a command.
Exit codes: 0 done, 1 failed or rolled back, 2 usage, 3 a decision is needed, 4 the session has changed.";

/// Mix and edit audio in plain words: Deskhand measures and plans, and you decide.
#[derive(Debug, Parser)]
#[command(name = "deskhand", version, after_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// Write JSON for programs instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure the loudness of audio files
    #[command(after_help = "Examples:
  deskhand measure mix.wav
  deskhand measure recordings/*.wav
  deskhand measure --json *.flac | jq '.[].integrated_lufs'")]
    Measure {
        /// Audio files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Make a session folder
    #[command(after_help = "Examples:
  deskhand new talk.deskhand
  deskhand new song.deskhand --rate 44100
  deskhand new example.deskhand --example   # an interview to try things on

Next, import recordings: deskhand import talk.deskhand recordings")]
    New {
        /// The new folder; if it exists, it must be empty
        dir: PathBuf,
        /// The session's sample rate in Hz
        #[arg(long, default_value_t = 48_000)]
        rate: u32,
        /// Begin with the example interview: two voices with their words, and music
        #[arg(long)]
        example: bool,
        /// The id and tracks that a host's project kept of a missing session, as JSON
        #[arg(long, value_name = "JSON", hide = true)]
        seed: Option<String>,
    },
    /// Look for a session whose folder was moved, for a host's project that names it
    #[command(hide = true)]
    Locate {
        /// The session's id
        session: SessionId,
        /// The session's last known folder
        #[arg(long, value_name = "DIR")]
        was: Option<PathBuf>,
    },
    /// Open a DAW's project in a new session
    #[command(after_help = "Examples:
  deskhand open song.RPP                 # makes the session song.deskhand next to it
  deskhand open song.RPP work.deskhand

The audio stays where it is, and the project is not changed.
Next, ask for changes, then write them into a copy of the project:
  deskhand ask song.deskhand \"turn the vocals down by 2 dB\" --yes
  deskhand write song.deskhand")]
    Open {
        /// The project file: REAPER (.RPP), Ardour (.ardour), or .dawproject of Bitwig, Studio One or Cubase
        file: PathBuf,
        /// The new session folder; omitted: next to the project
        dir: Option<PathBuf>,
    },
    /// Import audio files or folders into a session
    #[command(after_help = "Examples:
  deskhand import talk.deskhand recordings             # a folder: one track per file, all at the start
  deskhand import talk.deskhand part1.mp3 part2.mp3 --track Host   # one after the other
  deskhand import film.deskhand boom.wav --at origin   # at the time stamp in the file

Next, change the level: deskhand ask talk.deskhand \"bring every track to -16 LUFS\"")]
    Import {
        /// The session folder
        dir: PathBuf,
        /// Audio files, or folders of them
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Put all files on this track, one after the other
        #[arg(long, value_name = "NAME")]
        track: Option<String>,
        /// The start in seconds, or `origin` for the time stamp in the file
        #[arg(long, value_name = "SECONDS|origin", allow_hyphen_values = true)]
        at: Option<String>,
        /// Make one track per channel
        #[arg(long)]
        split_channels: bool,
        /// Import only this audio track of a film, counted from 1; may be repeated
        #[arg(long = "audio-track", value_name = "N")]
        audio_tracks: Vec<u16>,
        /// Import into the library only, without clips
        #[arg(long, conflicts_with_all = ["track", "at"])]
        library: bool,
    },
    /// Show a session: tracks, clips, sources, markers, groups, selection and revision
    #[command(after_help = "Example:\n  deskhand show song.deskhand --json | jq '.tracks[].name'")]
    Show {
        /// The session folder
        dir: PathBuf,
    },
    /// List the tools, show one with its parameters, or add your own
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Examples:
  deskhand tools
  deskhand tools tool_normalize --json
  deskhand tools new my_tool
  deskhand tools new pitch_and_time --like pitch-and-time
  deskhand tools check ~/.config/deskhand/tools/my_tool.deskhand-tool.toml"
    )]
    Tools {
        #[command(subcommand)]
        what: Option<ToolsCommand>,
        /// Name of a tool
        name: Option<String>,
    },
    /// List, install and remove models for speech and stems
    #[command(after_help = "Examples:
  deskhand models list
  deskhand models show spleeter-2stems
  deskhand models install spleeter-2stems
  deskhand models add ~/Downloads/vocals.onnx

Models are in your data folder, or in the folder DESKHAND_MODELS names. Only `install` uses the network.")]
    Models {
        #[command(subcommand)]
        command: ModelsCommand,
    },
    /// Choose the AI provider that answers, with its model and key
    #[command(after_help = "Examples:
  deskhand providers list
  deskhand providers key claude < key.txt
  deskhand providers test claude
  deskhand providers use claude --model claude-sonnet-4-5
  deskhand providers use offline

Your providers are in config.toml in your configuration folder. Only `test` uses the network.")]
    Providers {
        #[command(subcommand)]
        command: ProvidersCommand,
    },
    /// Make a plan with a tool; the session does not change
    #[command(after_help = "Examples:
  deskhand plan song.deskhand tool_normalize targets=all target_lufs=-16
  deskhand plan song.deskhand tool_gain_stage --params '{\"targets\": [\"Drums\", \"Bass\"]}'
  deskhand plan song.deskhand cmd_set_track_gain targets=Bass gain_db=-3 -o plan.json
  deskhand plan talk.deskhand tool_transcribe targets=all model=service --yes   # sends the sound

Deskhand asks before a tool sends sound, starts a program or writes a file.")]
    Plan {
        /// The session folder
        dir: PathBuf,
        /// Name of a tool, from `deskhand tools`
        tool: String,
        /// Parameters as key=value; a value is JSON or text
        #[arg(value_name = "KEY=VALUE")]
        values: Vec<String>,
        /// Parameters as one JSON object
        #[arg(long, value_name = "JSON")]
        params: Option<String>,
        /// Also write the plan to this file
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Let the tool work outside the session without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// List the plans of a session with their states, or show one
    #[command(after_help = "Examples:
  deskhand plans song.deskhand
  deskhand plans song.deskhand plan_0123456789ab")]
    Plans {
        /// The session folder
        dir: PathBuf,
        /// Id of the plan to show in full
        plan: Option<String>,
    },
    /// Apply a plan or a part of a plan
    #[command(after_help = "Examples:
  deskhand apply song.deskhand
  deskhand apply song.deskhand plan_0123456789ab
  deskhand apply song.deskhand plan.json --only c1,c3 --set c1=-2.5 --yes
  deskhand apply talk.deskhand --only p1,p3   # some parts: planned alone, shown, then asked
  deskhand apply talk.deskhand --yes   # leaves out cuts that nobody heard
  deskhand apply talk.deskhand --yes --unheard")]
    Apply {
        /// The session folder
        dir: PathBuf,
        /// A plan file, or the id of a stored plan (default: the plan that waits)
        plan: Option<String>,
        /// Apply only these changes and the changes they need, or only these parts of the plan
        #[arg(long, value_delimiter = ',', value_name = "IDS")]
        only: Option<Vec<String>>,
        /// Set the value of a change, such as c1=-2.5
        #[arg(long, value_name = "ID=VALUE")]
        set: Vec<String>,
        #[command(flatten)]
        ahead: Ahead,
    },
    /// Reject a plan; it is kept with the reason
    #[command(after_help = "Example:
  deskhand reject song.deskhand --reason \"keep the vocal where it is\"")]
    Reject {
        /// The session folder
        dir: PathBuf,
        /// A plan file, or the id of a stored plan (default: the plan that waits)
        plan: Option<String>,
        /// Why you reject the plan
        #[arg(long)]
        reason: String,
    },
    /// Undo the last step and name it
    #[command(after_help = "Example:\n  deskhand undo song.deskhand")]
    Undo {
        /// The session folder
        dir: PathBuf,
    },
    /// Redo the last undone step
    #[command(after_help = "Example:\n  deskhand redo song.deskhand")]
    Redo {
        /// The session folder
        dir: PathBuf,
    },
    /// List the steps of a session
    #[command(after_help = "Example:\n  deskhand log song.deskhand")]
    Log {
        /// The session folder
        dir: PathBuf,
    },
    /// Render the mix to a WAV file, and each track with --stems
    #[command(after_help = "Examples:
  deskhand render talk.deskhand mix.wav
  deskhand render talk.deskhand mix.wav --stems exported   # the mix, and one file per track in exported/
  deskhand render song.deskhand planned.wav --plan plan_0123456789ab
  deskhand render song.deskhand mix.wav --bits 32f --stems stems --range 12.5..60")]
    Render {
        /// The session folder
        dir: PathBuf,
        /// The WAV file; an existing file is replaced
        out: PathBuf,
        /// Render as if this plan were applied
        #[arg(long, value_name = "PLAN")]
        plan: Option<String>,
        /// Also write one WAV file per track into this folder
        #[arg(long, value_name = "DIR")]
        stems: Option<PathBuf>,
        /// Sample format
        #[arg(long, value_enum, default_value_t = Bits::B24)]
        bits: Bits,
        /// Render this part of the timeline, in seconds; A or B may be omitted
        #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
        range: Option<String>,
        /// Accepted as in other commands; `render` never asks
        #[arg(long = "yes", short = 'y', hide = true)]
        _yes: bool,
    },
    /// Ask for a change or an answer in plain words
    #[command(after_help = "Examples:
  deskhand ask talk.deskhand \"bring every track to -16 LUFS\"         # shows the plan, then asks
  deskhand ask talk.deskhand \"bring every track to -16 LUFS\" --yes   # applies the plan
  deskhand ask talk.deskhand \"normalize the dialogue to -16 LUFS and gain-stage the music to -18\"
  deskhand ask talk.deskhand \"what's loudest?\"
  deskhand ask talk.deskhand \"what did Anna say about money?\"
  deskhand ask talk.deskhand \"move phrase 3 up, then remove phrase 4\"
  deskhand ask talk.deskhand \"use the other take\"
  deskhand ask talk.deskhand \"export the edit as csv to cut.csv\"
  deskhand ask talk.deskhand \"cut the ums\" --yes --unheard
  deskhand ask interview.wav \"normalize to -16 LUFS with peaks below -1 dBTP\" --yes
  deskhand ask talk.deskhand \"make the guest as loud as the host\" --provider claude

Without a provider Deskhand understands plain requests by itself and uses no network.
Providers are in ~/.config/deskhand/config.toml, or in the file DESKHAND_CONFIG names.
To export afterwards: deskhand render talk.deskhand mix.wav --stems exported")]
    Ask {
        /// A session folder, or an audio file (Deskhand makes a session next to the file)
        target: PathBuf,
        /// Your request, in quotes
        words: String,
        /// Let this configured provider answer
        #[arg(long, value_name = "NAME")]
        provider: Option<String>,
        #[command(flatten)]
        ahead: Ahead,
    },
    /// Talk about a session with a model and decide on its plans
    #[command(after_help = "Examples:
  deskhand chat talk.deskhand
  deskhand chat talk.deskhand --provider claude

On a terminal you decide with one key. If input is piped, each line is a message and plans wait (exit code 3).
Providers are in ~/.config/deskhand/config.toml, or in the file DESKHAND_CONFIG names.
Without a provider Deskhand understands plain requests by itself and uses no network.")]
    Chat {
        /// The session folder
        dir: PathBuf,
        /// Let this configured provider answer
        #[arg(long, value_name = "NAME")]
        provider: Option<String>,
        /// Also follow the `policy` table of this file
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
        /// Send nothing off this machine
        #[arg(long)]
        local_only: bool,
    },
    /// Transcribe the speech in recordings
    #[command(after_help = "Examples:
  deskhand transcribe interview.wav
  deskhand transcribe interview.wav -o interview.srt --language en
  deskhand transcribe talk.deskhand Host Guest

First install a model: deskhand models install whisper-tiny
If you stop a transcription, the same command continues it.
If you have a transcript already, read it with `deskhand words import`.")]
    Transcribe(TranscribeArgs),
    /// Show, search, import and export transcripts, and mark speakers
    #[command(after_help = "Examples:
  deskhand words show talk.deskhand
  deskhand words search talk.deskhand how much there might be
  deskhand words import talk.deskhand interview.srt --of Interview
  deskhand words speakers talk.deskhand --by track
  deskhand words rename talk.deskhand \"Speaker 1\" Anna
  deskhand words export talk.deskhand interview.vtt")]
    Words {
        #[command(subcommand)]
        command: WordsCommand,
    },
    /// Code transcripts with a codebook, and report counts and quotes
    #[command(after_help = "Examples:
  deskhand codes add talk.deskhand Budget --color '#40a060' --description \"money, price, cost\"
  deskhand codes exact talk.deskhand Budget money --unit sentence
  deskhand codes similar talk.deskhand Budget \"how much does it cost\" --threshold 0.4
  deskhand codes report talk.deskhand quotes -o quotes.csv
  deskhand codes export talk.deskhand talk.qdpx")]
    Codes {
        #[command(subcommand)]
        command: CodesCommand,
    },
    /// Edit speech by phrases: reorder, choose takes, remove, shorten pauses
    #[command(after_help = "Examples:
  deskhand assemble phrases talk.deskhand
  deskhand assemble list talk.deskhand
  deskhand assemble duplicates talk.deskhand
  deskhand assemble duplicates talk.deskhand --of 3 --of 7
  deskhand assemble duplicates talk.deskhand --keep 3.2   # the second take of phrase 3
  deskhand assemble order talk.deskhand 2 1 3
  deskhand assemble tighten talk.deskhand --pauses-over 1.5 --pause-to 0.6
  deskhand undo talk.deskhand   # undoes the last step
  deskhand assemble export talk.deskhand talk.otio")]
    Assemble {
        #[command(subcommand)]
        command: AssembleCommand,
    },
    /// Serve a session to windows, chats, plugins and AI clients until Ctrl-C
    #[command(after_help = "Examples:
  deskhand serve song.deskhand
  deskhand serve song.deskhand --linger 30 --policy unattended.toml

Other commands on a served session go through its hub, so everyone sees their changes at once.")]
    Serve {
        /// The session folder
        dir: PathBuf,
        /// Also follow the `policy` table of this file
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
        /// Stop this long after the last window, chat or client left
        #[arg(long, value_name = "SECONDS", value_parser = number::finite)]
        linger: Option<f64>,
        /// Send nothing off this machine
        #[arg(long)]
        local_only: bool,
        /// Keep running in the background; return once the session is served
        #[arg(long)]
        background: bool,
    },
    /// Serve a session, or folders of sessions, to an AI client (MCP)
    ///
    /// The client can read, measure and plan. Only you approve plans: in a chat, in a window, or with
    /// `deskhand apply`.
    #[cfg(feature = "mcp")]
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Examples:
  deskhand mcp talk.deskhand
  deskhand mcp --in ~/Music/sessions
  deskhand mcp talk.deskhand --http 127.0.0.1:8765
  deskhand mcp setup claude-code talk.deskhand"
    )]
    Mcp(mcp::McpArgs),
    /// Check a session's history and media; changes nothing
    #[command(after_help = "Examples:
  deskhand doctor song.deskhand
  deskhand doctor                     # every session in this folder
  deskhand doctor song.deskhand --repair-to rescued.deskhand
  deskhand doctor --remove-unused")]
    Doctor {
        /// The session folder (default: this folder, or every session in this folder)
        dir: Option<PathBuf>,
        /// Save the undamaged parts into a new session folder
        #[arg(long, value_name = "DIR", requires = "dir")]
        repair_to: Option<PathBuf>,
        /// Remove the sessions that a DAW made by itself and nobody worked in
        #[arg(long, conflicts_with = "dir")]
        remove_unused: bool,
        /// Remove them without a question
        #[arg(long, requires = "remove_unused")]
        yes: bool,
    },
    /// Install the plugin, the app and this program for your user
    #[command(after_help = "Examples:
  ./deskhand install
  deskhand install --remove

Run it in the unpacked archive. Your DAW finds the plugin, and your shell finds `deskhand`.")]
    Install {
        /// Uninstall; sessions and settings stay
        #[arg(long)]
        remove: bool,
    },
    /// Print shell completions
    #[command(
        after_help = "Example:\n  deskhand completions bash > ~/.local/share/bash-completion/completions/deskhand"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Sample formats of a rendered file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bits {
    /// 16-bit integer, dithered
    #[value(name = "16")]
    B16,
    /// 24-bit integer, dithered
    #[value(name = "24")]
    B24,
    /// 32-bit float
    #[value(name = "32f")]
    F32,
}
