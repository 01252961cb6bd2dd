//! Speakers by their voices.

use super::shared;
use crate::listen::Audio;
use crate::mel::RATE;
use crate::transcribe::{Region, Stop, frames, missing, samples, spoken_in};
use crate::turns::{Count, Speakers, Turn};
use crate::voice::Voice;
use deskhand_dsp::SampleRate;
use deskhand_inference::{Library, SPEAKERS, VOICE_ACTIVITY};
use deskhand_media::resampled;
use deskhand_session::{IdSeed, Segment, SegmentId, Session};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeSet;

/// About how many seconds of audio speaker detection processes in a second.
pub(super) const SPEED: f64 = 40.0;

/// Segments with the speakers whose voices are heard in them.
pub(super) fn by_sound(
    regions: &[Region],
    count: Count,
    context: &PlanContext,
    ids: &mut IdSeed,
) -> Result<Vec<(SegmentId, Segment)>, ToolError> {
    let library = Library::of_this_user().map_err(|error| missing(&error))?;
    let network = library.load(SPEAKERS).map_err(|error| missing(&error))?;
    let ears = library.load(VOICE_ACTIVITY).ok();
    let mut speakers = Speakers::new(network);
    for (index, region) in regions.iter().enumerate() {
        let mut voice = Voice::new(ears.clone());
        hear(&mut speakers, &mut voice, (index, regions.len()), region, context)?;
    }
    Ok(marked(regions, &speakers.turns(count), &context.session, ids))
}

fn hear(
    speakers: &mut Speakers,
    voice: &mut Voice,
    (index, all): (usize, usize),
    region: &Region,
    context: &PlanContext,
) -> Result<(), ToolError> {
    let session = &context.session;
    let reader = context.audio.source(session, region.source).map_err(ToolError::media)?;
    let mut reader = resampled(reader, SampleRate(RATE)).map_err(ToolError::media)?;
    let range = samples(&region.range, session.rate);
    let end = range.end.min(reader.frames().index());
    let range = range.start.min(end)..end;
    let (start, length) = (range.start, range.len().max(1));
    let mut audio = Audio::new(reader.as_mut(), range, Vec::new());
    let heard = speakers.hear::<Stop>(index, &mut audio, voice, &mut |at| {
        let share = at.saturating_sub(start) as f64 / length as f64;
        let done = (index as f64 + share.min(1.0)) / all.max(1) as f64;
        context.progress.report(done, &region.name);
        context.check().map_err(Stop::Tool)
    });
    heard?;
    context.note_phase(region.source.into(), audio.phase());
    Ok(())
}

/// The segments of the regions with their speakers. A shared segment is split where one speaker stops and
/// the next begins. If something refers to it, it gets the speaker of most of it instead.
fn marked(
    regions: &[Region],
    turns: &[Turn],
    session: &Session,
    ids: &mut IdSeed,
) -> Vec<(SegmentId, Segment)> {
    let phrases = session.phrases.values().flat_map(|phrase| &phrase.segments);
    let used: BTreeSet<SegmentId> = phrases.copied().collect();
    let name = |speaker: usize| Some(format!("Speaker {}", speaker + 1));
    let mut marked = Vec::new();
    let spoken = spoken_in(regions, session);
    for index in 0..regions.len() {
        let turns: Vec<&Turn> = turns.iter().filter(|turn| turn.recording == index).collect();
        let own = spoken.iter().filter(|(number, ..)| *number == index);
        for (id, segment) in own.map(|(_, id, segment)| (*id, *segment)) {
            let is_free = segment.codings.is_empty()
                && !used.contains(&id)
                && !session.memos.contains_key(&id.into());
            let parts = shared::parts(segment, &turns, session.rate);
            match parts.filter(|parts| is_free && parts.len() > 1) {
                Some(parts) => {
                    let parts = parts.into_iter().enumerate().map(|(number, (speaker, part))| {
                        let id = if number == 0 { id } else { free(session, ids) };
                        (id, Segment { speaker: name(speaker), ..part })
                    });
                    marked.extend(parts);
                }
                None => {
                    let speaker = speaker(segment, &turns, session.rate).and_then(name);
                    marked.push((id, Segment { speaker, ..segment.clone() }));
                }
            }
        }
    }
    marked
}

fn free(session: &Session, ids: &mut IdSeed) -> SegmentId {
    loop {
        let id = SegmentId::new(ids.next_bits());
        if !session.segments.contains_key(&id) {
            return id;
        }
    }
}

/// The speaker with the longest time during the words of a segment; if nobody is heard then, the nearest
/// one.
fn speaker(segment: &Segment, turns: &[&Turn], rate: SampleRate) -> Option<usize> {
    let most = 1 + turns.iter().map(|turn| turn.speaker).max()?;
    let mut shared = vec![0i64; most];
    for turn in turns {
        let (start, end) = (frames(turn.range.start, rate), frames(turn.range.end, rate));
        for word in &segment.words {
            let both = word.end.min(end).0 - word.start.max(start).0;
            if let Some(shared) = shared.get_mut(turn.speaker) {
                *shared += both.max(0);
            }
        }
    }
    let (speaker, share) = shared.iter().enumerate().rev().max_by_key(|(_, share)| **share)?;
    if *share > 0 {
        return Some(speaker);
    }
    let away = |turn: &&&Turn| {
        let (start, end) = (frames(turn.range.start, rate), frames(turn.range.end, rate));
        (start - segment.end()).0.max((segment.start - end).0)
    };
    turns.iter().min_by_key(away).map(|turn| turn.speaker)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Frames;
    use deskhand_session::{SourceId, Word};

    #[test]
    fn a_phrase_is_of_who_speaks_for_most_of_its_words() {
        let turn = |from: usize, to: usize, speaker| Turn {
            recording: 0,
            range: from * RATE as usize..to * RATE as usize,
            speaker,
        };
        let (first, second) = (turn(0, 4, 0), turn(4, 9, 1));
        let rate = SampleRate(48_000);
        let said = |from: i64, to: i64| {
            let (start, end) = (Frames(from * 48_000), Frames(to * 48_000));
            let words = vec![Word { text: "so".into(), start, end, confidence: None }];
            let segment = Segment::new(SourceId::new(1), start, end - start);
            speaker(&Segment { words, ..segment }, &[&first, &second], rate)
        };
        assert_eq!([said(1, 3), said(3, 6), said(2, 5)], [Some(0), Some(1), Some(0)]);
        assert_eq!(said(11, 12), Some(1), "the nearest");
    }
}
