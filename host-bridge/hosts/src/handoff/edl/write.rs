//! Writes one list for all tracks: each lane of a track is an audio channel.

use super::super::lanes::{Overlap, lanes, shared};
use super::super::picture::on_picture;
use super::super::timeline::{Clip, Marker, Timeline};
use super::reels::reels;
use deskhand_dsp::Frames;
use deskhand_session::text::one_line;
use std::fmt::Write as _;

/// A clip as the list has it: all in frames of picture.
struct Cut<'a> {
    clip: &'a Clip,
    channel: usize,
    record: (i64, i64),
    source: i64,
    /// The clip that it dissolves from, and for how long.
    from: Option<(&'a Clip, i64)>,
}

/// A timeline as a CMX 3600 list. [`super::super::losses()`] says what is not in it.
#[must_use]
pub fn write(timeline: &Timeline) -> String {
    let mut text = format!("TITLE: {}\n", one_line(&timeline.name));
    let drop = if timeline.frame_rate.is_drop() { "DROP FRAME" } else { "NON-DROP FRAME" };
    let _ = writeln!(text, "FCM: {drop}\n");
    let reels = reels(&timeline.media);
    let cuts = cuts(timeline);
    let mut markers = timeline.markers.iter().peekable();
    for (n, cut) in cuts.iter().enumerate() {
        event(&mut text, timeline, &reels, n + 1, cut);
        // A locator belongs to the event before it, and the first ones to the first event.
        let next = cuts.get(n + 1).map(|next| next.clip.position);
        let is_here = |marker: &&Marker| next.is_none_or(|next| marker.position < next);
        while let Some(marker) = markers.next_if(is_here) {
            let at = timeline.start + timeline.frame_rate.nearest(marker.position, timeline.rate);
            let (at, name) = (timeline.frame_rate.label(at), one_line(&marker.name));
            let _ = writeln!(text, "* LOC: {at} RED     {name}");
        }
    }
    text
}

/// All cuts in the order of the record side.
fn cuts(timeline: &Timeline) -> Vec<Cut<'_>> {
    let heard = timeline.tracks.iter().filter(|track| !track.mute);
    let lanes = heard.flat_map(|track| {
        let clips =
            track.clips.iter().filter(|clip| !clip.mute && on_picture(timeline, clip).is_some());
        lanes(clips, Overlap::Edges)
    });
    let mut cuts: Vec<Cut<'_>> =
        lanes.enumerate().flat_map(|(channel, lane)| lane_cuts(timeline, channel, &lane)).collect();
    cuts.sort_by_key(|cut| (cut.record.0, cut.channel));
    cuts
}

fn lane_cuts<'a>(timeline: &Timeline, channel: usize, lane: &[&'a Clip]) -> Vec<Cut<'a>> {
    let mut cuts: Vec<Cut<'a>> = Vec::new();
    for clip in lane {
        let Some(place) = on_picture(timeline, clip) else { continue };
        let record = (place.first, place.end);
        let mut from = None;
        if let Some(last) = cuts.last_mut().filter(|last| last.record.1 > record.0) {
            if shared(last.clip, clip) > Frames::ZERO {
                from = Some((last.clip, last.record.1 - record.0));
            }
            last.record.1 = record.0;
        }
        cuts.push(Cut { clip, channel, record, source: source(timeline, clip, record.0), from });
    }
    cuts
}

/// The source timecode that plays at a frame of the record side, so that the audio keeps its place.
fn source(timeline: &Timeline, clip: &Clip, at: i64) -> i64 {
    let moved = timeline.frame_rate.samples(at, timeline.rate) - clip.position;
    let origin = timeline.media.get(clip.media).map_or(Frames::ZERO, |media| media.origin);
    timeline.frame_rate.nearest(origin + clip.start + moved, timeline.rate).max(0)
}

fn event(text: &mut String, timeline: &Timeline, reels: &[String], number: usize, cut: &Cut<'_>) {
    let label = |frame| timeline.frame_rate.label(frame);
    let length = cut.record.1 - cut.record.0;
    let mut line = |clip: &Clip, edit: String, source: i64, length: i64| {
        let reel = reels.get(clip.media).map_or("AX", String::as_str);
        let channel = channel(cut.channel);
        let _ = write!(text, "{number:03}  {reel:<8} {channel:<5} {edit:<8} ");
        let (record, from) = (timeline.start + cut.record.0, label(source));
        let source_end = label(source + length);
        let _ = writeln!(text, "{from} {source_end} {} {}", label(record), label(record + length));
    };
    match cut.from {
        Some((from, dissolve)) => {
            line(from, "C".into(), source(timeline, from, cut.record.0), 0);
            line(cut.clip, format!("D    {dissolve:03}"), cut.source, length);
            let _ = writeln!(text, "* FROM CLIP NAME: {}", one_line(&from.name));
            let _ = writeln!(text, "* TO CLIP NAME: {}", one_line(&cut.clip.name));
        }
        None => {
            line(cut.clip, "C".into(), cut.source, length);
            let _ = writeln!(text, "* FROM CLIP NAME: {}", one_line(&cut.clip.name));
        }
    }
    if let Some(media) = timeline.media.get(cut.clip.media) {
        let _ = writeln!(text, "* SOURCE FILE: {}", one_line(&media.path));
    }
}

/// `A`, `A2`, `A3` …
fn channel(index: usize) -> String {
    if index == 0 { "A".to_owned() } else { format!("A{}", index + 1) }
}
