//! The exact audible length of a compressed file, and whether all of it is there.

use super::codec::{Block, DecodeFailure, preroll};
use super::input::Input;
use super::stream::{self, Kind, Next, Stream, codec_name, format_name};
use super::{mkv, mp4, ogg, tracks};
use crate::duration_words;
use crate::error::OpenError;
use crate::guard;
use crate::probe::{Placement, Probe};
use deskhand_dsp::{Frames, SampleRate};

/// Frames that may be missing at the end of a container that promised them: read as silence.
pub(super) const MOST_MISSING: i64 = 8192;

/// The audible part of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Audible {
    /// Frame of the stream at which the audible part begins.
    pub(super) lead: i64,
    pub(super) frames: i64,
    /// Where it begins in the film, in frames.
    pub(super) start: i64,
}

/// Opens a file and finds its exact length. If no track is asked for and the one that the file names first cannot be
/// read, the first that can be is opened. The stream is left at an unknown position.
pub(super) fn open_measured(
    input: &Input,
    track: Option<u16>,
) -> Result<(Stream, Audible, Probe), OpenError> {
    if track.is_some() {
        return measured(input, track);
    }
    let opened = measured(input, None).or_else(|refusal| {
        let count = stream::track_count(input);
        let mut others = (0..count).filter(|_| count > 1);
        others.find_map(|other| measured(input, Some(other)).ok()).ok_or(refusal)
    });
    let (stream, audible, mut probe) = opened?;
    probe.warnings.extend(left_out(&stream));
    Ok((stream, audible, probe))
}

/// The tracks of audio in the same file that cannot be read, and why.
fn left_out(stream: &Stream) -> Vec<String> {
    let refusal = |number: u16| match Stream::open(&stream.input, Some(number)) {
        // An empty track is no loss.
        Ok(_) | Err(OpenError::NoFrames { .. }) => None,
        Err(error) => Some(format!("Deskhand left out audio track {}: {error}", number + 1)),
    };
    let own = tracks::number(&stream.tracks, stream.track.id);
    let count = u16::try_from(stream.tracks.len()).unwrap_or(u16::MAX);
    (0..count).filter(|number| own.is_some_and(|own| own != *number)).filter_map(refusal).collect()
}

fn measured(input: &Input, track: Option<u16>) -> Result<(Stream, Audible, Probe), OpenError> {
    let mut stream = Stream::open(input, track)?;
    let mut warnings = Vec::new();
    let audible = match stream.kind {
        Kind::Bare => counted(&mut stream, &mut warnings)?,
        Kind::Indexed => indexed(&mut stream, &mut warnings)?,
        Kind::Timed => scanned(&mut stream, &mut warnings)?,
    };
    if audible.frames <= 0 {
        return Err(OpenError::NoFrames { file: stream.file });
    }
    let frames = u64::try_from(audible.frames).unwrap_or(0);
    guard::check_length(&stream.file, frames, stream.rate.into(), stream.bytes)?;
    stream.rewind()?;
    let probe = describe(&stream, audible, warnings);
    Ok((stream, audible, probe))
}

fn describe(stream: &Stream, audible: Audible, mut warnings: Vec<String>) -> Probe {
    let codec = codec_name(&stream.params);
    let cookie = stream.params.extra_data.as_deref().and_then(|data| data.get(5));
    let bits = match codec {
        // symphonia leaves the depth in ALAC's own header.
        "ALAC" => cookie.map(|bits| u32::from(*bits)),
        _ => stream.params.bits_per_sample,
    };
    let sample_format = match bits {
        Some(bits) if matches!(codec, "FLAC" | "ALAC" | "PCM") => format!("{codec} {bits}-bit"),
        _ => codec.to_owned(),
    };
    if codec == "AAC" && stream.rate <= 24_000 {
        warnings.push(format!(
            "It is AAC at {} Hz. If it was made as HE-AAC, its upper half is not decoded.",
            stream.rate
        ));
    }
    let format = format_name(stream.format.as_ref());
    if is_cut(format, &stream.input) {
        let read =
            duration_words::seconds(u64::try_from(audible.frames).unwrap_or(0), stream.rate.into());
        warnings.push(format!(
            "Its end is missing, it was probably cut off. Deskhand read {read} of audio from it."
        ));
    }
    Probe {
        format: format.to_owned(),
        sample_format,
        channels: stream.channels,
        rate: SampleRate(stream.rate),
        frames: Frames(audible.frames),
        start: Frames(audible.start),
        origin: None,
        channel_names: stream.channel_names(),
        placement: Placement::Convert,
        tracks: tracks::described(&stream.tracks),
        warnings,
    }
}

