//! Everything that a code is on: each place is heard by a click, and the code comes off it again.

use super::quote_list::{Quotes, hear};
use crate::action::Actions;
use crate::coding::calls::{uncode, uncodes};
use crate::coding::codebook::view::CodesView;
use crate::icons;
use crate::kit::controls::{hint, whole_name};
use crate::kit::{Cut, Cx, context, menu, star};
use crate::scene::Scene;
use crate::theme::{Theme, Type, radius, space};
use crate::words::place::Places;
use crate::words::{calls, distinct_names};
use deskhand_session::text::tenths;
use deskhand_session::{CodeId, Segment, SegmentId, Session};
use egui::{
    EventFilter, Key, Modifiers, Rect, Response, Role, ScrollArea, Sense, Ui, UiBuilder,
    WidgetInfo, vec2,
};

const ROW: f32 = 28.0;
/// The name of a recording is drawn so wide at most, points.
const TOLD: f32 = 100.0;
/// The text in place of an empty list.
const NOTHING: &str = "Nothing is coded with it yet. Pick words in the transcript, and press C.";

pub(super) fn show(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut CodesView,
    id: CodeId,
    rect: Rect,
    out: &mut Actions,
) {
    let quotes = &mut view.about.quotes;
    if quotes.all.is_empty() {
        let cx = Cx::new(ui);
        let at = rect.min + vec2(space::M, space::S);
        let room = rect.width() - 2.0 * space::M;
        let text = cx.para(at, NOTHING, Type::SMALL, cx.t.text_3, room);
        cx.label(text, "no quotes", NOTHING);
        return;
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect.pad(4.0, 0.0)).id_salt("quotes"));
    child.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("quotes").auto_shrink(false);
    area.show_rows(&mut child, ROW, quotes.all.len(), |ui, range| {
        if let Some(wanted) = quotes.wanted.take() {
            let first = ui.max_rect().left_top();
            let down = (wanted as f32 - range.start as f32) * ROW;
            let size = vec2(ui.available_width(), ROW);
            ui.scroll_to_rect(Rect::from_min_size(first + vec2(0.0, down), size), None);
        }
        for index in range {
            one(ui, scene, (&mut *quotes, id, index), out);
        }
    });
    if std::mem::take(&mut quotes.is_over) {
        view.goes_to = Some(id);
    }
}

fn one(
    ui: &mut Ui,
    scene: Scene<'_>,
    (quotes, code, index): (&mut Quotes, CodeId, usize),
    out: &mut Actions,
) {
    let theme = Theme::of(ui.visuals());
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let Some(quote) = quotes.all.get(index) else { return };
    let Some(segment) = scene.session.segments.get(&quote.id) else { return };
    let (cx, id) = (Cx::new(ui), quote.id);
    let response = cx.interact(row, ("quote", id), Sense::click());
    if quotes.goes_to == Some(id) {
        quotes.goes_to = None;
        response.request_focus();
    }
    let text = if quote.text.is_empty() { "no words" } else { &quote.text };
    let told = quote.told.as_ref().map(|name| format!(", {name}")).unwrap_or_default();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Hear: {text}{told}")));
    let is_near = cx.ui.rect_contains_pointer(row) || response.has_focus();
    if is_near || quotes.heard == Some(id) {
        cx.fill(row, radius::CONTROL, if is_near { theme.control } else { theme.hover });
    }
    let (at, plays) = when(scene.session, &quotes.places, segment);
    let color = if plays { theme.text_3 } else { theme.disabled };
    cx.left(row.left_mid(space::S), &at, Type::SMALL, color);
    let room = row.width() - 128.0 - recording(&cx, quote.told.as_deref(), row);
    cx.elided(row.left_mid(60.0), text, Type::SMALL, theme.text, room);
    cx.ring(&response, row.shrink(3.0), radius::CONTROL);
    let source = distinct_names::source_name(scene.session, segment.source);
    let said = tenths(segment.start.seconds(scene.session.rate).0);
    let response = whole_name(&cx, response, text, (Type::SMALL, room));
    let response = response.on_hover_text(format!("At {said} in {source}"));
    importance(&cx, id, segment, row, out);
    if off(&cx, scene, (id, code), row, is_near, &response, out) {
        quotes.leave(index);
    }
    if response.clicked() {
        quotes.heard = Some(id);
        hear(scene, &quotes.places, id, out);
    }
}

