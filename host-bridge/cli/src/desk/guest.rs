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
}

/// The answer to [`Read::History`].
#[derive(Deserialize)]
struct Past {
    revisions: Vec<Revision>,
}

impl Guest {
    /// Comes to the hub behind `link` and reads the session.
    pub(crate) fn over(link: Box<dyn Link>) -> Result<Self, Failure> {
        let mirror = mirror(link.as_ref())?;
        Ok(Self { link, mirror })
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

    /// What the hub said of the session, as of the last event heard.
    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.mirror.snapshot
    }

    /// The connection, for a front end that waits for events by itself and [follows](Self::follow) them.
    pub(crate) fn link(&self) -> &dyn Link {
        self.link.as_ref()
    }

    /// Submits `op` and waits for its answer; `hear` sees what is told of it on the way. Ctrl-C cancels it.
    pub(crate) fn ask(
        &mut self,
        op: Op,
        hear: &mut dyn FnMut(&Event),
    ) -> Result<ToolResult, Failure> {
        let call = self.link.submit(op);
        loop {
            let event = next(self.link.as_ref(), call)?;
            self.follow(&event)?;
            if event.call != Some(call) {
                continue;
            }
            hear(&event);
            if let News::Done { result } = event.news {
                return Ok(*result);
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

    /// Takes an event into the mirror. When some were missed the session is read anew.
    pub(crate) fn follow(&mut self, event: &Event) -> Result<(), Failure> {
        match self.mirror.hear(event) {
            Followed::Yes => {}
            Followed::Lost => self.mirror = mirror(self.link.as_ref())?,
        }
        Ok(())
    }
}

/// A mirror as of now. What is told meanwhile is in it.
fn mirror(link: &dyn Link) -> Result<Mirror, Failure> {
    let call = link.submit(Op::Read { what: Read::Snapshot });
    loop {
        let event = next(link, call)?;
        if let (Some(of), News::Done { result }) = (event.call, event.news)
            && of == call
        {
            return Ok(Mirror::new(read_answer(*result)?, event.number));
        }
    }
}

/// The next event. Ctrl-C cancels `call`, whose answer then says so.
fn next(link: &dyn Link, call: CallId) -> Result<Event, Failure> {
    loop {
        if interrupt::take() {
            link.submit(Op::Cancel { call });
        }
        match link.events().recv_timeout(GLANCE) {
            Ok(event) => return Ok(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(gone()),
        }
    }
}

/// The failure of a hub that ended.
pub(crate) fn gone() -> Failure {
    let message = "the hub that serves this session ended before it answered";
    Failure::new("gone", message, "what was acknowledged is stored; run the command again")
}

fn read_answer<T: DeserializeOwned>(result: ToolResult) -> Result<T, Failure> {
    if result.error.is_some() {
        return Err(Failure::of_result(&result));
    }
    let answer = result.answer.unwrap_or_default();
    serde_json::from_value(answer).map_err(|error| {
        let message = format!("the hub answers in a way that this version cannot read: {error}");
        Failure::new("version", message, "end it, and start this version's")
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
        assert!(failure.fix.contains("what was acknowledged is stored"), "{}", failure.fix);
    }

    #[test]
    fn an_answer_of_another_version_is_told() {
        let odd = ToolResult::new(Status::Ok, "read", RevisionId(0));
        let failure = Guest::over(Box::new(Ending::new(vec![odd]))).err().unwrap();
        assert_eq!(failure.code, "version");
    }
}
