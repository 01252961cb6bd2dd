//! The card of a plan: the text that a person sees before deciding, and the keys that decide.

use crate::commands::plan::predictions;
use crate::exit::for_terminal;
use crate::output::Output;
use crate::table;
use deskhand_protocol::Decision;
use deskhand_protocol::clean::clean;
use deskhand_session::plan::ValueEdit;
use deskhand_session::{OfferStep, Plan, PlanOffer, PlannedChange, Session};
use serde_json::Value;

/// Findings and warnings that are shown; the rest is counted.
const SHOWN: usize = 6;

/// The longest parameters that are shown of a call, in characters.
const PARAMS: usize = 400;

/// The longest name of a part that is shown, in characters.
const NAME: usize = 100;

/// Why no rule is made by taking a plan.
const HEAR_FIRST: &str =
    "no rule applies cuts that nobody heard: s c1 applies the cuts you heard, a applies all";

/// A plan for the person who decides.
pub(crate) fn card(plan: &Plan, session: &Session, output: Output) -> String {
    if plan.changes.is_empty() {
        return permission(plan);
    }
    if let Some(line) = one_line(plan, session) {
        return line;
    }
    let table = table::plan(output, plan, session).to_string();
    let mut lines = vec![plan.summary.clone(), format!("\n{table}\n")];
    lines.extend(parts(plan));
    lines.extend(to_hear(plan));
    lines.extend(shown(findings(plan, session), "findings"));
    lines.extend(predictions(plan, session));
    lines.extend(shown(warnings(plan), "warnings"));
    lines.extend(shown(notes(plan), "notes"));
    lines.join("\n")
}

/// What can be done with it.
pub(crate) fn keys(plan: &Plan) -> &'static str {
    if plan.changes.is_empty() {
        "[a] let it run  [r WHY] reject  [t] stop the turn"
    } else if is_one_scalar(plan) {
        "[Enter] apply  [e c1=VALUE] edit  [r WHY] reject  [A] always  [t] stop the turn"
    } else if plan.requests().next().is_some() {
        "[a] apply all  [s p1,p3] plan some parts alone  [r WHY] reject  [A] always allow this tool here  \
         [t] stop the turn"
    } else if has_unheard(plan) {
        "[a] apply all, unheard too  [s c1,c3] some  [e c1=VALUE] edit  [r WHY] reject  \
         [t] stop the turn"
    } else {
        "[a] apply all  [s c1,c3] some  [e c1=VALUE] edit  [r WHY] reject  [A] always allow this tool here  \
         [t] stop the turn"
    }
}

/// A call that waits for leave to run.
fn permission(plan: &Plan) -> String {
    let params = clean(&plan.params.to_string(), PARAMS);
    let mut lines = vec![format!("{} {params}", plan.summary)];
    lines.extend(shown(warnings(plan), "warnings"));
    lines.join("\n")
}

/// One scalar on one object fits on a line.
fn one_line(plan: &Plan, session: &Session) -> Option<String> {
    let planned = plan.changes.first().filter(|_| is_one_scalar(plan))?;
    let (before, after) = table::sides(&planned.change, session);
    let what = table::what(planned);
    let mut line = format!("{what} {before} -> {after}, {}", planned.reason);
    for told in warnings(plan).into_iter().chain(notes(plan)) {
        line += &format!("\n{told}");
    }
    Some(line)
}

/// Whether it changes one scalar of one object.
pub(crate) fn is_one_scalar(plan: &Plan) -> bool {
    let [planned] = plan.changes.as_slice() else {
        return false;
    };
    let change = serde_json::to_value(&planned.change).unwrap_or_default();
    let is_scalar = |side: &str| !matches!(change[side], Value::Object(_) | Value::Array(_));
    let exists = !change["before"].is_null() && !change["after"].is_null();
    exists && is_scalar("before") && is_scalar("after")
}

/// The parts of a plan that can be requested alone, one per line.
pub(crate) fn parts(plan: &Plan) -> Vec<String> {
    plan.requests().map(|part| format!("  {}  {}", part.id, clean(&part.name, NAME))).collect()
}

/// Whether there is something in it that nobody should take unheard. No rule is made by taking that.
fn has_unheard(plan: &Plan) -> bool {
    plan.changes.iter().any(|change| change.to_hear)
}

