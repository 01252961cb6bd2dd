//! What the parts of the window of processors read in a frame, and what they call things.

use crate::kit::number::Turned;
use crate::scene::Scene;
use crate::settings::Preset;
use deskhand_dsp::effects::{Effect, EffectReading};
use deskhand_session::{InsertId, InsertOwner, Session};
use egui::Color32;

/// The kinds, as commands and people call them.
pub(super) const KINDS: [(&str, &str); 5] = [
    ("equalizer", "Equalizer"),
    ("compressor", "Compressor"),
    ("de_esser", "De-esser"),
    ("gate", "Gate"),
    ("limiter", "Limiter"),
];

pub(super) fn parameter(owner: InsertOwner) -> String {
    match owner {
        InsertOwner::Master => "master".into(),
        InsertOwner::Track(id) => id.to_string(),
    }
}

pub(super) fn name_of(session: &Session, owner: InsertOwner) -> String {
    match owner {
        InsertOwner::Master => "the mix".into(),
        InsertOwner::Track(id) => session.name_of(id.into()),
    }
}

/// How a person calls a kind.
pub(super) fn title_of(effect: &Effect) -> &'static str {
    let [equalizer, compressor, de_esser, gate, limiter] = KINDS.map(|(_, title)| title);
    match effect {
        Effect::Equalizer(_) => equalizer,
        Effect::Compressor(_) => compressor,
        Effect::DeEsser(_) => de_esser,
        Effect::Gate(_) => gate,
        Effect::Limiter(_) => limiter,
    }
}

/// The same for each of a chain, with numbers where there are more of a kind.
pub(super) fn titles<'a>(effects: impl Iterator<Item = &'a Effect>) -> Vec<String> {
    let kinds: Vec<&str> = effects.map(title_of).collect();
    let count = |kinds: &[&str], title: &str| kinds.iter().filter(|it| **it == title).count();
    let title = |(at, title): (usize, &&str)| match count(&kinds, title) {
        1 => (*title).to_owned(),
        _ => format!("{title} {}", count(&kinds[..=at], title)),
    };
    kinds.iter().enumerate().map(title).collect()
}

/// How the processors are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// In the place of the mixer.
    Docked,
    /// In a window, because the person took them out.
    Floating,
    /// In a window, because there is no other place.
    Fixed,
}

/// What the parts of the window read in a frame.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) owner: InsertOwner,
    /// The track's hue; the mix has none.
    pub(super) hue: Color32,
    pub(super) frame: Frame,
    /// What a person saved, where that is kept.
    pub(super) presets: Option<&'a [Preset]>,
}

impl<'a> Place<'a> {
    /// What was measured of a processor; `None` without a player of our own.
    pub(super) fn reading(&self, id: InsertId) -> Option<&'a EffectReading> {
        let watched = self.scene.live.watched.as_ref().filter(|it| it.insert == id);
        watched.map(|it| &it.reading).filter(|it| !it.columns.is_empty())
    }

    /// What a processor is called among those of its strip.
    pub(super) fn title(&self, id: InsertId) -> String {
        let placed = self.scene.session.inserts_on(self.owner);
        let titles = titles(placed.iter().map(|(_, placed)| &placed.effect));
        let mut all = placed.iter().zip(titles);
        all.find(|((it, _), _)| *it == id).map(|(_, title)| title).unwrap_or_default()
    }

    pub(super) fn moves(&self) -> bool {
        self.scene.live.motion == crate::Motion::Playing
    }
}

/// The edit of settings in this frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    #[default]
    Untouched,
    /// They move.
    Held,
    /// They are to be set.
    Done,
}

impl Touch {
    /// The edit of a number; its value goes to `to`.
    pub(super) fn of(turned: Option<Turned>, to: &mut f64) -> Self {
        let Some(Turned { value, is_set }) = turned else { return Self::Untouched };
        *to = value;
        if is_set { Self::Done } else { Self::Held }
    }
}
