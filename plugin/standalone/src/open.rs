//! An open session: the link to its hub, its waveforms, the output and its playback.
//!
//! Thread: window. Nothing here draws, so a test drives it like a window does.

mod leave;

use crate::desk::{Desk, HubGone};
use crate::peaks::Peaks;
use crate::playback::Playback;
use crate::recording::{self, Recording};
use crate::sound::{Choice, Library, Output, OutputNews, SoundError};
use crate::spectrogram;
use crossbeam_channel::{Receiver, Sender, bounded};
use deskhand_bounce::SessionAudio;
use deskhand_dsp::Frames;
use deskhand_dsp::effects::Effect;
use deskhand_editor::{
    Action, Contents, Files, InputChannels, Live, Loss, Lost, Model, Motion, SoundOutput,
};
use deskhand_protocol::desk::Play;
use deskhand_protocol::{Event, News, Op};
use deskhand_session::{
    InsertId, PlacedInsert, PlanId, PlanState, RevisionId, Session, Source, TrackId,
};
use leave::Takes;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The topic of messages about the window's sound.
const SOUND: &str = "sound";
const FILES: &str = "files";
const INPUT: &str = "input";
/// Under this name it says what a killed one had recorded.
const BACK: &str = "back";

/// A device that comes later than this is not the one that was chosen while it played.
const COMES: Duration = Duration::from_secs(10);

/// Called on other threads when there is something to look at.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

pub struct OpenSession {
    takes: Takes,
    library: Library,
    pub peaks: Peaks,
    files: Files,
    /// What windows show.
    contents: Contents,
    output: Option<Output>,
    choice: Choice,
    playback: Playback,
    /// Where the playhead was left and what repeated, until the session is there.
    left_at: Option<(Frames, Option<(Frames, Frames)>)>,
    /// The revision that the player plays.
    followed: Option<RevisionId>,
    /// The plan that is heard, and its ticks when it was compiled.
    ticks: Option<(PlanId, u64)>,
    /// A fader was heard on its way, and is not known to have arrived.
    previewed: bool,
    /// Another device was chosen while it played: it plays on if that comes by then.
    plays_on: Option<Instant>,
    /// Held as long as this has a device; `let_go` closes when it is dropped, and nothing is ever sent.
    holds: Sender<()>,
    let_go: Receiver<()>,
    /// The same of the session that was open before.
    before: Option<Receiver<()>>,
    wake: Wake,
}

