//! What sounds are taken for: made ones, read speech, and voices as the features show them.

use super::super::classify::{Content, stretches};
use super::super::features::{BLOCK, Block, CHROMA, Features};
use super::samples::music;
use super::sounds::{both, chord, clicks, frames, heard};
use deskhand_toolkit::testing::real_speech;
use deskhand_toolkit::testing::{RATE, joined, noise};

/// The detected content, each kind once after another.
fn kinds(features: &Features) -> Vec<Content> {
    stretches(features).iter().map(|stretch| stretch.content).collect()
}

/// Five seconds that the network hears a voice in: of one pitch class a fifth of a second, which stays or wanders.
fn voice(tonal: f32, pauses: f32, wanders: bool) -> Features {
    let mut features = Features::new(RATE);
    let block = Block {
        level: -20.0,
        swing: 6.0,
        pauses,
        flatness: 0.02,
        centroid: 500.0,
        flux: 0.015,
        accent: 0.1,
        tonal,
        voice: 0.93,
        ..Block::default()
    };
    features.blocks = vec![block; 10];
    let classes = (0..10 * BLOCK / CHROMA).map(|n| {
        let mut classes = [0.0; 12];
        classes[if wanders { n * 5 % 12 } else { 0 }] = 1.0;
        classes
    });
    features.chroma = classes.collect();
    features.flux = vec![0.0; 10 * BLOCK];
    features.frames = features.flux.len() * features.hop;
    features
}

#[test]
fn a_voice_that_is_pitched_throughout_sings_and_notes_that_stay_are_an_instrument() {
    assert_eq!(kinds(&voice(0.85, 0.05, true)), [Content::Singing]);
    assert_eq!(kinds(&voice(0.4, 0.3, true)), [Content::Speech]);
    assert_eq!(kinds(&voice(0.85, 0.05, false)), [Content::Music]);
}

#[test]
fn read_speech_is_speech_alone_and_over_music() {
    let read = real_speech();
    assert_eq!(kinds(&heard(&read)), [Content::Speech]);
    let bars: Vec<_> = (0..9).map(|n| chord(&[n % 5, n % 5 + 4, n % 5 + 7], 2.0, 440.0)).collect();
    let under: Vec<f32> = joined(&bars).iter().map(|x| x * 0.1).collect();
    assert_eq!(kinds(&heard(&both(read, &under))), [Content::Speech]);
}

#[test]
fn what_is_over_full_scale_is_heard_like_anything_else() {
    let loud: Vec<f32> = real_speech().iter().map(|x| x * 8.0).collect();
    assert!(loud.iter().any(|x| x.abs() > 2.0));
    assert_eq!(kinds(&heard(&loud)), [Content::Speech]);
}

#[test]
fn kinds_of_sound_are_told_apart() {
    let hits: Vec<f64> = (0..40).map(|n| f64::from(n) * 0.25).collect();
    let parts = [vec![0.0; frames(6.0)], noise(-30.0, 10.0), music(10.0), clicks(&hits, 0.6, 10.0)];
    let heard = heard(&joined(&parts));
    let found = stretches(&heard);
    let kinds: Vec<Content> = found.iter().map(|stretch| stretch.content).collect();
    assert_eq!(
        kinds,
        [Content::Silence, Content::Noise, Content::Music, Content::Drums],
        "{found:?}"
    );
    let starts: Vec<f64> = found.iter().map(|s| s.blocks.start as f64 * 0.5).collect();
    assert!(
        starts.iter().zip([0.0, 6.0, 16.0, 26.0]).all(|(a, b)| (a - b).abs() <= 1.0),
        "{starts:?}"
    );
}
