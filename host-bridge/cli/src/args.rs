//! What can be typed.

mod models;
pub(crate) mod number;
mod providers;
mod tools;
pub(crate) mod words;

pub(crate) use models::ModelsCommand;
pub(crate) use providers::ProvidersCommand;
pub(crate) use tools::{Like, ToolsCommand};

use crate::ahead::Ahead;
use crate::commands::mcp::{Client, Tools as McpTools};
use clap::{Parser, Subcommand, ValueEnum};
use deskhand_session::SessionId;
use std::net::SocketAddr;
use std::path::PathBuf;
use words::{AssembleCommand, CodesCommand, TranscribeArgs, WordsCommand};

const EXAMPLES: &str = "Examples:
  deskhand measure *.wav
  deskhand ask interview.wav \"normalize to -16 LUFS\"
  deskhand new song.deskhand
  deskhand import song.deskhand drums.wav bass.wav vocals.flac
  deskhand ask song.deskhand \"gain-stage everything to -18\"

Exit codes: 0 done, 1 failed or rolled back, 2 usage, 3 a decision is needed, 4 the session moved on.";

/// A hand at your mixing desk: say what you want, see the plan with its measurements, take it or leave it.
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
  deskhand measure --json *.flac | jq '.[].integrated_lufs'")]
    Measure {
        /// Audio files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Make a session folder
    #[command(after_help = "Example:\n  deskhand new song.deskhand --rate 44100")]
    New {
        /// The folder, used exactly as given; it must not exist, or be empty
        dir: PathBuf,
        /// The session's sample rate in Hz
        #[arg(long, default_value_t = 48_000)]
        rate: u32,
        /// What a host's project kept of a session that is not here, as JSON: its id and its tracks
        #[arg(long, value_name = "JSON", hide = true)]
        seed: Option<String>,
    },
    /// Look for a session whose folder was moved, for hosts' projects that name it
    #[command(hide = true)]
    Locate {
        /// The session's id
        session: SessionId,
        /// The folder where it was last
        #[arg(long, value_name = "DIR")]
        was: Option<PathBuf>,
    },
    /// Bring audio files into a session
    #[command(after_help = "Examples:
  deskhand import song.deskhand drums.wav bass.wav     one track a file, all at the start
  deskhand import talk.deskhand part1.mp3 part2.mp3 --track Host     one after the other
  deskhand import film.deskhand boom.wav --at origin   where its time stamp says")]
    Import {
        /// The session folder
        dir: PathBuf,
        /// Audio files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Put all files on this track, one after the other
        #[arg(long, value_name = "NAME")]
        track: Option<String>,
        /// Where to start: seconds, or `origin` for the time stamp in the file
        #[arg(long, value_name = "SECONDS|origin", allow_hyphen_values = true)]
        at: Option<String>,
        /// One track for each channel
        #[arg(long)]
        split_channels: bool,
        /// Of a film only this audio track, counted from 1; may be repeated
        #[arg(long = "audio-track", value_name = "N")]
        audio_tracks: Vec<u16>,
        /// Only into the library, without clips
        #[arg(long, conflicts_with_all = ["track", "at"])]
        library: bool,
    },
    /// Show tracks, clips, sources, markers, groups, selection and revision
    #[command(after_help = "Example:\n  deskhand show song.deskhand --json | jq '.tracks[].name'")]
    Show {
        /// The session folder
        dir: PathBuf,
    },
    /// List the tools, or show one with its parameters; add tools of your own
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
    /// List, install and remove the models that heavy tools work with
    #[command(after_help = "Examples:
  deskhand models list
  deskhand models show spleeter-2stems
  deskhand models install spleeter-2stems
  deskhand models add ~/Downloads/vocals.onnx

Models are in your folder for data (or the one that DESKHAND_MODELS names). Only `install` uses the network.")]
    Models {
        #[command(subcommand)]
        command: ModelsCommand,
    },
    /// Choose who answers: a provider, its model and its key
    #[command(after_help = "Examples:
  deskhand providers list
  deskhand providers key claude < key.txt
  deskhand providers test claude
  deskhand providers use claude --model claude-sonnet-4-5
  deskhand providers use offline

Providers are named in config.toml in your folder for configuration. Only `test` uses the network.")]
    Providers {
        #[command(subcommand)]
        command: ProvidersCommand,
    },
    /// Have a tool make a plan; nothing changes
    #[command(after_help = "Examples:
  deskhand plan song.deskhand tool_normalize targets=all target_lufs=-16
  deskhand plan song.deskhand tool_gain_stage --params '{\"targets\": [\"Drums\", \"Bass\"]}'
  deskhand plan song.deskhand cmd_set_track_gain targets=Bass gain_db=-3 -o plan.json
  deskhand plan talk.deskhand tool_transcribe targets=all model=service --yes   # sends the sound

What reaches outside of the session, by sending sound, starting a program or writing a file, is asked about first.")]
    Plan {
        /// The session folder
        dir: PathBuf,
        /// Name of a tool; see `deskhand tools`
        tool: String,
        /// Parameters as key=value; a value is JSON, or else text
        #[arg(value_name = "KEY=VALUE")]
        values: Vec<String>,
        /// Parameters as one JSON object
        #[arg(long, value_name = "JSON")]
        params: Option<String>,
        /// Also write the plan to this file
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Let it reach outside of the session without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// List the plans of a session and what became of them, or show one
    #[command(after_help = "Examples:
  deskhand plans song.deskhand
  deskhand plans song.deskhand plan_0123456789ab")]
    Plans {
        /// The session folder
        dir: PathBuf,
        /// Id of a plan to show whole
        plan: Option<String>,
    },
    /// Apply a plan, or a part of it
    #[command(after_help = "Examples:
  deskhand apply song.deskhand
  deskhand apply song.deskhand plan_0123456789ab
  deskhand apply song.deskhand plan.json --only c1,c3 --set c1=-2.5 --yes
  deskhand apply talk.deskhand --only p1,p3   # of a plan in parts: planned anew, shown, then asked
  deskhand apply talk.deskhand --yes   # but cuts of fillers, which nobody heard
  deskhand apply talk.deskhand --yes --unheard")]
    Apply {
        /// The session folder
        dir: PathBuf,
        /// A plan file, or the id of a stored plan; omitted: the one that waits
        plan: Option<String>,
        /// Only these changes, with what they need, or these parts of a plan that has some
        #[arg(long, value_delimiter = ',', value_name = "IDS")]
        only: Option<Vec<String>>,
        /// Another value for a change
        #[arg(long, value_name = "ID=VALUE")]
        set: Vec<String>,
        #[command(flatten)]
        ahead: Ahead,
    },
    /// Reject a plan; it stays readable with the reason
    #[command(after_help = "Example:
  deskhand reject song.deskhand --reason \"keep the vocal where it is\"")]
    Reject {
        /// The session folder
        dir: PathBuf,
        /// A plan file, or the id of a stored plan; omitted: the one that waits
        plan: Option<String>,
        /// Why
        #[arg(long)]
        reason: String,
    },
    /// Take back the last step, and say which
    #[command(after_help = "Example:\n  deskhand undo song.deskhand")]
    Undo {
        /// The session folder
        dir: PathBuf,
    },
    /// Do the last undone step again
    #[command(after_help = "Example:\n  deskhand redo song.deskhand")]
    Redo {
        /// The session folder
        dir: PathBuf,
    },
    /// List every step of the session
    #[command(after_help = "Example:\n  deskhand log song.deskhand")]
    Log {
        /// The session folder
        dir: PathBuf,
    },
    /// Render the mix to a WAV file, as it is or as a plan would leave it
    #[command(after_help = "Examples:
  deskhand render song.deskhand mix.wav
  deskhand render song.deskhand planned.wav --plan plan_0123456789ab
  deskhand render song.deskhand mix.wav --bits 32f --stems stems --range 12.5..60")]
    Render {
        /// The session folder
        dir: PathBuf,
        /// The WAV file; one that is there is replaced
        out: PathBuf,
        /// Render what this plan would leave, without applying it
        #[arg(long, value_name = "PLAN")]
        plan: Option<String>,
        /// Also write one file a track into this folder
        #[arg(long, value_name = "DIR")]
        stems: Option<PathBuf>,
        /// Sample format
        #[arg(long, value_enum, default_value_t = Bits::B24)]
        bits: Bits,
        /// A part of the timeline, in seconds; either end may be left out
        #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
        range: Option<String>,
        /// Taken here as elsewhere; nothing is asked
        #[arg(long = "yes", short = 'y', hide = true)]
        _yes: bool,
    },
    /// Ask in plain words: understood here without a network, or by a model
    #[command(after_help = "Examples:
  deskhand ask talk.deskhand \"normalize the dialogue to -16 LUFS and gain-stage the music to -18\"
  deskhand ask talk.deskhand \"what's loudest?\"
  deskhand ask talk.deskhand \"what did Anna say about money?\"
  deskhand ask talk.deskhand \"move phrase 3 up, then remove phrase 4\"
  deskhand ask talk.deskhand \"use the other take\"
  deskhand ask talk.deskhand \"export the edit as csv to cut.csv\"
  deskhand ask talk.deskhand \"cut the ums\" --yes --unheard
  deskhand ask interview.wav \"normalize to -16 LUFS with peaks below -1 dBTP\" --yes
  deskhand ask talk.deskhand \"make the guest as loud as the host\" --provider claude

