//! The bridge itself: its state, and one function that handles an input.

use crate::commits::Commits;
use crate::connection::Connections;
use crate::conversation::Conversation;
use crate::effect::Effect;
use crate::errors::storage;
use crate::files::Files;
use crate::hosts::{GainMoves, Hosts};
use crate::ids::{Asker, ConnectionId};
use crate::input::Input;
use crate::jobs::Jobs;
use crate::landings::Landings;
use crate::notices::Notices;
use crate::partial_undo::Direction;
use crate::passes::{At, Recordings, Settle};
use crate::plans::Plans;
use crate::player::Player;
use crate::policy::Authority;
use crate::renderer::Renderer;
use crate::rules::Permissions;
use crate::unfinished::Unfinished;
use crate::waveforms::Waveforms;
use crate::windows::Windows;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use deskhand_media::Opener;
use deskhand_protocol::{CallId, Clock, Event, News, Op, Read, Submission, ToolResult};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{History, Session, SourceId, StoredPlan};
use deskhand_store::{Loaded, Store, StoreError};
use deskhand_toolkit::{Audio, MeasurementCache, Pool, Registry};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often hanging jobs are looked for.
const TICK: Duration = Duration::from_millis(200);

/// How long closing waits for work that was cancelled.
const CLOSING: Duration = Duration::from_secs(1);

/// The parts that the application passes to the bridge.
pub struct Parts {
    /// The tools.
    pub registry: Registry,
    /// The workers.
    pub pool: Pool,
    /// Audio of sources, tracks and the mix.
    pub audio: Arc<dyn Audio>,
    /// Measurements made before.
    pub cache: Arc<dyn MeasurementCache>,
    /// How files are opened.
    pub opener: Opener,
    /// The session folder.
    pub folder: PathBuf,
    /// Renders the mix to files.
    pub renderer: Arc<dyn Renderer>,
    /// Folders that a person opened, apart from the session's own. A model may import from them without
    /// asking.
    pub opened: Vec<PathBuf>,
}

/// The only writer of a session.
pub struct Bridge {
    pub(crate) commits: Commits,
    pub(crate) plans: Plans,
    pub(crate) conversation: Conversation,
    pub(crate) registry: Registry,
    pub(crate) files: Files,
    pub(crate) renderer: Arc<dyn Renderer>,
    pub(crate) inbox: (Sender<Input>, Receiver<Input>),
    pub(crate) connections: Connections,
    pub(crate) hosts: Hosts,
    pub(crate) recordings: Recordings,
    /// Whether the session was created in place of a project's session, which came late.
    pub(crate) is_stopgap: bool,
    pub(crate) player: Player,
    pub(crate) jobs: Jobs,
    pub(crate) landings: Landings,
    is_stopping: bool,
    pub(crate) permissions: Permissions,
    pub(crate) notices: Notices,
    pub(crate) windows: Windows,
    pub(crate) unfinished: Unfinished,
    /// Sources whose media was checked. Those that failed are tried again when the session is next opened.
    pub(crate) looked_after: BTreeSet<SourceId>,
    ticked: Instant,
}

impl Bridge {
    /// A bridge over an open session. Sources that are not conformed yet are conformed in the background.
    #[must_use]
    pub fn new(store: Store, loaded: Loaded, parts: Parts) -> Self {
        let Parts { registry, pool, audio, cache, opener, folder, renderer, opened } = parts;
        let inbox = unbounded();
        let mut bridge = Self {
            commits: Commits::new(loaded.session, loaded.history, store),
            plans: Plans::new(loaded.plans),
            conversation: Conversation::new(loaded.conversation),
            registry,
            notices: Notices::new(&folder),
            unfinished: Unfinished::new(&folder),
            files: Files { folder, opener, audio, cache, waveforms: Waveforms::default() },
            renderer,
            jobs: Jobs::new(pool, inbox.0.clone()),
            landings: Landings::new(),
            inbox,
            connections: Connections::default(),
            hosts: Hosts::default(),
            recordings: Recordings::default(),
            is_stopgap: false,
            player: Player::default(),
            is_stopping: false,
            permissions: Permissions::new(opened),
            windows: Windows::default(),
            looked_after: BTreeSet::new(),
            ticked: Instant::now(),
        };
        bridge.settle_interrupted();
        let interrupted = bridge.conversation.answer_interrupted();
        bridge.carry_out(interrupted);
        bridge.park_unfinished();
        bridge.look_after_media();
        bridge.follow_project();
        bridge
    }

    /// The current session, with steps that are not durable yet.
    #[must_use]
    pub fn session(&self) -> &Arc<Session> {
        &self.commits.session
    }

