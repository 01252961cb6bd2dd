//! `tool_measure`: the levels of clips, tracks or the mix; changes nothing.

use crate::normalize::Per;
use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::loudness::LoudnessProfile;
use deskhand_session::offers::Gesture;
use deskhand_session::text::{level, subject, trimmed};
use deskhand_session::{Finding, Measure, ObjectId, Session, TrackId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// `tool_measure`.
pub(crate) struct MeasureLevels;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips or tracks; `mix` means the mix.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// Clips with their clip gain, tracks after their faders, or the mix; omitted: by the kind of each target.
    per: Option<Per>,
}

/// Share of the hops below the noise floor.
const FLOOR_SHARE: f64 = 0.1;

/// The measures in the order of the answer, with their keys.
const COLUMNS: [(Measure, &str); 9] = [
    (Measure::IntegratedLoudness, "integrated_lufs"),
    (Measure::LoudnessRange, "range_lu"),
    (Measure::MaxMomentary, "max_momentary_lufs"),
    (Measure::MaxShortTerm, "max_short_term_lufs"),
    (Measure::TruePeak, "true_peak_dbtp"),
    (Measure::SamplePeak, "sample_peak_dbfs"),
    (Measure::Rms, "rms_dbfs"),
    (Measure::ActiveRms, "active_rms_dbfs"),
    (Measure::NoiseFloor, "noise_floor_dbfs"),
];

impl TypedTool for MeasureLevels {
    type Params = Params;
    type Resolved = Vec<ObjectId>;

    fn spec() -> ToolSpec {
        tool(
            "tool_measure",
            "Measure levels",
            "Measures loudness, peaks and RMS of clips, tracks or the mix. Changes nothing. The answer is a \
             list, loudest first, of {id, name, integrated_lufs, range_lu, max_momentary_lufs, \
             max_short_term_lufs, true_peak_dbtp, sample_peak_dbfs, rms_dbfs, active_rms_dbfs, \
             noise_floor_dbfs}; null is below every gate.",
            Category::Level,
            Trust::Autonomous,
            vec![json!({"targets": "all"}), json!({"targets": "mix"})],
        )
        .core()
        .offers(Gesture::MeasureLevels)
    }

    fn resolve(params: Params, session: &Session) -> Result<Vec<ObjectId>, ToolError> {
        let ids = |ids: Vec<_>| ids.into_iter().map(ObjectId::Clip).collect();
        match params.per {
            Some(Per::Mix) => Ok(vec![session.id.into()]),
            None if params.targets.is_mix() => Ok(vec![session.id.into()]),
            Some(Per::Clip) => params.targets.clips(session).map(ids),
            Some(Per::Track) => {
                let tracks = params.targets.tracks(session)?;
                Ok(tracks.into_iter().map(Into::into).collect())
            }
            None => as_named(&params.targets, session),
        }
    }

    fn targets(_: &Vec<ObjectId>) -> Vec<ObjectId> {
        // Measuring blocks nothing.
        Vec::new()
    }

    fn run(targets: Vec<ObjectId>, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let mut draft = Draft::default();
        let mut rows = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            let name = session.name_of(*target);
            context.step(index, targets.len(), &name)?;
            let values = values(&context.profile(*target)?, session, *target);
            let found = COLUMNS.iter().zip(&values);
            draft.findings.extend(found.map(|((m, _), value)| Finding::new(*target, *m, *value)));
            rows.push((values[0], row(*target, &name, &values), name));
        }
        rows.sort_by(|a, b| order(b.0).total_cmp(&order(a.0)));
        let point = match targets.as_slice() {
            [one] => point(session, *one),
            _ => String::new(),
        };
        draft.summary = summary(&rows, &point);
        draft.answer = Some(rows.into_iter().map(|(_, row, _)| row).collect());
        Ok(draft)
    }
}

/// The targets themselves; if there are none, their clips or tracks say what is missing.
fn as_named(targets: &Targets, session: &Session) -> Result<Vec<ObjectId>, ToolError> {
    let objects = targets.objects(session)?;
    if objects.is_empty() {
        let tracks = targets.tracks(session)?;
        return Ok(tracks.into_iter().map(Into::into).collect());
    }
    Ok(objects)
}

fn values(profile: &LoudnessProfile, session: &Session, target: ObjectId) -> Vec<Option<f64>> {
    let gain = session.gain_of(target);
    let levels = profile.levels(gain);
    let floor = Envelope::from(profile).noise_floor(FLOOR_SHARE).map(|floor| (floor + gain).0);
    let value = |measure| {
        if measure == Measure::NoiseFloor { floor } else { level_of(&levels, measure) }
    };
    COLUMNS.iter().map(|(measure, _)| value(*measure)).collect()
}

