//! What is known of the chosen code: when to use it, a memo, and everything it is on.

use super::CodesView;
use crate::action::Action;
use crate::describe::brief;
use crate::kit::controls::whole_name;
use crate::kit::star;
use crate::kit::{Cut, Cx};
use crate::model::Scene;
use crate::theme::{Theme, Type, radius, space};
use crate::words::calls;
use crate::words::coded::color_of;
use crate::words::place::Places;
use deskhand_session::{CodeId, ObjectId, RevisionId, Segment, SegmentId, Session};
use egui::{Key, Rect, Role, ScrollArea, Sense, TextEdit, Ui, UiBuilder, WidgetInfo, vec2};
use serde_json::json;

const ROW: f32 = 28.0;
/// What stands in place of the list before there is any.
const NOTHING: &str = "Nothing is coded with it yet. Pick words in the transcript, and press C.";

/// The memo that is being written, and the places that are listed.
#[derive(Default)]
pub(super) struct Memo {
    of: Option<(CodeId, RevisionId)>,
    text: String,
    quotes: Vec<Quote>,
    places: Places,
}

/// A stretch that is coded, and what is said in it.
struct Quote {
    id: SegmentId,
    text: String,
}

impl Memo {
    fn settle(&mut self, scene: Scene<'_>, id: CodeId) {
        if self.of == Some((id, scene.head)) {
            return;
        }
        self.of = Some((id, scene.head));
        self.text = memo(scene.session, id).to_owned();
        self.quotes = quotes(scene.session, id);
        self.places = Places::new(scene.session);
    }
}

fn memo(session: &Session, id: CodeId) -> &str {
    session.memos.get(&ObjectId::Code(id)).map(String::as_str).unwrap_or_default()
}

/// Everything that a code is on, by source and time.
fn quotes(session: &Session, id: CodeId) -> Vec<Quote> {
    let is_on = |segment: &Segment| segment.codings.iter().any(|coding| coding.code == id);
    let coded = session.segments.iter().filter(|(_, segment)| is_on(segment));
    let mut coded: Vec<(SegmentId, &Segment)> = coded.map(|(id, it)| (*id, it)).collect();
    coded.sort_by_key(|(id, segment)| (segment.source, segment.start, *id));
    let transcripts = session.transcripts();
    let text = |(id, segment): (SegmentId, &Segment)| {
        let said = transcripts.get(&segment.source);
        Quote { id, text: said.map_or_else(String::new, |said| said.said_in(segment)) }
    };
    coded.into_iter().map(text).collect()
}

/// Draws it.
pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut CodesView,
    id: CodeId,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    view.memo.settle(scene, id);
    let mut rest = rect;
    let Some(code) = scene.session.codes.get(&id) else { return };
    let cx = Cx::new(ui, theme);
    cx.fill(rect, 0.0, theme.raised);
    cx.hline(rect.left(), rect.right(), rect.top(), theme.line);
    let head = rest.cut_top(36.0);
    let dot = head.left_mid(space::M + 4.0);
    cx.p.circle_filled(dot, 5.0, color_of(theme, scene.session, id));
    let name = cx.left(head.left_mid(28.0), &code.name, Type::BODY_STRONG, theme.text);
    let room = head.right() - name.right() - 24.0;
    let at = egui::pos2(name.right() + space::S, head.center().y);
    cx.elided(at, &code.description, Type::SMALL, theme.text_3, room);
    drop(cx);
    field(ui, theme, scene, view, id, rest.cut_top(64.0), out);
    list(ui, theme, scene, &view.memo, rest, out);
}

/// The memo; it is kept when the field is left.
fn field(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut CodesView,
    id: CodeId,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let cx = Cx::new(ui, theme);
    let rect = rect.pad(space::M, 4.0);
    cx.fill(rect, radius::CONTROL, theme.input);
    cx.border(rect, radius::CONTROL, theme.line_strong);
    drop(cx);
    let edit = TextEdit::multiline(&mut view.memo.text).frame(egui::Frame::NONE).desired_rows(2);
    let edit = edit.hint_text("Memo: what you think of it").font(Type::SMALL.font());
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect.pad(space::S, 4.0)));
    let response = ScrollArea::vertical()
        .id_salt("memo")
        .show(&mut child, |ui| ui.add(edit.desired_width(f32::INFINITY)))
        .inner;
    response.widget_info(|| WidgetInfo::labeled(Role::MultilineTextInput, true, "Memo"));
    let was = memo(scene.session, id);
    if response.lost_focus() && view.memo.text.trim() != was {
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            was.clone_into(&mut view.memo.text);
            return;
        }
        let params = json!({"target": id, "text": view.memo.text.trim()});
        out.push(calls::call("cmd_set_memo", params));
    }
}

