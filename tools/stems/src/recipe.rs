//! The stems of a call, how each is made, and which of them takes the rest of the mix.

use deskhand_inference::{DEFAULT_SEPARATION, Library, Record, Task};
use deskhand_toolkit::{Code, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a recording is split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Method {
    /// With an installed model.
    #[default]
    Model,
    /// Sustained sounds and percussive sounds; without a model.
    HarmonicPercussive,
    /// The channels' common part and the rest; without a model.
    MidSide,
}

/// What a person asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Wish {
    pub(crate) method: Method,
    pub(crate) model: Option<String>,
    pub(crate) stems: Option<Vec<String>>,
    pub(crate) rest: Option<String>,
}

/// What makes the parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Engine {
    /// A model, and its place among the installed ones.
    Model(Box<Record>),
    /// The same, with rough drums and bass from the rest without vocals.
    ModelAndRough(Box<Record>),
    /// Medians over time and frequency.
    Medians,
    /// The difference of the channels.
    Side,
}

/// One stem of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Stem {
    /// What it is called: "vocals", "rough drums".
    pub(crate) name: String,
    /// The parts that it is the sum of, by their index; `None` for the stem that is the mix without all
    /// others.
    pub(crate) parts: Option<Vec<usize>>,
}

/// The parts to make, and the stems from them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recipe {
    pub(crate) engine: Engine,
    /// Outputs of the model that are made, in the order of the parts.
    pub(crate) wanted: Vec<usize>,
    pub(crate) stems: Vec<Stem>,
}

/// The name of the second stem if only one was asked for.
const ACCOMPANIMENT: &str = "accompaniment";
/// The name of the rest if several were asked for.
const REST: &str = "rest";
/// Stems that are made roughly where no model gives them.
const ROUGH: [&str; 3] = ["drums", "bass", "other"];

impl Recipe {
    /// The recipe for `wish` with the models of `library`.
    pub(crate) fn of(wish: &Wish, library: &Library) -> Result<Self, ToolError> {
        match wish.method {
            Method::HarmonicPercussive => {
                wish.without_model()?;
                fixed(wish, Engine::Medians, ["harmonic", "percussive"])
            }
            Method::MidSide => {
                wish.without_model()?;
                fixed(wish, Engine::Side, ["mid", "side"])
            }
            Method::Model => {
                let id = wish.model.as_deref().unwrap_or(DEFAULT_SEPARATION);
                let found = library.find(id);
                let record =
                    found.map_err(|error| split(Code::Refused, &error.to_string()))?.record;
                if record.task != Task::Separation {
                    let message = format!("{id} is for {}, not for stems", record.task.title());
                    return Err(bad(message, "see `deskhand models list`"));
                }
                modelled(wish, record)
            }
        }
    }

    /// The index of the stem that is the mix without the others.
    pub(crate) fn residual(&self) -> usize {
        self.stems.iter().position(|stem| stem.parts.is_none()).unwrap_or_default()
    }

    /// For people: what splits.
    pub(crate) fn by(&self) -> String {
        match &self.engine {
            Engine::Model(record) => format!("{} {}", record.id, record.version),
            Engine::ModelAndRough(record) => {
                format!("{} {}, drums and bass roughly by medians", record.id, record.version)
            }
            Engine::Medians => "medians over time and frequency".into(),
            Engine::Side => "the difference of the channels".into(),
        }
    }
}

impl Wish {
    fn without_model(&self) -> Result<(), ToolError> {
        if self.model.is_none() {
            return Ok(());
        }
        let message = "harmonic_percussive and mid_side need no model";
        Err(bad(message, "leave out `model` or `method`"))
    }

    /// The stems that are asked for, of those that there are.
    fn asked(&self, parts: &[String]) -> Result<Vec<usize>, ToolError> {
        let Some(asked) = &self.stems else {
            return Ok((0..parts.len()).collect());
        };
        let mut found = Vec::new();
        for name in asked {
            let name = name.trim().to_lowercase();
            let plain = name.trim_start_matches("rough ");
            let place = parts.iter().position(|part| part.trim_start_matches("rough ") == plain);
            let place = place.ok_or_else(|| {
                let message = format!("there is no stem \"{name}\" in this split");
                bad(message, format!("give `stems` of: {}", parts.join(", ")))
            })?;
            if !found.contains(&place) {
                found.push(place);
            }
        }
        if found.is_empty() {
            return Err(bad("no stem is asked for", format!("give some of: {}", parts.join(", "))));
        }
        found.sort_unstable();
        Ok(found)
    }
}

