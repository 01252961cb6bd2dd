//! A made-up project as REAPER writes it.

use super::{Clip, Curve, Fade, Marker, Project, RATE, Track, amplitude, seconds};
use std::fmt::Write as _;

impl Project {
    /// The text of an `.RPP` file. Recordings are next to it.
    pub(crate) fn reaper(&self) -> String {
        let mut text = format!(
            "<REAPER_PROJECT 0.1 \"7.06/linux-x86_64\" 1700000000\n  SAMPLERATE {RATE} 0 0\n  TEMPO 120 4 4\n"
        );
        for (number, marker) in self.markers.iter().enumerate() {
            add_marker(&mut text, number + 1, marker);
        }
        for (number, track) in self.tracks.iter().enumerate() {
            self.add_track(&mut text, number, track);
        }
        text + ">\n"
    }

    fn add_track(&self, text: &mut String, number: usize, track: &Track) {
        let (id, gain) = (guid(number, 0), amplitude(track.gain_db));
        let _ = write!(
            text,
            "  <TRACK {id}\n    NAME \"{}\"\n    VOLPAN {gain} {} -1 -1 1\n    MUTESOLO 0 0 0\n    \
             ISBUS 0 0\n    TRACKID {id}\n",
            track.name, track.pan
        );
        for (place, clip) in track.clips.iter().enumerate() {
            self.add_item(text, &guid(number, place + 1), clip);
        }
        text.push_str("  >\n");
    }

    fn add_item(&self, text: &mut String, id: &str, clip: &Clip) {
        let [position, length, start] = [clip.position, clip.length, clip.start].map(seconds);
        let (fade_in, fade_out) = (fade(clip.fade_in), fade(clip.fade_out));
        let (mute, gain) = (u8::from(clip.is_muted), amplitude(clip.gain_db));
        let _ = write!(
            text,
            "    <ITEM\n      POSITION {position}\n      LENGTH {length}\n      LOOP 0\n      FADEIN {fade_in}\n      \
             FADEOUT {fade_out}\n      MUTE {mute} 0\n      IGUID {id}\n      NAME \"{}\"\n      \
             VOLPAN 1 0 {gain} -1\n      SOFFS {start}\n      PLAYRATE 1 1 0 -1 0 0.0025\n      CHANMODE 0\n      \
             <SOURCE WAVE\n        FILE \"{}\"\n      >\n    >\n",
            clip.name, self.recordings[clip.recording].name
        );
    }
}

/// The form of a fade, its length, and neither an automatic crossfade nor a bend.
fn fade(Fade { length, curve }: Fade) -> String {
    let shape = match curve {
        Curve::Linear => 0,
        Curve::EqualPower => 1,
    };
    format!("{shape} {} 0 {shape} 0 0 0", seconds(length))
}

/// A region has a line for its start and one for its end.
fn add_marker(text: &mut String, number: usize, marker: &Marker) {
    let (start, end) = (seconds(marker.position), seconds(marker.position + marker.length));
    let is_region = u8::from(marker.length > 0);
    let _ = writeln!(text, "  MARKER {number} {start} \"{}\" {is_region}", marker.name);
    if marker.length > 0 {
        let _ = writeln!(text, "  MARKER {number} {end} \"\" 1");
    }
}

fn guid(track: usize, item: usize) -> String {
    format!("{{6F1E2C4A-0000-4000-8000-{track:04X}{item:08X}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_clip_is_an_item() {
        let text = Project::of(&[(48_000, 1), (48_000, 2)], 2, 3).reaper();
        assert_eq!(text.matches("<ITEM").count(), 6);
        assert_eq!(text.matches("MARKER ").count(), 30);
        let is_opened = text.lines().filter(|line| line.trim_start().starts_with('<')).count();
        assert_eq!(text.lines().filter(|line| line.trim() == ">").count(), is_opened);
    }
}
