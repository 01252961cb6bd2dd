//! What an instance sees of its host's tempo map: the stretches of the timeline that are played at one tempo.
//!
//! Thread: audio; the other end is the hub's link's

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use deskhand_session::Meter;
use ringbuf::traits::{Producer, Split};
use ringbuf::{HeapCons, HeapProd, HeapRb};

/// A host that follows a clock from outside has a tempo that trembles so far, in quarter notes a minute.
const JITTER: f64 = 1.0;
/// How often a stretch that goes on is reported whole, in seconds of it.
const OFTEN: f64 = 1.0;
/// The most stretches that wait for their report; more are lost.
const MOST: usize = 256;
/// Hosts that tell seconds or beats are a frame off by rounding; that is no jump.
const ROUNDING: i64 = 1;

/// Quarter notes a minute, and the meter where the host tells one.
pub(crate) type Tempo = (f64, Option<Meter>);

/// A piece of the host's timeline at one tempo, in frames at the host's rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) from: i64,
    pub(crate) to: i64,
    pub(crate) tempo: Tempo,
}

/// A block of the host's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Its first frame on the timeline.
    pub(crate) at: i64,
    pub(crate) length: i64,
    /// `None` if the host is stopped, or reports none.
    pub(crate) tempo: Option<Tempo>,
    /// Quarter notes from the start of the timeline to its first frame.
    pub(crate) beats: Option<f64>,
}

/// Watches the tempo while the host plays.
pub(crate) struct Watch {
    told: HeapProd<Played>,
    rate: f64,
    /// The current stretch, and how much of it was reported.
    now: Option<Played>,
    told_to: i64,
    before: Option<Block>,
}

/// A watch at `rate` Hz, and where what it saw comes out.
pub(crate) fn watch(rate: f32) -> (Watch, HeapCons<Played>) {
    let (told, seen) = HeapRb::new(MOST).split();
    (Watch { told, rate: f64::from(rate), now: None, told_to: 0, before: None }, seen)
}

impl Watch {
    pub(crate) fn follow(&mut self, block: Block) {
        let goes_on = |now: &Played| (now.to - block.at).abs() <= ROUNDING;
        if block.tempo.is_none() || !self.now.as_ref().is_some_and(goes_on) {
            self.end();
        }
        let Some(tempo) = block.tempo else { return };
        let is_it =
            |now: &Played| (now.tempo.0 - tempo.0).abs() <= JITTER && now.tempo.1 == tempo.1;
        if !self.now.as_ref().is_some_and(is_it) {
            let from = self.changed_at(&block, tempo.0);
            if let Some(now) = &mut self.now {
                now.to = from;
            }
            self.end();
            self.now = Some(Played { from, to: from, tempo });
            self.told_to = from;
        }
        self.before = Some(block);
        let to = block.at.saturating_add(block.length);
        let Some(now) = &mut self.now else { return };
        now.to = to;
        if to.saturating_sub(self.told_to) as f64 >= OFTEN * self.rate {
            self.told_to = to;
            self.tell();
        }
    }

    /// The current stretch ends here.
    fn end(&mut self) {
        self.tell();
        self.now = None;
    }

    fn tell(&mut self) {
        if let Some(played) = self.now.filter(|now| now.to > now.from) {
            let _ = self.told.try_push(played);
        }
    }

    /// The frame from which on it goes at `bpm`: within the block before, as far as the beats tell, else where `block`
    /// begins. With x frames at the old tempo and the rest of the block at the new one, the beats between are
    /// (x * old + (length - x) * new) / (60 * rate).
    fn changed_at(&self, block: &Block, bpm: f64) -> i64 {
        let Some((now, before)) = self.now.zip(self.before) else { return block.at };
        let Some((first, last)) = before.beats.zip(block.beats) else { return block.at };
        let (old, length) = (now.tempo.0, (block.at - before.at) as f64);
        let frames = ((last - first) * 60.0 * self.rate - length * bpm) / (old - bpm);
        if (0.0..=length).contains(&frames) { before.at + frames.round() as i64 } else { block.at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringbuf::traits::Consumer;

    const SIZE: i64 = 480;

    /// A host with a map of tempi, at 48 kHz: bpm from each frame on.
    struct Host(Vec<(i64, f64)>);

    impl Host {
        fn bpm(&self, at: i64) -> f64 {
            self.0.iter().rev().find(|(from, _)| *from <= at).unwrap().1
        }

        fn block(&self, at: i64) -> Block {
            let beats = (0..at).map(|frame| self.bpm(frame) / 60.0 / 48_000.0).sum();
            Block { at, length: SIZE, tempo: Some((self.bpm(at), None)), beats: Some(beats) }
        }
    }

    fn seen(blocks: impl IntoIterator<Item = Block>) -> Vec<(i64, i64, f64)> {
        let (mut watch, mut told) = watch(48_000.0);
        blocks.into_iter().for_each(|block| watch.follow(block));
        watch.follow(Block { at: 0, length: SIZE, tempo: None, beats: None });
        told.pop_iter().map(|it| (it.from, it.to, it.tempo.0)).collect()
    }

    #[test]
    fn a_change_within_a_block_is_found_by_the_beats() {
        let host = Host(vec![(0, 90.0), (1_003, 150.0)]);
        let played = (0..5).map(|block| host.block(block * SIZE));
        assert_eq!(seen(played.clone()), [(0, 1_003, 90.0), (1_003, 2_400, 150.0)]);
        let silent = played.map(|block| Block { beats: None, ..block });
        assert_eq!(seen(silent), [(0, 1_440, 90.0), (1_440, 2_400, 150.0)]);
    }

    #[test]
    fn a_jump_and_a_stop_end_a_stretch_and_a_tremble_does_not() {
        let host = Host(vec![(0, 90.0), (480, 90.4), (960, 89.7)]);
        let blocks = [0, 480, 960, 4_800, 5_280].map(|at| host.block(at));
        assert_eq!(seen(blocks), [(0, 1_440, 90.0), (4_800, 5_760, 89.7)]);
    }

    #[test]
    fn what_goes_on_is_told_each_second() {
        let host = Host(vec![(0, 90.0)]);
        let blocks = (0..250).map(|block| Block { beats: None, ..host.block(0) }.moved(block));
        let told = seen(blocks);
        assert_eq!(told.len(), 3);
        assert_eq!(told[1], (0, 96_000, 90.0), "from where it began");
    }

    impl Block {
        fn moved(self, blocks: i64) -> Self {
            Self { at: self.at + blocks * SIZE, ..self }
        }
    }
}