/// A split of two parts; the second one is computed.
fn fixed(wish: &Wish, engine: Engine, names: [&str; 2]) -> Result<Recipe, ToolError> {
    let [first, second] = names.map(str::to_owned);
    // Two stems that sum to the mix: asking for one of them gives both.
    wish.asked(&[first.clone(), second.clone()])?;
    check_rest(wish, &[&first, &second])?;
    let stems =
        vec![Stem { name: first, parts: None }, Stem { name: second, parts: Some(vec![0]) }];
    Ok(Recipe { engine, wanted: Vec::new(), stems })
}

fn modelled(wish: &Wish, record: Record) -> Result<Recipe, ToolError> {
    let given: Vec<String> = record.layout.stems().into_iter().map(str::to_owned).collect();
    let wants_rough = wish.stems.iter().flatten().any(|name| {
        let name = name.trim().to_lowercase();
        let plain = name.trim_start_matches("rough ");
        ROUGH.contains(&plain) && !given.iter().any(|given| given == plain)
    });
    match given.iter().position(|name| name == "vocals") {
        Some(vocals) if wants_rough => rough(wish, record, vocals),
        _ => plain(wish, record, given),
    }
}

/// Vocals by the model, the rest roughly.
fn rough(wish: &Wish, record: Record, vocals: usize) -> Result<Recipe, ToolError> {
    let mut parts = vec!["vocals".to_owned()];
    parts.extend(ROUGH.map(|name| format!("rough {name}")));
    // "Other" is the final rest, so it is always in the stem that takes the rest.
    let stems = stems(wish, &parts, parts.len() - 1)?;
    Ok(Recipe { engine: Engine::ModelAndRough(Box::new(record)), wanted: vec![vocals], stems })
}

fn plain(wish: &Wish, record: Record, given: Vec<String>) -> Result<Recipe, ToolError> {
    let mut parts = given.clone();
    if let [only] = given.as_slice() {
        parts.push(if only == "vocals" { ACCOMPANIMENT } else { REST }.into());
    }
    let named = wish.rest.as_ref().map(|name| name.trim().to_lowercase());
    let usual = [ACCOMPANIMENT, "other", REST];
    let find = |name: &str| parts.iter().position(|part| part == name);
    let residual = if given.len() == 1 {
        1
    } else {
        let usual = usual.into_iter().find_map(find).unwrap_or(parts.len() - 1);
        named.as_deref().and_then(find).unwrap_or(usual)
    };
    let stems = stems(wish, &parts, residual)?;
    let mut recipe = Recipe { engine: Engine::Model(Box::new(record)), wanted: Vec::new(), stems };
    // Only the needed parts are made: parts of the stem that takes the rest are not.
    for stem in &mut recipe.stems {
        for part in stem.parts.iter_mut().flatten() {
            recipe.wanted.push(*part);
            *part = recipe.wanted.len() - 1;
        }
    }
    Ok(recipe)
}

/// The stems of `parts` that were asked for and, where these are not all, one of everything else. The stem
/// with the part `residual` is the mix without all others.
fn stems(wish: &Wish, parts: &[String], residual: usize) -> Result<Vec<Stem>, ToolError> {
    let asked = wish.asked(parts)?;
    let mut groups: Vec<(String, Vec<usize>)> =
        asked.iter().filter_map(|part| Some((parts.get(*part)?.clone(), vec![*part]))).collect();
    let others: Vec<usize> = (0..parts.len()).filter(|part| !asked.contains(part)).collect();
    if !others.is_empty() {
        let only_vocals = matches!(groups.as_slice(), [(name, _)] if name == "vocals");
        let single = others.as_slice();
        let name = match (only_vocals, single) {
            (true, _) => ACCOMPANIMENT.to_owned(),
            (false, [one]) => parts.get(*one).cloned().unwrap_or_default(),
            (false, _) => REST.to_owned(),
        };
        groups.push((name, others));
    }
    let names: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
    check_rest(wish, &names)?;
    let stem = |(name, parts): (String, Vec<usize>)| {
        let parts = (!parts.contains(&residual)).then_some(parts);
        Stem { name, parts }
    };
    Ok(groups.into_iter().map(stem).collect())
}

