//! The front ends that are connected: which events each gets, and what happens when one lags.

use crate::front::Line;
use crate::ids::{Asker, ConnectionId};
use crate::input::Input;
use crate::policy::Authority;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use deskhand_protocol::{CallId, Event, News, ToolResult};
use deskhand_session::Author;
use serde_json::Value;
use std::collections::BTreeMap;

/// The number of events that a front end may lag before it misses some.
const LAG: usize = 8_192;

/// Answers that are kept for a front end that lags. One that asks on without ever reading is cut off.
const OWED: usize = 4_096;

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

/// The bridge's side of a connection.
#[derive(Debug)]
struct Connection {
    id: ConnectionId,
    authority: Authority,
    /// Whether it plays sound.
    is_player: bool,
    events: Sender<Event>,
    is_lagging: bool,
    /// Answers to its own submissions that found no room: each must arrive.
    owed: Vec<Event>,
    is_gone: bool,
}

impl Connection {
    fn new(id: ConnectionId, authority: Authority, events: Sender<Event>) -> Self {
        let (is_player, is_lagging, is_gone) = (false, false, false);
        Self { id, authority, is_player, events, is_lagging, owed: Vec::new(), is_gone }
    }

    /// Sends an event. If the queue is full, the event is dropped, and the front end learns later that it
    /// lagged.
    fn send(&mut self, event: Event) {
        self.catch_up();
        if self.is_lagging {
            return self.owe(event);
        }
        match self.events.try_send(event) {
            Ok(()) => {}
            Err(TrySendError::Full(event)) => {
                self.is_lagging = true;
                self.owe(event);
            }
            Err(TrySendError::Disconnected(_)) => self.is_gone = true,
        }
    }

    fn owe(&mut self, event: Event) {
        if event.call.is_some() && matches!(event.news, News::Done { .. }) {
            self.owed.push(event);
            self.is_gone |= self.owed.len() > OWED;
        }
    }

    /// Sends the held-back events as soon as there is room for all of them.
    fn catch_up(&mut self) {
        if !self.is_lagging || self.events.len() + self.owed.len() + 1 > LAG {
            return;
        }
        self.is_lagging = false;
        let lagged = Event { number: 0, author: Author::User, call: None, news: News::Lagged };
        for event in std::iter::once(lagged).chain(self.owed.drain(..)) {
            self.is_gone |= self.events.try_send(event).is_err();
        }
    }
}

/// Every connection, and the log of the hub. A hub does not stay open for its log.
#[derive(Default)]
pub(crate) struct Connections {
    all: Vec<Connection>,
    /// The number of the last connection.
    made: u64,
    /// The number of the last event.
    events: u64,
    log: Option<Sender<Sight>>,
    /// Values that belong to the answers of calls, until the calls end.
    values: BTreeMap<(ConnectionId, CallId), Value>,
}

impl Connections {
    pub(crate) fn connect(&mut self, authority: Authority, inbox: Sender<Input>) -> Line {
        let (sender, events) = bounded(LAG);
        self.made += 1;
        let id = ConnectionId(self.made);
        self.all.push(Connection::new(id, authority, sender));
        self.log(|| Sight::Came(authority));
        Line::new(id, inbox, events)
    }

    /// Starts a log of events for the caller. A log that does not keep up misses some of them.
    pub(crate) fn watch(&mut self) -> Receiver<Sight> {
        let (sender, sights) = bounded(LAG);
        self.log = Some(sender);
        sights
    }

    /// Shows something to the log. One that is full or gone holds nothing up.
    pub(crate) fn log(&self, sight: impl FnOnce() -> Sight) {
        if let Some(log) = &self.log {
            drop(log.try_send(sight()));
        }
    }

    /// Tells every front end; the call is named on the connection that made it.
    pub(crate) fn tell(&mut self, author: Author, asker: Option<Asker>, news: News) {
        self.events += 1;
        let number = self.events;
        for connection in &mut self.all {
            let call = asker.filter(|a| a.connection == connection.id).map(|a| a.call);
            connection.send(Event { number, author, call, news: news.clone() });
        }
        self.log(|| Sight::Told(Box::new(Event { number, author, call: None, news })));
    }

