//! How the areas of the app's window share it.

use serde::{Deserialize, Serialize};

/// Smallest and largest width of the conversation, points.
pub(crate) const CONVERSATION: (f32, f32) = (416.0, 520.0);
/// Smallest and largest height of the mixer, points.
pub(crate) const MIXER: (f32, f32) = (180.0, 600.0);
/// Smallest and largest height of the processors in the place of the mixer, points.
pub(crate) const PROCESSORS: (f32, f32) = (360.0, 720.0);
/// Smallest and largest width of the words beside the timeline, points.
pub(crate) const WORDS: (f32, f32) = (280.0, 560.0);
/// The heights of a track to choose from, points, and what they are called.
pub(crate) const TRACKS: [(f32, &str); 3] = [(52.0, "Low"), (76.0, "Usual"), (120.0, "High")];

/// Sizes in points, as the person set them. A window with less room shows less.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// Width of the conversation, 416 to 520.
    pub conversation: f32,
    /// Height of the mixer, 180 to 600.
    pub mixer: f32,
    /// Height of the processors in the place of the mixer, 360 to 720.
    pub processors: f32,
    /// The processors are in a window of their own.
    pub floats_processors: bool,
    /// The mixer is put away.
    pub hides_mixer: bool,
    /// Width of the words beside the timeline, 280 to 560.
    pub words: f32,
    /// Height of a track on the timeline, 52 to 120.
    pub track: f32,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            conversation: CONVERSATION.0,
            mixer: 280.0,
            processors: 560.0,
            floats_processors: false,
            hides_mixer: false,
            words: 360.0,
            track: TRACKS[1].0,
        }
    }
}

impl Layout {
    /// The same with the usual size in place of each that is out of its range: a file may hold anything.
    #[must_use]
    pub fn checked(self) -> Self {
        let usual = Self::default();
        let within = |size: f32, (least, most): (f32, f32), usual: f32| {
            if (least..=most).contains(&size) { size } else { usual }
        };
        Self {
            conversation: within(self.conversation, CONVERSATION, usual.conversation),
            mixer: within(self.mixer, MIXER, usual.mixer),
            processors: within(self.processors, PROCESSORS, usual.processors),
            words: within(self.words, WORDS, usual.words),
            track: within(self.track, (TRACKS[0].0, TRACKS[2].0), usual.track),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_out_of_its_range_is_the_usual_one() {
        let usual = Layout::default();
        assert_eq!(usual.checked(), usual);
        let set = Layout {
            conversation: 480.0,
            mixer: 200.0,
            processors: 400.0,
            floats_processors: true,
            hides_mixer: true,
            words: 440.0,
            track: 120.0,
        };
        assert_eq!(set.checked(), set);
        for size in [f32::NAN, f32::INFINITY, -1.0, 0.0, 9_000.0] {
            let set = Layout { conversation: size, mixer: size, processors: size, ..usual };
            let set = Layout { words: size, track: size, ..set };
            assert_eq!(set.checked(), usual, "{size}");
        }
    }
}