Providers are named in ~/.config/deskhand/config.toml (or the file that DESKHAND_CONFIG names).")]
    Ask {
        /// A session folder, or an audio file: then a session is made beside it
        target: PathBuf,
        /// What you want
        words: String,
        /// Let this provider of the configuration answer
        #[arg(long, value_name = "NAME")]
        provider: Option<String>,
        #[command(flatten)]
        ahead: Ahead,
    },
    /// Talk about a session with a model, and decide on its plans
    #[command(after_help = "Examples:
  deskhand chat talk.deskhand
  deskhand chat talk.deskhand --provider claude

On a terminal you decide with one key. Elsewhere each line of the input is said, and plans wait: exit code 3.
Providers are named in ~/.config/deskhand/config.toml (or the file that DESKHAND_CONFIG names); without
one the words are understood here, without a network.")]
    Chat {
        /// The session folder
        dir: PathBuf,
        /// Which provider of the configuration answers
        #[arg(long, value_name = "NAME")]
        provider: Option<String>,
        /// Also follow the table `policy` of this file
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
        /// Send nothing off this machine
        #[arg(long)]
        local_only: bool,
    },
    /// Write down what is said
    #[command(after_help = "Examples:
  deskhand transcribe interview.wav
  deskhand transcribe interview.wav -o interview.srt --language en
  deskhand transcribe talk.deskhand Host Guest

