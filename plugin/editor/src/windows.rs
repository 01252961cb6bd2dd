//! Floating windows, opened by tools or by the person: they move, stay on top when pinned, and close.

mod content;
mod own;
mod place;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use crate::windows::view::{WindowView, id};
use content::Subject;
pub(crate) use content::table;
pub(crate) use own::about;

use crate::action::{Actions, Gesture, call};
use crate::kit::controls::{icon_button, icon_toggle, whole_name};
use crate::kit::{Cut, Cx, above, floating};
use crate::model::Model;
use crate::resources::Resource;
use crate::theme::{Theme, Type};
use crate::waves::Waves;
use crate::{history, icons, preferences, words};
use deskhand_protocol::desk::{Viewer, Window};
use deskhand_session::{Handle, Session, SourceId, TalkPart};
use egui::{Context, Id, Pos2, Rect, Sense, Ui, UiBuilder, Vec2, pos2, vec2};
use serde_json::json;

const HEAD: f32 = 32.0;
/// Size of a window with the history: steps with their times.
const HISTORY: Vec2 = vec2(464.0, 320.0);

/// Keeps the open sheet and the windows that are pinned above the others.
pub(crate) fn raise(context: &Context, model: &Model) {
    let pinned = model.windows.open.iter().filter(|(_, (_, view))| view.is_pinned);
    let sheet = model.preferences.page.map(|_| preferences::id());
    let ids: Vec<Id> = pinned.map(|(window_id, _)| id(window_id)).chain(sheet).collect();
    above::raise(context, &ids);
}

/// Draws all windows over `area`.
pub(crate) fn show(ui: &Ui, model: &mut Model, waves: &dyn Waves, area: Rect, out: &mut Actions) {
    let mut windows = std::mem::take(&mut model.windows);
    let mut closed = None;
    let known = |window_id: &str| {
        ui.ctx().memory(|memory| memory.area_rect(self::id(window_id))).map(|rect| rect.min)
    };
    let mut taken: Vec<Pos2> = windows.open.keys().filter_map(|id| known(id)).collect();
    for (window, view) in windows.open.values_mut() {
        let resource = own::resource(model, window).unwrap_or_else(|| match &model.resources {
            Some(resources) => resources.get(&window.resource, window.viewer),
            None => Resource::Failed("Nothing gives the content of windows here.".into()),
        });
        let size = size_of(window, &resource);
        // A window that was moved stays there.
        let at = known(&window.window_id).unwrap_or_else(|| {
            let at = place::free(area, size, &taken);
            taken.push(at);
            at
        });
        let place = Rect::from_min_size(at, size);
        let subject = Subject { model, waves, window, resource };
        if one(ui, &subject, view, place, out) {
            closed = Some(window.window_id.clone());
        }
    }
    if let Some(id) = closed {
        windows.open.remove(&id);
        out.push(call(Gesture::CloseWindow, json!({"window_id": id})));
    }
    model.windows = windows;
}

/// Draws a window. Returns whether it is to be closed.
fn one(
    ui: &Ui,
    subject: &Subject<'_>,
    view: &mut WindowView,
    place: Rect,
    out: &mut Actions,
) -> bool {
    let Subject { model, window, .. } = *subject;
    let icon = icon_of(model.session(), window, &subject.resource);
    let name = name_of(model.session(), window, &subject.resource);
    let id = self::id(&window.window_id);
    let drawn = floating::window(ui.ctx(), id, &window.title, Theme::of(ui.visuals()).raised)
        .default_pos(place.min)
        .default_size(place.size())
        .min_size(vec2(220.0, 120.0))
        .resizable(true)
        .show(ui.ctx(), |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            let is_closed = head(ui, window, view, (icon, name.as_str()));
            let rect = ui.available_rect_before_wrap();
            inside(ui, subject, view, rect, out);
            ui.allocate_rect(rect, Sense::hover());
            is_closed
        });
    drawn.and_then(|drawn| drawn.inner).unwrap_or(false)
}

/// The content below the head.
fn inside(
    ui: &mut Ui,
    subject: &Subject<'_>,
    view: &mut WindowView,
    rect: Rect,
    out: &mut Actions,
) {
    let Subject { model, window, .. } = *subject;
    if own::is_history(window) {
        history::list(ui, model, rect.pad(8.0, 4.0), out);
    } else if let Some(only) = model.session().and_then(|it| spoken(it, window)) {
        view.transcript.only = only;
        words::transcript_of(ui, model, &mut view.transcript, rect, out);
    } else {
        let mut inner = ui.new_child(UiBuilder::new().max_rect(rect.pad(12.0, 8.0)));
        content::show(&mut inner, subject, &mut view.content, out);
    }
}

