//! The history panel: every step, newest first; a click goes there by undo or redo, and to a branch that was left.

mod silent;

pub(crate) use silent::silent;

use crate::action::Action;
use crate::icons;
use crate::kit::controls::icon_button;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::receipt::wall_clock;
use crate::theme::{Theme, Type, radius, space};
use deskhand_session::history::Takes;
use deskhand_session::{Author, Revision, RevisionId};
use egui::{Color32, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const WIDTH: f32 = 320.0;
const ROW: f32 = 28.0;

/// Where a revision stands, seen from the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Head,
    /// Undo goes there.
    Behind,
    /// Redo may go there.
    Ahead,
    /// On a branch that was left.
    Beside,
}

impl Place {
    /// Whether steps lead there.
    fn sense(self) -> Sense {
        match self {
            Self::Behind | Self::Ahead | Self::Beside => Sense::click(),
            Self::Head => Sense::hover(),
        }
    }

    /// The color of the words.
    fn color(self, theme: &Theme) -> Color32 {
        match self {
            Self::Head => theme.text,
            Self::Behind => theme.text_2,
            Self::Ahead | Self::Beside => theme.text_3,
        }
    }

    /// What a click does, in words.
    fn hint(self) -> &'static str {
        match self {
            Self::Head => "The session is here",
            Self::Behind => "Undo back to here",
            Self::Ahead => "Redo up to here",
            Self::Beside => {
                "Go to this branch, which was left when something else was done instead"
            }
        }
    }
}

/// Whether undo can name it: neither a selection, nor what a host or a recording did, nor an undo.
fn is_step(revision: &Revision) -> bool {
    let is_own = match revision.author {
        Author::User | Author::Agent => true,
        Author::Host | Author::Capture => false,
    };
    is_own && !revision.is_passed_over() && !matches!(revision.takes, Some(Takes::Back(_)))
}

/// The tree of revisions.
struct Tree<'a> {
    /// Takes that are gone and that clips play there.
    silent: &'a BTreeMap<RevisionId, usize>,
    by_id: BTreeMap<RevisionId, &'a Revision>,
    head: RevisionId,
    behind: BTreeSet<RevisionId>,
}

impl<'a> Tree<'a> {
    fn new(
        history: &'a [Revision],
        head: RevisionId,
        silent: &'a BTreeMap<RevisionId, usize>,
    ) -> Self {
        let by_id = history.iter().map(|revision| (revision.id, revision)).collect();
        let mut tree = Self { silent, by_id, head, behind: BTreeSet::new() };
        tree.behind = tree.trail(head).map(|revision| revision.id).collect();
        tree
    }

    /// A revision and those it was made on, newest first.
    fn trail(&self, from: RevisionId) -> impl Iterator<Item = &'a Revision> {
        let first = self.by_id.get(&from).copied();
        std::iter::successors(first, |revision| self.by_id.get(&revision.parent).copied())
    }

    fn place(&self, id: RevisionId) -> Place {
        if id == self.head {
            Place::Head
        } else if id == RevisionId(0) || self.behind.contains(&id) {
            Place::Behind
        } else if self.head == RevisionId(0) || self.trail(id).any(|it| it.id == self.head) {
            Place::Ahead
        } else {
            Place::Beside
        }
    }

    /// How many takes are silent there: of a branch as many as where it was left.
    fn silent_at(&self, id: RevisionId) -> usize {
        let known = self.trail(id).find(|it| self.behind.contains(&it.id));
        known.and_then(|it| self.silent.get(&it.id)).copied().unwrap_or(0)
    }

    /// The steps to a revision, each refused unless it is the next. To a branch that was left it is one, which
    /// names the revision: redo would go along the branch that it came from.
    fn steps(&self, to: RevisionId) -> Vec<Action> {
        let step = |tool, revision: &Revision| Action::Call {
            tool,
            params: json!({"revision": revision.id.0}),
        };
        match self.place(to) {
            Place::Head => Vec::new(),
            Place::Beside => vec![Action::GoTo(to)],
            Place::Behind => {
                let undone = self.trail(self.head).take_while(|revision| revision.id != to);
                let undone = undone.filter(|revision| is_step(revision));
                undone.map(|revision| step("cmd_undo", revision)).collect()
            }
            Place::Ahead => {
                let done = self.trail(to).take_while(|revision| revision.id != self.head);
                let mut done: Vec<_> = done.filter(|it| is_step(it)).collect();
                done.reverse();
                done.into_iter().map(|revision| step("cmd_redo", revision)).collect()
            }
        }
    }
}

