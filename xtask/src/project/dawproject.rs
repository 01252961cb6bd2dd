//! A made-up project as a DAWproject, the exchange format of Bitwig Studio, Studio One and Cubase.

use super::{Clip, Fade, Project, RATE, SECONDS, Track, amplitude, seconds};
use std::fmt::Write as _;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Project version="1.0">
  <Application name="made-up" version="1"/>
  <Transport>
    <Tempo max="666" min="20" unit="bpm" value="120" id="tempo" name="Tempo"/>
    <TimeSignature denominator="4" numerator="4" id="meter"/>
  </Transport>
  <Structure>
"#;
const MASTER: &str = r#"    <Track contentType="audio notes" loaded="true" id="master" name="Master">
      <Channel audioChannels="2" role="master" solo="false" id="master-channel">
        <Volume max="2" min="0" unit="linear" value="1" id="master-volume" name="Volume"/>
      </Channel>
    </Track>
"#;

impl Project {
    /// The text of the `project.xml` in a `.dawproject`. Recordings are next to the archive.
    pub(crate) fn dawproject(&self) -> String {
        let mut text = HEAD.to_owned();
        for (number, track) in self.tracks.iter().enumerate() {
            add_track(&mut text, number, track);
        }
        text.push_str(MASTER);
        text.push_str("  </Structure>\n  <Arrangement id=\"arrangement\">\n    <Lanes timeUnit=\"seconds\" id=\"lanes\">\n");
        for (number, track) in self.tracks.iter().enumerate() {
            self.add_lanes(&mut text, number, track);
        }
        text.push_str("    </Lanes>\n    <Markers timeUnit=\"seconds\" id=\"markers\">\n");
        for marker in &self.markers {
            let (at, name) = (seconds(marker.position), &marker.name);
            let _ = writeln!(text, "      <Marker time=\"{at}\" name=\"{name}\"/>");
        }
        text + "    </Markers>\n  </Arrangement>\n</Project>\n"
    }

    fn add_lanes(&self, text: &mut String, number: usize, track: &Track) {
        let _ = writeln!(
            text,
            "      <Lanes track=\"t{number}\" id=\"l{number}\">\n        <Clips id=\"c{number}\">"
        );
        for (place, clip) in track.clips.iter().enumerate() {
            self.add_clip(text, &format!("{number}-{place}"), clip);
        }
        text.push_str("        </Clips>\n      </Lanes>\n");
    }

    /// The gain of a clip is a lane next to its audio.
    fn add_clip(&self, text: &mut String, id: &str, clip: &Clip) {
        let recording = &self.recordings[clip.recording];
        let [time, length, start] = [clip.position, clip.length, clip.start].map(seconds);
        let [fade_in, fade_out] =
            [clip.fade_in, clip.fade_out].map(|Fade { length, .. }| seconds(length));
        let is_enabled = !clip.is_muted;
        let _ = write!(
            text,
            "          <Clip time=\"{time}\" duration=\"{length}\" playStart=\"{start}\" contentTimeUnit=\"seconds\" \
             fadeTimeUnit=\"seconds\" fadeInTime=\"{fade_in}\" fadeOutTime=\"{fade_out}\" enable=\"{is_enabled}\" \
             name=\"{}\">\n            <Lanes id=\"n{id}\">\n              <Audio channels=\"{}\" sampleRate=\"{RATE}\" \
             duration=\"{SECONDS}\" id=\"a{id}\">\n                <File path=\"{}\" external=\"true\"/>\n              \
             </Audio>\n",
            clip.name, recording.channels, recording.name
        );
        let _ = write!(
            text,
            "              <Points unit=\"linear\" id=\"p{id}\">\n                <Target expression=\"gain\"/>\n                \
             <RealPoint time=\"0\" value=\"{}\"/>\n              </Points>\n            </Lanes>\n          </Clip>\n",
            amplitude(clip.gain_db)
        );
    }
}

fn add_track(text: &mut String, number: usize, track: &Track) {
    let (pan, volume) = (f64::midpoint(track.pan, 1.0), amplitude(track.gain_db));
    let _ = write!(
        text,
        "    <Track contentType=\"audio\" loaded=\"true\" id=\"t{number}\" name=\"{}\">\n\
         \x20     <Channel audioChannels=\"2\" destination=\"master-channel\" role=\"regular\" solo=\"false\" id=\"h{number}\">\n\
         \x20       <Mute value=\"false\" id=\"m{number}\" name=\"Mute\"/>\n\
         \x20       <Pan max=\"1\" min=\"0\" unit=\"normalized\" value=\"{pan}\" id=\"s{number}\" name=\"Pan\"/>\n\
         \x20       <Volume max=\"2\" min=\"0\" unit=\"linear\" value=\"{volume}\" id=\"v{number}\" name=\"Volume\"/>\n\
         \x20     </Channel>\n    </Track>\n",
        track.name
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_clip_is_in_the_lane_of_its_track() {
        let text = Project::of(&[(48_000, 1), (48_000, 2)], 2, 3).dawproject();
        assert_eq!(text.matches("<Clip ").count(), 6);
        let lane = text.split("<Lanes track=\"t1\"").nth(1).unwrap_or_default();
        assert_eq!(lane.matches("<Clip ").count(), 3);
    }
}