/// A line for each change to hear first, with its place and how to hear it; empty if there is none.
pub(crate) fn to_hear(plan: &Plan) -> Vec<String> {
    let all = plan.changes.iter().filter(|change| change.to_hear);
    let first = all.clone().next().map(|change| change.id.as_str()).unwrap_or_default();
    let line = |change: &PlannedChange| format!("  {}  {}", change.id, clean(&change.reason, NAME));
    let lines = shown(all.map(line).collect(), "to hear");
    if lines.is_empty() {
        return lines;
    }
    let id = plan.id;
    let head =
        "hear these changes before you apply them, each from 2 s before its place:".to_owned();
    let hear = format!(
        "  hear it: `deskhand render DIR before.wav --range A..B`; add `--plan {id}` to hear the result, or use the \
         window. Apply some: `deskhand apply DIR {id} --only {first}`"
    );
    std::iter::once(head).chain(lines).chain([hear]).collect()
}

fn findings(plan: &Plan, session: &Session) -> Vec<String> {
    let line = |finding: &deskhand_session::Finding| {
        let name = session.name_of(finding.target);
        let value = finding.value.map_or_else(|| "none".into(), |value| format!("{value:.2}"));
        let (title, unit) = (finding.title(), &finding.unit);
        format!("  measured: {title} of {name} {value} {unit}")
    };
    plan.findings.iter().map(line).collect()
}

fn warnings(plan: &Plan) -> Vec<String> {
    let line = |warning: &String| {
        let ways: String = ways_out(plan, warning).map(|way| format!("\n    {way}")).collect();
        format!("  warning: {}{ways}", for_terminal(warning))
    };
    plan.warnings.iter().map(line).collect()
}

/// What the plan offers about a warning, as commands.
pub(crate) fn ways_out<'p>(
    plan: &'p Plan,
    warning: &str,
) -> impl Iterator<Item = String> + use<'p> {
    let offers = plan.offers.iter();
    let own: Vec<&PlanOffer> = offers.filter(|offer| offer.warning == warning).collect();
    own.into_iter().map(way_out)
}

fn way_out(offer: &PlanOffer) -> String {
    let values = offer.params.as_object().into_iter().flatten().map(|(key, value)| {
        // Values that parse as JSON are passed as JSON.
        let plain = value.as_str().filter(|text| serde_json::from_str::<Value>(text).is_err());
        let value = plain.map_or_else(|| value.to_string(), str::to_owned);
        format!(" {}", shell_word(&format!("{key}={value}")))
    });
    let (label, tool, values) = (&offer.label, &offer.tool, values.collect::<String>());
    let then = match offer.step {
        OfferStep::First => ", apply that plan, then plan again",
        OfferStep::Instead => ", in place of this plan",
        OfferStep::Beside => ", as a second plan",
    };
    format!("{label}: `deskhand plan DIR {tool}{values}`{then}")
}

/// A word as a shell takes it.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-=./,:".contains(c);
    if word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn notes(plan: &Plan) -> Vec<String> {
    plan.notes.iter().map(|note| format!("  note: {note}")).collect()
}

fn shown(mut lines: Vec<String>, what: &str) -> Vec<String> {
    let more = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    if more > 0 {
        lines.push(format!("  and {more} more {what}"));
    }
    lines
}

/// What a person typed at a card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Key {
    /// Decides.
    Decide(Decision),
    /// Asks for some parts alone.
    Narrow(Vec<String>),
    /// Stops the model's turn; the plan waits on.
    Stop,
    /// Shows the card again.
    Show,
    /// Means to decide, but not like this.
    Unclear(&'static str),
    /// Something else than a key.
    Words,
}

