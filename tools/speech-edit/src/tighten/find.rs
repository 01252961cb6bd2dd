//! The possible cuts: pauses, fillers and false starts of a unit, as stretches of its timeline.

use super::fillers::{Filler, gap_around, pause_around, playing};
use super::listen::{Heard, listen, millis};
use super::place::SLACK_MS;
use super::retimed::Said;
use crate::assembly::extent::Quiet;
use crate::assembly::phrases_on;
use crate::assembly::talk::{begun_again, begun_anew, is_end, is_filler, repeated};
use crate::assembly::unit::Unit;
use deskhand_dsp::silence::{gaps, union};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_edit::sound::{Listener, Wanted as Silence};
use deskhand_edit::sync::close_set;
use deskhand_session::plan::{CutKind, CutOut};
use deskhand_session::text::{clock, count, names};
use deskhand_session::{ClipId, PhraseId, TrackId, Word};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeSet;
use std::ops::Range;

/// The time that stays between a cut and the word before it, in ms.
pub(super) const BREATH_MS: i64 = 20;
/// A repetition after a longer pause is a new sentence, in ms.
const TOGETHER_MS: i64 = 1_000;
/// Nobody speaks for this long without a pause, in ms.
const BREATHLESS_MS: i64 = 10_000;
/// A person heard on another track for less than this does not speak there, in ms.
const BESIDE_MS: i64 = 60;
/// Shorter cuts are not worth it, in ms.
const LEAST_MS: i64 = 60;
/// A word that is written shorter is at no sound of its own, in ms.
const LEAST_WORD_MS: i64 = 20;
/// An edge so far inside of a sound is within a word, in ms, and a pause is near that is nearer than this.
const WITHIN_MS: i64 = 40;
const NEAR_MS: i64 = 250;
/// The most remaining fillers that are listed with their times.
const MOST_TOLD: usize = 10;

/// The kinds of cuts to search for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) fillers: bool,
    pub(super) false_starts: bool,
    /// Longer pauses, and their new length.
    pub(super) pauses: Option<(Frames, Frames)>,
    pub(super) room_tone: bool,
}

/// The kind of material that a cut removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// "Um".
    Filler,
    /// "I think I think".
    FalseStart,
    /// Silence on all tracks.
    Pause,
}

impl From<Kind> for CutKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Filler => Self::Filler,
            Kind::FalseStart => Self::FalseStart,
            Kind::Pause => Self::Pause,
        }
    }
}

/// A stretch that goes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cut {
    /// On the timeline.
    pub(super) range: Range<Frames>,
    /// What it is.
    pub(super) kind: Kind,
    /// The text for people.
    pub(super) what: String,
    /// Whose; a pause is everybody's.
    pub(super) track: Option<TrackId>,
    /// Whether it is in a transcript.
    pub(super) is_written: bool,
    /// Whether nobody should take it unheard.
    pub(super) to_hear: bool,
    /// The words that are next to each other once it is gone.
    pub(super) around: Around,
    /// The transcribed fillers in it.
    pub(super) said: Vec<Said>,
}

/// The words on both sides of a cut, where there are any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Around {
    /// The last word before it.
    pub(super) before: Option<String>,
    /// The first word after it.
    pub(super) after: Option<String>,
}

impl Around {
    /// The text for people after the name of the cut; empty if no word is near.
    pub(super) fn told(&self) -> String {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => format!(", between \"{before}\" and \"{after}\""),
            (Some(before), None) => format!(", after \"{before}\""),
            (None, Some(after)) => format!(", before \"{after}\""),
            (None, None) => String::new(),
        }
    }
}

impl Cut {
    /// How long it is.
    pub(super) fn length(&self) -> Frames {
        self.range.end - self.range.start
    }

    /// In the form of a plan.
    pub(super) fn out(&self) -> CutOut {
        let Around { before, after } = self.around.clone();
        let (kind, what) = (self.kind.into(), self.what.clone());
        CutOut { kind, what, at: self.range.start, length: self.length(), before, after }
    }
}

