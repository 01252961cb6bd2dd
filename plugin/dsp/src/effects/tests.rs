//! The processors as they sound.

use super::*;
use crate::SampleRate;
use crate::loudness::LoudnessMeter;
use proptest::prelude::*;

const RATE: SampleRate = SampleRate(48_000);

fn compressor() -> Compressor {
    Compressor {
        threshold: Decibels(-20.0),
        ratio: 4.0,
        knee_db: 6.0,
        attack_ms: 10.0,
        release_ms: 100.0,
        makeup: Decibels(0.0),
        detector: Detector::Peak,
    }
}

fn limiter(gain: f64, release_ms: f64) -> Limiter {
    Limiter { gain: Decibels(gain), ceiling: Decibels(-1.0), release_ms }
}

fn gate() -> Gate {
    Gate {
        threshold: Decibels(-40.0),
        ratio: 10.0,
        range_db: 60.0,
        hysteresis_db: 6.0,
        attack_ms: 1.0,
        hold_ms: 50.0,
        release_ms: 50.0,
    }
}

fn equalizer(bands: &[(BandShape, f64, f64)]) -> Equalizer {
    let band = |(shape, frequency_hz, gain): &(BandShape, f64, f64)| Band {
        shape: *shape,
        frequency_hz: *frequency_hz,
        gain: Decibels(*gain),
        q: 1.0,
    };
    Equalizer { bands: bands.iter().map(band).collect() }
}

fn every_kind() -> [Effect; 5] {
    [
        Effect::Equalizer(equalizer(&[
            (BandShape::Bell, 1000.0, 9.0),
            (BandShape::LowCut, 80.0, 0.0),
            (BandShape::HighShelf, 8000.0, -6.0),
        ])),
        Effect::Compressor(compressor()),
        Effect::DeEsser(DeEsser {
            frequency_hz: 5000.0,
            threshold: Decibels(-40.0),
            range_db: 12.0,
        }),
        Effect::Gate(gate()),
        Effect::Limiter(limiter(12.0, 50.0)),
    ]
}

fn unit(effect: &Effect) -> Unit {
    Unit::new(effect, Power::On, RATE)
}

/// Noise from -1 to 1, the same for the same seed.
fn noise(seed: u64, frames: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..frames).map(|_| next()).collect()
}

fn sine(hertz: f64, level_db: f64, frames: usize) -> Vec<f32> {
    let w = std::f64::consts::TAU * hertz / f64::from(RATE.0);
    let peak = 10f64.powf(level_db / 20.0);
    (0..frames).map(|n| (peak * (w * n as f64).sin()) as f32).collect()
}

fn run(unit: &mut Unit, input: &[f32]) -> Vec<f32> {
    let (mut left, mut right) = (input.to_vec(), input.to_vec());
    unit.process(&mut left, &mut right);
    assert_eq!(left, right);
    left
}

/// The level of the last frames in dB, of a sine by its peak.
fn level(samples: &[f32]) -> f64 {
    let tail = &samples[samples.len() - 4800..];
    let mean = tail.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / 4800.0;
    10.0 * (2.0 * mean).log10()
}

