//! The key of a provider: pasted, saved, and tested at once. It is nowhere in the window after that.

use super::{LINE, locked};
use crate::kit::controls::{Button, Kind, State};
use crate::kit::{Cut, Cx, field};
use crate::preferences::view::Typed;
use crate::settings::{Changes, Provider, SettingsChange};
use crate::theme::{Theme, size, space};
use egui::{Key, Sense, Ui, vec2};

pub(crate) fn show(ui: &mut Ui, known: &Provider, typed: &mut Typed, changes: &mut Changes) {
    let theme = Theme::of(ui.visuals());
    let (mut row, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let is_typed = !typed.key.trim().is_empty();
    let state = if is_typed { State::Normal } else { State::Disabled };
    let button = Button::new(Kind::Secondary, "Save and test").state(state);
    let wide = button.width(&Cx::new(ui));
    let place = row.cut_right(wide).row_box(row.right(), vec2(wide, size::CONTROL_H));
    let frame = row.row_box(row.left(), vec2(row.width() - space::S, size::CONTROL_H));
    let hint = if known.has_key { "Paste another key" } else { "Paste your key" };
    let name = ("Key of the provider", hint);
    let response = field::secret(ui, frame, &mut typed.key, name);
    // The key that is missing is what the person came for.
    if !known.has_key && !ui.is_sizing_pass() && typed.asked_for.as_ref() != Some(&known.id) {
        typed.asked_for = Some(known.id.clone());
        response.request_focus();
    }
    let enter = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if (button.show(&Cx::new(ui), place).clicked() || enter) && is_typed {
        let key = std::mem::take(&mut typed.key).trim().to_owned();
        changes.push(SettingsChange::Key { provider: known.id.clone(), key });
        changes.push(SettingsChange::Test { provider: known.id.clone() });
    }
    // One line in both cases, so the controls below it stay in place.
    let (words, color) = if known.has_key {
        (format!("A key of {} is saved on this computer.", known.id), theme.text_3)
    } else {
        (format!("{} has no key yet. The key stays on this computer.", known.id), theme.warn)
    };
    locked(ui, &words, color);
}
