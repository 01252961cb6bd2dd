//! Menus: their style, their entries, lines and submenus. [`super::context`] opens one by a secondary click.

use super::Cx;
use super::controls::hint;
use crate::fonts::icon_family;
use crate::icons;
use crate::theme::{Theme, Type, radius, size};
use egui::style::StyleModifier;
use egui::{
    AtomExt as _, Button, Color32, CornerRadius, FontId, IntoAtoms, Popup, Response, RichText,
    Role, Stroke, Style, TextStyle, Ui, WidgetInfo, vec2,
};

/// The size of the check before a choice.
const MARK: f32 = 14.0;

/// The menu that a click on `button` opens and closes.
pub(crate) fn of(button: &Response) -> Popup<'static> {
    Popup::menu(button).style(look()).gap(4.0)
}

/// The menu of a secondary click on something.
pub(crate) fn on(response: &Response, content: impl FnOnce(&mut Ui)) {
    Popup::context_menu(response).style(look()).show(content);
}

/// Small words between entries.
pub(crate) fn title(ui: &mut Ui, words: &str) {
    let font = RichText::new(words).font(Type::CAPTION_STRONG.font());
    ui.horizontal(|ui| {
        ui.add_space(8.0);
        ui.weak(font);
    });
}

/// The look of a menu and of its submenus, for a [`Popup`].
pub(crate) fn look() -> StyleModifier {
    StyleModifier::new(style)
}

fn style(style: &mut Style) {
    let theme = Theme::of(&style.visuals);
    let spacing = &mut style.spacing;
    spacing.button_padding = vec2(8.0, 0.0);
    spacing.item_spacing = vec2(8.0, 0.0);
    spacing.interact_size.y = size::CONTROL_H;
    spacing.icon_width = MARK;
    style.text_styles.insert(TextStyle::Button, Type::SMALL.font());
    style.text_styles.insert(TextStyle::Body, Type::SMALL.font());
    let widgets = &mut style.visuals.widgets;
    let all = [
        (&mut widgets.inactive, Color32::TRANSPARENT),
        (&mut widgets.hovered, theme.hover),
        (&mut widgets.active, theme.hover),
        (&mut widgets.open, theme.control),
    ];
    for (widget, fill) in all {
        (widget.bg_fill, widget.weak_bg_fill) = (fill, fill);
        (widget.bg_stroke, widget.fg_stroke.color) = (Stroke::NONE, theme.text);
        widget.corner_radius = CornerRadius::same(radius::CONTROL as u8);
    }
}

/// An entry, which closes the menu by the keyboard too. Returns whether it was chosen.
pub(crate) fn entry<'a>(ui: &mut Ui, words: impl IntoAtoms<'a>) -> bool {
    add(ui, Button::new(words))
}

/// The same with a `tip`, which may be empty.
pub(crate) fn entry_told<'a>(ui: &mut Ui, words: impl IntoAtoms<'a>, tip: &str) -> bool {
    let entry = ui.add(Button::new(words));
    let is_chosen = entry.clicked();
    if is_chosen {
        ui.close();
    }
    if !tip.is_empty() {
        hint(entry, tip);
    }
    is_chosen
}

/// The same with the shortcut that does it; there may be none.
pub(crate) fn entry_with_key<'a>(ui: &mut Ui, words: impl IntoAtoms<'a>, key: &str) -> bool {
    add(ui, with_key(words, key))
}

fn with_key<'a>(words: impl IntoAtoms<'a>, key: &str) -> Button<'a> {
    let button = Button::new(words);
    if key.is_empty() { button } else { button.shortcut_text(key) }
}

/// Entries, each with its shortcut, which may be empty, and a value. Returns the value of the chosen one.
pub(crate) fn entries<'a, T>(
    ui: &mut Ui,
    all: impl IntoIterator<Item = (impl IntoAtoms<'a>, &'a str, T)>,
) -> Option<T> {
    let mut chosen = None;
    for (words, key, value) in all {
        if entry_with_key(ui, words, key) {
            chosen = Some(value);
        }
    }
    chosen
}

/// An entry with its shortcut, which may be empty, that cannot be chosen if there is a reason, which is its tip.
pub(crate) fn entry_unless<'a>(
    ui: &mut Ui,
    words: impl IntoAtoms<'a>,
    key: &str,
    why_not: Option<&str>,
) -> bool {
    let button = with_key(words, key);
    let Some(why_not) = why_not else { return add(ui, button) };
    ui.add_enabled(false, button).on_disabled_hover_text(why_not);
    false
}

fn add(ui: &mut Ui, button: Button<'_>) -> bool {
    let is_chosen = ui.add(button).clicked();
    if is_chosen {
        ui.close();
    }
    is_chosen
}

/// One of several choices: a check is before the chosen one.
pub(crate) fn choice(ui: &mut Ui, is_on: bool, words: &str) -> Response {
    let color = if is_on { ui.visuals().text_color() } else { Color32::TRANSPARENT };
    let mark = RichText::new(icons::CHECK).font(FontId::new(MARK, icon_family(false)));
    let response = ui.add(Button::new((mark.color(color), words.atom_shrink(true))).truncate());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_on, words));
    if response.clicked() {
        ui.close();
    }
    response
}

/// A hairline between groups of entries.
pub(crate) fn line(ui: &mut Ui) {
    let size = vec2(ui.available_width(), 9.0);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let line = ui.visuals().window_stroke.color;
    Cx::new(ui).hline(rect.left(), rect.right(), rect.center().y.floor(), line);
}

/// A menu within the menu.
pub(crate) fn submenu<'a>(ui: &mut Ui, words: impl IntoAtoms<'a>, content: impl FnOnce(&mut Ui)) {
    ui.menu_button(words, content);
}
