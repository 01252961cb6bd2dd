//! What a target does not hold of a timeline, in sentences that a plan shows before it writes.

use super::aaf;
use super::lanes::{Overlap, lanes, shared};
use super::picture::on_picture;
use super::timeline::{Clip, Timeline, Track};
use deskhand_dsp::{Decibels, Fade, Frames};
use deskhand_session::text::count;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// A format of timelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Advanced Authoring Format, for Media Composer and Pro Tools.
    Aaf,
    /// CMX 3600 edit decision list.
    Edl,
    /// Final Cut Pro XML 1.10, for Final Cut Pro and DaVinci Resolve.
    Fcpxml,
    /// OpenTimelineIO.
    Otio,
}

impl Target {
    /// By the ending of a path.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "aaf" => Some(Self::Aaf),
            "edl" => Some(Self::Edl),
            "fcpxml" => Some(Self::Fcpxml),
            "otio" => Some(Self::Otio),
            _ => None,
        }
    }
}

/// What is lost, or held in another way. Empty if all is as it is.
#[must_use]
pub fn losses(timeline: &Timeline, target: Target) -> Vec<String> {
    let facts = Facts { timeline, told: Vec::new() };
    let facts = facts.beyond();
    let facts = match target {
        Target::Aaf => facts.aaf(),
        Target::Edl => facts.edl(),
        Target::Fcpxml => facts.fcpxml(),
        Target::Otio => facts.otio(),
    };
    facts.told
}

struct Facts<'a> {
    timeline: &'a Timeline,
    told: Vec<String>,
}

