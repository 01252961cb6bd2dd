//! What was pushed is written.
//!
//! Thread: any

use super::{CaptureConfig, CaptureError, CaptureSink, Feed, MayWait, Pushed, Tap, capture};
use crate::Worked;
use deskhand_dsp::{Frames, SampleRate};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

/// What a sink received.
#[derive(Clone, Debug, Default, PartialEq)]
struct Written {
    /// Start and samples of every pass.
    passes: Vec<(i64, Vec<f32>)>,
    ended: usize,
    lost: i64,
}

#[derive(Clone, Default)]
struct Shelf(Arc<Mutex<Written>>);

impl CaptureSink for Shelf {
    fn begin(&mut self, at: Frames) {
        let mut written = self.0.lock().unwrap();
        assert_eq!(written.passes.len(), written.ended, "the pass before is over");
        written.passes.push((at.0, Vec::new()));
    }
    fn write(&mut self, frames: &[f32]) {
        let mut written = self.0.lock().unwrap();
        assert!(written.passes.len() > written.ended && !frames.is_empty());
        written.passes.last_mut().unwrap().1.extend_from_slice(frames);
    }
    fn end(&mut self) {
        self.0.lock().unwrap().ended += 1;
    }
    fn lost(&mut self, frames: Frames) {
        let mut written = self.0.lock().unwrap();
        assert_eq!(written.passes.len(), written.ended, "between passes");
        written.lost += frames.0;
    }
}

impl Shelf {
    fn written(&self) -> Written {
        self.0.lock().unwrap().clone()
    }
}

fn small(channels: usize) -> (Tap, Feed) {
    capture(CaptureConfig { channels, ring: Frames(1024) }).unwrap()
}

/// Frame `n` of everything pushed, two channels.
fn frame(n: usize) -> [f32; 2] {
    [n as f32, -(n as f32)]
}

fn planar(from: usize, frames: usize) -> [Vec<f32>; 2] {
    [0, 1].map(|side| (from..from + frames).map(|n| frame(n)[side]).collect())
}

#[test]
fn numbers_out_of_range_are_refused() {
    let make = |config| capture(config).map(|_| ()).unwrap_err();
    let good = CaptureConfig::at(SampleRate(48_000), 2);
    assert_eq!(good.ring, Frames(192_000));
    assert_eq!(make(CaptureConfig { channels: 0, ..good }), CaptureError::Channels(0));
    let error = make(CaptureConfig { ring: Frames(-1), ..good });
    assert_eq!(error.to_string(), "room for -1 frames is out of range; use 1024 to 16777216");
}

#[test]
fn jumps_and_pauses_end_a_pass_and_rounding_does_not() {
    let (mut tap, mut feed) = small(1);
    let mut shelf = Shelf::default();
    for at in [100, 110, 121, 129, 500, -40] {
        assert_eq!(tap.push(&[&[0.5; 10]], Frames(at), MayWait::Never), Pushed::Kept);
    }
    tap.pause();
    tap.pause();
    tap.push(&[&[0.25; 10]], Frames(-30), MayWait::Never);
    tap.push(&[&[]], Frames(7), MayWait::Never);
    assert_eq!(feed.step(&mut shelf), Worked::Yes);
    assert_eq!(feed.step(&mut shelf), Worked::Idle);
    let passes = |shelf: &Shelf| {
        let passes = shelf.written().passes;
        passes.iter().map(|(at, samples)| (*at, samples.len())).collect::<Vec<_>>()
    };
    assert_eq!(passes(&shelf), [(100, 40), (500, 10), (-40, 10), (-30, 10)]);
    assert_eq!(shelf.written().ended, 3);
    drop(tap);
    feed.step(&mut shelf);
    assert_eq!((shelf.written().ended, shelf.written().lost), (4, 0));
}

