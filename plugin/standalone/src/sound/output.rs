//! The sound output: a device that plays, one that is being opened, or none, and why.

use super::device::{Choice, SoundError};
use super::device_thread::{Keeper, Order, Report, Running};
use super::library::Library;
use super::watch::{Unwatched, Watch};
use deskhand_compile::Player;
use deskhand_dsp::SampleRate;
use std::time::{Duration, Instant};

/// How long to wait before a device that is not there is looked for again: at first, and at most. Some systems
/// write to the terminal each time they are asked.
const AGAIN: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(60)];

/// The output of a window.
pub struct Output {
    keeper: Option<Keeper>,
    library: Library,
    rate: SampleRate,
    choice: Choice,
    state: State,
    /// The message about a lost device, until one plays again.
    missed: Option<String>,
    /// How long to wait the next time.
    pause: Duration,
    /// News that was not reported yet.
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
        Self::watched(library, rate, choice, wake, || Unwatched)
    }

    /// As [`Self::new`], with a `watch` around the callback of each device that is opened.
    pub fn watched<W: Watch>(
        library: Library,
        rate: SampleRate,
        choice: Choice,
        wake: impl Fn() + Send + Clone + 'static,
        watch: impl Fn() -> W + Send + 'static,
    ) -> Self {
        let (keeper, state) = match Keeper::new(wake, watch) {
            Ok(keeper) => (Some(keeper), State::Opening),
            Err(error) => (None, State::Off { why: error.to_string(), again: None }),
        };
        let mut output = Self {
            keeper,
            library,
            rate,
            choice,
            state,
            missed: None,
            pause: AGAIN[0],
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
        let (keeper, missed, pause) = (None, None, AGAIN[0]);
        Self { keeper, library, rate, choice, state, missed, pause, news, number: 0 }
    }

    /// Opens another device, or the same in another way.
    pub fn choose(&mut self, choice: Choice) {
        self.choice = choice;
        (self.missed, self.pause) = (None, AGAIN[0]);
        self.open();
    }

    /// Somebody wants sound: a device that is not there is looked for at once.
    pub fn look_again(&mut self) {
        if matches!(self.state, State::Off { .. }) {
            self.pause = AGAIN[0];
            self.open();
        }
    }

    /// When a device that is not there is looked for again.
    #[must_use]
    pub fn due(&self) -> Option<Instant> {
        match self.state {
            State::Off { again, .. } => again,
            State::Opening | State::On(_) => None,
        }
    }

    /// Opens the device (again). Playback ends.
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

    /// Handles the reports of the device's thread.
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
                (self.missed, self.pause) = (None, AGAIN[0]);
                self.state = State::On(running);
                Some(OutputNews::Came)
            }
            // It was lost before it was reported.
            (Report::Opened(_), State::Off { .. } | State::On(_)) => None,
            (Report::Failed(error), _) => {
                self.fail(&error);
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
        self.missed = Some(why.clone());
        self.wait(why);
    }

    fn fail(&mut self, error: &SoundError) {
        match self.missed.clone() {
            Some(why) => self.wait(why),
            // If there is no device at all, the first one that is connected will do.
            None if *error == SoundError::NoDevice => self.wait(error.to_string()),
            None => self.state = State::Off { why: error.to_string(), again: None },
        }
    }

    /// Silent until the next attempt; each attempt comes later than the one before.
    fn wait(&mut self, why: String) {
        self.state = State::Off { why, again: Some(Instant::now() + self.pause) };
        self.pause = (self.pause * 2).min(AGAIN[1]);
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

    /// Why nothing plays; `None` while a device does.
    #[must_use]
    pub fn silence(&self) -> Option<&str> {
        match &self.state {
            State::Off { why, .. } => Some(why),
            State::Opening => Some("the sound device is being opened"),
            State::On(_) => None,
        }
    }

    #[must_use]
    pub fn choice(&self) -> &Choice {
        &self.choice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn silent() -> Output {
        let (library, choice) = (Library::new("nowhere"), Choice::default());
        let state = State::Off { why: String::new(), again: None };
        let (keeper, missed, pause, news) = (None, None, AGAIN[0], Vec::new());
        let rate = SampleRate(48_000);
        Output { keeper, library, rate, choice, state, missed, pause, news, number: 0 }
    }

    #[test]
    fn a_device_that_stays_away_is_looked_for_ever_more_seldom() {
        let mut output = silent();
        output.lose("Speakers", "unplugged");
        let pauses: Vec<u64> = (0..6)
            .map(|_| {
                output.fail(&SoundError::NoDevice);
                output.pause.as_secs()
            })
            .collect();
        assert_eq!(pauses, [12, 24, 48, 60, 60, 60]);
        assert!(output.due().is_some());
        assert!(output.silence().unwrap().starts_with("Speakers went away (unplugged)"));
        output.look_again();
        assert_eq!(output.pause, AGAIN[0]);
    }

    #[test]
    fn a_device_that_refuses_is_not_asked_again_by_itself() {
        let mut output = silent();
        output.fail(&SoundError::Absent { device: "Speakers".into() });
        assert_eq!(output.due(), None);
    }
}
