//! The form that adds a server of the person's own.

use crate::kit::controls::{Button, Kind, State};
use crate::kit::{Cut, Cx, field, rows};
use crate::preferences::pick::FIELD;
use crate::settings::{Changes, SettingsChange};
use crate::theme::{Theme, Type, size, space};
use egui::{Key, Sense, Ui, vec2};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where a server on this computer usually answers.
const USUAL: &str = "http://127.0.0.1:11434/v1";
const WHAT: &str = "Ollama, llama.cpp, vLLM, or another server that speaks chat completions.";

/// The texts typed about a server; `None` while the form is closed.
#[derive(Default)]
pub(crate) struct Form(Option<(String, String)>);

/// Draws the form, or the button that opens it.
pub(super) fn show(ui: &mut Ui, form: &mut Form, changes: &mut Changes) {
    let button = Button::new(Kind::Secondary, "Add a server…");
    let is_closed = form.0.is_none();
    let wide = if is_closed { button.width(&Cx::new(ui)) } else { 0.0 };
    let rect = rows::setting(ui, "Your own server", WHAT, wide);
    if is_closed && button.show(&Cx::new(ui), rect).clicked() {
        form.0 = Some((USUAL.to_owned(), String::new()));
        return;
    }
    let Some((address, model)) = &mut form.0 else { return };
    let enters = fields(ui, address, model);
    let fault = fault(address.trim());
    if let Some(why) = fault {
        let theme = Theme::of(ui.visuals());
        rows::para(ui, why, (Type::CAPTION, theme.danger));
    }
    let is_whole = fault.is_none() && !model.trim().is_empty();
    let (adds, closes) = buttons(ui, is_whole);
    let adds = adds || (enters && is_whole);
    if adds {
        let (address, model) = (address.trim().to_owned(), model.trim().to_owned());
        changes.push(SettingsChange::Server { address, model });
    }
    if adds || closes {
        form.0 = None;
    }
}

/// The fields. Returns whether Enter was pressed in one.
fn fields(ui: &mut Ui, address: &mut String, model: &mut String) -> bool {
    let mut enters = false;
    for (name, text, hint) in
        [("Address", address, USUAL), ("Model there", model, "its name, as qwen3")]
    {
        let rect = rows::setting(ui, name, "", FIELD.min(ui.available_width() * 0.6));
        let response = field::line(ui, rect, text, (name, hint));
        enters |= response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    }
    enters
}

/// Whether the server is added, and whether the form is left.
fn buttons(ui: &mut Ui, is_whole: bool) -> (bool, bool) {
    let (mut row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), Sense::hover());
    let cx = Cx::new(ui);
    let state = if is_whole { State::Normal } else { State::Disabled };
    let add = Button::new(Kind::Secondary, "Add the server").state(state);
    let leave = Button::new(Kind::Quiet, "Do not add it");
    let mut one = |button: &Button<'_>| {
        let wide = button.width(&cx);
        let place = row.cut_right(wide);
        row.max.x -= space::S;
        button.show(&cx, place.row_box(place.left(), vec2(wide, size::CONTROL_H))).clicked()
    };
    (one(&add), one(&leave))
}

/// Why an address cannot be used.
fn fault(address: &str) -> Option<&'static str> {
    if address.contains('@') {
        return Some("An address holds no name and no password: the key has its own field");
    }
    let (scheme, rest) = address.split_once("://").unwrap_or_default();
    let is_safe = scheme.eq_ignore_ascii_case("https");
    if !is_safe && !scheme.eq_ignore_ascii_case("http") {
        return Some("An address begins with https://, on this computer with http://");
    }
    match host(rest) {
        None => Some("This is no address. Write it as https://api.example.com/v1"),
        Some(host) if !is_safe && !is_here(host) => {
            Some("http is only for this computer; elsewhere https")
        }
        Some(_) => None,
    }
}

/// The host of an address, after its scheme and without a port. `None` if there is no host, or the port is
/// invalid.
fn host(rest: &str) -> Option<&str> {
    let named = rest.split(['/', '?', '#']).next()?;
    let (host, behind) = match named.strip_prefix('[') {
        Some(inside) => inside.split_once(']').filter(|(host, _)| is_v6(host))?,
        None => named.split_at(named.find(':').unwrap_or(named.len())),
    };
    let is_port = |port: &str| port.parse::<u16>().is_ok();
    let has_port = behind.is_empty() || behind.strip_prefix(':').is_some_and(is_port);
    let is_name = |letter: char| letter.is_alphanumeric() || "-_.:".contains(letter);
    // What ends in a number is read as the four numbers of a computer.
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = !last.is_empty() && last.chars().all(|digit| digit.is_ascii_digit());
    let is_whole = !is_number || host.parse::<Ipv4Addr>().is_ok();
    let is_host = !host.is_empty() && host.chars().all(is_name) && is_whole;
    (has_port && is_host).then_some(host)
}

fn is_v6(host: &str) -> bool {
    host.parse::<Ipv6Addr>().is_ok()
}

fn is_here(host: &str) -> bool {
    let address = host.parse::<IpAddr>();
    address.map_or_else(|_| host.eq_ignore_ascii_case("localhost"), |address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_is_said_where_it_is_typed() {
        for address in [
            "https://example.org/v1",
            USUAL,
            "http://LOCALHOST:8080",
            "http://[::1]:1",
            "http://127.9.9.9",
        ] {
            assert_eq!(fault(address), None, "{address}");
        }
        let told = |addresses: &[&str], words: &str| {
            for address in addresses {
                assert!(fault(address).unwrap_or_default().contains(words), "{address}");
            }
        };
        let elsewhere = ["http://example.org/v1", "http://127.0.0.1.evil.org", "http://[::2]"];
        told(&elsewhere, "elsewhere https");
        told(&["", "not a url", "ftp://127.0.0.1", "localhost:11434"], "begins with");
        let broken =
            ["https://", "https://two words", "https://a:port", "https://1.2.3.400", "http://[1"];
        told(&broken, "no address");
        told(&["https://name:word@example.org"], "no password");
    }
}
