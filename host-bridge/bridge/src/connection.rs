//! The bridge's side of a connection: which events it gets, and what happens when it lags.

use crate::bridge::Bridge;
use crate::ids::{Asker, ConnectionId};
use crate::policy::Authority;
use crate::watch::Sight;
use crossbeam_channel::{Sender, TrySendError};
use deskhand_protocol::{Event, News};
use deskhand_session::Author;

/// The number of events that a front end may lag before it misses some.
pub(crate) const LAG: usize = 8_192;

/// Answers that are kept for a front end that lags. One that asks on without ever reading is cut off.
const OWED: usize = 4_096;

/// The bridge's side of a connection.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) id: ConnectionId,
    pub(crate) authority: Authority,
    /// Whether it plays sound.
    is_player: bool,
    events: Sender<Event>,
    is_lagging: bool,
    /// Answers to its own submissions that found no room: each must arrive.
    owed: Vec<Event>,
    is_gone: bool,
}

impl Connection {
    pub(crate) fn new(id: ConnectionId, authority: Authority, events: Sender<Event>) -> Self {
        Self {
            id,
            authority,
            is_player: false,
            events,
            is_lagging: false,
            owed: Vec::new(),
            is_gone: false,
        }
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

impl Bridge {
    /// Tells every front end; the call is named on the connection that made it.
    pub(crate) fn tell(&mut self, author: Author, asker: Option<Asker>, news: News) {
        self.events += 1;
        let number = self.events;
        for connection in &mut self.connections {
            let call = asker.filter(|a| a.connection == connection.id).map(|a| a.call);
            connection.send(Event { number, author, call, news: news.clone() });
        }
        self.see(|| Sight::Told(Box::new(Event { number, author, call: None, news })));
        self.drop_gone();
    }

    /// Tells one front end only, outside the event count: a read answer is no news to the others.
    pub(crate) fn tell_alone(&mut self, asker: Asker, news: News) {
        let (number, call) = (self.events, Some(asker.call));
        let mut connections = self.connections.iter_mut();
        if let Some(connection) = connections.find(|c| c.id == asker.connection) {
            connection.send(Event { number, author: asker.author, call, news });
        }
        self.drop_gone();
    }

    /// Lets front ends that lagged continue, as soon as they have read their backlog.
    pub(crate) fn catch_up(&mut self) {
        self.connections.iter_mut().for_each(Connection::catch_up);
        self.drop_gone();
    }

    /// Forgets a connection that has ended. Its calls continue.
    pub(crate) fn disconnected(&mut self, id: ConnectionId) {
        let authority = self.authority_of(id);
        let known = self.connections.len();
        self.connections.retain(|connection| connection.id != id);
        if self.connections.len() < known {
            self.instance_left(id);
            self.hearer_left(id);
            self.left(authority);
        }
    }

    fn drop_gone(&mut self) {
        let gone = self.connections.extract_if(.., |connection| connection.is_gone);
        let gone: Vec<_> = gone.map(|connection| (connection.id, connection.authority)).collect();
        for (id, authority) in gone {
            self.instance_left(id);
            self.hearer_left(id);
            self.left(authority);
        }
    }

    /// Cleans up after a connection that left: nothing waits for it.
    fn left(&mut self, authority: Authority) {
        self.see(|| Sight::Left(authority));
        match authority {
            Authority::Conversation => self.model_is_gone(),
            Authority::Person if !self.is_attended() => {
                self.withdraw_queries(|_| true, Self::nobody_is_here);
            }
            Authority::Person | Authority::Agent | Authority::Observer => {}
        }
    }

    pub(crate) fn authority_of(&self, id: ConnectionId) -> Authority {
        let mut connections = self.connections.iter();
        connections.find(|c| c.id == id).map_or(Authority::Observer, |c| c.authority)
    }

    /// Whether a front end is connected, apart from the model of the conversation.
    pub(crate) fn has_visitors(&self) -> bool {
        self.connections.iter().any(|c| c.authority != Authority::Conversation)
    }

    /// Notes that a front end plays sound, or does not any more.
    pub(crate) fn set_player(&mut self, asker: Asker, ready: bool) {
        let own = self.connections.iter_mut().filter(|c| c.id == asker.connection);
        own.for_each(|connection| connection.is_player = ready);
        self.instance_plays(asker.connection, ready);
        let result =
            self.ok(if ready { "orders to play come here" } else { "no orders come here" });
        self.tell_alone(asker, News::Done { result: Box::new(result) });
    }

    /// Whether an app plays sound. An instance of the plugin follows its host and takes no orders to play.
    pub(crate) fn has_player(&self) -> bool {
        let mut players = self.connections.iter().filter(|connection| connection.is_player);
        players.any(|connection| !self.instances.contains_key(&connection.id))
    }

    /// Whether somebody who can decide is connected. An instance of the plugin does not count: its open
    /// window has a connection of its own.
    #[must_use]
    pub fn is_attended(&self) -> bool {
        let mut persons = self.connections.iter().filter(|c| c.authority == Authority::Person);
        persons.any(|connection| !self.instances.contains_key(&connection.id))
    }
}
