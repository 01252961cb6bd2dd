//! An export at work, what came out, or why nothing did.

use super::job::{Ended, Job, Written};
use super::sheet::is_left;
use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::controls::{Button, Kind, Urgency, announce, progress};
use crate::kit::scale::{minus, num, signed};
use crate::kit::sheet::{Sheet, footer};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Type, radius};
use crate::toasts::notices::sentence;
use deskhand_session::text::tenths;
use egui::{Id, Rect, Ui, pos2, vec2};

/// What the person does next.
enum Next {
    Stay,
    /// The sheet goes; a running export goes on.
    Leave,
    /// The settings are shown again.
    Again,
}

pub(super) fn id() -> Id {
    Id::unique("export job")
}

pub(super) fn show(ui: &Ui, model: &mut Model, out: &mut Actions) {
    let Some(job) = &model.export.job else { return };
    let (title, icon, tall) = match &job.ended {
        None => ("Exporting", icons::CIRCLE_NOTCH, 208.0),
        Some(Ended::Done(written)) => ("Exported", icons::CHECK_CIRCLE, done_height(written)),
        Some(Ended::Cancelled) => ("Export cancelled", icons::X_CIRCLE, 192.0),
        Some(Ended::Failed(_)) => ("Not exported", icons::WARNING_CIRCLE, 224.0),
    };
    let sheet = Sheet { id: id(), title, subject: "", icon, size: vec2(424.0, tall) };
    let leaves = is_left(ui, id());
    let shown = sheet.show(ui.ctx(), |ui, parts| {
        let cx = Cx::new(ui);
        let mut body = parts.body;
        let foot = footer(&cx, &mut body);
        let body = body.pad(20.0, 16.0);
        match &job.ended {
            None => running(&cx, model, (job, parts.head), body, foot, out),
            Some(Ended::Done(written)) => done(&cx, (job, written.as_ref()), body, foot, out),
            Some(Ended::Cancelled) => {
                let words = "Nothing was written. The session is as it was.";
                cx.para(body.min, words, Type::BODY, cx.t.text_2, body.width());
                cx.label(body, "ended", words);
                ended_buttons(&cx, foot)
            }
            Some(Ended::Failed(why)) => failed(&cx, why, body, foot),
        }
    });
    let is_closed = shown.is_closed || leaves;
    let next = if is_closed { Next::Leave } else { shown.inner };
    match next {
        Next::Stay => {}
        Next::Leave => match &mut model.export.job {
            Some(job) if job.ended.is_none() => job.is_hidden = true,
            _ => model.export.job = None,
        },
        Next::Again => model.open_export(),
    }
}

fn done_height(written: &Written) -> f32 {
    let rows = if written.files.is_empty() { 3 } else { written.files.len().min(8) };
    48.0 + 64.0 + 32.0 + 56.0 + 28.0 * (rows + 1) as f32 + 52.0
}

/// How far it is, with a button to cancel it.
fn running(
    cx: &Cx<'_>,
    model: &Model,
    (job, head): (&Job, Rect),
    mut body: Rect,
    foot: Rect,
    out: &mut Actions,
) -> Next {
    let known = job.call.and_then(|call| model.jobs.get(&call));
    let share = known.map_or(0.0, |known| known.fraction);
    let percent = format!("{:.0} %", share * 100.0);
    cx.right(head.right_mid(0.0), &percent, Type::SMALL, cx.t.text_2);
    let row = body.cut_top(24.0);
    let left = left_s(cx, job, share);
    let told = cx.right(row.right_mid(0.0), &left, Type::CAPTION, cx.t.text_3);
    let name = job.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let room = told.left() - row.left() - 12.0;
    cx.elided(row.left_mid(0.0), &name, Type::SMALL_STRONG, cx.t.text, room);
    cx.label(row, "job", format!("{name}, {percent}"));
    let bar = body.cut_top(12.0);
    progress(
        cx,
        Rect::from_min_size(bar.min + vec2(0.0, 4.0), vec2(bar.width(), 4.0)),
        share as f32,
    );
    let what = known.map(|known| sentence(&known.what)).unwrap_or_default();
    cx.left(body.cut_top(28.0).left_mid(0.0), &what, Type::SMALL, cx.t.text_2);
    cx.left(foot.left_mid(0.0), "You can go on working.", Type::CAPTION, cx.t.text_3);
    let clicked = buttons(
        cx,
        foot,
        &[Button::new(Kind::Quiet, "Hide"), Button::new(Kind::Secondary, "Cancel")],
    );
    match (clicked, job.call) {
        (Some(0), _) => return Next::Leave,
        (Some(_), Some(call)) => out.push(Action::Cancel(call)),
        _ => {}
    }
    Next::Stay
}

