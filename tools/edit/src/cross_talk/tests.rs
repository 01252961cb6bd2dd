//! Microphones in one room are told from recordings that only have something in common.

use super::*;

/// Numbers from -1 to 1, the same every time.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0) as f32
    }

    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
}

/// What sounds like somebody who speaks in sentences of some seconds: noise in syllables, with pauses.
fn talk(seed: u64, seconds: f64) -> Vec<f32> {
    let mut noise = Noise::new(seed);
    let mut out = Vec::new();
    while out.len() < (seconds * RATE as f64) as usize {
        let syllables = 5 + (noise.next().abs() * 12.0) as usize;
        for _ in 0..syllables {
            let length = RATE / 8 + (noise.next().abs() * RATE as f32 / 8.0) as usize;
            let loud = 0.2 + 0.3 * noise.next().abs();
            let gain = |n: usize| (std::f32::consts::PI * n as f32 / length as f32).sin() * loud;
            out.extend((0..length).map(|n| gain(n) * noise.next()));
        }
        let pause = RATE + (noise.next().abs() * 3.0 * RATE as f32) as usize;
        out.extend(vec![0.0; pause]);
    }
    out.truncate((seconds * RATE as f64) as usize);
    out
}

/// The sum of signals, each with a gain and so many samples late, as long as the first, with the noise of a microphone.
fn mixed(seed: u64, parts: &[(&[f32], f32, i64)]) -> Vec<f32> {
    let mut noise = Noise::new(seed);
    let length = parts[0].0.len() as i64;
    let at = |samples: &[f32], n: i64| {
        usize::try_from(n).ok().and_then(|n| samples.get(n)).copied().unwrap_or(0.0)
    };
    let one = |n: i64| -> f32 {
        parts.iter().map(|(samples, gain, late)| gain * at(samples, n - late)).sum()
    };
    (0..length).map(|n| one(n) + 3e-4 * noise.next()).collect()
}

fn found(a: &[f32], b: &[f32]) -> Option<i64> {
    delay(&Heard::new(a), &Heard::new(b))
}

const SOFT: f32 = 0.063; // -24 dB

#[test]
fn microphones_that_hear_each_other_are_found() {
    for (seconds, gain) in [(12.0, SOFT), (60.0, SOFT), (240.0, 0.032)] {
        let (anna, ben) = (talk(1, seconds), talk(2, seconds));
        let host = mixed(3, &[(&anna, 1.0, 0), (&ben, gain, 16)]);
        let guest = mixed(4, &[(&ben, 1.0, 0), (&anna, gain, 16)]);
        let delay = found(&host, &guest).unwrap_or_else(|| panic!("{seconds} {gain}"));
        assert!(delay.abs() <= 17, "{seconds}: {delay}");
    }
}

#[test]
fn recorders_that_were_started_at_different_times_are_found() {
    let (anna, ben) = (talk(1, 90.0), talk(2, 90.0));
    let host = mixed(3, &[(&anna, 1.0, 0), (&ben, SOFT, 16)]);
    let guest = mixed(4, &[(&ben, 1.0, 0), (&anna, SOFT, 16)]);
    let began = 3 * RATE + 800;
    for (a, b, expected) in
        [(&host[..], &guest[began..], -(began as i64)), (&host[began..], &guest[..], began as i64)]
    {
        let delay = found(a, b).unwrap();
        assert!((delay - expected).abs() <= 17, "{delay}");
    }
}

#[test]
fn a_room_and_a_clock_that_is_off_do_not_hide_it() {
    let (anna, ben) = (talk(1, 120.0), talk(2, 120.0));
    let mut noise = Noise::new(7);
    // Half of what arrives is echo that dies away within 0.3 s.
    let echo = |n: usize| 0.12 * (-(n as f32) / 400.0).exp();
    let room: Vec<f32> = (0..1200).map(|n| echo(n) * noise.next()).collect();
    let echoes = |samples: &[f32]| {
        let mut out = samples.to_vec();
        for (late, gain) in room.iter().enumerate().step_by(3) {
            for n in late..samples.len() {
                out[n] += gain * samples[n - late];
            }
        }
        out
    };
    let host = mixed(3, &[(&anna, 1.0, 0), (&echoes(&ben), SOFT, 16)]);
    let guest = mixed(4, &[(&ben, 1.0, 0), (&echoes(&anna), SOFT, 16)]);
    // 40 ppm: one sample in 25,000 is left out.
    let drifting = guest.iter().enumerate().filter(|(n, _)| n % 25_000 != 0);
    let drifting: Vec<f32> = drifting.map(|(_, sample)| *sample).collect();
    let delay = found(&host, &drifting).unwrap();
    assert!(delay.abs() <= 60, "{delay}");
}

