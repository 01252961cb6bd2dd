//! What a window keeps from one start to the next: recent sessions, size and areas, theme, zoom, the sound
//! device. A file in this user's data folder; where it cannot be read the window begins anew.

use crate::sound::Choice;
use deskhand_editor::Layout;
use deskhand_protocol::helper::data_folder;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Sessions that are remembered.
const RECENT: usize = 12;
/// Smallest and largest side of a window, points.
const SIDES: [f32; 2] = [600.0, 8_000.0];
/// Smallest and largest zoom.
const ZOOMS: [f32; 2] = [0.5, 3.0];

/// What is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// Session folders, the newest first.
    pub recent: Vec<PathBuf>,
    /// Light instead of dark.
    pub is_light: bool,
    /// How much larger than usual everything is drawn where the window has room for it.
    pub zoom: Option<f32>,
    /// Width and height of the window, points.
    pub size: Option<[f32; 2]>,
    /// Nothing moves that does not have to.
    pub reduces_motion: bool,
    /// How the areas of the window share it.
    pub layout: Layout,
    /// The sound device.
    pub sound: Choice,
}

impl Kept {
    /// The file of this user; none without a home.
    #[must_use]
    pub fn file() -> Option<PathBuf> {
        data_folder().map(|folder| folder.join("window.toml"))
    }

    /// What `file` holds; numbers out of range are left out.
    #[must_use]
    pub fn load(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_default();
        let mut kept: Self = toml::from_str(&text).unwrap_or_default();
        let within = |value: f32, [least, most]: [f32; 2]| (least..=most).contains(&value);
        kept.zoom = kept.zoom.filter(|zoom| within(*zoom, ZOOMS));
        kept.size = kept.size.filter(|size| size.iter().all(|side| within(*side, SIDES)));
        kept.layout = kept.layout.checked();
        kept.recent.truncate(RECENT);
        kept
    }

    /// Writes it to `file`, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, file: &Path) -> std::io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let text = toml::to_string(self).map_err(std::io::Error::other)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(text.as_bytes())?;
        new.persist(file).map_err(|failed| failed.error)?;
        Ok(())
    }

    /// Puts a session first.
    pub fn remember(&mut self, session: &Path) {
        self.recent.retain(|known| known != session);
        self.recent.insert(0, session.to_owned());
        self.recent.truncate(RECENT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_nonsense_does_not() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("data/window.toml");
        assert_eq!(Kept::load(&file), Kept::default());
        let mut kept = Kept { zoom: Some(1.25), size: Some([1_000.0, 700.0]), ..Kept::default() };
        kept.sound.rate = Some(44_100);
        kept.layout = Layout { conversation: 480.0, hides_mixer: true, ..Layout::default() };
        for number in 0..20 {
            kept.remember(&PathBuf::from(format!("song {number}")));
        }
        kept.remember(Path::new("song 15"));
        kept.save(&file).unwrap();
        let again = Kept::load(&file);
        assert_eq!(again, kept);
        assert_eq!((again.recent.len(), again.recent[0].as_path()), (12, Path::new("song 15")));
        fs::write(&file, "zoom = 90.0\nsize = [1.0, 2.0]\nis_light = true").unwrap();
        let kept = Kept::load(&file);
        assert_eq!((kept.zoom, kept.size, kept.is_light), (None, None, true));
        fs::write(&file, "[layout]\nmixer = nan\nhides_mixer = true").unwrap();
        let layout = Layout { hides_mixer: true, ..Layout::default() };
        assert_eq!(Kept::load(&file), Kept { layout, ..Kept::default() });
        fs::write(&file, "no toml").unwrap();
        assert_eq!(Kept::load(&file), Kept::default());
    }
}