fn check_rest(wish: &Wish, names: &[&str]) -> Result<(), ToolError> {
    let Some(rest) = wish.rest.as_ref().map(|name| name.trim().to_lowercase()) else {
        return Ok(());
    };
    if names.contains(&rest.as_str()) {
        return Ok(());
    }
    let message = format!("\"{rest}\" is none of the stems, so it cannot take what is left");
    Err(bad(message, format!("give `rest` of: {}", names.join(", "))))
}

fn bad(message: impl Into<String>, fix: impl Into<String>) -> ToolError {
    ToolError::run(Code::BadParams, message, fix)
}

/// An error of a message that ends with its way out.
pub(crate) fn split(code: Code, text: &str) -> ToolError {
    let (message, fix) = text.rsplit_once("; ").unwrap_or((text, "see `deskhand models list`"));
    ToolError::run(code, message, fix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_inference::{Layout, Origin, Pin};

    fn record(stems: &[&str]) -> Record {
        Record {
            id: "m".into(),
            title: String::new(),
            task: Task::Separation,
            version: "1".into(),
            file: "m.onnx".into(),
            size: 1,
            sha256: String::new(),
            license: "MIT".into(),
            origin: Origin::Added,
            pin: Pin::Free,
            layout: match stems {
                [one] => Layout::OpenUnmix { stem: (*one).into(), rate: 44_100 },
                several => {
                    Layout::Spleeter { stems: several.iter().map(|s| (*s).into()).collect() }
                }
            },
        }
    }

    /// "vocals 0+1, rest *; makes 2, 3" or the error.
    fn told(stems: &[&str], asked: Option<&[&str]>, rest: Option<&str>) -> String {
        let wish = Wish {
            stems: asked.map(|names| names.iter().map(|name| (*name).into()).collect()),
            rest: rest.map(Into::into),
            ..Wish::default()
        };
        match modelled(&wish, record(stems)) {
            Err(error) => error.to_string(),
            Ok(recipe) => {
                let stem = |stem: &Stem| {
                    let parts = stem.parts.as_ref().map_or("*".into(), |p| format!("{p:?}"));
                    format!("{} {parts}", stem.name)
                };
                let stems: Vec<_> = recipe.stems.iter().map(stem).collect();
                format!("{}; makes {:?}", stems.join(", "), recipe.wanted)
            }
        }
    }

    const TWO: [&str; 2] = ["vocals", "accompaniment"];
    const FOUR: [&str; 4] = ["drums", "bass", "other", "vocals"];

    #[test]
    fn what_is_left_goes_to_the_accompaniment_or_where_a_person_says() {
        assert_eq!(told(&TWO, None, None), "vocals [0], accompaniment *; makes [0]");
        assert_eq!(told(&TWO, None, Some("vocals")), "vocals *, accompaniment [0]; makes [1]");
        assert_eq!(told(&TWO, Some(&["vocals"]), None), "vocals [0], accompaniment *; makes [0]");
        assert_eq!(told(&["vocals"], None, None), "vocals [0], accompaniment *; makes [0]");
        assert_eq!(
            told(&FOUR, None, None),
            "drums [0], bass [1], other *, vocals [2]; makes [0, 1, 3]"
        );
        assert_eq!(told(&FOUR, Some(&["vocals"]), None), "vocals [0], accompaniment *; makes [3]");
        assert_eq!(
            told(&FOUR, Some(&["Drums ", "vocals"]), Some("drums")),
            "drums *, vocals [0], rest [1, 2]; makes [3, 1, 2]"
        );
        assert_eq!(
            told(&TWO, None, Some("drums")),
            "\"drums\" is none of the stems, so it cannot take what is left; \
             give `rest` of: vocals, accompaniment"
        );
    }

    #[test]
    fn what_no_model_gives_is_rough_and_called_so() {
        assert_eq!(
            told(&TWO, Some(&["vocals", "drums", "bass", "other"]), None),
            "vocals [0], rough drums [1], rough bass [2], rough other *; makes [0]"
        );
        assert_eq!(told(&TWO, Some(&["rough drums"]), None), "rough drums [1], rest *; makes [0]");
        assert_eq!(
            told(&TWO, Some(&["guitar"]), None),
            "there is no stem \"guitar\" in this split; give `stems` of: vocals, accompaniment"
        );
    }
}
