//! Meter readings as people read them.
//!
//! Thread: message

use super::{ControlError, Controller};
use crate::insert_tap::Watch;
use crate::message::ToEngine;
use crate::meter::{Measured, MeterReading};
use crate::schedule::{InsertKey, StripKey};
use deskhand_dsp::Lufs;
use deskhand_dsp::loudness::LiveIntegrated;
use ringbuf::traits::{Consumer, Observer, Producer};

/// Loudness of what the master played since the last reset.
#[derive(Debug, Default)]
pub(super) struct Integrated {
    resets: u32,
    loudness: LiveIntegrated,
}

/// The processor whose sound is watched, and how often that changed.
#[derive(Debug, Default)]
pub(super) struct Watching {
    key: Option<InsertKey>,
    serial: u32,
}

impl Controller {
    /// Calls `show` with every meter reading since the last call, the oldest first: about thirty
    /// a second of every strip that is heard.
    pub fn meters(&mut self, show: &mut dyn FnMut(MeterReading)) {
        while let Some(tenth) = self.ends.loudness.try_pop() {
            if tenth.reset == self.integrated.resets {
                self.integrated.loudness.push(tenth.energy);
            }
        }
        if self.ends.meters.is_empty() {
            return;
        }
        let integrated = self.integrated.loudness.loudness().map_or(f32::NEG_INFINITY, decibels);
        while let Some(measured) = self.ends.meters.try_pop() {
            if let Some(strip) = self.binding.strips.key_at(measured.slot) {
                show(reading(strip, &measured, integrated));
            }
        }
    }

    /// Calls `show` with how much each insert took away at most, in dB, 0 or more, the oldest first:
    /// about thirty a second of every processor of a strip that is heard.
    pub fn reductions(&mut self, show: &mut dyn FnMut(InsertKey, f32)) {
        while let Some(reduction) = self.ends.reductions.try_pop() {
            show(reduction.key, reduction.decibels);
        }
    }

    /// Watches the sound before and after one processor from the next block on; `None` watches nothing.
    ///
    /// # Errors
    /// When the queue is full.
    pub fn watch(&mut self, key: Option<InsertKey>) -> Result<(), ControlError> {
        if self.watching.key == key {
            return Ok(());
        }
        let serial = self.watching.serial.wrapping_add(1);
        let sent = self.ends.engine.try_push(ToEngine::Watch(key.map(|key| Watch { key, serial })));
        sent.map_err(|_| ControlError::Busy)?;
        self.watching = Watching { key, serial };
        Ok(())
    }

    /// Calls `show` with every frame before and after the watched processor since the last call, left and
    /// right. Frames are lost if this is called less than every third of a second.
    pub fn watched(&mut self, show: &mut dyn FnMut([f32; 2], [f32; 2])) {
        let serial = self.watching.serial;
        for frame in self.ends.tapped.pop_iter().filter(|frame| frame.serial == serial) {
            show(frame.before, frame.after);
        }
    }

    /// Resets the integrated loudness of the master.
    ///
    /// # Errors
    /// When the queue is full.
    pub fn reset_meters(&mut self) -> Result<(), ControlError> {
        let resets = self.integrated.resets.wrapping_add(1);
        let sent = self.ends.engine.try_push(ToEngine::ResetLoudness(resets));
        sent.map_err(|_| ControlError::Busy)?;
        self.integrated = Integrated { resets, ..Integrated::default() };
        Ok(())
    }
}

fn reading(strip: StripKey, measured: &Measured, integrated: f32) -> MeterReading {
    let Measured { peak, mean_square, frames, true_peak, .. } = *measured;
    let is_master = strip == StripKey::MASTER;
    MeterReading {
        strip,
        peak,
        mean_square,
        frames,
        momentary: loudness(measured.momentary),
        short_term: loudness(measured.short_term),
        true_peak,
        integrated: if is_master { integrated } else { f32::NEG_INFINITY },
    }
}

fn loudness(energy: f32) -> f32 {
    Lufs::from_energy(f64::from(energy)).map_or(f32::NEG_INFINITY, decibels)
}

#[expect(clippy::cast_possible_truncation, reason = "a meter needs no double precision")]
fn decibels(Lufs(lufs): Lufs) -> f32 {
    lufs as f32
}
