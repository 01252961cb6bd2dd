//! The line at the bottom: messages, running work, and the contents of the session.

use crate::action::Actions;
use crate::jobs;
use crate::kit::link::link;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Theme, Type};
use deskhand_session::PlanId;
use deskhand_session::text::count;
use egui::{Color32, Rect, Ui};

struct Status {
    words: String,
    color: Color32,
    plan: Option<PlanId>,
}

pub(super) fn show(ui: &Ui, model: &mut Model, rect: Rect, out: &mut Actions) {
    let cx = Cx::new(ui);
    cx.fill(rect, 0.0, cx.t.panel);
    cx.hline(rect.left(), rect.right(), rect.top(), cx.t.line);
    let (Status { words, color, plan }, at) = (status(cx.t, model), rect.left_mid(16.0));
    let left = if let Some(plan) = plan {
        let response = link(&cx, at, &words, Type::CAPTION);
        if response.clicked() {
            model.show_plan_again(plan);
            model.desk.library.gives_way = true;
        }
        response.rect
    } else {
        cx.left(at, &words, Type::CAPTION, color)
    };
    jobs::show(&cx, model, rect, left.right() + 24.0, out);
    if let Some(session) = model.session() {
        let rate = f64::from(session.rate.0) / 1000.0;
        let text = format!(
            "{rate} kHz · {} · {}",
            count(session.tracks.len(), "track"),
            count(session.clips.len(), "clip")
        );
        cx.right(rect.right_mid(16.0), &text, Type::CAPTION, cx.t.text_3);
    }
}

fn status(theme: &Theme, model: &Model) -> Status {
    if let Some(why) = &model.gone {
        return Status { words: why.clone(), color: theme.danger, plan: None };
    }
    let read_only = model.mirror.as_ref().and_then(|mirror| mirror.snapshot.read_only.clone());
    if let Some(words) = read_only {
        return Status { words, color: theme.warn, plan: None };
    }
    let words = match model.open_plan() {
        Some(card) if card.view.deciding.is_let_run() => format!("Plan {} running", card.number),
        Some(card) => format!("Plan {} waiting for you", card.number),
        None if model.mirror.is_some() => "Everything is stored".into(),
        None => "Ready. Nothing leaves this computer unless you allow it.".into(),
    };
    let plan = model.open_plan().map(|card| card.stored.plan.id);
    Status { words, color: theme.text_3, plan }
}
