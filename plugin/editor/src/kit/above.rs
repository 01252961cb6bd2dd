//! Windows that stay above the others, in order: a higher window would hide the menus and lists opened from
//! it.

use egui::{AreaState, Context, Id, LayerId, Order, Rect, Ui, UiBuilder};

fn top() -> LayerId {
    LayerId::new(Order::Middle, Id::unique("above all windows"))
}

/// Brings these windows above the others, as soon as another window covers one of them. Their order among
/// each other stays: a click raises one.
pub(crate) fn raise(context: &Context, ids: &[Id]) {
    let stays = |layer: &LayerId| ids.contains(&layer.id);
    let windows: Vec<LayerId> = context.memory(|memory| {
        let areas = memory.areas();
        let is_window = |it: &LayerId| it.order == Order::Middle && *it != top();
        memory.layer_ids().filter(|it| is_window(it) && areas.is_visible(it)).collect()
    });
    let first = windows.iter().position(stays).unwrap_or(windows.len());
    if windows[first..].iter().all(stays) {
        return;
    }
    for layer in windows.into_iter().filter(stays) {
        context.move_to_top(layer);
    }
}

/// The rectangles of the visible windows.
pub(crate) fn windows(context: &Context) -> Vec<Rect> {
    context.memory(|memory| {
        let areas = memory.areas();
        let is_window = |it: &LayerId| it.order == Order::Middle && *it != top();
        let seen = memory.layer_ids().filter(|it| is_window(it) && areas.is_visible(it));
        seen.filter_map(|it| memory.area_rect(it.id)).collect()
    })
}

/// Room for views above all windows.
pub(crate) fn ui(ui: &mut Ui, area: Rect) -> Ui {
    let builder = UiBuilder::new().layer_id(top()).max_rect(area);
    ui.new_child(builder.id_salt("above all windows"))
}

/// Keeps the current layer above all windows, and gives it the pointer over `rect`.
pub(crate) fn cover(context: &Context, rect: Rect) {
    let state = AreaState {
        pivot_pos: Some(rect.min),
        size: Some(rect.size()),
        interactable: true,
        ..AreaState::default()
    };
    context.memory_mut(|memory| memory.areas_mut().set_state(top(), state));
    context.move_to_top(top());
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;
    use crate::ui_tests::{sized, with_two_windows};
    use crate::windows;
    use deskhand_protocol::desk::{Notice, NoticeKind};
    use egui::vec2;

    #[test]
    fn a_notice_without_room_beside_a_window_lies_above_it() {
        let mut model = with_two_windows();
        let (notice_id, message) = ("notice_2".into(), "Look here".into());
        let notice = Notice::new(notice_id, NoticeKind::Info, message, 0);
        drop(model.hear(&event(2, None, News::Notice { notice })));
        let mut harness = sized(model, vec2(900.0, 600.0));
        let at = harness.get_by_label("Put away").rect().center();
        let id = windows::view::id("window_1");
        let window = harness.ctx.memory(|memory| memory.area_rect(id)).unwrap();
        assert!(window.contains(at), "{at:?} is beside the window {window:?}");
        harness.click_at(at);
        assert!(harness.query_by_label("Look here").is_none());
    }

    #[test]
    fn a_pinned_window_stays_above_one_that_is_clicked() {
        let model = with_two_windows();
        let mut harness = harness(model);
        harness.click_on("Keep Window 1 on top");
        let both = ["window_1", "window_2"].map(windows::view::id);
        let below = harness.ctx.memory(|memory| memory.area_rect(both[1])).unwrap();
        harness.click_at(below.center_bottom() - vec2(0.0, 10.0));
        let layers: Vec<_> = harness.ctx.memory(|it| it.layer_ids().map(|it| it.id).collect());
        let place = |id| layers.iter().position(|layer| *layer == id);
        assert!(place(both[0]) > place(both[1]));
    }
}
