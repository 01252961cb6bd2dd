//! The processors of a schedule with their state, in front of the faders.
//!
//! Thread: audio (made on the message side, or by a bounce)
//!
//! A limiter needs future samples, so its sound comes later. Files can be read earlier instead. Every strip
//! is rendered earlier than the playhead, by the total delay of everything after it. So the mix is on time,
//! whatever path a sound took. Live input would be played without this.

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

use crate::insert_tap::InsertTap;
use crate::mix::Span;
use crate::roll::Roll;
use crate::schedule::InsertKey;
use crate::stereo::Stereo;
use deskhand_dsp::Frames;
use deskhand_dsp::effects::{Pace, Power, Settings, Unit};

/// The setting of a processor, on its way to the audio side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Setting {
    pub(crate) key: InsertKey,
    pub(crate) power: Power,
    pub(crate) settings: Settings,
}

/// The gain reduction of an insert's processors, in dB, on its way to the Controller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduction {
    pub(crate) key: InsertKey,
    pub(crate) decibels: f32,
}

/// A run frame of an epoch.
type Moment = (u32, i64);

/// A moment that no strip continues from.
const AT_REST: Moment = (0, i64::MIN);

/// The chains of all strips of a program, by their place in it.
#[derive(Debug)]
pub(crate) struct Rack {
    chains: Box<[Chain]>,
    /// The place of each processor, by key.
    index: Box<[(InsertKey, Place)]>,
    /// The longest lead of a strip over the playhead, in frames.
    lead: i64,
    /// The moment for which everything is in place.
    next: Option<Moment>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    chain: usize,
    unit: usize,
}

/// The processors of one strip, and the time of its sound.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) units: Box<[Insert]>,
    /// The lead of the strip's sound over the playhead at the input, in frames.
    pub(crate) ahead: i64,
    /// The lead over the playhead at the output, in frames.
    pub(crate) behind: i64,
    /// The moment from which it must continue; `None`: from any.
    next: Option<Moment>,
    /// For a stem: brings the strip back to the playhead.
    late: Option<Late>,
}

#[derive(Debug)]
pub(crate) struct Insert {
    pub(crate) key: InsertKey,
    pub(crate) unit: Unit,
}

/// Delays a strip's finished sound.
#[derive(Debug)]
struct Late {
    ring: Box<[[f32; 2]]>,
    at: usize,
}

impl Rack {
    /// `chains` are the units of each strip with their delay and, for all but the last, the place
    /// of its output. Strips come before their outputs.
    #[expect(clippy::disallowed_methods, reason = "made on the message side, before it is sent")]
    pub(crate) fn new(chains: impl Iterator<Item = NewChain>, stems: LateStems) -> Self {
        let mut chains: Box<[(Chain, NewOutput)]> = chains.map(NewChain::split).collect();
        for place in (0..chains.len()).rev() {
            let output = chains.get(place).map_or(0, |(_, new)| new.output);
            let behind =
                if output > place { chains.get(output).map_or(0, |(it, _)| it.ahead) } else { 0 };
            if let Some((chain, new)) = chains.get_mut(place) {
                (chain.behind, chain.ahead) = (behind, behind + new.latency);
                chain.late = (stems == LateStems::Kept && behind > 0).then(|| Late::new(behind));
            }
        }
        let chains: Box<[Chain]> = chains.into_iter().map(|(chain, _)| chain).collect();
        let lead = chains.iter().map(|chain| chain.ahead).max().unwrap_or(0);
        Self { index: index(&chains), chains, lead, next: None }
    }

    pub(crate) fn lead(&self) -> i64 {
        self.lead
    }

    pub(crate) fn chain(&mut self, place: usize) -> Option<&mut Chain> {
        self.chains.get_mut(place)
    }

    /// Whether the strips have not read their lead for `roll` yet.
    pub(crate) fn must_lead_in(&self, roll: &Roll) -> bool {
        self.lead > 0 && self.next != Some((roll.epoch, roll.ran))
    }

    /// Everything is in place for run frame `ran` of `epoch`.
    pub(crate) fn stands_at(&mut self, epoch: u32, ran: i64) {
        self.next = Some((epoch, ran));
    }

    fn place(&self, key: InsertKey) -> Option<Place> {
        let found = self.index.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        self.index.get(found).map(|(_, place)| *place)
    }

    fn insert(&mut self, key: InsertKey) -> Option<&mut Insert> {
        let Place { chain, unit } = self.place(key)?;
        self.chains.get_mut(chain)?.units.get_mut(unit)
    }

    /// Sets a processor; whether there is one of this kind.
    pub(crate) fn set(&mut self, setting: &Setting, pace: Pace) -> bool {
        let insert = self.insert(setting.key);
        insert.is_some_and(|it| it.unit.set(&setting.settings, setting.power, pace))
    }

    /// Continues from the state of the processors of `other` with the same keys.
    pub(crate) fn adopt(&mut self, other: &Self) {
        for chain in &mut self.chains {
            for insert in &mut chain.units {
                if let Some(place) = other.place(insert.key)
                    && let Some(one) = other.chains.get(place.chain)
                    && let Some(one) = one.units.get(place.unit)
                {
                    insert.unit.adopt(&one.unit);
                }
            }
        }
        let stands = self.stands_as(other);
        self.next = other.next.filter(|_| stands);
        for chain in &mut self.chains {
            let first = chain.units.first().and_then(|insert| other.place(insert.key));
            let before = first.and_then(|place| other.chains.get(place.chain));
            // A chain with another lead reads that stretch again, but keeps its state.
            let goes_on = |it: &Moment| stands || *it == AT_REST;
            chain.next = before.and_then(|it| it.next).filter(goes_on);
        }
    }

