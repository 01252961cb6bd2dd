//! What the words are about: chips in the composer for the selected time, and for the selected clips or tracks. The
//! cross of a chip takes that part out of the selection of the session, which is what the words are read with.

use crate::action::{Action, Actions, Gesture, call};
use crate::icons;
use crate::kit::Cx;
use crate::theme::{Type, radius};
use deskhand_session::text::tenths;
use deskhand_session::{ObjectId, Selection, Session, TimeRange};
use egui::{Pos2, Rect, Role, Sense, WidgetInfo, pos2, vec2};
use serde_json::{Map, Value, json};

/// The height of the row of chips.
pub(super) const ROW: f32 = 28.0;
const HIGH: f32 = 20.0;
/// The room of a chip apart from its text: icon, cross and edges.
const BESIDE: f32 = 44.0;
/// Between two chips.
const GAP: f32 = 6.0;

/// What is selected, as words are read with it.
#[derive(Debug, PartialEq)]
struct Context {
    time: Option<TimeRange>,
    /// The selected clips, or if there are none the selected tracks: editors select the tracks of clips with them, and
    /// clips are narrower.
    objects: Vec<ObjectId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContextPart {
    Time,
    Objects,
}

impl Context {
    fn of(session: &Session) -> Self {
        let Selection { tracks, clips, range } = &session.selection;
        let clips = clips.iter().filter(|id| session.clips.contains_key(id));
        let mut objects: Vec<ObjectId> = clips.map(|id| (*id).into()).collect();
        if objects.is_empty() {
            let tracks = tracks.iter().filter(|id| session.tracks.contains_key(id));
            objects.extend(tracks.map(|id| ObjectId::from(*id)));
        }
        Self { time: *range, objects }
    }

    /// The chips: the part, its icon, what it says, and what it says where there is less room.
    fn chips(&self, session: &Session) -> Vec<(ContextPart, char, String, String)> {
        let seconds = |at: deskhand_dsp::Frames| tenths(at.seconds(session.rate).0);
        let time = self.time.map(|time| {
            let words = format!("{} to {}", seconds(time.start), seconds(time.end));
            (ContextPart::Time, icons::SELECTION, words.clone(), words)
        });
        let kind = match self.objects.first() {
            Some(ObjectId::Clip(_)) => "clip",
            Some(_) | None => "track",
        };
        let counted = deskhand_session::text::count(self.objects.len(), kind);
        let named = match self.objects[..] {
            [] => None,
            [one] => Some(session.name_of(one)),
            _ => Some(counted.clone()),
        };
        let objects = named.map(|it| (ContextPart::Objects, icons::WAVEFORM, it, counted));
        time.into_iter().chain(objects).collect()
    }

