//! Calls of this window that run, and audio that is prepared, in the status bar: the oldest with how far it is, the
//! others in a list; each call can be stopped.

pub(crate) mod view;

use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::controls::{Button, Kind, icon_button, progress};
use crate::kit::{Cut, Cx, menu};
use crate::model::Model;
use crate::scene::Job;
use crate::theme::Type;
use crate::tools::title;
use deskhand_protocol::CallId;
use deskhand_session::SourceId;
use egui::{Rect, pos2, vec2};

/// A job without progress is shown once it runs this long, s. Most calls end before.
const LATE: f64 = 0.5;

struct Line {
    /// The call that runs; `None` if nobody can stop it.
    call: Option<CallId>,
    words: String,
    /// 0 to 1.
    fraction: f64,
}

impl Line {
    /// "reading a.wav, 40 %".
    fn told(&self) -> String {
        format!("{}, {}", self.words, self.percent())
    }

    fn percent(&self) -> String {
        format!("{:.0}\u{a0}%", self.fraction * 100.0)
    }
}

pub(crate) fn show(cx: &Cx<'_>, model: &mut Model, rect: Rect, left: f32, out: &mut Actions) {
    let mut lines = calls(cx, model);
    lines.extend(prepared(model));
    let Some((oldest, others)) = lines.split_first() else { return };
    let right = first(cx, oldest, rect, left, out);
    if !others.is_empty() {
        list(cx, others, rect, right + 8.0, out);
    }
}

/// The calls that run long enough, or say how far they are.
fn calls(cx: &Cx<'_>, model: &mut Model) -> Vec<Line> {
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
    let shown = jobs.iter().filter(|(call, job)| is_shown(**call, job));
    let line = |(call, job): (&CallId, &Job)| {
        let words = if job.what.is_empty() { title(&job.tool) } else { job.what.clone() };
        Line { call: Some(*call), words, fraction: job.fraction }
    };
    shown.map(line).collect()
}

/// Audio that is converted and drawn after an import.
fn prepared(model: &Model) -> Vec<Line> {
    let Some(session) = model.session() else { return Vec::new() };
    let all = model.preparing.fractions.iter();
    let line = |(id, fraction): (&SourceId, &f64)| {
        let words = format!("Preparing {}", session.sources.get(id)?.name);
        Some(Line { call: None, words, fraction: *fraction })
    };
    all.filter_map(line).collect()
}

/// One job with its progress and its stop button. Returns the x position of its end.
fn first(cx: &Cx<'_>, line: &Line, rect: Rect, left: f32, out: &mut Actions) -> f32 {
    let y = rect.center().y;
    let label = cx.elided(pos2(left, y), &line.words, Type::CAPTION, cx.t.text_2, 260.0);
    let bar = Rect::from_min_size(pos2(label.right() + 12.0, y - 2.0), vec2(120.0, 4.0));
    progress(cx, bar, line.fraction as f32);
    let at = pos2(bar.right() + 8.0, y);
    let text = cx.left(at, &line.percent(), Type::CAPTION, cx.t.text_2);
    let Some(call) = line.call else {
        cx.label(label.union(text), "prepared", line.told());
        return text.right();
    };
    let cell = rect.row_box(text.right() + 6.0, vec2(20.0, 20.0));
    if icon_button(cx, cell, icons::X, &format!("Cancel {}", line.words)).clicked() {
        out.push(Action::Cancel(call));
    }
    cell.right()
}

/// The other jobs in a menu. A click on a call stops it.
fn list(cx: &Cx<'_>, lines: &[Line], rect: Rect, left: f32, out: &mut Actions) {
    let words = format!("{} more", lines.len());
    let button = Button::new(Kind::Quiet, &words);
    let cell = rect.row_box(left, vec2(button.width(cx), 20.0));
    menu::of(&button.show(cx, cell)).show(|ui| {
        for line in lines {
            let Some(call) = line.call else {
                menu::title(ui, &line.told());
                continue;
            };
            if menu::entry(ui, format!("Cancel {}", line.told())) {
                out.push(Action::Cancel(call));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::session;
    use crate::testing::prelude::*;
    use deskhand_protocol::Apply;
    use deskhand_session::{PlanState, Source};

    #[test]
    fn all_that_runs_is_listed_and_stopped_before_it_says_how_far_it_is() {
        let mut harness = harness(open_model());
        for (number, tool) in [(7, "tool_transcribe"), (8, "tool_separate"), (9, "tool_separate")] {
            let op = Op::Call { tool: tool.into(), params: json!({}), apply: Apply::ByPolicy };
            harness.state_mut().model.sent(CallId(number), &op);
        }
        harness.run_steps(1);
        assert!(harness.query_by_label("Cancel Transcribe").is_none(), "it may be over at once");
        // A quarter of a second each.
        harness.run_steps(4);
        harness.click_on("Cancel Transcribe");
        harness.click_on("2 more");
        let all: Vec<_> = harness.get_all_by_label("Cancel Separate, 0\u{a0}%").collect();
        all[1].click();
        drop(all);
        harness.run_steps(2);
        let stopped = [7, 9].map(|number| Action::Cancel(CallId(number)));
        assert_eq!(harness.state().actions, stopped);
    }

    #[test]
    fn audio_that_is_prepared_behind_an_import_says_how_far_it_is_until_it_is_there() {
        let (drums, mut model) = (SourceId::new(9), open_model());
        let session = session(&mut model);
        let vocal = session.sources[&SourceId::new(1)].clone();
        let source = Source { name: "drums.wav".into(), ..vocal };
        session.sources.insert(drums, source);
        let mut harness = harness(model);
        let hears = |harness: &mut Harness<'_, Desk>, number: u64, news: News| {
            drop(harness.state_mut().model.hear(&event(number, None, news)));
            harness.run_steps(3);
        };
        let progress = |fraction: f64, what: &str| News::Progress { fraction, what: what.into() };
        // The first source was there, and is prepared: another front end works with it.
        hears(&mut harness, 2, progress(0.3, "Vocal"));
        assert!(harness.query_by_label_contains("Preparing").is_none());
        hears(&mut harness, 3, progress(0.4, "drums.wav"));
        assert!(harness.query_by_label("Preparing drums.wav, 40\u{a0}%").is_some());
        hears(&mut harness, 4, News::Media { source: drums, failed: None });
        assert!(harness.query_by_label_contains("Preparing").is_none());
    }

    #[test]
    fn a_window_is_at_work_while_anything_would_stop_with_it() {
        let mut model = crate::ui_tests::with_plan();
        assert!(!model.is_at_work(), "a plan that waits is no work");
        let (tool, params, apply) = ("tool_transcribe".into(), json!({}), Apply::ByPolicy);
        model.sent(CallId(7), &Op::Call { tool, params, apply });
        assert!(model.is_at_work(), "a call");
        let plan = crate::testing::gain_plan().id;
        let mut model = crate::ui_tests::with_plan();
        model.cards.get_mut(&plan).unwrap().stored.state = PlanState::Applying;
        assert!(model.is_at_work(), "a plan that is applied");
        let mut model = open_model();
        model.mirror.as_mut().unwrap().snapshot.running.insert(plan, 0.4);
        assert!(model.is_at_work(), "what somebody let run, elsewhere too");
        let mut model = open_model();
        model.mirror.as_mut().unwrap().snapshot.is_turn_running = true;
        assert!(model.is_at_work(), "a turn of the conversation");
        model.lost("the session's process ended");
        assert!(!model.is_at_work(), "nothing goes on that could be stopped");
    }
}