/// The cuts in a unit.
#[derive(Default)]
pub(super) struct Found {
    /// In order, without overlap.
    pub(super) cuts: Vec<Cut>,
    /// What a person should know.
    pub(super) warnings: Vec<String>,
}

/// Everything that can be cut from the chosen clips.
///
/// # Errors
/// When audio cannot be read, or the run is stopped.
pub(super) fn cuts(
    context: &PlanContext,
    unit: &Unit,
    meant: &[ClipId],
    wanted: Wanted,
) -> Result<Found, ToolError> {
    let session = &*context.session;
    let mut heard = listen(context, unit)?;
    only_talk(context, meant, &mut heard);
    let quiet = Quiet::new(context, &unit.tracks)?;
    let phrases = phrases_on(session, &unit.tracks);
    let finder = Finder { context, heard: &heard, quiet, phrases, rate: session.rate, wanted };
    let clips = meant.iter().filter_map(|id| session.clips.get(id));
    let regions = union(clips.map(|clip| clip.position..clip.end()));
    let mut found = Found::default();
    if wanted.fillers || wanted.false_starts {
        found.warnings.extend(unwritten(context, &heard));
    }
    let (all, unplaced) = finder.of_words()?;
    found.warnings.extend(undecided(&unplaced, &regions, session.rate));
    let (mut free, under): (Vec<Cut>, Vec<Cut>) =
        all.into_iter().partition(|cut| finder.is_free(&cut.range, cut.track));
    found.warnings.extend(stays(&under));
    if let Some((longer, left)) = wanted.pauses {
        free.extend(finder.pauses(unit, longer, left)?);
    }
    let least = millis(LEAST_MS, session.rate);
    let inside = |cut: &Cut| {
        let within =
            |region: &Range<Frames>| region.start <= cut.range.start && cut.range.end <= region.end;
        cut.length() >= least && regions.iter().any(within)
    };
    free.retain(inside);
    let mut free: Vec<Cut> = free.into_iter().map(|cut| finder.to_border(cut)).collect();
    free.sort_by_key(|cut| (cut.range.start, cut.range.end, cut.kind));
    finder.make_room(&mut free);
    found.cuts = joined(free, |ahead, behind| finder.are_one(ahead, behind));
    for cut in &mut found.cuts {
        cut.around = around(&heard, cut);
    }
    Ok(found)
}

/// Takes sound for no speech on tracks of which nothing is written down and that are no microphones of the talk: those
/// that are only cut along, and music.
fn only_talk(context: &PlanContext, meant: &[ClipId], heard: &mut [Heard]) {
    let session = &*context.session;
    let on = meant.iter().filter_map(|id| session.clips.get(id)).map(|clip| clip.track);
    let on: BTreeSet<TrackId> = on.collect();
    let talk: BTreeSet<TrackId> =
        on.into_iter().flat_map(|track| close_set(session, track).tracks).collect();
    let is_talk = |one: &Heard| talk.contains(&one.track) && !is_bed(context, one);
    for one in heard.iter_mut().filter(|one| one.words.is_empty() && !is_talk(one)) {
        one.active.clear();
    }
}

/// Whether a track is music or noise by its analysis. Without one: whether it goes on for longer than anybody speaks
/// without a pause.
fn is_bed(context: &PlanContext, heard: &Heard) -> bool {
    let session = &*context.session;
    match session.content_of(heard.track) {
        Some(content) => !matches!(content, "speech" | "singing"),
        None => {
            heard.active.iter().any(|it| it.end - it.start >= millis(BREATHLESS_MS, session.rate))
        }
    }
}

