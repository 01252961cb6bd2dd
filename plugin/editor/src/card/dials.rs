//! The numbers of a call that a person turns on the card of its plan: "Lower by 12 dB". A new number plans again. One that
//! is the depth of a gain over time can be turned on the lane too.

use super::measure_again;
use super::place::Place;
use super::view::Card;
use crate::action::Actions;
use crate::kit::number::{Number, Turned, Turns};
use crate::kit::scale::num;
use crate::kit::{Cut, Cx};
use crate::theme::{Type, space};
use crate::tools::Tools;
use deskhand_session::offers::Dial;
use deskhand_session::{Plan, PlanState};
use egui::{Rect, Ui, vec2};
use serde_json::Value;

const LINE: f32 = 32.0;
const FIELD: f32 = 104.0;

/// A dial with the value of the plan's call, and the range and usual value that the tool's schema has.
struct Turn {
    dial: Dial,
    now: f64,
    usual: f64,
    ends: (f64, f64),
}

/// The height of the dials of a plan.
pub(super) fn height(tools: &Tools, card: &Card) -> f32 {
    LINE * turns(tools, card).len() as f32
}

/// Draws the dials; says whether one of them has the keyboard.
pub(super) fn show(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    out: &mut Actions,
) -> bool {
    let mut rest = rect;
    let mut has_keys = false;
    for turn in turns(place.tools, card) {
        has_keys |= line(ui, card, &turn, rest.cut_top(LINE), out);
    }
    has_keys
}

fn line(ui: &mut Ui, card: &mut Card, turn: &Turn, row: Rect, out: &mut Actions) -> bool {
    let Dial { label, unit, .. } = &turn.dial;
    let cell = row.row_box(row.right() - space::M - FIELD, vec2(FIELD, 24.0));
    let cx = Cx::new(ui);
    cx.left(row.left_mid(space::M), label, Type::SMALL, cx.t.text);
    let now = shown(card, turn);
    if card.view.parts.asked.is_some() {
        let words = format!("{} {unit}", num(now as f32, decimals(unit)));
        cx.right(cell.right_mid(space::S), &words, Type::SMALL, cx.t.text_3);
        return false;
    }
    drop(cx);
    let Some(turned) = turn.number().field(ui, cell, now) else { return false };
    set(card, turn, turned, out);
    true
}

/// The value to show: under the hand, else on its way to the next plan, else that of the plan.
fn shown(card: &Card, turn: &Turn) -> f64 {
    let param = turn.dial.param.as_str();
    let held = card.view.turned.as_ref().filter(|(held, _)| held == param).map(|(_, at)| *at);
    let asked = || card.view.parts.asked.as_ref()?.params[param].as_f64();
    held.or_else(asked).unwrap_or(turn.now)
}

/// Takes a turn of a dial. Once it is set to another value, the plan is made again with it.
fn set(card: &mut Card, turn: &Turn, turned: Turned, out: &mut Actions) {
    let Dial { param, label, unit } = &turn.dial;
    card.view.turned = (!turned.is_set).then(|| (param.clone(), turned.value));
    if turned.is_set && turned.value != turn.now {
        let mut params = card.stored.plan.params.clone();
        params[param.as_str()] = turned.value.into();
        let words = format!("{label} {} {unit}", num(turned.value as f32, decimals(unit)));
        measure_again::with(card, words.trim_end(), params, out);
    }
}

/// The dial that says how deep a planned gain over time goes.
pub(crate) struct Depth {
    turn: Turn,
    /// The gain that the plan has at its deepest point, dB.
    floor: f64,
    /// The value of the dial as it is shown.
    pub(crate) value: f64,
    /// Nothing is planned again meanwhile.
    pub(crate) is_free: bool,
}

impl Depth {
    /// The dial in dB whose value is the gain of a plan that is furthest from 0 dB; `None` if there is none.
    pub(crate) fn of(tools: &Tools, card: &Card, floor: f64) -> Option<Self> {
        let is_it =
            |turn: &Turn| turn.dial.unit == "dB" && (turn.now.abs() - floor.abs()).abs() < 0.05;
        let turn = turns(tools, card).into_iter().find(|turn| floor != 0.0 && is_it(turn))?;
        let (value, is_free) = (shown(card, &turn), card.view.parts.asked.is_none());
        Some(Self { turn, floor, value, is_free })
    }

