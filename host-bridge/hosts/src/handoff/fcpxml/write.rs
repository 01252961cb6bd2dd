//! Writes a project whose one sequence is a gap with all clips connected to it, a lane for each track.

use super::super::lanes::{Overlap, lanes};
use super::super::picture::on_picture;
use super::super::timeline::{Clip, Media, Timeline, Track};
use super::time::{audio, picture};
use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_session::text::{one_line, trimmed};
use deskhand_toolkit::file_url;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

type Xml = Writer<Vec<u8>>;
type Attributes<'a> = Vec<(&'a str, String)>;

/// A timeline as FCPXML. [`super::super::losses()`] says what is not in it.
#[must_use]
pub fn write(timeline: &Timeline) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    // A buffer in memory takes all.
    let written = document(&mut xml, timeline).map(|()| xml.into_inner());
    String::from_utf8(written.unwrap_or_default()).unwrap_or_default() + "\n"
}

fn document(xml: &mut Xml, timeline: &Timeline) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.write_event(Event::DocType(BytesText::new("fcpxml")))?;
    parent(xml, "fcpxml", vec![("version", "1.10".into())], |xml| {
        parent(xml, "resources", Vec::new(), |xml| resources(xml, timeline))?;
        parent(xml, "library", Vec::new(), |xml| {
            let name = vec![("name", one_line(&timeline.name))];
            parent(xml, "event", name.clone(), |xml| {
                parent(xml, "project", name, |xml| sequence(xml, timeline))
            })
        })
    })
}

fn parent(
    xml: &mut Xml,
    name: &str,
    attributes: Attributes<'_>,
    inner: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> io::Result<()> {
    let attributes = attributes.iter().map(|(key, value)| (*key, value.as_str()));
    xml.create_element(name).with_attributes(attributes).write_inner_content(inner)?;
    Ok(())
}

fn element(xml: &mut Xml, name: &str, attributes: Attributes<'_>) -> io::Result<()> {
    let attributes = attributes.iter().map(|(key, value)| (*key, value.as_str()));
    xml.create_element(name).with_attributes(attributes).write_empty()?;
    Ok(())
}

fn resources(xml: &mut Xml, timeline: &Timeline) -> io::Result<()> {
    let (numerator, denominator) = timeline.frame_rate.duration();
    let rate = 100 * denominator / numerator;
    let rate = if rate % 100 == 0 { rate / 100 } else { rate };
    element(
        xml,
        "format",
        vec![
            ("id", "r1".into()),
            ("name", format!("FFVideoFormat1080p{rate}")),
            ("frameDuration", format!("{numerator}/{denominator}s")),
            ("width", "1920".into()),
            ("height", "1080".into()),
        ],
    )?;
    timeline.media.iter().enumerate().try_for_each(|(n, media)| asset(xml, timeline, n, media))
}

/// The id of a file.
fn id(media: usize) -> String {
    format!("r{}", media + 2)
}

fn asset(xml: &mut Xml, timeline: &Timeline, index: usize, media: &Media) -> io::Result<()> {
    let mut attributes = vec![
        ("id", id(index)),
        ("name", one_line(&media.name)),
        ("start", audio(media.origin, timeline.rate)),
        ("duration", audio(media.frames, timeline.rate)),
        ("hasAudio", "1".into()),
        ("audioSources", "1".into()),
        ("audioRate", media.rate.0.to_string()),
    ];
    if media.channels > 0 {
        attributes.push(("audioChannels", media.channels.to_string()));
    }
    parent(xml, "asset", attributes, |xml| {
        let source = file_url::of_path(&media.path);
        element(xml, "media-rep", vec![("kind", "original-media".into()), ("src", source)])
    })
}

fn sequence(xml: &mut Xml, timeline: &Timeline) -> io::Result<()> {
    let rate = timeline.frame_rate;
    let marks = timeline.markers.iter().map(|marker| marker.position + marker.length);
    let end = marks.chain([timeline.end()]).max().unwrap_or_default();
    let duration = picture(rate.nearest(end, timeline.rate) + 1, rate);
    let start = picture(timeline.start, rate);
    let mut attributes = vec![
        ("format", "r1".into()),
        ("duration", duration.clone()),
        ("tcStart", start.clone()),
        ("tcFormat", if rate.is_drop() { "DF" } else { "NDF" }.into()),
        ("audioLayout", "stereo".into()),
    ];
    if let Some(audio_rate) = audio_rate(timeline.rate.0) {
        attributes.push(("audioRate", audio_rate.into()));
    }
    parent(xml, "sequence", attributes, |xml| {
        parent(xml, "spine", Vec::new(), |xml| {
            let gap = vec![
                ("name", "Gap".into()),
                ("offset", start),
                ("start", "0s".into()),
                ("duration", duration),
            ];
            parent(xml, "gap", gap, |xml| {
                tracks(xml, timeline)?;
                markers(xml, timeline)
            })
        })
    })
}

/// The sample rates that a sequence may have.
fn audio_rate(rate: u32) -> Option<&'static str> {
    let rates = [(32_000, "32k"), (44_100, "44.1k"), (48_000, "48k"), (88_200, "88.2k")];
    let more = [(96_000, "96k"), (176_400, "176.4k"), (192_000, "192k")];
    rates.into_iter().chain(more).find(|(known, _)| *known == rate).map(|(_, name)| name)
}

