//! Front ends that come and go, and the events they get. The effects that parts return are carried out here.

use crate::bridge::Bridge;
use crate::commits::{NewRevision, Then};
use crate::connection::Sight;
use crate::effect::Effect;
use crate::front::{AgentFront, ConversationFront, Line, ObserverFront, PersonFront};
use crate::ids::{Asker, ConnectionId};
use crate::notices::nobody_is_here;
use crate::policy::Authority;
use crossbeam_channel::Receiver;
use deskhand_protocol::desk::{Notice, Window};
use deskhand_protocol::{News, Status, ToolResult};
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Author, Change, Said};

impl Bridge {
    /// A connection with a person's authority.
    pub fn connect_person(&mut self) -> PersonFront {
        PersonFront(self.connect(Authority::Person))
    }

    /// A connection with a model's authority.
    pub fn connect_agent(&mut self) -> AgentFront {
        AgentFront(self.connect(Authority::Agent))
    }

    /// A connection for the model that answers in the conversation.
    pub fn connect_conversation(&mut self) -> ConversationFront {
        ConversationFront(self.connect(Authority::Conversation))
    }

    /// A connection that hears everything and may ask for nothing but what there is to read.
    pub fn connect_observer(&mut self) -> ObserverFront {
        ObserverFront(self.connect(Authority::Observer))
    }

    pub(crate) fn connect(&mut self, authority: Authority) -> Line {
        self.connections.connect(authority, self.inbox.0.clone())
    }

    /// Starts a log of events for the caller. A log that does not keep up misses some of them.
    pub fn watch(&mut self) -> Receiver<Sight> {
        self.connections.watch()
    }

    /// Carries out effects, in their order.
    pub(crate) fn carry_out(&mut self, effects: impl IntoIterator<Item = Effect>) {
        for effect in effects {
            match effect {
                Effect::Tell(author, asker, news) => self.tell(author, asker, news),
                Effect::Answer(asker, summary, answer) => {
                    let result = ToolResult { answer, ..self.ok(summary) };
                    self.answer(asker, result);
                }
                Effect::Reply(asker, summary) => self.reply(asker, self.ok(summary)),
                Effect::Fail(asker, error) => self.fail(asker, error),
                Effect::Notify(author, notice) => self.notify(author, notice),
                Effect::Notice(author, waits, notice) => {
                    self.notices.open(&notice, waits);
                    self.tell(author, waits, News::Notice { notice });
                }
                Effect::OpenWindow(asker, window) => self.open_window(asker, window),
                Effect::CloseWindow(asker, window_id) => self.close_window(asker, window_id),
                Effect::Hear(asker, plan, which, planned) => {
                    self.hear_in_hosts(asker, *plan, which, *planned);
                }
                Effect::Said(asker, said, then, answer) => {
                    self.store_said(asker, said, then, answer);
                }
                Effect::Step(asker, author, label, changes) => {
                    self.step_if_it_fits(asker, author, label, changes);
                }
                Effect::Decide(asker, decided, then) => self.commit_state(asker, decided, then),
                Effect::Grow(asker, author, step, then) => {
                    self.commit_revision(asker, author, step, then);
                }
                Effect::Go(asker, author, step, session, decided, then) => {
                    self.commit_head(asker, author, step, session, vec![decided], then);
                }
                Effect::Walk(asker, author, walk, then) => self.walk(asker, author, walk, then),
                Effect::Work(start) => start(&self.jobs),
            }
        }
    }

    fn notify(&mut self, author: Author, notice: Notice) {
        // One of many that nobody put away is no loss.
        if let Ok(notice) = self.notices.show(notice) {
            self.tell(author, None, News::Notice { notice });
        }
    }

    fn open_window(&mut self, asker: Asker, window: Window) {
        self.windows.open(window.clone());
        self.tell(asker.author, Some(asker), News::Window { window });
    }

    fn close_window(&mut self, asker: Asker, window_id: String) {
        self.windows.close(&window_id);
        self.tell(asker.author, Some(asker), News::WindowClosed { window_id });
    }

    fn store_said(
        &mut self,
        asker: Asker,
        said: Said,
        then: Option<News>,
        answer: Option<&'static str>,
    ) {
        let answer = answer.map(|summary| Box::new(self.ok(summary)));
        let news = std::iter::once(News::Said { said: said.clone() }).chain(then);
        let then = answer.map_or(Then::Rest, Then::Answer);
        self.commit_said(asker, said, news.collect(), then);
    }