fn true_peak(samples: &[f32]) -> f64 {
    let mut meter = LoudnessMeter::new(RATE, 1).unwrap();
    meter.process(&[samples]);
    let levels = meter.profile().levels(Decibels::UNITY);
    levels.true_peak.map_or(f64::NEG_INFINITY, |peak| peak.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_sound_does_not_depend_on_the_blocks(
        kind in 0usize..5,
        seed in 1u64..1000,
        cuts in prop::collection::vec(1usize..700, 1..12),
    ) {
        let effect = &every_kind()[kind];
        let input = noise(seed, 6000);
        let mut whole = [input.clone(), input.iter().map(|x| x * 0.3).collect()];
        let mut parts = whole.clone();
        let [left, right] = &mut whole;
        unit(effect).process(left, right);
        let mut cut = unit(effect);
        let [mut left, mut right] = parts.each_mut().map(Vec::as_mut_slice);
        for length in cuts.iter().cycle() {
            let length = (*length).min(left.len());
            if length == 0 { break; }
            let (part, rest) = left.split_at_mut(length);
            let (other, other_rest) = right.split_at_mut(length);
            cut.process(part, other);
            (left, right) = (rest, other_rest);
        }
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn no_true_peak_is_above_the_ceiling(
        seed in 1u64..100_000,
        shape in 0usize..7,
        gain in 0f64..30.0,
        release_ms in prop::sample::select(vec![1.0, 5.0, 50.0, 500.0]),
    ) {
        let mut input = hostile(shape, seed);
        // The end of a file is a step that the limiter never sees.
        input.extend([0.0; 400]);
        let output = run(&mut unit(&Effect::Limiter(limiter(gain, release_ms))), &input);
        let peak = true_peak(&output);
        prop_assert!(peak <= -1.0 + 0.1, "{} dBTP of shape {} with seed {}", peak, shape, seed);
    }
}

/// Signals that are hard to limit.
fn hostile(shape: usize, seed: u64) -> Vec<f32> {
    let frames = 24_000;
    let rough = noise(seed, frames);
    let period = 3 + (seed % 200) as usize;
    let loud = |n: usize| (n / period).is_multiple_of(2);
    (0..frames)
        .map(|n| match shape {
            0 => rough[n],
            1 => rough[n].signum(),
            // The edge of half the rate, in bursts.
            2 => [1.0, -1.0][n % 2] * if loud(n) { 1.0 } else { 0.03 },
            3 => [0.7, 0.7, -0.7, -0.7][n % 4] * if loud(n) { 1.0 } else { 0.1 },
            4 => {
                if n % (period * 7) == 0 {
                    1.0
                } else {
                    rough[n] * 0.01
                }
            }
            5 => {
                if loud(n) {
                    1.0
                } else {
                    -1.0
                }
            }
            _ => rough[n].powi(9) * if loud(n) { 1.0 } else { 0.2 },
        })
        .collect()
}

#[test]
fn a_limiter_leaves_what_is_low_as_it_is_only_later() {
    let effect = Effect::Limiter(limiter(0.0, 50.0));
    let late = effect.latency(RATE);
    let input = sine(440.0, -6.0, 9600);
    let output = run(&mut unit(&effect), &input);
    assert_eq!(output[late..], input[..9600 - late]);
    assert!(late < 128, "{late} frames");
}

#[test]
fn a_limiter_brings_a_loud_tone_to_its_ceiling() {
    let mut unit = unit(&Effect::Limiter(limiter(6.0, 50.0)));
    let output = run(&mut unit, &sine(997.0, 0.0, 48_000));
    assert!((true_peak(&output) + 1.0).abs() < 0.1);
    assert!((f64::from(unit.take_reduction()) - 7.0).abs() < 0.2);
}

#[test]
fn a_steady_tone_comes_out_where_the_static_curve_says() {
    let soft = compressor();
    for detector in [Detector::Peak, Detector::Rms] {
        for input in [-40.0, -24.0, -21.0, -18.0, -10.0, 0.0] {
            // A tone at a quarter of the rate whose samples are all of one size.
            let side: Vec<f32> = (0..48_000)
                .map(|n| (10f64.powf(input / 20.0) as f32) * [1.0, 1.0, -1.0, -1.0][n % 4])
                .collect();
            let settings = Compressor { detector, ..soft };
            let output = run(&mut unit(&Effect::Compressor(settings)), &side);
            let found = 20.0 * f64::from(output[47_999].abs()).log10();
            let expected = soft.curve(Decibels(input)).0;
            assert!((found - expected).abs() < 0.05, "{detector:?} {input}: {found}, {expected}");
        }
    }
    assert!((soft.curve(Decibels(0.0)).0 + 15.0).abs() < 1e-5);
    assert_eq!(soft.curve(Decibels(-23.0)).0, -23.0);
}

#[test]
fn a_compressor_keeps_its_time_constants() {
    let square = |level: f64, frames: usize| vec![10f64.powf(level / 20.0) as f32; frames];
    let settings = Compressor { knee_db: 0.0, ..compressor() };
    let mut input = square(-60.0, 4800);
    input.extend(square(0.0, 24_000));
    input.extend(square(-60.0, 24_000));
    let output = run(&mut unit(&Effect::Compressor(settings)), &input);
    let taken = |n: usize| 20.0 * f64::from(output[n] / input[n]).log10();
    // 63 % of 15 dB after the attack of 10 ms, and 37 % of it left after the release of 100 ms.
    assert!((taken(4800 + 480) + 15.0 * 0.632).abs() < 0.1, "{}", taken(4800 + 480));
    assert!((taken(28_800 + 4800) + 15.0 * 0.368).abs() < 0.1, "{}", taken(28_800 + 4800));
}

#[test]
fn a_gate_opens_at_once_holds_and_closes_below_the_hysteresis() {
    let tone = |level, frames| sine(200.0, level, frames);
    let mut input = tone(-50.0, 12_000);
    input.extend(tone(-20.0, 12_000));
    input.extend(tone(-43.0, 24_000));
    input.extend(tone(-60.0, 24_000));
    let output = run(&mut unit(&Effect::Gate(gate())), &input);
    let change = |until: usize| level(&output[..until]) - level(&input[..until]);
    assert!(change(12_000) < -55.0, "closed below the threshold: {}", change(12_000));
    assert!(change(24_000).abs() < 0.1, "open above");
    assert!(change(48_000).abs() < 0.1, "open within the hysteresis");
    assert!((change(72_000) + 60.0).abs() < 1.0, "closed: {}", change(72_000));
    // 50 ms of hold and the detector's memory.
    let held = 48_000 + 2400;
    let still = f64::from(output[held - 120..held].iter().fold(0f32, |m, x| m.max(x.abs())));
    assert!(20.0 * still.log10() > -61.0, "{still}");
}

#[test]
fn a_de_esser_lowers_the_band_only_while_it_is_loud() {
    let settings = DeEsser { frequency_hz: 5000.0, threshold: Decibels(-30.0), range_db: 12.0 };
    let through = |hertz, db| {
        let output = run(&mut unit(&Effect::DeEsser(settings)), &sine(hertz, db, 24_000));
        level(&output) - db
    };
    assert!(through(9000.0, -40.0).abs() < 0.01, "quiet");
    assert!(through(200.0, -6.0).abs() < 0.05, "low: {}", through(200.0, -6.0));
    assert!((through(15_000.0, -6.0) + 12.0).abs() < 0.3, "loud: {}", through(15_000.0, -6.0));
}

#[test]
fn an_equalizer_sounds_as_its_response_is_drawn() {
    let settings = equalizer(&[(BandShape::Bell, 3000.0, 9.0), (BandShape::LowShelf, 200.0, -6.0)]);
    for hertz in [60.0, 200.0, 1000.0, 3000.0, 12_000.0, 19_000.0] {
        let output =
            run(&mut unit(&Effect::Equalizer(settings.clone())), &sine(hertz, -20.0, 48_000));
        let expected = settings.response(hertz, RATE).0;
        assert!((level(&output) + 20.0 - expected).abs() < 0.05, "{hertz} Hz");
    }
}

/// The largest second difference, which a step makes large and a ramp does not.
fn roughness(samples: &[f32]) -> f32 {
    let second = samples.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs());
    second.fold(0.0, f32::max)
}

#[test]
fn other_settings_and_the_switch_make_no_click() {
    let tone = sine(300.0, -6.0, 48_000);
    let others = [
        Effect::Equalizer(equalizer(&[
            (BandShape::HighCut, 500.0, 0.0),
            (BandShape::Bell, 300.0, -12.0),
        ])),
        Effect::Compressor(Compressor {
            makeup: Decibels(6.0),
            threshold: Decibels(-40.0),
            ..compressor()
        }),
        Effect::DeEsser(DeEsser {
            frequency_hz: 2000.0,
            threshold: Decibels(-60.0),
            range_db: 24.0,
        }),
        Effect::Gate(Gate { threshold: Decibels(-3.0), ..gate() }),
        Effect::Limiter(limiter(0.0, 50.0)),
    ];
    for (before, after) in every_kind().into_iter().zip(others) {
        let mut unit = unit(&before);
        let (mut left, mut right) = (tone.clone(), tone.clone());
        let steps = left.chunks_mut(4800).zip(right.chunks_mut(4800)).enumerate();
        for (n, (left, right)) in steps {
            let effect = if n % 2 == 0 { &before } else { &after };
            let power = if n % 3 == 2 { Power::Off } else { Power::On };
            assert!(unit.set(&Settings::of(effect), power, Pace::Smooth));
            unit.process(left, right);
        }
        let rough = roughness(&left[4800..]) / roughness(&tone);
        let most = left.iter().fold(0f32, |most, x| most.max(x.abs())) / 0.5;
        assert!(rough < 2.0 * most.max(1.0), "{before}: {rough}, {most}");
    }
}

#[test]
fn a_unit_that_is_off_or_takes_over_changes_no_bit() {
    for effect in every_kind() {
        let input = noise(7, 4800);
        let mut off = Unit::new(&effect, Power::Off, RATE);
        let late = effect.latency(RATE);
        assert_eq!(run(&mut off, &input)[late..], input[..4800 - late]);
        let mut first = unit(&effect);
        run(&mut first, &input);
        let mut second = unit(&effect);
        second.adopt(&first);
        assert_eq!(run(&mut first, &input), run(&mut second, &input), "{effect}");
        second.reset();
        assert_eq!(run(&mut second, &input), run(&mut unit(&effect), &input), "{effect}");
    }
    let mut other = unit(&every_kind()[0]);
    assert!(!other.set(&Settings::of(&every_kind()[1]), Power::On, Pace::Smooth));
}

#[test]
fn samples_that_are_no_numbers_are_forgotten() {
    for effect in every_kind() {
        let mut unit = unit(&effect);
        for bad in [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX] {
            run(&mut unit, &vec![bad; 300]);
        }
        run(&mut unit, &vec![0.0; 48_000]);
        let output = run(&mut unit, &sine(440.0, -10.0, 4800));
        assert!(output.iter().all(|x| x.is_finite()), "{effect}");
        assert!(output.iter().any(|x| x.abs() > 0.01), "{effect}");
    }
}

#[test]
fn a_setting_out_of_range_is_named() {
    let band =
        |frequency_hz, q| Band { shape: BandShape::Bell, frequency_hz, gain: Decibels(3.0), q };
    let told = |bands: Vec<Band>| {
        Effect::Equalizer(Equalizer { bands }).check().map_err(|error| error.to_string())
    };
    assert_eq!(told(vec![band(100.0, 1.0)]), Ok(()));
    assert_eq!(
        told(vec![band(5.0, 1.0)]),
        Err("a frequency in Hz of 5 is outside 10 to 24000".into())
    );
    assert_eq!(told(vec![band(50.0, f64::NAN)]), Err("a Q of NaN is outside 0.1 to 40".into()));
    assert_eq!(
        told(vec![band(50.0, 1.0); 17]),
        Err("an equalizer has at most 16 bands, not 17".into())
    );
}

/// How many subnormal numbers of either precision `text` holds, which is anything printed for debugging.
fn subnormals(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    let numbers = text.split(|c| !is_part(c)).filter_map(|word| word.parse::<f64>().ok());
    numbers.filter(|it| *it != 0.0 && it.abs() < f64::from(f32::MIN_POSITIVE)).count()
}

#[test]
fn a_subnormal_number_is_counted() {
    let text = format!("{:?}", [1e-40f32, 1.0, 0.0, -1e-45, f32::MIN_POSITIVE]);
    assert_eq!((subnormals(&text), subnormals("It { a: -2e-310, b: 1e-30 }")), (2, 1));
}

/// Loud sound, then 20 s of silence, of subnormal numbers, or of very quiet noise.
#[test]
fn a_long_tail_meets_no_subnormal_number_and_ends_in_silence() {
    let slow = Equalizer {
        bands: [(BandShape::Bell, 12.0), (BandShape::LowCut, 10.0), (BandShape::HighCut, 24_000.0)]
            .map(|(shape, frequency_hz)| Band { shape, frequency_hz, gain: Decibels(6.0), q: 5.0 })
            .to_vec(),
    };
    let quick =
        Compressor { attack_ms: 0.05, release_ms: 5.0, detector: Detector::Rms, ..compressor() };
    let more = [Effect::Equalizer(slow), Effect::Compressor(quick)];
    for effect in every_kind().iter().chain(&more) {
        for level in [0.0, 1e-40, 1e-24] {
            let (mut unit, loud) = (unit(effect), noise(3, 4800));
            let quiet: Vec<f32> = noise(4, 480).iter().map(|sample| sample * level).collect();
            run(&mut unit, &loud);
            let mut last = Vec::new();
            for block in 0..2000 {
                // At first on one side only.
                let mut left = if block < 500 { loud[..480].to_vec() } else { quiet.clone() };
                last = quiet.clone();
                unit.process(&mut left, &mut last);
                let met = left.iter().chain(&last).filter(|it| it.is_subnormal()).count();
                assert_eq!(
                    (met, subnormals(&format!("{unit:?}"))),
                    (0, 0),
                    "{effect} {level} {block}"
                );
            }
            assert!(last.iter().all(|sample| *sample == 0.0), "{effect} {level}");
        }
    }
}
