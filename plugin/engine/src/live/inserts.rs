//! Processors in strips: live as offline, in time, and without a click whatever is done to them.
//!
//! Thread: any

use super::Rig;
use super::sound::{assert_no_click, probe};
use crate::capture::{CaptureConfig, CaptureSink, MayWait, capture};
use crate::fixture::{RATE, schedule, sines, strip, voice};
use crate::{
    Bounce, BounceReader, BounceSettings, Insert, InsertKey, Level, Output, Schedule, Stems, Strip,
    StripKey, Trouble,
};
use deskhand_dsp::effects::{
    Band, BandShape, Compressor, Detector, Effect, Equalizer, Gate, Limiter, Power,
};
use deskhand_dsp::{Decibels, EnvelopePoint, FrameReader, Frames};
use std::ops::{ControlFlow, Range};

/// After the fade of a start.
const START: usize = 240;

fn insert(key: u64, effect: Effect) -> Insert {
    Insert { key: InsertKey(key), power: Power::On, effect }
}

fn limiter(ceiling: f64) -> Effect {
    let (gain, ceiling) = (Decibels(0.0), Decibels(ceiling));
    Effect::Limiter(Limiter { gain, ceiling, release_ms: 20.0 })
}

fn compressor(threshold: f64) -> Effect {
    Effect::Compressor(Compressor {
        threshold: Decibels(threshold),
        ratio: 4.0,
        knee_db: 6.0,
        attack_ms: 5.0,
        release_ms: 60.0,
        makeup: Decibels(2.0),
        detector: Detector::Rms,
    })
}

fn equalizer(gain: f64) -> Effect {
    let band = |shape, frequency_hz| Band { shape, frequency_hz, gain: Decibels(gain), q: 0.9 };
    let bands = vec![band(BandShape::Bell, 900.0), band(BandShape::LowShelf, 200.0)];
    Effect::Equalizer(Equalizer { bands })
}

fn gate() -> Effect {
    Effect::Gate(Gate {
        threshold: Decibels(-20.0),
        ratio: 4.0,
        range_db: 30.0,
        hysteresis_db: 3.0,
        attack_ms: 2.0,
        hold_ms: 5.0,
        release_ms: 30.0,
    })
}

fn ride() -> std::sync::Arc<[EnvelopePoint]> {
    let point = |position, gain, curve| EnvelopePoint {
        position: Frames(position),
        gain: Decibels(gain),
        curve,
    };
    [point(500, 0.0, 0.5), point(2500, -9.0, 0.0), point(2500, -3.0, 0.0), point(5000, 2.0, 0.0)]
        .into()
}

/// Two tracks and a bus, all with processors and gain over time, and more on the master.
fn song() -> Schedule {
    let mut strips: Vec<Strip> = (1..4u64)
        .map(|key| {
            let mut voices = vec![voice(key, 40, 4000), voice(10 + key, 3000, 4000)];
            voices[0].volume = ride();
            let mut strip = strip(key, voices);
            strip.inserts = vec![insert(10 * key, equalizer(6.0)), insert(10 * key + 1, gate())];
            strip.output = Output::Strip(StripKey(9));
            strip
        })
        .collect();
    strips[0].inserts.push(insert(50, limiter(-18.0)));
    strips[1].output = Output::Master;
    strips[2].volume = ride();
    let mut bus = strip(9, Vec::new());
    bus.inserts = vec![insert(60, compressor(-24.0)), insert(61, limiter(-14.0))];
    bus.volume = ride();
    strips.push(bus);
    let master = vec![insert(70, equalizer(-3.0)), insert(71, limiter(-12.0))];
    schedule(strips).with_master_inserts(master).unwrap()
}

fn bounced(schedule: &Schedule, range: Range<i64>, settings: BounceSettings) -> [Vec<f32>; 2] {
    let mut out = [Vec::new(), Vec::new()];
    let bounce = Bounce::new(schedule.clone(), sines);
    let range = Frames(range.start)..Frames(range.end);
    let done = bounce.render(range, settings, &mut |block| {
        for (side, samples) in out.iter_mut().zip(block.master()) {
            side.extend_from_slice(samples);
        }
        ControlFlow::Continue(())
    });
    assert!(done.is_ok(), "{done:?}");
    out
}

