//! A made-up project as Ardour 7 writes it.

use super::{Clip, Curve, Fade, Project, RATE, Track, amplitude};
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write as _;

/// Ardour counts time in these parts of a second.
const TICKS: u64 = 282_240_000;
/// Points of a curve.
const STEPS: u64 = 32;
/// A fade begins or ends at this factor.
const SILENT: f64 = 1e-7;
/// The master's fader, which the session needs and the tracks play to.
const MASTER: &str = r#"    <Route version="7002" id="1" name="Master" default-type="audio">
      <PresentationInfo order="0" flags="MasterOut,OrderSet" color="0"/>
      <Processor id="2" name="Amp" active="1" type="amp">
        <Controllable name="gaincontrol" id="3" flags="GainLike" value="1"/>
      </Processor>
    </Route>
"#;
const TEMPO: &str = r#"  <TempoMap superclocks-per-second="282240000">
    <Tempos>
      <Tempo npm="120" enpm="120" note-type="4" type="Tempo::Constant" active="1" sclock="0" quarters="0:0" bbt="1|1|0"/>
    </Tempos>
    <Meters>
      <Meter note-value="4" divisions-per-bar="4" sclock="0" quarters="0:0" bbt="1|1|0"/>
    </Meters>
  </TempoMap>
"#;

/// Which side of a clip a fade is on.
#[derive(Clone, Copy)]
enum Side {
    In,
    Out,
}

impl Project {
    /// The text of an `.ardour` file. Recordings are next to it.
    pub(crate) fn ardour(&self) -> String {
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Session version=\"7002\" name=\"made-up\" \
             sample-rate=\"{RATE}\" id-counter=\"1000000\">\n  <ProgramVersion created-with=\"Ardour 7.3.0\" \
             modified-with=\"Ardour 7.3.0\"/>\n  <Sources>\n"
        );
        for (number, recording) in self.recordings.iter().enumerate() {
            for channel in 0..recording.channels {
                let (name, id) = (&recording.name, source_id(number, channel));
                let _ = writeln!(
                    text,
                    "    <Source name=\"{name}\" type=\"audio\" flags=\"\" id=\"{id}\" channel=\"{channel}\" gain=\"1\"/>"
                );
            }
        }
        text.push_str("  </Sources>\n  <Regions/>\n  <Locations>\n");
        self.add_locations(&mut text);
        text.push_str("  </Locations>\n  <Routes>\n");
        text.push_str(MASTER);
        for (number, track) in self.tracks.iter().enumerate() {
            add_route(&mut text, number, track);
        }
        text.push_str("  </Routes>\n  <Playlists>\n");
        for (number, track) in self.tracks.iter().enumerate() {
            self.add_playlist(&mut text, number, track);
        }
        text + "  </Playlists>\n" + TEMPO + "</Session>\n"
    }

    fn add_locations(&self, text: &mut String) {
        for (number, marker) in self.markers.iter().enumerate() {
            let (start, end) = (time(marker.position), time(marker.position + marker.length));
            let flags = if marker.length == 0 { "IsMark" } else { "IsRangeMarker" };
            let _ = writeln!(
                text,
                "    <Location id=\"{}\" name=\"{}\" start=\"{start}\" end=\"{end}\" flags=\"{flags}\" locked=\"0\"/>",
                100 + number,
                marker.name
            );
        }
    }

    fn add_playlist(&self, text: &mut String, number: usize, track: &Track) {
        let (id, route) = (playlist_id(number), route_id(number));
        let _ = writeln!(
            text,
            "    <Playlist id=\"{id}\" name=\"{}\" type=\"audio\" orig-track-id=\"{route}\">",
            track.name
        );
        for (place, clip) in track.clips.iter().enumerate() {
            self.add_region(text, 100_000 + number * 1_000 + place, clip);
        }
        text.push_str("    </Playlist>\n");
    }

    fn add_region(&self, text: &mut String, id: usize, clip: &Clip) {
        let (start, length, position) = (time(clip.start), time(clip.length), time(clip.position));
        let (mute, gain) = (u8::from(clip.is_muted), amplitude(clip.gain_db));
        let channels = self.recordings[clip.recording].channels;
        let _ = write!(
            text,
            "      <Region name=\"{}\" muted=\"{mute}\" opaque=\"1\" locked=\"0\" whole-file=\"0\" hidden=\"0\" \
             position-locked=\"0\" start=\"{start}\" length=\"{length}@{position}\" sync-position=\"{start}\" \
             stretch=\"1\" shift=\"1\" envelope-active=\"0\" default-fade-in=\"0\" default-fade-out=\"0\" \
             fade-in-active=\"1\" fade-out-active=\"1\" scale-amplitude=\"{gain}\" id=\"{id}\" type=\"audio\"",
            clip.name
        );
        for channel in 0..channels {
            let source = source_id(clip.recording, channel);
            let _ =
                write!(text, " source-{channel}=\"{source}\" master-source-{channel}=\"{source}\"");
        }
        let _ = writeln!(text, " channels=\"{channels}\">\n        <Envelope default=\"yes\"/>");
        add_fade(text, Side::In, clip.fade_in);
        add_fade(text, Side::Out, clip.fade_out);
        text.push_str("      </Region>\n");
    }
}

