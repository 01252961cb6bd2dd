//! Where fillers are: those that are written down, whose times are poor, and those that nobody wrote down.
//!
//! Fillers are searched on their sources, whatever of those plays, and then cut where they still play. So a
//! cut filler is never taken for something else, however often a talk is tightened.

use super::align::Laid;
use super::listen::{Heard, Spoken, millis, on_timeline};
use super::place::{Place, SLACK_MS};
use super::spelled::is_longer_than_written;
use super::steady::{self, Steadiness};
use crate::assembly::talk::{is_filler, plain};
use deskhand_dsp::silence::{gaps, union};
use deskhand_dsp::{Frames, SampleRate, Seconds};
use deskhand_session::{Clip, SourceId, Word};
use deskhand_toolkit::{PlanContext, ToolError};
use std::iter::once;
use std::ops::Range;

/// How far around a word nothing is looked for, in ms.
const BESIDE_WORD_MS: i64 = 30;
/// A filler that is written down is at least so long, in ms, and any at most.
pub(super) const LEAST_MS: i64 = 200;
pub(super) const MOST_MS: i64 = 1_600;
/// Share of a sound that has to be steady for all of it to be a filler.
const SHARE: f64 = 0.55;
/// A sound held this long where no word is, is a filler, in ms. Vowels of words, whose times may be that
/// far off, are shorter.
const LONG_MS: i64 = 300;

/// How long before its time a filler may sound, the least and the most that is searched, in ms; and how
/// long after it.
const EARLY_MS: (i64, i64) = (400, 2_000);
const LATE_MS: i64 = 100;
/// If no sound agrees with a filler's time, it is a held sound that is no word, at most this long before
/// it, in ms.
const FAR_MS: i64 = 4_000;
/// Within this time before an unplaced filler, no held sound counts as an untranscribed filler, in ms: its
/// words are late.
const UNPLACED_MS: i64 = 1_000;
/// How far around a place its surroundings are analyzed, in ms: quiet parts there count as silence.
const AROUND_MS: i64 = 4_000;

/// The time of a quickly spoken word, in ms: a base, and a part for each letter.
const WORD_MS: (i64, i64) = (150, 50);

/// One part in this many of a held sound must be as loud as speech.
const LOUD: i64 = 4;
/// Share of a filler that has to play for it to be cut, in quarters: what stays of one that was cut is less.
const PLAYS: i64 = 3;

/// Somebody thinks.
#[derive(Clone)]
pub(super) struct Filler {
    /// Where it sounds.
    pub(super) range: Range<Frames>,
    /// How far the edges of a cut may lie outside of it, before and after.
    pub(super) slack: (Frames, Frames),
    /// Its transcribed word, in frames of its source.
    pub(super) word: Option<Word>,
    /// Its source, and how much later it is on the timeline.
    pub(super) source: SourceId,
    pub(super) shift: Frames,
}

/// The fillers of a track, in order.
#[derive(Default)]
pub(super) struct Fillers {
    pub(super) sounding: Vec<Filler>,
    /// Transcribed fillers, at their times, that might be either of two sounds.
    pub(super) unplaced: Vec<Filler>,
}

/// A filler that is written down.
struct Placed<'a> {
    word: &'a Word,
    /// Where it sounds; `None` if it might be either of two sounds.
    place: Option<Place>,
    /// What sounds there and is no filler that nobody wrote down.
    known: Vec<Range<Frames>>,
}

/// Fillers of a track that play, on the timeline.
///
/// # Errors
/// When audio cannot be read, or the run is stopped.
pub(super) fn playing(context: &PlanContext, heard: &Heard) -> Result<Fillers, ToolError> {
    let mut all = Fillers::default();
    for (source, spoken) in heard.sources.iter().filter(|(_, spoken)| !spoken.words.is_empty()) {
        let clips = heard.clips.iter().filter(|clip| clip.source == *source);
        let clips: Vec<&Clip> = clips.collect();
        let near = union(clips.iter().map(|clip| clip.start..clip.start + clip.length));
        let finder = Finder { context, source: *source, spoken, near, rate: context.session.rate };
        let found = finder.all()?;
        let on_clips = |filler: &Filler| on_clips(filler, &clips);
        all.sounding.extend(found.sounding.iter().flat_map(on_clips));
        all.unplaced.extend(found.unplaced.iter().flat_map(on_clips));
    }
    all.sounding.sort_by_key(|filler| filler.range.start);
    all.unplaced.sort_by_key(|filler| filler.range.start);
    Ok(all)
}

