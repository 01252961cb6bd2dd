//! `tool_predict_delivery`: what the files of an export will measure, before any is written.

use super::ExportDelivery;
use super::answer::failed;
use super::call::{Params, Resolved};
use super::one_file::plain_gain;
use super::report::{self, tenth};
use super::sound::{AS_IT_IS, Measured, Sound};
use crate::targets::Delivery;
use deskhand_dsp::Decibels;
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, Estimate, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use serde_json::{Value, json};

/// `tool_predict_delivery`.
pub(crate) struct PredictDelivery;

impl TypedTool for PredictDelivery {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_predict_delivery",
            "Predict an export",
            "Measures what an export would measure, and writes no file. It takes the parameters of the export. \
             Returns {duration_s, now, predicted, targets, files}: the levels as they are, those of the file \
             before its codec, for each delivery target the gain, the limiting and whether the file would \
             comply, and with `each_track` the levels of each file.",
            Category::Library,
            Trust::Autonomous,
            vec![json!({"path": "episode.mp3", "for": "podcast", "adjust": true, "limit_dbtp": -1})],
        )
        .offers(Gesture::PredictExport)
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        ExportDelivery::resolve(params, session)
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        Estimate { bytes: 0, ..ExportDelivery::estimate(call, session) }
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let whole = Sound::new(session.id.into(), call.range.clone());
        let now = whole.measured(context, AS_IT_IS)?;
        let targets = Delivery::ALL.map(|delivery| of_target(&call, delivery, (&whole, context)));
        let targets = targets.into_iter().collect::<Result<Vec<Value>, ToolError>>()?;
        let mut files = Vec::new();
        for (n, sound) in call.sounds.iter().enumerate() {
            context.step(n, call.sounds.len(), "measuring")?;
            files.push(of_file(&call, sound, context)?);
        }
        let summary = match files.as_slice() {
            [one] => format!("The file will measure {}", said(one)),
            all => format!("{} files measured; none is written", all.len()),
        };
        let mut draft = Draft::new(summary);
        draft.answer = Some(json!({
            "duration_s": (call.range.end - call.range.start).seconds(session.rate).0,
            "now": levels(&now),
            "predicted": files.first().filter(|_| !call.params.each_track),
            "targets": targets,
            "files": if call.params.each_track { files } else { Vec::new() },
        }));
        Ok(draft)
    }
}

fn said(file: &Value) -> String {
    file["integrated_lufs"].as_f64().map_or("silence".into(), |level| format!("{level:.1} LUFS"))
}

/// What one file will measure before its codec.
fn of_file(call: &Resolved, sound: &Sound, context: &PlanContext) -> Result<Value, ToolError> {
    let report = |done| context.progress.report(done, "measuring");
    let sound = call.limited(sound, context, &report)?;
    let now = sound.measured(context, AS_IT_IS)?.levels;
    let gain = plain_gain(call, &now).0;
    let measured = sound.measured(context, gain)?;
    let mut told = levels(&measured);
    let checks = report::checks(&measured, call.params.delivery, call.format.is_lossy());
    told["name"] = json!(context.session.name_of(sound.what));
    told["gain_db"] = json!(tenth(gain + sound.drive().unwrap_or(0.0)));
    told["complies"] = json!(checks.iter().all(|check| check.complies));
    told["failed"] = json!(failed(&checks));
    Ok(told)
}

/// What the mix would need for a target. The limiter is taken as exact: only the chosen target is searched.
fn of_target(
    call: &Resolved,
    delivery: Delivery,
    (whole, context): (&Sound, &PlanContext),
) -> Result<Value, ToolError> {
    let now = whole.measured(context, AS_IT_IS)?.levels;
    let wanted = delivery.measured(&now).map_or(0.0, |level| delivery.level() - level);
    let room = now.true_peak.map_or(f64::MAX, |peak| delivery.ceiling() - peak.0);
    let is_limited = call.params.limit_dbtp.is_some();
    let gain = if is_limited { wanted } else { wanted.min(room) };
    let limiting = (gain - room).max(0.0);
    let mut measured = whole.measured(context, gain)?;
    if is_limited {
        limit(&mut measured, delivery.ceiling());
    }
    let checks = report::checks(&measured, Some(delivery), call.format.is_lossy());
    Ok(json!({
        "for": delivery,
        "gain_db": tenth(gain),
        "limiting_db": tenth(limiting),
        "complies": checks.iter().all(|check| check.complies),
        "failed": failed(&checks),
    }))
}

fn limit(measured: &mut Measured, ceiling: f64) {
    for peak in [&mut measured.levels.true_peak, &mut measured.levels.sample_peak] {
        *peak = peak.map(|peak| Decibels(peak.0.min(ceiling)));
    }
}

fn levels(measured: &Measured) -> Value {
    let levels = &measured.levels;
    json!({
        "integrated_lufs": levels.integrated.map(|level| tenth(level.0)),
        "true_peak_dbtp": levels.true_peak.map(|peak| tenth(peak.0)),
        "range_lu": levels.range_lu.map(tenth),
        "rms_dbfs": levels.rms.map(|level| tenth(level.0)),
        "noise_floor_dbfs": measured.floor.map(tenth),
    })
}
