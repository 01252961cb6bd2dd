//! Where a filler sounds that is written down.
//!
//! Finds where transcribed fillers sound. Networks write them at the start of their sound and stretch them
//! over the next pause, or write them late and stretch the previous word over them. So a time counts as far
//! as sounds agree with it. First choice is a sound that begins and ends where the filler is written. Then
//! one between two pauses that begins by then. Then the longest held sound nearby. Words are cut into only
//! as far as such times are usually wrong. Among sounds between pauses the order of the words decides: see
//! `align`.

use super::fillers::{Finder, LEAST_MS, MOST_MS, gap_around, length, over};
use crate::assembly::talk::is_filler;
use deskhand_dsp::Frames;
use deskhand_dsp::silence::{gaps, union};
use deskhand_session::Word;
use deskhand_toolkit::ToolError;
use std::ops::Range;

/// How far from its time a transcribed filler may sound, in ms: one with a length, and one without.
const REACH_MS: (i64, i64) = (150, 700);
/// A sound that begins as near to where a filler is written down is it, when it ends at most so much earlier, in ms; of one
/// that goes on as much again belongs to it.
const AGREES_MS: (i64, i64) = (100, 150);
/// A filler whose time can be believed is at least so long, in ms.
const SHORT_MS: i64 = 150;
/// A word with less than one part in this many of its least time is said earlier than written.
const SQUEEZED: i64 = 3;
/// A word that begins longer before a filler than this, in ms, is over before any possible sound of the filler.
const BEGINS_MS: i64 = 10_000;
/// A shorter held sound does not count, in ms.
const HELD_MS: i64 = 120;

/// A filler between two pauses is at most this long, in ms, and begins at most this long before its time.
const APART_MS: i64 = 1_000;
const AHEAD_MS: i64 = 1_500;
/// So much of what a word covers may be cut, in ms: times are not better.
const COVERED_MS: i64 = 50;
/// Share of a sound, in percent, that is held where another one might as well be the filler.
const HELD_SHARE: i64 = 50;

/// How far times may be off, in ms: a cut lies at the quietest point within.
pub(super) const SLACK_MS: i64 = 60;

/// Where a filler sounds.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) range: Range<Frames>,
    /// How far its edges may move outwards: to the sound or word before it, and to the one after it.
    pub(super) slack: (Frames, Frames),
    /// Whether its time or its held length says so. Otherwise another held sound may be the filler.
    pub(super) is_sure: bool,
}

