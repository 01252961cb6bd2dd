//! Tests of the bounce.
//!
//! Thread: any

use super::*;
use crate::fixture::{RATE, schedule, sine, sines, strip, voice};
use crate::schedule::{Audible, Level, Output, Strip};
use deskhand_dsp::{Decibels, Fade, FadeCurve, SampleRate};
use proptest::prelude::*;

/// Several tracks with overlapping clips, fades, gains and a bus.
fn band() -> Schedule {
    let mut strips: Vec<Strip> = (0..5u64)
        .map(|key| {
            let at = 100 * key.cast_signed();
            let mut voices = vec![
                voice(10 * key, at, 3000),
                voice(10 * key + 1, at + 2000, 2500),
                voice(10 * key + 2, 5000, 10),
            ];
            voices[0].envelope.fade_in = Fade { length: Frames(700), curve: FadeCurve::Linear };
            voices[1].envelope.fade_in = Fade { length: Frames(1000), ..Fade::default() };
            voices[0].envelope.fade_out = Fade { length: Frames(1000), ..Fade::default() };
            voices[1].envelope.gain = Decibels(-4.5);
            let mut strip = strip(key, voices);
            strip.level.pan = 0.3 * key as f64 - 0.6;
            strip.level.gain = Decibels(-(key as f64));
            strip
        })
        .collect();
    strips[1].output = Output::Strip(StripKey(9));
    strips[3].output = Output::Strip(StripKey(9));
    let mut bus = strip(9, Vec::new());
    bus.level.gain = Decibels(-2.0);
    strips.insert(0, bus);
    let master = Level { gain: Decibels(-1.0), ..Level::UNITY };
    Schedule::new(RATE, master, strips).unwrap()
}

fn render(schedule: &Schedule, range: Range<i64>, settings: BounceSettings) -> [Vec<f32>; 2] {
    let mut out = [Vec::new(), Vec::new()];
    let bounce = Bounce::new(schedule.clone(), sines);
    let range = Frames(range.start)..Frames(range.end);
    let done = bounce.render(range.clone(), settings, &mut |block| {
        for (side, samples) in out.iter_mut().zip(block.master()) {
            side.extend_from_slice(samples);
        }
        ControlFlow::Continue(())
    });
    assert_eq!(done, Ok(Bounced { frames: range.end - range.start, nonfinite: 0 }));
    out
}

fn bits(audio: &[Vec<f32>; 2]) -> [Vec<u32>; 2] {
    audio.each_ref().map(|side| side.iter().map(|sample| sample.to_bits()).collect())
}

#[test]
fn every_block_size_and_thread_count_gives_the_same_bits() {
    let band = band();
    let whole = render(&band, 0..6000, BounceSettings { block: 6000, ..BounceSettings::PLAIN });
    assert!(whole[0].iter().any(|sample| sample.abs() > 0.1));
    for block in [1, 17, 64, 512, 4096] {
        for threads in [1, 2, 3] {
            let split =
                render(&band, 0..6000, BounceSettings { block, threads, ..BounceSettings::PLAIN });
            assert!(bits(&split) == bits(&whole), "{block} frames on {threads} threads");
        }
    }
}

#[test]
fn a_range_is_a_part_of_the_whole() {
    let whole = render(&band(), 0..6000, BounceSettings::PLAIN);
    let part = render(
        &band(),
        1234..4321,
        BounceSettings { block: 100, threads: 2, ..BounceSettings::PLAIN },
    );
    assert_eq!(part[0], whole[0][1234..4321]);
    assert_eq!(part[1], whole[1][1234..4321]);
}

#[test]
fn a_clip_is_heard_where_it_stands_at_its_level() {
    let mut clip = voice(3, 500, 200);
    clip.source_start = Frames(40);
    clip.envelope.gain = Decibels(-6.0);
    let mut track = strip(1, vec![clip]);
    track.level.gain = Decibels(-6.0);
    let [left, right] = render(&schedule(vec![track]), 0..1000, BounceSettings::PLAIN);
    let gain = Decibels(-12.0).amplitude() as f32;
    for (n, sample) in left.iter().enumerate() {
        let inside = (500..700).contains(&n);
        let expected = if inside { gain * sine(SourceKey(3), n as i64 - 460) } else { 0.0 };
        assert!((sample - expected).abs() < 1e-6, "frame {n}");
    }
    assert!(left.iter().zip(&right).all(|(left, right)| *left == -right));
}

