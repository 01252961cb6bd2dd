//! The steps as rows. Adjacent steps that only select share one row.

use super::lanes::{Lanes, lane_x};
use super::{Place, Tree};
use crate::action::Actions;
use crate::icons;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::receipt::wall_clock;
use crate::theme::{Theme, Type, radius};
use crate::toasts::names::bare;
use deskhand_session::{Author, Revision, RevisionId};
use egui::{Color32, Rect, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};
use std::borrow::Cow;

/// Above and below the label of a row, points.
const PADDING: f32 = 12.0;
/// The room for the author, for the time and for a sign, points.
const AUTHOR: f32 = 66.0;
const TIME: f32 = 78.0;
const SIGN: f32 = 18.0;
/// So wide is a list that says when each step was made.
const WIDE: f32 = 360.0;

/// Draws all steps in `rect`, the newest first; below the first step lies the start.
pub(crate) fn list(ui: &mut Ui, model: &Model, rect: Rect, out: &mut Actions) {
    let Some(head) = model.mirror.as_ref().map(|mirror| mirror.snapshot.head) else { return };
    let tree = Tree::new(&model.history, head, model.steps.redo(), &model.silent);
    let mut steps = steps(&model.history, &tree);
    steps.push(Step::START);
    let lanes = Lanes::of(&tree, &model.history, |id| row_of(&steps, id));
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("steps"));
    let list = ScrollArea::vertical().id_salt("history").auto_shrink(false);
    list.show_viewport(&mut child, |ui, viewport| {
        let wide = ui.available_width();
        let cx = Cx::new(ui);
        let heights = steps.iter().map(|step| height(&cx, step, &tree, (wide, lanes.width())));
        let heights: Vec<f32> = heights.collect();
        drop(cx);
        let all = vec2(wide, heights.iter().sum());
        let (mut rest, _) = ui.allocate_exact_size(all, Sense::hover());
        let seen = viewport.translate(rest.min.to_vec2()).y_range();
        for (index, (step, height)) in steps.iter().zip(heights).enumerate() {
            let place = rest.cut_top(height);
            if place.y_range().intersects(seen) {
                row(ui, &tree, (step, &lanes, index), place, out);
            }
        }
    });
}

/// The row of a revision, from 0 at the newest.
fn row_of(steps: &[Step<'_>], id: RevisionId) -> usize {
    steps.partition_point(|step| step.oldest > id)
}

/// The shown steps, the newest first.
fn steps<'a>(history: &'a [Revision], tree: &Tree<'_>) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'a>> = Vec::new();
    for revision in history.iter().rev() {
        let selects = revision.is_passed_over() && revision.takes.is_none();
        match steps.last_mut() {
            // Of one branch alone.
            Some(last) if selects && last.selects > 0 && last.parent == revision.id => {
                last.take_in(revision, tree);
            }
            Some(_) | None => steps.push(Step::of(revision, selects)),
        }
    }
    steps
}

struct Step<'a> {
    id: RevisionId,
    oldest: RevisionId,
    parent: RevisionId,
    label: Cow<'a, str>,
    who: &'static str,
    when: Option<String>,
    /// The number of selection steps in the row; `None` if the step does more.
    selects: usize,
}

impl<'a> Step<'a> {
    /// The session as it was made.
    const START: Self = Self {
        id: RevisionId(0),
        oldest: RevisionId(0),
        parent: RevisionId(0),
        label: Cow::Borrowed("The start"),
        who: "",
        when: None,
        selects: 0,
    };

    fn of(revision: &'a Revision, selects: bool) -> Self {
        let (label, when) = (Cow::Owned(bare(&revision.label)), wall_clock(revision.time_ms));
        let (who, selects) = (who(revision.author), usize::from(selects));
        let Revision { id, parent, .. } = *revision;
        Self { id, oldest: id, parent, label, who, when, selects }
    }

    /// Adds an older step that only selects to this row. If the session is at that step, a click does
    /// nothing.
    fn take_in(&mut self, revision: &Revision, tree: &Tree<'_>) {
        self.selects += 1;
        (self.oldest, self.parent) = (revision.id, revision.parent);
        self.label = Cow::Owned(format!("{} selections", self.selects));
        if tree.place(revision.id) == Place::Head {
            self.id = revision.id;
        }
    }

    fn color(&self, place: Place, theme: &Theme) -> Color32 {
        if self.selects > 0 && place != Place::Head { theme.text_3 } else { place.color(theme) }
    }
}

