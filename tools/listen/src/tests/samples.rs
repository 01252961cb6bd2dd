//! Planted defects, hum, and the measures of a spectrum.

use super::super::listen::{Turn, pieces};
use super::super::scan::{Kind, Scan, bands, scan};
use super::super::spectrum::profile;
use super::sounds::{both, chord, frames};
use deskhand_session::Track;
use deskhand_toolkit::testing::{Desk, joined, noise, tone};
use serde_json::Value;

/// Scans a clip with these channels.
fn scanned(planes: Vec<Vec<f32>>) -> Scan {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    let id = desk.clip(track, "Take", 0, planes[0].clone());
    let source = desk.source("Take.wav", planes);
    desk.session.clips.get_mut(&id).unwrap().source = source;
    let piece = pieces(&desk.session, &[id]).remove(0);
    let context = desk.context("tool_find_problems", &Value::Null);
    scan(&context, &piece, Turn { index: 0, all: 1 }).unwrap()
}

fn of_kind(scan: &Scan, kind: Kind) -> Vec<f64> {
    let of = scan.defects.iter().filter(|defect| defect.kind == kind);
    of.map(|defect| defect.start.0 as f64 / 48_000.0).collect()
}

/// Something like music: no pure tone, no defect.
pub(super) fn music(seconds: f64) -> Vec<f32> {
    let bars: Vec<Vec<f32>> = (0..(seconds / 0.5) as i32)
        .map(|n| chord(&[n % 5, n % 5 + 4, n % 7 + 7], 0.5, 440.0))
        .collect();
    let pad = both(tone(220.0, -22.0, seconds), &tone(329.6, -24.0, seconds));
    both(both(joined(&bars), &pad), &noise(-65.0, seconds))
}

#[test]
fn music_without_defects_has_none() {
    let scan = scanned(vec![music(8.0), music(8.0)]);
    assert_eq!(scan.defects, []);
    assert_eq!(scan.hum, None);
    assert!(scan.dc.iter().all(|dc| dc.abs() < 1e-3));
}

#[test]
fn planted_dropouts_clicks_and_clipping_are_found_where_they_are() {
    let mut audio = music(8.0);
    audio[frames(2.0)..frames(2.02)].fill(0.0);
    audio[frames(3.1)..frames(3.105)].fill(0.0);
    for at in [1.3, 4.7, 6.001] {
        audio[frames(at)] += 0.5;
    }
    for x in &mut audio[frames(5.0)..frames(5.3)] {
        *x = (*x * 8.0).clamp(-0.9, 0.9);
    }
    let scan = scanned(vec![audio]);
    let near = |found: Vec<f64>, truth: &[f64]| {
        assert_eq!(found.len(), truth.len(), "{found:?} for {truth:?}");
        assert!(
            found.iter().zip(truth).all(|(a, b)| (a - b).abs() < 0.002),
            "{found:?} for {truth:?}"
        );
    };
    near(of_kind(&scan, Kind::Dropout), &[2.0, 3.1]);
    let clicked: Vec<f64> =
        of_kind(&scan, Kind::Click).into_iter().filter(|at| !(4.99..5.31).contains(at)).collect();
    near(clicked, &[1.3, 4.7, 6.001]);
    let clipped = of_kind(&scan, Kind::Clipping);
    assert!(!clipped.is_empty() && clipped.iter().all(|at| (5.0..5.3).contains(at)), "{clipped:?}");
}

#[test]
fn offset_phase_and_width_are_measured() {
    let left = both(music(6.0), &vec![0.02; frames(6.0)]);
    let right: Vec<f32> = music(6.0).iter().map(|x| -x).collect();
    let scan = scanned(vec![left, right]);
    assert!((scan.dc[0] - 0.02).abs() < 1e-3 && scan.dc[1].abs() < 1e-3, "{:?}", scan.dc);
    assert!(scan.correlation.unwrap() < -0.8, "{:?}", scan.correlation);
    assert!(scan.width.unwrap() > 5.0, "{:?}", scan.width);
    let places = of_kind(&scan, Kind::Phase);
    assert_eq!(places.len(), 1, "seconds that touch are one place: {places:?}");
    let mono = scanned(vec![music(3.0)]);
    assert_eq!((mono.correlation, mono.width), (None, None));
}

#[test]
fn hum_of_the_mains_is_found_to_a_twentieth_of_a_hertz() {
    for hz in [49.9, 50.0, 50.1, 59.9, 60.0, 60.1] {
        let hum = both(tone(hz, -50.0, 12.0), &tone(hz * 2.0, -56.0, 12.0));
        let hum = both(hum, &tone(hz * 3.0, -58.0, 12.0));
        let scan = scanned(vec![both(music(12.0), &hum)]);
        let found = scan.hum.unwrap();
        assert!((found.hz - hz).abs() < 0.05, "{hz}: {found:?}");
        assert!((found.level + 51.5).abs() < 1.0, "{hz}: {found:?}");
    }
    assert_eq!(scanned(vec![noise(-30.0, 12.0)]).hum, None);
}

#[test]
fn the_third_octave_of_a_tone_has_its_level() {
    let scan = scanned(vec![tone(1000.0, -20.0, 4.0)]);
    let levels = bands(&scan.spectrum);
    let index = super::super::scan::CENTERS.iter().position(|hz| *hz == 1000.0).unwrap();
    assert!((levels[index].unwrap() + 23.0).abs() < 0.2, "{:?}", levels[index]);
    assert!(levels[index + 3].unwrap() < -70.0);
    let profile = profile(&scan);
    assert!((profile.centroid - 1000.0).abs() < 15.0, "{}", profile.centroid);
    assert!((profile.crest - 3.0).abs() < 0.1, "{}", profile.crest);
    let pink = profile_of(noise(-20.0, 4.0));
    assert!((pink - 3.0).abs() < 0.5, "white noise rises 3 dB an octave in third octaves: {pink}");
}

fn profile_of(audio: Vec<f32>) -> f64 {
    profile(&scanned(vec![audio])).tilt
}
