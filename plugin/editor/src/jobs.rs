//! Calls of this window that run, in the status bar: the oldest with how far it is, the others in a list; each can be
//! stopped.

use crate::action::Action;
use crate::icons;
use crate::kit::controls::{Button, Kind, icon_button, progress};
use crate::kit::{Cut, Cx};
use crate::model::{Job, Model};
use crate::theme::Type;
use crate::ways::title;
use deskhand_protocol::CallId;
use egui::{Popup, Rect, pos2, vec2};
use std::collections::BTreeMap;

/// What says nothing of how far it is, is shown once it runs this long, s: most calls are over before.
const LATE: f64 = 0.5;

/// What the list of jobs keeps between frames.
#[derive(Default)]
pub(crate) struct JobsView {
    /// When each was seen first, s.
    since: BTreeMap<CallId, f64>,
}

/// Draws them in `rect` from `left` on.
pub(crate) fn show(cx: &Cx<'_>, model: &mut Model, rect: Rect, left: f32, out: &mut Vec<Action>) {
    let (jobs, since) = (&model.jobs, &mut model.desk.jobs.since);
    let now = cx.ui.input(|input| input.time);
    since.retain(|call, _| jobs.contains_key(call));
    let mut is_shown = |call: CallId, job: &Job| {
        let late = *since.entry(call).or_insert(now) + LATE;
        if now < late {
            cx.ui.ctx().request_repaint_after_secs((late - now) as f32);
        }
        job.fraction > 0.0 || now >= late
    };
    let all = jobs.iter().map(|(call, job)| (*call, job));
    let shown: Vec<(CallId, &Job)> = all.filter(|(call, job)| is_shown(*call, job)).collect();
    let Some((oldest, others)) = shown.split_first() else { return };
    let right = first(cx, *oldest, rect, left, out);
    if !others.is_empty() {
        list(cx, others, rect, right + 8.0, out);
    }
}

/// What a job does.
fn words(job: &Job) -> String {
    if job.what.is_empty() { title(&job.tool) } else { job.what.clone() }
}

fn percent(job: &Job) -> String {
    format!("{:.0}\u{a0}%", job.fraction * 100.0)
}

/// One job with how far it is, and the button that stops it; gives where it ends.
fn first(
    cx: &Cx<'_>,
    (call, job): (CallId, &Job),
    rect: Rect,
    left: f32,
    out: &mut Vec<Action>,
) -> f32 {
    let (words, y) = (words(job), rect.center().y);
    let label = cx.elided(pos2(left, y), &words, Type::CAPTION, cx.t.text_2, 260.0);
    let bar = Rect::from_min_size(pos2(label.right() + 12.0, y - 2.0), vec2(120.0, 4.0));
    progress(cx, bar, job.fraction as f32);
    let at = pos2(bar.right() + 8.0, y);
    let text = cx.left(at, &percent(job), Type::CAPTION, cx.t.text_2);
    let cell = rect.row_box(text.right() + 6.0, vec2(20.0, 20.0));
    if icon_button(cx, cell, icons::X, false, &format!("Cancel {words}")).clicked() {
        out.push(Action::Cancel(call));
    }
    cell.right()
}

/// The others behind a button; a click on one stops it.
fn list(cx: &Cx<'_>, jobs: &[(CallId, &Job)], rect: Rect, left: f32, out: &mut Vec<Action>) {
    let words = format!("{} more", jobs.len());
    let button = Button::new(Kind::Quiet, &words);
    let cell = rect.row_box(left, vec2(button.width(cx), 20.0));
    Popup::menu(&button.show(cx, cell)).show(|ui| {
        for (call, job) in jobs {
            let words = format!("Cancel {}, {}", self::words(job), percent(job));
            if ui.button(words).clicked() {
                out.push(Action::Cancel(*call));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::Action;
    use crate::ui_tests::{harness, open_model};
    use deskhand_protocol::{Apply, CallId, Op};
    use egui_kittest::kittest::Queryable as _;
    use serde_json::json;

    #[test]
    fn all_that_runs_is_listed_and_stopped_before_it_says_how_far_it_is() {
        let mut harness = harness(open_model());
        harness.run_steps(2);
        for (number, tool) in [(7, "tool_transcribe"), (8, "tool_separate"), (9, "tool_separate")] {
            let op = Op::Call { tool: tool.into(), params: json!({}), apply: Apply::ByPolicy };
            harness.state_mut().model.sent(CallId(number), &op);
        }
        harness.run_steps(1);
        assert!(harness.query_by_label("Cancel Transcribe").is_none(), "it may be over at once");
        // A quarter of a second each.
        harness.run_steps(4);
        harness.get_by_label("Cancel Transcribe").click();
        harness.run_steps(2);
        harness.get_by_label("2 more").click();
        harness.run_steps(3);
        let all: Vec<_> = harness.get_all_by_label("Cancel Separate, 0\u{a0}%").collect();
        all[1].click();
        drop(all);
        harness.run_steps(2);
        let stopped = [7, 9].map(|number| Action::Cancel(CallId(number)));
        assert_eq!(harness.state().actions, stopped);
    }
}
