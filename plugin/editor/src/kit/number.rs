//! A number that a person sets: a field to type in and a slider. Both take a drag, the wheel, arrow keys, and
//! a double click for the default. Shift is fine.

mod field;
mod slider;

use super::scale::{num, signed};
use super::wheel::Wheel;
use super::{Cx, context};
use egui::{EventFilter, Id, Key, Response, accesskit::Action, vec2};

/// How much finer everything is with Shift.
const FINE: f64 = 0.1;
/// A drag over this many points goes over the whole scale of a field.
const TRAVEL: f32 = 320.0;

/// How the positions between the ends are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Law {
    #[default]
    Linear,
    /// Equal ratios are equally far apart: frequencies, times. Both ends are over zero.
    Log,
}

/// Where the wheel turns it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Turns {
    #[default]
    Hovered,
    /// Only with the keyboard in it: it is on a page that scrolls.
    Focused,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Number<'s> {
    pub(crate) name: &'s str,
    /// "dB", "Hz", ":1"; empty without one.
    pub(crate) unit: &'s str,
    pub(crate) ends: (f64, f64),
    /// The value of a double click.
    pub(crate) usual: f64,
    /// A notch of the wheel, or an arrow key. On a log scale it is the number of steps from end to end.
    pub(crate) step: f64,
    pub(crate) decimals: usize,
    /// A gain or a difference: it has its sign above zero.
    pub(crate) is_signed: bool,
    pub(crate) law: Law,
    pub(crate) turns: Turns,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turned {
    pub(crate) value: f64,
    /// False while a drag holds it: it may change on.
    pub(crate) is_set: bool,
}

/// What a drag or a wheel keeps between frames.
#[derive(Clone, Debug, Default)]
struct Held {
    /// The place on the scale, 0 to 1, that is not rounded to decimals.
    at: f64,
    wheel: Wheel,
}

impl Number<'_> {
    /// The place of a value on the scale, 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let (low, high) = self.ends;
        let value = value.clamp(low, high);
        match self.law {
            Law::Linear => (value - low) / (high - low),
            Law::Log => (value / low).ln() / (high / low).ln(),
        }
    }

    /// The value at a place of the scale, with the decimals that are shown.
    fn value(&self, place: f64) -> f64 {
        let (low, high) = self.ends;
        let place = place.clamp(0.0, 1.0);
        let value = match self.law {
            Law::Linear => low + (high - low) * place,
            Law::Log => low * (high / low).powf(place),
        };
        self.rounded(value)
    }

    fn rounded(&self, value: f64) -> f64 {
        let (low, high) = self.ends;
        let tens = 10_f64.powi(i32::try_from(self.decimals).unwrap_or(0));
        ((value * tens).round() / tens).clamp(low, high)
    }

    /// The value that is `steps` steps from `now`.
    fn stepped(&self, now: f64, steps: f64) -> f64 {
        match self.law {
            Law::Linear => self.rounded(now + steps * self.step),
            Law::Log => self.value(self.place(now) + steps / self.step),
        }
    }

    /// Number and unit as they are shown: from 1000 Hz on in kHz.
    pub(crate) fn words(&self, value: f64) -> (String, &str) {
        if self.unit == "Hz" && value >= 999.5 {
            return (num((value / 1000.0) as f32, 1), "kHz");
        }
        let print = if self.is_signed { signed } else { num };
        (print(value as f32, self.decimals), self.unit)
    }

    /// The same in one text.
    fn text(&self, value: f64) -> String {
        let (number, unit) = self.words(value);
        let gap = if unit.is_empty() || unit.starts_with(':') { "" } else { "\u{a0}" };
        format!("{number}{gap}{unit}")
    }

    /// What a person wrote, with or without the unit: "-6,5 dB", "−12", "2.8k".
    fn read(&self, text: &str) -> Option<f64> {
        let text = text.trim().to_lowercase().replace('−', "-").replace(',', ".");
        let bare = text.strip_suffix(self.unit.to_lowercase().as_str()).unwrap_or(&text).trim();
        let kilo = bare.strip_suffix('k').filter(|_| self.unit == "Hz");
        let factor = if kilo.is_some() { 1000.0 } else { 1.0 };
        let number: f64 = kilo.unwrap_or(bare).trim().parse().ok()?;
        number.is_finite().then(|| self.rounded(number * factor))
    }

    /// A drag by `along`, a share of the scale.
    fn dragged(&self, response: &Response, now: f64, along: f32) -> Option<Turned> {
        let key = response.id.with("held");
        let context = &response.ctx;
        let mut held = held(context, key);
        if response.drag_started() {
            held.at = self.place(now);
        }
        if !response.dragged() {
            let set = || Turned { value: self.value(held.at), is_set: true };
            return response.drag_stopped().then(set);
        }
        held.at = (held.at + f64::from(along) * fineness(context)).clamp(0.0, 1.0);
        let turned = Turned { value: self.value(held.at), is_set: false };
        context.data_mut(|data| data.insert_temp(key, held));
        Some(turned)
    }

    /// What the wheel over it and the arrow keys in it make of `now`.
    fn steps(&self, cx: &Cx<'_>, response: &Response, filter: EventFilter) -> Option<f64> {
        let has_keys = context::has_keys(response, filter);
        let turns = match self.turns {
            Turns::Hovered => response.hovered(),
            Turns::Focused => response.hovered() && response.has_focus(),
        };
        let mut steps = 0.0;
        if turns {
            let key = response.id.with("held");
            let mut held = held(&response.ctx, key);
            steps += cx.ui.input(|input| f64::from(held.wheel.turned(input)));
            cx.ui.input_mut(|input| input.smooth_scroll_delta = vec2(0.0, 0.0));
            response.ctx.data_mut(|data| data.insert_temp(key, held));
        }
        if has_keys {
            steps += arrows(cx, filter);
        }
        let asked =
            |action| cx.ui.input(|it| it.num_accesskit_action_requests(response.id, action));
        steps += asked(Action::Increment) as f64 - asked(Action::Decrement) as f64;
        (steps != 0.0).then(|| steps * fineness(&response.ctx))
    }

    /// A step or a double click.
    fn set(
        &self,
        cx: &Cx<'_>,
        response: &Response,
        now: f64,
        filter: EventFilter,
    ) -> Option<Turned> {
        response.ctx.accesskit_node_builder(response.id, |node| {
            node.add_action(Action::Increment);
            node.add_action(Action::Decrement);
        });
        let stepped = self.steps(cx, response, filter).map(|steps| self.stepped(now, steps));
        let value = if response.double_clicked() { Some(self.usual) } else { stepped }?;
        Some(Turned { value, is_set: true })
    }
}

fn held(context: &egui::Context, key: Id) -> Held {
    context.data(|data| data.get_temp(key)).unwrap_or_default()
}

fn fineness(context: &egui::Context) -> f64 {
    if context.input(|input| input.modifiers.shift) { FINE } else { 1.0 }
}

fn arrows(cx: &Cx<'_>, filter: EventFilter) -> f64 {
    let pressed = |key| cx.ui.input(|input| input.num_presses(key)) as f64;
    let mut steps = pressed(Key::ArrowUp) - pressed(Key::ArrowDown);
    if filter.horizontal_arrows {
        steps += pressed(Key::ArrowRight) - pressed(Key::ArrowLeft);
    }
    steps
}

#[cfg(test)]
mod tests;
