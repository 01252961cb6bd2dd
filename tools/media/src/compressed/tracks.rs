//! The audio tracks of a container: their list, their names, and the track to read.

use super::input::Input;
use super::listed_track::Listed;
use super::{codec_names, mkv, mp4, ogg, sample_entry};
use crate::error::OpenError;
use crate::probe::AudioTrack;
use symphonia::core::codecs::audio::{AudioCodecParameters, CODEC_ID_NULL_AUDIO};
use symphonia::core::formats::well_known::{FORMAT_ID_ISOMP4, FORMAT_ID_MKV, FORMAT_ID_OGG};
use symphonia::core::formats::{FormatReader, Track, TrackType};

/// The tracks of audio in the order of the file, also those in a codec that symphonia does not know.
pub(super) fn listed(format: &dyn FormatReader, input: &Input) -> Vec<Listed> {
    let named = match format.format_info().format {
        FORMAT_ID_ISOMP4 => mp4::tracks(input),
        FORMAT_ID_MKV => mkv::tracks(input),
        FORMAT_ID_OGG => ogg::tracks(input),
        _ => Vec::new(),
    };
    if !named.is_empty() {
        return named;
    }
    let tracks = format.tracks().iter().filter(|track| params(track).is_some());
    tracks.map(|track| Listed { id: track.id, ..Listed::default() }).collect()
}

/// The descriptions of the tracks for a person; empty if there is only one.
pub(super) fn described(listed: &[Listed]) -> Vec<AudioTrack> {
    let [first, rest @ ..] = listed else {
        return Vec::new();
    };
    // A language that all share distinguishes none.
    let differ = rest.iter().any(|track| track.language != first.language);
    let of = |track: &Listed| AudioTrack {
        title: track.title.clone(),
        language: track.language.clone().filter(|_| differ),
    };
    if rest.is_empty() { Vec::new() } else { listed.iter().map(of).collect() }
}

/// The track with this number from 0, or the one that the file names first.
pub(super) fn chosen<'a>(
    format: &dyn FormatReader,
    listed: &'a [Listed],
    number: Option<u16>,
) -> Option<&'a Listed> {
    let first = format.default_track(TrackType::Audio).map(|track| track.id);
    match number {
        Some(number) => listed.get(usize::from(number)),
        None => listed.iter().find(|track| Some(track.id) == first).or(listed.first()),
    }
}

/// The number of a track among several.
pub(super) fn number(listed: &[Listed], id: u32) -> Option<u16> {
    let place = listed.iter().position(|track| track.id == id).filter(|_| listed.len() > 1)?;
    u16::try_from(place).ok()
}

/// The part of a track to decode.
pub(super) fn found(
    format: &dyn FormatReader,
    entry: Option<&Listed>,
    input: &Input,
    file: &str,
) -> Result<(Track, AudioCodecParameters), OpenError> {
    let track = entry.and_then(|entry| format.tracks().iter().find(|track| track.id == entry.id));
    let kind = format.format_info().format;
    let whole = |track: &Track| match kind {
        FORMAT_ID_ISOMP4 => Some(sample_entry::completed(params(track)?.clone(), input, track.id)),
        FORMAT_ID_MKV => params(track).cloned().or_else(|| mkv::samples(input, track.id)),
        _ => params(track).cloned(),
    };
    match track.and_then(|track| Some((track, whole(track)?))) {
        Some((track, params)) if params.codec != CODEC_ID_NULL_AUDIO => Ok((track.clone(), params)),
        _ if format.tracks().is_empty() => Err(OpenError::NoFrames { file: file.to_owned() }),
        _ => Err(OpenError::unsupported(
            file,
            codec(entry, input).unwrap_or_else(|| "no audio stream in a known codec".into()),
        )),
    }
}

/// The codec of a track in words, where the file says what it is.
pub(super) fn codec(entry: Option<&Listed>, input: &Input) -> Option<String> {
    entry.and_then(|entry| entry.codec.clone()).or_else(|| codec_names::of(input))
}

fn params(track: &Track) -> Option<&AudioCodecParameters> {
    track.codec_params.as_ref()?.audio()
}