fn row(
    ui: &mut Ui,
    tree: &Tree<'_>,
    (step, lanes, index): (&Step<'_>, &Lanes, usize),
    rect: Rect,
    out: &mut Actions,
) {
    let cx = Cx::new(ui);
    let place = tree.place(step.id);
    let response = cx.interact(rect, ("revision", step.id.0), place.sense());
    let silent = tree.silent_at(step.id);
    let warning = warning(silent);
    let words = format!("{} {}{warning}", step.id, step.label);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
    if place == Place::Head {
        cx.fill(rect, radius::CONTROL, cx.t.control);
    } else if response.hovered() && place.can_be_reached() {
        cx.fill(rect, radius::CONTROL, cx.t.hover);
    }
    lanes.paint(&cx, rect, index);
    dot(&cx, rect, place, lanes.at(step.oldest));
    facts(&cx, rect, step, (place, lanes.width()), silent > 0);
    cx.ring(&response, rect, radius::CONTROL);
    let when = step.when.as_ref().map_or_else(String::new, |when| format!("{when}. "));
    if response.on_hover_text(format!("{when}{}{warning}", place.hint())).clicked() {
        out.extend(tree.steps(step.id));
    }
}

/// The left and the right edge of a label in a row: the number is before it, and the author and the time
/// after it.
fn label_edges(width: f32, branches: f32, is_silent: bool) -> (f32, f32) {
    let time = if width >= WIDE { TIME } else { 0.0 };
    let sign = if is_silent { SIGN } else { 0.0 };
    (48.0 + branches, width - AUTHOR - time - sign)
}

/// The height of a row, whose label is shown whole.
fn height(cx: &Cx<'_>, step: &Step<'_>, tree: &Tree<'_>, (width, branches): (f32, f32)) -> f32 {
    let (left, right) = label_edges(width, branches, tree.silent_at(step.id) > 0);
    cx.para_height(&step.label, Type::SMALL, right - left) + PADDING
}

/// The number, the label and the author; if there is room, the time.
fn facts(
    cx: &Cx<'_>,
    rect: Rect,
    step: &Step<'_>,
    (place, branches): (Place, f32),
    is_silent: bool,
) {
    let quiet = cx.t.text_3;
    let (left, right) = label_edges(rect.width(), branches, is_silent);
    cx.right(rect.left_mid(left - 8.0), &step.id.to_string(), Type::CAPTION, quiet);
    cx.right(rect.right_mid(8.0), step.who, Type::CAPTION, quiet);
    if let Some(when) = step.when.as_ref().filter(|_| rect.width() >= WIDE) {
        cx.right(rect.right_mid(AUTHOR), when, Type::CAPTION, quiet);
    }
    if is_silent {
        let at = pos2(rect.left() + right + SIGN / 2.0, rect.center().y);
        cx.icon_fill(at, icons::WARNING, 12.0, cx.t.warn);
    }
    let at = rect.min + vec2(left, PADDING / 2.0);
    cx.para(at, &step.label, Type::SMALL, step.color(place, cx.t), right - left);
}

/// The warning about removed takes, before anyone goes to the step.
fn warning(silent: usize) -> String {
    match silent {
        0 => String::new(),
        1 => ". A take that it plays was removed to make room: its clips are silent there".into(),
        many => {
            format!(
                ". {many} takes that it plays were removed to make room: their clips are silent there"
            )
        }
    }
}

fn who(author: Author) -> &'static str {
    match author {
        Author::User => "you",
        Author::Agent => "agent",
        Author::Host => "host",
        Author::Capture => "recording",
    }
}

fn dot(cx: &Cx<'_>, rect: Rect, place: Place, lane: usize) {
    let (radius, color) = match place {
        Place::Head => (4.0, cx.t.text),
        Place::Behind | Place::Around => (2.5, cx.t.text_2),
        Place::Ahead | Place::Beside => (2.5, cx.t.disabled),
    };
    let at = pos2(lane_x(rect, lane) + 0.5, rect.center().y);
    cx.p.circle_filled(at, radius, color);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use deskhand_dsp::Decibels;
    use deskhand_session::{Change, Edit, Selection, SessionId};
    use std::collections::BTreeMap;

    fn revision(id: u64, label: &str, selects: bool) -> Revision {
        let session = SessionId::new(1);
        let change = if selects {
            Change::SetSelection(Edit::new(session, Selection::default(), Selection::default()))
        } else {
            Change::SetMasterGain(Edit::new(session, Decibels(0.0), Decibels(1.0)))
        };
        Revision { label: label.into(), ..testing::revision(id, vec![change]) }
    }

    #[test]
    fn steps_that_only_select_stand_in_one_row() {
        let history = [
            revision(1, "Louder", false),
            revision(2, "Select drums", true),
            revision(3, "Select bass", true),
            revision(4, "Select nothing", true),
            revision(5, "Softer", false),
            revision(6, "Select drums", true),
        ];
        let silent = BTreeMap::new();
        let shown = |head| {
            let tree = Tree::new(&history, RevisionId(head), &[], &silent);
            let rows = steps(&history, &tree);
            rows.iter().map(|row| (row.id.0, row.label.to_string())).collect::<Vec<_>>()
        };
        let row = |id, label: &str| (id, label.to_owned());
        let all =
            [row(6, "Select drums"), row(5, "Softer"), row(4, "3 selections"), row(1, "Louder")];
        assert_eq!(shown(6), all);
        assert_eq!(shown(3)[2], row(3, "3 selections"), "the session is there");
    }
}