#[test]
fn a_muted_track_is_not_even_read() {
    let mut muted = strip(1, vec![voice(1, 0, 100)]);
    muted.level.audible = Audible::No;
    let bounce = Bounce::new(schedule(vec![muted]), |_| Err(ReadError("opened".into())));
    let range = Frames(0)..Frames(100);
    let mut heard = 0.0f32;
    let done = bounce.render(range, BounceSettings::PLAIN, &mut |block| {
        heard = block.master()[0].iter().fold(heard, |peak, sample| peak.max(sample.abs()));
        ControlFlow::Continue(())
    });
    assert_eq!((done.map(|done| done.frames), heard), (Ok(Frames(100)), 0.0));
}

#[test]
fn stems_sum_to_the_mix() {
    let strips = (0..3).map(|key| strip(key, vec![voice(key, 0, 3000)])).collect();
    let bounce = Bounce::new(schedule(strips), sines);
    let mut checked = 0;
    let settings = BounceSettings { block: 256, threads: 2, stems: Stems::Kept };
    let done = bounce.render(Frames(0)..Frames(3000), settings, &mut |block| {
        let stems = [0, 1, 2].map(|key| block.strip(StripKey(key)).unwrap()[0]);
        for (n, mix) in block.master()[0].iter().enumerate() {
            assert_eq!(*mix, stems[0][n] + stems[1][n] + stems[2][n]);
            checked += 1;
        }
        assert!(block.strip(StripKey(77)).is_none());
        ControlFlow::Continue(())
    });
    assert_eq!((done.map(|done| done.frames), checked), (Ok(Frames(3000)), 3000));
}

#[test]
fn a_source_that_fails_ends_the_bounce_with_its_error() {
    let strips: Vec<Strip> = (0..4).map(|key| strip(key, vec![voice(key, 0, 9000)])).collect();
    let open = |key| match key {
        SourceKey(3) => Err(ReadError("take 3.wav is gone; relink it".into())),
        _ => sines(key),
    };
    for threads in [1, 2] {
        let bounce = Bounce::new(schedule(strips.clone()), open);
        let settings = BounceSettings { block: 512, threads, ..BounceSettings::PLAIN };
        let done =
            bounce.render(Frames(0)..Frames(9000), settings, &mut |_| ControlFlow::Continue(()));
        assert_eq!(done.unwrap_err().to_string(), "take 3.wav is gone; relink it");
    }
}

#[test]
fn a_panic_in_a_reader_thread_is_an_error_and_a_break_stops() {
    let strips: Vec<Strip> = (0..4).map(|key| strip(key, vec![voice(key, 0, 9000)])).collect();
    let open = |key| {
        if key == SourceKey(1) { panic!("planted") } else { sines(key) }
    };
    let settings = BounceSettings { block: 512, threads: 2, ..BounceSettings::PLAIN };
    let range = Frames(0)..Frames(9000);
    let broken = Bounce::new(schedule(strips.clone()), open);
    let done = broken.render(range.clone(), settings, &mut |_| ControlFlow::Continue(()));
    assert_eq!(done, Err(BounceError::Thread));
    let stopped = Bounce::new(schedule(strips), sines);
    let done = stopped.render(range, settings, &mut |_| ControlFlow::Break(()));
    assert_eq!(done, Ok(Bounced { frames: Frames(512), nonfinite: 0 }));
}

#[test]
fn wrong_ranges_settings_and_rates_are_refused() {
    let bounce = Bounce::new(band(), sines);
    let mut sink = |_: &BounceBlock<'_>| ControlFlow::Continue(());
    let empty = bounce.render(Frames(5)..Frames(5), BounceSettings::PLAIN, &mut sink);
    assert!(matches!(empty, Err(BounceError::Range(_))));
    let settings = BounceSettings { block: 0, ..BounceSettings::PLAIN };
    let none = bounce.render(Frames(0)..Frames(5), settings, &mut sink);
    assert_eq!(none, Err(BounceError::Settings(settings)));
    let rate = SampleRate(44_100);
    let strips = vec![strip(1, vec![voice(1, 0, 10)])];
    let other = Schedule::new(rate, Level::UNITY, strips).unwrap();
    let error = Bounce::new(other, sines)
        .render(Frames(0)..Frames(5), BounceSettings::PLAIN, &mut sink)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "source 1 is read at 48000 Hz, but the engine plays at 44100 Hz; resample it first"
    );
}

proptest! {
    #[test]
    fn a_mix_reads_like_a_file_from_anywhere(at in 0i64..7000, frames in 0usize..3000) {
        let band = band();
        let whole = render(&band, 0..band.end().0, BounceSettings::PLAIN);
        let mut reader = BounceReader::new(&band, sines);
        prop_assert_eq!(reader.frames(), band.end());
        let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
        let read = reader.read(Frames(at), &mut [&mut left, &mut right]).unwrap();
        let start = Frames(at).index().min(whole[0].len());
        prop_assert_eq!(&left[..read], &whole[0][start..start + read]);
        prop_assert_eq!(read, frames.min(whole[0].len() - start));
    }
}
