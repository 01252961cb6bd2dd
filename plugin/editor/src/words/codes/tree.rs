//! The tree of codes: chosen by a click, named in place, moved by dragging one onto another.

use super::CodesView;
use crate::action::Action;
use crate::kit::name_field::{NameField, Typed};
use crate::kit::{Cut, Cx};
use crate::model::Scene;
use crate::theme::{Theme, Type, radius, space};
use crate::words::calls::call;
use crate::words::coded::color_of;
use crate::words::codes::{in_order, indent};
use deskhand_session::{CodeId, Session};
use egui::{
    Key, Modifiers, Popup, Rect, Response, RichText, Role, ScrollArea, Sense, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ROW: f32 = 28.0;
const STEP: f32 = 18.0;

/// A name that is being typed.
pub(super) struct Naming {
    /// The code that has it; none makes one.
    code: Option<CodeId>,
    parent: Option<CodeId>,
    field: NameField,
}

impl Naming {
    /// A new code beside the chosen one.
    pub(super) fn new_code(beside: Option<CodeId>, session: &Session) -> Self {
        let parent = beside.and_then(|id| session.codes.get(&id)?.parent);
        Self { code: None, parent, field: NameField::new("") }
    }

    fn under(parent: CodeId) -> Self {
        Self { code: None, parent: Some(parent), field: NameField::new("") }
    }

    fn of(code: CodeId, session: &Session) -> Self {
        let field = NameField::new(&session.name_of(code.into()));
        Self { code: Some(code), parent: None, field }
    }
}

fn set(id: CodeId, what: &str, value: Value) -> Action {
    call("cmd_set_code", json!({"code_id": id, what: value}))
}

/// Draws the tree.
pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut CodesView,
    (codes, hits): (&[(CodeId, usize)], &BTreeSet<CodeId>),
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect.pad(4.0, 4.0)).id_salt("codes"));
    child.spacing_mut().item_spacing.y = 0.0;
    let makes = view.naming.as_ref().is_some_and(|naming| naming.code.is_none());
    let count = codes.len() + usize::from(makes);
    let mut area = ScrollArea::vertical().id_salt("codes").auto_shrink(false);
    if makes && view.naming.as_ref().is_some_and(|naming| naming.field.is_new()) {
        area = area.vertical_scroll_offset((count as f32 * ROW - rect.height()).max(0.0));
    }
    area.show_rows(&mut child, ROW, count, |ui, range| {
        for index in range {
            let size = vec2(ui.available_width(), ROW);
            let (row, _) = ui.allocate_exact_size(size, Sense::hover());
            match codes.get(index) {
                Some((id, depth)) => {
                    let code = (*id, *depth, hits.contains(id));
                    one(ui, theme, scene, view, code, row, out);
                }
                None => field(ui, theme, view, row, out),
            }
        }
    });
    // What is dropped beside the codes goes to the top of the codebook.
    let free = Rect::from_min_max(pos2(rect.left(), rect.top() + count as f32 * ROW), rect.max);
    if free.is_positive() {
        let below = ui.interact(free, ui.scope_id().with("top of the codebook"), Sense::hover());
        if let Some(id) = below.dnd_release_payload::<CodeId>() {
            out.push(set(*id, "parent", json!("")));
        }
    }
}

fn one(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut CodesView,
    (id, depth, is_hit): (CodeId, usize, bool),
    row: Rect,
    out: &mut Vec<Action>,
) {
    if view.naming.as_ref().is_some_and(|naming| naming.code == Some(id)) {
        return field(ui, theme, view, row, out);
    }
    let cx = Cx::new(ui, theme);
    let session = scene.session;
    let count = view.coded.as_ref().and_then(|(_, coded)| coded.counts.get(&id)).unwrap_or(&0);
    let name = session.name_of(id.into());
    let response = cx.interact(row, ("code", id), Sense::click_and_drag());
    let is_chosen = view.chosen == Some(id);
    let words = format!("Code {name}, {count} coded");
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, is_chosen, &words));
    let is_target =
        response.dnd_hover_payload::<CodeId>().is_some_and(|moved| may_move(session, *moved, id));
    if is_chosen || response.hovered() {
        cx.fill(row, radius::CONTROL, if is_chosen { theme.control } else { theme.hover });
    }
    if is_target {
        cx.border(row, radius::CONTROL, theme.text);
    }
    let x = row.left() + space::M + STEP * depth as f32;
    let middle = row.center().y;
    cx.p.circle_filled(pos2(x, middle), 5.0, color_of(theme, session, id));
    let number = cx.right(row.right_mid(space::M), &count.to_string(), Type::SMALL, theme.text_3);
    let left = x + 14.0;
    // What is there only because of a code under it stands back.
    let color = if is_hit { theme.text } else { theme.text_3 };
    cx.elided(pos2(left, middle), &name, Type::BODY, color, number.left() - left - 8.0);
    if view.goes_to == Some(id) {
        view.goes_to = None;
        response.request_focus();
    }
    if response.has_focus() {
        cx.focus_ring(row.shrink(3.0), radius::CONTROL);
    }
    drop(cx);
    took(ui, scene, view, id, &response, out);
    Popup::context_menu(&response).show(|ui| menu(ui, theme, session, view, id, out));
}

