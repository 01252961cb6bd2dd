//! Which sounds are words, whatever their times say.
//!
//! Transcribers make errors. They stretch a word over the filler and the pause next to it, give a word no
//! time at all, begin the first word of a sentence late, or end the last one early. So a sound right next
//! to such a word counts as the word before anything else: to leave a filler in is better than to cut a
//! word.

use super::fillers::{Finder, length, takes};
use super::spelled::is_longer_than_written;
use crate::assembly::talk::{is_end, is_filler};
use deskhand_dsp::Frames;
use deskhand_session::Word;
use std::ops::Range;

/// The longest plausible word, in ms: a base, and the time for each letter. A longer one includes something
/// else.
const MOST_WORD_MS: (i64, i64) = (400, 100);
/// The shortest plausible word, in ms: the time for each letter, up to a total. Nobody says a shorter one.
const LEAST_WORD_MS: (i64, i64) = (0, 35);
const SHORT_MS: i64 = 350;
/// How far before its time such a word may sound, in ms.
const AHEAD_MS: i64 = 250;

impl Finder<'_> {
    /// The plausible times of words. If a time is too long for a word, only its beginning and its last
    /// sound count. If it is too short, or the word begins or ends a sentence, some of the sound next to it
    /// is added. A word that is longer spoken than written has all of its sound.
    pub(super) fn believed(&self) -> Vec<Range<Frames>> {
        let mut before = Frames::ZERO;
        let mut believed = Vec::new();
        for (at, word) in self.spoken.words.iter().enumerate() {
            if is_longer_than_written(&word.text) && !is_filler(&word.text) {
                believed.push(self.whole(word, before, at + 1));
            } else {
                believed.extend(self.parts(word, at, before));
            }
            before = before.max(word.end);
        }
        believed
    }

    fn parts(&self, word: &Word, at: usize, before: Frames) -> Vec<Range<Frames>> {
        let (own, quick) = (word.start..word.end, self.quick(word));
        // The word's neighbors do not show where a filler sounds.
        let is_filler = is_filler(&word.text);
        let short = if is_filler { Frames::ZERO } else { self.short(word) };
        if length(&own) < short.max(Frames(1)) {
            let first = before.max(own.start - quick - self.ms(AHEAD_MS)).min(own.end);
            let start = self.last_sound(&(first..own.end), quick).min(own.start);
            let lacks = if is_filler { Frames::ZERO } else { quick - length(&own) };
            return vec![start..self.sounds_on(own.end, lacks)];
        }
        if length(&own) > takes(word, MOST_WORD_MS, self.rate) {
            let is_first = self.is_first(at) && !is_filler;
            let start = if is_first { self.first_sound(&own) } else { own.start };
            let last = self.last_sound(&own, quick);
            return vec![start..(start + quick).min(own.end), last..own.end];
        }
        vec![if is_filler { own } else { self.in_sentence(word, at, before) }]
    }

    /// The length below which nobody can say a word.
    fn short(&self, word: &Word) -> Frames {
        takes(word, LEAST_WORD_MS, self.rate).min(self.ms(SHORT_MS))
    }

    /// Whether a sentence begins with the word at `at`.
    fn is_first(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|at| self.spoken.words.get(at)).is_none_or(is_end)
    }

    /// A word of plausible length, extended to the time that it takes when spoken fast. The last word of a
    /// sentence continues in its sound. The first one begins earlier in it, by at most half of its length,
    /// since people think before sentences.
    fn in_sentence(&self, word: &Word, at: usize, before: Frames) -> Range<Frames> {
        let (mut start, mut end) = (word.start, word.end);
        let lacks = (self.quick(word) - (end - start)).max(Frames::ZERO);
        if self.is_first(at) {
            let most = lacks.min(Frames((end - start).0 / 2));
            start = self.sounds_from(start, most).max(before).min(start);
        }
        if is_end(word) {
            end = self.sounds_on(end, lacks);
        }
        start..end
    }

    /// The sound that a time is inside of.
    fn sound_at(&self, at: Frames) -> Option<&Range<Frames>> {
        self.behind(at).first().filter(|sound| sound.start < at)
    }

    /// The sounds that end after a time, in order.
    pub(super) fn behind(&self, at: Frames) -> &[Range<Frames>] {
        let active = &self.spoken.active;
        active.get(active.partition_point(|sound| sound.end <= at)..).unwrap_or_default()
    }

    /// How far back from a time its sound goes on without a pause, `most` at most.
    fn sounds_from(&self, at: Frames, most: Frames) -> Frames {
        self.sound_at(at).map_or(at, |sound| sound.start.max(at - most))
    }

    /// The same onward.
    fn sounds_on(&self, at: Frames, most: Frames) -> Frames {
        self.sound_at(at).map_or(at, |sound| sound.end.min(at + most.max(Frames::ZERO)))
    }

    /// A word with the sounds in which it begins and ends. It lies between `before`, the end of the words
    /// before it, and the start of the next one.
    fn whole(&self, word: &Word, before: Frames, next: usize) -> Range<Frames> {
        let next = self.spoken.words.get(next).map_or(Frames(i64::MAX / 4), |next| next.start);
        let own = word.start..word.end.max(word.start + Frames(1));
        let sounds = self.behind(own.start).iter().take_while(|sound| sound.start < own.end);
        let whole = sounds
            .fold(own.clone(), |all, sound| all.start.min(sound.start)..all.end.max(sound.end));
        whole.start.max(before).min(own.start)..whole.end.min(next).max(own.end)
    }

    /// Where the first sound in a range begins; or where the range does.
    fn first_sound(&self, range: &Range<Frames>) -> Frames {
        let first = self.behind(range.start).first().filter(|sound| sound.start < range.end);
        first.map_or(range.start, |sound| sound.start.max(range.start))
    }

    /// Where the last `most` of sound in a range begins, or the start of the range.
    fn last_sound(&self, range: &Range<Frames>, most: Frames) -> Frames {
        let mut left = most;
        let last = self.spoken.active.partition_point(|sound| sound.start < range.end);
        for sound in self.spoken.active.get(..last).unwrap_or_default().iter().rev() {
            let part = sound.start.max(range.start)..sound.end.min(range.end);
            if part.end <= part.start {
                break;
            }
            if length(&part) >= left {
                return part.end - left;
            }
            left -= length(&part);
        }
        range.start
    }
}
