//! A link that signals an arrived event, for a front end that waits for a person's keys at the same time.

use crossbeam_channel::{Receiver, Sender, bounded};
use deskhand_protocol::{CallId, Event, Link, News, Op};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Events that may wait to be looked at.
const WAITING: usize = 4_096;

/// This many events must be taken, whatever they say.
const MANY: usize = WAITING / 2;

/// A link whose events pass a flag on their way.
pub(crate) struct Relay {
    link: Box<dyn Link>,
    events: Receiver<Event>,
}

impl Relay {
    /// Raises `flag` whenever something came that a person wants to see, and when the hub ended.
    pub(crate) fn over(link: Box<dyn Link>, flag: Arc<AtomicBool>) -> io::Result<Self> {
        let (sender, events) = bounded(WAITING);
        let heard = link.events().clone();
        let named = thread::Builder::new().name("deskhand-relay".into());
        named.spawn(move || pass(&heard, &sender, &flag))?;
        Ok(Self { link, events })
    }
}

impl Link for Relay {
    fn submit(&self, op: Op) -> CallId {
        self.link.submit(op)
    }

    fn events(&self) -> &Receiver<Event> {
        &self.events
    }
}

fn pass(heard: &Receiver<Event>, sender: &Sender<Event>, flag: &AtomicBool) {
    for event in heard {
        let is_seen = !matches!(
            event.news,
            News::Progress { .. } | News::Provisional { .. } | News::Done { .. }
        );
        if sender.send(event).is_err() {
            return;
        }
        if is_seen || sender.len() > MANY {
            flag.store(true, Ordering::Relaxed);
        }
    }
    flag.store(true, Ordering::Relaxed);
}
