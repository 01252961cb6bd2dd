//! Listening to clips: the source region of each, before the clip's own gain and fades, once per region.

use super::features::{ALGORITHM, Extractor, Features};
use deskhand_dsp::downmix::{Downmix, MeanRemoval};
use deskhand_dsp::{FrameReader, Frames};
use deskhand_session::digest::digest;
use deskhand_session::text::whole_seconds;
use deskhand_session::{Clip, ClipId, Session, SourceId};
use deskhand_toolkit::{PlanContext, ToolError};

/// Frames that are read at a time.
const CHUNK: usize = 65_536;
/// How often a listener looks at the measurements so far, in seconds of audio.
const LOOK_S: f64 = 10.0;

/// A clip, and the region of its source that it shows.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) clip: ClipId,
    pub(super) name: String,
    pub(super) source: SourceId,
    pub(super) start: Frames,
    pub(super) length: Frames,
    /// Where it starts on the timeline.
    pub(super) position: Frames,
}

impl Piece {
    fn new(clip: ClipId, value: &Clip) -> Self {
        let Clip { name, source, start, length, position, .. } = value.clone();
        Self { clip, name, source, start, length, position }
    }

    /// Where a frame of the region lies on the timeline.
    pub(super) fn on_timeline(&self, frame: Frames) -> Frames {
        self.position + frame
    }

    /// How far it was heard, for a summary: ", as far as 3:20 of 10:00 in \"Verse\"".
    pub(super) fn as_far_as(&self, session: &Session, heard: Frames) -> String {
        let clock = |frames: Frames| whole_seconds(frames.seconds(session.rate).0);
        format!(", as far as {} of {} in \"{}\"", clock(heard), clock(self.length), self.name)
    }
}

/// The clips as pieces, in their order.
pub(super) fn pieces(session: &Session, clips: &[ClipId]) -> Vec<Piece> {
    let known = clips.iter().filter_map(|id| Some(Piece::new(*id, session.clips.get(id)?)));
    known.collect()
}

/// Which of how many pieces is listened to.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) index: usize,
    pub(super) all: usize,
}

/// Takes the next audio, a vector a channel.
pub(super) type Take<'a> = dyn FnMut(&[Vec<f32>]) -> Result<(), ToolError> + 'a;

/// Reads the region of a piece, all channels, chunk by chunk, telling progress.
///
/// # Errors
/// When it cannot be read, what `take` returns, or when the run is stopped.
pub(super) fn read(
    context: &PlanContext,
    piece: &Piece,
    turn: Turn,
    take: &mut Take<'_>,
) -> Result<(), ToolError> {
    let mut reader = open(context, piece)?;
    let length = piece.length.index();
    let mut planes = vec![vec![0.0f32; CHUNK.min(length)]; reader.channels()];
    let mut at = 0;
    context.step(turn.index, turn.all, &piece.name)?;
    while at < length {
        let wanted = CHUNK.min(length - at);
        planes.iter_mut().for_each(|plane| plane.resize(wanted, 0.0));
        let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
        let from = piece.start + Frames::from_index(at);
        let count = reader.read(from, &mut out).map_err(ToolError::media)?;
        if count == 0 {
            break;
        }
        planes.iter_mut().for_each(|plane| plane.truncate(count));
        take(&planes)?;
        at += count;
        let part = at as f64 / length as f64;
        let fraction = (turn.index as f64 + part) / turn.all.max(1) as f64;
        context.progress.report(fraction.min(1.0), &piece.name);
        context.check()?;
    }
    Ok(())
}

fn open(context: &PlanContext, piece: &Piece) -> Result<Box<dyn FrameReader>, ToolError> {
    context.audio.source(&context.session, piece.source).map_err(ToolError::media)
}

/// The features of a piece, from the cache if it was analyzed before. `look` sees the features so far every
/// few seconds of audio.
///
/// # Errors
/// When it cannot be read, or the run is stopped.
pub(super) fn features(
    context: &PlanContext,
    piece: &Piece,
    turn: Turn,
    look: &mut dyn FnMut(&Features),
) -> Result<Features, ToolError> {
    let key = key(&context.session, piece);
    let known = key.as_ref().and_then(|key| context.cache.get(key));
    if let Some(known) = known.and_then(|bytes| Features::from_bytes(&bytes)) {
        context.step(turn.index, turn.all, &piece.name)?;
        context.note_phase(piece.clip.into(), known.phase);
        return Ok(known);
    }
    let rate = open(context, piece)?.rate();
    let mut extractor = Extractor::new(rate);
    let (mut downmix, mut offsets) = (Downmix::default(), Vec::new());
    let mut looked = 0.0;
    read(context, piece, turn, &mut |planes| {
        // Channel by channel, since an offset has a polarity of its own.
        offsets.resize(planes.len(), MeanRemoval::default());
        let mut planes = planes.to_vec();
        planes.iter_mut().zip(&mut offsets).for_each(|(plane, offset)| offset.process(plane, rate));
        let mono = downmix.mix(&planes.iter().map(Vec::as_slice).collect::<Vec<_>>());
        extractor.push(&mono);
        let heard = extractor.features.seconds();
        if heard - looked >= LOOK_S {
            looked = heard;
            look(&extractor.features);
        }
        Ok(())
    })?;
    let features = Features { phase: downmix.phase(), ..extractor.finish() };
    context.note_phase(piece.clip.into(), features.phase);
    if let Some(key) = key {
        context.cache.put(&key, &features.to_bytes());
    }
    Ok(features)
}

/// Content, channel and region decide.
fn key(session: &Session, piece: &Piece) -> Option<String> {
    let source = session.sources.get(&piece.source)?;
    let of = ("analysis", ALGORITHM, &source.hash, source.channel, piece.start, piece.length);
    Some(digest(&(of, session.rate)).trim_start_matches("blake3:").to_owned())
}