/// The name of a recording before the buttons. Returns the width that it takes.
fn recording(cx: &Cx<'_>, told: Option<&str>, row: Rect) -> f32 {
    let Some(told) = told else { return 0.0 };
    let width = cx.width(told, Type::CAPTION).min(TOLD);
    let at = row.left_mid(row.width() - 68.0 - width);
    cx.elided(at, told, Type::CAPTION, cx.t.text_3, TOLD);
    width + space::S
}

/// The button, the key and the menu that take the code off this place; whether the key did.
fn off(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    (quote, code): (SegmentId, CodeId),
    row: Rect,
    is_near: bool,
    response: &Response,
    out: &mut Actions,
) -> bool {
    let name = uncodes(scene.session, quote, code, "here");
    let cell = row.row_box(row.right() - 60.0, vec2(24.0, 24.0));
    let button = cx.button(cell, ("off", quote), &name);
    if is_near || button.has_focus() {
        let color = if button.hovered() { cx.t.text } else { cx.t.text_2 };
        cx.icon(cell.center(), icons::X, 12.0, color);
    }
    cx.ring(&button, cell, radius::CONTROL);
    let delete = |input: &mut egui::InputState| input.consume_key(Modifiers::NONE, Key::Delete);
    let has_keys = context::has_keys(response, EventFilter::default());
    let by_key = has_keys && !response.gained_focus() && cx.ui.input_mut(delete);
    let mut is_off = by_key;
    is_off |= hint(button, &format!("{name}: Del")).clicked();
    context::menu(response, row).show(|ui| {
        is_off |= menu::entry_with_key(ui, name.as_str(), "Del");
    });
    if is_off {
        out.push(uncode(quote, code));
    }
    by_key
}

/// When a coded stretch plays, and whether it plays. Without a clip, when it was said in the recording.
fn when(session: &Session, places: &Places, segment: &Segment) -> (String, bool) {
    let (source, start) = (segment.source, segment.start);
    let heard = places.of(source, start).map(|(_, at)| at);
    let heard = heard.or_else(|| places.first_of(source, start, segment.end()));
    (tenths(heard.unwrap_or(start).seconds(session.rate).0), heard.is_some())
}

/// The star of a coded stretch.
fn importance(cx: &Cx<'_>, id: SegmentId, segment: &Segment, row: Rect, out: &mut Actions) {
    let cell = row.row_box(row.right() - 32.0, vec2(24.0, 24.0));
    let name = if segment.important { "Important" } else { "Mark as important" };
    let response = cx.toggle(cell, ("important", id), segment.important, name);
    star::paint(cx, cell.center(), 6.5, cx.t.text_2, segment.important);
    cx.ring(&response, cell, radius::CONTROL);
    if response.on_hover_text(name).clicked() {
        out.push(calls::importance(id, !segment.important));
    }
}

#[cfg(test)]
mod tests {
    use super::super::quote_list::quotes;
    use super::*;
    use crate::live::SoundOutput;
    use crate::testing::prelude::*;
    use crate::testing::spoken;
    use crate::words::view::Page;
    use deskhand_protocol::desk::Play;
    use deskhand_session::Coding;

