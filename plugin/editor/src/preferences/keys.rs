//! The keys there are.

use crate::kit::choice::key_cap;
use crate::kit::{Cut, Cx, rows};
use crate::model::Model;
use crate::theme::Type;
use egui::{Sense, Ui, vec2};

type Row = (&'static str, &'static [&'static str]);

const FILES: &str = "New session, open one, import, export";
const EDGES: &str = "Playhead to the next edge or marker";

const CROSSFADE: Row = ("Crossfade where two clips meet, its length", &["Drag the cross"]);
const HEARD: &str = "Next, previous change, heard 2 s around it or its ends";
const HOST_HEARS: &str = "Next, previous change; the host plays it";

/// The place of keys that are only shown with the views of coding.
const CODING: &str = "Coding";

/// By where they count.
// tidy: table
const KEYS: [(&str, &[Row]); 5] = [
    (
        "Everywhere",
        &[
            ("Play or stop (the host, in a plugin)", &["Space"]),
            ("To the start, to the end", &["Home", "End"]),
            ("Undo, redo the last step", &["Ctrl Z", "Ctrl Shift Z"]),
            ("Go to the composer", &["Ctrl K"]),
            ("Send; a new line", &["Enter", "Shift Enter"]),
            ("Stop the model", &["Ctrl ."]),
            (FILES, &["Ctrl N", "Ctrl O", "Ctrl I", "Ctrl E"]),
            ("Next, previous area", &["F6", "Shift F6"]),
            ("Next, previous control", &["Tab", "Shift Tab"]),
            ("Leave a field, close, take a drag back", &["Esc"]),
            ("Preferences", &["Ctrl ,"]),
            ("This list", &["?"]),
        ],
    ),
    (
        "Plan card",
        &[
            ("Apply, in a card in full view for 0.5 s", &["Ctrl Enter"]),
            ("Hear current, plan", &["1", "2"]),
            ("Level match", &["L"]),
            (HEARD, &["J", "K"]),
            (HOST_HEARS, &["J", "K"]),
            ("Next, previous change", &["Down", "Up"]),
            ("Tick or untick the change", &["X"]),
            ("Edit its value; set, leave", &["Enter", "Esc"]),
            ("Step a value by 0.1, by 1.0", &["Up Down", "Shift"]),
            ("Reject, with a reason or without", &["Backspace"]),
            ("Show or hide ghosts", &["G"]),
            ("From a change to its ghost, and back", &["Click"]),
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
            ("Copy, cut, paste at the playhead", &["Ctrl C", "Ctrl X", "Ctrl V"]),
            ("Duplicate, crossfade", &["Ctrl D", "X"]),
            CROSSFADE,
            ("Nudge in time, finely", &["Alt Left Right", "Shift"]),
            ("Clips to another track", &["Alt Up Down"]),
            (EDGES, &["Ctrl Left Right"]),
            ("Name the clip, marker or track", &["F2"]),
            ("Menu of the track or marker", &["Shift F10", "Menu"]),
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
            ("Ends of the line; all, copy", &["Home", "End", "Ctrl A", "Ctrl C"]),
            ("Search", &["Ctrl F"]),
            ("Hear, correct", &["Enter", "F2"]),
            ("Cut out of the sound", &["Del"]),
            ("Menu of the words or a phrase", &["Shift F10", "Menu"]),
            ("Assembly: move, remove", &["Alt Up Down", "Del"]),
            ("Assembly: pick one, on, all", &["Space", "Shift Up Down", "Ctrl A"]),
        ],
    ),
    (
        CODING,
        &[
            ("Code the picked words", &["C"]),
            ("Code with one of the first nine codes", &["1 to 9"]),
            ("Rename, remove a code", &["F2", "Del"]),
            ("Next code, fold, hear a place", &["Up Down", "Left Right", "Enter"]),
            ("Menu of a code", &["Shift F10", "Menu"]),
        ],
    ),
];

/// Keys that the host handles itself.
const NOT_HOSTED: [&str; 4] = ["To the start, to the end", FILES, EDGES, HEARD];
/// Keys that only work in a host.
const HOSTED: [&str; 1] = [HOST_HEARS];

pub(super) fn show(ui: &mut Ui, model: &Model) {
    rows::heading(ui, "Shortcuts", "");
    let (is_hosted, has_coding) = (model.live.is_hosted(), model.has_coding());
    for (place, rows) in KEYS.into_iter().filter(|(place, _)| has_coding || *place != CODING) {
        rows::section(ui, place);
        let left_out: &[&str] = if is_hosted { &NOT_HOSTED } else { &HOSTED };
        let shown = rows.iter().filter(|(what, _)| !left_out.contains(what));
        rows::group(ui, |ui| {
            for (index, row) in shown.enumerate() {
                if index > 0 {
                    rows::line(ui);
                }
                one(ui, row);
            }
        });
        ui.add_space(8.0);
    }
}

fn one(ui: &mut Ui, (what, keys): &Row) {
    let size = vec2(ui.available_width(), 28.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let name = format!("{what}: {}", keys.join(", "));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
    let cx = Cx::new(ui);
    cx.left(rect.left_mid(0.0), what, Type::SMALL, cx.t.text);
    let mut x = rect.right();
    for key in keys.iter().rev() {
        let width = (cx.width(key, Type::CAPTION) + 10.0).max(20.0).ceil();
        x -= width;
        key_cap(&cx, egui::pos2(x, rect.center().y), key);
        x -= 6.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SoundOutput;
    use crate::preferences::view::Page;
    use crate::testing::prelude::*;

    #[test]
    fn the_list_names_each_key_and_has_room_for_it() {
        for (output, left_out) in [
            (SoundOutput::Device { name: "Speakers".into() }, &HOSTED[..]),
            (SoundOutput::Host { name: "Ardour".into() }, &NOT_HOSTED[..]),
        ] {
            let mut model = open_model();
            model.live.output = output;
            model.preferences.page = Some(Page::Keys);
            model.shows_coding = true;
            let harness = harness(model);
            let ui = Ui::new(harness.ctx.clone(), egui::Id::unique("keys"), Default::default());
            let cx = Cx::new(&ui);
            for (what, keys) in KEYS.iter().flat_map(|(_, rows)| *rows) {
                let name = format!("{what}: {}", keys.join(", "));
                let Some(row) = harness.query_by_label(&name) else {
                    assert!(left_out.contains(what), "{what} is there");
                    continue;
                };
                assert!(!left_out.contains(what), "{what} is not for here");
                let caps: f32 = keys.iter().map(|key| cx.width(key, Type::CAPTION) + 16.0).sum();
                let room = row.rect().width() - cx.width(what, Type::SMALL);
                assert!(caps < room, "{what}: {caps} of {room}");
            }
        }
    }

    #[test]
    fn no_keys_stand_twice_in_one_place() {
        for left_out in [&HOSTED[..], &NOT_HOSTED[..]] {
            for (place, rows) in KEYS {
                let rows = rows.iter().filter(|(what, _)| !left_out.contains(what));
                let mut seen: Vec<&[&str]> = Vec::new();
                for (what, keys) in rows {
                    assert!(!seen.contains(keys), "{what} in {place}");
                    seen.push(*keys);
                }
            }
        }
    }

    #[test]
    fn the_handle_where_two_clips_meet_is_in_the_list() {
        let timeline = KEYS.iter().find(|(place, _)| *place == "Timeline").unwrap();
        assert!(timeline.1.contains(&CROSSFADE));
    }
}
