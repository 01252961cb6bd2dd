//! Words and takes: the transcript, the codebook, takes side by side, and the assembly. A panel of four
//! pages that floats in the app and is a view of its own in the plugin.

mod assembly;
pub(crate) mod calls;
pub(crate) mod distinct_names;
pub(crate) mod empty_page;
mod files;
mod find;
pub(crate) mod lines;
mod names;
pub(crate) mod place;
mod takes;
#[cfg(test)]
mod tests;
pub(crate) mod transcript;
pub(crate) mod view;
mod word_diff;

use crate::action::{Actions, Gesture};
use crate::coding::codebook;
use crate::coding::codebook::report::Report;
use crate::icons;
use crate::kit::choice::{SegmentedChoice, segmented};
use crate::kit::controls::icon_button;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::plugin::tab::Tab;
use crate::scene::Scene;
use crate::theme::{Theme, Type, space};
use crate::tools::Tools;
use crate::waves::Waves;
use crate::words::takes::view::{Group, Looked};
use crate::words::view::{Page, WordsView};
use deskhand_protocol::ToolResult;
use deskhand_session::{Plan, PlanId};
use egui::{Rect, Sense, Ui, Vec2, vec2};
pub(crate) use takes::take_of;
use transcript::view::TranscriptView;

/// A call of this window ended: pages show what it found.
pub(crate) fn hear_report(model: &mut Model, tool: &str, result: &ToolResult) {
    if let Some(report) = Report::heard(&model.tools, tool, result) {
        model.desk.words.codes.show_report(report);
    }
    takes::hear(model, tool, result);
}

/// Whether a plan marks takes, which have a page to be compared on.
pub(crate) fn marks_takes(tools: &Tools, plan: &Plan) -> bool {
    tools.is(&plan.tool, Gesture::MarkTakes) && !plan.changes.is_empty()
}

/// Brings up the takes that a plan marks, the first of them chosen.
pub(crate) fn show_takes(model: &mut Model, plan: PlanId) {
    let groups = takes::groups(model);
    let is_of_it = |group: &&Group| group.plan.is_some_and(|(id, _)| id == plan);
    let first = groups.iter().find(is_of_it).map(|group| group.takes.chosen);
    let view = &mut model.desk.words;
    (view.is_open, view.page, view.takes.chosen) = (true, Page::Takes, first);
    // In a host they are a view of their own.
    model.tab = Tab::Words;
}

/// Shows the views of coding from now on, with the codebook in front.
pub(crate) fn show_coding(model: &mut Model) {
    model.shows_coding = true;
    let view = &mut model.desk.words;
    (view.is_open, view.page) = (true, Page::Codes);
    // In a host they are a view of their own.
    model.tab = Tab::Words;
}

/// The id of the panel's window.
pub(crate) fn id() -> egui::Id {
    egui::Id::unique("words")
}

/// Draws the panel as a window over `area`, if it is open.
pub(crate) fn window(
    ui: &Ui,
    theme: &Theme,
    model: &mut Model,
    waves: &dyn Waves,
    area: Rect,
    out: &mut Actions,
) {
    if !model.desk.words.is_open || model.mirror.is_none() {
        return;
    }
    let home = area.right_top() + vec2(-560.0, 52.0);
    let view = &mut model.desk.words;
    // Unless somebody moved it, the default place also holds in an area of another size, as after a
    // zoom.
    let is_away = view.home.replace(home).is_some_and(|was| was != home) && !view.is_moved;
    let frame = egui::Frame::window(&ui.ctx().global_style()).inner_margin(0.0).fill(theme.raised);
    let window = egui::Window::new("Words")
        .id(id())
        .title_bar(false)
        .frame(frame)
        .default_pos(home)
        .default_size(vec2(544.0, (ui.max_rect().height() - 148.0).clamp(320.0, 680.0)))
        .min_size(vec2(420.0, 280.0))
        .resizable(true);
    let window = if is_away { window.current_pos(home) } else { window };
    let shown = window.show(ui.ctx(), |ui| {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), Sense::hover());
        let close = head.row_box(head.right() - 36.0, vec2(28.0, 28.0));
        let cx = Cx::new(ui, theme);
        if icon_button(&cx, close, icons::X, "Close the words").clicked() {
            model.desk.words.is_open = false;
        }
        drop(cx);
        let mut pages = head;
        pages.cut_right(44.0);
        self::pages(ui, theme, model, pages);
        let line = head.bottom() - 1.0;
        Cx::new(ui, theme).hline(head.left(), head.right(), line, theme.line);
        let rect = ui.available_rect_before_wrap();
        show(ui, theme, model, waves, rect, out);
        ui.allocate_rect(rect, Sense::hover());
    });
    model.desk.words.is_moved |=
        shown.is_some_and(|shown| shown.response.drag_delta() != Vec2::ZERO);
}

/// The names of the pages, to choose one.
pub(crate) fn pages(ui: &Ui, theme: &Theme, model: &mut Model, rect: Rect) {
    let cx = Cx::new(ui, theme);
    let pages = Page::all(model.has_coding());
    let view = &mut model.desk.words;
    let choice = |page: &Page| SegmentedChoice {
        label: page.name(),
        key: "",
        is_planned: false,
        why_not: None,
    };
    let all: Vec<_> = pages.iter().map(choice).collect();
    let chosen = pages.iter().position(|page| *page == view.page);
    if chosen.is_none() {
        view.page = Page::default();
    }
    let room = rect.width() - 2.0 * space::S;
    let width = room.min(100.0 * all.len() as f32);
    let cell = rect.row_box(rect.left() + space::S, vec2(width, 28.0));
    if let Some(index) = segmented(&cx, cell, &all, chosen, "words") {
        view.page = pages[index];
    }
}

/// Draws the page that is chosen in `rect`.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    out: &mut Actions,
) {
    let mut view = std::mem::take(&mut model.desk.words);
    if let Some(scene) = model.look() {
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt("words page"));
        child.shrink_clip_rect(rect);
        page(&mut child, theme, (model, scene, waves), &mut view, rect, out);
    } else {
        let at = rect.min + vec2(space::L, space::L);
        Cx::new(ui, theme).para(at, "No session is open.", Type::SMALL, theme.text_2, 400.0);
    }
    model.desk.words = view;
}

fn page(
    ui: &mut Ui,
    theme: &Theme,
    (model, scene, waves): (&Model, Scene<'_>, &dyn Waves),
    view: &mut WordsView,
    rect: Rect,
    out: &mut Actions,
) {
    match view.page {
        Page::Transcript => transcript::show(ui, theme, scene, &mut view.transcript, rect, out),
        Page::Codes => codebook::show(ui, theme, scene, &mut view.codes, rect, out),
        Page::Takes => {
            let found = (takes::groups(model), Looked::of(model, &view.takes));
            let asked = takes::show(ui, theme, scene, waves, &found, &mut view.takes, rect, out);
            view.page = asked.unwrap_or(view.page);
        }
        Page::Assembly => {
            let asked = assembly::show(ui, theme, scene, &mut view.assembly, rect, out);
            if let Some((page, phrase)) = asked {
                view.page = page;
                view.takes.chosen = phrase.or(view.takes.chosen);
            }
        }
    }
}

/// Draws the transcript of a window that a tool opened.
pub(crate) fn transcript_of(
    ui: &mut Ui,
    theme: &Theme,
    model: &Model,
    view: &mut TranscriptView,
    rect: Rect,
    out: &mut Actions,
) {
    if let Some(scene) = model.look() {
        transcript::show(ui, theme, scene, view, rect, out);
    }
}