    /// Answers one front end only. The answer to a read is not counted as an event.
    pub(crate) fn reply(&mut self, asker: Asker, result: ToolResult) {
        let (number, call) = (self.events, Some(asker.call));
        let news = News::Done { result: Box::new(result) };
        if let Some(connection) = self.all.iter_mut().find(|c| c.id == asker.connection) {
            connection.send(Event { number, author: asker.author, call, news });
        }
    }

    /// Keeps a value for the answer of a call.
    pub(crate) fn keep_value(&mut self, asker: Asker, value: Value) {
        self.values.insert((asker.connection, asker.call), value);
    }

    /// The value that was kept for the answer of a call.
    pub(crate) fn take_value(&mut self, asker: Asker) -> Option<Value> {
        self.values.remove(&(asker.connection, asker.call))
    }

    /// Lets front ends that lagged continue, as soon as they have read their backlog.
    pub(crate) fn catch_up(&mut self) {
        self.all.iter_mut().for_each(Connection::catch_up);
    }

    /// Marks a connection that has ended.
    pub(crate) fn end(&mut self, id: ConnectionId) {
        let ended = self.all.iter_mut().filter(|connection| connection.id == id);
        ended.for_each(|connection| connection.is_gone = true);
    }

    /// Forgets the connections that ended, and returns them.
    pub(crate) fn take_ended(&mut self) -> Vec<(ConnectionId, Authority)> {
        let gone = self.all.extract_if(.., |connection| connection.is_gone);
        gone.map(|connection| (connection.id, connection.authority)).collect()
    }

    pub(crate) fn authority_of(&self, id: ConnectionId) -> Authority {
        let known = self.all.iter().find(|c| c.id == id);
        known.map_or(Authority::Observer, |c| c.authority)
    }

    /// Whether a front end is connected, apart from the model of the conversation.
    pub(crate) fn has_visitors(&self) -> bool {
        self.all.iter().any(|c| c.authority != Authority::Conversation)
    }

    /// Whether a model listens.
    pub(crate) fn has_model(&self) -> bool {
        self.all.iter().any(|c| c.authority == Authority::Conversation)
    }

    /// Notes that a front end plays sound, or does not any more.
    pub(crate) fn set_player(&mut self, id: ConnectionId, ready: bool) {
        let own = self.all.iter_mut().filter(|c| c.id == id);
        own.for_each(|connection| connection.is_player = ready);
    }

    /// The front ends that play sound.
    pub(crate) fn players(&self) -> impl Iterator<Item = ConnectionId> {
        self.all.iter().filter(|c| c.is_player).map(|c| c.id)
    }

    /// The front ends with a person's authority.
    pub(crate) fn persons(&self) -> impl Iterator<Item = ConnectionId> {
        self.all.iter().filter(|c| c.authority == Authority::Person).map(|c| c.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::unbounded;
    use deskhand_session::RevisionId;

    #[test]
    fn a_front_end_that_lags_misses_news_and_no_answer() {
        let (inbox, _kept) = unbounded();
        let mut all = Connections::default();
        let line = all.connect(Authority::Person, inbox);
        let asker = Asker { connection: line.connection, call: CallId(1), author: Author::User };
        (0..=LAG).for_each(|_| all.tell(Author::User, None, News::StopTurn));
        all.reply(asker, ToolResult::new(deskhand_protocol::Status::Ok, "read", RevisionId(0)));
        let first: Vec<Event> = line.events.try_iter().collect();
        assert_eq!(first.len(), LAG);
        all.catch_up();
        let rest: Vec<Event> = line.events.try_iter().collect();
        assert!(
            matches!(rest[0].news, News::Lagged) && rest[1].call == Some(CallId(1)),
            "{rest:?}"
        );
        all.end(line.connection);
        assert_eq!(all.take_ended(), [(line.connection, Authority::Person)]);
    }
}
