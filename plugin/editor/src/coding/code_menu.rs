//! The menu that puts a code on the picked words.

use super::coded::{Coded, color_of, fresh};
use super::order::{KEYS, hits, indent, key_of, keyed, matching};
use super::{calls, remove_codes};
use crate::action::{Action, Actions, Gesture, call};
use crate::kit::{context, menu as kit_menu};
use crate::scene::Scene;
use crate::theme::Theme;
use crate::words::lines::Region;
use crate::words::place::Places;
use deskhand_session::Session;
use egui::{Align2, Id, Key, Modifiers, Popup, Response, RichText, Role, TextEdit, Ui, WidgetInfo};

/// How long a new code is waited for, seconds.
const PATIENCE: f64 = 10.0;

/// A code that is being created, for the words that get it.
struct Coming {
    code: String,
    region: Region,
    until: f64,
}

/// The state that the menu keeps between frames.
#[derive(Default)]
pub(crate) struct CodeMenu {
    /// The text that finds a code, or names a new one.
    typed: String,
    pub(crate) opens: bool,
    /// It was opened, and its field has no keyboard yet.
    takes_keyboard: bool,
    coming: Option<Coming>,
}

/// C opens the menu; 1 to 9 put the first codes of the codebook on the picked words at once.
pub(crate) fn keys(
    ui: &Ui,
    session: &Session,
    menu: &mut CodeMenu,
    picked: impl FnOnce() -> Option<Region>,
) -> Vec<Action> {
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    menu.opens |= pressed(Key::C);
    let mut digits = (1..=KEYS).map(|place| Key::from_name(&place.to_string()));
    let code = digits.position(|key| key.is_some_and(&pressed));
    let coded = code.and_then(|place| {
        let code = keyed(session, place)?;
        Some(calls::code(session, &picked()?, &code.to_string()))
    });
    coded.unwrap_or_default()
}

/// Resets the menu of codes; a key opens it.
fn opened(menu: &mut CodeMenu, button: &Response) {
    let by_key = std::mem::take(&mut menu.opens);
    if by_key {
        Popup::open_id(&button.ctx, Popup::default_response_id(button));
    }
    if by_key || button.clicked() {
        menu.takes_keyboard = true;
        menu.typed.clear();
    }
}

/// The codes as a menu under `button`, and a field that finds one of them or names a new one. `list` has the keyboard
/// afterwards.
pub(crate) fn show(
    scene: Scene<'_>,
    menu: &mut CodeMenu,
    known: (&Coded, &Places),
    (region, list): (&Region, Option<Id>),
    button: &Response,
    out: &mut Actions,
) {
    let session = scene.session;
    opened(menu, button);
    if let Some(list) = list {
        context::give_back(&button.ctx, Popup::default_response_id(button), list);
    }
    let popup = kit_menu::of(button);
    let popup = popup.close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let done = popup.show(|ui| {
        let name = named(ui, menu);
        let chosen = listed(ui, session, &menu.typed);
        let is_off = remove_codes::behind(ui, session, known, &region.pieces, out);
        (name.or(chosen), is_off)
    });
    let Some((chosen, is_off)) = done.map(|done| done.inner) else { return };
    if chosen.is_none() && !is_off {
        return;
    }
    if let Some(chosen) = chosen {
        put(session, menu, region, chosen, button, out);
    }
    Popup::close_id(&button.ctx, Popup::default_response_id(button));
    // The keys are for the words again.
    if let Some(list) = list {
        button.ctx.memory_mut(|memory| memory.request_focus(list));
    }
}

/// The codes that match the typed text. Returns the chosen one.
fn listed(ui: &mut Ui, session: &Session, typed: &str) -> Option<String> {
    let mut chosen = None;
    let hits = hits(session, typed);
    egui::ScrollArea::vertical().max_height(280.0).show(ui, |ui| {
        for (id, depth) in matching(session, &hits) {
            let name = format!("{}{}", indent(depth), session.name_of(id.into()));
            let words = RichText::new(name).color(color_of(Theme::of(ui.visuals()), session, id));
            let key = key_of(session, id).unwrap_or_default();
            if kit_menu::entry_told(ui, words, &key) {
                chosen = Some(id.to_string());
            }
        }
    });
    chosen
}

/// Puts the code with that name or id on the picked words, once it exists.
fn put(
    session: &Session,
    menu: &mut CodeMenu,
    region: &Region,
    chosen: String,
    button: &Response,
    out: &mut Actions,
) {
    let known = session.codes.iter().find(|(id, code)| {
        id.to_string() == chosen || code.name.to_lowercase() == chosen.to_lowercase()
    });
    match known {
        Some((id, _)) => out.extend(calls::code(session, region, &id.to_string())),
        None => {
            let params = serde_json::json!({"name": chosen, "color": fresh(session)});
            out.push(call(Gesture::SetCode, params));
            let until = button.ctx.input(|input| input.time) + PATIENCE;
            menu.coming = Some(Coming { code: chosen, region: region.clone(), until });
        }
    }
}

/// The field that finds a code, or names a new one. It gets the keyboard when the menu opens. Returns the
/// name, once it is entered.
fn named(ui: &mut Ui, menu: &mut CodeMenu) -> Option<String> {
    let edit = TextEdit::singleline(&mut menu.typed).char_limit(200);
    // A field is as high as a button: its text is centered vertically.
    let edit = edit.align(Align2::LEFT_CENTER);
    let field = ui.add(edit.hint_text("Find a code, or name a new one"));
    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "New code"));
    // In the first frame a menu is only measured.
    if menu.takes_keyboard && !ui.is_sizing_pass() {
        field.request_focus();
        menu.takes_keyboard = false;
    }
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let is_name = entered && !menu.typed.trim().is_empty();
    is_name.then(|| std::mem::take(&mut menu.typed).trim().to_owned())
}

/// Codes what waits for a code as soon as the codebook has it.
pub(crate) fn came(ui: &Ui, session: &Session, menu: &mut CodeMenu, out: &mut Actions) {
    let Some(coming) = &menu.coming else { return };
    let made = session.codes.iter().find(|(_, code)| code.name == coming.code);
    if let Some((id, _)) = made {
        out.extend(calls::code(session, &coming.region, &id.to_string()));
    }
    if made.is_some() || ui.input(|input| input.time) > coming.until {
        menu.coming = None;
    }
}
