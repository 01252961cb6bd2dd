//! Edits of a tone and hearing plans of it never click, whenever the disk thread comes to read.
//!
//! Thread: any

use super::Rig;
use super::sound::PROBE;
use crate::Side;
use crate::fixture::{schedule, sine, strip, voice};
use crate::schedule::{Audible, Level, Schedule, SourceKey, Strip, Voice, VoiceKey};
use deskhand_dsp::{Decibels, Frames};
use proptest::prelude::*;

/// Turns of the tone: clips move and are cut by whole ones.
const TURN: i64 = 16;
const END: i64 = 480_000;

/// One thing a person may do.
#[derive(Clone, Debug)]
enum Deed {
    Gain(f64),
    Pan(f64),
    Mute(bool),
    NewTrack,
    Move(i64),
    Cut(i64),
    Uncut,
    Hear(f64),
    Listen(bool, f64),
    Close,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        (-24f64..0.0).prop_map(Deed::Gain),
        (0f64..1.0).prop_map(Deed::Pan),
        any::<bool>().prop_map(Deed::Mute),
        Just(Deed::NewTrack),
        (0i64..28).prop_map(|turns| Deed::Move(turns * 10 * TURN)),
        (0i64..2_000).prop_map(|turns| Deed::Cut(turns * TURN)),
        Just(Deed::Uncut),
        (-10f64..10.0).prop_map(Deed::Hear),
        (any::<bool>(), -10f64..10.0).prop_map(|(other, gain)| Deed::Listen(other, gain)),
        Just(Deed::Close),
    ]
}

struct Desk {
    level: Level,
    /// The start of the first clip, and the source position of the next ones.
    start: i64,
    cuts: Vec<i64>,
    tracks: u64,
    is_open: bool,
}

impl Desk {
    fn schedule(&self, more: f64) -> Schedule {
        let mut edges = self.cuts.clone();
        edges.sort_unstable();
        edges.dedup();
        edges.insert(0, 0);
        edges.push(END);
        let clips = edges.windows(2).enumerate().map(|(n, edge)| Voice {
            key: VoiceKey(if n == 0 { 0 } else { edge[0] as u64 }),
            source: SourceKey(PROBE),
            source_start: Frames(edge[0]),
            ..voice(PROBE, self.start + edge[0], edge[1] - edge[0])
        });
        let mut tone = strip(1, clips.collect());
        tone.level = Level { gain: Decibels(self.level.gain.0 + more), ..self.level };
        let others = (0..self.tracks).map(|n| strip(n + 2, Vec::new()));
        schedule(std::iter::once(tone).chain(others).collect::<Vec<Strip>>())
    }

    fn make(&mut self, deed: &Deed, rig: &mut Rig) {
        match *deed {
            Deed::Gain(gain) => self.level.gain = Decibels(gain),
            Deed::Pan(pan) => self.level.pan = pan,
            Deed::Mute(mute) => {
                self.level.audible = if mute { Audible::No } else { Audible::Yes };
            }
            Deed::NewTrack => self.tracks += 1,
            Deed::Move(at) => self.start = at,
            Deed::Cut(at) => self.cuts.push(at + 28 * 10 * TURN),
            Deed::Uncut => drop(self.cuts.pop()),
            Deed::Hear(more) => {
                self.is_open = true;
                rig.controller.audition(Some(self.schedule(more))).unwrap();
                rig.controller.listen(Side::Other { gain: Decibels::UNITY }, None).unwrap();
            }
            Deed::Listen(other, gain) if self.is_open => {
                let other = other.then_some(Side::Other { gain: Decibels(gain) });
                rig.controller.listen(other.unwrap_or(Side::Current), None).unwrap();
            }
            Deed::Listen(..) => {}
            Deed::Close => {
                self.is_open = false;
                rig.controller.audition(None).unwrap();
            }
        }
        rig.apply(self.schedule(0.0));
    }
}

/// How sharply the sound bends at a sample.
fn bend(heard: &[f32], at: usize) -> f32 {
    let [a, b, c] = [heard[at - 1], heard[at], heard[at + 1]];
    (a - 2.0 * b + c).abs()
}

/// The first sample that bends more than the turns of the tone around it do, whatever its level is there.
fn click(heard: &[f32]) -> Option<usize> {
    const AROUND: usize = 33;
    (1_000..heard.len() - AROUND - 3).find(|at| {
        let around = (at - AROUND..*at).chain(at + 3..at + AROUND);
        let near = around.map(|at| bend(heard, at)).fold(0.0, f32::max);
        bend(heard, *at) >= near * 1.15 + 2e-3
    })
}

#[test]
fn a_step_at_any_phase_is_a_click_and_a_ramp_is_none() {
    let tone: Vec<f32> = (0..4_800).map(|n| sine(SourceKey(PROBE), n)).collect();
    for at in 2_000..2_016 {
        let mut step = tone.clone();
        step[at..].iter_mut().for_each(|sample| *sample *= 0.35);
        let found = click(&step).unwrap();
        assert!(found.abs_diff(at) <= 1, "a step at {at} was found at {found}");
    }
    let ramp = (0..4_800).map(|n| tone[n] * (1.0 - (n as f32 - 2_000.0).clamp(0.0, 480.0) / 480.0));
    assert_eq!(click(&ramp.collect::<Vec<_>>()), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn who_edits_one_tone_and_hears_plans_of_it_hears_no_click(
        deeds in prop::collection::vec((deed(), 0usize..8, prop::bool::weighted(0.7)), 1..60),
    ) {
        let mut desk =
            Desk { level: Level::UNITY, start: 0, cuts: Vec::new(), tracks: 0, is_open: false };
        let mut rig = Rig::playing(desk.schedule(0.0));
        rig.run(4_800, 512);
        for (deed, blocks, reads) in &deeds {
            desk.make(deed, &mut rig);
            for _ in 0..*blocks {
                if *reads {
                    rig.read_ahead();
                } else {
                    rig.disk.step();
                }
                rig.block(256);
            }
        }
        rig.run(4_800, 512);
        prop_assert_eq!(rig.controller.trouble().missing_frames, 0);
        prop_assert_eq!(click(&rig.left), None);
    }
}
