//! Context menus, by the keyboard too: Shift+F10, or the menu key, opens the menu of the focused control.

use egui::{
    Context, EventFilter, FocusDirection, Id, Key, Modifiers, Order, Popup, Rect, Response,
};

/// The menu of `response`. A secondary click opens it at the pointer. Shift+F10 or the menu key opens it at
/// `place`, and its first entry gets the keyboard. When it closes, the keyboard focus returns.
pub(crate) fn menu(response: &Response, place: Rect) -> Popup<'static> {
    let (context, id) = (&response.ctx, Popup::default_response_id(response));
    let asks = |input: &mut egui::InputState| {
        let is_menu = input.consume_key(Modifiers::NONE, Key::Menu);
        is_menu || input.consume_key(Modifiers::SHIFT, Key::F10)
    };
    if response.has_focus() && !Popup::is_any_open(context) && context.input_mut(asks) {
        Popup::open_id(context, id);
    }
    let was_open = give_back(context, id, response.id);
    // The pointer leaves the place where it clicked.
    let by_key = Popup::is_id_open(context, id) && Popup::position_of_id(context, id).is_none();
    if by_key && was_open && response.has_focus() {
        context.memory_mut(|memory| memory.move_focus(FocusDirection::Down));
    }
    let menu = Popup::context_menu(response).style(super::menu::look());
    if by_key { menu.anchor(place) } else { menu }
}

/// Gives the keyboard to `to` once a menu is closed, unless another control has it. Returns whether the
/// menu was open in the last frame.
pub(crate) fn give_back(context: &Context, menu: Id, to: Id) -> bool {
    let (is_open, key) = (Popup::is_id_open(context, menu), menu.with("was open"));
    let was_open = context.data_mut(|data| {
        let was_open = data.remove_temp::<bool>(key).is_some();
        if is_open {
            data.insert_temp(key, true);
        }
        was_open
    });
    if was_open && !is_open && is_lost(context) {
        context.memory_mut(|memory| memory.request_focus(to));
    }
    was_open
}

/// Whether the keyboard is nowhere, or where a menu was.
fn is_lost(context: &Context) -> bool {
    let focused = context.memory(egui::Memory::focused);
    let order = |id: Id| context.read_response(id).map(|it| it.layer_id.order);
    focused.is_none_or(|id| order(id).is_none_or(|order| order == Order::Foreground))
}

/// Whether keys go to `response`: it has the keyboard, and no menu is open. Keys of `filter` then do not
/// move the keyboard.
pub(crate) fn has_keys(response: &Response, filter: EventFilter) -> bool {
    if !response.has_focus() {
        return false;
    }
    let is_free = !Popup::is_any_open(&response.ctx);
    let in_menu = EventFilter { escape: true, ..EventFilter::default() };
    let filter = if is_free { filter } else { in_menu };
    response.ctx.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    is_free
}