    pub(crate) fn param(&self) -> &str {
        &self.turn.dial.param
    }

    /// A gain of the plan as it is shown while the dial is turned.
    pub(crate) fn gain(&self, planned: f64) -> f64 {
        planned * self.value / self.turn.now
    }

    /// The deepest gain as it is shown.
    pub(crate) fn shown(&self) -> f64 {
        self.gain(self.floor)
    }

    /// A value of the dial whose deepest gain is higher by some dB.
    pub(crate) fn raised(&self, value: f64, decibels: f64) -> f64 {
        let (low, high) = self.turn.ends;
        (value + decibels * (self.turn.now / self.floor).signum()).clamp(low, high)
    }
}

/// Turns a dial of a card as if it were turned there; `None` gives it back as the plan has it.
pub(crate) fn turn_to(
    tools: &Tools,
    card: &mut Card,
    (param, turned): (&str, Option<Turned>),
    out: &mut Actions,
) {
    let turn = turns(tools, card).into_iter().find(|turn| turn.dial.param == param);
    match (turn, turned) {
        (Some(turn), Some(turned)) => set(card, &turn, turned, out),
        (_, None) | (None, _) => card.view.turned = None,
    }
}

impl Turn {
    fn number(&self) -> Number<'_> {
        let step = match self.dial.unit.as_str() {
            "ms" => 10.0,
            "%" => 5.0,
            "s" => 0.1,
            _ => 0.5,
        };
        Number {
            name: &self.dial.label,
            unit: &self.dial.unit,
            ends: self.ends,
            usual: self.usual,
            step,
            decimals: decimals(&self.dial.unit),
            turns: Turns::Focused,
            ..Number::default()
        }
    }
}

fn decimals(unit: &str) -> usize {
    if matches!(unit, "ms" | "%") { 0 } else { 1 }
}

/// The dials of a plan that waits: those with a value in its call, or a usual one.
fn turns(tools: &Tools, card: &Card) -> Vec<Turn> {
    let plan = &card.stored.plan;
    let is_waiting = card.stored.state == PlanState::Waiting && !plan.changes.is_empty();
    let Some(tool) = tools.get(&plan.tool).filter(|_| is_waiting) else { return Vec::new() };
    let properties = &tool.input_schema["properties"];
    let turn = |dial: &Dial| turn(dial, plan, &properties[dial.param.as_str()]);
    tool.offers.dials.iter().filter_map(turn).collect()
}

fn turn(dial: &Dial, plan: &Plan, schema: &Value) -> Option<Turn> {
    let given = plan.params[dial.param.as_str()].as_f64();
    let now = given.or(schema["default"].as_f64())?;
    let usual = schema["default"].as_f64().unwrap_or(now);
    let ends = (schema["minimum"].as_f64()?, schema["maximum"].as_f64()?);
    Some(Turn { dial: dial.clone(), now, usual, ends })
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;

    fn asked_for(lufs: f64) -> Harness<'static, Desk> {
        let mut model = with_plan();
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        plan.params = json!({"target_lufs": lufs});
        harness(model)
    }

    #[test]
    fn a_number_of_the_call_is_typed_and_planned_again_once() {
        let mut harness = asked_for(-16.0);
        harness.click_on("Loudness");
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.input_mut().events.push(egui::Event::Text("-18".to_owned()));
        harness.press(Key::Enter);
        harness.run_steps(2);
        let (tool, params) = ("tool_normalize".to_owned(), json!({"target_lufs": -18.0}));
        assert_eq!(harness.state().actions, [Action::Measure { tool, params }]);
        assert!(harness.query_by_label("Loudness").is_none(), "it is planned again");
    }

    #[test]
    fn a_number_that_the_call_leaves_out_has_no_dial() {
        assert!(harness(with_plan()).query_by_label("Loudness").is_none());
    }
}
