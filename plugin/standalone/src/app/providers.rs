//! The provider, as the person set it.

use super::App;
use deskhand_agent::provider::Reach;
use deskhand_editor::SettingsChange;

impl App {
    /// Applies the person's settings of providers.
    pub(super) fn set_provider(&mut self, change: SettingsChange) {
        match change {
            SettingsChange::Provider(provider) => self.preferences.choose(provider),
            SettingsChange::Model { provider, model } => {
                self.preferences.set_model(provider, model);
            }
            SettingsChange::Key { provider, key } => self.preferences.keep_key(provider, key),
            SettingsChange::Server { address, model } => {
                self.preferences.add_server(address, model);
            }
            SettingsChange::Test { provider } => {
                let is_local = self.model.is_local_only();
                let reach = if is_local { Reach::LocalOnly } else { Reach::Anywhere };
                self.preferences.test(provider, reach);
            }
            _ => {}
        }
    }
}
