//! Library: all sources, found by name, dragged to the timeline.

mod measurements;
pub(crate) mod view;

pub(crate) use measurements::hear_measured;

use crate::action::{Action, Actions, Gesture, call};
use crate::files::Lost;
use crate::kit::controls::{Button, Kind, icon_button};
use crate::kit::{Cut, Cx, field, menu as kit_menu};
use crate::model::Model;
use crate::scene::Scene;
use crate::theme::{Type, radius, space};
use crate::tools::analysis;
use crate::waves::Waves;
use crate::{icons, show_menu};
use deskhand_dsp::Frames;
use deskhand_session::text::{count, tenths};
use deskhand_session::{Handle, Media, Session, Source, SourceId, TrackId, TrackKind};
use egui::{Rect, Response, ScrollArea, Sense, Ui, UiBuilder, vec2};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const WIDTH: f32 = 264.0;
const ROW: f32 = 80.0;
/// Where in a session folder that is which was recorded here.
const CAPTURES: &str = "media/captures/";

pub(crate) fn show(
    ui: &mut Ui,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    out: &mut Actions,
) {
    measurements::look_at_plans(model);
    let Some((scene, desk)) = model.scene() else { return };
    let mut body = rect;
    let head = body.cut_top(40.0);
    let cx = Cx::new(ui);
    cx.fill(rect, 0.0, cx.t.panel);
    cx.left(head.left_mid(space::M), "Library", Type::BODY_STRONG, cx.t.text);
    let import = Button::new(Kind::Secondary, "Import…").icon(icons::PLUS);
    let width = import.width(&cx);
    let right = head.right() - 40.0 - width;
    if import.show(&cx, head.row_box(right, vec2(width, 28.0))).clicked() {
        out.push(Action::Import);
    }
    let close = head.row_box(head.right() - 36.0, vec2(28.0, 28.0));
    if icon_button(&cx, close, icons::X, "Close the library").clicked() {
        desk.library.is_open = false;
    }
    drop(cx);
    let place = body.cut_top(36.0).pad(space::M, 4.0);
    field::search(ui, place, &mut desk.library.search, ("Search library", "Search"));
    let wanted = desk.library.search.to_lowercase();
    let fits = |source: &Source| source.name.to_lowercase().contains(&wanted);
    let mut found: Vec<(SourceId, &Source)> =
        scene.session.sources.iter().filter(|(_, it)| fits(it)).map(|(id, it)| (*id, it)).collect();
    found.sort_by_key(|(id, source)| (source.name.to_lowercase(), *id));
    if found.is_empty() {
        let words = if scene.session.sources.is_empty() {
            "Audio that you import is listed here. Drop files anywhere in the window."
        } else {
            "No source has this in its name."
        };
        let at = body.min + vec2(space::M, space::M);
        let cx = Cx::new(ui);
        let text = cx.para(at, words, Type::SMALL, cx.t.text_3, rect.width() - 24.0);
        cx.label(text, "no source", words);
        return;
    }
    let known = Known::of(scene.session, &desk.library.measured);
    list(ui, scene, waves, body, (found.as_slice(), &known), out);
}