/// The time left, by how long the share that is done took.
fn left_s(cx: &Cx<'_>, job: &Job, share: f64) -> String {
    let taken = cx.ui.input(|input| input.time) - job.started;
    let left = taken * (1.0 - share) / share.max(1e-3);
    if share < 0.05 || taken < 2.0 { String::new() } else { format!("{left:.0} s left") }
}

/// Draws buttons from the right edge of a footer; the last is at the right. Returns the clicked one.
fn buttons(cx: &Cx<'_>, foot: Rect, all: &[Button<'_>]) -> Option<usize> {
    let mut right = foot.right();
    let mut clicked = None;
    for (n, button) in all.iter().enumerate().rev() {
        let width = button.width(cx);
        right -= width;
        if button.show(cx, foot.row_box(right, vec2(width, 28.0))).clicked() {
            clicked = Some(n);
        }
        right -= 8.0;
    }
    clicked
}

fn ended_buttons(cx: &Cx<'_>, foot: Rect) -> Next {
    let all = [Button::new(Kind::Quiet, "Close"), Button::new(Kind::Primary, "Export again…")];
    match buttons(cx, foot, &all) {
        Some(0) => Next::Leave,
        Some(_) => Next::Again,
        None => Next::Stay,
    }
}

fn failed(cx: &Cx<'_>, why: &str, body: Rect, foot: Rect) -> Next {
    let why = minus(&sentence(why));
    cx.icon_fill(body.min + vec2(8.0, 10.0), icons::WARNING_CIRCLE, 16.0, cx.t.danger);
    let room = body.width() - 28.0;
    let told = cx.para(body.min + vec2(28.0, 0.0), &why, Type::BODY, cx.t.text, room);
    announce(&cx.label(told, "failed", why), Urgency::Urgently);
    let words = "The session is as it was.";
    cx.left(pos2(told.left(), told.bottom() + 14.0), words, Type::CAPTION, cx.t.text_3);
    ended_buttons(cx, foot)
}

/// What was written, beside what was predicted.
fn done(
    cx: &Cx<'_>,
    (job, written): (&Job, &Written),
    mut body: Rect,
    foot: Rect,
    out: &mut Actions,
) -> Next {
    let head = body.cut_top(48.0);
    let name = match (&written.path, written.files.len()) {
        (Some(path), _) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        (None, 1) => "1 file".into(),
        (None, count) => format!("{count} files"),
    };
    let folder = written.first().and_then(|path| path.parent());
    let folder = folder.map(|folder| folder.display().to_string()).unwrap_or_default();
    cx.elided(head.min + vec2(0.0, 10.0), &name, Type::BODY_STRONG, cx.t.text, head.width());
    cx.elided(
        head.min + vec2(0.0, 30.0),
        &about(written, &folder),
        Type::CAPTION,
        cx.t.text_3,
        head.width(),
    );
    cx.label(head, "written", format!("{name}: {}", about(written, &folder)));
    match written.files.as_slice() {
        [] => levels(cx, (job, written), &mut body),
        files => {
            for file in files.iter().take(8) {
                let row = body.cut_top(28.0);
                let name = file.path.file_name().unwrap_or_default().to_string_lossy();
                let level = file
                    .integrated_lufs
                    .map_or("silence".into(), |it| format!("{} LUFS", num(it as f32, 1)));
                let told = cx.right(row.right_mid(0.0), &level, Type::SMALL_STRONG, cx.t.text);
                let room = told.left() - row.left() - 12.0;
                cx.elided(row.left_mid(0.0), &name, Type::SMALL, cx.t.text_2, room);
                cx.label(row, ("file", &name), format!("{name}: {level}"));
            }
        }
    }
    verdict(cx, (job, written), body);
    done_buttons(cx, written, foot, out)
}

