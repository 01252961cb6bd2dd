//! The state of the preferences between frames.

use super::answers::server::Form;
use crate::icons;
use crate::settings::Settings;
use deskhand_protocol::Rule;

/// What the sheet was opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Settings,
    Keys,
}

/// A section of the preferences, in the order of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Section {
    Sound,
    Capture,
    Answers,
    Decisions,
    Models,
    Tools,
    Looks,
    Keys,
    About,
}

impl Section {
    pub(super) const ALL: [Self; 9] = [
        Self::Sound,
        Self::Capture,
        Self::Answers,
        Self::Decisions,
        Self::Models,
        Self::Tools,
        Self::Looks,
        Self::Keys,
        Self::About,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sound => "Sound",
            Self::Capture => "Capture",
            Self::Answers => "Who answers",
            Self::Decisions => "Decisions",
            Self::Models => "Models",
            Self::Tools => "Tools of this session",
            Self::Looks => "Look",
            Self::Keys => "Shortcuts",
            Self::About => "About Deskhand",
        }
    }

    /// What can be set there, for who looks for it.
    fn words(self) -> &'static str {
        match self {
            Self::Sound => "output device rate buffer samples",
            Self::Capture => "record minutes kept captured audio limit",
            Self::Answers => "provider offline model key server test",
            Self::Decisions => "ask always bigger changes rules tools allow",
            Self::Models => "install remove download",
            Self::Tools => "approve",
            Self::Looks => "theme dark light zoom size height of tracks reduce motion",
            Self::Keys => "keyboard keys",
            Self::About => "version licenses fonts",
        }
    }

    /// Whether something there is called so; `wanted` is in lower case.
    pub(super) fn has(self, wanted: &str) -> bool {
        self.name().to_lowercase().contains(wanted) || self.words().contains(wanted)
    }

    pub(super) fn icon(self) -> char {
        match self {
            Self::Sound => icons::SPEAKER_HIGH,
            Self::Capture => icons::RECORD,
            Self::Answers => icons::CHAT_CIRCLE,
            Self::Decisions => icons::CHECK_CIRCLE,
            Self::Models => icons::CPU,
            Self::Tools => icons::STACK,
            Self::Looks => icons::EYE,
            Self::Keys => icons::KEYBOARD,
            Self::About => icons::INFO,
        }
    }
}

impl Settings {
    pub(super) fn has_sound(&self) -> bool {
        !(self.devices.is_empty() && self.rates.is_empty() && self.buffers.is_empty())
    }

    /// Whether the provider that answers has no key, and needs one.
    fn lacks_key(&self) -> bool {
        let mut all = self.providers.iter();
        let known = all.find(|known| Some(&known.id) == self.provider.as_ref());
        known.is_some_and(|known| known.needs_key && !known.has_key)
    }
}

/// What the preferences keep between frames.
#[derive(Default)]
pub(crate) struct Preferences {
    pub(crate) page: Option<Page>,
    /// The section that was chosen; `None` takes the one that is needed, or the first.
    section: Option<Section>,
    /// The setting that is looked for.
    pub(super) find: String,
    /// The zoom that the app's window is drawn at: it may be too small for the chosen one.
    pub(crate) zoom: Option<f32>,
    pub(crate) typed: Typed,
    /// A rule that is being made.
    pub(super) rule: Draft,
}

impl Preferences {
    pub(crate) fn toggle(&mut self, page: Page) {
        self.page = if self.page == Some(page) { None } else { Some(page) };
        self.section = None;
        self.find.clear();
        self.typed = Typed::default();
    }

    pub(crate) fn open_rules(&mut self) {
        self.go(Section::Decisions);
    }

    pub(crate) fn go(&mut self, section: Section) {
        let is_keys = section == Section::Keys;
        self.page = Some(if is_keys { Page::Keys } else { Page::Settings });
        self.section = Some(section);
    }

    /// Keeps the section until the sheet is closed: what was set may be what opened it.
    pub(super) fn stay(&mut self, section: Section) {
        self.section = Some(section);
    }

    /// The section to show. The first time it is who answers, if a key is missing there.
    pub(super) fn section(&self, settings: Option<&Settings>, shown: &[Section]) -> Section {
        let chosen = self.section.filter(|section| shown.contains(section));
        if self.page == Some(Page::Keys) {
            return Section::Keys;
        }
        let lacks_key = settings.is_some_and(Settings::lacks_key);
        let needed = (lacks_key && shown.contains(&Section::Answers)).then_some(Section::Answers);
        chosen.or(needed).or(shown.first().copied()).unwrap_or(Section::About)
    }
}

/// The texts being typed about the provider.
#[derive(Default)]
pub(crate) struct Typed {
    pub(super) key: String,
    /// The provider whose key field had the keyboard: it takes it once.
    pub(super) asked_for: Option<String>,
    /// The name of a model, and its provider.
    pub(super) model: Option<(String, String)>,
    pub(super) server: Form,
}

/// A rule that is being made.
#[derive(Default)]
pub(crate) struct Draft {
    pub(super) tool: Option<String>,
    pub(super) rule: Option<Rule>,
    /// The search text for the tools.
    pub(super) search: String,
    /// The list of tools was open in the frame before.
    pub(super) is_open: bool,
}
