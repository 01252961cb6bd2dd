//! Tests of controller, processor and disk together, stepped by hand: nothing depends on time.
//!
//! Thread: any

mod editing;
mod edits;
mod following;
mod hearing;
mod inserts;
mod meters;
mod sound;

use crate::fixture::{RATE, sines};
use crate::{Controller, Delivery, Disk, EngineConfig, Processor, Schedule, Worked, engine};

/// An engine whose disk thread is a function call.
struct Rig {
    controller: Controller,
    processor: Processor,
    disk: Disk,
    /// The output so far.
    left: Vec<f32>,
    right: Vec<f32>,
}

impl Rig {
    fn new() -> Self {
        let (controller, processor, disk) = engine(EngineConfig::at(RATE), sines).unwrap();
        Self { controller, processor, disk, left: Vec::new(), right: Vec::new() }
    }

    /// An engine that plays `schedule` from its start.
    fn playing(schedule: Schedule) -> Self {
        let mut rig = Self::new();
        assert_eq!(rig.controller.apply(schedule), Ok(Delivery::Sent));
        rig.controller.play().unwrap();
        rig
    }

    fn read_ahead(&mut self) {
        while self.disk.step() == Worked::Yes {}
    }

    /// Plays one block without the disk thread's help.
    fn block(&mut self, frames: usize) {
        let start = self.left.len();
        self.left.resize(start + frames, f32::NAN);
        self.right.resize(start + frames, f32::NAN);
        self.processor.process([&mut self.left[start..], &mut self.right[start..]]);
        self.controller.pump();
    }

    /// Plays `frames` frames in blocks of `block`. The disk reads before each.
    fn run(&mut self, frames: usize, block: usize) {
        let mut rest = frames;
        while rest > 0 {
            self.read_ahead();
            self.block(block.min(rest));
            rest -= block.min(rest);
        }
    }

    /// Clears the output.
    fn forget(&mut self) {
        self.left.clear();
        self.right.clear();
    }

    fn apply(&mut self, schedule: Schedule) {
        self.controller.apply(schedule).unwrap();
    }
}