fn whole(schedule: &Schedule, frames: i64) -> [Vec<f32>; 2] {
    bounced(schedule, 0..frames, BounceSettings { block: 8192, ..BounceSettings::PLAIN })
}

#[test]
fn processors_sound_the_same_live_offline_and_on_several_threads() {
    let song = song();
    let expected = whole(&song, 6000);
    assert!(expected[0].iter().any(|sample| sample.abs() > 0.05));
    for block in [1, 17, 64, 512, 4096] {
        for threads in [1, 3] {
            let settings = BounceSettings { block, threads, ..BounceSettings::PLAIN };
            assert!(bounced(&song, 0..6000, settings) == expected, "{block} on {threads}");
        }
        let mut rig = Rig::playing(song.clone());
        rig.run(6000, block);
        assert!(rig.left[START..] == expected[0][START..], "left in {block}");
        assert!(rig.right[START..] == expected[1][START..], "right in {block}");
        assert_eq!(rig.controller.trouble(), Trouble::default());
    }
}

/// The song with limiters that have nothing to do, and without them.
fn idle_and_none() -> [Schedule; 2] {
    [true, false].map(|with| {
        let idle = |key| if with { vec![insert(key, limiter(0.0))] } else { Vec::new() };
        let mut strips =
            vec![strip(1, vec![voice(1, 40, 4000)]), strip(2, vec![voice(2, 0, 90_000)])];
        strips[0].output = Output::Strip(StripKey(9));
        strips[0].inserts = idle(1);
        strips[1].volume = ride();
        let mut bus = strip(9, Vec::new());
        bus.inserts = idle(2);
        bus.volume = ride();
        strips.push(bus);
        schedule(strips).with_master_inserts(idle(3)).unwrap()
    })
}

#[test]
fn what_looks_ahead_reads_ahead_so_every_path_is_in_time() {
    let [with, without] = idle_and_none();
    for range in [0..6000, 1234..4321] {
        let settings = BounceSettings { block: 333, threads: 2, stems: Stems::Kept };
        assert!(bounced(&with, range.clone(), settings) == bounced(&without, range, settings));
    }
    let stems = |schedule: &Schedule| {
        let mut out = Vec::new();
        let settings = BounceSettings { block: 100, threads: 1, stems: Stems::Kept };
        let bounce = Bounce::new(schedule.clone(), sines);
        let done = bounce.render(Frames(50)..Frames(3000), settings, &mut |block| {
            for key in [1, 2, 9] {
                out.extend_from_slice(block.strip(StripKey(key)).unwrap()[0]);
            }
            ControlFlow::Continue(())
        });
        assert!(done.is_ok());
        out
    };
    assert!(stems(&with) == stems(&without), "stems too");
    let [mut with, mut without] = [with, without].map(|it| BounceReader::new(&it, sines));
    for at in [0, 3000, 100, 2148] {
        let [mut one, mut other] = [[[0f32; 2048]; 2], [[0f32; 2048]; 2]];
        for (reader, out) in [(&mut with, &mut one), (&mut without, &mut other)] {
            let [left, right] = out;
            reader.read(Frames(at), &mut [&mut left[..], &mut right[..]]).unwrap();
        }
        assert!(one == other, "read at {at}");
    }
}

#[test]
fn loops_stops_and_jumps_stay_in_time_with_what_looks_ahead() {
    let [with, without] = idle_and_none();
    let [one, other] = [with, without].map(|schedule| {
        let mut rig = Rig::playing(schedule);
        rig.controller.set_loop(Some(Frames(1000)..Frames(3500))).unwrap();
        rig.run(9000, 64);
        rig.controller.stop().unwrap();
        rig.run(1000, 100);
        rig.controller.play().unwrap();
        rig.run(2000, 64);
        rig.controller.set_loop(None).unwrap();
        rig.controller.seek(Frames(20_011)).unwrap();
        rig.run(4000, 512);
        assert_eq!(rig.controller.trouble(), Trouble::default());
        (rig.left, rig.right)
    });
    assert!(one == other);
}