impl Finder<'_> {
    /// Where a transcribed filler sounds; the `taken` sounds are others.
    ///
    /// # Errors
    /// When audio cannot be read.
    pub(super) fn place(
        &self,
        filler: &Word,
        window: &Range<Frames>,
        taken: &[Range<Frames>],
    ) -> Result<Place, ToolError> {
        let held = self.held(window)?;
        let spoken = self.spoken;
        let next = self.next(filler);
        let mut sounds = spoken.islands.iter().chain(&held).chain(&spoken.active);
        if let Some(own) = sounds.find_map(|sound| self.agreed(filler, next, sound)) {
            return Ok(self.bounded(own, next));
        }
        if let Some(own) = self.between_pauses(filler, next, &held, taken) {
            return Ok(self.bounded(own, next));
        }
        let slack = self.ms(SLACK_MS);
        let held = self.no_words(filler, next, &held);
        let longest = self.longest(window, &held, taken);
        let is_sure = longest.as_ref().is_some_and(|it| length(it) >= self.ms(LEAST_MS));
        let range = match longest {
            Some(held) => self.to_edges(held, filler, next, taken),
            None => self.nearest(filler),
        };
        Ok(Place { range, slack: (slack, slack), is_sure })
    }

    /// A filler that is a sound between two pauses.
    pub(super) fn at_sound(&self, filler: &Word, sound: Range<Frames>) -> Place {
        self.bounded(sound, self.next(filler))
    }

    /// A held sound, extended by the little sound next to it: back to the pause if no word is between, and
    /// on to the pause or the next word.
    fn to_edges(
        &self,
        held: Range<Frames>,
        filler: &Word,
        next: Option<&Word>,
        taken: &[Range<Frames>],
    ) -> Range<Frames> {
        let Some(sound) = self.spoken.islands.iter().find(|it| over(it, &held)) else {
            return held;
        };
        let reach = self.ms(AGREES_MS.1);
        let mut words = self.begins(filler).filter(|it| it.start < held.start);
        let is_free = !words.any(|it| it.end > sound.start);
        let onset = next.map(|next| next.start).filter(|start| *start >= held.end);
        let last = onset.map_or(sound.end, |onset| sound.end.min(onset));
        let mut wide = held.clone();
        if is_free && held.start - sound.start <= reach {
            wide.start = held.start.min(sound.start);
        }
        if last - held.end <= reach && self.leaves_next(next, sound) {
            wide.end = held.end.max(last);
        }
        if taken.iter().any(|it| over(it, &wide)) { held } else { wide }
    }

    /// The word after a filler.
    fn next(&self, filler: &Word) -> Option<&Word> {
        let words = &self.spoken.words;
        let from = words.partition_point(|word| word.start < filler.end);
        words.get(from..)?.iter().find(|word| !is_filler(&word.text))
    }

    /// The words, without fillers, that begin before a filler, the last first.
    fn ahead(&self, filler: &Word) -> impl Iterator<Item = &Word> {
        let words = &self.spoken.words;
        let to = words.partition_point(|word| word.start < filler.start);
        words.get(..to).unwrap_or_default().iter().rev().filter(|word| !is_filler(&word.text))
    }

    /// The sound that is held the longest in a window and is not another's.
    fn longest(
        &self,
        window: &Range<Frames>,
        held: &[Range<Frames>],
        taken: &[Range<Frames>],
    ) -> Option<Range<Frames>> {
        let inside = held.iter().map(|it| it.start.max(window.start)..it.end.min(window.end));
        let is_one = |sound: &Range<Frames>| {
            let fits = (self.ms(HELD_MS)..=self.ms(MOST_MS)).contains(&length(sound));
            fits && !taken.iter().any(|it| over(it, sound))
        };
        inside.filter(is_one).max_by_key(|it| (length(it), std::cmp::Reverse(it.start)))
    }

    /// The part of a sound that is a filler, if its time agrees. The part beyond it belongs to the next
    /// word from where that begins.
    fn agreed(
        &self,
        filler: &Word,
        next: Option<&Word>,
        sound: &Range<Frames>,
    ) -> Option<Range<Frames>> {
        let (begins, ends) = (self.ms(AGREES_MS.0), self.ms(AGREES_MS.1));
        let is_it = filler.end - filler.start >= self.ms(SHORT_MS)
            && (filler.start - sound.start).0.abs() <= begins.0
            && sound.end >= filler.end - ends
            && self.leaves_next(next, sound);
        let goes_on = sound.end > filler.end + ends
            || next.is_some_and(|next| next.end <= sound.end + self.ms(COVERED_MS));
        let last = match next {
            Some(next) if goes_on => next.start.min(filler.end + ends),
            _ => filler.end + ends,
        };
        let own = sound.start..sound.end.min(last);
        (is_it && length(&own) >= self.ms(SHORT_MS)).then_some(own)
    }

    /// The longest held sound between two pauses that begins by the time of a filler and is no word: the
    /// one at its time, or an earlier one that is held for most of it.
    fn between_pauses(
        &self,
        filler: &Word,
        next: Option<&Word>,
        held: &[Range<Frames>],
        taken: &[Range<Frames>],
    ) -> Option<Range<Frames>> {
        let (near, covered) = (self.ms(AGREES_MS.0), self.ms(COVERED_MS));
        let islands = self.spoken.islands.iter();
        let begun = islands.filter(|it| {
            (filler.start - self.ms(AHEAD_MS)..=filler.start + near).contains(&it.start)
        });
        let own = begun.filter(|island| {
            (self.ms(HELD_MS)..=self.ms(APART_MS)).contains(&length(island))
                && next.is_none_or(|next| island.end <= next.start + covered)
                && self.leaves_next(next, island)
                && !taken.iter().any(|it| over(it, island))
                && !self.is_word_ahead(filler, island)
        });
        let is_exact = |it: &Range<Frames>| (it.start - filler.start).0.abs() <= near.0;
        let held_of = |it: &Range<Frames>| self.held_of(it, held).0;
        let is_one =
            |it: &&Range<Frames>| is_exact(it) || held_of(it) * 100 >= length(it).0 * HELD_SHARE;
        let own = self.in_order(filler, own.filter(is_one).cloned().collect());
        own.into_iter().max_by_key(|it| (held_of(it), it.start))
    }

    /// The sounds that may be a filler and leave one for the previous word, if there are any. None of them
    /// ends before that word begins. If the word begins in a pause, the first sound after it is the word's.
    fn in_order(&self, filler: &Word, mut sounds: Vec<Range<Frames>>) -> Vec<Range<Frames>> {
        let Some(begins) = self.ahead(filler).next().map(|word| word.start) else { return sounds };
        if sounds.iter().any(|it| it.end > begins) {
            sounds.retain(|it| it.end > begins);
        }
        let begun = self.spoken.islands.iter().find(|it| it.end > begins);
        if let Some(first) = begun.filter(|it| it.start >= begins)
            && sounds.iter().any(|it| it != first)
        {
            sounds.retain(|it| it != first);
        }
        sounds
    }

    /// Whether a sound leaves another for the next word. A word that is written too short sounds earlier
    /// than written.
    fn leaves_next(&self, next: Option<&Word>, sound: &Range<Frames>) -> bool {
        let Some(next) = next.filter(|next| self.is_squeezed(next)) else { return true };
        let ahead = sound.end..=next.start + self.ms(AGREES_MS.0);
        self.spoken.islands.iter().any(|it| ahead.contains(&it.start))
    }

    fn is_squeezed(&self, word: &Word) -> bool {
        (word.end - word.start).0 * SQUEEZED < self.quick(word).0
    }

    /// How much of a sound is held.
    fn held_of(&self, sound: &Range<Frames>, held: &[Range<Frames>]) -> Frames {
        let parts = held.iter().map(|it| it.end.min(sound.end) - it.start.max(sound.start));
        parts.fold(Frames::ZERO, |sum, part| sum + part.max(Frames::ZERO))
    }

    /// Whether a word before a filler begins in a sound: then the sound is that word. Its end is often
    /// written too late.
    fn is_word_ahead(&self, filler: &Word, sound: &Range<Frames>) -> bool {
        let covered = self.ms(COVERED_MS);
        let covers = |begins: &Range<Frames>| {
            begins.end.min(sound.end) - begins.start.max(sound.start) > covered
        };
        self.begins(filler).filter(covers).any(|begins| !self.is_late(begins.start))
    }

    /// Whether a word that begins there is written after its sound: it begins in a pause, and the sound
    /// before that belongs to no word.
    fn is_late(&self, begins: Frames) -> bool {
        let islands = || self.spoken.islands.iter();
        let is_in_pause = !islands().any(|it| it.start <= begins && begins < it.end);
        let words = self.spoken.words.iter().filter(|word| word.start < begins);
        let last = words.map(|word| word.end).max().unwrap_or(Frames::ZERO);
        let ahead = islands().filter(|it| it.end <= begins).max_by_key(|it| it.end);
        is_in_pause && ahead.is_some_and(|it| it.start >= last)
    }

    /// The sound of the word before a filler, if the word is written late, just before the filler sounds.
    /// It is not an untranscribed filler.
    pub(super) fn late_ahead(
        &self,
        filler: &Word,
        sounds: &Range<Frames>,
    ) -> Option<Range<Frames>> {
        let begins = self.ahead(filler).next()?.start;
        let islands = || self.spoken.islands.iter();
        let next = islands().find(|it| it.end > begins)?;
        let own = islands().filter(|it| it.end <= begins).max_by_key(|it| it.end)?;
        (self.is_late(begins) && over(next, sounds)).then(|| own.clone())
    }

    /// The beginnings of the words before a filler, each as long as the word takes at least.
    fn begins(&self, filler: &Word) -> impl Iterator<Item = Range<Frames>> {
        let first = filler.start - self.ms(BEGINS_MS);
        let near = self.ahead(filler).take_while(move |word| word.start >= first);
        near.map(|word| word.start..word.end.min(word.start + self.quick(word)))
    }

    /// The parts of sounds that are no beginning of a word before a filler.
    fn no_words(
        &self,
        filler: &Word,
        next: Option<&Word>,
        held: &[Range<Frames>],
    ) -> Vec<Range<Frames>> {
        let next = next.filter(|next| !self.is_squeezed(next));
        let next = next.map(|next| next.start..next.end);
        let words = union(self.begins(filler).chain(next));
        held.iter().flat_map(|it| gaps(&words, it.clone())).collect()
    }

    /// A place whose edges stay before other sounds, or, in a continuing sound, before the next word.
    fn bounded(&self, range: Range<Frames>, next: Option<&Word>) -> Place {
        let most = self.ms(SLACK_MS);
        let sounds = &self.spoken.islands;
        let is_inside = |at: Frames| sounds.iter().any(|it| it.start < at && at < it.end);
        let ahead = sounds.iter().map(|it| it.end).filter(|end| *end <= range.start).max();
        let behind = sounds.iter().map(|it| it.start).filter(|start| *start >= range.end).min();
        let to_next = next.map(|next| next.start - range.end);
        let before = ahead.map_or(most, |end| range.start - end);
        let after = match is_inside(range.end) {
            true => to_next.unwrap_or(most),
            false => behind.map_or(most, |start| start - range.end),
        };
        let before = if is_inside(range.start) { Frames::ZERO } else { before };
        let slack = (before.clamp(Frames::ZERO, most), after.clamp(Frames::ZERO, most));
        Place { range, slack, is_sure: true }
    }

    /// The nearest sound between the words around a filler that is written down, where that is no longer than one.
    fn nearest(&self, filler: &Word) -> Range<Frames> {
        let own = filler.start..filler.end.max(filler.start + Frames(1));
        let around = gap_around(&self.spoken.words, &own);
        let has_length = length(&own) >= self.ms(LEAST_MS);
        let reach = self.ms(if has_length { REACH_MS.0 } else { REACH_MS.1 });
        let (first, last) = (around.start.max(own.start - reach), around.end.min(own.end + reach));
        let inside = |sound: &Range<Frames>| {
            let part = sound.start.max(first)..sound.end.min(last);
            let fits = (self.ms(LEAST_MS / 2)..=self.ms(MOST_MS)).contains(&length(&part));
            fits.then_some(part)
        };
        let middle = |range: &Range<Frames>| range.start.0 + range.end.0;
        let parts = self.spoken.active.iter().filter_map(inside);
        parts.min_by_key(|part| (middle(part) - middle(&own)).abs()).unwrap_or(own)
    }
}
