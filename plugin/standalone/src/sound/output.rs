//! Where the sound goes: a device that plays, one that is being opened, or none, and why.

use super::device::{Choice, SoundError};
use super::keeper::{Keeper, Order, Report, Running};
use super::library::Library;
use deskhand_compile::Player;
use deskhand_dsp::SampleRate;
use std::time::{Duration, Instant};

/// How long to wait before a device that is not there is looked for again.
const AGAIN: Duration = Duration::from_secs(3);

/// The output of a window.
pub struct Output {
    keeper: Option<Keeper>,
    library: Library,
    rate: SampleRate,
    choice: Choice,
    state: State,
    /// What was said when a device went away, until one plays again.
    missed: Option<String>,
    /// What was not told yet.
    news: Vec<OutputNews>,
    /// Counts openings: reports on an earlier one are passed over.
    number: u64,
}

enum State {
    Off {
        why: String,
        /// When to look for the device that went away.
        again: Option<Instant>,
    },
    Opening,
    On(Box<Running>),
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputNews {
    /// There is a player, at the start of nothing.
    Came,
    /// The player is gone.
    Went,
}

impl Output {
    /// Opens the device of `choice` for a session at `rate`. `wake` is called, on another thread, when there
    /// is something for [`Self::look`].
    pub fn new(
        library: Library,
        rate: SampleRate,
        choice: Choice,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> Self {
        let (keeper, state) = match Keeper::new(wake) {
            Ok(keeper) => (Some(keeper), State::Opening),
            Err(error) => (None, off(&error)),
        };
        let mut output = Self {
            keeper,
            library,
            rate,
            choice,
            state,
            missed: None,
            news: Vec::new(),
            number: 0,
        };
        output.open();
        output
    }

    /// An output that is there already.
    #[must_use]
    pub fn over(library: Library, rate: SampleRate, running: Running) -> Self {
        let (choice, state) = (Choice::default(), State::On(Box::new(running)));
        let news = vec![OutputNews::Came];
        Self { keeper: None, library, rate, choice, state, missed: None, news, number: 0 }
    }

    /// Opens another device, or the same in another way.
    pub fn choose(&mut self, choice: Choice) {
        self.choice = choice;
        self.open();
    }

    /// Opens the device (again). What plays ends.
    pub fn open(&mut self) {
        let Some(keeper) = &self.keeper else { return };
        self.number += 1;
        self.state = State::Opening;
        keeper.order(Order {
            number: self.number,
            choice: self.choice.clone(),
            rate: self.rate,
            library: self.library.clone(),
        });
    }

    /// Takes what the device's thread reports.
    pub fn look(&mut self) -> Vec<OutputNews> {
        let mut news = std::mem::take(&mut self.news);
        while let Some((number, report)) = self.keeper.as_ref().and_then(Keeper::report) {
            if number == self.number {
                news.extend(self.take(report));
            }
        }
        if let State::Off { again: Some(at), .. } = &self.state
            && Instant::now() >= *at
        {
            self.open();
        }
        news
    }

    fn take(&mut self, report: Report) -> Option<OutputNews> {
        match (report, &self.state) {
            (Report::Opened(running), State::Opening) => {
                self.missed = None;
                self.state = State::On(running);
                Some(OutputNews::Came)
            }
            // It was lost before it was reported.
            (Report::Opened(_), State::Off { .. } | State::On(_)) => None,
            (Report::Failed(error), _) => {
                self.state = match &self.missed {
                    Some(why) => waiting(why),
                    None => off(&error),
                };
                None
            }
            (Report::Lost(_), State::Off { .. }) => None,
            (Report::Lost(why), State::Opening) => {
                self.lose("the sound device", &why);
                None
            }
            (Report::Lost(why), State::On(running)) => {
                let name = running.name.clone();
                self.lose(&name, &why);
                Some(OutputNews::Went)
            }
        }
    }

    fn lose(&mut self, name: &str, why: &str) {
        let why = format!("{name} went away ({why}); it is taken up again when it is back");
        self.state = waiting(&why);
        self.missed = Some(why);
    }

    /// The player, while a device plays.
    pub fn player(&mut self) -> Option<&mut Player> {
        match &mut self.state {
            State::On(running) => Some(&mut running.player),
            State::Off { .. } | State::Opening => None,
        }
    }

    /// The device that plays.
    #[must_use]
    pub fn running(&self) -> Option<&Running> {
        match &self.state {
            State::On(running) => Some(running),
            State::Off { .. } | State::Opening => None,
        }
    }

    /// Why nothing plays; none while a device does.
    #[must_use]
    pub fn silence(&self) -> Option<&str> {
        match &self.state {
            State::Off { why, .. } => Some(why),
            State::Opening => Some("the sound device is being opened"),
            State::On(_) => None,
        }
    }

    /// What was chosen.
    #[must_use]
    pub fn choice(&self) -> &Choice {
        &self.choice
    }
}

fn waiting(why: &str) -> State {
    State::Off { why: why.to_owned(), again: Some(Instant::now() + AGAIN) }
}

fn off(error: &SoundError) -> State {
    // Where there is none at all, the first that is connected will do.
    let again = (*error == SoundError::NoDevice).then(|| Instant::now() + AGAIN);
    State::Off { why: error.to_string(), again }
}