/// A filler on the timeline, wherever the clips of its source play most of it.
fn on_clips(filler: &Filler, clips: &[&Clip]) -> Vec<Filler> {
    let length = length(&filler.range).0;
    let parts = union(clips.iter().filter_map(|clip| on_timeline(&filler.range, clip)));
    let plays = |part: &Range<Frames>| (part.end - part.start).0 * 4 >= length * PLAYS;
    let placed = |range: Range<Frames>| {
        let plays = |clip: &&&Clip| (clip.position..clip.end()).contains(&range.start);
        let shift = clips.iter().find(plays).map(|clip| clip.position - clip.start);
        Filler { range, shift: shift.unwrap_or(Frames::ZERO), ..filler.clone() }
    };
    parts.into_iter().filter(plays).map(placed).collect()
}

/// From the end of the word before a range to the start of the word after it. The words are in order;
/// fillers do not count.
pub(super) fn gap_around(words: &[Word], range: &Range<Frames>) -> Range<Frames> {
    let place = |at: Frames| words.partition_point(|word| word.start < at);
    let is_word = |word: &&Word| !is_filler(&word.text);
    let ahead = words.get(..place(range.start)).unwrap_or_default().iter().rev();
    let ahead = ahead.filter(|word| word.end <= range.end).fold(Frames::ZERO, |last, word| {
        if word.end > last && is_word(&word) { word.end } else { last }
    });
    let behind = words.get(place(range.end)..).unwrap_or_default().iter().find(is_word);
    let behind = behind.map_or(Frames(i64::MAX / 4), |word| word.start);
    ahead.min(range.start)..behind.max(range.end)
}

/// From the sound before a range to the sound after it. A sound across an edge leaves no pause there.
pub(super) fn pause_around(active: &[Range<Frames>], range: &Range<Frames>) -> Range<Frames> {
    let is_over = |at: Frames| active.iter().any(|sound| sound.start < at && at < sound.end);
    let ahead = active.iter().map(|sound| sound.end).filter(|end| *end <= range.start).max();
    let behind = active.iter().map(|sound| sound.start).filter(|start| *start >= range.end).min();
    let start = if is_over(range.start) { range.start } else { ahead.unwrap_or(Frames::ZERO) };
    let end = behind.unwrap_or(Frames(i64::MAX / 4));
    start..if is_over(range.end) { range.end } else { end }
}

pub(super) fn length(range: &Range<Frames>) -> Frames {
    range.end - range.start
}

pub(super) fn over(one: &Range<Frames>, other: &Range<Frames>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The time that a quickly spoken word takes.
pub(super) fn quick(word: &Word, rate: SampleRate) -> Frames {
    takes(word, WORD_MS, rate)
}

/// The time of a word, in ms, given the base and the part for each letter.
pub(super) fn takes(word: &Word, (all, letter): (i64, i64), rate: SampleRate) -> Frames {
    millis(all + letter * plain(&word.text).chars().count() as i64, rate)
}

/// What looks for the fillers of a source, in its frames.
pub(super) struct Finder<'a> {
    context: &'a PlanContext,
    source: SourceId,
    pub(super) spoken: &'a Spoken,
    /// Its playing parts.
    near: Vec<Range<Frames>>,
    pub(super) rate: SampleRate,
}

