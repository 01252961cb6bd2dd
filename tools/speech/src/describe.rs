//! `tool_describe_speech`: the sound of each phrase: how loud, how fast, over which noise, and where
//! somebody laughs, is talked over or is far from the microphone.

mod distance;
mod laughter;
mod overlap;
mod sound;
#[cfg(test)]
mod tests;

use crate::transcribe::{Region, regions, spoken_in};
use crate::without_words;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::count;
use deskhand_session::{
    Change, Description, Edit, Fact, ObjectId, Provisional, Segment, SegmentId, Session,
};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find;
use deskhand_toolkit::{
    Category, Draft, Estimate, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use overlap::Overlaps;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use sound::{Ears, Heard};
use std::collections::BTreeMap;

const NAME: &str = "tool_describe_speech";
/// Seconds of audio that are listened to in a second, roughly.
const SPEED: f64 = 500.0;
/// The facts that describe a phrase.
const FACTS: [&str; 6] = ["level", "pace", "noise", "laughter", "overlap", "off_mic"];
/// Most places in a list of the answer.
const LISTED: usize = 50;

/// `tool_describe_speech`.
pub(crate) struct DescribeSpeech;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Transcribed clips or sources. Omitted: the selection, else all that is heard.
    #[serde(default = "Targets::heard")]
    targets: Targets,
}

/// The call against the session.
pub(crate) struct Resolved {
    regions: Vec<Region>,
}

fn says() -> [Intent; 6] {
    [
        Intent::verbs("describe speech"),
        Intent::verbs("describe | analyze").about("speech | phrase | talking | sound | sentence"),
        Intent::verbs("find | list | ask | mark | where | who | which | does")
            .about("laughter | interruption | off mic")
            .also("anyone | whom | phrase | is | highest | does"),
        Intent::verbs("who | does")
            .about("talking")
            .about("whom | over:whom")
            .also("anyone | over | does"),
        Intent::verbs("how fast").about("talking"),
        Intent::verbs("ask | measure").about("pace"),
    ]
    .map(|intent| intent.on(Kinds::Sound).or_all())
}

impl TypedTool for DescribeSpeech {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            NAME,
            "Describe speech",
            "Describes the sound of each transcribed phrase, as facts of its segment: `level` in LUFS, `pace` \
             in words a minute, `noise` around it in dBFS and, if any, `laughter` in seconds (in or right \
             after it), `overlap` (its share under other speech) and `off_mic` (speaker away from the \
             microphone). Facts that a person wrote stay. Returns {phrases, level_lufs, words_per_min, \
             noise_dbfs, laughter, overlap, off_mic}: usual values, and the places of the last three as [{id, \
             start_s, text}], start_s in the source.",
            Category::Organize,
            Trust::Notify,
            vec![json!({"targets": "Interview*"}), json!({"targets": "all"})],
        )
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let regions = regions(session, &params.targets)?;
        if said(&regions, session).next().is_none() {
            return Err(without_words::refusal(session, &regions));
        }
        Ok(Resolved { regions })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.regions.iter().map(|region| region.source.into()).collect()
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        let length = |region: &Region| region.length().seconds(session.rate).0;
        Estimate { seconds: call.regions.iter().map(length).sum::<f64>() / SPEED, bytes: 0 }
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let all: Vec<(&Region, SegmentId, &Segment)> = said(&call.regions, session)
            .filter_map(|(number, id, it)| Some((call.regions.get(number)?, id, it)))
            .collect();
        let mut told = Told::new(context, &all)?;
        let mut ears = Ears::new(context);
        for (index, (region, id, segment)) in all.iter().enumerate() {
            context.step(index, all.len(), &region.name)?;
            let heard = ears.hear(segment)?;
            let laughs = heard.laughter > 0.0;
            told.heard.push((*id, heard));
            let shown = laughs.then(|| Provisional {
                target: region.shown_on,
                position: region.on_timeline(segment.start),
                length: segment.length,
                label: "laughter".into(),
            });
            context.provisional(shown.as_slice(), &mut || told.draft(context));
        }
        Ok(told.draft(context))
    }
}

