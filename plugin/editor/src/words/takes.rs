//! Takes side by side: what each says, where they differ, how each sounds, and which one plays.

mod columns;
pub(crate) mod view;

use super::calls::find_takes;
use super::{assembly, distinct_names, empty_page};
use crate::action::{Action, Actions, Gesture, call};
use crate::card::view::Card;
use crate::kit::controls::whole_name;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::scene::Scene;
use crate::theme::{Theme, Type, radius, space};
use crate::waves::Waves;
use crate::words::takes::view::{Group, Looked, TakesView, letter};
use crate::words::view::Page;
use deskhand_dsp::Frames;
use deskhand_protocol::{Decision, ToolResult};
use deskhand_session::{
    Assembly, Change, Duplicates, Edit, ObjectId, PhraseId, Plan, PlanState, PlannedChange,
    Playing, Session, SessionId,
};
use egui::{Rect, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, vec2};
use serde_json::json;

const ROW: f32 = 32.0;

impl Looked {
    pub(super) fn of(model: &Model, view: &TakesView) -> Self {
        let is_known = |session: &Session| {
            view.looked.as_ref().is_some_and(|known| known.iter().eq(session.phrases.keys()))
        };
        let is_rejected = |card: &Card| {
            card.stored.state == PlanState::Rejected
                && super::marks_takes(&model.tools, &card.stored.plan)
        };
        if model.session().is_some_and(is_known) {
            Self::Nothing
        } else if model.cards.values().any(is_rejected) {
            Self::Rejected
        } else {
            Self::NotYet
        }
    }

    /// The heading of a page without takes.
    fn title(self) -> &'static str {
        match self {
            Self::NotYet => "Takes were not looked for yet",
            Self::Nothing => "No takes were found",
            Self::Rejected => "No takes are marked",
        }
    }

    /// The text for an empty page: its purpose, and the next step.
    fn words(self) -> &'static str {
        match self {
            Self::NotYet => {
                "Where a phrase was said again, its takes are listed here side by side, to hear and choose. \
                 Find takes looks for them."
            }
            Self::Nothing => {
                "All phrases of the assembly were looked through. Those that were written down otherwise are picked \
                 there, by Ctrl and a click or by Space: Takes of one another is in their menu."
            }
            Self::Rejected => {
                "The takes that were found were rejected, and each of them plays. Find takes looks for them again."
            }
        }
    }
}

/// A call of this window ended: it may have searched for takes and found none.
pub(super) fn hear(model: &mut Model, tool: &str, result: &ToolResult) {
    let is_empty = result.plan.as_ref().is_none_or(|plan| plan.changes.is_empty());
    if model.tools.is(tool, Gesture::MarkTakes) && is_empty {
        let phrases = model.session().map(|session| session.phrases.keys().copied().collect());
        model.desk.words.takes.looked = phrases;
    }
}

/// Groups of waiting plans first, then those of the assembly.
pub(super) fn groups(model: &Model) -> Vec<Group> {
    let Some(session) = model.session() else { return Vec::new() };
    let mut found = Vec::new();
    for card in model.cards.values() {
        let plan = &card.stored.plan;
        let marks = model.tools.is(&plan.tool, Gesture::MarkTakes);
        if card.stored.state != PlanState::Waiting || !marks {
            continue;
        }
        for planned in &plan.changes {
            let Change::SetAssembly(edit) = &planned.change else { continue };
            let new: Vec<&Duplicates> = new_groups(edit).collect();
            let waits = Some((plan.id, card.number));
            found.extend(new.iter().map(|takes| {
                let others = new.iter().filter(|other| other.chosen != takes.chosen);
                let others = others.map(|other| other.chosen).collect();
                Group { takes: (*takes).clone(), plan: waits, others }
            }));
        }
    }
    let there = session.assembly.duplicates.iter();
    found.extend(there.map(|takes| Group { takes: takes.clone(), plan: None, others: Vec::new() }));
    found
}

/// The groups of takes that a change adds.
fn new_groups(edit: &Edit<SessionId, Assembly>) -> impl Iterator<Item = &Duplicates> {
    edit.after.duplicates.iter().filter(|it| !edit.before.duplicates.contains(it))
}

/// Draws it in `rect`. Returns the page to go to, if one was requested.
pub(crate) fn show(
    ui: &mut Ui,
    scene: Scene<'_>,
    waves: &dyn Waves,
    (groups, looked): &(Vec<Group>, Looked),
    view: &mut TakesView,
    rect: Rect,
    out: &mut Actions,
) -> Option<Page> {
    out.extend(ask_again(scene.session, view));
    if groups.is_empty() {
        return nothing(&Cx::new(ui), scene, *looked, rect, out);
    }
    let holds = |group: &Group| view.chosen.is_some_and(|take| group.takes.takes.contains(&take));
    let shown = groups.iter().position(holds).unwrap_or(0);
    let mut rest = rect;
    let height = (ROW * groups.len() as f32 + 8.0).min(rect.height() * 0.35);
    list(ui, groups, view, shown, rest.cut_top(height));
    let group = groups.get(shown)?;
    let known = view.playing.take().filter(|(head, _)| *head == scene.head);
    let known = known.unwrap_or_else(|| (scene.head, Playing::of(scene.session)));
    let playing = &view.playing.insert(known).1;
    let place = columns::show(ui, scene, waves, (group, playing), rest, out);
    let take = place.and_then(|place| Some((place, *group.takes.takes.get(place)?)));
    if let Some((place, take)) = take {
        out.extend(choose(group, take, letter(place)));
        let others = Some(group.others.clone()).filter(|others| !others.is_empty());
        view.again = others.map(|others| (group.takes.takes.clone(), others));
    }
    None
}