/// Whether the end of a file is missing whose container tells.
fn is_cut(format: &str, input: &Input) -> bool {
    match format {
        "Ogg" => ogg::is_cut(input),
        "Matroska" => mkv::is_cut(input),
        _ => false,
    }
}

/// Counts the packets of a bare MPEG stream: its headers only guess.
fn counted(stream: &mut Stream, warnings: &mut Vec<String>) -> Result<Audible, OpenError> {
    let (mut frames, mut bytes) = (0i64, 0u64);
    while let Next::Packet(packet) = stream.next().map_err(|p| stream.damaged(&p))? {
        frames = frames.saturating_add(stream.length_of(&packet));
        bytes += packet.data.len() as u64;
    }
    // Two bytes of anything look like a frame; a photo is not an MP3 because a few of them match.
    if bytes.saturating_mul(20) < stream.bytes && frames < i64::from(stream.rate) {
        return Err(OpenError::NotAudio { file: stream.file.clone() });
    }
    let delay = i64::from(stream.track.delay.unwrap_or(0));
    let padding = i64::from(stream.track.padding.unwrap_or(0));
    let audible = (frames - delay).max(0);
    // Only a tag with delay and padding counts for certain; without one the number is a guess.
    if delay + padding > 0
        && let Some(promised) = stream.track.num_frames
    {
        let promised = i64::try_from(promised).unwrap_or(i64::MAX);
        let frames = agreed(stream, promised, audible, warnings);
        return Ok(Audible { lead: 0, frames, start: 0 });
    }
    Ok(Audible { lead: 0, frames: audible, start: 0 })
}

/// The length that counts, from the promised and the present one: if they differ by more than the padding
/// at the end, the present one.
fn agreed(stream: &Stream, promised: i64, present: i64, warnings: &mut Vec<String>) -> i64 {
    /// One packet is the difference between two ways to count, two are padding.
    const PACKET: i64 = 1152;
    let [a, b] = [promised, present].map(|frames| u64::try_from(frames).unwrap_or(0));
    if promised > present.saturating_add(PACKET) {
        warnings.push(duration_words::cut_off(a, b, stream.rate.into()));
    } else if present > promised.saturating_add(4 * PACKET) {
        warnings.push(duration_words::more(a, b, stream.rate.into()));
    } else {
        return promised.min(present);
    }
    present
}

/// Takes the container's word for the length, and looks whether the end is there.
fn indexed(stream: &mut Stream, warnings: &mut Vec<String>) -> Result<Audible, OpenError> {
    let claimed = stream.track.num_frames.and_then(|n| i64::try_from(n).ok()).filter(|n| *n > 0);
    let total = match (claimed, stream.track.duration) {
        (Some(frames), _) => frames,
        (None, Some(ticks)) if ticks.get() > 0 => {
            stream.frames(i64::try_from(ticks.get()).unwrap_or(i64::MAX))
        }
        _ => return scanned(stream, warnings),
    };
    guard::check_length(
        &stream.file,
        u64::try_from(total).unwrap_or(0),
        stream.rate.into(),
        stream.bytes,
    )?;
    let start = stream.frames(stream.track.start_ts.get()).max(0);
    let present = present(stream, start, total)?;
    let audible = trimmed(stream, Audible { lead: start, frames: total, start: 0 });
    let missing = total - present;
    let lossless = preroll(codec_name(&stream.params)) == 0;
    let rate = u64::from(stream.rate);
    let [before, there] = [total, present].map(|frames| u64::try_from(frames).unwrap_or(0));
    if missing >= MOST_MISSING {
        warnings.push(duration_words::cut_off(before, there, rate));
        return Ok(Audible { frames: (audible.frames - missing).max(0), ..audible });
    }
    // A lossy stream ends with padding, a lossless one with audio.
    if lossless && missing < 0 {
        warnings.push(duration_words::more(before, there, rate));
        return Ok(Audible { frames: audible.frames - missing, ..audible });
    }
    Ok(audible)
}

