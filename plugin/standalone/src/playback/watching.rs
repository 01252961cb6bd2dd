//! The sound of the processor that a person looks at, measured while it plays.

use super::Playback;
use deskhand_compile::Player;
use deskhand_dsp::SampleRate;
use deskhand_dsp::effects::EffectMeter;
use deskhand_editor::{Live, Watched};
use deskhand_session::InsertId;

/// A processor with its meter.
pub(super) struct Watching {
    insert: InsertId,
    rate: SampleRate,
    meter: EffectMeter,
}

impl Playback {
    /// Measures `insert` from now on, and writes what was measured so far.
    pub(super) fn show_watched(
        &mut self,
        insert: Option<InsertId>,
        player: &mut Player,
        live: &mut Live,
    ) {
        let rate = player.rates().engine;
        let goes_on = |it: &Watching| Some(it.insert) == insert && it.rate == rate;
        if !self.watching.as_ref().is_some_and(goes_on) {
            let start = |insert| Watching { insert, rate, meter: EffectMeter::new(rate) };
            self.watching = insert.map(start);
        }
        // If the queue is full, the next frame of the window asks again.
        let is_asked = player.watch(insert).is_ok();
        let Some(Watching { insert, meter, .. }) = &mut self.watching else {
            live.watched = None;
            return;
        };
        meter.reduce(live.reductions.get(insert).copied().unwrap_or(0.0));
        if is_asked {
            player.watched(&mut |before, after| meter.push(before, after));
        }
        live.watched = Some(Watched { insert: *insert, reading: meter.reading().clone() });
    }
}
