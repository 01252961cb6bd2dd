//! Words and takes: the transcript, the codebook, takes side by side, and the assembly. A panel of four
//! pages beside the timeline of the app, and a view of its own in the plugin.

mod assembly;
pub(crate) mod calls;
pub(crate) mod distinct_names;
pub(crate) mod empty_page;
mod files;
mod find;
pub(crate) mod lines;
mod names;
mod picker;
pub(crate) mod place;
pub(crate) mod struck;
mod takes;
#[cfg(test)]
mod tests;
pub(crate) mod transcript;
pub(crate) mod view;
mod word_diff;

use crate::action::{Actions, Gesture};
use crate::areas;
use crate::coding::codebook;
use crate::coding::codebook::report::Report;
use crate::icons;
use crate::kit::choice::{SegmentedChoice, segmented};
use crate::kit::controls::icon_button;
use crate::kit::{Cut, Cx, menu};
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
use egui::{Rect, Ui, vec2};
pub(crate) use takes::take_of;
use transcript::view::TranscriptView;

/// Height of the row of pages.
pub(crate) const HEAD: f32 = 40.0;

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

/// Draws the panel as an area of the window of the app.
pub(crate) fn show_docked(
    ui: &mut Ui,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    out: &mut Actions,
) {
    areas::begin(ui, &mut model.areas, "Words", rect);
    let mut rest = rect;
    let mut head = rest.cut_top(HEAD);
    let cx = Cx::new(ui).clip(rect);
    cx.fill(rect, 0.0, cx.t.panel);
    cx.hline(head.left(), head.right(), head.bottom() - 1.0, cx.t.line);
    let close = head.cut_right(44.0);
    self::pages(&cx, model, head);
    if icon_button(
        &cx,
        close.row_box(close.left() + 8.0, vec2(28.0, 28.0)),
        icons::X,
        "Close the words",
    )
    .clicked()
    {
        model.desk.words.is_open = false;
    }
    drop(cx);
    show(ui, model, waves, rest, out);
}

/// The names of the pages, to choose one: in a row, or in a menu where there is little room.
pub(crate) fn pages(cx: &Cx<'_>, model: &mut Model, rect: Rect) {
    let pages = Page::all(model.has_coding());
    let view = &mut model.desk.words;
    if !pages.contains(&view.page) {
        view.page = Page::default();
    }
    let room = rect.width() - 2.0 * space::S;
    let widest = |page: &Page| cx.width(page.name(), Type::SMALL_STRONG) + 12.0;
    let least = pages.iter().map(widest).fold(0.0, f32::max);
    if least * pages.len() as f32 > room {
        return page_menu(cx, view, &pages, rect);
    }
    let choice = |page: &Page| SegmentedChoice {
        label: page.name(),
        key: "",
        is_planned: false,
        why_not: None,
    };
    let all: Vec<_> = pages.iter().map(choice).collect();
    let chosen = pages.iter().position(|page| *page == view.page);
    let width = room.min(100.0 * all.len() as f32);
    let cell = rect.row_box(rect.left() + space::S, vec2(width, 28.0));
    if let Some(index) = segmented(cx, cell, &all, chosen, "words") {
        view.page = pages[index];
    }
}

fn page_menu(cx: &Cx<'_>, view: &mut WordsView, pages: &[Page], rect: Rect) {
    let cell = rect.row_box(rect.left() + space::S, vec2(120.0, 28.0));
    let response = picker::show(cx, cell, "Page", view.page.name());
    menu::of(&response).show(|ui| {
        for page in pages {
            if menu::choice(ui, view.page == *page, page.name()).clicked() {
                view.page = *page;
            }
        }
    });
}

/// Draws the page that is chosen in `rect`.
pub(crate) fn show(
    ui: &mut Ui,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    out: &mut Actions,
) {
    let theme = Theme::of(ui.visuals());
    let mut view = std::mem::take(&mut model.desk.words);
    if let Some(scene) = model.look() {
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt("words page"));
        child.shrink_clip_rect(rect);
        page(&mut child, (model, scene, waves), &mut view, rect, out);
    } else {
        let at = rect.min + vec2(space::L, space::L);
        Cx::new(ui).para(at, "No session is open.", Type::SMALL, theme.text_2, 400.0);
    }
    model.desk.words = view;
}

fn page(
    ui: &mut Ui,
    (model, scene, waves): (&Model, Scene<'_>, &dyn Waves),
    view: &mut WordsView,
    rect: Rect,
    out: &mut Actions,
) {
    match view.page {
        Page::Transcript => transcript::show(ui, scene, &mut view.transcript, rect, out),
        Page::Codes => codebook::show(ui, scene, &mut view.codes, rect, out),
        Page::Takes => {
            let found = (takes::groups(model), Looked::of(model, &view.takes));
            let asked = takes::show(ui, scene, waves, &found, &mut view.takes, rect, out);
            view.page = asked.unwrap_or(view.page);
        }
        Page::Assembly => {
            let asked = assembly::show(ui, scene, &mut view.assembly, rect, out);
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
    model: &Model,
    view: &mut TranscriptView,
    rect: Rect,
    out: &mut Actions,
) {
    if let Some(scene) = model.look() {
        transcript::show(ui, scene, view, rect, out);
    }
}