    /// The tree of revisions.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.commits.history
    }

    /// Whether a worker has something left to do.
    #[must_use]
    pub fn is_working(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// Every plan and its state, in the order they were made.
    #[must_use]
    pub fn plans(&self) -> &[StoredPlan] {
        self.plans.all()
    }

    /// The tools.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Takes one input. Some wait while a step is on its way into the DAW's project.
    pub fn pump(&mut self, input: Input) {
        let mut next = self.landings.keep(input);
        while let Some(input) = next {
            self.take(input);
            next = self.landings.next_input();
        }
    }

    // tidy: table
    fn take(&mut self, input: Input) {
        match input {
            Input::Submitted { connection, submission } => self.submitted(connection, submission),
            Input::Connecting { authority, reply } => {
                let line = self.connect(authority);
                // A caller that does not wait any more drops it, and it is disconnected again.
                drop(reply.send(line));
            }
            Input::Disconnected { connection } => self.disconnected(connection),
            Input::Malformed { connection, call, why } => self.malformed(connection, call, &why),
            Input::Stop => self.is_stopping = true,
            Input::Progress { job, fraction, what } => self.progress(job, fraction, what),
            Input::Provisional { job, found } => self.provisional(job, found),
            Input::Planned { job, outcome } => self.planned(job, outcome),
            Input::Derived { job, outcome } => self.derived(job, outcome),
            Input::Measured { job, outcome } => self.measured(job, outcome),
            Input::Stored { commit, outcome } => self.stored(commit, outcome),
            Input::Conformed { job, source, outcome } => self.conformed(job, source, outcome),
            Input::Captured { job, outcome } => self.take_in(job, outcome),
            Input::Swept { files } => self.swept(files),
            Input::TakesSized { room, held } => self.make_room(room, &held),
            Input::Compared { job, outcome } => self.compared(job, outcome),
            Input::Matched { job, outcome } => self.matched(job, outcome),
            Input::Waveform { asker, outcome } => self.answer_waveform(asker, outcome),
            Input::Landed { job, outcome } => self.landed(job, outcome),
            Input::ProjectLookedAt { stamp, is_other } => self.project_looked_at(stamp, is_other),
            Input::RuleKept { outcome } => self.carry_out(outcome.err().map(Effect::error)),
            Input::Tick => {
                self.give_up_on_hanging();
                self.give_up_on_disk();
                self.settle_gestures(GainMoves::Over);
                self.settle_recordings(Settle::Over);
                self.catch_up();
                self.look_at_project();
                self.note_unfinished();
            }
        }
    }

    /// Takes the next input, waiting for it a moment at most.
    pub fn pump_next(&mut self) {
        // By the clock: constant reports must not keep it from ticking.
        if self.ticked.elapsed() >= TICK {
            self.ticked = Instant::now();
            self.pump(Input::Tick);
        }
        match self.inbox.1.recv_timeout(TICK) {
            Ok(input) => self.pump(input),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
    }

    /// Takes inputs until `call` is answered among `events`, which `hear` sees.
    pub fn pump_until_done(
        &mut self,
        call: CallId,
        events: impl Fn() -> Vec<Event>,
        hear: &mut dyn FnMut(&Event),
    ) -> ToolResult {
        loop {
            for event in events() {
                hear(&event);
                if let (Some(of), News::Done { result }) = (event.call, event.news)
                    && of == call
                {
                    return *result;
                }
            }
            self.pump_next();
        }
    }

    /// How many sources are still being conformed.
    #[must_use]
    pub fn conforming(&self) -> usize {
        self.jobs.conforming().count()
    }

    /// Waits until everything is stored and closes the session.
    ///
    /// # Errors
    /// When the last steps could not be stored.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.settle_gestures(GainMoves::All);
        self.settle_recordings(Settle::All);
        self.note_unfinished();
        self.unfinished.leave();
        self.jobs.stop_all();
        while !self.commits.is_durable() || self.landings.is_busy() {
            self.pump_to_close();
        }
        // A cancelled worker gets a moment to remove its unfinished file, or to end its program.
        let patience = Instant::now() + CLOSING;
        while self.jobs.has_loose_ends() && Instant::now() < patience {
            self.pump_to_close();
        }
        self.put_away()
    }

    /// Takes the next input. Recordings do not wait for others any more.
    fn pump_to_close(&mut self) {
        self.pump_next();
        self.settle_recordings(Settle::All);
    }

    /// Hands a submission on: one arm each.
    // tidy: table
    fn submitted(&mut self, connection: ConnectionId, submission: Submission) {
        let authority = self.authority_of(connection);
        let Submission { id: call, op } = submission;
        let asker = Asker { connection, call, author: authority.author() };
        if let Err(error) = self.admits(authority, &op) {
            return self.fail(asker, error);
        }
        // Commit the host's pending moves before the next step, because plans check against them.
        let is_apart = matches!(op, Op::HostGain { .. } | Op::HostTempo { .. } | Op::Clock { .. })
            || matches!(&op, Op::Read { what } if *what != Read::Snapshot);
        if !is_apart {
            self.settle_gestures(GainMoves::All);
        }
        if matches!(op, Op::Undo | Op::Redo | Op::GoTo { .. }) {
            self.settle_recordings(Settle::All);
        }
        // What was settled goes into the DAW's project first.
        if self.landings.is_busy() && !is_apart && !matches!(op, Op::Cancel { .. }) {
            let submission = Submission { id: call, op };
            return self.landings.keep_first(Input::Submitted { connection, submission });
        }
        match op {
            Op::Call { tool, params, apply } => self.call(asker, &tool, params, apply),
            Op::Decide { plan, decision } => self.decide(asker, plan, decision),
            Op::AddPlan { plan } => self.add_plan(asker, *plan),
            Op::Undo => self.undo_or_redo(asker, Direction::Back),
            Op::Redo => self.undo_or_redo(asker, Direction::Forth),
            Op::GoTo { revision } => self.go_to(asker, revision),
            Op::Cancel { call } => self.cancel(asker, call),
            Op::Read { what } => self.read(asker, &what),
            Op::Say { text, provider, attended } => {
                let (asked, listens) =
                    (News::TurnAsked { provider, attended }, self.connections.has_model());
                let effects = self.conversation.say(asker, &text, asked, listens);
                self.carry_out(effects);
            }
            Op::StopTurn => self.carry_out(self.conversation.stop_turn(asker)),
            Op::AnswerNotice { notice_id, answer } => self.answer_notice(asker, &notice_id, answer),
            Op::Speak { speech } => {
                let effects = self.conversation.speak(asker, speech);
                self.carry_out(effects);
            }
            Op::Player { ready } => self.set_player(asker, ready),
            Op::Join { instance } => self.join(asker, instance),
            Op::Leave { is_made } => self.leave(asker, is_made),
            Op::HostGain { gain, is_loaded } => self.host_gain(asker, gain, is_loaded),
            Op::HostName { name, color } => self.host_name(asker, name, color),
            Op::HostTempo { stretches } => self.host_tempo(asker, &stretches),
            Op::Clock { at, moves } => {
                self.note_instance(asker, |live| live.set_clock(Clock { at, moves }));
            }
            Op::Captured { file, at, kind, most_bytes } => {
                self.captured(asker, &file, at, kind, most_bytes);
            }
            Op::MakeRoom { most_bytes, held_bytes } => {
                self.asked_for_room(asker, most_bytes, held_bytes);
            }
            Op::Capturing { on, is_off } => {
                self.note_instance(asker, |live| live.set_captures(on, is_off));
            }
            Op::Switches { switches } => {
                self.note_instance(asker, |live| live.set_switches(switches));
            }
            Op::Trouble { message } => self.instance_trouble(asker, &message),
            Op::LocalOnly { on } => {
                let effects = self.permissions.set_local_only(asker, on);
                self.carry_out(effects);
            }
            Op::Asking { asking } => {
                let effects = self.permissions.set_asking(asker, asking);
                self.carry_out(effects);
            }
            Op::SetRule { tool, rule } => self.set_rule(asker, tool, rule),
            Op::Recorded { track, file, at, tracks } => {
                self.recorded(asker, &file, At { track, at, tracks });
            }
        }
    }

    fn malformed(&mut self, connection: ConnectionId, call: CallId, why: &str) {
        let author = self.authority_of(connection).author();
        let error = ToolError::prepare(
            Code::BadParams,
            format!("that is no submission: {why}"),
            "send one JSON object a line: {\"id\", \"op\"}",
        );
        self.fail(Asker { connection, call, author }, error);
    }

    /// Whether the hub is about to end.
    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping
    }

    /// Whether the connection may ask for this at all.
    fn admits(&self, authority: Authority, op: &Op) -> Result<(), ToolError> {
        if !authority.admits(op) {
            let message = "only a person can do that, and this connection is no person's";
            let fix = "ask the person to do it";
            return Err(ToolError::prepare(Code::Refused, message, fix));
        }
        match (&self.commits.read_only, op) {
            (
                Some(error),
                Op::Decide { .. } | Op::AddPlan { .. } | Op::Undo | Op::Redo | Op::GoTo { .. },
            ) => Err(storage(error)),
            _ => Ok(()),
        }
    }
}