#[test]
fn an_edit_elsewhere_does_not_touch_a_processor() {
    let mut undisturbed = Rig::playing(song());
    undisturbed.run(6000, 64);
    let mut rig = Rig::playing(song());
    rig.run(2112, 64);
    let mut strips = song().strips().to_vec();
    strips.push(strip(30, vec![voice(30, 90_000, 100)]));
    let inserts = vec![insert(70, equalizer(-3.0)), insert(71, limiter(-12.0))];
    rig.apply(schedule(strips).with_master_inserts(inserts).unwrap());
    rig.run(6000 - 2112, 64);
    assert!(rig.left == undisturbed.left && rig.right == undisturbed.right);
}

/// The probe tone through processors.
fn treated(inserts: Vec<Insert>, master: Vec<Insert>) -> Schedule {
    let mut probe = probe();
    probe.inserts = inserts;
    schedule(vec![probe]).with_master_inserts(master).unwrap()
}

#[test]
fn adding_setting_switching_and_removing_processors_makes_no_click() {
    let mut rig = Rig::playing(treated(Vec::new(), Vec::new()));
    let off = |it: Insert| Insert { power: Power::Off, ..it };
    let steps = [
        treated(vec![insert(1, equalizer(-6.0))], vec![]),
        treated(vec![insert(1, equalizer(4.0))], vec![]),
        treated(vec![insert(1, equalizer(4.0))], vec![insert(2, limiter(-20.0))]),
        treated(
            vec![insert(3, compressor(-30.0)), insert(1, equalizer(4.0))],
            vec![insert(2, limiter(-9.0))],
        ),
        treated(
            vec![insert(3, compressor(-20.0)), off(insert(1, equalizer(4.0)))],
            vec![insert(2, limiter(-9.0))],
        ),
        treated(
            vec![insert(3, compressor(-20.0)), insert(1, equalizer(0.0))],
            vec![off(insert(2, limiter(-9.0)))],
        ),
        treated(vec![insert(1, equalizer(0.0))], vec![]),
        treated(vec![insert(1, compressor(-30.0))], vec![]),
        treated(vec![], vec![]),
    ];
    rig.run(4000, 64);
    for step in steps {
        rig.apply(step);
        rig.run(6007, 64);
    }
    assert_no_click(&rig);
    assert_eq!(rig.controller.trouble(), Trouble::default());
}

#[test]
fn a_drag_sets_a_processor_until_the_next_schedule() {
    let mut rig = Rig::playing(treated(vec![insert(1, equalizer(0.0))], vec![]));
    rig.run(4000, 64);
    let away = rig.controller.away();
    rig.controller.set_insert(insert(1, equalizer(-24.0))).unwrap();
    rig.run(4000, 64);
    let peak = |samples: &[f32]| samples.iter().fold(0f32, |most, it| most.max(it.abs()));
    let [before, after] = [&rig.left[3000..4000], &rig.left[7000..]].map(peak);
    assert!(after < 0.7 * before, "{before} to {after}");
    assert_eq!(rig.controller.away(), away, "no new program was needed");
    let unknown = rig.controller.set_insert(insert(7, equalizer(0.0))).unwrap_err().to_string();
    assert!(unknown.starts_with("insert 7 is not in the schedule"), "{unknown}");
    let wrong = rig.controller.set_insert(insert(1, equalizer(90.0))).unwrap_err().to_string();
    assert_eq!(wrong, "insert 1 cannot be played: a gain in dB of 90 is outside -30 to 30");
}

#[test]
fn what_a_processor_takes_away_is_told() {
    let mut rig =
        Rig::playing(treated(vec![insert(1, equalizer(0.0))], vec![insert(2, limiter(-18.0))]));
    rig.run(9600, 64);
    let mut told = Vec::new();
    rig.controller.reductions(&mut |key, decibels| told.push((key.0, decibels)));
    let of = |wanted| told.iter().filter(move |(key, _)| *key == wanted).map(|(_, db)| *db);
    assert!(of(1).count() >= 5 && of(1).all(|db| db == 0.0));
    let most = of(2).fold(0.0, f32::max);
    assert!((most - 6.0).abs() < 0.2, "{most} dB of a tone of -12 dBFS under -18 dBTP");
}