#[test]
fn missing_channels_are_silent_and_more_than_asked_are_left_out() {
    let (mut tap, mut feed) = small(2);
    let mut shelf = Shelf::default();
    tap.push(&[&[1.0, 2.0]], Frames(0), MayWait::Never);
    tap.push(&[&[3.0], &[4.0, 5.0], &[6.0]], Frames(2), MayWait::Never);
    feed.finish(&mut shelf);
    assert_eq!(shelf.written().passes, [(0, vec![1.0, 0.0, 2.0, 0.0, 3.0, 4.0])]);
    assert_eq!(shelf.written().ended, 1);
}

#[test]
fn a_disk_that_is_late_costs_counted_frames_and_the_next_pass_stands_where_it_belongs() {
    let (mut tap, mut feed) = small(2);
    let mut shelf = Shelf::default();
    let [left, right] = planar(0, 300);
    let mut lost = 0;
    for block in 0..6 {
        let pushed = tap.push(&[&left, &right], Frames(300 * block), MayWait::Never);
        lost += if pushed == Pushed::Lost { 300 } else { 0 };
    }
    assert_eq!((lost, tap.lost()), (900, Frames(900)));
    feed.step(&mut shelf);
    tap.push(&[&left, &right], Frames(1800), MayWait::Never);
    feed.finish(&mut shelf);
    let written = shelf.written();
    let starts: Vec<_> = written.passes.iter().map(|(at, all)| (*at, all.len())).collect();
    assert_eq!(starts, [(0, 1800), (1800, 600)]);
    assert_eq!((written.lost, written.ended), (900, 2));
}

#[test]
fn a_block_longer_than_the_ring_is_lost_in_real_time_and_kept_offline() {
    let (mut tap, feed) = small(2);
    let shelf = Shelf::default();
    let [left, right] = planar(0, 20_000);
    assert_eq!(tap.push(&[&left, &right], Frames(0), MayWait::Never), Pushed::Lost);
    let thread = feed.spawn(Box::new(shelf.clone())).unwrap();
    assert_eq!(tap.push(&[&left, &right], Frames(50), MayWait::Offline), Pushed::Kept);
    drop(tap);
    drop(thread);
    let written = shelf.written();
    assert_eq!((written.passes.len(), written.ended, written.lost), (1, 1, 20_000));
    let (at, samples) = &written.passes[0];
    assert!(*at == 50 && samples.iter().copied().eq((0..20_000).flat_map(frame)));
}

/// A sink that hangs until it is let go.
struct Stuck(Shelf, std::sync::mpsc::Receiver<()>);

impl CaptureSink for Stuck {
    fn begin(&mut self, at: Frames) {
        self.0.begin(at);
    }
    fn write(&mut self, frames: &[f32]) {
        self.1.recv().ok();
        self.0.write(frames);
    }
    fn end(&mut self) {
        self.0.end();
    }
    fn lost(&mut self, frames: Frames) {
        self.0.lost(frames);
    }
}

#[test]
fn a_disk_that_hangs_is_waited_for_once_in_an_offline_render() {
    let (mut tap, feed) = small(1);
    let (shelf, (go, held)) = (Shelf::default(), std::sync::mpsc::channel());
    let thread = feed.spawn(Box::new(Stuck(shelf.clone(), held))).unwrap();
    tap.wait_for_looks(5);
    let push = |tap: &mut Tap, at| tap.push(&[&[0.5; 1000]], Frames(at), MayWait::Offline);
    // Two pieces of 512 fit into the ring.
    assert_eq!((push(&mut tap, 0), tap.is_late()), (Pushed::Kept, false));
    assert_eq!((push(&mut tap, 1_000), tap.is_late()), (Pushed::Lost, true));
    for n in 2..50 {
        assert_eq!(push(&mut tap, 1_000 * n), Pushed::Lost, "nobody waits for what hangs");
    }
    let lost = tap.lost();
    assert!(lost > Frames(48_000), "all of it is counted: {lost:?}");
    // It stops, and the disk works again: the next render waits, and all of it is there.
    drop(go);
    tap.pause();
    assert!(!tap.is_late());
    tap.wait_for_looks(10_000);
    assert_eq!(push(&mut tap, 90_000), Pushed::Kept);
    drop((tap, thread));
    let written = shelf.written();
    assert_eq!(Frames(written.lost), lost, "and told");
    assert_eq!(written.passes.last().map(|(at, all)| (*at, all.len())), Some((90_000, 1_000)));
}