/// Draws the panel over the right edge of `area`.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    area: Rect,
    out: &mut Vec<Action>,
) {
    let mut rest = area;
    let rect = rest.cut_right(WIDTH).shrink(8.0);
    let cx = Cx::new(ui, theme);
    // The panel takes the clicks that fall on it.
    cx.interact(rect, "history", Sense::CLICK);
    cx.shadow(rect, radius::WINDOW);
    cx.fill(rect, radius::WINDOW, theme.raised);
    cx.border(rect, radius::WINDOW, theme.line_strong);
    let mut body = rect;
    let head = body.cut_top(40.0);
    cx.left(head.left_mid(space::M), "History", Type::BODY_STRONG, theme.text);
    let close = head.row_box(head.right() - 36.0, vec2(28.0, 28.0));
    if icon_button(&cx, close, icons::X, false, "Close the history").clicked() {
        model.shows_history = false;
    }
    let undo = head.row_box(head.right() - 68.0, vec2(28.0, 28.0));
    if icon_button(&cx, undo, icons::ARROW_COUNTER_CLOCKWISE, false, "Undo the last step").clicked()
    {
        out.push(Action::Undo);
    }
    drop(cx);
    let Some(head_revision) = model.mirror.as_ref().map(|mirror| mirror.snapshot.head) else {
        return;
    };
    let tree = Tree::new(&model.history, head_revision, &model.silent);
    let mut child = ui.new_child(UiBuilder::new().max_rect(body.shrink2(vec2(4.0, 4.0))));
    child.spacing_mut().item_spacing.y = 0.0;
    let count = model.history.len();
    let list = ScrollArea::vertical().id_salt("history").auto_shrink(false);
    list.show_rows(&mut child, ROW, count + 1, |ui, range| {
        for index in range {
            // The newest first; below the first step lies the start.
            let step = (count - index).checked_sub(1).and_then(|place| model.history.get(place));
            let step = step.map_or(Step::START, Step::of);
            row(ui, theme, &tree, &step, out);
        }
    });
}

/// What a row shows.
struct Step<'a> {
    id: RevisionId,
    label: &'a str,
    who: &'static str,
    when: Option<String>,
}

impl<'a> Step<'a> {
    /// The session as it was made.
    const START: Self = Self { id: RevisionId(0), label: "The start", who: "", when: None };

    fn of(revision: &'a Revision) -> Self {
        let (label, when) = (&revision.label, wall_clock(revision.time_ms));
        Self { id: revision.id, label, who: who(revision.author), when }
    }
}

fn row(ui: &mut Ui, theme: &Theme, tree: &Tree<'_>, step: &Step<'_>, out: &mut Vec<Action>) {
    let size = vec2(ui.available_width(), ROW);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let cx = Cx::new(ui, theme);
    let place = tree.place(step.id);
    let sense = place.sense();
    let response = cx.interact(rect, ("revision", step.id.0), sense);
    let silent = tree.silent_at(step.id);
    let warning = warning(silent);
    let words = format!("{} {}{warning}", step.id, step.label);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
    if place == Place::Head {
        cx.fill(rect, radius::CONTROL, theme.control);
    } else if response.hovered() && sense == Sense::click() {
        cx.fill(rect, radius::CONTROL, theme.hover);
    }
    branch(&cx, rect, place);
    let left = if place == Place::Beside { 60.0 } else { 48.0 };
    cx.right(rect.left_mid(left - 8.0), &step.id.to_string(), Type::CAPTION, theme.text_3);
    let mut room = rect.width() - left - 60.0;
    if silent > 0 {
        room -= 18.0;
        cx.icon_fill(rect.right_mid(62.0), icons::WARNING, 12.0, cx.t.warn);
    }
    cx.elided(rect.left_mid(left), step.label, Type::SMALL, place.color(theme), room);
    cx.right(rect.right_mid(8.0), step.who, Type::CAPTION, theme.text_3);
    if response.has_focus() {
        cx.focus_ring(rect, radius::CONTROL);
    }
    let when = step.when.as_ref().map_or_else(String::new, |when| format!("{when}. "));
    if response.on_hover_text(format!("{when}{}{warning}", place.hint())).clicked() {
        out.extend(tree.steps(step.id));
    }
}