/// The words around a cut: on its track, or on all tracks if it is on all.
fn around(heard: &[Heard], cut: &Cut) -> Around {
    let is_own = |one: &&Heard| cut.track.is_none_or(|track| track == one.track);
    let words = heard.iter().filter(is_own).flat_map(|one| &one.words);
    // A cut is not named after a filler; its own filler may be written next to where it sounds.
    let words = words.filter(|word| !is_filler(&word.text));
    let is_ahead = |word: &&Word| word.middle() < cut.range.start;
    let is_behind = |word: &&Word| cut.range.end <= word.middle();
    let before = words.clone().filter(is_ahead).max_by_key(|word| word.middle());
    let after = words.filter(is_behind).min_by_key(|word| word.middle());
    let text = |word: &Word| word.text.clone();
    Around { before: before.map(text), after: after.map(text) }
}

/// Fillers that are not cut since two sounds might be each: to cut a word is worse.
fn undecided(fillers: &[Filler], regions: &[Range<Frames>], rate: SampleRate) -> Option<String> {
    let is_meant = |filler: &&Filler| regions.iter().any(|it| it.contains(&filler.range.start));
    let told = |filler: &Filler| {
        let word = filler.word.as_ref()?;
        Some(format!("\"{}\" at {}", word.text, clock(filler.range.start, rate)))
    };
    let all: Vec<String> = fillers.iter().filter(is_meant).filter_map(told).collect();
    let shown: Vec<&str> = all.iter().take(MOST_TOLD).map(String::as_str).collect();
    let more = all.len() - shown.len();
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    let told = "could not be placed among the sounds there, left in; listen and cut by hand";
    (!all.is_empty()).then(|| format!("{}{tail}: {told}", shown.join(", ")))
}

/// The note about cuts left out because somebody else speaks there. An untranscribed filler may be that
/// other voice itself.
fn stays(under: &[Cut]) -> Option<String> {
    let of = |kind: Kind, noun: &str| {
        let number = under.iter().filter(|cut| cut.kind == kind && cut.is_written).count();
        (number > 0).then(|| count(number, noun))
    };
    let parts = [of(Kind::Filler, "filler"), of(Kind::FalseStart, "false start")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let told = "left in, somebody else speaks there";
    (!parts.is_empty()).then(|| format!("{}: {told}", parts.join(", ")))
}

/// The warning about tracks where somebody seems to speak but nothing is transcribed.
fn unwritten(context: &PlanContext, heard: &[Heard]) -> Option<String> {
    let mute = heard.iter().filter(|one| one.words.is_empty() && !one.active.is_empty());
    let mute: Vec<String> = mute.map(|one| context.session.name_of(one.track.into())).collect();
    let told = "nothing is written down of it, so fillers and false starts are not looked for";
    (!mute.is_empty()).then(|| format!("{}: {told}; transcribe it first", names(&mute)))
}

/// Cuts in order; those that touch become one, and those that are one for `are_one`.
fn joined(cuts: Vec<Cut>, are_one: impl Fn(&Cut, &Cut) -> bool) -> Vec<Cut> {
    let mut joined: Vec<Cut> = Vec::new();
    for cut in cuts {
        match joined.last_mut() {
            Some(last) if cut.range.start <= last.range.end || are_one(last, &cut) => {
                last.range.end = last.range.end.max(cut.range.end);
                if last.what != cut.what {
                    last.what = format!("{}, {}", last.what, cut.what);
                }
                last.kind = last.kind.min(cut.kind);
                last.to_hear |= cut.to_hear;
                last.track = last.track.or(cut.track);
                last.said.extend(cut.said);
            }
            _ => joined.push(cut),
        }
    }
    joined
}

pub(super) struct Finder<'a> {
    context: &'a PlanContext,
    pub(super) heard: &'a [Heard],
    quiet: Quiet,
    phrases: Vec<(PhraseId, Range<Frames>)>,
    rate: SampleRate,
    wanted: Wanted,
}

