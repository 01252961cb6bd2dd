//! The two ends through which an engine comes to the audio thread and goes home.
//!
//! Thread: any (each end says its own)

use deskhand_engine::Processor;
use ringbuf::traits::{Consumer, Observer, Producer, Split};
use ringbuf::{HeapCons, HeapProd, HeapRb};

/// The link thread's end.
pub(crate) struct HubPort {
    to: HeapProd<Box<Processor>>,
    home: HeapCons<Box<Processor>>,
    /// Hz, which the engine has to play at.
    pub(crate) rate: f32,
}

/// The audio thread's end.
pub(crate) struct AudioPort {
    from: HeapCons<Box<Processor>>,
    home: HeapProd<Box<Processor>>,
}

/// Makes both.
pub(crate) fn port(rate: f32) -> (HubPort, AudioPort) {
    let (to, from) = HeapRb::new(1).split();
    let (home_from, home) = HeapRb::new(2).split();
    (HubPort { to, home, rate }, AudioPort { from, home: home_from })
}

impl HubPort {
    /// Sends an engine; false when one waits already.
    pub(crate) fn send(&mut self, processor: Box<Processor>) -> bool {
        self.to.try_push(processor).is_ok()
    }

    /// Takes back what was replaced or is not needed any more; returns whether there was something.
    pub(crate) fn tidy(&mut self) -> bool {
        let mut came = false;
        while let Some(old) = self.home.try_pop() {
            drop(old);
            came = true;
        }
        came
    }
}

impl AudioPort {
    /// An engine, if there is one and room for the one it replaces.
    pub(crate) fn receive(&mut self) -> Option<Box<Processor>> {
        if self.has_room() { self.from.try_pop() } else { None }
    }

    /// Whether an engine can go home.
    pub(crate) fn has_room(&self) -> bool {
        !self.home.is_full()
    }

    /// There is room: it was looked for.
    pub(crate) fn send_home(&mut self, old: Box<Processor>) {
        self.home.try_push(old).ok();
    }
}
