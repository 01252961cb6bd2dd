//! Messages: what is sent comes home, a message without room is sent again, and any edit may come any time.
//!
//! Thread: any

use super::Rig;
use crate::fixture::{Counted, RATE, Sine, schedule, sines, strip, voice};
use crate::schedule::{Audible, Level, Output, Schedule, StripKey};
use crate::{ControlError, Delivery, EngineConfig, Motion, engine};
use deskhand_dsp::{Decibels, FrameReader, Frames, SampleRate};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

#[test]
fn everything_but_the_current_program_comes_home() {
    let mut rig = Rig::playing(schedule(vec![strip(1, vec![voice(1, 0, 48_000)])]));
    for n in 0..40 {
        rig.apply(schedule(vec![strip(1, vec![voice(n, 0, 48_000)])]));
        rig.run(700, 64);
    }
    rig.run(2000, 64);
    assert_eq!(rig.controller.away(), 1);
    assert_eq!(rig.controller.trouble(), crate::Trouble::default());
}

#[test]
fn a_full_queue_keeps_the_old_program_and_sends_the_newest_when_there_is_room() {
    let mut rig = Rig::playing(schedule(vec![strip(1, vec![voice(1, 0, 48_000)])]));
    rig.run(1000, 64);
    let mut deliveries = Vec::new();
    for n in 2..22 {
        let next = schedule(vec![strip(1, vec![voice(n, 0, 48_000)])]);
        deliveries.push(rig.controller.apply(next).unwrap());
    }
    assert_eq!(deliveries.iter().filter(|one| **one == Delivery::Waiting).count(), 5);
    // A fader move while a swap waits travels with it.
    let low = Level { gain: Decibels(-6.0), ..Level::UNITY };
    assert_eq!(rig.controller.set_level(StripKey(1), low), Ok(Delivery::Waiting));
    rig.run(8000, 64);
    assert_eq!((rig.controller.away(), rig.controller.pump()), (1, Delivery::Sent));
    rig.forget();
    rig.run(2000, 64);
    let peak = rig.left.iter().fold(0f32, |peak, sample| peak.max(sample.abs()));
    assert!((peak - 0.25 * low.amplitudes()[0]).abs() < 1e-3, "{peak}");
}

#[test]
fn a_dead_audio_thread_is_told() {
    let mut rig = Rig::new();
    let told = (0..2000).find_map(|_| rig.controller.play().err());
    assert_eq!(told, Some(ControlError::Busy));
    assert_eq!(
        ControlError::Busy.to_string(),
        "the audio thread does not take messages; check that the device runs, and try again"
    );
}

#[test]
fn wrong_places_rates_and_loops_are_refused() {
    let mut rig = Rig::new();
    let other = Schedule::empty(SampleRate(44_100)).unwrap();
    assert!(matches!(rig.controller.apply(other), Err(ControlError::Rate { .. })));
    let place = Frames(-1);
    assert_eq!(rig.controller.seek(place), Err(ControlError::Position(place)));
    let range = Frames(10)..Frames(20);
    let error = rig.controller.set_loop(Some(range)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a loop from 10 to 20 cannot be played; use at least 2400 frames"
    );
    let lost = rig.controller.set_level(StripKey(5), Level::UNITY);
    assert!(matches!(lost, Err(ControlError::Level(_))));
}

#[test]
fn thousands_of_clips_hold_only_a_few_streams() {
    static OPEN: AtomicIsize = AtomicIsize::new(0);
    let clips = (0..5000).map(|n| voice(n, 400 * n.cast_signed(), 500)).collect();
    let open = |key| Ok(Box::new(Counted::new(Sine(key), &OPEN)) as Box<dyn FrameReader>);
    let (controller, processor, disk) = engine(EngineConfig::at(RATE), open).unwrap();
    let mut rig = Rig { controller, processor, disk, left: Vec::new(), right: Vec::new() };
    rig.apply(schedule(vec![strip(1, clips)]));
    rig.controller.play().unwrap();
    for _ in 0..50 {
        rig.run(4800, 480);
        let open = OPEN.load(Ordering::Relaxed);
        assert!((100..200).contains(&open), "{open} readers for a second of clips of 400 frames");
    }
    assert_eq!(rig.controller.trouble(), crate::Trouble::default());
    rig.controller.stop().unwrap();
    rig.apply(schedule(Vec::new()));
    rig.run(2000, 480);
    assert_eq!(OPEN.load(Ordering::Relaxed), 0);
}

#[test]
fn a_disk_thread_reads_by_itself_and_ends() {
    let Rig { mut controller, mut processor, disk, .. } =
        Rig::playing(schedule(vec![strip(1, vec![voice(1, 0, 48_000)])]));
    let thread = disk.spawn().unwrap();
    // Blocks of no frames take messages but no time, so the start waits as long as it must.
    let started = (0..50_000_000).any(|_| {
        processor.process([&mut [], &mut []]);
        std::thread::yield_now();
        controller.position().motion == Motion::Playing
    });
    assert!(started, "the disk thread never read");
    let (mut left, mut right) = ([0f32; 2000], [0f32; 2000]);
    processor.process([&mut left, &mut right]);
    assert!(left.iter().any(|sample| *sample > 0.2));
    assert_eq!(controller.pump(), Delivery::Sent);
    drop(thread);
}

/// Compiles only for types that are not `Sync`: for those that are, two impls would fit.
trait NotSync<A> {
    fn check() {}
}
struct IsSync;
impl<T: ?Sized> NotSync<()> for T {}
impl<T: ?Sized + Sync> NotSync<IsSync> for T {}

