//! The sheet: what is written at the left, what it will measure at the right, its name and the button below.

use super::ask::Due;
use super::job::Job;
use super::{left, right};
use crate::action::{Action, Actions, Gesture, call};
use crate::file_call::FileCall;
use crate::icons;
use crate::kit::choice::{SegmentedChoice, segmented};
use crate::kit::controls::{Button, Kind, State, Urgency, announce};
use crate::kit::sheet::{Sheet, footer};
use crate::kit::{Cut, Cx, field};
use crate::model::Model;
use crate::theme::{Theme, Type};
use crate::toasts::notices::sentence;
use egui::{Id, Key, Modifiers, Rect, Ui, vec2};
use std::path::{Component, Path};

const LEFT: f32 = 508.0;

pub(super) fn id() -> Id {
    Id::unique("export")
}

pub(super) fn show(ui: &Ui, model: &mut Model, out: &mut Actions) {
    ask(ui, model, out);
    let subject = model.mirror.as_ref().map(|mirror| session_name(&mirror.snapshot.folder));
    let size = vec2(880.0, 728.0);
    let sheet = Sheet {
        id: id(),
        title: "Export",
        subject: &subject.unwrap_or_default(),
        icon: icons::FILE_AUDIO,
        size,
    };
    let leaves = is_left(ui, id());
    let shown = sheet.show(ui.ctx(), |ui, parts| {
        one_or_each(ui, model, parts.head);
        let mut body = parts.body;
        let foot = footer(&Cx::new(ui), &mut body);
        let mut rest = body;
        let settings = rest.cut_left(LEFT);
        Cx::new(ui).vline(rest.left(), rest.top(), rest.bottom(), Theme::of(ui.visuals()).line);
        left::show(ui, model, settings.pad(24.0, 16.0));
        right::show(ui, model, rest.pad(24.0, 16.0));
        foot_of(ui, model, foot, out)
    });
    if shown.is_closed || shown.inner || leaves {
        model.export.is_open = false;
    }
}

pub(super) fn session_name(folder: &str) -> String {
    Path::new(folder).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether Esc closes a sheet: it lies on top, and no field or list has the key.
pub(super) fn is_left(ui: &Ui, sheet: Id) -> bool {
    let context = ui.ctx();
    let is_top = context.memory(egui::Memory::top_modal_layer).is_some_and(|it| it.id == sheet);
    let is_free = !context.text_edit_focused() && !egui::Popup::is_any_open(context);
    is_top && is_free && ui.input_mut(|it| it.consume_key(Modifiers::NONE, Key::Escape))
}

/// Asks what it will measure once nothing changed for a moment.
fn ask(ui: &Ui, model: &mut Model, out: &mut Actions) {
    let Some(mirror) = &model.mirror else { return };
    let Some(form) = &mut model.export.form else { return };
    let session = &mirror.snapshot.session;
    let params = form.measured(session, &model.live);
    let now = ui.input(|input| input.time);
    if let Some(dropped) = form.asking.follow(params.clone(), mirror.snapshot.head, now) {
        model.export.dropped.insert(dropped);
        out.push(Action::Cancel(dropped));
    }
    match form.asking.due(now) {
        Due::Nothing => {}
        Due::Later(seconds) => ui.ctx().request_repaint_after_secs(seconds as f32),
        Due::Ask => out.push(call(Gesture::PredictExport, params)),
    }
}

/// One file, or one for each track.
fn one_or_each(ui: &Ui, model: &mut Model, head: Rect) {
    let Some(form) = &mut model.export.form else { return };
    let cx = Cx::new(ui);
    let rect = head.row_box(head.right() - 268.0, vec2(260.0, 28.0));
    let all = ["One file", "A file for each track"].map(plain);
    let chosen = segmented(&cx, rect, &all, Some(usize::from(form.each_track)), "files");
    if let Some(chosen) = chosen {
        form.each_track = chosen == 1;
    }
}

pub(super) fn plain(label: &str) -> SegmentedChoice<'_> {
    SegmentedChoice { label, key: "", is_planned: false, why_not: None }
}

