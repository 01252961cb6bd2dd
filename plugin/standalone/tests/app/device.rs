//! A device whose callback and disk thread are function calls: nothing depends on time.

use crate::user_session::{RATE, Seat, tone};
use deskhand_engine::clicks::click_score;
use deskhand_engine::{Disk, Worked};
use deskhand_standalone::sound::{Output, Pull, Running, make};

pub(crate) struct Device {
    pull: Pull,
    disk: Disk,
    heard: Vec<f32>,
}

impl Device {
    /// Gives `seat` an output that plays here.
    pub(crate) fn plug_into(seat: &mut Seat) -> Self {
        let library = seat.open.library().clone();
        let (player, pull, disk) = make(RATE, &library).unwrap();
        let running = Running::elsewhere("by hand", player);
        seat.open.set_output(Output::over(library, RATE, running));
        Self { pull, disk, heard: Vec::new() }
    }

    /// Plays `frames` frames; what the callback allocates is counted by the test's allocator.
    pub(crate) fn run(&mut self, frames: usize) {
        let mut block = [0f32; 2 * 1024];
        for _ in 0..frames.div_ceil(1024) {
            while self.disk.step() == Worked::Yes {}
            assert_no_alloc::assert_no_alloc(|| self.pull.fill(&mut block, 2));
            self.heard.extend(block.iter().step_by(2));
        }
    }

    /// The peak of the last 10 ms, as a factor of the tone.
    pub(crate) fn level(&self) -> f32 {
        let last = &self.heard[self.heard.len() - 480..];
        last.iter().fold(0f32, |peak, it| peak.max(it.abs())) / 0.25
    }

    /// No click so far.
    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        let score = click_score(&self.heard, &tone(4800));
        assert!(score < 1.1, "a click of {score}");
    }
}