#[test]
fn each_side_may_move_to_its_thread_and_is_used_by_one_only() {
    fn is_send<T: Send>() {}
    is_send::<crate::Controller>();
    is_send::<crate::Processor>();
    is_send::<crate::Disk>();
    <crate::Controller as NotSync<_>>::check();
    <crate::Processor as NotSync<_>>::check();
    <crate::Disk as NotSync<_>>::check();
}

/// One thing a person may do.
#[derive(Clone, Debug)]
enum Edit {
    Clips(Vec<(u64, i64, i64)>),
    Level(u64, f64, f64, bool),
    Bus(bool),
    Play,
    Stop,
    Seek(i64),
    Loop(Option<i64>),
    DiskStalls,
}

fn edit() -> impl Strategy<Value = Edit> {
    let clip = (0u64..6, 0i64..20_000, 1i64..20_000);
    prop_oneof![
        4 => prop::collection::vec(clip, 0..5).prop_map(Edit::Clips),
        4 => (0u64..3, -40f64..6.0, -1f64..1.0, any::<bool>())
            .prop_map(|(strip, gain, pan, heard)| Edit::Level(strip, gain, pan, heard)),
        1 => any::<bool>().prop_map(Edit::Bus),
        3 => Just(Edit::Play),
        1 => Just(Edit::Stop),
        2 => (0i64..30_000).prop_map(Edit::Seek),
        1 => prop::option::of(0i64..20_000).prop_map(Edit::Loop),
        1 => Just(Edit::DiskStalls),
    ]
}

/// What the edits are about.
#[derive(Default)]
struct Model {
    clips: Vec<(u64, i64, i64)>,
    levels: [Option<Level>; 3],
    bus: bool,
    stalled: bool,
}

impl Model {
    fn schedule(&self) -> Schedule {
        let mut strips: Vec<_> = (0..3).map(|key| strip(key, Vec::new())).collect();
        for (n, (key, position, length)) in self.clips.iter().enumerate() {
            let mut clip = voice(*key + 10 * n as u64, *position, *length);
            clip.source = crate::SourceKey(29);
            clip.envelope.fade_in.length = Frames(240);
            clip.envelope.fade_out.length = Frames(240);
            strips[usize::try_from(key % 3).unwrap()].voices.push(clip);
        }
        for (strip, level) in strips.iter_mut().zip(self.levels) {
            strip.level = level.unwrap_or(Level::UNITY);
        }
        if self.bus {
            strips[0].output = Output::Strip(StripKey(2));
        }
        schedule(strips)
    }

    fn make(&mut self, edit: Edit, rig: &mut Rig) {
        match edit {
            Edit::Clips(clips) => self.clips = clips,
            Edit::Bus(bus) => self.bus = bus,
            Edit::Level(key, gain, pan, heard) => {
                let audible = if heard { Audible::Yes } else { Audible::No };
                let level = Level { gain: Decibels(gain), pan, audible };
                self.levels[usize::try_from(key).unwrap()] = Some(level);
            }
            Edit::Play => rig.controller.play().unwrap(),
            Edit::Stop => rig.controller.stop().unwrap(),
            Edit::Seek(at) => rig.controller.seek(Frames(at)).unwrap(),
            Edit::Loop(from) => {
                let range = from.map(|from| Frames(from)..Frames(from + 5000));
                rig.controller.set_loop(range).unwrap();
            }
            Edit::DiskStalls => self.stalled = !self.stalled,
        }
        rig.apply(self.schedule());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn any_edit_at_any_time_neither_clicks_nor_leaks(
        edits in prop::collection::vec((edit(), 1usize..3000, 1usize..700), 1..25),
    ) {
        let mut rig = Rig::new();
        let mut model = Model::default();
        for (edit, frames, block) in edits {
            model.make(edit, &mut rig);
            if model.stalled {
                rig.block(frames);
            } else {
                rig.run(frames, block);
            }
        }
        let probe: Vec<f32> = (0..480).map(|n| crate::fixture::sine(crate::SourceKey(29), n)).collect();
        for side in [&rig.left, &rig.right] {
            prop_assert!(side.iter().all(|sample| sample.is_finite()));
            // Up to five clips sound at once, each up to 6 + 3 dB. One full step of one clip at unity
            // scores 2 to 7 alone, but five clean tones may already score 14.
            prop_assert!(crate::clicks::click_score(side, &probe) < 14.2);
        }
        rig.run(30_000, 512);
        prop_assert_eq!(rig.controller.away(), 1);
        let trouble = rig.controller.trouble();
        prop_assert_eq!((trouble.nonfinite, trouble.unknown, trouble.delayed_returns), (0, 0, 0));
    }
}

#[test]
fn dropping_the_parts_in_any_order_frees_everything() {
    let alive = Arc::new(());
    for order in 0..3 {
        let held = Arc::clone(&alive);
        let open = move |key| {
            let keep = Arc::clone(&held);
            sines(key).inspect(|_| drop(keep))
        };
        let (mut controller, mut processor, mut disk) =
            engine(EngineConfig::at(RATE), open).unwrap();
        controller.apply(schedule(vec![strip(1, vec![voice(1, 0, 48_000)])])).unwrap();
        controller.play().unwrap();
        let (mut left, mut right) = ([0f32; 64], [0f32; 64]);
        for _ in 0..5 {
            disk.step();
            processor.process([&mut left, &mut right]);
        }
        match order {
            0 => drop((controller, processor, disk)),
            1 => drop((disk, controller, processor)),
            _ => drop((processor, disk, controller)),
        }
    }
    assert_eq!(Arc::strong_count(&alive), 1);
}
