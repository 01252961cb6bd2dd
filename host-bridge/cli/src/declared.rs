//! The tools of this program, and the commands that they declare.

mod arguments;

pub(crate) use arguments::{number, value};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use deskhand_bridge::all_tools;
use deskhand_session::command_line::Reads;
use deskhand_session::offers::Gesture;
use deskhand_toolkit::{CommandLine, Registry, ToolSpec, Trust};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The session folder among the arguments of a declared command.
const SESSION: &str = "session folder";

static OWN: LazyLock<Vec<ToolSpec>> =
    LazyLock::new(|| all_tools().iter().map(|tool| tool.spec().clone()).collect());
/// Those that the bridge runs itself.
static OF_BRIDGE: LazyLock<Vec<ToolSpec>> =
    LazyLock::new(|| deskhand_bridge::specs(&Registry::default()).into_iter().cloned().collect());

/// Every tool of this program itself.
pub(crate) fn built_in() -> Registry {
    Registry::new(all_tools())
}

/// A command with the tool that declares it.
#[derive(Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) spec: &'static ToolSpec,
    pub(crate) line: &'static CommandLine,
}

/// Every command that a tool declares.
pub(crate) fn all() -> impl Iterator<Item = Declared> {
    let specs = OWN.iter().chain(OF_BRIDGE.iter());
    specs.flat_map(|spec| spec.commands.iter().map(move |line| Declared { spec, line }))
}

/// The declaration of the command with these words. If there are several, `file` chooses by its ending.
pub(crate) fn declared(words: &str, file: Option<&Path>) -> Option<Declared> {
    let ending = file.and_then(Path::extension).and_then(OsStr::to_str).unwrap_or_default();
    let is_for = |endings: &[&str]| endings.iter().any(|known| known.eq_ignore_ascii_case(ending));
    let mut found = all().filter(|it| it.line.words == words);
    found.find(|it| file.is_none() || it.line.endings.is_empty() || is_for(it.line.endings))
}

/// The tool that declares the command with these words.
pub(crate) fn tool(words: &str) -> &'static str {
    declared(words, None).map_or("", |declared| declared.spec.name)
}

/// The tool that does what a person does in the window so.
pub(crate) fn by(gesture: Gesture) -> &'static str {
    let found = OWN.iter().find(|spec| spec.offers.gesture == Some(gesture));
    found.map_or("", |spec| spec.name)
}

/// What a tool says of itself.
pub(crate) fn spec(tool: &str) -> Option<&'static ToolSpec> {
    OWN.iter().chain(OF_BRIDGE.iter()).find(|spec| spec.name == tool)
}

/// The command that calls a tool: its own, or the general one for a tool that plans.
pub(crate) fn usage(tool: &str) -> Option<String> {
    let own = spec(tool)?.commands.first().map(CommandLine::usage);
    let plans = || OWN.iter().any(|spec| spec.name == tool);
    own.or_else(|| plans().then(|| format!("deskhand plan DIR {tool}")))
}

/// A program's commands with the declared ones that it lacks.
pub(crate) fn with_declared(program: Command) -> Command {
    let has = |parent: &Command, name: &str| parent.find_subcommand(name).is_some();
    all().fold(program, |program, declared| match declared.line.words.split_once(' ') {
        Some((group, name)) if has(&program, group) => {
            program.mut_subcommand(group, |group| match has(&group, name) {
                true => group,
                false => group.subcommand(declared.command(name)),
            })
        }
        None if !has(&program, declared.line.words) => {
            program.subcommand(declared.command(declared.line.words))
        }
        Some(_) | None => program,
    })
}

impl Declared {
    fn command(self, name: &'static str) -> Command {
        let Self { spec, line } = self;
        let dir = Arg::new(SESSION).value_name("DIR").help("The session folder").required(true);
        let dir = dir.value_parser(value_parser!(PathBuf));
        let command = self.with_arguments(Command::new(name).about(line.about).arg(dir));
        let flag = |name| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let yes = flag("yes").short('y').help("Apply without asking");
        let help = "With --yes: also apply cuts that nobody heard yet, such as fillers";
        let unheard = flag("unheard").requires("yes").help(help);
        let writes = line.arguments.iter().any(|argument| argument.reads == Reads::Path);
        let asks = spec.trust != Trust::Autonomous || writes;
        let command = command.args(asks.then_some(yes)).args(line.has_unheard.then_some(unheard));
        match line.examples {
            "" => command,
            examples => {
                command.after_help(format!("Examples:\n  {}", examples.replace('\n', "\n  ")))
            }
        }
    }

    /// The command with the declared arguments.
    pub(crate) fn with_arguments(self, command: Command) -> Command {
        let Self { spec, line } = self;
        command.args(line.arguments.iter().map(|argument| arguments::built(spec, argument)))
    }
}

/// A declared command, as it was typed.
pub(crate) struct Called {
    words: String,
    pub(crate) typed: ArgMatches,
}

impl Called {
    /// The command, if it has no code of its own in this program.
    pub(crate) fn of(typed: &ArgMatches) -> Option<Self> {
        let (mut words, mut typed) = (Vec::new(), typed);
        while let Some((name, of_name)) = typed.subcommand() {
            words.push(name);
            typed = of_name;
        }
        let is_declared = matches!(typed.try_contains_id(SESSION), Ok(true));
        is_declared.then(|| Self { words: words.join(" "), typed: typed.clone() })
    }

    /// The session folder.
    pub(crate) fn dir(&self) -> &Path {
        self.typed.get_one::<PathBuf>(SESSION).map_or(Path::new("."), PathBuf::as_path)
    }

    /// Whether a flag is there and given.
    pub(crate) fn has(&self, flag: &str) -> bool {
        matches!(self.typed.try_get_one::<bool>(flag), Ok(Some(true)))
    }

    /// The declaration; if there are several, the one for the file that was typed.
    ///
    /// # Errors
    /// The endings of the files that there are declarations for, if it is none of those.
    pub(crate) fn declared(&self) -> Result<Declared, Vec<&'static str>> {
        let file = self.typed.try_get_one::<PathBuf>("FILE").ok().flatten();
        declared(&self.words, file.map(PathBuf::as_path)).ok_or_else(|| {
            let same = all().filter(|it| it.line.words == self.words);
            same.flat_map(|it| it.line.endings).copied().collect()
        })
    }
}
