//! A number of a processor: dragged, or typed with or without its unit. If the typed text is invalid, the
//! field says so.

use crate::inserts::view::InsertsView;
use crate::kit::scale::minus;
use crate::theme::Theme;
use deskhand_session::InsertId;
use egui::{DragValue, Response, Ui};
use std::cell::Cell;

/// What a number is called, its unit, the ends of its range, and the step of a drag.
pub(super) struct Number {
    pub(super) words: &'static str,
    pub(super) unit: &'static str,
    pub(super) range: (f64, f64),
    pub(super) speed: f64,
}

/// The field of a number; `wrong` is the error about the last typed text.
pub(super) fn field(
    ui: &mut Ui,
    it: &Number,
    value: &mut f64,
    wrong: &mut Option<String>,
) -> Response {
    let typed = Cell::new(None);
    let parse = |text: &str| {
        let number = read(text, it.unit);
        typed.set(Some(fault(it, text, number)));
        number
    };
    let (low, high) = it.range;
    let drag = DragValue::new(value).range(low..=high).speed(it.speed).suffix(it.unit);
    let response = ui.add(drag.max_decimals(2).custom_parser(parse));
    if let Some(fault) = typed.into_inner() {
        *wrong = fault;
    } else if response.drag_started() {
        *wrong = None;
    }
    response
}

/// A number as people write it: "-6,5 dB", "−12".
fn read(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim();
    let bare = text.strip_suffix(unit.trim()).unwrap_or(text).trim();
    let number = bare.replace('−', "-").replace(',', ".");
    number.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Why the typed text is not a valid number. A sign alone may still become one.
fn fault(it: &Number, text: &str, number: Option<f64>) -> Option<String> {
    let Number { words, unit, range: (low, high), .. } = it;
    let allowed = minus(&format!("{words}: {low} to {high}{unit} is allowed"));
    match number {
        Some(number) if (*low..=*high).contains(&number) => None,
        Some(number) => {
            let end = number.clamp(*low, *high);
            Some(minus(&format!("{allowed}, {number} became {end}.")))
        }
        None if text.chars().any(char::is_alphabetic) => {
            Some(format!("{allowed}, \"{}\" is no number.", text.trim()))
        }
        None => None,
    }
}

impl InsertsView {
    /// The error about the text typed for a processor.
    pub(super) fn take_wrong(&mut self, id: InsertId) -> Option<String> {
        self.wrong.take().filter(|(of, _)| *of == id).map(|(_, words)| words)
    }

    /// Tells it until something else is typed.
    pub(super) fn tell_wrong(
        &mut self,
        ui: &mut Ui,
        theme: &Theme,
        id: InsertId,
        wrong: Option<String>,
    ) {
        if let Some(words) = &wrong {
            ui.colored_label(theme.warn, words);
        }
        self.wrong = wrong.map(|words| (id, words));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_taken_with_its_unit_and_what_is_not_is_told() {
        let gain = Number { words: "Gain", unit: " dB", range: (-30.0, 24.5), speed: 0.1 };
        let told = |text: &str| fault(&gain, text, read(text, gain.unit));
        for (text, value) in [("-6,5 dB", -6.5), ("−12", -12.0), (" 3dB", 3.0)] {
            assert_eq!((read(text, gain.unit), told(text)), (Some(value), None), "{text}");
        }
        let beyond = "Gain: −30 to 24.5 dB is allowed, 999 became 24.5.";
        assert_eq!(told("999").as_deref(), Some(beyond));
        let below = "Gain: −30 to 24.5 dB is allowed, −31 became −30.";
        assert_eq!(told("-31").as_deref(), Some(below));
        let word = "Gain: −30 to 24.5 dB is allowed, \"loud\" is no number.";
        assert_eq!(told("loud").as_deref(), Some(word));
        assert_eq!([told("-"), told("")], [None, None], "it is on its way");
    }
}
