//! Speech-like sound in noise: the noise goes, the timing stays.

use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::Track;
use deskhand_toolkit::testing::{Desk, noise, tone};
use serde_json::json;

/// A voice-like sound: pulses at 120 Hz through resonances, half a second on and half a second off.
fn voice(rate: u32, seconds: f64) -> Vec<f32> {
    let step = std::f64::consts::TAU / f64::from(rate);
    let at = |n: usize| {
        let t = n as f64;
        let on = (n as u32 % rate) < rate / 2;
        let harmonics = (1..30).map(|h| {
            let hz = 120.0 * f64::from(h);
            let weight = 1.0 / (1.0 + ((hz - 600.0) / 300.0).powi(2)) + 0.05;
            weight * (step * hz * t + f64::from(h * h)).sin()
        });
        let envelope =
            (std::f64::consts::PI * f64::from(n as u32 % rate) / f64::from(rate / 2)).sin();
        if on { (harmonics.sum::<f64>() * 0.1 * envelope) as f32 } else { 0.0 }
    };
    (0..(seconds * f64::from(rate)) as usize).map(at).collect()
}

fn sum(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// The delay at which `late` is most like `early`, within 1000 frames.
fn lag(early: &[f32], late: &[f32]) -> i64 {
    let product = |lag: i64| -> f64 {
        let range = 2000..early.len() - 2000;
        let pair = |n: usize| f64::from(early[n]) * f64::from(late[(n as i64 + lag) as usize]);
        range.step_by(3).map(pair).sum()
    };
    (-1000..=1000).max_by(|a, b| product(*a).total_cmp(&product(*b))).unwrap()
}

fn floor(samples: &[f32]) -> f64 {
    // The second half of every second is without voice.
    let quiet: Vec<f32> =
        samples.chunks(48_000).skip(1).flat_map(|second| second[30_000..46_000].to_vec()).collect();
    deskhand_dsp::level::rms(&quiet).unwrap().0
}

#[test]
fn noise_goes_and_timing_stays_to_the_sample() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Host"));
    let clean = voice(48_000, 5.0);
    let dirty = sum(&clean, &noise(-50.0, 5.0));
    desk.clip(track, "take", 0, dirty.clone());
    let draft = desk.settle("tool_denoise", &json!({"targets": "Host", "strength": 100}));
    assert_eq!(draft.summary, "Denoise take");
    let heard = desk.heard("take").remove(0);
    assert_eq!(heard.len(), dirty.len());
    assert_eq!(lag(&clean, &heard), 0);
    assert!(floor(&heard) < floor(&dirty) - 10.0, "{} {}", floor(&heard), floor(&dirty));
    let floors: Vec<_> = draft.findings.iter().filter_map(|found| found.value).collect();
    assert!(floors.len() == 2 && floors[1] < floors[0] - 10.0, "{floors:?}");
}

#[test]
fn half_the_strength_lowers_by_six_db() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Host"));
    let dirty = sum(&voice(48_000, 4.0), &noise(-50.0, 4.0));
    desk.clip(track, "take", 0, dirty.clone());
    let draft = desk.plan("tool_denoise", json!({"targets": "Host", "strength": 50}));
    desk.apply(&draft);
    let lower = floor(&dirty) - floor(&desk.heard("take").remove(0));
    assert!((4.0..7.0).contains(&lower), "{lower}");
}

#[test]
fn both_sides_of_a_stereo_take_are_cleaned_each_for_itself() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Host"));
    let (left, right) = (sum(&voice(48_000, 3.0), &noise(-50.0, 3.0)), tone(200.0, -90.0, 3.0));
    let id = desk.clip(track, "take", 0, left.clone());
    let source = desk.source("both.wav", vec![left, right]);
    desk.session.clips.entry(id).and_modify(|clip| clip.source = source);
    let draft = desk.plan("tool_denoise", json!({"targets": "Host"}));
    desk.apply(&draft);
    let heard = desk.heard("take");
    assert_eq!(heard.len(), 2);
    assert!(floor(&heard[0]) < -58.0, "{}", floor(&heard[0]));
}

#[test]
fn another_rate_keeps_its_timing_too() {
    let rate = SampleRate(44_100);
    let reader = reader_of(voice(44_100, 3.0), rate);
    let at = |reader, rate| deskhand_media::resampled(reader, rate).unwrap();
    let noise = super::TakenAway::new(at(reader, super::reader::RATE));
    let mut back = at(Box::new(noise), rate);
    let clean = voice(44_100, 3.0);
    let planes = super::stretch(back.as_mut(), Frames::ZERO, clean.len()).unwrap();
    let heard: Vec<f32> = clean.iter().zip(&planes[0]).map(|(dry, noise)| dry - noise).collect();
    assert_eq!(lag(&clean, &heard), 0);
    let left =
        deskhand_dsp::level::rms(&heard).unwrap().0 - deskhand_dsp::level::rms(&clean).unwrap().0;
    assert!(left.abs() < 3.0, "{left}");
}

fn reader_of(samples: Vec<f32>, rate: SampleRate) -> Box<dyn deskhand_dsp::FrameReader> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voice.wav");
    let depth = deskhand_media::BitDepth::F32;
    let mut writer = deskhand_media::WavWriter::create(&path, rate, 1, depth).unwrap();
    writer.write(&[&samples]).unwrap();
    writer.finish().unwrap();
    let reader = deskhand_media::open(&path).unwrap();
    // The file is open: its name may go.
    drop(folder);
    reader
}
