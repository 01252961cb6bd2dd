//! Scrolls any control that gets the keyboard into view, if part of it is hidden.

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::{Context, Event, Id, Memory, Rect};

/// A control taller than this, points, may not fit: it scrolls into view only if nothing of it is visible.
const TALL: f32 = 64.0;

fn key() -> Id {
    Id::unique("has the keyboard")
}

/// Runs before all views. If a control got the keyboard in the last frame, it scrolls into view, as with a
/// screen reader.
pub(crate) fn follow(context: &Context) {
    let focused = context.memory(Memory::focused);
    let before: Option<Id> = context.data(|data| data.get_temp(key()));
    if focused == before {
        return;
    }
    context.data_mut(|data| match focused {
        Some(id) => {
            data.insert_temp(key(), id);
        }
        None => data.remove::<Id>(key()),
    });
    let response = focused.and_then(|id| context.read_response(id));
    // Nothing slides away under a pointer that holds something.
    let is_held = context.input(|input| input.pointer.any_down());
    let Some(response) = response.filter(|_| !is_held) else { return };
    if is_hidden(response.rect, response.interact_rect) {
        let (target_tree, target_node) = (TreeId::ROOT, response.id.accesskit_id());
        let action = Action::ScrollIntoView;
        let request = ActionRequest { action, target_tree, target_node, data: None };
        context.input_mut(|input| input.events.push(Event::AccessKitActionRequest(request)));
    }
}

fn is_hidden(whole: Rect, seen: Rect) -> bool {
    let is_cut = !seen.expand(1.0).contains_rect(whole);
    is_cut && (whole.height() <= TALL || !seen.is_positive())
}

/// Runs after all views. Requests another frame in which the newly focused control scrolls.
pub(crate) fn ask(context: &Context) {
    let before: Option<Id> = context.data(|data| data.get_temp(key()));
    if context.memory(Memory::focused) != before {
        context.request_repaint();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Key, ScrollArea, vec2};
    use egui_kittest::Harness;

    #[test]
    fn what_tab_comes_to_is_scrolled_into_view() {
        let size = vec2(200.0, 200.0);
        let builder = Harness::builder().with_size(size).with_context_setup(crate::install);
        let mut harness = builder.build_ui(|ui| {
            let context = ui.ctx().clone();
            follow(&context);
            ScrollArea::vertical().show(ui, |ui| {
                for number in 1..=40 {
                    drop(ui.button(format!("Button {number}")));
                }
            });
            ask(&context);
        });
        harness.run_steps(2);
        for _ in 0..30 {
            harness.key_press(Key::Tab);
            // It slides there over some frames.
            harness.run_steps(20);
            let focused = harness.ctx.memory(Memory::focused).expect("a button has the keyboard");
            let response = harness.ctx.read_response(focused).unwrap();
            assert!(!is_hidden(response.rect, response.interact_rect), "{:?}", response.rect);
        }
    }
}
