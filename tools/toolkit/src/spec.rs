//! What a tool says of itself.

use deskhand_session::command_line::{Argument, Reads};
use deskhand_session::intent::Intent;
use deskhand_session::offers::Offers;
use deskhand_session::{Category, CommandLine, ToolEffect, Trust};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;

/// How long a run may take, unless the tool says otherwise.
const SHORT: Duration = Duration::from_secs(10);

/// What a tool says of itself to people and models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolSpec {
    /// `tool_…` or `cmd_…`.
    pub name: &'static str,
    /// A few words.
    pub title: &'static str,
    /// What it does, when to use it, what it returns.
    pub description: String,
    /// Its category in lists.
    pub category: Category,
    /// How far it is trusted.
    pub trust: Trust,
    /// JSON Schema of the parameters.
    pub input_schema: Value,
    /// JSON Schema of the result.
    pub output_schema: Value,
    /// Parameters that work, for help texts.
    pub examples: Vec<Value>,
    /// How people ask for it in plain words; what front ends need of it comes by the tool list.
    #[serde(skip)]
    pub says: Vec<Intent>,
    /// What a call does besides its plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<ToolEffect>,
    /// What models call it too.
    #[serde(skip)]
    pub also_called: &'static [&'static str],
    /// Whether lists that must be short have it.
    #[serde(skip)]
    pub is_core: bool,
    /// The commands that call it on the command line.
    #[serde(skip)]
    pub commands: Vec<CommandLine>,
    /// Where the window offers it.
    #[serde(skip)]
    pub offers: Offers,
    /// How long a run may take.
    #[serde(skip)]
    pub timeout: Duration,
}

impl ToolSpec {
    /// A tool without parameters that is done in a moment.
    #[must_use]
    pub fn new(
        name: &'static str,
        title: &'static str,
        description: impl Into<String>,
        category: Category,
        trust: Trust,
    ) -> Self {
        Self {
            name,
            title,
            description: description.into(),
            category,
            trust,
            input_schema: Value::Null,
            output_schema: json!({"type": "object"}),
            examples: Vec::new(),
            says: Vec::new(),
            effects: Vec::new(),
            also_called: &[],
            is_core: false,
            offers: Offers::default(),
            commands: Vec::new(),
            timeout: SHORT,
        }
    }

    /// The same, with how people ask for it.
    #[must_use]
    pub fn says(mut self, intents: impl IntoIterator<Item = Intent>) -> Self {
        self.says.extend(intents);
        self
    }

    /// The same, with what a call does besides its plan.
    #[must_use]
    pub fn effects(mut self, effects: impl IntoIterator<Item = ToolEffect>) -> Self {
        self.effects.extend(effects);
        self
    }

    /// The same, and models call it by these names too.
    #[must_use]
    pub fn also_called(self, names: &'static [&'static str]) -> Self {
        Self { also_called: names, ..self }
    }

    /// The same; it gives values, so that a second call changes nothing.
    #[must_use]
    pub fn sets(self) -> Self {
        self.effects([ToolEffect::Sets])
    }

    /// The same; it takes sound, objects or words away.
    #[must_use]
    pub fn cuts(self) -> Self {
        self.effects([ToolEffect::Cuts])
    }

    /// The same; it works on the whole of tracks or clips, whatever time is selected.
    #[must_use]
    pub fn on_the_whole(self) -> Self {
        self.effects([ToolEffect::Whole])
    }

    /// The same; it reads files that the session does not name yet.
    #[must_use]
    pub fn reads_files(self) -> Self {
        self.effects([ToolEffect::ReadsFiles])
    }

    /// The same; it writes files outside of the session.
    #[must_use]
    pub fn writes_files(self) -> Self {
        self.effects([ToolEffect::WritesFiles])
    }

    /// The same, with how long a call may take.
    #[must_use]
    pub fn limit(self, limit: Duration) -> Self {
        Self { timeout: limit, ..self }
    }

    /// The same, in lists that must be short too.
    #[must_use]
    pub fn core(self) -> Self {
        Self { is_core: true, ..self }
    }

    /// The same, with a command that calls it. Without more it has no arguments except the session folder; what
    /// follows adds to it.
    #[must_use]
    pub fn command(mut self, words: &'static str, about: &'static str) -> Self {
        let (arguments, examples, endings) = (Vec::new(), "", &[][..]);
        let has_unheard = false;
        let line = CommandLine { words, about, arguments, examples, endings, has_unheard };
        self.commands.push(line);
        self
    }

    /// The command has an argument that the parameter's schema describes: its form, parameter and help.
    #[must_use]
    pub fn arg(self, form: &'static str, param: &'static str, about: &'static str) -> Self {
        self.reads(Reads::Value, form, param, about)
    }

    /// The command has an argument for a file or folder.
    #[must_use]
    pub fn path(self, form: &'static str, param: &'static str, about: &'static str) -> Self {
        self.reads(Reads::Path, form, param, about)
    }

    /// The command has a flag that gives the parameter a value.
    #[must_use]
    pub fn flag(
        self,
        form: &'static str,
        param: &'static str,
        value: impl Into<Value>,
        about: &'static str,
    ) -> Self {
        self.reads(Reads::Flag(value.into()), form, param, about)
    }

    /// The command has an argument that is read in this way.
    #[must_use]
    pub fn reads(
        self,
        reads: Reads,
        form: &'static str,
        param: &'static str,
        about: &'static str,
    ) -> Self {
        let (default, also, excludes) = (None, Vec::new(), &[][..]);
        let argument = Argument { form, param, about, reads, default, also, excludes };
        self.line(|line| line.arguments.push(argument))
    }

    /// The parameter's value if the last argument is left out.
    #[must_use]
    pub fn or(self, value: impl Into<Value>) -> Self {
        self.last(|argument| argument.default = Some(value.into()))
    }

    /// Parameters that the last argument switches on too, unless another argument sets them.
    #[must_use]
    pub fn also(self, params: &[&'static str]) -> Self {
        self.last(|argument| argument.also = params.iter().map(|it| (*it, true.into())).collect())
    }

    /// The last argument cannot be given with these.
    #[must_use]
    pub fn excludes(self, names: &'static [&'static str]) -> Self {
        self.last(|argument| argument.excludes = names)
    }

    /// The command is for files that end so.
    #[must_use]
    pub fn endings(self, endings: &'static [&'static str]) -> Self {
        self.line(|line| line.endings = endings)
    }

    /// Commands to copy, one on a line.
    #[must_use]
    pub fn command_examples(self, examples: &'static str) -> Self {
        self.line(|line| line.examples = examples)
    }

    /// The command's plans have changes to hear first; with commands to copy.
    #[must_use]
    pub fn unheard(self, examples: &'static str) -> Self {
        self.line(|line| (line.has_unheard, line.examples) = (true, examples))
    }

    fn line(mut self, change: impl FnOnce(&mut CommandLine)) -> Self {
        if let Some(line) = self.commands.last_mut() {
            change(line);
        }
        self
    }

    fn last(self, change: impl FnOnce(&mut Argument)) -> Self {
        self.line(|line| {
            if let Some(argument) = line.arguments.last_mut() {
                change(argument);
            }
        })
    }
    /// The same, with where the window offers it.
    #[must_use]
    pub fn offers(mut self, offers: impl Into<Offers>) -> Self {
        self.offers = offers.into();
        self
    }
}
