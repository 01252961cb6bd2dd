//! State: byte for byte, and garbage.

use crate::rig::{Rig, row, sine};
use serde_json::{Value, json};

/// What the host stores: a length, then JSON.
fn framed(json: &[u8]) -> Vec<u8> {
    let length = u64::try_from(json.len()).unwrap();
    [&length.to_le_bytes(), json].concat()
}

fn read(bytes: &[u8]) -> Value {
    serde_json::from_slice(&bytes[8..]).unwrap()
}

/// Deskhand's own part of a state.
fn own(bytes: &[u8]) -> Value {
    serde_json::from_str(read(bytes)["fields"]["deskhand"].as_str().unwrap()).unwrap()
}

fn busy() -> Rig {
    let mut rig = Rig::stereo(48_000.0, 64);
    rig.set_trim(-3.217);
    rig.set("Polarity", 1.0);
    rig.set("Low Cut", 0.37);
    rig.set("Output", 1.0);
    rig.block(&[&[0.0; 64], &[0.0; 64]], None);
    rig
}

/// The state of `rig` as if it was a track of a session.
fn of_a_track(rig: &mut Rig) -> Vec<u8> {
    let mut state = read(&rig.save());
    let mut saved: Value =
        serde_json::from_str(state["fields"]["deskhand"].as_str().unwrap()).unwrap();
    saved["armed"] = json!(true);
    saved["session"] = json!("session_0123456789ab");
    saved["track"] = json!("track_0123456789ab");
    saved["window"] = json!({"width": 1000, "height": 700, "zoom": 1.25});
    saved["snapshot"] = json!({"rate": 48000, "tracks":
        [{"id": "track_0123456789ab", "name": "Gesang", "gain": -3.0, "pan": 0.0}]});
    state["fields"]["deskhand"] = json!(saved.to_string());
    framed(state.to_string().as_bytes())
}

#[test]
fn a_state_comes_back_byte_for_byte() {
    let mut first = busy();
    let wanted = of_a_track(&mut first);
    assert!(first.load(&wanted));
    let saved = first.save();
    let (own, was) = (own(&saved), own(&wanted));
    for key in ["session", "track", "snapshot"] {
        assert_eq!(own[key], was[key], "{key}");
    }
    for key in ["width", "height", "zoom"] {
        assert_eq!(own["window"][key], was["window"][key], "{key}");
    }
    let mut second = Rig::stereo(48_000.0, 64);
    assert!(second.load(&saved));
    assert_eq!(second.save(), saved);
    let mut third = Rig::idle();
    assert!(third.load(&saved));
    assert_eq!(third.save(), saved);
    for name in ["Trim", "Polarity", "Low Cut", "Output"] {
        assert_eq!(third.value(name), first.value(name), "{name}");
    }
    row("state saved, loaded, saved: bytes that differ", format!("0 of {}", saved.len()));
}

/// Older versions kept a gain apart from trim, which no host saw.
#[test]
fn the_gain_that_an_older_version_kept_apart_is_in_the_knob() {
    let mut rig = Rig::stereo(48_000.0, 4_800);
    let mut state = read(&of_a_track(&mut rig));
    let mut saved = own(&of_a_track(&mut rig));
    saved["desk_gain"] = json!(6.0206);
    state["fields"]["deskhand"] = json!(saved.to_string());
    assert!(rig.load(&framed(state.to_string().as_bytes())));
    let input = sine(997.0, 48_000.0, 9_600);
    let out = rig.run(&input, 4_800);
    let gain = crate::rig::level(&out[0][4_800..]) - crate::rig::level(&input[4_800..]);
    assert!((gain - 6.0206).abs() < 0.01 && (rig.trim() - 6.0206).abs() < 0.01, "{gain}");
    assert_eq!(own(&rig.save())["desk_gain"], json!(null), "it is kept apart no more");
}

/// A small generator: the same garbage in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }
}

fn garbage(dice: &mut Dice, good: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    match dice.below(5) {
        0 => (0..dice.below(300)).map(|_| dice.next() as u8).collect(),
        1 => bytes[..dice.below(good.len())].to_vec(),
        2 => {
            let noise: Vec<u8> = (0..dice.below(200)).map(|_| dice.next() as u8).collect();
            framed(&noise)
        }
        3 => {
            let values = [json!(null), json!(1e300), json!(-700), json!("x"), json!([]), json!({})];
            let mut state = read(good);
            let keys = ["trim", "low_cut", "bypass", "output", "nothing"];
            let key = keys[dice.below(keys.len())];
            state["params"][key] = json!({"f32": values[dice.below(values.len())]});
            framed(state.to_string().as_bytes())
        }
        _ => {
            let inside =
                ["armed\\\":1e30,\\\"x", "armed\\\":\\\"", "width\\\":3,\\\"x", "zoom\\\":-1"];
            let text = String::from_utf8_lossy(&bytes[8..]).into_owned();
            let key = ["armed\\\":true", "armed\\\":", "width\\\":1000", "zoom\\\":1.25"];
            let which = dice.below(4);
            bytes = framed(text.replacen(key[which], inside[which], 1).as_bytes());
            bytes
        }
    }
}

#[test]
fn a_thousand_pieces_of_garbage_change_nothing() {
    let mut rig = busy();
    let wanted = of_a_track(&mut rig);
    assert!(rig.load(&wanted));
    let good = rig.save();
    let mut dice = Dice(4);
    for round in 0..1_000 {
        let bad = garbage(&mut dice, &good);
        rig.load(&bad);
        assert!(rig.save() == good, "round {round}: {}", String::from_utf8_lossy(&bad));
    }
    let input = sine(997.0, 48_000.0, 640);
    assert!(rig.run(&input, 64)[0].iter().all(|sample| sample.is_finite()));
    row("garbage states refused, the old one kept", "1,000 of 1,000");
}
