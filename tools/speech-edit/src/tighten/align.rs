//! Which sounds are the words around a filler that is written down.
//!
//! Small networks write all words of a phrase late, each at the sound of the next one. Then the sound
//! nearest to the time of a filler is a word. But words are said in the order in which they are written,
//! and each is one of the sounds. So the words around a filler are aligned with the sounds between pauses
//! in all possible ways, and the likeliest alignment says which sound the filler is. Unlikely parts have a
//! price, roughly in nats: a word away from its time, of unusual length, over a pause or without a sound,
//! and a sound without a word. If an alignment with another place for the filler is nearly as likely, the
//! place stays unknown.

use super::fillers::Finder;
use super::spelled::is_longer_than_written;
use crate::assembly::talk::{is_filler, plain};
use deskhand_dsp::{Frames, SampleRate, Seconds};
use deskhand_session::Word;
use deskhand_toolkit::ToolError;
use std::ops::Range;

/// The words to align begin at most this long before a filler, and this long after its end, in s.
const AROUND: (f64, f64) = (5.0, 3.0);
/// A word begins at most this long before its time, and this long after its end, in s.
const NEAR: (f64, f64) = (1.5, 0.3);
/// Sounds are analyzed for this long before the very first word, in s, and for this long after the last.
const EDGES: (f64, f64) = (3.0, 0.5);
/// No sound is listened to that is so far from a filler, in s.
const FAR: f64 = 10.0;
/// The longest stretch that a word can take, in s, and the most pause in it.
const LONGEST: (f64, f64) = (2.0, 0.5);
/// A sound is parted in steps of this, in s.
const STEP: f64 = 0.05;
/// Sounds that are no words are passed over for no longer, in s.
const PASSED: f64 = 4.0;

/// The length of words, in s: any word, each letter, the drawn-out end before a comma; a filler, and
/// "$250,000".
const ANY: f64 = 0.10;
const LETTER: f64 = 0.04;
const DRAWN: f64 = 0.12;
const FILLER: f64 = 0.33;
const LONG: f64 = 0.80;
/// How much that varies, as a logarithm: of a word, and of one that says nothing of how long it takes.
const VARIES: (f64, f64) = (0.5, 1.0);

/// The price of a second that a word sounds before its time, because networks write words late; and of a
/// second after its start, if it is stretched over the pause before it.
const LATE: f64 = 1.0 / 0.35;
const STRETCHED: f64 = 1.0 / 1.5;
/// The price of a second that it begins after the end of its time, and of one that it ends after that,
/// apart from a tenth.
const BEGUN_BEHIND: f64 = 1.0 / 0.10;
const ENDED_BEHIND: f64 = 1.0 / 0.15;
const END_SLACK: f64 = 0.1;
/// A pause within a word, and each second of it over the shortest there is.
const PAUSE: f64 = 2.0;
const PAUSE_SECOND: f64 = 1.0 / 0.07;
const SHORTEST_PAUSE: f64 = 0.06;
/// The price of a filler without a held sound.
const UNHELD: f64 = 2.0;
/// A word without a sound.
const SILENT: f64 = 5.0;
/// The price of sounds without words: each of them, and a second, up to a maximum. Longer ones are somebody
/// else.
const PASSING: f64 = 1.0;
const PASSING_SECOND: f64 = 12.0;
const MOST_PASSED: (usize, f64) = (3, 0.6);
/// The price between two words after a comma or next to a filler: with a pause, and without.
const COMMA: (f64, f64) = (0.16, 1.9);
/// The same between other words, and each second of the pause.
const PLAIN: (f64, f64) = (1.4, 0.3);
const PLAIN_SECOND: f64 = 1.0 / 0.3;
/// The extra price of a filler that runs into its neighbor.
const RUN_IN: f64 = 1.5;

/// A filler of its own is at least so long, with pauses of at least so much on both sides, in ms.
const LEAST_MS: i64 = 120;
const APART_MS: i64 = 100;
/// A way that is as much less likely is another one.
const MARGIN: f64 = 0.6;

/// Where a filler sounds as the words around it are laid.
pub(super) struct Laid {
    /// The sound that it is.
    pub(super) sound: Range<Frames>,
    /// What else it might as well be.
    pub(super) rival: Option<Range<Frames>>,
    /// The words right next to it.
    pub(super) beside: Vec<Range<Frames>>,
}

