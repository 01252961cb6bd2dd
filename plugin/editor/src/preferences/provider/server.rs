//! The form that adds a server of the person's own.

use crate::preferences::rows::{FIELD, LABEL};
use crate::settings::SettingsChange;
use egui::{Button, Grid, Key, TextEdit, Ui};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where a server on this computer usually answers.
const USUAL: &str = "http://127.0.0.1:11434/v1";

/// The texts typed about a server; `None` while the form is closed.
#[derive(Default)]
pub(crate) struct Form(Option<(String, String)>);

/// Draws the form, or the button that opens it.
pub(super) fn show(ui: &mut Ui, form: &mut Form, changes: &mut Vec<SettingsChange>) {
    let Some((address, model)) = &mut form.0 else {
        let hint = "Ollama, llama.cpp, vLLM, or another server that speaks chat completions";
        if ui.button("Add a server of your own…").on_hover_text(hint).clicked() {
            form.0 = Some((USUAL.to_owned(), String::new()));
        }
        return;
    };
    let mut enters = false;
    Grid::new("server").num_columns(2).min_col_width(LABEL).show(ui, |ui| {
        for (name, text, hint) in
            [("Address", &mut *address, USUAL), ("Model there", &mut *model, "its name, as qwen3")]
        {
            let label = ui.label(name);
            let edit = TextEdit::singleline(text).hint_text(hint).desired_width(FIELD);
            let field = ui.add(edit).labelled_by(label.id);
            enters |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            ui.end_row();
        }
    });
    let fault = fault(address.trim());
    if let Some(why) = fault {
        ui.colored_label(ui.visuals().error_fg_color, why);
    }
    let is_whole = fault.is_none() && !model.trim().is_empty();
    let (mut adds, mut closes) = (false, false);
    ui.horizontal(|ui| {
        adds = ui.add_enabled(is_whole, Button::new("Add it")).clicked() || (enters && is_whole);
        closes = ui.button("Leave it").clicked();
    });
    if adds {
        let (address, model) = (address.trim().to_owned(), model.trim().to_owned());
        changes.push(SettingsChange::Server { address, model });
    }
    if adds || closes {
        form.0 = None;
    }
}

/// Why an address cannot be used.
fn fault(address: &str) -> Option<&'static str> {
    if address.contains('@') {
        return Some("No name and no password belongs into an address; a key is kept apart");
    }
    let (scheme, rest) = address.split_once("://").unwrap_or_default();
    let is_safe = scheme.eq_ignore_ascii_case("https");
    if !is_safe && !scheme.eq_ignore_ascii_case("http") {
        return Some("An address begins with https://, on this computer with http://");
    }
    match host(rest) {
        None => Some("This is no address; one is written as https://api.example.com/v1"),
        Some(host) if !is_safe && !is_here(host) => {
            Some("http is for this computer; elsewhere https")
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
