//! The field for typing a value of the mixer. The value is set as typed: the session says what it allows.

use super::knob::{now, send};
use crate::action::Actions;
use crate::kit::choice::select_all;
use crate::kit::{Cx, fader, field};
use crate::mixer::view::{Knob, MixerView, name_of};
use crate::scene::Scene;
use crate::theme::{Type, radius};
use egui::{Key, Rect, TextEdit, Ui};

/// The field. Enter sets what it holds, Esc leaves it.
pub(super) fn show(ui: &mut Ui, scene: Scene<'_>, view: &mut MixerView, out: &mut Actions) {
    let Some((knob, text, area)) = &mut view.typing else { return };
    let rect = Rect::from_center_size(area.center(), egui::vec2(72.0, 24.0));
    let cx = Cx::new(ui);
    cx.fill(rect, radius::CONTROL, cx.t.input);
    cx.border(rect, radius::CONTROL, cx.t.focus);
    drop(cx);
    let edit = TextEdit::singleline(text).font(Type::SMALL_STRONG.font());
    let field = field::put(ui, rect, egui::Align::Max, edit);
    let name = format!("{} value", name_of(scene, *knob));
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, &name));
    if !field.lost_focus() {
        if !field.has_focus() {
            select_all(ui, field.id, text);
        }
        field.request_focus();
        return;
    }
    let escaped = ui.input(|input| input.key_pressed(Key::Escape));
    let knob = *knob;
    // Digits that the field does not show are no reason to change a value that nobody touched.
    let is_touched = *text != as_typed(knob, now(scene, knob));
    let value = read(knob, text).filter(|_| is_touched && !escaped);
    view.typing = None;
    if let Some(value) = value {
        send(&Cx::new(ui), scene, view, (knob, value), out);
    }
}

/// A value as the field begins with it.
pub(super) fn as_typed(knob: Knob, value: f64) -> String {
    match knob {
        Knob::Gain(_) | Knob::Master => format!("{value:.1}"),
        Knob::Pan(_) => fader::side(value as f32 * 100.0),
    }
}

/// A value as people write it: "-6,5 dB", "30 L", "0.3", "C".
fn read(knob: Knob, text: &str) -> Option<f64> {
    let text = text.trim().to_lowercase();
    let number = |text: &str| {
        let text = text.trim().replace('−', "-").replace(',', ".");
        text.parse().ok().filter(|value: &f64| value.is_finite())
    };
    let sided = |side: char| {
        let rest = text.strip_suffix(side).or_else(|| text.strip_prefix(side))?;
        number(rest).map(|share| share / 100.0)
    };
    match knob {
        Knob::Gain(_) | Knob::Master => number(text.strip_suffix("db").unwrap_or(&text)),
        Knob::Pan(_) if text == "c" => Some(0.0),
        Knob::Pan(_) => {
            let plain = || number(&text).map(|it| if it.abs() > 1.0 { it / 100.0 } else { it });
            sided('l').map(|share| -share).or_else(|| sided('r')).or_else(plain)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::TrackId;

    #[test]
    fn values_are_read_as_people_write_them() {
        let gain = |text| read(Knob::Master, text);
        assert_eq!(gain("-6,5 dB"), Some(-6.5));
        assert_eq!(gain("−12"), Some(-12.0));
        assert_eq!(gain("40"), Some(40.0), "whether that is allowed is the session's affair");
        assert_eq!(gain("loud"), None);
        let pan = |text| read(Knob::Pan(TrackId::new(1)), text);
        let all = [("30 L", -0.3), ("R12", 0.12), ("C", 0.0), ("-0.25", -0.25), ("35", 0.35)];
        for (text, value) in all {
            assert_eq!(pan(text), Some(value), "{text}");
        }
    }
}
