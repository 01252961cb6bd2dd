//! A front end at a hub, in another process or on another thread: a link and a mirror of the session.

use crate::exit::Failure;
use crate::interrupt;
use crossbeam_channel::RecvTimeoutError;
use deskhand_protocol::{
    CallId, Event, Followed, Link, Mirror, News, Op, Read, Snapshot, ToolResult,
};
use deskhand_session::{Revision, RevisionId, Session};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io;
use std::time::Duration;

/// How often Ctrl-C is looked for while nothing is heard.
const GLANCE: Duration = Duration::from_millis(50);

/// A front end at a hub.
pub(crate) struct Guest {
    link: Box<dyn Link>,
    mirror: Mirror,
    /// The call that reads the session again, because events were missed.
    rereading: Option<CallId>,
}

/// The answer to [`Read::History`].
#[derive(Deserialize)]
struct Past {
    revisions: Vec<Revision>,
}

impl Guest {
    /// Connects to the hub at the other end of `link` and reads the session.
    pub(crate) fn over(link: Box<dyn Link>) -> Result<Self, Failure> {
        let mirror = mirror(link.as_ref())?;
        Ok(Self { link, mirror, rereading: None })
    }

    /// The same front end, its events taken on another way.
    pub(crate) fn rewired(
        self,
        rewire: impl FnOnce(Box<dyn Link>) -> io::Result<Box<dyn Link>>,
    ) -> Result<Self, Failure> {
        let link = rewire(self.link).map_err(|error| Failure::plain("hub", error))?;
        Ok(Self { link, ..self })
    }

    /// The session as of the last event heard.
    pub(crate) fn session(&self) -> &Session {
        &self.mirror.snapshot.session
    }

    /// Its revision.
    pub(crate) fn head(&self) -> RevisionId {
        self.mirror.snapshot.head
    }

    /// The hub's snapshot of the session, as of the last event.
    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.mirror.snapshot
    }

    /// The connection, for a front end that waits for events by itself and [follows](Self::follow) them.
    pub(crate) fn link(&self) -> &dyn Link {
        self.link.as_ref()
    }

    /// Submits `op` and waits for its answer; `hear` sees the events on the way. Ctrl-C cancels it, and a
    /// second Ctrl-C stops waiting.
    pub(crate) fn ask(
        &mut self,
        op: Op,
        hear: &mut dyn FnMut(&Event),
    ) -> Result<ToolResult, Failure> {
        let call = self.link.submit(op);
        let (mut answer, mut is_stopping) = (None, false);
        loop {
            let event = next(self.link.as_ref(), call, &mut is_stopping)?;
            self.follow(&event)?;
            if event.call == Some(call) {
                hear(&event);
                if let News::Done { result } = event.news {
                    answer = Some(*result);
                }
            }
            // The caller looks at the session next.
            if let (Some(answer), None) = (&answer, self.rereading) {
                return Ok(answer.clone());
            }
        }
    }

    /// Reads something from the session.
    pub(crate) fn read<T: DeserializeOwned>(&mut self, what: Read) -> Result<T, Failure> {
        let result = self.ask(Op::Read { what }, &mut |_| {})?;
        read_answer(result)
    }

    /// Every revision, oldest first.
    pub(crate) fn revisions(&mut self) -> Result<Vec<Revision>, Failure> {
        Ok(self.read::<Past>(Read::History)?.revisions)
    }

    /// Waits until the hub has looked after all media there is now. Ctrl-C, or the end of the hub, ends the
    /// waiting alone.
    pub(crate) fn finish_media(&mut self, hear: &mut dyn FnMut(&Event, &Session)) {
        let Ok(now) = mirror(self.link.as_ref()) else {
            return;
        };
        self.mirror = now;
        while !self.snapshot().conforming.is_empty() && !interrupt::take() {
            let event = match self.link.events().recv_timeout(GLANCE) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if self.follow(&event).is_err() {
                return;
            }
            hear(&event, self.session());
        }
    }

    /// Applies an event to the mirror. If events were missed, the session is read again, and until then the
    /// mirror is out of date. Returns whether this event completed that.
    pub(crate) fn follow(&mut self, event: &Event) -> Result<bool, Failure> {
        if let (Some(call), News::Done { result }) = (event.call, &event.news)
            && self.rereading == Some(call)
        {
            self.mirror = Mirror::new(read_answer(ToolResult::clone(result))?, event.number);
            self.rereading = None;
            return Ok(true);
        }
        if self.mirror.hear(event) == Followed::Lost && self.rereading.is_none() {
            self.rereading = Some(self.link.submit(Op::Read { what: Read::Snapshot }));
        }
        Ok(false)
    }
}

/// A mirror of the current state. Events that arrive meanwhile are part of it.
fn mirror(link: &dyn Link) -> Result<Mirror, Failure> {
    let call = link.submit(Op::Read { what: Read::Snapshot });
    let mut is_stopping = false;
    loop {
        let event = next(link, call, &mut is_stopping)?;
        if let (Some(of), News::Done { result }) = (event.call, event.news)
            && of == call
        {
            return Ok(Mirror::new(read_answer(*result)?, event.number));
        }
    }
}