/// Reads the answer typed at the card of `plan`.
pub(crate) fn read_key(text: &str, plan: &Plan) -> Key {
    let text = text.trim();
    let (key, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match (key, rest) {
        ("", _) if is_one_scalar(plan) => Key::Decide(Decision::Apply),
        ("", _) => Key::Show,
        ("a", "") => Key::Decide(Decision::Apply),
        ("A", "") if has_unheard(plan) => Key::Unclear(HEAR_FIRST),
        ("A", "") => Key::Decide(Decision::ApplyAlways),
        ("t", "") => Key::Stop,
        ("r", "") => Key::Unclear("say why: r the vocal is too loud"),
        ("r", reason) => Key::Decide(Decision::Reject { reason: reason.to_owned() }),
        ("s", rest) => some(rest),
        ("e", rest) => edit(rest),
        _ => Key::Words,
    }
}

fn some(rest: &str) -> Key {
    let ids: Vec<_> = rest.split([',', ' ']).filter(|id| !id.is_empty()).collect();
    let only: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    if !ids.is_empty() && ids.iter().all(|id| is_part(id)) {
        return Key::Narrow(only);
    }
    if ids.is_empty() || !ids.iter().all(|id| is_change(id)) {
        return Key::Unclear("name changes, such as s c1,c3, or parts, such as s p1,p3");
    }
    Key::Decide(Decision::ApplyPart { only: Some(only), set: Vec::new() })
}

fn edit(rest: &str) -> Key {
    let set: Option<Vec<_>> = rest.split_whitespace().map(value_edit).collect();
    match set {
        Some(set) if !set.is_empty() => {
            let only = None;
            Key::Decide(Decision::ApplyPart { only, set })
        }
        Some(_) | None => Key::Unclear("give values, such as e c1=-2.5 c2=0"),
    }
}

/// `c1=VALUE`; a value is JSON, or else text.
pub(crate) fn value_edit(text: &str) -> Option<ValueEdit> {
    let (change, value) = text.split_once('=')?;
    let after = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.into()));
    is_change(change).then(|| ValueEdit { change: change.into(), after })
}

fn is_change(id: &str) -> bool {
    is_numbered(id, 'c')
}

/// Whether that may be the id of a part of a plan.
pub(crate) fn is_part(id: &str) -> bool {
    is_numbered(id, 'p')
}

