//! `tool_code_spectral`: a code on a rectangle of the spectrogram, in time and frequency.

use super::coding::{Place, wanted};
use super::places::spot;
use super::region::{Resolved, draft, place};
use deskhand_session::{FrequencyBand, ObjectId, Session};
use deskhand_toolkit::Reads;
use deskhand_toolkit::about::{COMMAND_LIMIT, tool};
use deskhand_toolkit::{Category, Code, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `tool_code_spectral`.
pub(super) struct CodeSpectral;

/// A rectangle on the spectrogram.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Rectangle {
    /// The code: id, name or path ("Money/Rent"). Or give `code`.
    code_id: Option<String>,
    /// The code's name, instead of `code_id`; a new code is made if needed.
    code: Option<String>,
    /// One clip or one source, by id or name.
    target: String,
    /// Left edge, in milliseconds from the start of the target.
    #[schemars(range(min = 0.0))]
    x: f64,
    /// Lower edge in Hz.
    #[schemars(range(min = 0.0))]
    y: f64,
    /// Length in milliseconds.
    #[schemars(range(min = 0.0))]
    width: f64,
    /// Height in Hz above `y`; up to half the session's rate.
    #[schemars(range(min = 0.0))]
    height: f64,
}

impl TypedTool for CodeSpectral {
    type Params = Rectangle;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_code_spectral",
            "Code a part of the spectrogram",
            "Codes a rectangle of the spectrogram of one clip or source: `x` and `width` in milliseconds from \
             its start, `y` and `height` in Hz (y 1000, height 500: 1000 to 1500 Hz). Returns {segment_id, \
             batch_id, already_coded}.",
            Category::Organize,
            Trust::Notify,
            vec![
                json!({"code": "Bird", "target": "Garden", "x": 12000, "y": 3000, "width": 800, "height": 2500}),
            ],
        )
        .sets()
        .command("codes spectral", "Code a rectangle of a spectrogram; makes a new code if needed")
        .arg("CODE", "code", "The code: name or id")
        .arg("TARGET", "target", "The clip or source")
        .reads(Reads::Times(1000.0), "FROM", "x", "Start in seconds")
        .reads(Reads::Length("FROM", 1000.0), "TO", "width", "End in seconds")
        .arg("LOW", "y", "Lower edge in Hz")
        .reads(Reads::Length("LOW", 1.0), "HIGH", "height", "Upper edge in Hz")
        .limit(COMMAND_LIMIT)
    }

    fn resolve(params: Rectangle, session: &Session) -> Result<Resolved, ToolError> {
        let code = wanted(session, params.code_id.as_deref(), params.code.as_deref())?;
        let spot = spot(session, &params.target)?;
        let place = place(session, &spot, [params.x, params.x + params.width])?;
        let band = FrequencyBand { low_hz: params.y, high_hz: params.y + params.height };
        let highest = f64::from(session.rate.0) / 2.0;
        if !(band.low_hz < band.high_hz && band.high_hz <= highest) {
            let FrequencyBand { low_hz, high_hz } = band;
            let message = format!("{low_hz} to {high_hz} Hz is no range of frequencies here");
            let fix = format!("give a height above 0 that ends at {highest} Hz or lower");
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        let place = Place { band: Some(band), ..place };
        Ok(Resolved { code, object: spot.object, place, transcript: None })
    }

    /// It is done at once, and blocks nothing.
    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        Ok(draft(&call, context))
    }
}
