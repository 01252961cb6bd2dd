//! The keys there are.

use crate::kit::choice::key_cap;
use crate::kit::{Cut, Cx};
use crate::theme::{Theme, Type};
use egui::{Sense, Ui, vec2};

/// What keys do, and the keys.
type Row = (&'static str, &'static [&'static str]);

const FILES: &str = "New session, open one, import audio";

/// By where they count.
// tidy: table
const KEYS: [(&str, &[Row]); 4] = [
    (
        "Everywhere",
        &[
            ("Play or stop (the host, in a plugin)", &["Space"]),
            ("To the start", &["Home"]),
            ("Undo, redo the last step", &["Ctrl Z", "Ctrl Shift Z"]),
            ("Go to the composer", &["Ctrl K"]),
            ("Send; a new line", &["Enter", "Shift Enter"]),
            ("Stop the model", &["Ctrl ."]),
            (FILES, &["Ctrl N", "Ctrl O", "Ctrl I"]),
            ("Next, previous area", &["F6", "Shift F6"]),
            ("Next, previous control", &["Tab", "Shift Tab"]),
            ("Leave a field, close, take a drag back", &["Esc"]),
            ("This list", &["?"]),
        ],
    ),
    (
        "Plan card",
        &[
            ("Apply, in a card in full view for 0.5 s", &["Ctrl Enter"]),
            ("Hear current, plan", &["1", "2"]),
            ("Level match", &["L"]),
            ("Next, previous change, heard", &["J", "K"]),
            ("Next, previous change", &["Down", "Up"]),
            ("Tick or untick the change", &["X"]),
            ("Edit its value; set, leave", &["Enter", "Esc"]),
            ("Step a value by 0.1, by 1.0", &["Up Down", "Shift"]),
            ("Reject, with a reason", &["Backspace"]),
            ("Show or hide ghosts", &["G"]),
        ],
    ),
    (
        "Timeline",
        &[
            ("Select and move, split, select time", &["V", "C", "T"]),
            ("Next clip, clip of another track", &["Left Right", "Up Down"]),
            ("All clips; no clip", &["Ctrl A", "Esc"]),
            ("Split at the pointer, or at the playhead", &["S"]),
            ("Delete; and close the gap", &["Del", "Shift Del"]),
            ("Duplicate, crossfade", &["Ctrl D", "X"]),
            ("Nudge to the left, to the right", &["Alt Left", "Alt Right"]),
            ("Name the clip, marker or track", &["F2"]),
            ("Marker at the playhead", &["M"]),
            ("Snap; not while a drag holds", &["N", "Alt"]),
            ("Copy what a drag moves", &["Ctrl"]),
            ("Follow the playhead", &["F"]),
            ("Zoom in, out, to all", &["+", "-", "0"]),
            ("Zoom at the pointer, scroll in time", &["Ctrl wheel", "Shift wheel"]),
        ],
    ),
    (
        "Words",
        &[
            ("Next word; pick on", &["Arrows", "Shift"]),
            ("Hear, write anew", &["Enter", "F2"]),
            ("Cut out of the sound", &["Del"]),
            ("Codes: rename, remove", &["F2", "Del"]),
            ("Assembly: move, remove", &["Alt Up Down", "Del"]),
        ],
    ),
];

/// What a host takes upon itself.
const NOT_HOSTED: [&str; 2] = ["To the start", FILES];

pub(super) fn show(ui: &mut Ui, theme: &Theme, is_hosted: bool) {
    ui.spacing_mut().item_spacing.y = 0.0;
    for (place, rows) in KEYS {
        super::title(ui, theme, place);
        ui.add_space(4.0);
        let rows = rows.iter().filter(|(what, _)| !is_hosted || !NOT_HOSTED.contains(what));
        rows.for_each(|row| one(ui, theme, row));
    }
}

fn one(ui: &mut Ui, theme: &Theme, (what, keys): &Row) {
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
