//! One track, bus or the mix, with the processors that this tool sets on it.

use super::reference::Reference;
use deskhand_dsp::effects::{Band, Effect};
use deskhand_session::{
    Change, Edit, IdSeed, InsertId, InsertOwner, ObjectId, PlacedInsert, Session, Switch,
};

/// The places of the equalizer and the compressor that this tool sets, by which they are known again. Only a limiter
/// comes after them.
const EQUALIZER: u32 = 91;
pub(super) const COMPRESSOR: u32 = 92;
const LIMITER: u32 = 99;

/// One track, bus or the mix.
pub(super) struct Sound<'a> {
    pub(super) session: &'a Session,
    pub(super) on: InsertOwner,
    pub(super) target: ObjectId,
    pub(super) name: String,
    pub(super) reference: Reference,
}

/// A change with the name of its target, and why.
pub(super) struct Planned {
    pub(super) change: Change,
    pub(super) name: String,
    pub(super) why: String,
}

impl<'a> Sound<'a> {
    pub(super) fn of(session: &'a Session, on: InsertOwner) -> Self {
        let target = match on {
            InsertOwner::Master => session.id.into(),
            InsertOwner::Track(id) => id.into(),
        };
        let name = session.name_of(target);
        Self { session, on, target, name, reference: Reference::of(session, on) }
    }

    /// The processor of this tool of a kind, at its place.
    fn own(
        &self,
        is_kind: impl Fn(&Effect) -> bool,
        place: u32,
    ) -> Option<(InsertId, PlacedInsert)> {
        let inserts = self.session.inserts_on(self.on).into_iter();
        let mut own = inserts.filter(|(_, it)| it.index == place && is_kind(&it.effect));
        own.next().map(|(id, insert)| (id, insert.clone()))
    }

    /// The equalizer of this tool.
    fn equalizer(&self) -> Option<(InsertId, PlacedInsert)> {
        self.own(|effect| matches!(effect, Effect::Equalizer(_)), EQUALIZER)
    }

    /// The compressor of this tool.
    pub(super) fn compressor(&self) -> Option<(InsertId, PlacedInsert)> {
        self.own(|effect| matches!(effect, Effect::Compressor(_)), COMPRESSOR)
    }

    /// The bands of this tool that work.
    pub(super) fn bands(&self) -> Vec<Band> {
        match self.equalizer() {
            Some((_, PlacedInsert { switch: Switch::On, effect: Effect::Equalizer(it), .. })) => {
                it.bands
            }
            _ => Vec::new(),
        }
    }

    /// The change that sets this tool's equalizer or compressor.
    pub(super) fn set(&self, effect: Effect, why: String, ids: &mut IdSeed) -> Planned {
        let (own, index) = match effect {
            Effect::Equalizer(_) => (self.equalizer(), EQUALIZER),
            _ => (self.compressor(), COMPRESSOR),
        };
        let (target, before) = match own {
            Some((id, before)) => (id, Some(before)),
            None => (InsertId::new(ids.next_bits()), None),
        };
        let name = self.called(&effect);
        let after = PlacedInsert { on: self.on, index, switch: Switch::On, effect };
        Planned { change: Change::SetInsert(Edit::new(target, before, Some(after))), name, why }
    }

    /// The change that puts a limiter which is last behind the processors of this tool: it must hear what they raise.
    pub(super) fn limiter_last(&self) -> Option<Planned> {
        let (id, before) = self.session.inserts_on(self.on).pop()?;
        if !matches!(before.effect, Effect::Limiter(_)) || before.index > COMPRESSOR {
            return None;
        }
        let name = self.called(&before.effect);
        let after = PlacedInsert { index: LIMITER, ..before.clone() };
        let change = Change::SetInsert(Edit::new(id, Some(before.clone()), Some(after)));
        Some(Planned { change, name, why: "it stays last, so that it hears every boost".into() })
    }

    /// "equalizer of Voice".
    fn called(&self, effect: &Effect) -> String {
        format!("{} of {}", effect.title(), self.name)
    }
}
