//! What the log of a hub sees: connections, and all events. It is not a front end: it asks for nothing, and
//! a hub does not stay open for it.

use crate::bridge::Bridge;
use crate::connection::LAG;
use crate::policy::Authority;
use crossbeam_channel::{Receiver, Sender, bounded};
use deskhand_protocol::Event;

/// Something that a log can tell.
#[derive(Clone, Debug, PartialEq)]
pub enum Sight {
    /// A front end came.
    Came(Authority),
    /// A front end is gone.
    Left(Authority),
    /// An event for everybody.
    Told(Box<Event>),
}

impl Bridge {
    /// Starts a log of events for the caller. A log that does not keep up misses some of them.
    pub fn watch(&mut self) -> Receiver<Sight> {
        let (sender, sights) = bounded(LAG);
        self.watch = Some(sender);
        sights
    }

    pub(crate) fn see(&self, sight: impl FnOnce() -> Sight) {
        if let Some(watch) = &self.watch {
            show(watch, sight());
        }
    }
}

/// A log that is full or gone holds nothing up.
fn show(watch: &Sender<Sight>, sight: Sight) {
    drop(watch.try_send(sight));
}