/// The transcript that a window shows, if it does: of a source, of a clip's or track's sources, or all.
fn spoken(session: &Session, window: &Window) -> Option<Option<SourceId>> {
    if window.viewer != Viewer::Transcript {
        return None;
    }
    match window.resource.parse::<Handle>().ok()? {
        Handle::Session => Some(None),
        Handle::Source(id) | Handle::Talk(TalkPart::Transcript(id)) => Some(Some(id)),
        Handle::Clip(id) => session.clips.get(&id).map(|clip| Some(clip.source)),
        Handle::Track(id) => session.clips_on(id).first().map(|(_, clip)| Some(clip.source)),
        _ => None,
    }
}

fn size_of(window: &Window, resource: &Resource) -> Vec2 {
    if own::is_history(window) {
        return HISTORY;
    }
    match (window.viewer, resource) {
        (Viewer::Spectrogram | Viewer::Waveform, _) | (Viewer::Auto, Resource::Waveform { .. }) => {
            vec2(464.0, 252.0)
        }
        (Viewer::Table, _) => vec2(424.0, 240.0),
        (Viewer::Transcript, _) => vec2(544.0, 420.0),
        (Viewer::Auto | Viewer::Image | Viewer::Text | Viewer::Directory, _) => vec2(384.0, 280.0),
    }
}

/// Icon, name, pin and close; says whether it is to be closed.
fn head(ui: &mut Ui, window: &Window, view: &mut WindowView, (icon, shown): (char, &str)) -> bool {
    let size = vec2(ui.available_width(), HEAD);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let cx = Cx::new(ui);
    cx.icon(rect.left_mid(18.0), icon, 16.0, cx.t.text_3);
    let room = rect.width() - 100.0;
    cx.elided(rect.left_mid(32.0), shown, Type::SMALL_STRONG, cx.t.text, room);
    let node = Rect::from_min_max(rect.min, pos2(rect.right() - 56.0, rect.bottom()));
    let node = cx.label(node, "window title", shown);
    whole_name(&cx, node, shown, (Type::SMALL_STRONG, room));
    let close = rect.row_box(rect.right() - 28.0, vec2(24.0, 24.0));
    let pin = rect.row_box(rect.right() - 54.0, vec2(24.0, 24.0));
    let name = format!("Keep {} on top", window.title);
    if icon_toggle(&cx, pin, icons::PUSH_PIN, view.is_pinned, &name).clicked() {
        view.is_pinned = !view.is_pinned;
    }
    let name = format!("Close {}", window.title);
    let is_closed = icon_button(&cx, close, icons::X, &name).clicked();
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    is_closed
}

/// The title of a window, after what it shows: one clip may have several windows.
fn name_of(session: Option<&Session>, window: &Window, resource: &Resource) -> String {
    let is_spoken = session.is_some_and(|session| spoken(session, window).is_some());
    let kind = match (window.viewer, resource) {
        (Viewer::Spectrogram, _) | (_, Resource::Spectrogram(_)) => "Spectrogram",
        (Viewer::Waveform, _) | (_, Resource::Waveform { .. }) => "Waveform",
        (_, Resource::Transcript(_)) => "Transcript",
        _ if is_spoken => "Transcript",
        (Viewer::Table, _) | (_, Resource::Table(_)) if has_kinds(window) => "Table",
        _ => return window.title.clone(),
    };
    let is_said = window.title.to_lowercase().starts_with(&kind.to_lowercase());
    if is_said { window.title.clone() } else { format!("{kind} — {}", window.title) }
}

/// Whether several kinds of windows exist for this content.
fn has_kinds(window: &Window) -> bool {
    let handle = window.resource.parse();
    matches!(handle, Ok(Handle::Clip(_) | Handle::Source(_) | Handle::Track(_)))
}

fn icon_of(session: Option<&Session>, window: &Window, resource: &Resource) -> char {
    if own::is_history(window) {
        return icons::CLOCK_COUNTER_CLOCKWISE;
    }
    // Its words are the session's: nobody is asked for a resource.
    if session.is_some_and(|session| spoken(session, window).is_some()) {
        return icons::CHAT_TEXT;
    }
    match resource {
        Resource::Waiting => icons::CIRCLE_NOTCH,
        Resource::Failed(_) => icons::WARNING_CIRCLE,
        Resource::Text(_) => icons::TEXT_ALIGN_LEFT,
        Resource::Table(_) => icons::TABLE,
        Resource::Picture(_) => icons::EYE,
        Resource::Transcript(_) => icons::CHAT_TEXT,
        Resource::Listing(_) => icons::FOLDER_OPEN,
        Resource::Spectrogram(_) => icons::WAVE_SINE,
        Resource::Waveform { .. } => icons::WAVEFORM,
    }
}