/// A word that is laid.
struct Written {
    /// Its time, in s.
    time: Range<f64>,
    /// What it takes, in s, and how much that varies.
    takes: f64,
    varies: f64,
    is_filler: bool,
    /// Whether a comma or the end of a sentence follows it.
    is_end: bool,
}

impl Written {
    fn of(word: &Word, rate: SampleRate) -> Self {
        let text = word.text.trim_end_matches(['"', '”', '’', ')']);
        let is_end = text.ends_with([',', '.', '!', '?', ';', ':', '…', '-']);
        let is_filler = is_filler(&word.text);
        let letters = plain(&word.text).chars().count() as f64;
        let (takes, varies) = match is_filler {
            true => (FILLER, VARIES.0),
            false if is_longer_than_written(&word.text) => (LONG, VARIES.1),
            false => (ANY + LETTER * letters + if is_end { DRAWN } else { 0.0 }, VARIES.0),
        };
        let time = word.start.seconds(rate).0..word.end.seconds(rate).0;
        Self { time, takes, varies, is_filler, is_end }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Edge {
    Start,
    Inside,
    End,
}

/// Where a word may begin or end.
#[derive(Clone, Copy)]
struct Point {
    /// When, in s.
    at: f64,
    edge: Edge,
    /// In which sound.
    sound: usize,
    /// How much sound comes before it, in s.
    heard: f64,
}

/// A stretch of sound that a word may be, from a point to another, and its price.
struct Part {
    from: usize,
    to: usize,
    price: f64,
}

/// The sounds between pauses, in s.
struct Sounds {
    points: Vec<Point>,
    /// The pauses after each, in s.
    pauses: Vec<f64>,
    /// Where the next word may begin after one that ends at each point, and the price of the skipped
    /// sounds.
    onward: Vec<Vec<(usize, f64)>>,
    held: Vec<Range<f64>>,
}

impl Sounds {
    fn new(sounds: &[Range<f64>], held: Vec<Range<f64>>) -> Self {
        let mut points = Vec::new();
        let mut heard = 0.0;
        for (sound, range) in sounds.iter().enumerate() {
            let point =
                |at: f64, edge: Edge| Point { at, edge, sound, heard: heard + at - range.start };
            points.push(point(range.start, Edge::Start));
            let steps = (1u32..).map(|n| range.start + STEP * f64::from(n));
            let inside = steps.take_while(|at| *at < range.end - STEP / 2.0);
            points.extend(inside.map(|at| point(at, Edge::Inside)));
            points.push(point(range.end, Edge::End));
            heard += range.end - range.start;
        }
        let pairs = sounds.iter().zip(sounds.iter().skip(1));
        let pauses = pairs.map(|(sound, next)| next.start - sound.end).collect();
        let onward = (0..points.len()).map(|end| onward(&points, end)).collect();
        Self { points, pauses, onward, held }
    }

    /// What a word may be.
    fn parts(&self, word: &Written) -> Vec<Part> {
        let near = word.time.start - NEAR.0..=word.time.end + NEAR.1;
        let mut parts = Vec::new();
        for (from, begin) in self.points.iter().enumerate() {
            if begin.edge == Edge::End || !near.contains(&begin.at) {
                continue;
            }
            let fits = |end: &Point| {
                let is_one = !word.is_filler || end.sound == begin.sound;
                is_one
                    && end.heard - begin.heard <= LONGEST.0
                    && end.at - begin.at <= LONGEST.0 + LONGEST.1
            };
            let ends = self.points.iter().enumerate().skip(from + 1);
            let ends = ends.filter(|(_, end)| end.edge != Edge::Start);
            let ends = ends.take_while(|it| fits(it.1));
            let part = |(to, end)| Part { from, to, price: self.price(word, begin, end) };
            parts.extend(ends.map(part));
        }
        parts
    }

    fn price(&self, word: &Written, begin: &Point, end: &Point) -> f64 {
        let late = word.time.start - begin.at;
        let ahead = if late > 0.0 { late * LATE } else { -late * STRETCHED };
        let behind = (begin.at - word.time.end).max(0.0) * BEGUN_BEHIND
            + (end.at - word.time.end - END_SLACK).max(0.0) * ENDED_BEHIND;
        let heard = end.heard - begin.heard;
        let off = (heard / word.takes).ln() / word.varies;
        let pauses = self.pauses.iter().take(end.sound).skip(begin.sound);
        let pause = |pause: &f64| PAUSE + (pause - SHORTEST_PAUSE).max(0.0) * PAUSE_SECOND;
        let unheld = match word.is_filler {
            true => UNHELD * (1.0 - self.held_in(begin.at..end.at) / heard).max(0.0),
            false => 0.0,
        };
        ahead + behind + off * off / 2.0 + pauses.map(pause).sum::<f64>() + unheld
    }

    /// How much of a stretch is held, in s.
    fn held_in(&self, range: Range<f64>) -> f64 {
        let parts = self.held.iter().map(|it| it.end.min(range.end) - it.start.max(range.start));
        parts.map(|part| part.max(0.0)).sum()
    }

    /// The price of two consecutive words that end and begin at these points.
    fn seam(&self, ahead: &Written, behind: &Written, end: usize, begin: usize) -> f64 {
        let is_beside = ahead.is_filler || behind.is_filler;
        if end == begin {
            let none = if ahead.is_end { COMMA.1 } else { PLAIN.1 };
            return none + if is_beside { RUN_IN } else { 0.0 };
        }
        if ahead.is_end || is_beside {
            return COMMA.0;
        }
        let at = |point: usize| self.points.get(point).map_or(0.0, |point| point.at);
        PLAIN.0 + (at(begin) - at(end)) * PLAIN_SECOND
    }

    /// Prices of what ends at each point, on to where the next word begins.
    fn begun(&self, ends: &[f64], ahead: &Written, behind: &Written) -> Vec<f64> {
        let mut begins = vec![f64::INFINITY; self.points.len()];
        for (end, price) in ends.iter().enumerate().filter(|(_, price)| price.is_finite()) {
            for (begin, passed) in self.onward.get(end).into_iter().flatten() {
                lower(&mut begins, *begin, price + passed + self.seam(ahead, behind, end, *begin));
            }
        }
        begins
    }

    /// The prices of what begins at each point, carried back to the end of the word before.
    fn ended(&self, begins: &[f64], ahead: &Written, behind: &Written) -> Vec<f64> {
        let of = |end: usize| {
            let onward = self.onward.get(end).into_iter().flatten();
            let prices = onward.map(|(begin, passed)| {
                passed + self.seam(ahead, behind, end, *begin) + price_at(begins, *begin)
            });
            prices.fold(f64::INFINITY, f64::min)
        };
        (0..self.points.len()).map(of).collect()
    }
}

/// Where the next word may begin after one that ends at a point. Inside a sound it is that point; otherwise
/// any later sound, with those before it skipped.
fn onward(points: &[Point], end: usize) -> Vec<(usize, f64)> {
    let Some(own) = points.get(end) else { return Vec::new() };
    match own.edge {
        Edge::Start => Vec::new(),
        Edge::Inside => vec![(end, 0.0)],
        Edge::End => {
            let starts = points.iter().enumerate().skip(end + 1);
            let starts = starts.filter(|(_, point)| point.edge == Edge::Start);
            let near = starts.take_while(|(_, point)| {
                point.sound == own.sound + 1 || point.at - own.at <= PASSED
            });
            let price =
                |point: &Point| passed(point.sound - own.sound - 1, point.heard - own.heard);
            near.map(|(at, point)| (at, price(point))).collect()
        }
    }
}

/// The price of sounds that are no words: this many, with this many seconds.
fn passed(number: usize, seconds: f64) -> f64 {
    let (most, longest) = MOST_PASSED;
    PASSING * number.min(most) as f64 + PASSING_SECOND * seconds.min(longest)
}

fn price_at(prices: &[f64], at: usize) -> f64 {
    prices.get(at).copied().unwrap_or(f64::INFINITY)
}

fn lower(prices: &mut [f64], at: usize, price: f64) {
    if let Some(known) = prices.get_mut(at) {
        *known = known.min(price);
    }
}

/// The words around a filler along the sounds, in all ways.
struct Ways {
    words: Vec<Written>,
    sounds: Sounds,
    /// What each word may be.
    parts: Vec<Vec<Part>>,
    /// The least price of everything before each word, if it begins at each point.
    begins: Vec<Vec<f64>>,
    /// The least price of everything after each word, if it ends at each point.
    ends: Vec<Vec<f64>>,
}

impl Ways {
    /// `is_all` says that the first word is the very first, so the sounds before it are no words.
    fn new(words: Vec<Written>, sounds: Sounds, is_all: bool) -> Self {
        let parts = words.iter().map(|word| sounds.parts(word)).collect();
        let mut ways = Self { words, sounds, parts, begins: Vec::new(), ends: Vec::new() };
        ways.begins = ways.ahead(is_all);
        ways.ends = ways.behind();
        ways
    }

    fn ahead(&self, is_all: bool) -> Vec<Vec<f64>> {
        let points = &self.sounds.points;
        let mut heard = 0.0;
        // If the first word begins inside a sound, the part before it may be a breath.
        let first = |point: &Point| {
            heard = if point.edge == Edge::Start { point.heard } else { heard };
            if is_all { passed(point.sound, heard) } else { 0.0 }
        };
        let mut all: Vec<Vec<f64>> = vec![points.iter().map(first).collect()];
        let mut before: Vec<f64> = Vec::new();
        let pairs = self.words.iter().zip(self.words.iter().skip(1));
        for ((word, next), parts) in pairs.zip(&self.parts) {
            let mut ends: Vec<f64> = before.iter().map(|price| price + SILENT).collect();
            ends.resize(points.len(), f64::INFINITY);
            let begins = all.last().map(Vec::as_slice).unwrap_or_default();
            for part in parts {
                lower(&mut ends, part.to, price_at(begins, part.from) + part.price);
            }
            all.push(self.sounds.begun(&ends, word, next));
            before = ends;
        }
        all
    }

    fn behind(&self) -> Vec<Vec<f64>> {
        let points = self.sounds.points.len();
        let mut all: Vec<Vec<f64>> = vec![vec![0.0; points]];
        let mut after: Vec<f64> = Vec::new();
        let pairs = self.words.iter().zip(self.words.iter().skip(1));
        let pairs = pairs.zip(self.parts.iter().skip(1));
        for ((ahead, word), parts) in pairs.rev() {
            let mut begins: Vec<f64> = after.iter().map(|price| price + SILENT).collect();
            begins.resize(points, f64::INFINITY);
            let ends = all.last().map(Vec::as_slice).unwrap_or_default();
            for part in parts {
                lower(&mut begins, part.from, part.price + price_at(ends, part.to));
            }
            all.push(self.sounds.ended(&begins, ahead, word));
            after = begins;
        }
        all.reverse();
        all
    }

    /// What a word may be, each with the price of the best way that has it there; the cheapest is first.
    fn of(&self, word: usize) -> Vec<(f64, Point, Point)> {
        let own = |all: &[Vec<f64>]| all.get(word).cloned().unwrap_or_default();
        let (begins, ends) = (own(&self.begins), own(&self.ends));
        let parts = self.parts.get(word).into_iter().flatten();
        let priced = parts.filter_map(|part| {
            let price = price_at(&begins, part.from) + part.price + price_at(&ends, part.to);
            let [begin, end] = [part.from, part.to].map(|at| self.sounds.points.get(at).copied());
            Some((price, begin?, end?)).filter(|(price, ..)| price.is_finite())
        });
        let mut priced: Vec<_> = priced.collect();
        priced.sort_by(|a, b| a.0.total_cmp(&b.0));
        priced
    }

    /// The likeliest of what a word may be, in s.
    fn likeliest(&self, word: usize) -> Option<Range<f64>> {
        self.of(word).first().map(|(_, begin, end)| begin.at..end.at)
    }
}

impl Finder<'_> {
    /// The sound of a filler, according to the alignment of the words around it; `None` if the likeliest
    /// one is not between two pauses.
    ///
    /// # Errors
    /// When audio cannot be read.
    pub(super) fn laid(&self, filler: &Word) -> Result<Option<Laid>, ToolError> {
        let (from, words) = self.words_around(filler);
        let Some(at) = words.iter().position(|word| word == filler) else { return Ok(None) };
        let words: Vec<Written> = words.iter().map(|word| Written::of(word, self.rate)).collect();
        let islands = self.sounds_around(filler, &words, from == 0);
        let sounds = self.sounds(filler, islands)?;
        let ways = Ways::new(words, sounds, from == 0);
        let own = ways.of(at);
        let Some((least, begin, end)) = own.first().copied() else { return Ok(None) };
        let is_own = (begin.edge, end.edge) == (Edge::Start, Edge::End)
            && self.is_apart(islands, begin.sound);
        let sound = islands.get(begin.sound).filter(|_| is_own);
        let Some(sound) = sound.cloned() else { return Ok(None) };
        let range = |it: Range<f64>| self.frames(it.start)..self.frames(it.end);
        let mut near = own.iter().take_while(|(price, ..)| price - least < MARGIN);
        let rival = near.find(|(_, from, to)| to.at <= begin.at || end.at <= from.at);
        let rival = rival.map(|(_, from, to)| range(from.at..to.at));
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let beside = beside.filter_map(|word| ways.likeliest(word)).map(range).collect();
        Ok(Some(Laid { sound, rival, beside }))
    }

    fn frames(&self, seconds: f64) -> Frames {
        Seconds(seconds).frames(self.rate)
    }

    /// The words around a filler, and the number of words before these.
    fn words_around(&self, filler: &Word) -> (usize, &[Word]) {
        let (ahead, behind) = (self.frames(AROUND.0), self.frames(AROUND.1));
        let words = &self.spoken.words;
        let from = words.partition_point(|word| word.start <= filler.start - ahead);
        let to = words.partition_point(|word| word.start < filler.end + behind);
        (from, words.get(from..to).unwrap_or_default())
    }

    /// The sounds that the words around a filler may be. `is_all` says that no word comes before these.
    fn sounds_around(&self, filler: &Word, words: &[Written], is_all: bool) -> &[Range<Frames>] {
        let ahead = if is_all { EDGES.0 } else { NEAR.0 };
        let first = words.first().map_or(0.0, |word| word.time.start) - ahead;
        let last = words.last().map_or(0.0, |word| word.time.end) + EDGES.1;
        let far = self.far(filler);
        let (first, last) = (self.frames(first).max(far.start), self.frames(last).min(far.end));
        let islands = &self.spoken.islands;
        let from = islands.partition_point(|it| it.end <= first);
        let to = islands.partition_point(|it| it.start < last);
        islands.get(from..to).unwrap_or_default()
    }

    /// The stretch around a filler to analyze.
    fn far(&self, filler: &Word) -> Range<Frames> {
        filler.start - self.frames(FAR)..filler.end + self.frames(FAR)
    }

    /// Sounds around a filler, and their held parts.
    fn sounds(&self, filler: &Word, islands: &[Range<Frames>]) -> Result<Sounds, ToolError> {
        let far = self.far(filler);
        let seconds =
            |start: Frames, end: Frames| start.seconds(self.rate).0..end.seconds(self.rate).0;
        let reach = self.frames(NEAR.1 + LONGEST.0);
        let held = self.held(&(filler.start - self.frames(NEAR.0)..filler.end + reach))?;
        let held = held.iter().map(|it| seconds(it.start, it.end)).collect();
        let sounds = islands.iter();
        let sounds = sounds.map(|it| seconds(it.start.max(far.start), it.end.min(far.end)));
        Ok(Sounds::new(&sounds.collect::<Vec<_>>(), held))
    }

    /// Whether one of some sounds is long enough for a filler, and has pauses on both sides.
    fn is_apart(&self, sounds: &[Range<Frames>], at: usize) -> bool {
        let Some(own) = sounds.get(at) else { return false };
        let ahead = at.checked_sub(1).and_then(|at| sounds.get(at));
        let pause = self.ms(APART_MS);
        own.end - own.start >= self.ms(LEAST_MS)
            && ahead.is_none_or(|it| own.start - it.end >= pause)
            && sounds.get(at + 1).is_none_or(|it| it.start - own.end >= pause)
    }
}
