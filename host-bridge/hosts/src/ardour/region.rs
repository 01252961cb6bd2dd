//! One region: the clip that it plays, or why Deskhand cannot play it.

use std::collections::HashMap;

use super::clock::{Clock, seconds};
use super::fade::{self, Side};
use crate::format::ReadError;
use crate::project::{ProjectClip, decibels};
use crate::xml::Document;

/// Elements Source by their ids.
pub(super) type Sources = HashMap<String, usize>;

/// Why a region is no clip: alone and in numbers.
type Unplayable = (&'static str, &'static str);

pub(super) fn read(
    document: &Document<'_>,
    sources: &Sources,
    region: usize,
    rate: f64,
) -> Result<Result<ProjectClip, Unplayable>, ReadError> {
    let (file, channels) = match file(document, sources, region)? {
        Ok(found) => found,
        Err(unplayable) => return Ok(Err(unplayable)),
    };
    let Some([position, start, length]) = times(document, region, rate)? else {
        return Ok(Err(("clip in musical time", "clips in musical time")));
    };
    let scale = document.number(region, "scale-amplitude")?.unwrap_or(1.0);
    let is_locked = ["locked", "position-locked"].iter().any(|name| document.is(region, name, "1"));
    let clip = ProjectClip {
        id: document.owned(region, "id"),
        name: document.owned(region, "name").unwrap_or_default(),
        file,
        channels: Some(channels),
        position,
        start,
        length,
        gain_db: decibels(scale),
        is_inverted: scale.is_sign_negative(),
        mute: document.is(region, "muted", "1"),
        fade_in: fade::read(document, region, Side::In, rate)?,
        fade_out: fade::read(document, region, Side::Out, rate)?,
        locked: is_locked.then(|| "it is locked: unlock it in Ardour".to_owned()),
        ..ProjectClip::default()
    };
    Ok(match () {
        () if length <= 0.0 => Err(("clip without a length", "clips without a length")),
        () if position < 0.0 || start < 0.0 => Err(("clip before 0:00", "clips before 0:00")),
        () if document.is(region, "hidden", "1") => Err(("hidden clip", "hidden clips")),
        () if has_envelope(document, region) => {
            Err(("clip with an envelope", "clips with envelopes"))
        }
        () => Ok(clip),
    })
}

fn has_envelope(document: &Document<'_>, region: usize) -> bool {
    let envelope = document.child(region, "Envelope");
    let is_plain = envelope.is_none_or(|envelope| document.is(envelope, "default", "yes"));
    document.is(region, "envelope-active", "1") && !is_plain
}

/// Since version 7 the position follows the length, after an `@`.
fn times(document: &Document<'_>, region: usize, rate: f64) -> Result<Option<[f64; 3]>, ReadError> {
    let start = seconds(document, region, "start", rate)?;
    let length = seconds(document, region, "length", rate)?;
    let text = document.text(region, "length").unwrap_or_default();
    let position = match text.split_once('@') {
        Some((_, position)) => super::clock::parse(position, rate)
            .map_err(|()| document.damaged_in(region, "length has no position"))?,
        None => seconds(document, region, "position", rate)?,
    };
    Ok((|| Some([position?, start?, length?]))())
}

/// The clock of a region's times.
pub(super) fn clock(document: &Document<'_>, region: usize, rate: f64) -> Clock {
    let text = document.text(region, "length").unwrap_or_default();
    Clock::of(&text, rate).unwrap_or(Clock::Ticks)
}

/// A region plays one file if its sources are all channels of it in order.
fn file(
    document: &Document<'_>,
    sources: &Sources,
    region: usize,
) -> Result<Result<(String, u16), Unplayable>, ReadError> {
    if !document.is(region, "type", "audio") {
        return Ok(Err(("MIDI clip", "MIDI clips")));
    }
    let channels = document.number(region, "channels")?.unwrap_or(1.0).clamp(1.0, 64.0) as u16;
    let mut file: Option<String> = None;
    for channel in 0..channels {
        let id = document.text(region, &format!("source-{channel}")).unwrap_or_default();
        let Some(&source) = sources.get(&*id) else {
            return Ok(Err(("compound clip", "compound clips")));
        };
        if document.text(source, "playlist").is_some() {
            return Ok(Err(("compound clip", "compound clips")));
        }
        let name = document.owned(source, "name").unwrap_or_default();
        let is_next = document.number(source, "channel")?.unwrap_or(0.0) == f64::from(channel);
        if !is_next || file.as_ref().is_some_and(|file| *file != name) {
            return Ok(Err((
                "clip of several files or channels",
                "clips of several files or channels",
            )));
        }
        file = Some(name);
    }
    Ok(Ok((file.unwrap_or_default(), channels)))
}
