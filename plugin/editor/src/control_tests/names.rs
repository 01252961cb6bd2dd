//! Each control of every view has a role, and a name that no other one there has.

use super::{DESK, HOSTED, LISTS, MORE, SHEETS, View, WORDS, Walk, settled};
use crate::Theme;
use egui::accesskit::{self, Action, Role};
use egui::{Rect, pos2};
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};
use std::collections::{BTreeMap, BTreeSet};

/// Every view of the walk.
pub(super) fn everywhere() -> impl Iterator<Item = &'static View> {
    DESK.iter().chain(&LISTS).chain(&SHEETS).chain(&WORDS).chain(&HOSTED).chain(&MORE)
}

/// What a screen reader has of something.
struct Node {
    role: Role,
    name: String,
    rect: Rect,
    is_control: bool,
}

fn nodes(walk: &Walk) -> Vec<Node> {
    let node = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        let takes = |action| node.data().supports_action(action);
        let (role, name) = (node.role(), node.label().or(node.value()).unwrap_or_default());
        let is_moved = role == Role::ScrollBar; // egui's own, and told by what it scrolls
        let is_control = takes(Action::Click) || takes(Action::Focus);
        let is_control = is_control && !is_moved && !node.is_disabled();
        Some(Node { role, name, rect: rect_of(node.bounding_box()?), is_control })
    };
    walk.query_all(By::new()).filter_map(node).collect()
}

pub(super) fn rect_of(rect: accesskit::Rect) -> Rect {
    let [x0, y0, x1, y1] = [rect.x0, rect.y0, rect.x1, rect.y1].map(|it| it as f32);
    Rect::from_min_max(pos2(x0, y0), pos2(x1, y1))
}

/// The area or the window of a control, and what is written at its left in the same row.
fn place(nodes: &[Node], control: &Node) -> (String, String) {
    let areas = nodes.iter().filter(|it| matches!(it.role, Role::Pane | Role::Window));
    let area = areas.filter(|it| it.rect.contains(control.rect.center()));
    let area = area.min_by(|a, b| a.rect.area().total_cmp(&b.rect.area()));
    let at = control.rect.center();
    let in_row = nodes.iter().filter(|it| {
        let is_other = !it.name.is_empty() && it.name != control.name;
        let is_flat = it.rect.height() < 64.0 && it.rect.y_range().contains(at.y);
        is_other && is_flat && it.rect.left() <= control.rect.left()
    });
    let row: BTreeSet<&str> = in_row.map(|it| it.name.as_str()).collect();
    let area = area.map(|it| it.name.clone()).unwrap_or_default();
    (area, row.into_iter().collect::<Vec<_>>().join(", "))
}

/// What is wrong with the names of a view.
fn faults(walk: &Walk) -> Vec<String> {
    let nodes = nodes(walk);
    let mut faults = Vec::new();
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for node in nodes.iter().filter(|node| node.is_control) {
        let Node { role, name, rect, .. } = node;
        if name.trim().is_empty() || matches!(role, Role::Unknown | Role::GenericContainer) {
            faults.push(format!("{role:?} \"{name}\" at {:.0}, {:.0}", rect.left(), rect.top()));
        }
        *known.entry((format!("{role:?} \"{name}\""), place(&nodes, node))).or_default() += 1;
    }
    let twice = known.into_iter().filter(|(_, count)| *count > 1);
    faults.extend(twice.map(|((name, place), count)| format!("{count} of {name} in {place:?}")));
    faults
}

#[test]
fn every_control_has_a_role_and_a_name_of_its_own() {
    let mut all = BTreeMap::new();
    for view in everywhere() {
        all.extend(
            faults(&settled(view, &Theme::DARK)).into_iter().map(|fault| (fault, view.name)),
        );
    }
    assert!(all.is_empty(), "{all:#?}");
}