#[test]
fn without_a_disk_thread_nobody_waits() {
    let (mut tap, feed) = small(1);
    drop(feed);
    assert_eq!(tap.push(&[&[0.0; 2000]], Frames(0), MayWait::Offline), Pushed::Lost);
}

/// Something a host does.
#[derive(Clone, Debug)]
enum Act {
    Block(usize),
    Jump(i64),
    Pause,
    DiskWorks,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (0usize..600).prop_map(Act::Block),
        1 => (-5000i64..100_000).prop_map(Act::Jump),
        1 => Just(Act::Pause),
        3 => Just(Act::DiskWorks),
    ]
}

proptest! {
    #[test]
    fn what_was_pushed_is_what_is_written(acts in prop::collection::vec(act(), 1..200)) {
        let (mut tap, mut feed) = small(2);
        let mut shelf = Shelf::default();
        let mut expected = Written::default();
        let (mut at, mut pushed) = (0i64, 0usize);
        let mut next = None;
        for act in acts {
            match act {
                Act::Block(0) => prop_assert_eq!(
                    tap.push(&[&[], &[]], Frames(at), MayWait::Never), Pushed::Kept
                ),
                Act::Block(frames) => {
                    let [left, right] = planar(pushed, frames);
                    let length = Frames::from_index(frames).0;
                    match tap.push(&[&left, &right], Frames(at), MayWait::Never) {
                        Pushed::Kept => {
                            // A jump by one frame is taken for rounding.
                            if next.is_none_or(|next: i64| (next - at).abs() > 1) {
                                expected.passes.push((at, Vec::new()));
                                next = Some(at);
                            }
                            let pass = &mut expected.passes.last_mut().unwrap().1;
                            pass.extend((pushed..pushed + frames).flat_map(frame));
                            next = next.map(|next| next + length);
                        }
                        Pushed::Lost => {
                            expected.lost += length;
                            next = None;
                        }
                    }
                    pushed += frames;
                    at += length;
                }
                Act::Jump(to) => at = to,
                Act::Pause => {
                    tap.pause();
                    next = None;
                }
                Act::DiskWorks => {
                    feed.step(&mut shelf);
                }
            }
        }
        prop_assert_eq!(tap.lost(), Frames(expected.lost));
        drop(tap);
        feed.finish(&mut shelf);
        expected.ended = expected.passes.len();
        prop_assert_eq!(shelf.written(), expected);
    }
}

#[test]
fn a_racing_disk_thread_keeps_every_frame_in_order() {
    let (mut tap, feed) = small(2);
    let shelf = Shelf::default();
    let thread = feed.spawn(Box::new(shelf.clone())).unwrap();
    let mut pushed = 0;
    for block in 0..400usize {
        let frames = 1 + block * 37 % 300;
        let [left, right] = planar(pushed, frames);
        let at = Frames::from_index(pushed + 10 * (block / 20));
        assert_eq!(tap.push(&[&left, &right], at, MayWait::Offline), Pushed::Kept);
        pushed += frames;
    }
    drop(tap);
    drop(thread);
    let written = shelf.written();
    let all = written.passes.iter().flat_map(|(_, samples)| samples.iter().copied());
    assert!(all.eq((0..pushed).flat_map(frame)));
    assert_eq!((written.passes.len(), written.ended, written.lost), (20, 20, 0));
}

/// Compiles only for types that are not `Sync`.
trait NotSync<A> {
    fn check() {}
}
struct IsSync;
impl<T: ?Sized> NotSync<()> for T {}
impl<T: ?Sized + Sync> NotSync<IsSync> for T {}

#[test]
fn each_end_may_move_to_its_thread_and_is_used_by_one_only() {
    fn is_send<T: Send>() {}
    is_send::<Tap>();
    is_send::<Feed>();
    <Tap as NotSync<_>>::check();
    <Feed as NotSync<_>>::check();
}
