//! Tests of the kernel by numbers.

use super::*;

const RATE: f32 = 48_000.0;
const NEUTRAL: Settings =
    Settings { gain: 0.0, inverts: false, is_mono: false, low_cut: None, is_bypassed: false };

fn sine(hertz: f64, frames: usize) -> Vec<f32> {
    let turn = std::f64::consts::TAU * hertz / f64::from(RATE);
    (0..frames).map(|n| (0.5 * (turn * n as f64).sin()) as f32).collect()
}

/// Runs `kernel` over two copies of `input` in blocks of `block`.
fn stereo(kernel: &mut Kernel, input: &[f32], block: usize) -> [Vec<f32>; 2] {
    let (mut left, mut right) =
        (input.to_vec(), input.iter().map(|x| -x * 0.5).collect::<Vec<_>>());
    for (l, r) in left.chunks_mut(block).zip(right.chunks_mut(block)) {
        kernel.run(&mut [l, r]);
    }
    [left, right]
}

fn kernel(settings: Settings) -> Kernel {
    let mut kernel = Kernel::new(RATE);
    kernel.set(&settings);
    kernel
}

fn level(samples: &[f32]) -> f64 {
    let square: f64 = samples.iter().map(|x| f64::from(*x).powi(2)).sum();
    10.0 * (square / samples.len() as f64).log10()
}

/// The largest jump of the second difference; a click exceeds that of the plain sine.
fn roughness(samples: &[f32]) -> f32 {
    samples.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).fold(0.0, f32::max)
}

#[test]
fn neutral_settings_and_bypass_give_back_the_same_bits() {
    let input = sine(997.0, 5_000);
    for settings in [NEUTRAL, Settings { gain: 9.0, is_bypassed: true, ..NEUTRAL }] {
        let [left, _] = stereo(&mut kernel(settings), &input, 77);
        assert_eq!(left, input);
    }
}

#[test]
fn gain_polarity_and_mono_are_exact() {
    let input = sine(997.0, 4_800);
    let [left, _] = stereo(&mut kernel(Settings { gain: -6.02, ..NEUTRAL }), &input, 64);
    assert!((level(&left) - level(&input) + 6.02).abs() < 1e-4);
    let [left, right] = stereo(&mut kernel(Settings { inverts: true, ..NEUTRAL }), &input, 64);
    assert!(left.iter().zip(&input).all(|(a, b)| *a == -b));
    assert!(right.iter().zip(&input).all(|(a, b)| *a == b * 0.5));
    let [left, right] = stereo(&mut kernel(Settings { is_mono: true, ..NEUTRAL }), &input, 64);
    assert_eq!(left, right);
    assert!((level(&left) - level(&input) + 12.0412).abs() < 1e-3);
}

#[test]
fn the_low_cut_is_3_db_down_at_its_corner_and_12_db_per_octave() {
    for (hertz, expected, tolerance) in
        [(80.0, -3.01, 0.02), (20.0, -24.1, 0.1), (1_000.0, 0.0, 0.02)]
    {
        let input = sine(hertz, 96_000);
        let [left, _] =
            stereo(&mut kernel(Settings { low_cut: Some(80.0), ..NEUTRAL }), &input, 512);
        let change = level(&left[48_000..]) - level(&input[48_000..]);
        assert!((change - expected).abs() < tolerance, "{hertz} Hz: {change} dB");
    }
}

#[test]
fn every_split_into_blocks_gives_the_same_bits() {
    let input = sine(313.0, 4_054);
    let wanted = Settings {
        gain: -9.0,
        inverts: true,
        is_mono: true,
        low_cut: Some(120.0),
        is_bypassed: false,
    };
    let run = |block| {
        let mut kernel = kernel(NEUTRAL);
        kernel.set(&wanted);
        stereo(&mut kernel, &input, block)
    };
    let whole = run(4_054);
    for block in [1, 17, 64, 2_027] {
        assert_eq!(run(block), whole, "blocks of {block}");
    }
}

#[test]
fn no_change_clicks() {
    let input = sine(440.0, 9_600);
    let loud = Settings { gain: 0.0, ..NEUTRAL };
    let changes = [
        Settings { gain: -30.0, ..loud },
        Settings { inverts: true, ..loud },
        Settings { is_mono: true, ..loud },
        Settings { low_cut: Some(20.0), ..loud },
        Settings { gain: -30.0, is_bypassed: true, ..loud },
    ];
    for change in changes {
        let mut kernel = kernel(loud);
        let mut left = input.clone();
        let mut right = input.clone();
        let (first, second) = left.split_at_mut(4_801);
        let (first_r, second_r) = right.split_at_mut(4_801);
        kernel.run(&mut [first, first_r]);
        kernel.set(&change);
        kernel.run(&mut [second, second_r]);
        let ratio = roughness(&left) / roughness(&input);
        assert!(ratio < 1.6, "{change:?}: {ratio}");
    }
}

#[test]
fn bad_samples_do_not_stay_in_the_filter() {
    let mut kernel = kernel(Settings { low_cut: Some(100.0), ..NEUTRAL });
    let mut bad = [f32::NAN, f32::INFINITY, 1.0];
    kernel.run(&mut [&mut bad]);
    let mut good = sine(1_000.0, 48_000);
    kernel.run(&mut [&mut good]);
    assert!(good.iter().all(|x| x.is_finite()));
}

#[test]
fn what_is_no_number_in_one_side_does_not_reach_the_other() {
    for bad in [f32::NAN, f32::INFINITY] {
        for is_mono in [false, true] {
            let mut kernel = kernel(Settings { low_cut: Some(80.0), is_mono, ..NEUTRAL });
            let good = sine(440.0, 9_600);
            let (mut left, mut right) = (good.clone(), good.clone());
            left[1_000..1_100].fill(bad);
            for (n, (l, r)) in left.chunks_mut(64).zip(right.chunks_mut(64)).enumerate() {
                // While everything moves, too.
                let gain = if n < 20 { 0.0 } else { -6.0 };
                kernel.set(&Settings { gain, low_cut: Some(80.0), is_mono, ..NEUTRAL });
                kernel.run(&mut [l, r]);
            }
            assert!(right.iter().all(|sample| sample.is_finite()), "{bad} {is_mono}");
            assert!(left[1_200..].iter().all(|sample| sample.is_finite()), "it recovers");
            assert!((level(&right[4_800..]) - level(&left[4_800..])).abs() < 0.01);
        }
    }
}

#[test]
fn the_tail_of_the_low_cut_ends_in_silence() {
    let mut kernel = kernel(Settings { low_cut: Some(20.1), ..NEUTRAL });
    let mut input = sine(100.0, 4_800);
    input.extend(vec![0.0; 48_000 * 2]);
    let [left, right] = stereo(&mut kernel, &input, 512);
    for side in [left, right] {
        assert!(side.iter().all(|sample| *sample == 0.0 || sample.is_normal()), "no denormals");
        assert!(side[48_000 + 4_800..].iter().all(|sample| *sample == 0.0));
    }
}
