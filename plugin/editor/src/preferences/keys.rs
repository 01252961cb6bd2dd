//! The keys there are.

use crate::kit::choice::key_cap;
use crate::kit::{Cut, Cx};
use crate::theme::{Theme, Type};
use egui::{Sense, Ui, vec2};

const KEYS: [(&str, &[&str]); 22] = [
    ("Play or stop (the host, in a plugin)", &["Space"]),
    ("Undo, redo the last step", &["Ctrl Z", "Ctrl Shift Z"]),
    ("Go to the composer", &["Ctrl K"]),
    ("Send; a new line", &["Enter", "Shift Enter"]),
    ("Stop the model", &["Ctrl ."]),
    ("Apply, in a card in full view for 0.5 s", &["Ctrl Enter"]),
    ("Hear current, plan", &["1", "2"]),
    ("Level match", &["L"]),
    ("Next, previous change, heard", &["J", "K"]),
    ("Next, previous change", &["Down", "Up"]),
    ("Tick or untick the change", &["X"]),
    ("Edit its value; set, leave", &["Enter", "Esc"]),
    ("Step a value by 0.1, by 1.0", &["Up Down", "Shift"]),
    ("Next, previous area", &["F6", "Shift F6"]),
    ("Next, previous control", &["Tab", "Shift Tab"]),
    ("Words: next word; pick on", &["Arrows", "Shift"]),
    ("Words: hear, write anew", &["Enter", "F2"]),
    ("Words: cut out of the sound", &["Del"]),
    ("Codes: rename, remove", &["F2", "Del"]),
    ("Assembly: move, remove", &["Alt Up Down", "Del"]),
    ("To the start", &["Home"]),
    ("This list", &["?"]),
];

pub(super) fn show(ui: &mut Ui, theme: &Theme) {
    ui.spacing_mut().item_spacing.y = 0.0;
    for (what, keys) in KEYS {
        let size = vec2(ui.available_width(), 28.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let name = format!("{what}: {}", keys.join(", "));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
        let cx = Cx::new(ui, theme);
        cx.left(rect.left_mid(0.0), what, Type::SMALL, theme.text);
        let mut x = rect.right();
        for key in keys.iter().rev() {
            let width = (cx.width(key, Type::CAPTION) + 10.0).max(20.0).ceil();
            x -= width;
            key_cap(&cx, egui::pos2(x, rect.center().y), key);
            x -= 6.0;
        }
    }
}