    /// Whether every processor of this rack has the same lead as in `other`.
    fn stands_as(&self, other: &Self) -> bool {
        let ahead = |rack: &Self, key| {
            let place = rack.place(key)?;
            rack.chains.get(place.chain).map(|chain| chain.ahead)
        };
        let is_same = |(key, _): &(InsertKey, Place)| ahead(self, *key) == ahead(other, *key);
        self.lead == other.lead && self.index.iter().all(is_same)
    }
}

#[expect(clippy::disallowed_methods, reason = "made on the message side, before it is sent")]
fn index(chains: &[Chain]) -> Box<[(InsertKey, Place)]> {
    let units = chains.iter().enumerate().flat_map(|(chain, it)| {
        let units = it.units.iter().enumerate();
        units.map(move |(unit, insert)| (insert.key, Place { chain, unit }))
    });
    let mut index: Box<[_]> = units.collect();
    index.sort_unstable_by_key(|(key, _)| *key);
    index
}

impl Chain {
    /// Processes the strip's input in `span`; a watched processor is heard by `tap`.
    pub(crate) fn process(
        &mut self,
        buffer: &mut Stereo,
        span: &Span,
        mut tap: Option<&mut InsertTap>,
    ) {
        let from = span.roll.ran + self.ahead;
        let frames = Frames::from_index(span.frames).0;
        // Nothing is read before the floor, so nothing is worked on there.
        let skip = (span.floor - from).clamp(0, frames);
        if self.next.is_some_and(|next| next != (span.roll.epoch, from)) {
            self.units.iter_mut().for_each(|insert| insert.unit.reset());
        }
        self.next = Some((span.roll.epoch, from + frames));
        if skip == frames || self.units.is_empty() {
            return;
        }
        let [left, right] = buffer.write(0, span.frames);
        let skip = Frames(skip).index();
        let (_, left) = left.split_at_mut(skip.min(left.len()));
        let (_, right) = right.split_at_mut(skip.min(right.len()));
        for insert in &mut self.units {
            match tap.as_deref_mut() {
                Some(tap) => tap.process(insert.key, &mut insert.unit, left, right),
                None => insert.unit.process(left, right),
            }
        }
    }

    /// It is not heard. When it is heard again, it starts over.
    pub(crate) fn rest(&mut self) {
        if !self.units.is_empty() {
            self.next = Some(AT_REST);
        }
    }

    /// Brings a stem to where the playhead is.
    pub(crate) fn finish(&mut self, buffer: &mut Stereo, frames: usize) {
        let Some(late) = &mut self.late else { return };
        let [left, right] = buffer.write(0, frames);
        for (left, right) in left.iter_mut().zip(right) {
            [*left, *right] = late.next([*left, *right]);
        }
    }
}

impl Late {
    #[expect(clippy::disallowed_methods, reason = "made on the message side, before it is sent")]
    fn new(frames: i64) -> Self {
        let ring = std::iter::repeat_n([0.0; 2], Frames(frames).index());
        Self { ring: ring.collect(), at: 0 }
    }

    fn next(&mut self, frame: [f32; 2]) -> [f32; 2] {
        let length = self.ring.len();
        let Some(place) = self.ring.get_mut(self.at) else {
            return frame;
        };
        self.at = if self.at + 1 == length { 0 } else { self.at + 1 };
        std::mem::replace(place, frame)
    }
}

/// A chain to be made.
pub(crate) struct NewChain {
    pub(crate) units: Box<[Insert]>,
    /// How many frames later its sound comes out.
    pub(crate) latency: i64,
    /// Place of its output; its own or less for the master.
    pub(crate) output: usize,
}

struct NewOutput {
    latency: i64,
    output: usize,
}

impl NewChain {
    fn split(self) -> (Chain, NewOutput) {
        let Self { units, latency, output } = self;
        let chain = Chain { units, ahead: 0, behind: 0, next: None, late: None };
        (chain, NewOutput { latency, output })
    }
}

/// Whether strips are asked for when a block is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LateStems {
    Kept,
    Dropped,
}

/// The spans in which all strips read their lead, so that the first frame of `span` is complete: nothing
/// before it is read.
pub(crate) fn lead_in(span: Span, lead: i64, block: usize) -> impl Iterator<Item = Span> {
    let floor = span.roll.ran;
    let block = Frames::from_index(block.max(1)).0;
    let starts = std::iter::successors(Some(floor - lead), move |ran| ran.checked_add(block));
    starts.take_while(move |ran| *ran < floor).map(move |ran| {
        let roll = Roll { ran, ..span.roll };
        let frames = Frames(block.min(floor - ran)).index();
        Span { at: roll.position(ran), frames, roll, floor, ..span }
    })
}

/// What the processors at a place took away since they were asked.
pub(crate) fn reductions(rack: &mut Rack, place: usize) -> impl Iterator<Item = Reduction> {
    let units = rack.chains.get_mut(place).map(|chain| chain.units.iter_mut());
    units
        .into_iter()
        .flatten()
        .map(|insert| Reduction { key: insert.key, decibels: insert.unit.take_reduction() })
}
