//! The state of the window of processors between frames.

use crate::action::{Action, Actions, Gesture, call};
use crate::scene::Scene;
use deskhand_dsp::effects::Effect;
use deskhand_session::{InsertId, InsertOwner, PlacedInsert, RevisionId};
use serde_json::json;

/// The state that the window of processors keeps between frames.
#[derive(Default)]
pub(crate) struct InsertsView {
    /// Whose processors are shown.
    pub(crate) open: Option<InsertOwner>,
    /// The processor whose settings are shown.
    pub(super) shown: Option<InsertId>,
    /// The inserts of the frame before.
    pub(super) known: Vec<InsertId>,
    pub(super) draft: Option<Draft>,
    /// The band of the equalizer that was touched last.
    pub(super) band: usize,
    /// The error about the last typed value, and its processor.
    pub(super) wrong: Option<(InsertId, String)>,
}

/// Settings under the hand, or on their way to the session.
pub(super) struct Draft {
    pub(super) id: InsertId,
    pub(super) effect: Effect,
    /// The revision at which they were sent.
    pub(super) sent: Option<RevisionId>,
}

impl crate::Model {
    /// The processor whose sound is shown: the player measures it.
    #[must_use]
    pub fn watched_insert(&self) -> Option<InsertId> {
        let view = &self.desk.inserts;
        view.shown.filter(|_| view.open.is_some())
    }
}

impl InsertsView {
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
            self.draft = None;
        }
        let draft = self.draft.as_ref().filter(|draft| draft.id == id);
        draft.map_or_else(|| placed.effect.clone(), |draft| draft.effect.clone())
    }

    /// A setting moves: it is audible at once, and set when it is let go.
    pub(super) fn hold(&mut self, id: InsertId, effect: Effect, out: &mut Actions) {
        let is_other = self.draft.as_ref().is_none_or(|draft| draft.effect != effect);
        if is_other {
            out.push(Action::PreviewInsert { insert: id, effect: effect.clone() });
        }
        self.draft = Some(Draft { id, effect, sent: None });
    }

    /// Sends the edited settings as one call. A number field reports its end two frames later, even if its
    /// value is unchanged.
    pub(super) fn send(
        &mut self,
        id: InsertId,
        effect: Effect,
        scene: Scene<'_>,
        out: &mut Actions,
    ) {
        let stands = match self.draft.as_ref().filter(|draft| draft.id == id) {
            Some(draft) => draft.sent.is_some() && draft.effect == effect,
            None => scene.session.inserts.get(&id).is_some_and(|placed| placed.effect == effect),
        };
        if stands {
            return;
        }
        let settings = serde_json::to_value(&effect).unwrap_or_default();
        out.push(call(Gesture::SetInsert, json!({"insert": id, "effect": settings})));
        self.draft = Some(Draft { id, effect, sent: Some(scene.head) });
    }
}