fn is_numbered(id: &str, letter: char) -> bool {
    id.strip_prefix(letter).is_some_and(|number| number.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{SessionId, Track, TrackId};
    use serde_json::json;

    /// Output that is no JSON.
    const PEOPLE: bool = false;

    fn session() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.tracks.insert(TrackId::new(1), Track::audio("Voice"));
        session.tracks.insert(TrackId::new(2), Track::audio("Music"));
        session
    }

    fn change(id: &str, track: u64, name: &str, after: f64) -> Value {
        json!({
            "id": id, "op": "set_track_gain", "target": TrackId::new(track), "name": name,
            "before": 0.0, "after": after, "unit": "dB", "reason": "measured -30.1 LUFS", "needs": [],
        })
    }

    fn plan(changes: Value, rest: Value) -> Plan {
        let mut plan = json!({
            "format": "deskhand.plan/1", "id": "plan_0123456789ab", "digest": "", "tool": "tool_gain_stage",
            "params": {"targets": "all"}, "session": SessionId::new(1), "base_revision": 1,
            "summary": "Bring 2 tracks to -18 dBFS", "changes": changes,
        });
        for (key, value) in rest.as_object().unwrap() {
            plan[key] = value.clone();
        }
        serde_json::from_value(plan).unwrap()
    }

    fn whole(plan: &Plan) -> String {
        let output = Output::new(PEOPLE);
        format!("{}\n{}", card(plan, &session(), output), keys(plan))
    }

    #[test]
    fn what_is_to_be_heard_is_listed_with_the_way_to_hear_it() {
        let mut heard = change("c2", 2, "Music", -6.0);
        (heard["to_hear"], heard["reason"]) = (json!(true), json!("\"um,\" at 0:01.900, 0.42 s"));
        let plan = plan(json!([change("c1", 1, "Voice", 9.1), heard]), json!({}));
        let shown = card(&plan, &session(), Output::new(PEOPLE));
        assert!(shown.contains("\n  c2  \"um,\" at 0:01.900, 0.42 s\n  hear it: `"), "{shown}");
        assert!(shown.contains("--plan plan_0123456789ab"), "{shown}");
        assert!(!to_hear(&plan).iter().any(|line| line.starts_with("  c1")), "{shown}");
        assert!(matches!(read_key("A", &plan), Key::Unclear(_)), "no rule takes it");
        assert!(!keys(&plan).contains("[A]") && keys(&plan).contains("unheard too"));
        assert_eq!(read_key("a", &plan), Key::Decide(Decision::Apply));
    }

    #[test]
    fn a_card_shows_changes_findings_predictions_and_warnings() {
        let changes = json!([change("c1", 1, "Voice", 9.1), change("c2", 2, "Music", -6.0)]);
        let voice = TrackId::new(1);
        let plan = plan(
            changes,
            json!({
                "findings": [{"target": voice, "measure": "integrated_loudness", "value": -30.1,
                    "unit": "LUFS", "method": "ITU-R BS.1770-5"}],
                "predicted": [{"target": voice, "measure": "integrated_loudness", "value": -21.0,
                    "tolerance": 0.1, "unit": "LUFS", "from": ["c1"], "verify": "now"}],
                "warnings": ["Music is silent from 0:01 on"],
                "notes": ["gain of 2 tracks in Ardour 8: its own undo does not show this"],
            }),
        );
        insta::assert_snapshot!(whole(&plan));
    }

    #[test]
    fn one_scalar_on_one_object_is_one_line() {
        let plan = plan(json!([change("c1", 2, "Music", -3.0)]), json!({}));
        insta::assert_snapshot!(whole(&plan));
        assert_eq!(read_key("", &plan), Key::Decide(Decision::Apply));
    }

    #[test]
    fn a_call_that_wants_to_run_says_what_it_reaches_for() {
        let rest = json!({
            "tool": "cmd_render", "summary": "Run cmd_render (Render the mix)",
            "params": {"path": "mix.wav\u{1b}[2J"}, "warnings": ["cmd_render reaches outside the session"],
        });
        insta::assert_snapshot!(whole(&plan(json!([]), rest)));
    }

    #[test]
    fn what_a_plan_offers_about_a_warning_is_a_command_that_can_be_typed() {
        let changes = json!([change("c1", 1, "Voice", 9.1)]);
        let params = json!({"name": "Bo's talk", "targets": ["Voice", "Music"], "index": "12"});
        let (warning, label) = ("Music stays.", "Group and keep in sync");
        let offer =
            json!({"warning": warning, "label": label, "tool": "cmd_set_group", "params": params});
        let plan = plan(changes, json!({"warnings": [warning, "Voice clips."], "offers": [offer]}));
        let command = "deskhand plan DIR cmd_set_group 'index=\"12\"' 'name=Bo'\\''s talk' \
                       'targets=[\"Voice\",\"Music\"]'";
        let told = format!("{label}: `{command}`, apply that plan, then plan again");
        assert_eq!(ways_out(&plan, warning).collect::<Vec<_>>(), std::slice::from_ref(&told));
        assert_eq!(ways_out(&plan, "Voice clips.").count(), 0);
        let shown = card(&plan, &session(), Output::new(PEOPLE));
        assert!(shown.contains(&format!("warning: {warning}\n    {told}")), "{shown}");
    }

    #[test]
    fn keys_decide_and_nothing_else_does() {
        let plan =
            plan(json!([change("c1", 1, "Voice", 9.1), change("c2", 2, "Music", -6.0)]), json!({}));
        let read = |text: &str| read_key(text, &plan);
        let part = |only: Option<&[&str]>, set: Vec<ValueEdit>| {
            let only = only.map(|ids| ids.iter().map(ToString::to_string).collect());
            Key::Decide(Decision::ApplyPart { only, set })
        };
        assert_eq!(read("a"), Key::Decide(Decision::Apply));
        assert_eq!(read("A"), Key::Decide(Decision::ApplyAlways));
        assert_eq!(read(""), Key::Show);
        assert_eq!(read("t"), Key::Stop);
        assert_eq!(read("s c1, c2"), part(Some(&["c1", "c2"]), Vec::new()));
        assert_eq!(read("s p1,p3"), Key::Narrow(vec!["p1".into(), "p3".into()]));
        assert!(matches!(read("s p1,c3"), Key::Unclear(_)), "parts and changes do not mix");
        let edited = ValueEdit { change: "c1".into(), after: json!(-3) };
        assert_eq!(read("e c1=-3"), part(None, vec![edited]));
        let reason = "too loud, really".to_owned();
        assert_eq!(read("r too loud, really"), Key::Decide(Decision::Reject { reason }));
        for unclear in ["r", "s", "s all", "e", "e c1", "e all=3"] {
            assert!(matches!(read(unclear), Key::Unclear(_)), "{unclear}");
        }
        for words in ["apply it", "a bit louder", "yes", "ok", "A little"] {
            assert_eq!(read(words), Key::Words, "{words}");
        }
    }
}