fn list(
    ui: &mut Ui,
    scene: Scene<'_>,
    waves: &dyn Waves,
    rect: Rect,
    (found, known): (&[(SourceId, &Source)], &Known<'_>),
    out: &mut Actions,
) {
    let mut uses: BTreeMap<SourceId, usize> = BTreeMap::new();
    for clip in scene.session.clips.values() {
        *uses.entry(clip.source).or_default() += 1;
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
    child.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("library").auto_shrink(false);
    area.show_rows(&mut child, ROW, found.len(), |ui, range| {
        for (id, source) in &found[range] {
            let clips = uses.get(id).copied().unwrap_or(0);
            row(ui, scene, waves, (*id, source), (clips, known), out);
        }
    });
}

fn row(
    ui: &mut Ui,
    scene: Scene<'_>,
    waves: &dyn Waves,
    (id, source): (SourceId, &Source),
    (clips, known): (usize, &Known<'_>),
    out: &mut Actions,
) {
    let size = vec2(ui.available_width(), ROW);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let cx = Cx::new(ui);
    let is_current = scene.session.current_source == Some(id);
    let response = cx.interact(rect, ("source", id), Sense::click_and_drag());
    let name = format!("Source {}", source.name);
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_current, &name));
    ground(&cx, rect, &response, is_current);
    let is_read = waves.columns(id, Frames::ZERO, 256.0, 2).is_some();
    let lost = scene.live.lost.get(&id);
    let state = match lost {
        Some(lost) => lost.loss.label(),
        None => state(source, is_read),
    };
    let lines = [facts(scene, source), uses(state, clips, &known.words(id)), known.analyzed(id)];
    words(&cx, rect, &source.name, &lines, lost);
    let told = format!("{}: {}", source.name, lines.join("; "));
    cx.label(rect.pad(36.0, 26.0), ("facts", id), &told);
    response.dnd_set_drag_payload(id);
    if response.dragged() {
        cx.ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    if response.clicked() && !is_current {
        let params = json!({"source": id});
        out.push(call(Gesture::ChooseSource, params));
    }
    if let Some((track, _)) = target(scene).filter(|_| response.double_clicked()) {
        out.push(place(scene, id, track));
    }
    let why = lost.map_or_else(String::new, |lost| format!("\n{}", lost.why));
    let hint = format!("{}\n{}{why}", source.path, lines.join("\n"));
    kit_menu::on(&response.on_hover_text(hint), |ui| menu(ui, scene, id, clips, out));
}

/// What shows that a row is chosen, under the pointer, or has the keyboard.
fn ground(cx: &Cx<'_>, rect: Rect, response: &Response, is_current: bool) {
    if is_current || response.hovered() {
        let tint = if is_current { cx.t.control } else { cx.t.raised };
        cx.fill(rect.pad(4.0, 1.0), radius::CONTROL, tint);
    }
    cx.ring(response, rect.pad(4.0, 1.0), radius::CONTROL);
}

/// The icon, the name, and three lines below it.
fn words(cx: &Cx<'_>, rect: Rect, name: &str, lines: &[String; 3], lost: Option<&Lost>) {
    let at = rect.left_top() + vec2(20.0, 24.0);
    cx.icon(at, icons::FILE_AUDIO, 16.0, cx.t.text_2);
    let at = rect.left_top() + vec2(36.0, 16.0);
    cx.elided(at, name, Type::SMALL_STRONG, cx.t.text, rect.width() - 48.0);
    let state = if lost.is_some() { cx.t.danger } else { cx.t.text_3 };
    let places = [(33.0, cx.t.text_3), (49.0, state), (65.0, cx.t.text_3)];
    let room = rect.width() - 48.0;
    for (line, (y, color)) in lines.iter().zip(places) {
        let at = rect.left_top() + vec2(36.0, y);
        cx.elided(at, &fitting(cx, line, room), Type::CAPTION, color, room);
    }
}

/// A line as it fits, with a shorter word for samples in floating point; the pointer has it whole.
fn fitting(cx: &Cx<'_>, line: &str, room: f32) -> String {
    let forms = ["-bit float", " float", "f"].map(|form| line.replace("-bit float", form));
    let [.., shortest] = &forms;
    let fits = forms.iter().find(|form| cx.width(form, Type::CAPTION) <= room);
    fits.unwrap_or(shortest).clone()
}

/// The facts about each source.
#[derive(Default)]
struct Known<'a> {
    by_source: BTreeMap<SourceId, Parts<'a>>,
}

/// How much of a source is transcribed and coded, its speakers, and the analyses of it.
#[derive(Default)]
struct Parts<'a> {
    words: usize,
    coded: usize,
    speakers: BTreeSet<&'a str>,
    listened: BTreeSet<&'a str>,
}

