//! The type of a house tool, and its description.

use crate::bridge::Bridge;
use crate::effect::Effect;
use crate::ids::Asker;
use crate::partial_undo::Direction;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_toolkit::{Category, Offers, Prepared, ToolEffect, ToolSpec, Trust};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A tool of the bridge itself.
pub(crate) struct HouseTool {
    pub(crate) spec: ToolSpec,
    pub(crate) act: Act,
}

impl HouseTool {
    /// The same, and its spec says more.
    pub(crate) fn and(self, more: impl FnOnce(ToolSpec) -> ToolSpec) -> Self {
        Self { spec: more(self.spec), ..self }
    }

    /// The same, with where the window offers it.
    pub(crate) fn offers(mut self, offers: impl Into<Offers>) -> Self {
        self.spec.offers = offers.into();
        self
    }
}

/// One sentence without names, and an answer.
pub(crate) type LookAnswer = (String, Value);

type LookFn = Box<dyn Fn(&Bridge, Value) -> Result<LookAnswer, ToolError> + Send + Sync>;
type DoFn = Box<dyn Fn(&Bridge, Asker, Value) -> Result<Vec<Effect>, ToolError> + Send + Sync>;
/// Typed parameters, one sentence without names, and a typed answer.
type Typed<Params, Answer> = fn(Params, &Bridge) -> Result<(String, Answer), ToolError>;

/// What it does when it is called.
pub(crate) enum Act {
    /// Looks: a sentence and an answer, to the asker alone.
    Look(LookFn),
    /// Does something at once that is no part of the session.
    Do(DoFn),
    /// Goes a step in the history, or proposes it.
    Step(Direction),
    /// Works on a worker, outside of the session.
    Work(fn(&Bridge, Value) -> Result<Prepared, ToolError>),
}

/// The description of a house tool, without its schemas.
pub(crate) struct About {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) category: Category,
    pub(crate) trust: Trust,
    pub(crate) example: Value,
}

impl About {
    /// A tool that reads.
    pub(crate) fn read(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        category: Category,
        example: Value,
    ) -> Self {
        Self { name, title, description, category, trust: Trust::Autonomous, example }
    }

    /// A tool that does something small that everybody sees.
    pub(crate) fn notify(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        example: Value,
    ) -> Self {
        let (category, trust) = (Category::Navigate, Trust::Notify);
        Self { name, title, description, category, trust, example }
    }

    /// The spec for these parameters and this answer.
    pub(crate) fn spec<Params: JsonSchema, Answer: JsonSchema>(self) -> ToolSpec {
        let Self { name, title, description, category, trust, example } = self;
        let spec = ToolSpec {
            input_schema: schema::<Params>(),
            output_schema: result_schema(schema::<Answer>()),
            examples: vec![example],
            ..ToolSpec::new(name, title, description, category, trust)
        };
        spec.effects([ToolEffect::Command])
    }
}

/// A tool that reads.
pub(crate) fn reads<Params, Answer>(about: About, look: Typed<Params, Answer>) -> HouseTool
where
    Params: DeserializeOwned + JsonSchema + 'static,
    Answer: Serialize + JsonSchema + 'static,
{
    let looked = move |bridge: &Bridge, params| {
        let (summary, answer) = look(parsed(params)?, bridge)?;
        Ok((summary, written(&answer)))
    };
    HouseTool { spec: about.spec::<Params, Answer>(), act: Act::Look(Box::new(looked)) }
}

/// A tool that does something at once.
pub(crate) fn does<Answer: JsonSchema, Params: DeserializeOwned + JsonSchema + 'static>(
    about: About,
    act: fn(Params, &Bridge, Asker) -> Result<Vec<Effect>, ToolError>,
) -> HouseTool {
    let done = move |bridge: &Bridge, asker, params| act(parsed(params)?, bridge, asker);
    HouseTool { spec: about.spec::<Params, Answer>(), act: Act::Do(Box::new(done)) }
}

/// No parameters.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// The answer of what only says what it did.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Silent {}

/// The parameters; they fit the schema already, so only ids can be wrong.
pub(crate) fn parsed<P: DeserializeOwned>(params: Value) -> Result<P, ToolError> {
    serde_json::from_value(params).map_err(|error| {
        ToolError::prepare(Code::BadParams, error.to_string(), "give an id as a list shows it")
    })
}

/// Plain data with string keys: it can be written.
pub(crate) fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Without definitions, so that another schema can contain it.
pub(crate) fn schema<T: JsonSchema>() -> Value {
    let inline = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    inline.into_generator().into_root_schema_for::<T>().to_value()
}

/// What every call results in, with this answer.
fn result_schema(answer: Value) -> Value {
    let states = [
        "ok",
        "planned",
        "running",
        "waiting",
        "applied",
        "rolled_back",
        "rejected",
        "conflict",
        "error",
    ];
    json!({
        "type": "object",
        "properties": {
            "status": { "enum": states, "description": "State of the call" },
            "summary": { "type": "string", "description": "One sentence for people" },
            "answer": answer,
        },
        "required": ["status", "summary"]
    })
}

#[cfg(test)]
mod tests {
    use crate::builtin_calls::HOUSE;
    use deskhand_toolkit::ToolSpec;
    use deskhand_toolkit::registry::validate;

    #[test]
    fn every_house_tool_takes_its_own_example() {
        for tool in HOUSE.values() {
            for example in &tool.spec.examples {
                assert_eq!(validate(&tool.spec, example), Ok(()), "{}", tool.spec.name);
            }
        }
    }

    /// Name, trust and category, description, and parameters with the required ones marked.
    fn card(spec: &ToolSpec) -> String {
        let schema = &spec.input_schema;
        let is_required = |name: &str| {
            schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
        };
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let names: Vec<_> = properties
            .keys()
            .map(|name| if is_required(name) { format!("{name}!") } else { name.clone() })
            .collect();
        let kind = format!("{:?} {:?}", spec.trust, spec.category).to_lowercase();
        let ToolSpec { name, title, description, .. } = spec;
        format!("{name} ({kind}) {title}\n  {description}\n  {}\n", names.join(", "))
    }

    #[test]
    fn the_house_tools_as_a_model_sees_them() {
        let cards: Vec<_> = HOUSE.values().map(|tool| card(&tool.spec)).collect();
        insta::assert_snapshot!(cards.join("\n"));
    }
}