    fn step_if_it_fits(
        &mut self,
        asker: Asker,
        author: Author,
        label: String,
        changes: Vec<Change>,
    ) {
        let session = self.commits.session.with(&changes).ok();
        if let Some(session) = session.filter(|_| self.commits.read_only.is_none()) {
            let step = NewRevision::new(session, label, changes);
            self.commit_revision(asker, author, step, Then::Rest);
        }
    }

    /// Tells every front end; the call is named on the connection that made it.
    pub(crate) fn tell(&mut self, author: Author, asker: Option<Asker>, news: News) {
        self.connections.tell(author, asker, news);
        self.settle_ended();
    }

    /// Answers a submission.
    pub(crate) fn answer(&mut self, asker: Asker, mut result: ToolResult) {
        let value = self.connections.take_value(asker);
        if result.status != Status::Error {
            result.answer = result.answer.or(value);
        }
        self.tell(asker.author, Some(asker), News::Done { result: Box::new(result) });
    }

    /// Answers the asker alone. Other front ends do not hear the answer to a read.
    pub(crate) fn reply(&mut self, asker: Asker, result: ToolResult) {
        self.connections.reply(asker, result);
        self.settle_ended();
    }

    /// Answers a submission with an error.
    pub(crate) fn fail(&mut self, asker: Asker, error: ToolError) {
        self.answer(asker, ToolResult::failed(error, self.commits.history.head()));
    }

    /// Answers a submission with an error if there is one.
    pub(crate) fn fail_if(&mut self, asker: Asker, outcome: Result<(), ToolError>) {
        if let Err(error) = outcome {
            self.fail(asker, error);
        }
    }

    pub(crate) fn ok(&self, summary: impl Into<String>) -> ToolResult {
        ToolResult::new(Status::Ok, summary, self.commits.history.head())
    }

    /// Shows that something went wrong that belongs to no call.
    pub(crate) fn notify_error(&mut self, message: String) {
        self.carry_out([Effect::error(message)]);
    }

    /// Takes the person's answer to a notice.
    pub(crate) fn answer_notice(&mut self, asker: Asker, notice_id: &str, answer: Option<String>) {
        let folder = self.commits.read_only.is_none().then_some(self.files.folder.as_path());
        let now = (&*self.commits.session, self.commits.history.next_id());
        let effects = self.notices.answer(asker, notice_id, answer, now, folder);
        self.carry_out(effects);
    }

    /// Lets front ends that lagged continue, as soon as they have read their backlog.
    pub(crate) fn catch_up(&mut self) {
        self.connections.catch_up();
        self.settle_ended();
    }

    /// Forgets a connection that has ended. Its calls continue.
    pub(crate) fn disconnected(&mut self, id: ConnectionId) {
        self.connections.end(id);
        self.settle_ended();
    }

    /// Cleans up after connections that ended: nothing waits for them.
    fn settle_ended(&mut self) {
        for (id, authority) in self.connections.take_ended() {
            self.instance_left(id);
            self.hearer_left(id);
            self.connections.log(|| Sight::Left(authority));
            match authority {
                Authority::Conversation => {
                    let effects = self.conversation.model_is_gone();
                    self.carry_out(effects);
                }
                Authority::Person if !self.is_attended() => {
                    let effects = self.notices.withdraw(
                        |_| true,
                        |asker| {
                            let (summary, answer) = nobody_is_here();
                            Effect::Answer(asker, summary, Some(answer))
                        },
                    );
                    self.carry_out(effects);
                }
                Authority::Person | Authority::Agent | Authority::Observer => {}
            }
        }
    }

    pub(crate) fn authority_of(&self, id: ConnectionId) -> Authority {
        self.connections.authority_of(id)
    }

    /// Notes that a front end plays sound, or does not any more.
    pub(crate) fn set_player(&mut self, asker: Asker, ready: bool) {
        self.connections.set_player(asker.connection, ready);
        self.instance_plays(asker.connection, ready);
        let said = if ready { "orders to play come here" } else { "no orders come here" };
        self.reply(asker, self.ok(said));
    }

    /// Whether an app plays sound. An instance of the plugin follows its host and takes no orders to play.
    pub(crate) fn has_player(&self) -> bool {
        self.connections.players().any(|id| !self.hosts.has(id))
    }

    /// Whether somebody who can decide is connected. An instance of the plugin does not count: its open
    /// window has a connection of its own.
    #[must_use]
    pub fn is_attended(&self) -> bool {
        self.connections.persons().any(|id| !self.hosts.has(id))
    }
}