#[test]
fn a_watched_processor_lets_its_sound_be_seen_before_and_after_it() {
    let inserts = vec![insert(1, equalizer(0.0)), insert(2, limiter(-18.0))];
    let mut rig = Rig::playing(treated(inserts, vec![]));
    rig.run(4800, 64);
    let seen = |rig: &mut Rig| {
        let mut peaks = [0f32; 2];
        let mut count = 0;
        rig.controller.watched(&mut |before, after| {
            peaks = [peaks[0].max(before[0].abs()), peaks[1].max(after[0].abs())];
            count += 1;
        });
        (peaks, count)
    };
    assert_eq!(seen(&mut rig).1, 0, "nothing is copied before it is asked for");
    rig.controller.watch(Some(InsertKey(2))).unwrap();
    rig.run(4800, 64);
    let ([before, after], count) = seen(&mut rig);
    assert_eq!(count, 4800);
    assert!(before > 0.24 && after < 0.13, "{before} to {after}");
    rig.controller.watch(Some(InsertKey(1))).unwrap();
    assert_eq!(seen(&mut rig).1, 0, "frames of the one before do not count");
    rig.run(64, 64);
    let ([before, after], count) = seen(&mut rig);
    assert!(count == 64 && before == after, "{before} to {after}");
    rig.controller.watch(None).unwrap();
    rig.run(640, 64);
    assert_eq!(seen(&mut rig).1, 0);
    assert_eq!(rig.controller.trouble(), Trouble::default());
}

#[test]
fn a_plan_beside_what_plays_goes_on_from_its_processors() {
    let mut plain = Rig::playing(song());
    plain.run(6000, 64);
    let mut rig = Rig::playing(song());
    rig.run(1984, 64);
    rig.controller.audition(Some(song())).unwrap();
    rig.run(640, 64);
    let other = crate::Side::Other { gain: Decibels::UNITY };
    rig.controller.listen(other, None).unwrap();
    rig.run(6000 - 2624, 64);
    assert!(rig.left == plain.left && rig.right == plain.right);
}

#[test]
fn a_doubled_insert_is_refused() {
    let mut strips = vec![strip(1, Vec::new())];
    strips[0].inserts = vec![insert(1, gate()), insert(1, gate())];
    let doubled = Schedule::new(RATE, Level::UNITY, strips).unwrap_err().to_string();
    assert_eq!(doubled, "insert 1 is there twice; give every processor its own key");
}

/// A recording, and where it begins.
#[derive(Default)]
struct Take {
    begins: Vec<Frames>,
    samples: Vec<f32>,
}

impl CaptureSink for Take {
    fn begin(&mut self, at: Frames) {
        self.begins.push(at);
    }

    fn write(&mut self, frames: &[f32]) {
        self.samples.extend_from_slice(frames);
    }

    fn end(&mut self) {}

    fn lost(&mut self, frames: Frames) {
        panic!("{frames:?} found no room");
    }
}

/// Live input passes no processor: none colors it, and no limiter makes it late.
#[test]
fn what_comes_in_while_processors_play_is_recorded_as_it_is_and_where_it_was_heard() {
    let mut rig = Rig::playing(song());
    let (mut tap, mut feed) = capture(CaptureConfig::at(RATE, 2)).unwrap();
    let incoming: Vec<f32> = (0..4096).map(|n| n as f32 / 4096.0).collect();
    for block in incoming.chunks(512) {
        rig.read_ahead();
        rig.block(512);
        let at = rig.processor.next_frame().unwrap() - Frames(512);
        tap.push(&[block, block], at, MayWait::Never);
    }
    tap.pause();
    let mut take = Take::default();
    feed.step(&mut take);
    assert_eq!(take.begins, [Frames(0)]);
    let expected: Vec<f32> = incoming.iter().flat_map(|it| [*it, *it]).collect();
    assert!(take.samples == expected);
    assert!(rig.left.iter().any(|sample| sample.abs() > 0.05), "they play meanwhile");
}