#[test]
fn two_talks_have_nothing_in_common_whatever_hums() {
    let (anna, ben) = (talk(1, 60.0), talk(2, 50.0));
    assert_eq!(found(&mixed(3, &[(&anna, 1.0, 0)]), &mixed(4, &[(&ben, 1.0, 0)])), None);
    let wave =
        |hz: usize, n: usize| (std::f32::consts::TAU * (hz * n % RATE) as f32 / RATE as f32).sin();
    let hum: Vec<f32> =
        (0..60 * RATE).map(|n| (1..20).map(|m| 0.03 / m as f32 * wave(50 * m, n)).sum()).collect();
    let a = mixed(3, &[(&anna, 1.0, 0), (&hum, 1.0, 0)]);
    let b = mixed(4, &[(&ben, 1.0, 0), (&hum, 0.5, 3)]);
    assert_eq!(found(&a, &b), None);
    let silent = vec![0.0; 20 * RATE];
    assert_eq!(found(&silent, &silent), None);
    assert_eq!(found(&hum, &hum), None);
    assert_eq!(found(&mixed(5, &[(&hum, 1.0, 0)]), &mixed(6, &[(&hum, 1.0, 7)])), None);
}

#[test]
fn what_repeats_itself_proves_nothing() {
    let mut clicks = vec![0.0; 60 * RATE];
    for beat in clicks.chunks_mut(RATE / 2) {
        let mut noise = Noise::new(9);
        beat[..20].fill_with(|| noise.next());
    }
    let (anna, ben) = (talk(1, 60.0), talk(2, 60.0));
    let a = mixed(3, &[(&anna, 1.0, 0), (&clicks, 0.5, 0)]);
    let b = mixed(4, &[(&ben, 1.0, 0), (&clicks, 0.2, 0)]);
    assert_eq!(found(&a, &b), None);
}

/// Chords with a melody, which change every half second.
fn music(seconds: usize) -> Vec<f32> {
    let mut noise = Noise::new(11);
    let note = |hz: f32, n: usize| (std::f32::consts::TAU * hz * n as f32 / RATE as f32).sin();
    let mut out = Vec::new();
    for _ in 0..seconds * 2 {
        let notes: Vec<f32> = (0..6).map(|_| 220.0 + 1_200.0 * noise.next().abs()).collect();
        let fade = |n: usize| (-(n as f32) / 1_500.0).exp();
        let chord = |n: usize| notes.iter().map(|hz| note(*hz, n)).sum::<f32>();
        out.extend((0..RATE / 2).map(|n| 0.02 * fade(n) * (chord(n) + noise.next())));
    }
    out
}

#[test]
fn copies_and_the_same_music_under_two_talks_are_no_cross_talk() {
    let (anna, ben, bed) = (talk(1, 60.0), talk(2, 60.0), music(60));
    assert_eq!(found(&anna, &anna), None);
    assert_eq!(found(&bed, &mixed(8, &[(&bed, 0.7, 400)])), None);
    for late in [0, 250] {
        let a = mixed(3, &[(&anna, 1.0, 0), (&bed, 1.0, 0)]);
        let b = mixed(4, &[(&ben, 1.0, 0), (&bed, 1.0, late)]);
        assert_eq!(found(&a, &b), None, "{late}");
    }
    // A jingle at the start of both.
    let a = mixed(3, &[(&anna, 1.0, 0), (&bed[..15 * RATE], 2.0, 0)]);
    let b = mixed(4, &[(&ben, 1.0, 0), (&bed[..15 * RATE], 0.5, 0)]);
    assert_eq!(found(&a, &b), None);
}
