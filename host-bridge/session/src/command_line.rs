//! How a tool is called on the command line. The tool declares it, and the `deskhand` program builds its commands,
//! their help and the parameters of the call from it.

use serde_json::Value;

/// A command: `deskhand codes merge DIR FROM INTO`.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandLine {
    /// Its words: "codes merge". If the program has a command with these words already, that one stays.
    pub words: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Its arguments after the session folder, in order.
    pub arguments: Vec<Argument>,
    /// Commands to copy, one on a line; may be empty.
    pub examples: &'static str,
    /// The endings of the files that it is for, if several tools declare the same words.
    pub endings: &'static [&'static str],
    /// Whether its plans have changes to hear first, which `--yes` leaves out unless `--unheard` is given too.
    pub has_unheard: bool,
}

/// An argument of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// As help texts write it: `CODE`, `[TEXT]`, `PHRASE...`, `--in TARGET...`, `-o, --output FILE`, `--replace`.
    pub form: &'static str,
    /// The parameter that it sets; empty for none.
    pub param: &'static str,
    /// What it is, in one line; empty: as the parameter's schema says.
    pub about: &'static str,
    /// How its value becomes the parameter's.
    pub reads: Reads,
    /// The parameter's value if the argument is left out.
    pub default: Option<Value>,
    /// Parameters that it sets too, unless another argument sets them.
    pub also: Vec<(&'static str, Value)>,
    /// Names of arguments that cannot be given with it.
    pub excludes: &'static [&'static str],
}

/// How the value of an argument becomes the value of its parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Reads {
    /// As the parameter's schema says: a text, a number, or one of its values.
    Value,
    /// The path of a file or folder, made absolute.
    Path,
    /// Several words, as one text.
    Words,
    /// A flag: this value.
    Flag(Value),
    /// A number, multiplied by this.
    Times(f64),
    /// The end of a range that starts at the argument with this name. The parameter is its length, multiplied.
    Length(&'static str, f64),
    /// Phrases of the edit, by number or id.
    Phrases,
    /// Every phrase that plays, by number or id.
    AllPhrases,
}

impl CommandLine {
    /// As it is typed, without options: `deskhand codes merge DIR FROM INTO`.
    #[must_use]
    pub fn usage(&self) -> String {
        let ending = self.endings.first().map(|ending| format!(".{ending}")).unwrap_or_default();
        let named = |argument: &Argument| match argument.reads {
            Reads::Path => format!(" {}{ending}", argument.name()),
            _ => format!(" {}", argument.name()),
        };
        let names: String =
            self.arguments.iter().filter(|it| it.is_required()).map(named).collect();
        format!("deskhand {} DIR{names}", self.words)
    }
}

impl Argument {
    /// Its name: `CODE`, or `output` of `-o, --output FILE`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let form = self.form.rsplit_once("--").map_or(self.form, |(_, long)| long);
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        form.split(|c| !is_of_name(c)).find(|part| !part.is_empty()).unwrap_or_default()
    }

    /// As a text calls it: `CODE`, or `--output`.
    #[must_use]
    pub fn called(&self) -> String {
        if self.is_positional() { self.name().into() } else { format!("--{}", self.name()) }
    }

    /// Whether it has no dashes: its place says what it is.
    #[must_use]
    pub fn is_positional(&self) -> bool {
        !self.form.starts_with('-')
    }

    /// Whether it must be given.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.is_positional() && !self.form.starts_with('[')
    }

    /// Whether there may be several of it.
    #[must_use]
    pub fn is_repeated(&self) -> bool {
        self.form.contains("...")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_says_what_an_argument_is() {
        let argument = |form| {
            let (param, about, reads, default) = ("", "", Reads::Value, None);
            Argument { form, param, about, reads, default, also: Vec::new(), excludes: &[] }
        };
        let forms = ["CODE", "[TEXT]", "-o, --output FILE", "PHRASE...", "--whole-word"];
        let (words, about, examples, endings) = ("codes report", "", "", &["csv"][..]);
        let arguments = forms.map(argument).into();
        let line = CommandLine { words, about, arguments, examples, endings, has_unheard: false };
        let called: Vec<_> = line.arguments.iter().map(Argument::called).collect();
        assert_eq!(called, ["CODE", "TEXT", "--output", "PHRASE", "--whole-word"]);
        assert_eq!(line.usage(), "deskhand codes report DIR CODE PHRASE");
    }
}
