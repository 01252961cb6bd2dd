//! Arguments of declared commands: built from the schema of the parameter that they set, and read.

use crate::args::number::finite;
use clap::builder::{PossibleValue, PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use deskhand_session::command_line::{Argument, Reads};
use deskhand_toolkit::ToolSpec;
use serde_json::{Value, json};
use std::path::PathBuf;

/// What help says of phrases.
const PHRASES: &str =
    "Numbers from `assemble list`, such as 3, or 3.2 for the second take of phrase 3, or phr_… ids";

/// What can be typed as a value.
enum Kind {
    Flag,
    Path,
    Number,
    /// A whole number, with the least and the most.
    Count(u64, u64),
    /// One of some words.
    Word(Vec<PossibleValue>),
    Text,
}

impl Kind {
    fn of(spec: &'static ToolSpec, argument: &Argument) -> Self {
        let schema = resolved(spec, &spec.input_schema["properties"][argument.param]);
        let kind = &schema["type"];
        let is = |name: &str| kind == name || kind[0] == name;
        let limit = |name: &str, other| schema[name].as_u64().unwrap_or(other);
        match argument.reads {
            Reads::Flag(_) => Self::Flag,
            Reads::Path => Self::Path,
            Reads::Times(_) | Reads::Length(..) => Self::Number,
            Reads::Words | Reads::Phrases | Reads::AllPhrases => Self::Text,
            Reads::Value if is("number") => Self::Number,
            Reads::Value if is("integer") => {
                Self::Count(limit("minimum", 0), limit("maximum", u64::MAX))
            }
            Reads::Value => match words(schema) {
                words if words.is_empty() => Self::Text,
                words => Self::Word(words),
            },
        }
    }
}

/// The schema that a reference, or a parameter that may be left out, means.
fn resolved(spec: &'static ToolSpec, schema: &'static Value) -> &'static Value {
    if let Some(path) = schema["$ref"].as_str() {
        let found = spec.input_schema.pointer(path.trim_start_matches('#'));
        return found.map_or(schema, |found| resolved(spec, found));
    }
    let any = schema["anyOf"].as_array().map(Vec::as_slice);
    match any {
        Some([one, null]) if null["type"] == "null" => resolved(spec, one),
        _ => schema,
    }
}

/// The words that a schema allows, each with the first sentence about it.
fn words(schema: &'static Value) -> Vec<PossibleValue> {
    let listed = |schema: &'static Value| schema["enum"].as_array().into_iter().flatten();
    let plain = listed(schema).map(|word| (word, ""));
    let branches = schema["oneOf"].as_array().into_iter().flatten();
    let told = branches.flat_map(|it| {
        let about = it["description"].as_str().unwrap_or_default();
        let about = about.split(". ").next().unwrap_or_default().trim_end_matches('.');
        it.get("const").into_iter().chain(listed(it)).map(move |word| (word, about))
    });
    let all = plain.chain(told).filter_map(|(word, about)| Some((word.as_str()?, about)));
    all.map(|(word, about)| match about {
        "" => PossibleValue::new(word),
        about => PossibleValue::new(word).help(about),
    })
    .collect()
}

/// The argument, for the parser of the command line.
pub(super) fn built(spec: &'static ToolSpec, argument: &'static Argument) -> Arg {
    let arg = Arg::new(argument.name()).help(about(spec, argument));
    let arg = arg.conflicts_with_all(argument.excludes);
    let (letter, _) = argument.form.split_once(", --").unwrap_or_default();
    let arg = match argument.is_positional() {
        true => arg.required(argument.is_required()),
        false => arg.long(argument.name()).short(letter.chars().nth(1)),
    };
    let kind = Kind::of(spec, argument);
    let arg = match (argument.is_repeated(), argument.is_positional()) {
        (true, true) => arg.num_args(1..),
        (true, false) => arg.action(ArgAction::Append),
        (false, _) => arg,
    };
    let arg = match (&kind, &argument.default) {
        (Kind::Word(_), Some(Value::String(default))) => arg.default_value(default.as_str()),
        _ => arg,
    };
    let parser: ValueParser = match kind {
        Kind::Flag => return arg.action(ArgAction::SetTrue),
        Kind::Path => value_parser!(PathBuf),
        Kind::Number => ValueParser::new(finite),
        Kind::Count(least, most) => value_parser!(u64).range(least..=most).into(),
        Kind::Word(words) => PossibleValuesParser::new(words).into(),
        Kind::Text => ValueParser::string(),
    };
    let (_, name) = argument.form.rsplit_once(' ').unwrap_or(("", argument.form));
    let name = name.trim_start_matches('[').trim_end_matches([']', '.']);
    arg.value_name(name).value_parser(parser)
}

/// What help says of it.
fn about(spec: &'static ToolSpec, argument: &Argument) -> &'static str {
    let schema = &spec.input_schema["properties"][argument.param];
    let of_schema = || schema["description"].as_str().unwrap_or_default().trim_end_matches('.');
    match argument.about {
        "" if matches!(argument.reads, Reads::Phrases | Reads::AllPhrases) => PHRASES,
        "" => of_schema(),
        about => about,
    }
}

/// The typed value of an argument, apart from what its way of reading makes of it. Paths are read by whoever knows
/// what they are relative to.
pub(crate) fn value(
    spec: &'static ToolSpec,
    argument: &Argument,
    typed: &ArgMatches,
) -> Option<Value> {
    let name = argument.name();
    let value = match (Kind::of(spec, argument), &argument.reads) {
        (_, Reads::Flag(value)) => typed.get_flag(name).then(|| value.clone()),
        (Kind::Number, _) => number(name, typed).map(|number| json!(number)),
        (Kind::Count(..), _) => typed.get_one::<u64>(name).map(|count| json!(count)),
        (Kind::Path | Kind::Flag, _) => None,
        (Kind::Word(_) | Kind::Text, reads) => typed.get_many::<String>(name).map(|texts| {
            let texts: Vec<&str> = texts.map(String::as_str).collect();
            match argument.is_repeated() && *reads != Reads::Words {
                true => json!(texts),
                false => json!(texts.join(" ")),
            }
        }),
    };
    value.or_else(|| argument.default.clone())
}

/// The number that was typed.
pub(crate) fn number(name: &str, typed: &ArgMatches) -> Option<f64> {
    typed.get_one::<f64>(name).copied()
}
