//! The pages of compressor, gate, de-esser and limiter.

use super::*;
use egui_kittest::kittest::NodeT as _;

fn field<'a>(harness: &'a Harness<'static, Desk>, name: &'a str) -> egui_kittest::Node<'a> {
    harness.get_by_role_and_label(Role::SpinButton, name)
}

#[test]
fn a_number_is_typed_and_set_once() {
    let mut harness = opened(compressor());
    field(&harness, "Threshold").click();
    harness.run_steps(6);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_steps(1);
    let text = harness.get_by_role_and_label(Role::TextInput, "Threshold");
    text.type_text("-30 dBFS");
    harness.run_steps(2);
    harness.press(Key::Enter);
    let calls = calls(&harness);
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0].1["effect"]["threshold"], json!(-30.0));
    assert_eq!(calls[0].1["effect"]["ratio"], json!(4.0));
}

#[test]
fn a_slider_is_heard_while_it_moves_and_set_when_it_is_let_go() {
    let mut harness = opened(limiter());
    let slider = harness.get_by_role_and_label(Role::Slider, "Ceiling").rect();
    let from = egui::pos2(slider.right() - 8.0, slider.center().y);
    harness.drag(from, from - egui::vec2(40.0, 0.0));
    let heard = |action: &&Action| matches!(action, Action::PreviewInsert { .. });
    assert!(harness.state().actions.iter().filter(heard).count() > 1);
    let calls = calls(&harness);
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert!(calls[0].1["effect"]["ceiling"].as_f64().unwrap() < -4.0);
}

#[test]
fn the_ring_of_a_transfer_curve_sets_threshold_and_ratio() {
    let mut harness = opened(compressor());
    let name = "Level that comes out over the level that goes in, both from −60 to 0 dBFS";
    let curve = harness.get_by_label(name).rect();
    let Effect::Compressor(it) = compressor() else { panic!() };
    let out = it.curve(Decibels(-20.0)).0 as f32;
    let share = |level: f32| (level + 60.0) / 60.0;
    let at = curve.lerp_inside(egui::vec2(share(-20.0), 1.0 - share(out)));
    harness.drag(at, at + egui::vec2(-40.0, 40.0));
    let calls = calls(&harness);
    assert_eq!(calls.len(), 1, "{calls:?}");
    let effect = &calls[0].1["effect"];
    assert!(effect["threshold"].as_f64().unwrap() < -26.0, "{effect}");
    assert!(effect["ratio"].as_f64().unwrap() > 5.0, "{effect}");
}

#[test]
fn what_a_compressor_does_is_told_from_what_was_measured() {
    let harness = opened_with(vec![compressor()], |model| {
        model.live.motion = Motion::Playing;
        model.live.watched = Some(measured(&compressor(), 0.5));
        model.live.reductions.insert(FIRST, 8.2);
    });
    // A sine of 0.5 has an RMS of -9 dBFS: 11 dB over the threshold, 8.2 dB less at 4 : 1.
    assert!(harness.query_by_label_contains("Reduction now: −8.").is_some());
    assert!(harness.query_by_label_contains("Average with sound, last 6 s: −").is_some());
    assert!(harness.query_by_label_contains("dBFS in, −17.").is_some(), "the dot");
    assert!(harness.query_by_label_contains("Compressor takes away 8.").is_some());
    let stopped = opened_with(vec![compressor()], |model| {
        model.live.watched = Some(measured(&compressor(), 0.5));
    });
    assert!(stopped.query_by_label("Reduction now: −∞ dB").is_some());
}

#[test]
fn a_limiter_tells_the_true_peaks_before_and_after_it() {
    let harness = opened_with(vec![limiter()], |model| {
        model.live.motion = Motion::Playing;
        model.live.watched = Some(measured(&limiter(), 0.9));
    });
    // 0.9 with 6 dB more.
    assert!(harness.query_by_label_contains("True peak in, with gain, last 6 s: +5.1").is_some());
    assert!(harness.query_by_label_contains("True peak out, last 6 s: −1.0 dBTP").is_some());
}

#[test]
fn in_a_host_only_the_reduction_is_told() {
    let harness = opened_with(vec![compressor()], |model| {
        model.live.output = SoundOutput::Host { name: "Ardour".into() };
        model.live.motion = Motion::Playing;
        model.live.reductions.insert(FIRST, 4.5);
    });
    assert!(harness.query_by_label("Reduction now: −4.5 dB").is_some());
    assert!(harness.query_by_label_contains("last 6 s").is_none());
    let threshold = field(&harness, "Threshold");
    assert_eq!(threshold.accesskit_node().numeric_value(), Some(-20.0));
}