/// The next event. Ctrl-C cancels `call`, and its answer reports that. If `is_stopping` was set already,
/// the wait ends at once.
fn next(link: &dyn Link, call: CallId, is_stopping: &mut bool) -> Result<Event, Failure> {
    loop {
        if interrupt::take() {
            if std::mem::replace(is_stopping, true) {
                return Err(given_up());
            }
            link.submit(Op::Cancel { call });
        }
        match link.events().recv_timeout(GLANCE) {
            Ok(event) => return Ok(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(gone()),
        }
    }
}

fn given_up() -> Failure {
    let message = "stopped before the hub answered";
    Failure::new("cancelled", message, "`deskhand log DIR` lists the steps that were done")
}

/// The failure of a hub that ended.
pub(crate) fn gone() -> Failure {
    let message = "the hub that serves this session ended before it answered";
    Failure::new("gone", message, "confirmed steps are stored; run the command again")
}

fn read_answer<T: DeserializeOwned>(result: ToolResult) -> Result<T, Failure> {
    if result.error.is_some() {
        return Err(Failure::of_result(&result));
    }
    let answer = result.answer.unwrap_or_default();
    serde_json::from_value(answer).map_err(|error| {
        let message = format!("this version cannot read the hub's answer: {error}");
        Failure::new("version", message, "stop the hub, then run `deskhand serve` of this version")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::{Receiver, Sender, unbounded};
    use deskhand_dsp::SampleRate;
    use deskhand_protocol::Status;
    use deskhand_session::{Author, SessionId};
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A hub that answers what it has ready, and then ends.
    struct Ending {
        ready: Mutex<RefCell<Vec<ToolResult>>>,
        sender: Mutex<Option<Sender<Event>>>,
        events: Receiver<Event>,
    }

    impl Ending {
        fn new(ready: Vec<ToolResult>) -> Self {
            let (sender, events) = unbounded();
            let ready = Mutex::new(RefCell::new(ready));
            Self { ready, sender: Mutex::new(Some(sender)), events }
        }
    }

    impl Link for Ending {
        fn submit(&self, _: Op) -> CallId {
            let mut sender = self.sender.lock().unwrap();
            match self.ready.lock().unwrap().get_mut().pop() {
                Some(result) => {
                    let news = News::Done { result: Box::new(result) };
                    let call = Some(CallId(1));
                    let event = Event { number: 3, author: Author::User, call, news };
                    sender.as_ref().unwrap().send(event).unwrap();
                }
                None => *sender = None,
            }
            CallId(1)
        }

        fn events(&self) -> &Receiver<Event> {
            &self.events
        }
    }

    fn snapshot() -> ToolResult {
        let snapshot = serde_json::json!({
            "session": Session::new(SessionId::new(1), SampleRate(48_000)),
            "head": 2, "plans": BTreeMap::<String, String>::new(), "read_only": null,
            "folder": "s", "is_turn_running": false, "is_attended": true,
        });
        let result = ToolResult::new(Status::Ok, "read", RevisionId(2));
        ToolResult { answer: Some(snapshot), ..result }
    }

    #[test]
    fn a_hub_that_ends_on_the_way_is_told_with_the_way_out() {
        let mut guest = Guest::over(Box::new(Ending::new(vec![snapshot()]))).unwrap();
        assert_eq!(guest.head(), RevisionId(2));
        let failure = guest.ask(Op::Undo, &mut |_| {}).unwrap_err();
        assert_eq!(failure.code, "gone");
        assert!(failure.fix.contains("confirmed steps are stored"), "{}", failure.fix);
    }

    /// A hub that reports a wrong step before each answer, except answers to [`Read::Snapshot`].
    struct Odd {
        calls: AtomicU64,
        sender: Sender<Event>,
        events: Receiver<Event>,
    }

    impl Link for Odd {
        fn submit(&self, op: Op) -> CallId {
            let call = CallId(self.calls.fetch_add(1, Ordering::Relaxed));
            let number = call.0 * 2 + 3;
            let author = Author::User;
            let mut result = snapshot();
            if !matches!(op, Op::Read { .. }) {
                let (from, to) = (RevisionId(7), RevisionId(8));
                let (label, changes) = ("Other".into(), Vec::new());
                let news = News::Moved { from, to, label, changes, at: None };
                self.sender.send(Event { number, author, call: None, news }).unwrap();
                result = ToolResult::new(Status::Ok, "undone", RevisionId(2));
            }
            let news = News::Done { result: Box::new(result) };
            let told = Event { number: number + 1, author, call: Some(call), news };
            self.sender.send(told).unwrap();
            call
        }

        fn events(&self) -> &Receiver<Event> {
            &self.events
        }
    }

    #[test]
    fn an_answer_that_comes_while_the_session_is_read_anew_is_heard() {
        let (sender, events) = unbounded();
        let hub = Odd { calls: AtomicU64::new(1), sender, events };
        let mut guest = Guest::over(Box::new(hub)).unwrap();
        let mut heard = 0;
        let result = guest.ask(Op::Undo, &mut |_| heard += 1).unwrap();
        assert_eq!((result.summary.as_str(), heard), ("undone", 1));
        assert_eq!(guest.rereading, None, "the session is as the hub has it");
        assert_eq!(guest.ask(Op::Redo, &mut |_| {}).unwrap().status, Status::Ok);
    }

    #[test]
    fn an_answer_of_another_version_is_told() {
        let odd = ToolResult::new(Status::Ok, "read", RevisionId(0));
        let failure = Guest::over(Box::new(Ending::new(vec![odd]))).err().unwrap();
        assert_eq!(failure.code, "version");
    }
}
