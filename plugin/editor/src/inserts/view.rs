//! The state of the window of processors between frames.

use crate::action::{Action, Actions, Gesture, call};
use crate::inserts::figures::Figures;
use crate::kit::name_field::NameField;
use crate::scene::Scene;
use deskhand_dsp::effects::Effect;
use deskhand_session::{InsertId, InsertOwner, PlacedInsert, RevisionId};
use serde_json::json;
use std::collections::BTreeMap;

/// The state that the window of processors keeps between frames.
#[derive(Default)]
pub(crate) struct InsertsView {
    /// Whose processors are shown.
    pub(crate) open: Option<InsertOwner>,
    /// They are in the place of the mixer.
    pub(crate) is_docked: bool,
    /// The processor whose settings are shown.
    pub(super) shown: Option<InsertId>,
    /// The inserts of the frame before.
    pub(super) known: Vec<InsertId>,
    draft: Option<Draft>,
    /// What a preview lets be heard in place of the session's settings.
    previewed: Option<(InsertId, Effect)>,
    /// The equalizer of which a band is heard alone.
    solo: Option<InsertId>,
    /// The chosen band is to be heard alone until the button is pressed again.
    pub(super) is_alone: bool,
    /// The revision at which a preview was heard last: a new one is played as it is set.
    heard_at: RevisionId,
    /// The band of the equalizer that was touched last.
    pub(super) band: usize,
    pub(super) spectra: Spectra,
    pub(super) range: Range,
    /// The settings of the side, A or B, that is not shown.
    pub(super) sides: BTreeMap<InsertId, OtherSide>,
    pub(super) figures: Figures,
    /// A processor that was removed, and the revision without it.
    pub(super) removed: Option<Removed>,
    /// The name of a preset that is being typed.
    pub(super) naming: Option<NameField>,
}

/// Which spectra are drawn behind the curve of an equalizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Spectra {
    Off,
    Before,
    After,
    #[default]
    Both,
}

/// How many dB the graph of an equalizer has above and below zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Range {
    Six,
    #[default]
    Fifteen,
    Thirty,
}

/// The side that is not shown.
pub(super) struct OtherSide {
    /// The letter of the side that is shown.
    pub(super) shown: Letter,
    pub(super) effect: Effect,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Letter {
    #[default]
    A,
    B,
}

/// A processor that was removed.
pub(super) struct Removed {
    pub(super) id: InsertId,
    pub(super) title: String,
    /// The revision without it, once there is one.
    pub(super) since: Option<RevisionId>,
}

/// Settings under the hand, or on their way to the session.
struct Draft {
    id: InsertId,
    effect: Effect,
    /// The revision at which they were sent.
    sent: Option<RevisionId>,
}

impl InsertsView {
    /// Shows another processor.
    pub(super) fn choose(&mut self, id: InsertId) {
        (self.shown, self.band, self.is_alone) = (Some(id), 0, false);
    }

    /// The settings to show: those being edited, else those of the session.
    pub(super) fn effect(
        &mut self,
        id: InsertId,
        placed: &PlacedInsert,
        scene: Scene<'_>,
    ) -> Effect {
        // They arrived, or they were refused.
        let is_over = |sent| sent != scene.head || !scene.runs(&[Gesture::SetInsert]);
        let is_over = |draft: &Draft| draft.sent.is_some_and(is_over);
        if self.draft.as_ref().is_some_and(is_over) {
            (self.draft, self.previewed) = (None, None);
        }
        if self.heard_at != scene.head {
            (self.heard_at, self.previewed) = (scene.head, None);
        }
        let draft = self.draft.as_ref().filter(|draft| draft.id == id);
        draft.map_or_else(|| placed.effect.clone(), |draft| draft.effect.clone())
    }

    /// A setting moves: it is audible at once, and set when it is let go.
    pub(super) fn hold(&mut self, id: InsertId, effect: Effect, out: &mut Actions) {
        self.preview(id, &effect, out);
        self.draft = Some(Draft { id, effect, sent: None });
    }

    /// Lets settings be heard that are not set.
    pub(super) fn preview(&mut self, id: InsertId, effect: &Effect, out: &mut Actions) {
        let is_heard = |(of, heard): &(InsertId, Effect)| *of == id && heard == effect;
        if !self.previewed.as_ref().is_some_and(is_heard) {
            out.push(Action::PreviewInsert { insert: id, effect: effect.clone() });
            self.previewed = Some((id, effect.clone()));
        }
    }

    /// A band is heard alone.
    pub(super) fn solo(&mut self, id: InsertId, alone: &Effect, out: &mut Actions) {
        self.preview(id, alone, out);
        self.solo = Some(id);
    }

    /// A band is heard alone while its settings move.
    pub(super) fn hold_alone(
        &mut self,
        id: InsertId,
        (effect, alone): (Effect, Effect),
        out: &mut Actions,
    ) {
        self.solo(id, &alone, out);
        self.draft = Some(Draft { id, effect, sent: None });
    }

    /// All of it is heard again.
    pub(super) fn solo_no_more(&mut self, id: InsertId, effect: &Effect, out: &mut Actions) {
        if self.solo.take_if(|solo| *solo == id).is_some() {
            self.preview(id, effect, out);
        }
    }

    /// All of an equalizer is heard again once it is not shown any more.
    pub(super) fn leave_solo(&mut self, scene: Scene<'_>, out: &mut Actions) {
        let shown = self.open.and(self.shown);
        let Some(id) = self.solo.filter(|id| Some(*id) != shown) else { return };
        self.is_alone = false;
        match scene.session.inserts.get(&id) {
            Some(placed) => self.solo_no_more(id, &placed.effect, out),
            None => self.solo = None,
        }
    }

    /// Sends the edited settings as one call. Without a change, nothing is sent.
    pub(super) fn send(
        &mut self,
        id: InsertId,
        effect: Effect,
        scene: Scene<'_>,
        out: &mut Actions,
    ) {
        let own = self.draft.take().filter(|draft| draft.id == id);
        let sent = own.filter(|draft| draft.sent.is_some());
        let placed = scene.session.inserts.get(&id).map(|placed| &placed.effect);
        if sent.as_ref().map(|draft| &draft.effect).or(placed) == Some(&effect) {
            // What was heard meanwhile goes back to it.
            if self.previewed.as_ref().is_some_and(|(of, _)| *of == id) {
                self.preview(id, &effect, out);
            }
            self.draft = sent;
            return;
        }
        let settings = serde_json::to_value(&effect).unwrap_or_default();
        out.push(call(Gesture::SetInsert, json!({"insert": id, "effect": settings})));
        self.draft = Some(Draft { id, effect, sent: Some(scene.head) });
    }

    /// Removes a processor.
    pub(super) fn remove(&mut self, id: InsertId, title: &str, out: &mut Actions) {
        out.push(call(Gesture::RemoveInsert, json!({"insert": id})));
        self.removed = Some(Removed { id, title: title.to_owned(), since: None });
    }
}
