//! A model that words say is missing, and the button that installs it: on notices, lines of calls and cards.

use crate::action::{Action, Actions};
use crate::kit::controls::{Button, Kind, State, hint};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::settings::{ModelOffer, Settings, SettingsChange};
use egui::{Rect, vec2};

/// Height of a row with the button.
pub(crate) const ROW: f32 = 32.0;

/// Why a tool says that a model is missing, and then how to get it.
const ASKS: &str = "models install ";
/// How the way at a terminal begins.
const AT_TERMINAL: &str = "; `deskhand models install ";

/// The model that words say is missing, where the application can install it.
pub(crate) fn offer(settings: Option<&Settings>, words: &str) -> Option<ModelOffer> {
    let (_, behind) = words.split_once(ASKS)?;
    let is_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let id = behind.split(|c: char| !is_id(c)).next()?;
    settings?.models.iter().find(|offer| offer.id == id && !offer.is_installed).cloned()
}

/// The same of a model of the views.
pub(crate) fn of(model: &Model, words: &str) -> Option<ModelOffer> {
    offer(model.settings.as_ref(), words)
}

/// The text without the terminal command, for use next to the button.
pub(crate) fn beside_button(words: &str) -> &str {
    words.find(AT_TERMINAL).map_or(words, |at| &words[..at])
}

pub(crate) struct Install<'a> {
    offer: &'a ModelOffer,
    /// What it can say, the most first.
    labels: Vec<String>,
}

impl<'a> Install<'a> {
    /// The text about the download, or the progress.
    pub(crate) fn of(offer: &'a ModelOffer) -> Self {
        let size = offer.download as f64 / 1e6;
        let labels = if offer.is_busy {
            vec![format!("Installing {}…", offer.title), "Installing…".into()]
        } else {
            let sized = format!("Install, {size:.0}\u{a0}MB");
            let whole = format!("Install {}, {size:.0}\u{a0}MB", offer.title);
            vec![whole, sized, "Install".into()]
        };
        Self { offer, labels }
    }

    /// The label that fits into a width, in points.
    fn label(&self, cx: &Cx<'_>, room: f32) -> &str {
        let fits = |label: &&String| Button::new(Kind::Secondary, label).width(cx) <= room;
        self.labels.iter().find(fits).or(self.labels.last()).map_or("", String::as_str)
    }

    /// Its width in a room of this width, points.
    pub(crate) fn width(&self, cx: &Cx<'_>, room: f32) -> f32 {
        Button::new(Kind::Secondary, self.label(cx, room)).width(cx)
    }

    /// Draws it at the left of `row`; whether it was clicked.
    pub(crate) fn show(&self, cx: &Cx<'_>, row: Rect, salt: u64, out: &mut Actions) -> bool {
        let state = if self.offer.is_busy { State::Disabled } else { State::Normal };
        let label = self.label(cx, row.width());
        let button = Button::new(Kind::Secondary, label).state(state).salt(salt);
        let cell = row.row_box(row.left(), vec2(button.width(cx), 24.0));
        let whole = self.labels.first().map_or("", String::as_str);
        let clicked = hint(button.show(cx, cell), whole).clicked() && !self.offer.is_busy;
        if clicked {
            let model = self.offer.id.clone();
            out.push(Action::Settings(SettingsChange::Install { model }));
        }
        clicked
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;
    use crate::{ModelOffer, Settings, SettingsChange};
    use deskhand_session::{Author, Said};

    const WORDS: &str =
        "the model whisper-tiny is not installed; `deskhand models install whisper-tiny` gets it";
    const BUTTON: &str = "Install Whisper tiny, 75\u{a0}MB";

    fn model() -> Model {
        let mut model = open_model();
        let offer = ModelOffer {
            id: "whisper-tiny".into(),
            title: "Whisper tiny".into(),
            download: 75_000_000,
            ..ModelOffer::default()
        };
        model.settings = Some(Settings { models: vec![offer], ..Settings::default() });
        model
    }

    fn installs(model: Model) {
        let mut harness = harness(model);
        harness.click_on(BUTTON);
        let install = SettingsChange::Install { model: "whisper-tiny".into() };
        assert_eq!(harness.state().actions, [Action::Settings(install)]);
        let offers = &mut harness.state_mut().model.settings.as_mut().unwrap().models;
        offers[0].is_busy = true;
        harness.run_steps(2);
        assert!(harness.query_by_label("Installing Whisper tiny…").is_some());
    }

    #[test]
    fn a_call_that_failed_for_want_of_a_model_offers_it() {
        let mut model = model();
        let parts = [
            (
                "assistant",
                json!([{"type": "tool_call", "id": "a", "name": "tool_transcribe", "arguments": {}}]),
            ),
            (
                "user",
                json!([{"type": "tool_result", "id": "a", "content": {"summary": WORDS}, "is_error": true}]),
            ),
        ];
        for (number, (role, parts)) in (2..).zip(parts) {
            let message = json!({"role": role, "parts": parts});
            let said = Said { author: Author::Agent, message, time_ms: 1 };
            drop(model.hear(&event(number, None, News::Said { said })));
        }
        installs(model);
    }

    #[test]
    fn a_notice_beside_the_lanes_says_it_without_a_command_and_its_button_stays_inside() {
        let long = "Whisper tiny, with a name that has no room in a notice beside the lanes";
        for (title, button) in [("Whisper tiny", BUTTON), (long, "Install, 75\u{a0}MB")] {
            let mut model = model();
            title.clone_into(&mut model.settings.as_mut().unwrap().models[0].title);
            model.tell("job", WORDS);
            let harness = harness(model);
            let toast = harness.get_by_label("The model whisper-tiny is not installed").rect();
            let button = harness.get_by_label(button).rect();
            assert!(toast.contains_rect(button), "{button:?} in {toast:?}");
        }
    }

    #[test]
    fn a_card_whose_tool_would_do_better_with_a_model_offers_it() {
        let mut model = model();
        let plan = Plan { warnings: vec![WORDS.into()], ..gain_plan() };
        drop(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })));
        installs(model);
    }
}