impl Finder<'_> {
    pub(super) fn ms(&self, ms: i64) -> Frames {
        millis(ms, self.rate)
    }

    fn all(&self) -> Result<Fillers, ToolError> {
        let written = self.written()?;
        let known: Vec<_> = written.iter().flat_map(|placed| placed.known.clone()).collect();
        let mut sounds = self.unwritten(&known)?;
        let mut all = Fillers::default();
        let slack = (self.ms(SLACK_MS), self.ms(SLACK_MS));
        for Placed { word, place, .. } in written {
            let Some(mut place) = place else {
                let own = word.start..word.end.max(word.start + Frames(1));
                all.unplaced.push(self.filler(own, slack, Some(word.clone())));
                continue;
            };
            if !place.is_sure {
                place.range = self.claimed(word, &mut sounds).unwrap_or(place.range);
            }
            all.sounding.push(self.filler(place.range, place.slack, Some(word.clone())));
        }
        all.sounding.extend(sounds.into_iter().map(|range| self.filler(range, slack, None)));
        Ok(all)
    }

    fn filler(&self, range: Range<Frames>, slack: (Frames, Frames), word: Option<Word>) -> Filler {
        Filler { range, slack, word, source: self.source, shift: Frames::ZERO }
    }

    /// The nearest held sound, not a word, before a filler whose time no sound agrees with: the filler was
    /// written far too late. The sound is removed from `sounds`.
    fn claimed(&self, filler: &Word, sounds: &mut Vec<Range<Frames>>) -> Option<Range<Frames>> {
        let ahead = filler.start - self.ms(FAR_MS)..filler.start;
        let near = sounds.iter().enumerate().filter(|(_, sound)| ahead.contains(&sound.start));
        let at = near.max_by_key(|(_, sound)| sound.start).map(|(at, _)| at)?;
        Some(sounds.remove(at))
    }

    fn is_near(&self, range: &Range<Frames>) -> bool {
        self.near.iter().any(|near| over(near, range))
    }

    /// Those that are written down, and where they sound.
    fn written(&self) -> Result<Vec<Placed<'_>>, ToolError> {
        let (mut all, mut taken) = (Vec::new(), Vec::new());
        for word in self.spoken.own.iter().filter(|word| is_filler(&word.text)) {
            let window = self.window(word);
            if !self.is_near(&window) {
                continue;
            }
            self.context.check()?;
            let placed = self.placed(word, &window, &taken)?;
            taken.extend(placed.place.iter().map(|place| place.range.clone()));
            all.push(placed);
        }
        Ok(all)
    }

    /// A filler at its time and held sound, unless the words around it show that it is another sound.
    fn placed<'w>(
        &self,
        word: &'w Word,
        window: &Range<Frames>,
        taken: &[Range<Frames>],
    ) -> Result<Placed<'w>, ToolError> {
        let place = self.place(word, window, taken)?;
        let late = self.late_ahead(word, &place.range);
        let mut known: Vec<Range<Frames>> = once(place.range.clone()).chain(late).collect();
        let is_free = |laid: &Laid| !taken.iter().any(|it| over(it, &laid.sound));
        let Some(Laid { sound, rival, beside }) = self.laid(word)?.filter(is_free) else {
            return Ok(Placed { word, place: Some(place), known });
        };
        known.push(sound.clone());
        known.extend(beside);
        let place = match rival {
            Some(rival) => {
                let first = sound.start.min(rival.start) - self.ms(UNPLACED_MS);
                known.push(first..sound.end.max(rival.end));
                None
            }
            None if over(&sound, &place.range) => Some(place),
            None => Some(self.at_sound(word, sound)),
        };
        Ok(Placed { word, place, known })
    }

    /// Where to search for a transcribed filler. Transcribers put it at the end of its sound, up to two
    /// seconds late, and stretch the previous word over it. The search never goes inside a long word.
    fn window(&self, filler: &Word) -> Range<Frames> {
        let words = &self.spoken.words;
        let ahead = words.partition_point(|it| it.start < filler.start);
        let mut ahead = words.get(..ahead).unwrap_or_default().iter();
        let ahead = ahead.rfind(|it| !is_filler(&it.text));
        let early = filler.start - self.ms(EARLY_MS.0);
        let first = match ahead {
            Some(word) if is_longer_than_written(&word.text) => word.end.min(filler.start),
            Some(word) => word.start.min(early),
            None => Frames::ZERO,
        };
        let first = first.max(filler.start - self.ms(EARLY_MS.1)).max(Frames::ZERO);
        first..filler.end.max(filler.start + self.ms(LATE_MS)) + self.ms(LATE_MS)
    }

    /// Untranscribed fillers: held sounds outside words and outside `written`.
    fn unwritten(&self, written: &[Range<Frames>]) -> Result<Vec<Range<Frames>>, ToolError> {
        let beside = self.ms(BESIDE_WORD_MS);
        let words = self.believed().into_iter();
        let words = words.map(|word| word.start - beside..word.end + beside);
        let words = union(words.chain(written.iter().cloned()));
        // A transcript with fillers has nearly all of them: what else is held is a vowel.
        let mut found = if written.is_empty() { self.long(&words)? } else { Vec::new() };
        for active in self.spoken.active.iter().filter(|active| self.is_near(active)) {
            let from = words.partition_point(|it| it.end <= active.start);
            let to = words.partition_point(|it| it.start < active.end);
            for free in gaps(words.get(from..to).unwrap_or_default(), active.clone()) {
                // People pause at a filler, on one side at least; a word that was forgotten has words around it.
                let is_beside_pause = free.start == active.start || free.end == active.end;
                let fits = (self.ms(LONG_MS)..=self.ms(MOST_MS)).contains(&length(&free));
                let is_new = !found.iter().any(|it| over(it, &free));
                if is_beside_pause
                    && fits
                    && is_new
                    && self.is_near(&free)
                    && self.is_steady(&free)?
                {
                    found.push(free);
                }
            }
            self.context.check()?;
        }
        Ok(found)
    }

    /// Long held sounds between words, whatever their pitch: voices creak where they trail off.
    fn long(&self, words: &[Range<Frames>]) -> Result<Vec<Range<Frames>>, ToolError> {
        let least = self.ms(LONG_MS);
        let last = self.spoken.active.last().map_or(Frames::ZERO, |last| last.end);
        let mut found = Vec::new();
        for free in gaps(words, Frames::ZERO..last) {
            self.context.check()?;
            if length(&free) < least || !self.is_near(&free) || self.loud(&free) < least {
                continue;
            }
            let held = self.held(&free)?.into_iter();
            let inside = held.map(|it| it.start.max(free.start)..it.end.min(free.end));
            found.extend(inside.filter(|it| {
                let fits = (least..=self.ms(MOST_MS)).contains(&length(it));
                fits && self.loud(it).0 * LOUD >= length(it).0
            }));
        }
        Ok(found)
    }

    /// How much of a range sounds like speech.
    fn loud(&self, range: &Range<Frames>) -> Frames {
        let parts = self.behind(range.start).iter().take_while(|it| it.start < range.end);
        let parts = parts.map(|it| it.end.min(range.end) - it.start.max(range.start));
        parts.fold(Frames::ZERO, |sum, part| sum + part)
    }

    /// The time that a quickly spoken word takes.
    pub(super) fn quick(&self, word: &Word) -> Frames {
        quick(word, self.rate)
    }

    /// The sounds in and around a range that are held.
    pub(super) fn held(&self, range: &Range<Frames>) -> Result<Vec<Range<Frames>>, ToolError> {
        let around = self.ms(AROUND_MS);
        let start = (range.start - around).max(Frames::ZERO);
        let planes = self.audio(&(start..range.end + around))?;
        let at = |seconds: f64| start + Seconds(seconds).frames(self.rate);
        let sounds = steady::held(&planes, self.rate).into_iter();
        Ok(sounds.map(|it| at(it.start)..at(it.end)).filter(|it| over(it, range)).collect())
    }

    fn is_steady(&self, range: &Range<Frames>) -> Result<bool, ToolError> {
        let steady = Steadiness::of(&self.audio(range)?, self.rate);
        Ok(steady.longest.frames(self.rate) >= self.ms(LONG_MS) && steady.share >= SHARE)
    }

    /// A range of the source that begins in it.
    fn audio(&self, range: &Range<Frames>) -> Result<Vec<Vec<f32>>, ToolError> {
        let source = self.context.audio.source(&self.context.session, self.source);
        let mut reader = source.map_err(ToolError::media)?;
        let length = range.end.min(reader.frames()) - range.start;
        deskhand_toolkit::audio::stretch(reader.as_mut(), range.start, length.index())
    }
}
