//! Stable slots by key: a key that remains keeps its slot.
//!
//! Thread: message

use std::collections::HashMap;
use std::hash::Hash;

/// A place in a table on the audio side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Slot {
    pub(crate) index: usize,
    /// Counts the uses of the place. A slot that was freed and reused has another serial, so data of an
    /// earlier use is never mistaken for its own.
    pub(crate) serial: u64,
}

/// Gives slots to keys and counts their holders.
#[derive(Debug)]
pub(crate) struct SlotMap<K> {
    slots: HashMap<K, Slot>,
    places: Vec<Place<K>>,
    free: Vec<usize>,
    serials: u64,
}

#[derive(Debug)]
struct Place<K> {
    key: K,
    serial: u64,
    holders: usize,
}

impl<K> Default for SlotMap<K> {
    fn default() -> Self {
        Self { slots: HashMap::new(), places: Vec::new(), free: Vec::new(), serials: 0 }
    }
}

impl<K: Copy + Eq + Hash> SlotMap<K> {
    /// How many places a table needs.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn get(&self, key: K) -> Option<Slot> {
        self.slots.get(&key).copied()
    }

    /// The key that holds the place.
    pub(crate) fn key_at(&self, index: usize) -> Option<K> {
        self.places.get(index).filter(|place| place.holders > 0).map(|place| place.key)
    }

    /// Adds a holder of the slot of `key`, which gets a slot if it has none.
    pub(crate) fn hold(&mut self, key: K) -> Slot {
        if let Some(slot) = self.get(key) {
            if let Some(place) = self.places.get_mut(slot.index) {
                place.holders += 1;
            }
            return slot;
        }
        let slot = self.take(key);
        self.slots.insert(key, slot);
        slot
    }

    fn take(&mut self, key: K) -> Slot {
        self.serials += 1;
        let serial = self.serials;
        let taken = Place { key, serial, holders: 1 };
        let index = self.free.pop().unwrap_or(self.places.len());
        match self.places.get_mut(index) {
            Some(place) => *place = taken,
            None => self.places.push(taken),
        }
        Slot { index, serial }
    }

    /// One holder less; with the last one the slot is free.
    pub(crate) fn release(&mut self, slot: Slot) {
        let place = self.places.get_mut(slot.index).filter(|place| place.serial == slot.serial);
        let Some(place) = place else { return };
        place.holders = place.holders.saturating_sub(1);
        if place.holders == 0 {
            self.slots.remove(&place.key);
            self.free.push(slot.index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_keeps_its_slot_while_anyone_holds_it() {
        let mut slots = SlotMap::default();
        let (a, b) = (slots.hold('a'), slots.hold('b'));
        assert_eq!(slots.hold('a'), a);
        slots.release(a);
        assert_eq!(slots.get('a'), Some(a));
        slots.release(a);
        assert_eq!(slots.get('a'), None);
        let c = slots.hold('c');
        assert_eq!((c.index, slots.len()), (a.index, 2));
        assert_ne!(c.serial, a.serial);
        slots.release(a);
        assert_eq!((slots.key_at(c.index), slots.get('b')), (Some('c'), Some(b)));
    }
}