fn row(target: ObjectId, name: &str, values: &[Option<f64>]) -> Value {
    let mut row = Map::new();
    row.insert("id".into(), json!(target));
    row.insert("name".into(), json!(name));
    for ((_, key), value) in COLUMNS.iter().zip(values) {
        let value = value.map(|value| (value * 100.0).round() / 100.0 + 0.0);
        row.insert((*key).into(), json!(value));
    }
    Value::Object(row)
}

/// The measuring point, before the track's fader or after it. It is named if the fader is not at 0 dB.
fn point(session: &Session, target: ObjectId) -> String {
    let fader = |id: TrackId| {
        let gain = session.tracks.get(&id).map(|track| track.gain.0);
        gain.filter(|gain| *gain != 0.0).map(|gain| trimmed(gain, 1))
    };
    let said = match target {
        ObjectId::Track(id) => fader(id).map(|gain| format!(" after its fader at {gain} dB")),
        ObjectId::Clip(id) => {
            let clip = session.clips.get(&id);
            let gain = clip.and_then(|clip| fader(clip.track));
            gain.map(|gain| format!(" before the fader at {gain} dB"))
        }
        _ => None,
    };
    said.unwrap_or_default()
}

fn order(loudness: Option<f64>) -> f64 {
    loudness.unwrap_or(f64::NEG_INFINITY)
}

fn summary(rows: &[(Option<f64>, Value, String)], point: &str) -> String {
    let names: Vec<String> = rows.iter().map(|(_, _, name)| name.clone()).collect();
    let measured = subject(&names, "target");
    let heard = |row: &&(Option<f64>, Value, String)| row.0.is_some();
    let loudest = rows.iter().find(heard);
    let loudest = loudest.and_then(|(loudness, _, name)| Some(((*loudness)?, name)));
    match (rows, loudest) {
        ([(_, _, name)], Some((loudness, _))) => {
            format!("\"{name}\" has {}{point}", level(Measure::IntegratedLoudness, loudness))
        }
        (_, Some((loudness, name))) => format!(
            "Measured {measured}; the loudest is \"{name}\" with {}",
            level(Measure::IntegratedLoudness, loudness)
        ),
        (_, None) => format!("Measured {measured}: below every gate"),
    }
}

#[cfg(test)]
mod tests {
    use deskhand_dsp::Decibels;
    use deskhand_session::Track;
    use deskhand_toolkit::testing::{Desk, SECOND, noise, tone};
    use serde_json::json;

    #[test]
    fn levels_come_through_the_gain_loudest_first_and_change_nothing() {
        let mut desk = Desk::new(crate::all());
        let voice = desk.track(Track::audio("Voice"));
        let silent = desk.track(Track::audio("Silent"));
        let id = desk.clip(voice, "Soft", 0, tone(1000.0, -40.0, 4.0));
        desk.clip(voice, "Loud", 5 * SECOND, noise(-20.0, 4.0));
        desk.clip(silent, "Nothing", 0, vec![0.0; 48_000]);
        desk.session.clips.get_mut(&id).unwrap().gain = Decibels(10.0);
        let draft = desk.plan("tool_measure", json!({"targets": "all", "per": "clip"}));
        assert_eq!(draft.changes, []);
        let answer = draft.answer.unwrap();
        let names: Vec<_> =
            answer.as_array().unwrap().iter().map(|row| row["name"].clone()).collect();
        assert_eq!(names, ["Loud", "Soft", "Nothing"]);
        assert_eq!(answer[1]["integrated_lufs"], json!(-33.0));
        assert_eq!(answer[1]["sample_peak_dbfs"], json!(-30.0));
        assert_eq!(answer[2]["integrated_lufs"], json!(null));
        assert!((answer[0]["noise_floor_dbfs"].as_f64().unwrap() + 20.0).abs() < 1.0);
        let tracks = desk.plan("tool_measure", json!({"targets": "all"}));
        assert_eq!(tracks.answer.unwrap().as_array().unwrap().len(), 2);
        let mix = desk.plan("tool_measure", json!({"targets": "mix"}));
        assert!(mix.summary.starts_with("\"the mix\" has -"), "{}", mix.summary);
        let heard = desk.plan("tool_measure", json!({}));
        assert_eq!(heard.answer.unwrap().as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_moved_fader_tells_which_point_a_level_is_of() {
        let mut desk = Desk::new(crate::all());
        let voice = desk.track(Track::audio("Voice"));
        desk.session.tracks.get_mut(&voice).unwrap().gain = Decibels(-10.0);
        desk.clip(voice, "Take", 0, tone(1000.0, -20.0, 4.0));
        let said = |name: &str| desk.plan("tool_measure", json!({"targets": name})).summary;
        assert!(said("Voice").ends_with(" LUFS after its fader at -10 dB"), "{}", said("Voice"));
        assert!(said("Take").ends_with(" LUFS before the fader at -10 dB"), "{}", said("Take"));
        assert!(said("mix").ends_with(" LUFS"), "{}", said("mix"));
    }
}