It needs a model: `deskhand models install whisper-tiny`. Stopped and called again, it goes on where it was.
A transcript that you have already is read by `deskhand words import`.")]
    Transcribe(TranscribeArgs),
    /// Read, search and write what is said, and mark who says it
    #[command(after_help = "Examples:
  deskhand words import talk.deskhand interview.srt --of Interview
  deskhand words search talk.deskhand how much there might be
  deskhand words speakers talk.deskhand --by track
  deskhand words rename talk.deskhand \"Speaker 1\" Anna
  deskhand words show talk.deskhand
  deskhand words export talk.deskhand interview.vtt")]
    Words {
        #[command(subcommand)]
        command: WordsCommand,
    },
    /// Label what is said with the codes of a codebook, and count and quote it
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
    /// Edit spoken takes by their phrases: order, retakes, removed phrases, pauses
    #[command(after_help = "Examples:
  deskhand assemble phrases talk.deskhand
  deskhand assemble list talk.deskhand
  deskhand assemble duplicates talk.deskhand
  deskhand assemble duplicates talk.deskhand --of 3 --of 7
  deskhand assemble duplicates talk.deskhand --keep 3.2   # the second take of phrase 3
  deskhand assemble order talk.deskhand 2 1 3
  deskhand assemble tighten talk.deskhand --pauses-over 1.5 --pause-to 0.6
  deskhand undo talk.deskhand   # takes back the last of these steps
  deskhand assemble export talk.deskhand talk.otio")]
    Assemble {
        #[command(subcommand)]
        command: AssembleCommand,
    },
    /// Serve a session to windows, chats, plugins and AI clients until Ctrl-C
    #[command(after_help = "Examples:
  deskhand serve song.deskhand
  deskhand serve song.deskhand --linger 30 --policy unattended.toml

