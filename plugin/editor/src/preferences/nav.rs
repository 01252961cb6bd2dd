//! The list of sections. Arrow keys go through it.

use super::view::Section;
use crate::kit::{Cut, Cx, field};
use crate::model::Model;
use crate::theme::{Type, radius, size, space};
use egui::{CornerRadius, Key, Modifiers, Rect, Role, Sense, Ui, WidgetInfo, vec2};

const ROW: f32 = 32.0;
/// From row to row.
const STEP: f32 = 36.0;

/// Draws it below the field that finds a setting. Returns the section that was chosen.
pub(super) fn show(
    ui: &mut Ui,
    model: &mut Model,
    (all, now): (&[Section], Section),
    place: Rect,
) -> Option<Section> {
    let cx = Cx::new(ui);
    let place = Rect::from_min_max(place.min + vec2(1.0, 0.0), place.max);
    let place = place.with_max_y(place.bottom() - 1.0);
    let corners = CornerRadius { sw: radius::WINDOW as u8 - 1, ..CornerRadius::ZERO };
    cx.p.rect_filled(place, corners, cx.t.panel);
    cx.vline(place.right() - 1.0, place.top(), place.bottom(), cx.t.line);
    let mut rows = place.pad(space::S, space::M);
    drop(cx);
    let enters = find(ui, model, rows.cut_top(ROW + space::S));
    let wanted = model.preferences.find.trim().to_lowercase();
    let found = all.iter().filter(|section| section.has(&wanted));
    let mut chosen = found.clone().next().copied().filter(|_| enters && !wanted.is_empty());
    let cx = Cx::new(ui);
    for section in found {
        let is_last = *section == Section::About;
        let row = if is_last { rows.cut_bottom(ROW) } else { rows.cut_top(STEP) };
        if is_last {
            cx.hline(place.left(), place.right() - 1.0, row.top() - space::S, cx.t.line);
        }
        let row = row.with_max_y(row.top() + ROW);
        if one(&cx, *section, &note(model, *section), *section == now, row) {
            chosen = Some(*section);
        }
    }
    chosen
}

/// The field that finds a setting. Returns whether Enter was pressed in it.
fn find(ui: &mut Ui, model: &mut Model, place: Rect) -> bool {
    let place = Rect::from_min_size(place.min, vec2(place.width(), size::CONTROL_H));
    let name = ("Find a setting", "Find a setting");
    let response = field::search(ui, place, &mut model.preferences.find, name);
    if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::F)) {
        response.request_focus();
    }
    response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

fn one(cx: &Cx<'_>, section: Section, note: &str, is_on: bool, row: Rect) -> bool {
    let response = cx.interact(row, ("section", section), Sense::click());
    let name = section.name();
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_on, name));
    if is_on || response.hovered() {
        cx.fill(row, radius::CONTROL, if is_on { cx.t.control } else { cx.t.raised });
    }
    cx.ring(&response, row.shrink(3.0), radius::CONTROL);
    let (ty, color) =
        if is_on { (Type::SMALL_STRONG, cx.t.text) } else { (Type::SMALL, cx.t.text_2) };
    cx.icon(row.left_mid(20.0), section.icon(), 16.0, if is_on { color } else { cx.t.text_3 });
    cx.left(row.left_mid(36.0), name, ty, color);
    cx.right(row.right_mid(space::M), note, Type::CAPTION, cx.t.text_3);
    response.clicked()
}

fn note(model: &Model, section: Section) -> String {
    let rules = model.mirror.as_ref().map_or(0, |mirror| mirror.snapshot.rules.len());
    let settings = model.settings.as_ref();
    let installed = |settings: &crate::Settings| {
        settings.models.iter().filter(|model| model.is_installed).count()
    };
    match section {
        Section::Decisions if rules == 1 => "1 rule".into(),
        Section::Decisions if rules > 1 => format!("{rules} rules"),
        Section::Models => settings.map_or(0, installed).to_string(),
        _ => String::new(),
    }
}