impl<'a> Known<'a> {
    /// The facts from a session, and the measures in `measured`.
    fn of(session: &'a Session, measured: &BTreeMap<SourceId, BTreeSet<&'static str>>) -> Self {
        let mut known = Self::default();
        for (id, what) in measured {
            known.by_source.entry(*id).or_default().listened.extend(what.iter().copied());
        }
        for segment in session.segments.values() {
            let parts = known.by_source.entry(segment.source).or_default();
            parts.words += segment.words.len();
            parts.coded += segment.codings.len();
            parts.speakers.extend(segment.speaker.as_deref());
            let by = segment.description.facts.values().filter_map(|fact| analysis(&fact.by));
            parts.listened.extend(by);
        }
        known
    }

    /// In words, as they fit on one line.
    fn words(&self, id: SourceId) -> String {
        let Some(parts) = self.by_source.get(&id) else { return "no transcript".into() };
        let mut told = vec![match parts.words {
            0 => "no transcript".into(),
            words => count(words, "word"),
        }];
        if parts.coded > 0 {
            told.push(format!("{} coded", parts.coded));
        }
        told.join(" · ")
    }

    /// The number of speakers, and the names of the analyses. Measurements that another program made
    /// without a plan are not known here.
    fn analyzed(&self, id: SourceId) -> String {
        let parts = self.by_source.get(&id);
        let listened = parts.map(|parts| &parts.listened).filter(|names| !names.is_empty());
        let analyzed = match listened {
            Some(names) => {
                let names: Vec<&str> = names.iter().copied().collect();
                format!("analyzed: {}", names.join(", ").replace('_', " "))
            }
            None => "not analyzed here".into(),
        };
        match parts.map_or(0, |parts| parts.speakers.len()) {
            0 => analyzed,
            speakers => format!("{} · {analyzed}", count(speakers, "speaker")),
        }
    }
}

fn menu(ui: &mut Ui, scene: Scene<'_>, id: SourceId, clips: usize, out: &mut Actions) {
    if let Some((track, name)) = target(scene)
        && kit_menu::entry(ui, format!("Place at the playhead on \"{name}\""))
    {
        out.push(place(scene, id, track));
    }
    show_menu::show(ui, &Handle::Source(id), out);
    let why_not = (clips > 0).then_some("Clips play it");
    if kit_menu::entry_unless(ui, "Remove from the library", "", why_not) {
        let params = json!({"source": id});
        out.push(call(Gesture::RemoveSource, params));
    }
}

/// The audio track that is selected.
fn target<'a>(scene: Scene<'a>) -> Option<(TrackId, &'a str)> {
    let mut tracks = scene.session.selection.tracks.iter();
    tracks.find_map(|id| {
        let track = scene.session.tracks.get(id)?;
        (track.kind == TrackKind::Audio).then_some((*id, track.name.as_str()))
    })
}

fn place(scene: Scene<'_>, source: SourceId, track: TrackId) -> Action {
    let at = scene.live.position.seconds(scene.session.rate).0;
    let params = json!({"track": track, "source": source, "at_s": at});
    call(Gesture::AddClip, params)
}

/// Length, channels, rate and format.
fn facts(scene: Scene<'_>, source: &Source) -> String {
    let length = length(source.frames.seconds(scene.session.rate).0);
    let channels = match source.channels {
        1 => "mono".into(),
        2 => "stereo".into(),
        more => format!("{more} channels"),
    };
    let rate = f64::from(source.rate.0) / 1000.0;
    format!("{length} · {channels} · {rate} kHz · {}", source.format)
}

/// Minutes and seconds; short lengths with tenths.
fn length(seconds: f64) -> String {
    if seconds < 10.0 {
        return tenths(seconds);
    }
    let seconds = seconds.round() as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn state(source: &Source, is_read: bool) -> &'static str {
    match (&source.media, is_read) {
        (_, false) => "reading",
        (Media::Conformed(file), true) if file.starts_with(CAPTURES) => "recorded here",
        (Media::Conformed(_), true) => "converted",
        (Media::InPlace, true) => "in place",
    }
}

/// How often it is used, where its audio is, and the facts about it.
fn uses(state: &str, clips: usize, known: &str) -> String {
    let used = match clips {
        0 => "unused".into(),
        clips => count(clips, "clip"),
    };
    format!("{used} · {state} · {known}")
}

#[cfg(test)]
mod tests;