/// What the code is on: a click hears it.
fn list(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    memo: &Memo,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    if memo.quotes.is_empty() {
        let cx = Cx::new(ui, theme);
        let at = rect.min + vec2(space::M, space::S);
        let room = rect.width() - 2.0 * space::M;
        let text = cx.para(at, NOTHING, Type::SMALL, theme.text_3, room);
        let node = cx.interact(text, "no quotes", Sense::hover());
        node.widget_info(|| WidgetInfo::labeled(Role::Label, true, NOTHING));
        return;
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect.pad(4.0, 0.0)).id_salt("quotes"));
    child.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("quotes").auto_shrink(false);
    area.show_rows(&mut child, ROW, memo.quotes.len(), |ui, range| {
        for quote in range.filter_map(|index| memo.quotes.get(index)) {
            one(ui, theme, scene, &memo.places, quote, out);
        }
    });
}

fn one(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    places: &Places,
    quote: &Quote,
    out: &mut Vec<Action>,
) {
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let Some(segment) = scene.session.segments.get(&quote.id) else { return };
    let cx = Cx::new(ui, theme);
    let response = cx.interact(row, ("quote", quote.id), Sense::click());
    let text = if quote.text.is_empty() { "no words" } else { &quote.text };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Hear: {text}")));
    if response.hovered() {
        cx.fill(row, radius::CONTROL, theme.control);
    }
    let (at, plays) = when(scene.session, places, segment);
    let color = if plays { theme.text_3 } else { theme.disabled };
    cx.left(row.left_mid(space::S), &at, Type::SMALL, color);
    let room = row.width() - 100.0;
    cx.elided(row.left_mid(60.0), text, Type::SMALL, theme.text, room);
    if response.has_focus() {
        cx.focus_ring(row.shrink(3.0), radius::CONTROL);
    }
    let source = scene.session.name_of(segment.source.into());
    let said = brief(segment.start.seconds(scene.session.rate).0);
    let response = whole_name(&cx, response, text, (Type::SMALL, room));
    let response = response.on_hover_text(format!("At {said} in {source}"));
    importance(&cx, quote.id, segment, row, out);
    if response.clicked() {
        let stretch = (segment.start, segment.end());
        calls::hear(scene, places, segment.source, stretch, out);
    }
}

/// When a coded stretch is heard, and whether it is; of one that no clip plays when it was said.
fn when(session: &Session, places: &Places, segment: &Segment) -> (String, bool) {
    let (source, start) = (segment.source, segment.start);
    let heard = places.of(source, start).map(|(_, at)| at);
    let heard = heard.or_else(|| places.first_of(source, start, segment.end()));
    (brief(heard.unwrap_or(start).seconds(session.rate).0), heard.is_some())
}

/// The star of a coded stretch.
fn importance(cx: &Cx<'_>, id: SegmentId, segment: &Segment, row: Rect, out: &mut Vec<Action>) {
    let cell = row.row_box(row.right() - 32.0, vec2(24.0, 24.0));
    let name = if segment.important { "Important" } else { "Mark as important" };
    let response = cx.interact(cell, ("important", id), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, segment.important, name));
    star::paint(cx, cell.center(), 6.5, cx.t.text_2, segment.important);
    if response.has_focus() {
        cx.focus_ring(cell, radius::CONTROL);
    }
    if response.on_hover_text(name).clicked() {
        out.push(calls::importance(id, !segment.important));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::spoken;
    use crate::ui_tests::{harness, open_model};
    use crate::words::Page;
    use deskhand_dsp::Frames;
    use deskhand_session::{ClipId, Segment, SegmentId};
    use egui_kittest::kittest::Queryable as _;

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
        let mut model = open_model();
        model.mirror.as_mut().unwrap().snapshot.session = spoken();
        (model.desk.words.is_open, model.desk.words.page) = (true, Page::Codes);
        let mut harness = harness(model);
        harness.run_steps(5);
        harness.get_by_label("Code Lamps, 0 coded").click();
        harness.run_steps(3);
        assert!(harness.query_by_label(NOTHING).is_some());
        harness.get_by_label("Code Light, 1 coded").click();
        harness.run_steps(3);
        assert!(harness.query_by_label(NOTHING).is_none());
    }
}