/// Drops the priming of Opus, and what the edit list of an MP4 excludes.
fn trimmed(stream: &Stream, whole: Audible) -> Audible {
    if format_name(stream.format.as_ref()) != "MP4" {
        // In Ogg, Opus is the one codec whose priming symphonia numbers as if it were audible.
        let opus = codec_name(&stream.params) == "Opus";
        let lead = stream.track.delay.filter(|_| opus).map_or(0, i64::from);
        return Audible { lead: whole.lead + lead, frames: whole.frames - lead, start: 0 };
    }
    let Some(edit) = mp4::edit(&stream.input, stream.track.id) else {
        return whole;
    };
    let lead = stream.frames(i64::try_from(edit.delay).unwrap_or(0));
    let left = (whole.frames - lead).max(0);
    let frames = edit.length.map_or(left, |length| {
        let ticks = stream.frames(i64::try_from(length.ticks).unwrap_or(i64::MAX));
        let tolerance = stream.frames(i64::try_from(length.tolerance).unwrap_or(0));
        // The movie's clock is coarse: within one of its ticks the media's own end counts.
        if (left - ticks).abs() <= tolerance { left } else { ticks.min(left) }
    });
    let start = stream.frames(i64::try_from(edit.pause).unwrap_or(i64::MAX));
    Audible { lead, frames, start }
}

/// Looks through the packets of a container that does not say how long it is.
fn scanned(stream: &mut Stream, warnings: &mut Vec<String>) -> Result<Audible, OpenError> {
    let (mut first, mut last) = (None, [None, None]);
    let mut end = 0i64;
    loop {
        let packet = match stream.next() {
            Ok(Next::Packet(packet)) => packet,
            Ok(Next::End) => break,
            Err(problem) if first.is_none() => return Err(stream.damaged(&problem)),
            Err(_) => {
                let read =
                    duration_words::seconds(u64::try_from(end).unwrap_or(0), stream.rate.into());
                warnings.push(format!("It is damaged after {read}. Deskhand read what is before."));
                break;
            }
        };
        let start = stream.start_of(&packet);
        first.get_or_insert(start);
        end = end.max(start.saturating_add(stream.length_of(&packet)));
        last = [last[1].take(), Some(packet)];
    }
    // Not every container says how long a packet is; what overlaps needs the one before it.
    let mut block = Block::default();
    for packet in last.iter().flatten() {
        if stream.codec.decode(packet, &mut block).is_ok() {
            let start = stream.start_of(packet);
            end = end.max(start.saturating_add(Frames::from_index(block.frames()).0));
        }
    }
    let lead = first.unwrap_or(0).max(0);
    Ok(Audible { lead, frames: end - lead, start: lead })
}

/// How many frames are there and decode, of `total` from `start` on.
fn present(stream: &mut Stream, start: i64, total: i64) -> Result<i64, OpenError> {
    let last = start + total - 1;
    let preroll = preroll(codec_name(&stream.params));
    if stream.seek(last.saturating_sub(preroll)) {
        let end = decoded_end(stream)?;
        if end > last {
            return Ok(end - start);
        }
    }
    stream.rewind()?;
    Ok(decoded_end(stream)?.max(start) - start)
}

/// Decodes on from here to the end; the frame at which that is.
fn decoded_end(stream: &mut Stream) -> Result<i64, OpenError> {
    let mut block = Block::default();
    let mut end = i64::MIN;
    while let Ok(Next::Packet(packet)) = stream.next() {
        match stream.codec.decode(&packet, &mut block) {
            Ok(_) => end = end.max(stream.start_of(&packet) + Frames::from_index(block.frames()).0),
            Err(DecodeFailure::Packet) => {}
            Err(DecodeFailure::Decoder(problem)) => return Err(stream.damaged(&problem)),
        }
    }
    Ok(end)
}