/// The segments in regions. Bleed is described at its speaker's own microphone.
fn said<'a>(
    regions: &[Region],
    session: &'a Session,
) -> impl Iterator<Item = (usize, SegmentId, &'a Segment)> + use<'a> {
    spoken_in(regions, session).into_iter().filter(|(.., segment)| !segment.is_bleed())
}

/// The results so far.
struct Told {
    /// In the order in which they were listened to.
    heard: Vec<(SegmentId, Heard)>,
    overlaps: Overlaps,
    names: Vec<String>,
}

impl Told {
    fn new(
        context: &PlanContext,
        all: &[(&Region, SegmentId, &Segment)],
    ) -> Result<Self, ToolError> {
        let mut names: Vec<String> = Vec::new();
        for (region, ..) in all {
            if !names.contains(&region.name) {
                names.push(region.name.clone());
            }
        }
        let overlaps = Overlaps::new(context, all.iter().map(|(_, id, _)| *id))?;
        Ok(Self { heard: Vec::new(), overlaps, names })
    }

    fn draft(&self, context: &PlanContext) -> Draft {
        let session = &context.session;
        let away = distance::away(session, &self.heard);
        let (mut draft, mut found) = (Draft::default(), Found::default());
        for (id, heard) in &self.heard {
            let Some(segment) = session.segments.get(id) else { continue };
            let facts = facts(heard, self.overlaps.share(*id), away.get(id).copied());
            let edit =
                Edit::new(*id, segment.description.clone(), described(&segment.description, facts));
            found.note(*id, &edit.after);
            if edit.before != edit.after {
                let name = session.name_of((*id).into());
                draft.change(Change::SetDescription(edit), name, "how it sounds");
            }
        }
        if !self.overlaps.is_known() {
            draft.warnings.push(
                "who speaks is not marked, so nobody is known to talk over anybody: tool_mark_speakers"
                    .into(),
            );
        }
        draft.summary = found.summary(self.heard.len(), &self.names);
        draft.answer = Some(found.answer(self.heard.len(), session));
        draft
    }
}

/// The facts of a phrase; missing ones are left out.
fn facts(heard: &Heard, overlap: Option<f64>, away: Option<f64>) -> BTreeMap<&'static str, Fact> {
    let number = |value: f64, unit: &str| Fact {
        unit: Some(unit.into()),
        ..fact(json!((value * 10.0).round() / 10.0 + 0.0))
    };
    let whole = |value: f64, unit: &str| Fact {
        unit: Some(unit.into()),
        ..fact(json!(value.round() as i64))
    };
    let mut facts = BTreeMap::new();
    let mut note = |name, value: Option<Fact>| {
        if let Some(value) = value {
            facts.insert(name, value);
        }
    };
    note("level", heard.level.map(|level| number(level, "LUFS")));
    note("pace", heard.pace.map(|pace| whole(pace, "words/min")));
    note("noise", heard.noise.map(|noise| number(noise, "dBFS")));
    note("laughter", (heard.laughter > 0.0).then(|| number(heard.laughter, "s")));
    let overlap = overlap.map(|share| share * 100.0).filter(|percent| *percent >= 1.0);
    note("overlap", overlap.map(|percent| whole(percent, "%")));
    note("off_mic", away.map(|sure| Fact { confidence: Some(sure), ..fact(json!(true)) }));
    facts
}

fn fact(value: Value) -> Fact {
    Fact { value, unit: None, confidence: None, by: NAME.into() }
}

/// A description with these facts in place of those of an earlier run. Facts from elsewhere stay.
fn described(before: &Description, facts: BTreeMap<&'static str, Fact>) -> Description {
    let mut after = before.clone();
    after.facts.retain(|_, fact| fact.by != NAME);
    for (name, fact) in facts {
        after.facts.entry(name.into()).or_insert(fact);
    }
    after
}

/// The results for all phrases.
#[derive(Default)]
struct Found {
    numbers: BTreeMap<&'static str, Vec<f64>>,
    ids: BTreeMap<&'static str, Vec<SegmentId>>,
}

impl Found {
    /// What somebody denied is not there.
    fn note(&mut self, id: SegmentId, known: &Description) {
        for name in FACTS {
            let fact = known.facts.get(name).filter(|fact| fact.value != Value::Bool(false));
            let Some(fact) = fact else { continue };
            self.ids.entry(name).or_default().push(id);
            self.numbers.entry(name).or_default().extend(fact.value.as_f64());
        }
    }

    /// The one in the middle.
    fn usual(&self, name: &str) -> Option<f64> {
        middle(self.numbers.get(name)?.clone())
    }

    fn of(&self, name: &str) -> &[SegmentId] {
        self.ids.get(name).map_or(&[], Vec::as_slice)
    }

    fn summary(&self, phrases: usize, names: &[String]) -> String {
        let usual = [
            ("level", "", " LUFS"),
            ("pace", "", " words a minute"),
            ("noise", "noise at ", " dBFS"),
        ];
        let mut said: Vec<String> = usual
            .into_iter()
            .filter_map(|(name, ahead, unit)| Some(format!("{ahead}{}{unit}", self.usual(name)?)))
            .collect();
        for (name, words) in
            [("laughter", "laughter in"), ("overlap", "talked over in"), ("off_mic", "off-mic in")]
        {
            let number = self.of(name).len();
            said.extend((number > 0).then(|| format!("{words} {number}")));
        }
        let of = match names {
            [one] => format!("\"{one}\""),
            more => count(more.len(), "recording"),
        };
        format!("Describe {} of {of}: {}", count(phrases, "phrase"), said.join(", "))
    }

    fn answer(&self, phrases: usize, session: &Session) -> Value {
        let place = |id: &SegmentId| {
            let segment = session.segments.get(id)?;
            let start = find::seconds(segment.start, session.rate);
            Some(json!({"id": id, "start_s": start, "text": session.name_of((*id).into())}))
        };
        let places =
            |name: &str| self.of(name).iter().take(LISTED).filter_map(place).collect::<Vec<_>>();
        json!({
            "phrases": phrases,
            "level_lufs": self.usual("level"),
            "words_per_min": self.usual("pace"),
            "noise_dbfs": self.usual("noise"),
            "laughter": places("laughter"),
            "overlap": places("overlap"),
            "off_mic": places("off_mic"),
        })
    }
}

/// The value in the middle; of an even number the upper one.
fn middle(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