/// Name, folder and buttons. Returns whether the sheet closes.
fn foot_of(ui: &mut Ui, model: &mut Model, foot: Rect, out: &mut Actions) -> bool {
    let Some(form) = &mut model.export.form else { return true };
    let y = foot.center().y;
    let cx = Cx::new(ui);
    cx.left(foot.left_mid(0.0), "Name", Type::SMALL, cx.t.text_2);
    drop(cx);
    let name = foot.row_box(foot.left() + 44.0, vec2(216.0, 28.0));
    let typed = field::line(ui, name, &mut form.name, ("Name of the file", "A name"));
    if typed.changed() {
        form.refused = None;
    }
    let cx = Cx::new(ui);
    let ending = format!(".{}", form.format.ending());
    let told = cx.left(egui::pos2(name.right() + 6.0, y), &ending, Type::SMALL, cx.t.text_3);
    let told = cx.left(egui::pos2(told.right() + 10.0, y), "in", Type::SMALL, cx.t.text_2);
    let shown = folder(&form.folder);
    let place = Button::new(Kind::Secondary, &shown).icon(icons::FOLDER_OPEN);
    let width = place.width(&cx).min(200.0);
    let rect = foot.row_box(told.right() + 10.0, vec2(width, 28.0));
    if place
        .show(&cx.clip(rect.expand(3.0)), rect)
        .on_hover_text(form.folder.display().to_string())
        .clicked()
    {
        out.push(Action::File(FileCall::ExportMix));
    }
    if let Some(why) = &form.refused {
        let at = egui::pos2(foot.left() + 44.0, y + 24.0);
        let told = cx.elided(at, &sentence(why), Type::CAPTION, cx.t.danger, 480.0);
        announce(&cx.label(told, "refused", why), Urgency::Urgently);
    }
    buttons(&cx, model, foot, out)
}

/// Cancel and Export. Returns whether the sheet closes.
fn buttons(cx: &Cx<'_>, model: &mut Model, foot: Rect, out: &mut Actions) -> bool {
    let Some(form) = &model.export.form else { return true };
    let known = form.asking.known().filter(|_| form.each_track);
    let files = known.map_or(1, |known| known.files.len().max(1));
    let label = if files == 1 { "Export 1 file".into() } else { format!("Export {files} files") };
    let is_ready = form.asking.known().is_some() && !form.name.trim().is_empty();
    let state = if is_ready { State::Normal } else { State::Disabled };
    let export = Button::new(Kind::Primary, &label).key("Ctrl ⏎").state(state);
    let width = export.width(cx);
    let export = export.show(cx, foot.row_box(foot.right() - width, vec2(width, 32.0)));
    let cancel = Button::new(Kind::Quiet, "Cancel");
    let wide = cancel.width(cx);
    let place = foot.row_box(foot.right() - width - 8.0 - wide, vec2(wide, 32.0));
    if cancel.show(cx, place).clicked() {
        return true;
    }
    let by_key = cx.ui.input_mut(|it| it.consume_key(Modifiers::COMMAND, Key::Enter));
    if !(is_ready && (export.clicked() || by_key)) {
        return false;
    }
    begin(cx.ui, model, out)
}

/// Starts the export. Returns whether it was: the name may be taken.
fn begin(ui: &Ui, model: &mut Model, out: &mut Actions) -> bool {
    let Some(form) = &model.export.form else { return true };
    let path = form.path();
    // Files of tracks have names of their own.
    let refused = model.refused(FileCall::ExportMix, &path).filter(|_| !form.each_track);
    let (Some(form), Some(mirror)) = (&mut model.export.form, &model.mirror) else { return true };
    if let Some((free, why)) = refused {
        form.take_path(&free);
        form.refused = Some(why);
        return false;
    }
    let params = form.params(&mirror.snapshot.session, &model.live);
    let known = form.asking.known();
    model.export.job = Some(Job {
        call: None,
        path,
        predicted: known.and_then(|known| known.predicted.clone()),
        target: form.target.clone(),
        started: ui.input(|input| input.time),
        is_hidden: false,
        ended: None,
    });
    out.push(call(Gesture::ExportMix, params));
    true
}

/// The last two parts of a folder's path.
fn folder(path: &Path) -> String {
    let named = path.components().filter(|part| matches!(part, Component::Normal(_)));
    let parts: Vec<String> =
        named.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts[parts.len().saturating_sub(2)..].join(" / ")
}
