//! The codebook: codes as a tree with their colors and counts. For the chosen code it shows its memo and
//! its quotes.

mod about;
mod ask;
mod edit;
mod filter;
mod matrix;
mod menu;
mod note;
mod quote_list;
mod quotes;
pub(crate) mod report;
mod tree;
pub(crate) mod view;

use super::coded::Coded;
use super::order::matching;
use crate::action::Actions;
use crate::icons;
use crate::kit::controls::{self, Kind, icon_button};
use crate::kit::{Cut, Cx, menu as kit_menu};
use crate::scene::Scene;
use crate::theme::space;
use crate::words::empty_page;
use deskhand_session::{CodeId, Session};
use edit::Naming;
use egui::{Rect, Ui, vec2};
use std::collections::BTreeSet;
use view::CodesView;

pub(crate) fn show(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut CodesView,
    rect: Rect,
    out: &mut Actions,
) {
    let session = scene.session;
    if view.coded.as_ref().is_none_or(|(head, _)| *head != scene.head) {
        view.coded = Some((scene.head, Coded::new(session)));
    }
    view.chosen = view.chosen.filter(|id| session.codes.contains_key(id));
    view.came(session, ui.input(|input| input.time));
    let mut rest = rect;
    let hits = head(ui, view, session, rest.cut_top(40.0), out);
    if view.report.is_some() {
        report::show(ui, &mut view.report, rest, out);
        return;
    }
    if session.codes.is_empty() && view.naming.is_none() {
        let words = "A code is a label for what is said: make one here, or pick words in the transcript and \
                     code them.";
        empty_page::show(&Cx::new(ui), rest, ("No codes yet", words), None);
        return;
    }
    if let Some(id) = view.chosen {
        let height = (rest.height() * 0.6).min(about::HEIGHT);
        about::show(ui, scene, view, id, rest.cut_bottom(height), out);
    }
    let mut codes = matching(session, &hits);
    if view.filter.trim().is_empty() {
        codes = tree::unfolded(codes, &view.folded);
    }
    if codes.is_empty() && view.naming.is_none() {
        filter::nothing(ui, view, rest);
        return;
    }
    tree::show(ui, scene, view, (&codes, &hits), rest, out);
}

/// The field that filters, reports and files, and the button that makes a code; gives the codes that match.
fn head(
    ui: &mut Ui,
    view: &mut CodesView,
    session: &Session,
    rect: Rect,
    out: &mut Actions,
) -> BTreeSet<CodeId> {
    let button = controls::Button::new(Kind::Secondary, "New code").icon(icons::PLUS);
    let width = button.width(&Cx::new(ui));
    let cell = rect.row_box(rect.right() - width - space::S, vec2(width, 28.0));
    let more = rect.row_box(cell.left() - 32.0, vec2(28.0, 28.0));
    let field = rect.pad(space::S, 6.0).with_max_x(more.left() - 4.0);
    let hits = filter::show(ui, view, session, field);
    let cx = Cx::new(ui);
    let more = icon_button(&cx, more, icons::TABLE, "Reports and files");
    kit_menu::of(&more).show(|ui| report::menu(ui, session, out));
    if button.show(&cx, cell).clicked() {
        view.naming = Some(Naming::new_code(view.chosen, session));
        view.report = None;
    }
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    hits
}