    /// The codes of a session, "Light" chosen.
    fn bench(session: Session) -> Harness<'static, Desk> {
        let mut model = open_model();
        model.mirror.as_mut().unwrap().snapshot.session = session;
        model.live.output = SoundOutput::Device { name: "Speakers".into() };
        (model.desk.words.is_open, model.desk.words.page) = (true, Page::Codes);
        let mut bench = harness(model);
        bench.get_by_label_contains("Code Light").click();
        bench.run_steps(3);
        bench
    }

    fn uncode(segment: u64) -> Action {
        let (segment, code) = (SegmentId::new(segment), CodeId::new(1));
        let params = json!({"segment_id": segment, "code_id": code});
        Action::Call { gesture: Gesture::Uncode, params }
    }

    #[test]
    fn a_quote_is_what_its_own_speaker_says_where_two_talk_at_once() {
        let mut session = spoken();
        // Ben speaks over all that Anna says.
        let anna = session.segments[&SegmentId::new(1)].clone();
        let ben = session.segments.get_mut(&SegmentId::new(2)).unwrap();
        let early = ben.start - anna.start;
        ben.start -= early;
        for word in &mut ben.words {
            word.start -= early;
            word.end -= early;
        }
        let said = ["Anna", "Ben"].map(|who| {
            let coded: &mut Segment = session.segments.get_mut(&SegmentId::new(50)).unwrap();
            coded.speaker = Some(who.into());
            quotes(&session, CodeId::new(1)).remove(0).text
        });
        assert_eq!(said, ["We left the", "so the boats"]);
    }

    #[test]
    fn quotes_of_the_same_words_are_told_apart_by_their_recordings() {
        let mut session = spoken();
        let told = |session: &Session| {
            let all = quotes(session, CodeId::new(1)).into_iter();
            all.map(|quote| quote.told.unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(told(&session), [""]);
        let words = session.segments[&SegmentId::new(1)].words.clone();
        session.segments.get_mut(&SegmentId::new(3)).unwrap().words = words;
        let coded = session.segments[&SegmentId::new(50)].clone();
        let other = Segment { source: SourceId::new(2), ..coded };
        session.segments.insert(SegmentId::new(51), other);
        assert_eq!(told(&session), ["Vocal", "Guitar"]);
    }

    #[test]
    fn a_quote_is_told_by_when_it_is_heard_and_one_that_was_cut_by_when_it_was_said() {
        let mut session = spoken();
        let told = |session: &Session| {
            when(session, &Places::new(session), &session.segments[&SegmentId::new(50)])
        };
        let clip = session.clips.get_mut(&ClipId::new(1)).unwrap();
        clip.position = Frames(96_000);
        assert_eq!(told(&session), ("0:02.0".to_owned(), true));
        session.clips.clear();
        assert_eq!(told(&session), ("0:00.0".to_owned(), false));
    }

    #[test]
    fn a_code_on_nothing_says_how_to_use_it() {
        let mut bench = bench(spoken());
        assert!(bench.query_by_label(NOTHING).is_none());
        bench.click_on("Code Lamps, 0 coded");
        assert!(bench.query_by_label(NOTHING).is_some());
    }

    #[test]
    fn a_code_comes_off_one_place_by_its_button_its_menu_or_a_key() {
        let mut bench = bench(spoken());
        bench.click_on("Remove code Light here");
        assert_eq!(bench.state().actions, [uncode(50)]);
        bench.focus_on("Hear: We left the");
        bench.press(Key::Delete);
        assert_eq!(bench.state().actions, [uncode(50), uncode(50)], "the code itself stays");
        assert!(bench.get_by_label("Code Light, 1 coded").is_focused(), "it was the last place");
        bench.get_by_label("Hear: We left the").click_secondary();
        bench.run_steps(4);
        // The button is small and square.
        let mut entries = bench.query_all_by_label_contains("Remove code Light here");
        entries.find(|entry| entry.rect().width() > 40.0).unwrap().click();
        drop(entries);
        bench.run_steps(3);
        assert_eq!(bench.state().actions.len(), 3);
    }

    #[test]
    fn places_are_gone_through_and_heard_one_after_the_other() {
        let mut session = spoken();
        let mut later = Segment::new(SourceId::new(1), Frames(96_000), Frames(48_000));
        later.codings.push(Coding::new(CodeId::new(1), None));
        session.segments.insert(SegmentId::new(51), later);
        let mut bench = bench(session);
        let heard = |bench: &mut Harness<'static, Desk>, name: &str| {
            bench.click_on(name);
            std::mem::take(&mut bench.state_mut().actions).remove(0)
        };
        let seek = |at| Action::Play(Play::Seek { at: Frames(at) });
        assert_eq!(heard(&mut bench, "Next place"), seek(0));
        assert_eq!(heard(&mut bench, "Next place"), seek(96_000));
        assert_eq!(heard(&mut bench, "Next place"), seek(0), "from the last to the first");
        assert_eq!(heard(&mut bench, "Place before"), seek(96_000));
    }
}