fn add_route(text: &mut String, number: usize, track: &Track) {
    let (name, id, playlist) = (&track.name, route_id(number), playlist_id(number));
    let (order, pan, gain) = (number + 1, f64::midpoint(track.pan, 1.0), amplitude(track.gain_db));
    let _ = write!(
        text,
        "    <Route version=\"7002\" id=\"{id}\" name=\"{name}\" default-type=\"audio\" audio-playlist=\"{playlist}\">\n\
         \x20     <PresentationInfo order=\"{order}\" flags=\"AudioTrack,OrderSet\" color=\"0\"/>\n\
         \x20     <Controllable name=\"solo\" id=\"{id}1\" flags=\"Toggle,RealTime\" value=\"0\"/>\n\
         \x20     <IO name=\"{name}\" id=\"{id}2\" direction=\"Output\" default-type=\"audio\">\n\
         \x20       <Port type=\"audio\" name=\"{name}/audio_out 1\">\n\
         \x20         <Connection other=\"Master/audio_in 1\"/>\n        </Port>\n      </IO>\n\
         \x20     <MuteMaster mute-point=\"PostFader,Listen,Main\" muted=\"0\"/>\n\
         \x20     <Pannable>\n        <Controllable name=\"pan-azimuth\" id=\"{id}3\" flags=\"\" value=\"{pan}\"/>\n\
         \x20     </Pannable>\n      <Processor id=\"{id}4\" name=\"Amp\" active=\"1\" type=\"amp\">\n\
         \x20       <Controllable name=\"gaincontrol\" id=\"{id}5\" flags=\"GainLike\" value=\"{gain}\"/>\n\
         \x20     </Processor>\n    </Route>\n"
    );
}

/// A fade and its opposite, which a neighbor that crosses it plays.
fn add_fade(text: &mut String, side: Side, fade: Fade) {
    let (name, automation) = match side {
        Side::In => ("FadeIn", "fadein"),
        Side::Out => ("FadeOut", "fadeout"),
    };
    if fade.length == 0 {
        let _ = writeln!(text, "        <{name} default=\"yes\"/>");
        return;
    }
    let opposite = match side {
        Side::In => Side::Out,
        Side::Out => Side::In,
    };
    for (name, side) in [(name.to_owned(), side), (format!("Inverse{name}"), opposite)] {
        let _ = writeln!(
            text,
            "        <{name}>\n          <AutomationList automation-id=\"{automation}\" interpolation-style=\"Curved\" \
             time-domain=\"AudioTime\" state=\"Off\">\n            <events>{}</events>\n          </AutomationList>\n        \
             </{name}>",
            events(side, fade)
        );
    }
}

/// The points of a fade: time and factor.
fn events(side: Side, fade: Fade) -> String {
    let steps = match fade.curve {
        Curve::Linear => 1,
        Curve::EqualPower => STEPS,
    };
    let line = |step: u64| {
        let part = step as f64 / steps as f64;
        let open = match side {
            Side::In => part,
            Side::Out => 1.0 - part,
        };
        let factor = match fade.curve {
            Curve::Linear => open,
            Curve::EqualPower => (open * FRAC_PI_2).sin(),
        };
        let at = fade.length * (TICKS / u64::from(RATE)) * step / steps;
        format!("a{at} {}\n", factor.max(SILENT))
    };
    (0..=steps).map(line).collect()
}

fn time(frames: u64) -> String {
    format!("a{}", frames * (TICKS / u64::from(RATE)))
}

fn source_id(recording: usize, channel: u32) -> String {
    format!("{}", 1_000 + recording * 10 + channel as usize)
}

fn route_id(track: usize) -> usize {
    2_000 + track
}

fn playlist_id(track: usize) -> usize {
    3_000 + track
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_clip_is_a_region() {
        let text = Project::of(&[(48_000, 1), (48_000, 2)], 2, 3).ardour();
        assert_eq!(text.matches("<Region ").count(), 6);
        assert_eq!(text.matches("<Source ").count(), 3);
        assert_eq!(text.matches("source-1=").count(), 2 * 3, "the clips of the second track");
    }

    #[test]
    fn a_fade_goes_from_silence_to_the_whole() {
        let fade = Fade { length: 480, curve: Curve::Linear };
        assert_eq!(events(Side::In, fade), "a0 0.0000001\na2822400 1\n");
        assert_eq!(events(Side::Out, fade), "a0 1\na2822400 0.0000001\n");
    }
}