/// What is said of takes that are gone, before anyone goes there.
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

/// An author in a word.
fn who(author: Author) -> &'static str {
    match author {
        Author::User => "you",
        Author::Agent => "agent",
        Author::Host => "host",
        Author::Capture => "recording",
    }
}

/// The trunk runs down at the left; a branch that was left stands beside it.
fn branch(cx: &Cx<'_>, rect: Rect, place: Place) {
    let x = rect.left() + 8.0;
    cx.vline(x, rect.top(), rect.bottom(), cx.t.line_strong);
    let middle = rect.center().y;
    let dot = |x: f32, radius: f32, color| {
        cx.p.circle_filled(egui::pos2(x + 0.5, middle), radius, color);
    };
    match place {
        Place::Head => dot(x, 4.0, cx.t.text),
        Place::Behind => dot(x, 2.5, cx.t.text_2),
        Place::Ahead => dot(x, 2.5, cx.t.disabled),
        Place::Beside => {
            cx.hline(x, x + 12.0, middle, cx.t.line_strong);
            dot(x + 12.0, 2.5, cx.t.disabled);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Decibels;
    use deskhand_session::{Change, Edit, SessionId};

    fn revision(id: u64, parent: u64, only_selects: bool) -> Revision {
        let gain = Edit::new(SessionId::new(1), Decibels(0.0), Decibels(1.0));
        let changes = if only_selects { vec![] } else { vec![Change::SetMasterGain(gain)] };
        Revision {
            id: RevisionId(id),
            parent: RevisionId(parent),
            author: Author::User,
            label: String::new(),
            plan: None,
            changes,
            takes: None,
            time_ms: 0,
        }
    }

    fn said(actions: &[Action]) -> Vec<(&'static str, u64)> {
        let step = |action: &Action| match action {
            Action::Call { tool, params } => (*tool, params["revision"].as_u64().unwrap()),
            other => panic!("{other:?}"),
        };
        actions.iter().map(step).collect()
    }

    #[test]
    fn a_click_goes_back_over_what_is_passed_over_and_forward_again() {
        // 1 - 2 - 3 (selects) - 4, and 5 on 2.
        let history = [
            revision(1, 0, false),
            revision(2, 1, false),
            revision(3, 2, true),
            revision(4, 3, false),
            revision(5, 2, false),
        ];
        let silent = BTreeMap::from([(RevisionId(2), 1)]);
        let tree = Tree::new(&history, RevisionId(4), &silent);
        assert_eq!([2, 4, 5].map(|id| tree.silent_at(RevisionId(id))), [1, 0, 1]);
        assert_eq!(said(&tree.steps(RevisionId(1))), [("cmd_undo", 4), ("cmd_undo", 2)]);
        assert_eq!(
            said(&tree.steps(RevisionId(0))),
            [("cmd_undo", 4), ("cmd_undo", 2), ("cmd_undo", 1)]
        );
        assert_eq!(tree.place(RevisionId(5)), Place::Beside);
        assert_eq!(tree.steps(RevisionId(5)), [Action::GoTo(RevisionId(5))]);
        let tree = Tree::new(&history, RevisionId(1), &silent);
        assert_eq!(said(&tree.steps(RevisionId(4))), [("cmd_redo", 2), ("cmd_redo", 4)]);
        assert_eq!(tree.place(RevisionId(5)), Place::Ahead);
    }
}