impl Finder<'_> {
    pub(super) fn ms(&self, ms: i64) -> Frames {
        millis(ms, self.rate)
    }

    /// Whether nobody speaks there but on `own`, which other microphones may hear as well.
    fn is_free(&self, range: &Range<Frames>, own: Option<TrackId>) -> bool {
        let track = self.heard.iter().find(|one| Some(one.track) == own);
        let mut others = self.heard.iter().filter(|one| Some(one.track) != own);
        !others.any(|other| match track {
            Some(own) => other.speaks_beside(own, range, self.rate) >= self.ms(BESIDE_MS),
            None => other.speaks(range),
        })
    }

    /// Fillers and false starts of all tracks, and fillers whose place is unknown.
    fn of_words(&self) -> Result<(Vec<Cut>, Vec<Filler>), ToolError> {
        let (mut all, mut unplaced) = (Vec::new(), Vec::new());
        for heard in self.heard.iter().filter(|heard| !heard.words.is_empty()) {
            if self.wanted.fillers {
                let fillers = playing(self.context, heard)?;
                all.extend(fillers.sounding.iter().map(|filler| self.filler(heard, filler)));
                unplaced.extend(fillers.unplaced);
            }
            if self.wanted.false_starts {
                all.extend(self.false_starts(heard));
            }
            self.context.check()?;
        }
        Ok((all, unplaced))
    }

    fn filler(&self, heard: &Heard, filler: &Filler) -> Cut {
        let own = &filler.range;
        let unwritten = || "a filler that is not written down".to_owned();
        let what = filler.word.as_ref().map(|word| format!("\"{}\"", word.text));
        // Words may be put over a filler, so only pauses in which nothing sounds either are believed.
        let (words, sounds) = (gap_around(&heard.words, own), pause_around(&heard.active, own));
        let (before, after) = filler.slack;
        let core = self.to_quiet(own, &(own.start - before..own.end + after));
        let around = words.start.max(sounds.start)..words.end.min(sounds.end);
        let wide = self.with_pause(own, &core, &around);
        let is_free = self.is_free(&wide, Some(heard.track)) && !self.wanted.room_tone;
        let range = if is_free && filler.word.is_some() { wide } else { core };
        Cut {
            kind: Kind::Filler,
            what: what.unwrap_or_else(unwritten),
            track: Some(heard.track),
            is_written: filler.word.is_some(),
            to_hear: true,
            around: Around::default(),
            said: Said::of(filler, &range).into_iter().collect(),
            range,
        }
    }

    /// Edges at the quietest points near those of `range`, inside of `around`.
    fn to_quiet(&self, range: &Range<Frames>, around: &Range<Frames>) -> Range<Frames> {
        let slack = self.ms(SLACK_MS);
        // Inwards at most a quarter: the middle is what is removed.
        let inner = slack.min(Frames((range.end - range.start).0 / 4));
        let start = (range.start - slack).max(around.start)..range.start + inner;
        let end = range.end - inner..(range.end + slack).min(around.end);
        let quiet = |at: Range<Frames>, edge: Frames| {
            if at.start < at.end { self.quiet.quietest(&at) } else { edge }
        };
        quiet(start, range.start)..quiet(end, range.end)
    }

    /// Extended by the shorter of the pauses on both sides, so that the longer one remains.
    fn with_pause(
        &self,
        own: &Range<Frames>,
        core: &Range<Frames>,
        around: &Range<Frames>,
    ) -> Range<Frames> {
        let breath = self.ms(BREATH_MS);
        let (ahead, behind) = (own.start - around.start, around.end - own.end);
        if ahead <= breath + breath || behind <= breath + breath {
            return core.clone();
        }
        if ahead <= behind {
            core.start.min(around.start + breath)..core.end
        } else {
            core.start..core.end.max(around.end - breath)
        }
    }

    /// The first of repeated words, and words that break off and are restarted.
    fn false_starts(&self, heard: &Heard) -> Vec<Cut> {
        let words: Vec<Word> =
            heard.own.iter().filter(|word| !is_filler(&word.text)).cloned().collect();
        let mut cuts = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let single = usize::from(begun_again(&words, at));
            let length = [begun_anew(&words, at), repeated(&words, at), single];
            let length = length.into_iter().max().unwrap_or_default();
            cuts.extend(self.false_start(heard, &words, at, length));
            at += length.max(1);
        }
        cuts
    }

    fn false_start(&self, heard: &Heard, words: &[Word], at: usize, length: usize) -> Option<Cut> {
        let first = words.get(at..at + length).filter(|first| !first.is_empty())?;
        let (start, end) = (first.first()?.start, first.last()?.end);
        let second = words.get(at + length)?;
        // A word without a time of its own is one that the network said again, and nobody else.
        if second.end - second.start < self.ms(LEAST_WORD_MS) {
            return None;
        }
        let again = second.start;
        let is_apart = again - end > self.ms(TOGETHER_MS) || again <= start;
        if is_apart || self.phrase_at(start) != self.phrase_at(again) {
            return None;
        }
        let ahead = at.checked_sub(1).and_then(|at| words.get(at));
        let around = ahead.map_or(start - self.ms(SLACK_MS), |word| word.end.min(start))
            ..again + self.ms(SLACK_MS / 4);
        let texts: Vec<&str> = first.iter().map(|word| word.text.as_str()).collect();
        let range = self.to_quiet(&(start..again), &around);
        // "I said stop. Stop." may be intended.
        let is_sentence = first.last().is_some_and(is_end);
        let edges = [range.start, range.end];
        let to_hear = is_sentence || edges.iter().any(|at| self.is_beside_pause(heard, *at));
        Some(Cut {
            range,
            kind: Kind::FalseStart,
            what: format!("\"{}\", said again", texts.join(" ")),
            track: Some(heard.track),
            is_written: true,
            to_hear,
            around: Around::default(),
            said: Vec::new(),
        })
    }

    /// Whether an edge is inside of a sound though a pause is near: the words begin there, and not where they are written.
    fn is_beside_pause(&self, heard: &Heard, at: Frames) -> bool {
        let (within, near) = (self.ms(WITHIN_MS), self.ms(NEAR_MS));
        let sound = heard.active.iter().find(|sound| sound.start < at && at < sound.end);
        sound.is_some_and(|sound| {
            let away = (at - sound.start).min(sound.end - at);
            within < away && away < near
        })
    }

    /// The phrase of an assembly that is said at a time. What one ends with and the next begins with was not said twice.
    fn phrase_at(&self, at: Frames) -> Option<PhraseId> {
        self.phrases.iter().find(|(_, on)| on.contains(&at)).map(|(id, _)| *id)
    }

    /// The excess of pauses in which all tracks are silent.
    fn pauses(&self, unit: &Unit, longer: Frames, left: Frames) -> Result<Vec<Cut>, ToolError> {
        let silence = Silence {
            threshold: None,
            min_silence: Frames::ZERO,
            pre_roll: Frames::ZERO,
            post_roll: Frames::ZERO,
        };
        let mut listener = Listener::new(self.context, silence);
        let session = &*self.context.session;
        let mut sounds: Vec<Range<Frames>> = Vec::new();
        for track in &unit.tracks {
            for (id, clip) in session.clips_on(*track) {
                sounds.extend(listener.sounds(id, clip)?);
            }
        }
        let words = self.heard.iter().flat_map(|heard| &heard.words);
        sounds.extend(words.map(|word| word.start..word.end));
        let sounds = union(sounds);
        let (Some(first), Some(last)) = (sounds.first(), sounds.last()) else {
            return Ok(Vec::new());
        };
        let pauses = gaps(&sounds, first.end..last.start);
        let half = Frames(left.0 / 2);
        let long = pauses.into_iter().filter(|pause| pause.end - pause.start > longer);
        Ok(long.map(|pause| self.pause(&pause, half)).collect())
    }

    fn pause(&self, pause: &Range<Frames>, half: Frames) -> Cut {
        let seconds = (pause.end - pause.start).seconds(self.rate).0;
        Cut {
            range: pause.start + half..pause.end - half,
            kind: Kind::Pause,
            what: format!("a pause of {seconds:.2} s on all tracks"),
            track: None,
            is_written: false,
            to_hear: false,
            around: Around::default(),
            said: Vec::new(),
        }
    }
}