impl Facts<'_> {
    /// Says `text`, with `{}` for the number of things, if there are any.
    fn say(mut self, number: usize, noun: &str, text: &str) -> Self {
        if number > 0 {
            self.told.push(text.replace("{}", &count(number, noun)));
        }
        self
    }

    fn clips(&self, is_so: impl Fn(&Clip) -> bool) -> usize {
        self.timeline.clips().filter(|clip| is_so(clip)).count()
    }

    fn tracks(&self, is_so: impl Fn(&Track) -> bool) -> usize {
        self.timeline.tracks.iter().filter(|track| is_so(track)).count()
    }

    /// What no target holds.
    fn beyond(self) -> Self {
        let lost = self.timeline.not_taken;
        self.say(lost.buses, "bus track", "Left out: {}. Tracks carry the gain of their buses.")
            .say(lost.effects, "effect", "Left out: {}. Render the tracks to keep how they sound.")
            .say(lost.envelopes, "gain envelope", "Left out: {}. Only fixed gains are written.")
            .say(lost.inverted, "clip", "The inverted polarity of {} is lost.")
    }

    fn edl(self) -> Self {
        let gains = self.clips(|clip| clip.gain != Decibels::UNITY);
        let track_gains = self.tracks(|track| track.gain != Decibels::UNITY);
        let pans = self.tracks(|track| track.pan != 0.0);
        let mutes = self.tracks(|track| track.mute);
        let muted = self.clips(|clip| clip.mute);
        let fades = self.plain_fades();
        self.say(gains, "clip", "The gain of {} is lost: an EDL has none.")
            .say(track_gains, "track", "The gain of {} is lost: an EDL has none.")
            .say(pans, "track", "The pan of {} is lost: an EDL has none.")
            .say(fades, "fade", "Left out: {}. An EDL has only dissolves from clip to clip.")
            .say(muted, "muted clip", "Left out: {}. An EDL cannot mute.")
            .say(mutes, "muted track", "Left out: {}. An EDL cannot mute.")
            .edl_limits()
            .moved_edges()
    }

    fn edl_limits(self) -> Self {
        let timeline = self.timeline;
        let lengths = timeline.markers.iter().filter(|m| m.length > Frames::ZERO).count();
        let split = self.clips(|clip| {
            timeline.media.get(clip.media).is_some_and(|media| media.channel.is_some())
        });
        let lanes = timeline.tracks.iter().map(|t| lanes(&t.clips, Overlap::Edges).len());
        let channels = lanes.sum::<usize>().saturating_sub(4);
        let events = timeline.clips().count().saturating_sub(999);
        let tracks = timeline.tracks.len();
        self.say(lengths, "marker", "The length of {} is lost: an EDL marks points.")
            .say(split, "clip", "The choice of a channel is lost for {}: an EDL names only files.")
            .say(channels, "channel", "There are {} more than the four of CMX 3600.")
            .say(events, "event", "There are {} more than the 999 of CMX 3600.")
            .say(tracks, "track", "The name of {} is lost: an EDL numbers its channels.")
    }

    fn fcpxml(self) -> Self {
        let gains = self.tracks(|track| track.gain != Decibels::UNITY);
        self.say(gains, "track", "The gain of {} is added to the clips: FCPXML has no faders.")
            .moved_edges()
    }

    fn otio(self) -> Self {
        let gains = self.clips(|clip| clip.gain != Decibels::UNITY);
        let track_gains = self.tracks(|track| track.gain != Decibels::UNITY);
        let pans = self.tracks(|track| track.pan != 0.0);
        let fades = self.plain_fades();
        self.say(gains, "clip", "Only Deskhand reads the gain of {}: OTIO has none.")
            .say(track_gains, "track", "Only Deskhand reads the gain of {}: OTIO has none.")
            .say(pans, "track", "Only Deskhand reads the pan of {}: OTIO has none.")
            .say(fades, "fade", "Only Deskhand reads {}: OTIO has only crossfades.")
    }

    fn aaf(self) -> Self {
        let timeline = self.timeline;
        let muted = self.clips(|clip| clip.mute);
        let mutes = self.tracks(|track| track.mute);
        let wide = |track: &Track| aaf::width(timeline, track) > 1;
        let (wides, pans) = (self.tracks(wide), self.tracks(|t| wide(t) && t.pan != 0.0));
        let own_name = |clip: &Clip| {
            timeline.media.get(clip.media).is_none_or(|media| media.name != clip.name)
        };
        let names = self.clips(own_name);
        self.say(muted, "clip", "The mute and the gain of {} become silence: an AAF cannot mute.")
            .say(mutes, "track", "The mute and the gain of {} become silence: an AAF cannot mute.")
            .say(wides, "track", "The channels of {} become mono tracks: AAF tracks are mono.")
            .say(pans, "stereo track", "The pan of {} becomes a pan for each channel.")
            .say(names, "clip", "The name of {} is lost: an AAF names clips after their files.")
    }

    /// Fades that are no half of a crossfade.
    fn plain_fades(&self) -> usize {
        let has = |fade: Fade| usize::from(fade.length > Frames::ZERO);
        let fades: usize = self.timeline.clips().map(|c| has(c.fade_in) + has(c.fade_out)).sum();
        let lanes = self.timeline.tracks.iter().flat_map(|t| lanes(&t.clips, Overlap::Crossfade));
        let crossed = |lane: Vec<&Clip>| {
            lane.windows(2).filter(|pair| shared(pair[0], pair[1]) > Frames::ZERO).count()
        };
        fades - 2 * lanes.map(crossed).sum::<usize>()
    }

    /// What is lost where edges move to frames of picture.
    fn moved_edges(self) -> Self {
        let timeline = self.timeline;
        let rate = timeline.frame_rate;
        let is_between = |at| rate.samples(rate.nearest(at, timeline.rate), timeline.rate) != at;
        let moved = self.clips(|clip| is_between(clip.position) || is_between(clip.end()));
        let short = self.clips(|clip| on_picture(timeline, clip).is_none());
        self.say(short, "clip", "Left out: {}. It would be shorter than a frame of picture.").say(
            moved,
            "clip",
            "The edges of {} move to the nearest frame of picture; the audio stays in sync.",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::testing::{clip, small};
    use crate::handoff::timecode::FrameRate;
    use crate::handoff::timeline::NotTaken;

    #[test]
    fn an_edl_says_what_it_leaves_out() {
        let mut timeline = small(FrameRate::Fps25);
        timeline.not_taken = NotTaken { buses: 2, effects: 1, envelopes: 0, inverted: 0 };
        timeline.tracks[0].clips.push(clip(480_001, 3));
        let expected = [
            "Left out: 2 bus tracks. Tracks carry the gain of their buses.",
            "Left out: 1 effect. Render the tracks to keep how they sound.",
            "The gain of 1 clip is lost: an EDL has none.",
            "The gain of 1 track is lost: an EDL has none.",
            "The pan of 1 track is lost: an EDL has none.",
            "Left out: 1 fade. An EDL has only dissolves from clip to clip.",
            "Left out: 1 muted clip. An EDL cannot mute.",
            "The length of 1 marker is lost: an EDL marks points.",
            "The name of 2 tracks is lost: an EDL numbers its channels.",
            "Left out: 1 clip. It would be shorter than a frame of picture.",
            "The edges of 1 clip move to the nearest frame of picture; the audio stays in sync.",
        ];
        assert_eq!(losses(&timeline, Target::Edl), expected);
    }

    #[test]
    fn what_a_target_holds_is_no_loss() {
        let mut timeline = small(FrameRate::Fps25);
        timeline.tracks[1].gain = Decibels::UNITY;
        assert_eq!(losses(&timeline, Target::Fcpxml), Vec::<String>::new());
        for track in &mut timeline.tracks {
            track.pan = 0.0;
            for clip in &mut track.clips {
                (clip.gain, clip.mute) = (Decibels::UNITY, false);
                clip.name.clone_from(&timeline.media[clip.media].name);
            }
        }
        timeline.tracks[0].clips[0].fade_in.length = Frames::ZERO;
        timeline.media[1].channels = 1;
        assert_eq!(losses(&timeline, Target::Otio), Vec::<String>::new());
        assert_eq!(losses(&timeline, Target::Aaf), Vec::<String>::new());
    }

    #[test]
    fn an_aaf_says_what_becomes_of_stereo_and_mutes() {
        let mut timeline = small(FrameRate::Fps25);
        timeline.tracks[0].mute = true;
        let expected = [
            "The mute and the gain of 1 clip become silence: an AAF cannot mute.",
            "The mute and the gain of 1 track become silence: an AAF cannot mute.",
            "The channels of 1 track become mono tracks: AAF tracks are mono.",
            "The pan of 1 stereo track becomes a pan for each channel.",
            "The name of 4 clips is lost: an AAF names clips after their files.",
        ];
        assert_eq!(losses(&timeline, Target::Aaf), expected);
    }
}