/// "42:00.3, 4 chapters, /music/exports".
fn about(written: &Written, folder: &str) -> String {
    let length = (written.duration_s > 0.0).then(|| tenths(written.duration_s));
    let chapters = match written.chapters {
        0 => None,
        1 => Some("1 chapter".to_owned()),
        count => Some(format!("{count} chapters")),
    };
    let parts = [length, chapters, Some(folder.to_owned())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn levels(cx: &Cx<'_>, (job, written): (&Job, &Written), body: &mut Rect) {
    let row = body.cut_top(28.0);
    let columns = [160.0, 84.0, 0.0];
    for (words, right) in ["Predicted", "Measured", "Difference"].into_iter().zip(columns) {
        cx.right(row.right_mid(right), words, Type::CAPTION, cx.t.text_3);
    }
    let was = job.predicted.clone().unwrap_or_default();
    let is = &written.levels;
    let rows = [
        ("Integrated, LUFS", was.integrated_lufs, is.integrated_lufs),
        ("True peak, dBTP", was.true_peak_dbtp, is.true_peak_dbtp),
        ("Range, LU", was.range_lu, is.range_lu),
    ];
    for (name, was, is) in rows {
        let row = body.cut_top(28.0);
        cx.hline(row.left(), row.right(), row.top(), cx.t.line);
        cx.left(row.left_mid(0.0), name, Type::SMALL_STRONG, cx.t.text);
        let shown = |value: Option<f64>| value.map_or("–".to_owned(), |it| num(it as f32, 1));
        let off = was.zip(is).map(|(was, is)| signed((is - was) as f32, 1));
        cx.right(row.right_mid(160.0), &shown(was), Type::SMALL, cx.t.text_3);
        cx.right(row.right_mid(84.0), &shown(is), Type::BODY_STRONG, cx.t.text);
        cx.right(row.right_mid(0.0), &off.unwrap_or_default(), Type::SMALL_STRONG, cx.t.ok);
        cx.label(
            row,
            ("level", name),
            format!("{name}: {} predicted, {} measured", shown(was), shown(is)),
        );
    }
}

fn verdict(cx: &Cx<'_>, (job, written): (&Job, &Written), body: Rect) {
    let rect = Rect::from_min_size(body.min + vec2(0.0, 8.0), vec2(body.width(), 36.0));
    let (soft, color, icon, words) = match (written.complies, &job.target) {
        (true, None) => return,
        (true, Some(_)) => {
            (cx.t.ok_soft, cx.t.ok, icons::CHECK_CIRCLE, "The target is met.".to_owned())
        }
        (false, _) => {
            let failed = match written.failed.first() {
                Some(failed) => minus(&sentence(failed)),
                None => "A file is not as the target asks.".into(),
            };
            (cx.t.warn_soft, cx.t.warn, icons::WARNING, failed)
        }
    };
    cx.fill(rect, radius::CARD, soft);
    cx.icon_fill(rect.left_mid(20.0), icon, 16.0, color);
    let told = cx.elided(rect.left_mid(36.0), &words, Type::SMALL, cx.t.text, rect.width() - 48.0);
    cx.label(told, "verdict", words);
}

fn done_buttons(cx: &Cx<'_>, written: &Written, foot: Rect, out: &mut Actions) -> Next {
    let all = [
        Button::new(Kind::Quiet, "Export again…"),
        Button::new(Kind::Secondary, "Open report"),
        Button::new(Kind::Primary, "Show in folder").icon(icons::FOLDER_OPEN),
    ];
    match buttons(cx, foot, &all) {
        Some(0) => return Next::Again,
        Some(1) => out.push(Action::OpenFile(written.report_html.clone())),
        Some(_) => out.extend(written.first().cloned().map(Action::ShowInFolder)),
        None => {}
    }
    Next::Stay
}
