//! The empty window: it teaches the loop by showing it, then offers the ways in.

use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::controls::{Button, Kind, plan_tag};
use crate::kit::cx::alpha;
use crate::kit::wave::{self, Column};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::session_menu;
use crate::theme::{Theme, Type, radius, space};
use deskhand_session::offers::Menu;
use egui::{Pos2, Rect, Ui, pos2, vec2};

const STEP: f32 = 264.0;
const ART: f32 = 144.0;

pub(crate) fn show(ui: &mut Ui, theme: &Theme, model: &Model, rect: Rect, out: &mut Actions) {
    let cx = Cx::new(ui, theme).clip(rect);
    cx.fill(rect, 0.0, theme.panel);
    let room = rect.width() - 48.0;
    let steps = ((room + 16.0) / (STEP + 16.0)).floor().clamp(1.0, 3.0);
    let width = steps * (STEP + 16.0) - 16.0;
    let shows_steps = rect.height() > 480.0;
    let recent = if model.mirror.is_none() { session_menu::height(model) } else { 0.0 };
    let tall = if shows_steps { 428.0 } else { 180.0 } + recent;
    let left = (rect.center().x - width / 2.0).max(rect.left() + 24.0).round();
    let top = (rect.center().y - tall / 2.0).max(rect.top() + 32.0).round();
    let at = pos2(left, top);
    cx.left(at, "Ask. Check the plan. Then apply.", Type::HERO, theme.text);
    let words = "Deskhand measures your session, proposes changes with numbers, and lets you hear them first. Nothing in the session changes until you press Apply.";
    let about = cx.para(at + vec2(0.0, 28.0), words, Type::BODY, theme.text_2, width.min(560.0));
    let mut y = about.bottom() + 28.0;
    if shows_steps {
        let all = [ask as fn(&Cx<'_>, Rect), check, apply];
        for (index, step) in all.into_iter().take(steps as usize).enumerate() {
            let x = left + index as f32 * (STEP + 16.0);
            step(&cx, Rect::from_min_size(pos2(x, y), vec2(STEP, 216.0)));
        }
        y += 240.0;
    }
    ways_in(&cx, model, pos2(left, y), out);
}

fn ways_in(cx: &Cx<'_>, model: &Model, at: Pos2, out: &mut Actions) {
    let hint = "Or drop WAV, AIFF, FLAC or MP3 files anywhere in this window.";
    let mut ways = Vec::new();
    if model.mirror.is_some() {
        ways.push((Kind::Primary, "Import audio…", icons::FILE_AUDIO, Action::Import));
        let entries = model.tools.entries(Menu::EmptyDesk, &());
        ways.extend(entries.map(|(it, call)| (Kind::Secondary, &*it.label, icons::PLUS, call)));
    } else {
        ways.push((Kind::Primary, "New session…", icons::PLUS, Action::NewSession));
        let open = Action::OpenSession;
        ways.push((Kind::Secondary, "Open a session…", icons::FOLDER_OPEN, open));
    }
    let mut x = at.x;
    for (kind, words, icon, action) in ways {
        let button = Button::new(kind, words).icon(icon);
        let width = button.width(cx) + 8.0;
        let cell = Rect::from_min_size(pos2(x, at.y), vec2(width, 32.0));
        if button.show(cx, cell).clicked() {
            out.push(action);
        }
        x += width + space::S;
    }
    cx.left(pos2(at.x, at.y + 56.0), hint, Type::SMALL, cx.t.text_3);
    if model.mirror.is_none() {
        session_menu::list(cx, model, pos2(at.x, at.y + 80.0), out);
    }
}

fn frame(cx: &Cx<'_>, rect: Rect, title: &str, body: &str) -> Rect {
    let art = Rect::from_min_size(rect.min, vec2(rect.width(), ART));
    cx.fill(art, radius::CARD, cx.t.well);
    let at = pos2(rect.left(), art.bottom() + 20.0);
    cx.left(at, title, Type::BODY_STRONG, cx.t.text);
    let at = pos2(rect.left(), art.bottom() + 34.0);
    cx.para(at, body, Type::SMALL, cx.t.text_2, rect.width() - 8.0);
    let node = cx.interact(rect, ("step", title), egui::Sense::hover());
    let words = format!("{title}. {body}");
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    art
}

fn ask(cx: &Cx<'_>, rect: Rect) {
    let body = "Select a range or a track first to say where.";
    let art = frame(cx, rect, "Ask in your own words", body);
    let said = Rect::from_center_size(art.center(), vec2(192.0, 56.0));
    cx.fill(said, radius::CARD, cx.t.control);
    let words = "Bring the lead vocal forward in the chorus";
    cx.para(said.min + vec2(12.0, 8.0), words, Type::BODY, cx.t.text, 172.0);
}

fn check(cx: &Cx<'_>, rect: Rect) {
    let body =
        "Blue is planned, and only planned. Compare it with the current mix at matched level.";
    let art = frame(cx, rect, "See and hear the plan", body);
    let clip = Rect::from_center_size(art.center(), vec2(216.0, 80.0));
    let hue = cx.t.hues[0];
    cx.fill(clip, 2.0, hue.soft);
    let columns = drawn_wave(432);
    let wave_rect = clip.pad(0.0, 8.0);
    wave::paint(cx, wave_rect, &columns, 0.74, alpha(hue.strong, 0.5), hue.strong);
    let contour: Vec<Column> = columns
        .chunks(5)
        .map(|few| Column { peak: few.iter().map(|it| it.peak).fold(0.0, f32::max), rms: 0.0 })
        .collect();
    wave::outline(cx, wave_rect, &contour, 1.0, cx.t.accent);
    cx.dashed_border(clip, cx.t.accent);
    plan_tag(cx, clip.right_top() + vec2(-11.0, 11.0), 1, true);
}

/// A drawing, not a recording: phrases of a voice.
fn drawn_wave(count: usize) -> Vec<Column> {
    let column = |index: usize| {
        let at = index as f32 / count as f32;
        let phrase = ((at * 21.0).sin() * 0.5 + 0.5) * (at * 6.6).sin().abs().powf(0.7);
        let grain = 0.82 + 0.18 * (index as f32 * 12.9898).sin();
        let peak = (0.08 + 0.86 * phrase) * grain;
        Column { peak, rms: peak * 0.42 }
    };
    (0..count).map(column).collect()
}

fn apply(cx: &Cx<'_>, rect: Rect) {
    let body = "Every plan is one undo step, measured again after it lands.";
    let art = frame(cx, rect, "Apply, with a receipt", body);
    let middle = art.center();
    let rows = [("Predicted", "−16.2", cx.t.text_2), ("Measured", "−16.1", cx.t.text)];
    for (index, (label, value, color)) in rows.into_iter().enumerate() {
        let y = middle.y - 12.0 + index as f32 * 24.0;
        cx.left(pos2(art.left() + 40.0, y), label, Type::SMALL, cx.t.text_2);
        cx.right(pos2(art.right() - 84.0, y), value, Type::BODY_STRONG, color);
        cx.left(pos2(art.right() - 76.0, y), "LUFS", Type::SMALL, cx.t.text_3);
    }
    let at = pos2(art.right() - 32.0, middle.y + 12.0);
    cx.icon_fill(at, icons::CHECK_CIRCLE, 16.0, cx.t.ok);
}

#[cfg(test)]
mod tests {
    use crate::action::{Action, Gesture};
    use crate::desk_tests::{desk, session};
    use crate::testing::{UserInput as _, tool_of};
    use crate::ui_tests::open_model;
    use serde_json::json;

    #[test]
    fn a_session_without_tracks_gets_its_first_by_a_click() {
        let mut model = open_model();
        let session = session(&mut model);
        session.clips.clear();
        session.tracks.clear();
        session.track_order.clear();
        let mut desk = desk(model);
        desk.click_on("Add a track to record on");
        let (tool, params) = (tool_of(Gesture::AddTrack), json!({"kind": "audio"}));
        assert_eq!(desk.state().actions, [Action::Offered { tool, params }]);
    }
}