impl OpenSession {
    /// Opens what belongs to the session of `desk`. Sound comes with the session, to the device of `choice`.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn new(desk: Desk, choice: Choice, wake: Wake) -> std::io::Result<Self> {
        let library = Library::new(desk.dir());
        let peaks = Peaks::new(desk.dir(), library.audio().clone(), waker(&wake))?;
        let pictures = spectrogram::of(library.audio().clone());
        let contents = Contents::new(desk.dir(), pictures, waker(&wake))?;
        let files = files(library.audio().clone(), &wake)?;
        let playback = Playback::new(library.clone(), waker(&wake));
        let mut recording = Recording::new(desk.dir(), Arc::clone(&wake));
        recording.take_up()?;
        let (output, followed, previewed) = (None, None, false);
        let (holds, let_go) = bounded(0);
        Ok(Self {
            takes: Takes { desk, recording },
            library,
            peaks,
            files,
            contents,
            output,
            choice,
            playback,
            left_at: None,
            followed,
            ticks: None,
            previewed,
            plays_on: None,
            holds,
            let_go,
            before: None,
            wake,
        })
    }

    /// The link to the hub.
    #[must_use]
    pub fn desk(&self) -> &Desk {
        &self.takes.desk
    }

    #[must_use]
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Which channels of the input the person chose for tracks earlier.
    pub fn remember_inputs(&mut self, inputs: BTreeMap<TrackId, InputChannels>) {
        self.takes.recording.remember(inputs);
    }

    /// The playhead's position and the loop to use once the session is there. A position after the end of
    /// the session becomes the end.
    pub fn begin_at(&mut self, at: Frames, cycle: Option<(Frames, Frames)>) {
        self.left_at = Some((at, cycle));
    }

    /// The session is there: it begins where it was left.
    fn begin(&mut self, model: &mut Model) {
        let Some((at, cycle)) = self.left_at else { return };
        let Some(end) = model.session().map(Session::end) else { return };
        self.left_at = None;
        // In an empty session every place is one to record at.
        model.live.position = if end == Frames::ZERO { at } else { at.min(end) };
        self.playback.begin_at(model.live.position, cycle.map(|(start, end)| start..end));
    }

    /// Plays to this output from now on.
    pub fn set_output(&mut self, output: Output) {
        self.output = Some(output);
    }

    /// The output, once the session is there.
    #[must_use]
    pub fn output(&self) -> Option<&Output> {
        self.output.as_ref()
    }

    /// A device that is not there is looked for at once.
    pub fn look_for_sound(&mut self) {
        if let Some(output) = &mut self.output {
            output.look_again();
        }
    }

    /// Opens another device. Playback continues there.
    pub fn choose(&mut self, choice: Choice) {
        let player = self.output.as_mut().and_then(Output::player);
        if player.is_some_and(|player| self.playback.moves(player)) {
            self.plays_on = Some(Instant::now() + COMES);
        }
        self.choice = choice.clone();
        if let Some(output) = &mut self.output {
            output.choose(choice);
        }
        self.went();
    }

    /// A hub replaced one that ended: the open calls to the old one are sent again.
    pub fn reconnect(&mut self, desk: Desk, model: &mut Model) {
        self.takes.desk = desk;
        self.followed = None;
        model.found().into_iter().for_each(|op| self.submit(model, op));
        self.takes
            .recording
            .take_unanswered()
            .into_iter()
            .for_each(|pass| self.takes.hand_in(pass));
        if self.output.as_ref().is_some_and(|output| output.running().is_some()) {
            self.submit(model, Op::Player { ready: true });
        }
    }

    /// Says something to the hub.
    pub fn submit(&self, model: &mut Model, op: Op) {
        let call = self.takes.desk.submit(op.clone());
        model.sent(call, &op);
    }

    /// Takes events of the hub and reports of the output.
    ///
    /// # Errors
    /// When the hub is gone. Sound goes on.
    pub fn hear(&mut self, model: &mut Model) -> Result<(), HubGone> {
        let ended = loop {
            match self.takes.desk.next() {
                Ok(Some(event)) => self.take(&event, model),
                Ok(None) => break Ok(()),
                Err(gone) => break Err(gone),
            }
        };
        self.begin(model);
        if let Some(session) = model.session() {
            self.peaks.follow(session);
        }
        if let (Some(head), Some(session)) = (model.head(), model.session()) {
            self.contents.follow(head, session);
            self.files.follow(head, session);
        }
        model.live.lost = self.files.lost();
        if model.resources.is_none() {
            model.resources = Some(Box::new(self.contents.clone()));
        }
        self.follow(model);
        self.look(model);
        self.stop_at_end(model);
        self.look_at_recording(model);
        ended
    }

    fn take(&mut self, event: &Event, model: &mut Model) {
        self.takes.heard(event);
        let wanted = model.hear(event);
        wanted.into_iter().for_each(|op| self.submit(model, op));
        match &event.news {
            News::Media { source, .. } => self.peaks.ask_again(*source),
            News::Play { play } => self.play(model, play),
            News::Window { .. } => self.contents.forget_files(),
            News::Moved { .. } => self.previewed = false,
            // What the fader ended in was refused: it goes back.
            News::Done { result } if self.previewed && result.error.is_some() => {
                (self.previewed, self.followed) = (false, None);
            }
            News::Decided { plan, state, .. } if *state != PlanState::Applying => {
                // The revision comes before the news that it was applied: first the state, then the plan's
                // end.
                self.follow(model);
                let Some(player) = self.output.as_mut().and_then(Output::player) else { return };
                told(model, self.playback.decided(player, *plan));
            }
            _ => {}
        }
    }

    /// Brings the player to the session that is shown.
    fn follow(&mut self, model: &mut Model) {
        let (head, Some(session)) = (model.head(), model.session()) else { return };
        if self.output.is_none() {
            if self.is_device_held() {
                return;
            }
            let (library, choice) = (self.library.clone(), self.choice.clone());
            let output = Output::new(library, session.rate, choice, waker(&self.wake));
            self.output = Some(output);
        }
        let Some(player) = self.output.as_mut().and_then(Output::player) else { return };
        if self.followed != head {
            let followed = self.playback.follow(player, session);
            self.followed = head;
            told(model, followed);
        }
    }

    /// Handles the reports of the output, and lets the player do its work.
    fn look(&mut self, model: &mut Model) {
        let news = self.output.as_mut().map(Output::look).unwrap_or_default();
        for one in news {
            match one {
                OutputNews::Came => self.came(model),
                OutputNews::Went => {
                    self.went();
                    self.submit(model, Op::Player { ready: false });
                }
            }
        }
        if let Some(player) = self.output.as_mut().and_then(Output::player) {
            let heard = self.playback.hearing();
            let ticks = heard.and_then(|(plan, _)| Some((plan, model.ticks_of(plan)?)));
            let changed = ticks.filter(|now| {
                self.ticks.is_some_and(|before| before.0 == now.0 && before.1 != now.1)
            });
            self.ticks = ticks;
            let part = changed.and_then(|(plan, _)| model.plan_as_ticked(plan));
            if let (Some(part), Some(session)) = (part, model.session()) {
                let changed = self.playback.change(player, session, part);
                told(model, changed);
            }
            let looked = self.playback.look(player);
            for fault in player.faults() {
                model.tell(FILES, fault.to_string());
            }
            if looked.is_err() {
                told(model, looked);
            }
        }
    }

    /// Playback ends where the session ends, and returns to its start. Recording continues.
    fn stop_at_end(&mut self, model: &mut Model) {
        if self.takes.recording.is_on() {
            return;
        }
        let player = self.output.as_mut().and_then(Output::player);
        let (Some(player), Some(session)) = (player, model.session()) else { return };
        if let Err(error) = self.playback.stop_at_end(player, session) {
            model.tell(SOUND, error.to_string());
        }
    }

    fn came(&mut self, model: &mut Model) {
        let (head, Some(session)) = (model.head(), model.session()) else { return };
        let Some(player) = self.output.as_mut().and_then(Output::player) else { return };
        let came = self.playback.came(player, session);
        self.followed = head;
        told(model, came);
        self.submit(model, Op::Player { ready: true });
        if self.plays_on.take().is_some_and(|until| Instant::now() < until) {
            self.play(model, &Play::Start);
        }
    }

    fn went(&mut self) {
        self.takes.recording.disarm_all();
        self.followed = None;
        self.playback.went();
    }

    /// Does what the person asked for, and returns the actions of the window.
    pub fn act(&mut self, model: &mut Model, action: Action) -> Option<Action> {
        match action {
            Action::Play(play) => self.play(model, &play),
            Action::Audition(stretch) => {
                let player = self.output.as_mut().and_then(Output::player);
                if let (Some(player), Some(session)) = (player, model.session()) {
                    let heard = self.playback.audition(player, session, stretch);
                    told(model, heard);
                }
            }
            Action::Preview { track, gain, pan } => {
                if let Some(player) = self.output.as_mut().and_then(Output::player) {
                    told(model, player.preview(track, gain, pan));
                    self.previewed = true;
                }
            }
            Action::PreviewInsert { insert, effect } => self.preview_insert(model, insert, effect),
            Action::Arm(track) => {
                self.at_input(model, |recording, desk| recording.arm(track, desk));
            }
            Action::Disarm(track) => {
                self.at_input(model, |recording, desk| recording.disarm(track, desk));
            }
            Action::TakeInput { track, channels } => {
                self.at_input(model, |recording, desk| recording.take(track, channels, desk));
            }
            Action::Record(is_on) => self.record(model, is_on),
            Action::ResetMeters => {
                if let Some(player) = self.output.as_mut().and_then(Output::player) {
                    told(model, player.reset_meters());
                }
            }
            other => match model.op(other.clone()) {
                Some(op) => self.submit(model, op),
                None => return Some(other),
            },
        }
        None
    }

    /// Plays a processor with settings that are not set yet.
    fn preview_insert(&mut self, model: &mut Model, insert: InsertId, effect: Effect) {
        let Some(player) = self.output.as_mut().and_then(Output::player) else { return };
        let known = model.session().and_then(|session| session.inserts.get(&insert));
        let Some(placed) = known.map(|known| PlacedInsert { effect, ..known.clone() }) else {
            return;
        };
        told(model, player.preview_insert(insert, &placed));
        self.previewed = true;
    }

    /// Does something with what the input is recorded to. Without a device nothing is armed.
    fn at_input(
        &mut self,
        model: &mut Model,
        what: impl FnOnce(&mut Recording, recording::Desk<'_>) -> Result<(), SoundError>,
    ) {
        let running = self.output.as_ref().and_then(Output::running);
        let (Some(running), Some(session)) = (running, model.session()) else { return };
        let desk = recording::Desk { choice: &self.choice, running, session: session.rate };
        if let Err(error) = what(&mut self.takes.recording, desk) {
            model.tell(INPUT, error.to_string());
        }
    }

    /// Starts a recording at the player's position, or ends it. After the recording the player plays on to
    /// the end of the session.
    fn record(&mut self, model: &mut Model, is_on: bool) {
        self.takes.recording.record(is_on);
        let stands = model.live.motion == Motion::Stopped;
        if self.takes.recording.is_on() && stands {
            self.play(model, &Play::Start);
        }
    }

    /// Takes the news of recording; stopping the player stops recording.
    fn look_at_recording(&mut self, model: &mut Model) {
        let recorded = self.takes.recording.look(model.session());
        match recorded.said {
            Some(why) if why.is_empty() => model.untell(INPUT),
            Some(why) => model.tell(INPUT, why),
            None => {}
        }
        if let Some(words) = recorded.informs {
            model.inform(BACK, words);
        }
        recorded.passes.into_iter().for_each(|pass| self.takes.hand_in(pass));
    }

    fn play(&mut self, model: &mut Model, play: &Play) {
        if *play == Play::Stop {
            self.takes.recording.record(false);
            self.plays_on = None;
        }
        let Some(output) = &mut self.output else { return };
        let Some(player) = output.player() else {
            output.look_again();
            return;
        };
        let Some(session) = model.session() else { return };
        let plan = |id, which| model.plan_to_hear(id, which);
        let records = self.takes.recording.is_on();
        let done = self.playback.play(player, session, play, records, plan);
        told(model, done);
    }

    /// Writes what moves.
    pub fn show(&mut self, model: &mut Model) {
        let Some(output) = &mut self.output else { return };
        let watched = model.watched_insert();
        let live = &mut model.live;
        live.output = sound_output(output);
        match output.player() {
            Some(player) => self.playback.show(player, watched, live),
            None => {
                let position = live.position;
                let (output, lost) = (std::mem::take(&mut live.output), Arc::clone(&live.lost));
                *live = Live { position, output, lost, ..Live::default() };
                self.playback.show_rest(live);
            }
        }
        self.takes.recording.show(live);
    }
}

fn files(audio: SessionAudio, wake: &Wake) -> std::io::Result<Files> {
    let check = move |source: &Source| {
        let why = audio.check(source).err()?.to_string();
        let is_there = Path::new(&source.path).is_file();
        let loss = if is_there { Loss::Changed } else { Loss::Gone };
        Some(Lost { loss, why })
    };
    Files::new(check, waker(wake))
}

fn waker(wake: &Wake) -> impl Fn() + Send + Clone + 'static {
    let wake = Arc::clone(wake);
    move || wake()
}

fn sound_output(output: &Output) -> SoundOutput {
    match (output.running(), output.silence()) {
        (Some(running), _) => SoundOutput::Device { name: running.name.clone() },
        (None, why) => SoundOutput::None { why: why.unwrap_or_default().to_owned() },
    }
}

/// Shows an error, or removes the previous one.
fn told<E: std::error::Error>(model: &mut Model, done: Result<(), E>) {
    match done {
        Ok(()) => model.untell(SOUND),
        Err(error) => model.tell(SOUND, error.to_string()),
    }
}