/// A code may go under another that is not under it.
fn may_move(session: &Session, moved: CodeId, under: CodeId) -> bool {
    let up = |id: &CodeId| session.codes.get(id).and_then(|code| code.parent);
    // A book that is broken has at most as many steps as codes.
    !std::iter::successors(Some(under), up).take(session.codes.len() + 1).any(|id| id == moved)
}

/// Clicks, keys and drops on a code.
fn took(
    ui: &Ui,
    scene: Scene<'_>,
    view: &mut CodesView,
    id: CodeId,
    response: &Response,
    out: &mut Vec<Action>,
) {
    if response.clicked() || response.secondary_clicked() {
        view.chosen = Some(id);
        response.request_focus();
    }
    if response.double_clicked() {
        view.naming = Some(Naming::of(id, scene.session));
    }
    response.dnd_set_drag_payload(id);
    if let Some(moved) = response.dnd_release_payload::<CodeId>()
        && may_move(scene.session, *moved, id)
    {
        out.push(set(*moved, "parent", json!(id)));
    }
    if response.has_focus() {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if pressed(Key::F2) {
            view.naming = Some(Naming::of(id, scene.session));
        }
        if pressed(Key::Delete) {
            out.push(call("cmd_remove_code", json!({"code_id": id})));
        }
    }
}

fn menu(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    view: &mut CodesView,
    id: CodeId,
    out: &mut Vec<Action>,
) {
    if ui.add(egui::Button::new("Rename…").shortcut_text("F2")).clicked() {
        view.naming = Some(Naming::of(id, session));
    }
    if ui.button("New code under it…").clicked() {
        view.naming = Some(Naming::under(id));
    }
    ui.menu_button("Color", |ui| color(ui, theme, id, out));
    ui.menu_button("Move under", |ui| {
        if ui.button("Nothing: the top").clicked() {
            out.push(set(id, "parent", json!("")));
        }
        others(ui, theme, session, |other| {
            may_move(session, id, other).then(|| set(id, "parent", json!(other)))
        })
        .into_iter()
        .for_each(|action| out.push(action));
    });
    ui.menu_button("Merge into", |ui| {
        let into = |other| {
            (other != id).then(|| call("cmd_merge_codes", json!({"from": id, "into": other})))
        };
        out.extend(others(ui, theme, session, into));
    });
    ui.separator();
    if ui.add(egui::Button::new("Remove").shortcut_text("Del")).clicked() {
        out.push(call("cmd_remove_code", json!({"code_id": id})));
    }
}

/// The codes for which there is something to ask; gives what was asked.
fn others(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    asked: impl Fn(CodeId) -> Option<Action>,
) -> Option<Action> {
    let mut done = None;
    ScrollArea::vertical().max_height(280.0).show(ui, |ui| {
        for (other, depth) in in_order(session) {
            let Some(action) = asked(other) else { continue };
            let name = format!("{}{}", indent(depth), session.name_of(other.into()));
            let words = RichText::new(name).color(color_of(theme, session, other));
            if ui.button(words).clicked() {
                done = Some(action);
            }
        }
    });
    done
}

fn color(ui: &mut Ui, theme: &Theme, id: CodeId, out: &mut Vec<Action>) {
    let names = ["Rose", "Lilac", "Clay", "Steel", "Sage", "Sand", "Mauve"];
    for (index, name) in names.into_iter().enumerate() {
        // Stored as the dark tone, and shown in the tone of the theme.
        let [red, green, blue, _] = Theme::DARK.hues[index].strong.to_array();
        let hex = format!("#{red:02x}{green:02x}{blue:02x}");
        if ui.button(RichText::new(name).color(theme.hues[index].strong)).clicked() {
            out.push(set(id, "color", json!(hex)));
        }
    }
}

/// The field in which a code is named.
fn field(ui: &mut Ui, theme: &Theme, view: &mut CodesView, row: Rect, out: &mut Vec<Action>) {
    let Some(naming) = &mut view.naming else { return };
    let typed = naming.field.show(ui, theme, row.pad(space::S, 2.0), "Name of the code");
    if matches!(typed, Typed::Goes) {
        return;
    }
    let Some(naming) = view.naming.take() else { return };
    let Typed::Set(name) = typed else { return };
    if naming.code.is_none() {
        // A new code is to be seen, whatever was looked for.
        view.filter.clear();
    }
    out.push(match (naming.code, naming.parent) {
        (Some(id), _) => set(id, "name", json!(name)),
        (None, Some(parent)) => call("cmd_set_code", json!({"name": name, "parent": parent})),
        (None, None) => call("cmd_set_code", json!({"name": name, "parent": ""})),
    });
}