    /// Selects the rest.
    fn without(&self, part: ContextPart, session: &Session) -> Action {
        let mut params = Map::new();
        if let (ContextPart::Objects, Some(time)) = (part, self.time) {
            let seconds = |at: deskhand_dsp::Frames| at.seconds(session.rate).0;
            params.insert("start_s".into(), json!(seconds(time.start)));
            params.insert("end_s".into(), json!(seconds(time.end)));
        }
        if part == ContextPart::Time && !self.objects.is_empty() {
            // With the tracks of the clips: what is said about tracks means those.
            let tracks = session.selection.tracks.iter().map(|id| ObjectId::from(*id));
            let tracks = tracks.filter(|id| !self.objects.contains(id));
            let all: Vec<ObjectId> = tracks.chain(self.objects.iter().copied()).collect();
            params.insert("targets".into(), json!(all));
        }
        call(Gesture::Select, Value::Object(params))
    }
}

pub(super) fn is_any(session: Option<&Session>) -> bool {
    let context = session.map(Context::of);
    context.is_some_and(|it| it.time.is_some() || !it.objects.is_empty())
}

pub(super) fn show(cx: &Cx<'_>, session: &Session, row: Rect, out: &mut Actions) {
    let context = Context::of(session);
    let chips = context.chips(session);
    let full: f32 = chips.iter().map(|(_, _, words, _)| width(cx, words) + GAP).sum();
    let mut at = row.left_center();
    for (part, icon, words, short) in &chips {
        let words = if full - GAP > row.width() { short } else { words };
        let room = (row.right() - at.x).min(width(cx, words));
        let (right, is_removed) = chip(cx, at, *icon, words, room);
        if is_removed {
            out.push(context.without(*part, session));
        }
        at.x = right + GAP;
    }
}

fn width(cx: &Cx<'_>, words: &str) -> f32 {
    (cx.width(words, Type::CAPTION_STRONG) + BESIDE).ceil()
}

/// A chip with a cross, at most `room` wide; `at` is its left middle. Returns its right edge, and whether the cross was
/// pressed.
fn chip(cx: &Cx<'_>, at: Pos2, icon: char, words: &str, room: f32) -> (f32, bool) {
    let rect = Rect::from_min_size(pos2(at.x, at.y - HIGH / 2.0), vec2(room, HIGH));
    cx.fill(rect, radius::CONTROL, cx.t.control);
    cx.icon(pos2(rect.left() + 12.0, at.y), icon, 14.0, cx.t.text_2);
    let text = pos2(rect.left() + 22.0, at.y);
    cx.elided(text, words, Type::CAPTION_STRONG, cx.t.text_2, room - BESIDE);
    let about = cx.interact(rect, ("about", words), Sense::hover());
    let told = format!("What you ask is about {words}");
    about.widget_info(|| WidgetInfo::labeled(Role::Label, true, &told));
    about.on_hover_text(told);
    let cross = Rect::from_center_size(pos2(rect.right() - 10.0, at.y), vec2(20.0, HIGH));
    let name = format!("Deselect {words}");
    let response = cx.button(cross, ("deselect", words), &name);
    if response.hovered() {
        cx.fill(cross, radius::CONTROL, cx.t.hover);
    }
    let color = if response.hovered() { cx.t.text } else { cx.t.text_3 };
    cx.icon(cross.center(), icons::X, 10.0, color);
    cx.ring(&response, cross, radius::CONTROL);
    (rect.right(), response.on_hover_text(name).clicked())
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::session;
    use crate::testing::prelude::*;
    use deskhand_session::TimeRange;

    #[test]
    fn the_chips_are_what_is_selected_and_a_cross_takes_a_part_out() {
        let mut model = open_model();
        assert!(harness(open_model()).query_by_label_contains("What you ask is about").is_none());
        let selection = &mut session(&mut model).selection;
        (selection.tracks, selection.clips) = (vec![TrackId::new(1)], vec![ClipId::new(1)]);
        selection.range = Some(TimeRange { start: Frames(48_000), end: Frames(96_000) });
        let mut harness = harness(model);
        let named = "What you ask is about Vocal take";
        assert!(harness.query_by_label(named).is_some(), "the clip, which is narrower");
        harness.click_on("Deselect 0:01.0 to 0:02.0");
        let ids = json!({"targets": [TrackId::new(1).to_string(), ClipId::new(1).to_string()]});
        let (gesture, params) = (Gesture::Select, ids);
        assert_eq!(harness.state().actions, [Action::Call { gesture, params }]);
        harness.state_mut().actions.clear();
        harness.click_on("Deselect Vocal take");
        let (gesture, params) = (Gesture::Select, json!({"start_s": 1.0, "end_s": 2.0}));
        assert_eq!(harness.state().actions, [Action::Call { gesture, params }]);
        let selection = &mut session(&mut harness.state_mut().model).selection;
        selection.clips.clear();
        selection.tracks.push(TrackId::new(2));
        harness.run_steps(2);
        assert!(harness.query_by_label("What you ask is about 2 tracks").is_some());
    }
}