/// Audio lies below the picture: the lanes count down.
fn tracks(xml: &mut Xml, timeline: &Timeline) -> io::Result<()> {
    let mut lane = 0;
    for track in &timeline.tracks {
        for clips in lanes(&track.clips, Overlap::Never) {
            lane -= 1;
            for clip in clips {
                asset_clip(xml, timeline, track, lane, clip)?;
            }
        }
    }
    Ok(())
}

fn asset_clip(
    xml: &mut Xml,
    timeline: &Timeline,
    track: &Track,
    lane: i64,
    clip: &Clip,
) -> io::Result<()> {
    let (Some(place), Some(media)) = (on_picture(timeline, clip), timeline.media.get(clip.media))
    else {
        return Ok(());
    };
    let mut attributes = vec![
        ("ref", id(clip.media)),
        ("lane", lane.to_string()),
        ("offset", picture(place.first, timeline.frame_rate)),
        ("name", one_line(&clip.name)),
        ("start", audio(media.origin + place.start, timeline.rate)),
        ("duration", picture(place.end - place.first, timeline.frame_rate)),
        ("audioRole", role(&track.name)),
    ];
    if clip.mute || track.mute {
        attributes.push(("enabled", "0".into()));
    }
    parent(xml, "asset-clip", attributes, |xml| {
        volume(xml, timeline, track, clip)?;
        if track.pan != 0.0 {
            // Mode 1 pans between left and right.
            let amount = trimmed(100.0 * track.pan, 1);
            element(xml, "adjust-panner", vec![("mode", "1".into()), ("amount", amount)])?;
        }
        channel(xml, media)
    })
}

/// The name of a track as a role, in which a dot would begin a subrole.
fn role(name: &str) -> String {
    let name = one_line(name).replace(['.', '?'], " ");
    if name.trim().is_empty() { "dialogue".to_owned() } else { name.trim().to_owned() }
}

fn volume(xml: &mut Xml, timeline: &Timeline, track: &Track, clip: &Clip) -> io::Result<()> {
    let gain = clip.gain + track.gain;
    let fades = [("fadeIn", clip.fade_in), ("fadeOut", clip.fade_out)];
    let fades: Vec<_> = fades.into_iter().filter(|(_, fade)| fade.length > Frames::ZERO).collect();
    let amount = vec![("amount", format!("{}dB", trimmed(gain.0, 3)))];
    if fades.is_empty() {
        return if gain.0 == 0.0 { Ok(()) } else { element(xml, "adjust-volume", amount) };
    }
    parent(xml, "adjust-volume", amount, |xml| {
        parent(xml, "param", vec![("name", "amount".into())], |xml| {
            fades.iter().try_for_each(|(name, fade)| {
                let duration = audio(fade.length, timeline.rate);
                let shape = shape(name, *fade).into();
                element(xml, name, vec![("type", shape), ("duration", duration)])
            })
        })
    })
}

/// A quarter of a sine comes up fast and goes down late.
fn shape(name: &str, fade: Fade) -> &'static str {
    match (fade.curve, name) {
        (FadeCurve::Linear, _) => "linear",
        (FadeCurve::EqualPower, "fadeIn") => "easeOut",
        (FadeCurve::EqualPower, _) => "easeIn",
    }
}

fn channel(xml: &mut Xml, media: &Media) -> io::Result<()> {
    match media.channel {
        Some(channel) => {
            let number = (u32::from(channel) + 1).to_string();
            element(xml, "audio-channel-source", vec![("srcCh", number)])
        }
        None => Ok(()),
    }
}

fn markers(xml: &mut Xml, timeline: &Timeline) -> io::Result<()> {
    let rate = timeline.frame_rate;
    timeline.markers.iter().try_for_each(|marker| {
        let first = rate.nearest(marker.position, timeline.rate);
        let end = rate.nearest(marker.position + marker.length, timeline.rate);
        // A point is a frame long.
        let attributes = vec![
            ("start", picture(first, rate)),
            ("duration", picture((end - first).max(1), rate)),
            ("value", one_line(&marker.name)),
        ];
        element(xml, "marker", attributes)
    })
}