/// Called when the takes of one phrase of a plan are marked: the plan's other phrases are measured again on
/// the new state.
fn ask_again(session: &Session, view: &mut TakesView) -> Option<Action> {
    let are_marked =
        |takes: &[PhraseId]| session.assembly.duplicates.iter().any(|known| known.takes == takes);
    let (_, others) = view.again.take_if(|(takes, _)| are_marked(takes))?;
    Some(find_takes(json!({"among": others})))
}

/// The instructions for a page without takes. Returns the page for the next step.
fn nothing(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    looked: Looked,
    rect: Rect,
    out: &mut Actions,
) -> Option<Page> {
    let title = looked.title();
    if scene.session.phrases.is_empty() {
        let (words, first) = assembly::first_step(scene.session);
        let words = format!("Takes are told apart by phrases. {words}");
        return first.show(cx, scene, (title, &words), rect, out);
    }
    let step = Some(("Find takes", scene.runs(&[Gesture::MarkTakes])));
    if empty_page::show(cx, rect, (title, looked.words()), step).1 {
        // Its plan waits: what it found is looked at here.
        out.push(find_takes(json!({})));
    }
    None
}

fn list(ui: &mut Ui, groups: &[Group], view: &mut TakesView, shown: usize, rect: Rect) {
    let theme = Theme::of(ui.visuals());
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect.pad(4.0, 4.0)).id_salt("groups"));
    child.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("groups").auto_shrink(false);
    area.show_rows(&mut child, ROW, groups.len(), |ui, range| {
        for index in range {
            let Some(group) = groups.get(index) else { continue };
            let size = vec2(ui.available_width(), ROW);
            let (row, _) = ui.allocate_exact_size(size, Sense::hover());
            one(&Cx::new(ui), group, view, index == shown, row);
        }
    });
    Cx::new(ui).hline(rect.left(), rect.right(), rect.bottom() - 1.0, theme.line);
}

fn one(cx: &Cx<'_>, group: &Group, view: &mut TakesView, is_shown: bool, row: Rect) {
    let first = group.takes.takes.first().copied();
    let response = cx.interact(row, ("group", first, group.plan), Sense::click());
    let count = format!("{} takes", group.takes.takes.len());
    let state = group.plan.map_or_else(String::new, |(_, number)| format!("Plan {number} waits"));
    let words = format!("{}, {count} {state}", group.takes.phrase);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_shown, words.trim_end()));
    if is_shown || response.hovered() {
        cx.fill(row, radius::CONTROL, if is_shown { cx.t.control } else { cx.t.hover });
    }
    let right = cx.right(row.right_mid(space::S), &count, Type::SMALL, cx.t.text_3).left();
    // Accent says that it is planned.
    let at = egui::pos2(right - space::M, row.center().y);
    let right = cx.right(at, &state, Type::SMALL_STRONG, cx.t.accent).left();
    let room = right - row.left() - 24.0;
    cx.elided(row.left_mid(space::S), &group.takes.phrase, Type::BODY, cx.t.text, room);
    let response = whole_name(cx, response, &group.takes.phrase, (Type::BODY, room));
    if response.has_focus() {
        cx.focus_ring(row.shrink(3.0), radius::CONTROL);
    }
    if response.clicked() {
        view.chosen = first;
    }
}

/// The calls for choosing a take. A plan that recommends it is applied. A plan that recommends another is
/// rejected with the reason, and the choice is marked. In a plan for several phrases only this one is
/// decided: the others are proposed again.
fn choose(group: &Group, take: PhraseId, name: char) -> Vec<Action> {
    let params = json!({
        "phrase": group.takes.phrase,
        "group_ids": group.takes.takes,
        "recommended_group_id": take,
        "reason": "chosen by ear",
    });
    let marks = call(Gesture::MarkTakes, params);
    match group.plan {
        None => vec![marks],
        Some((plan, _)) if !group.others.is_empty() => {
            let phrase = &group.takes.phrase;
            let reason =
                format!("of \"{phrase}\" take {name} is kept; the others are asked for again");
            vec![Action::Decide { plan, decision: Decision::Reject { reason } }, marks]
        }
        Some((plan, _)) if group.takes.chosen == take => {
            vec![Action::Decide { plan, decision: Decision::Apply }]
        }
        Some((plan, _)) => {
            let reason = format!("of \"{}\" take {name} is the better one", group.takes.phrase);
            vec![Action::Decide { plan, decision: Decision::Reject { reason } }, marks]
        }
    }
}

/// The take that a change of a clip belongs to, in a few words; `None` if it belongs to none.
pub(crate) fn take_of(plan: &Plan, planned: &PlannedChange, session: &Session) -> Option<String> {
    let ObjectId::Clip(id) = planned.change.target() else { return None };
    let clip = session.clips.get(&id)?;
    let middle = clip.start + Frames(clip.length.0 / 2);
    let marked = plan.changes.iter().filter_map(|it| match &it.change {
        Change::SetAssembly(edit) => Some(new_groups(edit)),
        _ => None,
    });
    let mut takes = marked.flatten().flat_map(|group| group.takes.iter().enumerate());
    takes.find_map(|(place, take)| {
        let ids = &session.phrases.get(take)?.segments;
        let first = session.segments.get(ids.first()?)?;
        let end = session.segments.get(ids.last()?)?.end();
        let is_it = first.source == clip.source && first.start <= middle && middle < end;
        is_it.then(|| {
            let said = distinct_names::place(session, first.source, first.start);
            format!("Take {} · {said}", letter(place))
        })
    })
}

#[cfg(test)]
mod tests;
