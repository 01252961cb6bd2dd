//! What the host sees and automates.

use crate::rig::{Rig, level, row, sine};
use clack_extensions::params::ParamInfoFlags;

#[test]
fn the_parameters_are_there_and_bypass_is_marked() {
    let mut rig = Rig::idle();
    let names: Vec<String> = rig.parameters().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["Bypass", "Trim", "Polarity", "Mono", "Low Cut", "Output"]);
    let marked = |one: &crate::rig::Parameter| one.flags.contains(ParamInfoFlags::IS_BYPASS);
    let bypass: Vec<_> = rig.parameters().into_iter().filter(marked).collect();
    assert_eq!(bypass.len(), 1);
    assert_eq!(bypass[0].name, "Bypass");
    row("parameters, one of them bypass", names.len());
}

#[test]
fn values_are_told_in_words() {
    let mut rig = Rig::idle();
    let trim = rig.value("Trim");
    assert_eq!(rig.text("Trim", trim), "0.00 dB");
    assert_eq!(rig.text("Low Cut", 0.0), "off");
    assert_eq!(rig.text("Low Cut", 1.0), "400 Hz");
    assert_eq!(rig.text("Output", 1.0), "Session");
}

#[test]
fn every_text_that_a_host_is_told_reads_back_and_nonsense_is_refused() {
    let mut rig = Rig::idle();
    let mut texts = 0;
    for name in ["Bypass", "Trim", "Polarity", "Mono", "Low Cut", "Output"] {
        for step in 0..=100 {
            let text = rig.text(name, f64::from(step) / 100.0);
            let value = rig.read(name, &text).unwrap_or_else(|| panic!("{name}: {text}"));
            assert_eq!(rig.text(name, value), text, "{name}");
            texts += 1;
        }
    }
    assert_eq!(rig.text("Low Cut", 0.01), "off", "20.04 Hz cuts nothing");
    let trim = |decibels: f64| Some((decibels + 60.0) / 84.0);
    let near = |one: Option<f64>, other: Option<f64>| (one.unwrap() - other.unwrap()).abs() < 1e-6;
    assert!(
        near(rig.read("Trim", "-6dB"), trim(-6.0)) && near(rig.read("Trim", "6 db"), trim(6.0))
    );
    assert!(near(rig.read("Low Cut", "80 hz"), rig.read("Low Cut", "80 Hz")));
    assert_eq!(
        [rig.read("Polarity", "inverted"), rig.read("Low Cut", "off")],
        [Some(1.0), Some(0.0)]
    );
    for (name, text) in [("Trim", "nan"), ("Trim", "inf dB"), ("Low Cut", "NaN Hz"), ("Mono", "x")]
    {
        assert_eq!(rig.read(name, text), None, "{name}: {text}");
    }
    row("texts of parameters that read back", format!("{texts} of {texts}"));
}

#[test]
fn trim_is_exact_to_a_hundredth_of_a_decibel() {
    let input = sine(997.0, 48_000.0, 48_000);
    let mut worst: f64 = 0.0;
    for wanted in [-60.0, -23.7, -6.0, -0.1, 0.0, 3.333, 12.0, 24.0] {
        let mut rig = Rig::stereo(48_000.0, 512);
        rig.set_trim(wanted);
        let out = rig.run(&input, 512);
        for side in &out {
            let gain = level(&side[4_800..]) - level(&input[4_800..]);
            worst = worst.max((gain - wanted).abs());
        }
    }
    assert!(worst < 0.01, "{worst} dB");
    row("trim from -60 to 24 dB, off by at most", format!("{worst:.6} dB"));
}

#[test]
fn polarity_mono_and_low_cut_do_what_they_say() {
    let (left, right) = (sine(997.0, 48_000.0, 9_600), vec![0.0; 9_600]);
    let mut rig = Rig::stereo(48_000.0, 9_600);
    rig.set("Polarity", 1.0);
    let out = rig.block(&[&left, &right], None);
    assert!(out[0].iter().zip(&left).all(|(a, b)| *a == -b));
    rig.set("Polarity", 0.0);
    rig.set("Mono", 1.0);
    rig.block(&[&left, &right], None);
    let out = rig.block(&[&left, &right], None);
    assert_eq!(out[0], out[1]);
    assert!((level(&out[0]) - level(&left) + 6.0206).abs() < 0.01);
    let low = sine(20.0, 48_000.0, 96_000);
    let mut rig = Rig::mono(48_000.0, 512);
    rig.set("Low Cut", 0.5);
    let cut = rig.run(&low, 512);
    assert!(level(&cut[0][48_000..]) < level(&low) - 20.0);
}
