//! A call that asks whether it may run, in words.

use crate::action::Gesture;
use crate::file_call::place;
use crate::kit::scale::minus;
use crate::toasts::names::bare;
use crate::tools::Tools;
use deskhand_session::Plan;
use std::path::Path;

/// The summary of a plan. A plan that asks whether a call may run is named after its tool.
pub(crate) fn summary(plan: &Plan) -> String {
    title(plan).map_or_else(|| minus(&bare(&plan.summary)), str::to_owned)
}

/// "Export for delivery", of "Run `tool_export_delivery` (Export for delivery)".
fn title(plan: &Plan) -> Option<&str> {
    let behind = plan.summary.strip_prefix("Run ")?.strip_prefix(plan.tool.as_str())?;
    behind.strip_prefix(" (")?.strip_suffix(')')
}

/// Why a call asks, without the name of its tool, which is shown above: "It reaches outside the session".
pub(crate) fn why(plan: &Plan, reason: &str) -> String {
    match reason.strip_prefix(plan.tool.as_str()) {
        Some(rest) if rest.starts_with(' ') => format!("It{rest}"),
        Some(_) | None => reason.to_owned(),
    }
}

/// The file that a call writes, for a session in the folder `session`. `None` if the call names no file.
pub(crate) fn writes(tools: &Tools, plan: &Plan, session: &str) -> Option<String> {
    let named = Path::new(plan.params["path"].as_str()?);
    let path = tools.writes_path(&plan.tool).then(|| place(Path::new(session), named))?;
    let mut told = format!("Writes {}", path.display());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if plan.params["or_next_free"] == true {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        told += &format!(", or {stem}-2.{ending} and so on where that is there already");
    }
    if tools.is(&plan.tool, Gesture::ExportMix) {
        told += &format!(". A report goes next to it: {stem}.report.html and {stem}.report.json");
    }
    Some(told + ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{gain_plan, tool_of, tools};
    use serde_json::{Value, json};

    fn plan(tool: &str, params: Value) -> Plan {
        let summary = format!("Run {tool} (A title)");
        Plan { tool: tool.into(), params, summary, changes: Vec::new(), ..gain_plan() }
    }

    #[test]
    fn of_a_call_that_writes_it_is_told_what_and_where() {
        let told = |gesture, params| {
            writes(&tools(), &plan(&tool_of(gesture), params), "/music/song.deskhand")
        };
        let free = json!({"path": "mix.wav", "or_next_free": true});
        let words = "Writes /music/mix.wav, or mix-2.wav and so on where that is there already. A report goes next to it: mix.report.html and mix.report.json.";
        assert_eq!(told(Gesture::ExportMix, free).as_deref(), Some(words));
        let elsewhere = json!({"path": "/tmp/codes.csv"});
        let words = Some("Writes /tmp/codes.csv.");
        assert_eq!(told(Gesture::ReportCodes, elsewhere.clone()).as_deref(), words);
        assert_eq!(told(Gesture::Transcribe, elsewhere), None, "that one writes none");
        assert_eq!(told(Gesture::ReportCodes, json!({"report": "counts"})), None);
    }

    #[test]
    fn a_call_is_called_like_its_tool_and_other_plans_as_they_say() {
        let call = plan("tool_export_delivery", Value::Null);
        assert_eq!(summary(&call), "A title");
        assert_eq!(summary(&gain_plan()), minus(&gain_plan().summary));
        let asks = why(&call, "tool_export_delivery reaches outside the session");
        assert_eq!(asks, "It reaches outside the session");
        let asks = "It is estimated at 94 s";
        assert_eq!(why(&call, asks), asks);
    }
}