Commands on a session that is being served go through its hub, so everybody sees them at once.")]
    Serve {
        /// The session folder
        dir: PathBuf,
        /// Also follow the table `policy` of this file
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
        /// End this long after the last front end left
        #[arg(long, value_name = "SECONDS", value_parser = number::finite)]
        linger: Option<f64>,
        /// Send nothing off this machine
        #[arg(long)]
        local_only: bool,
        /// Go on in the background, and return once front ends can come
        #[arg(long)]
        background: bool,
    },
    /// Serve a session, or folders of sessions, to an AI client (MCP)
    ///
    /// The client can read, measure and plan. It cannot approve: plans wait for you, in a chat, a window, or
    /// with `deskhand apply`.
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Examples:
  deskhand mcp talk.deskhand
  deskhand mcp --in ~/Music/sessions
  deskhand mcp talk.deskhand --http 127.0.0.1:8765
  deskhand mcp setup claude-code talk.deskhand"
    )]
    Mcp {
        #[command(subcommand)]
        setup: Option<McpCommand>,
        /// The session folder
        dir: Option<PathBuf>,
        /// A folder whose sessions may be opened; may be given more than once
        #[arg(long = "in", value_name = "FOLDER")]
        folders: Vec<PathBuf>,
        /// Serve over HTTP on a loopback address instead of stdin and stdout
        #[arg(long, value_name = "ADDRESS:PORT")]
        http: Option<SocketAddr>,
        /// Which tools are listed
        #[arg(long, value_enum, default_value_t)]
        tools: McpTools,
        /// Never open a window for a plan that waits
        #[arg(long)]
        no_window: bool,
        /// Apply what the table `policy` of this file allows, without asking
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
        /// Ask the person at the client what a model asks the person, while no window is attached; it decides nothing
        #[arg(long)]
        elicit: bool,
        /// Add what the conformance suite asks for
        #[arg(long, hide = true)]
        fixtures: bool,
    },
    /// Check a session's history and media; never writes to it
    #[command(after_help = "Examples:
  deskhand doctor song.deskhand
  deskhand doctor                     every session in this folder
  deskhand doctor song.deskhand --repair-to rescued.deskhand
  deskhand doctor --remove-unused")]
    Doctor {
        /// The session folder; omitted: this folder, or every session in it
        dir: Option<PathBuf>,
        /// Save what is whole into a new session folder
        #[arg(long, value_name = "DIR", requires = "dir")]
        repair_to: Option<PathBuf>,
        /// Remove the sessions that a DAW made by itself and nobody worked in
        #[arg(long, conflicts_with = "dir")]
        remove_unused: bool,
        /// Remove them without a question
        #[arg(long, requires = "remove_unused")]
        yes: bool,
    },
    /// Put the plugin, the app and this program where your DAW and your shell find them
    #[command(after_help = "Examples:
  ./deskhand install
  deskhand install --remove

What lies beside this program is copied, for your user alone; nothing else on this machine is touched.")]
    Install {
        /// Take away what was installed; sessions and settings stay
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

/// What `deskhand mcp` does beside serving.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Show what an AI client needs in its configuration, and write it after a yes
    Setup {
        /// The client
        client: Client,
        /// The session folder
        dir: Option<PathBuf>,
        /// Write without asking
        #[arg(long, short)]
        yes: bool,
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
