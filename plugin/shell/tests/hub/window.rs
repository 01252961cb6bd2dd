//! The editor in a window of a host. It needs a display, and is skipped without one.

use crate::desk::{Desk, field, turn, until};
use crate::display::root;
use crate::rig::{Rig, level, roughness, sine};
use crate::{RATE, instance, joined, play_until};
use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiSize, PluginGui, Window};
use deskhand_plugin::guard::Entry;
use deskhand_plugin::{planted_faults, test_probes};
use deskhand_session::Handle;
use serde_json::json;
use std::process::Command;

fn open(rig: &mut Rig, root: u64) {
    let plugin = rig.instance.plugin_handle();
    let gui = plugin.get_extension::<PluginGui>().unwrap();
    let config = GuiConfiguration { api_type: GuiApiType::X11, is_floating: false };
    gui.create(&plugin, config).unwrap();
    // SAFETY: the root window lives as long as the display.
    unsafe { gui.set_parent(&plugin, Window::from_x11_handle(root)).unwrap() };
    gui.show(&plugin).unwrap();
}

fn close(rig: &mut Rig) {
    let plugin = rig.instance.plugin_handle();
    plugin.get_extension::<PluginGui>().unwrap().destroy(&plugin);
}

fn resize(rig: &mut Rig) {
    let plugin = rig.instance.plugin_handle();
    let gui = plugin.get_extension::<PluginGui>().unwrap();
    assert!(gui.can_resize(&plugin));
    gui.set_size(&plugin, GuiSize { width: 1_000, height: 700 }).unwrap();
    until(|| {
        rig.main_thread();
        field(rig, "window")["width"] == json!(1_000)
    });
}

#[test]
fn in_an_open_window_a_plan_turns_the_knob_without_a_click() {
    let _turn = turn();
    let Some(root) = root() else { return };
    let mut desk = Desk::new();
    let mut rig = instance(&desk);
    until(|| desk.instances().len() == 1);
    open(&mut rig, root);
    let name = desk.tracks()[0].1.name.clone();
    desk.call("cmd_set_track_gain", json!({"targets": [name], "change_db": -6.0}));
    let input = sine(440.0, RATE, 480 * 40);
    let mut out = Vec::new();
    let mut rounds = 0;
    until(|| {
        rig.main_thread();
        let at = (rounds % 40) * 480;
        rounds += 1;
        out.extend(rig.run(&input[at..at + 480], 480).swap_remove(0));
        let trim = rig.value("Trim");
        rig.text("Trim", trim).starts_with("-6.0")
    });
    let quiet = roughness(&out) / roughness(&input);
    // The kinks of a ramp of 10 ms; a step of 6 dB would be over a hundred.
    assert!(quiet < 1.5, "no click on the way: {quiet}");
    let end = rig.run(&input, 480).swap_remove(0);
    assert!((level(&end) - level(&input) + 6.0).abs() < 0.01);
    assert!((desk.tracks()[0].1.gain.0 + 6.0).abs() < 0.01, "the session knows one gain");
    assert_eq!(rig.trims_told().len(), 1, "the host is told once");

    resize(&mut rig);
    if let Some(picture) = std::env::var_os("DESKHAND_PICTURE") {
        let shot = Command::new("/usr/bin/import").args(["-window", "root"]).arg(picture).status();
        assert!(shot.unwrap().success());
    }
    close(&mut rig);
    open(&mut rig, root);
    close(&mut rig);
}

/// Plays a tone of half of full scale, with trim at 0 dB. It ends when the window shows the tone's level,
/// the waveform of the recording, and the question where to continue: at this revision or at the session's.
fn shows_all(rig: &mut Rig, revision: &str) {
    let asked = format!("at revision {revision} of the session");
    let question = ["went on without this project", asked.as_str(), "Continue here", "Branch from"];
    let input = sine(440.0, RATE, 48_000);
    let mut rounds = 0;
    until(|| {
        rig.main_thread();
        let from = (rounds % 100) * 480;
        rig.roll(&input[from..from + 480], (rounds * 480) as i64, RATE, 480);
        rounds += 1;
        let (words, meter) = (test_probes::shown_words(), test_probes::shown_level());
        let is_read = question.iter().all(|part| words.contains(part));
        // The waveform of silence is a line.
        is_read && (meter - 0.5).abs() < 0.01 && test_probes::shown_wave() > 6.0
    });
}

#[test]
fn a_window_over_a_recording_and_an_older_project_shows_both_and_closes() {
    let _turn = turn();
    let Some(root) = root() else { return };
    let mut desk = Desk::new();
    let mut rig = joined(&desk);
    rig.roll(&sine(440.0, RATE, 48_000 * 4), 0, RATE, 480);
    rig.halt(48_000 * 4, RATE);
    play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "revision") == json!(desk.head().0));
    let (project, saved_at) = (rig.save(), field(&mut rig, "revision"));
    drop(rig);
    until(|| desk.instances().is_empty());
    let name = desk.tracks()[0].1.name.clone();
    desk.call("cmd_set_track_gain", json!({"targets": [name], "change_db": -2.0}));
    let mut rig = Rig::idle();
    assert!(rig.load(&project));
    rig.start(RATE, 480);
    until(|| desk.instances().len() == 1);
    // What it has to show: levels while it plays, and whether to go on here or as the project was.
    assert_ne!(saved_at, json!(desk.head().0), "the project is older");
    let _earlier = test_probes::shown_level();
    open(&mut rig, root);
    let clip = desk.session().clips.keys().next().copied().unwrap();
    let handle = Handle::Clip(clip).to_string();
    desk.call("display_resource", json!({"handle": handle, "viewer": "spectrogram"}));
    shows_all(&mut rig, &saved_at.to_string());
    if let Some(picture) = std::env::var_os("DESKHAND_PICTURE_2") {
        let shot = Command::new("/usr/bin/import").args(["-window", "root"]).arg(picture).status();
        assert!(shot.unwrap().success());
    }
    // The value in the project is heard, and the session learns of it.
    until(|| desk.tracks()[0].1.gain.0.abs() < 0.01);
    close(&mut rig);
}

#[test]
fn a_panic_in_a_window_is_told_in_it_and_sound_goes_on() {
    let _turn = turn();
    let Some(root) = root() else { return };
    let desk = Desk::new();
    let mut rig = instance(&desk);
    until(|| desk.instances().len() == 1);
    open(&mut rig, root);
    planted_faults::arm(Entry::Window);
    until(|| {
        rig.main_thread();
        rig.run(&[0.0; 480], 480);
        !planted_faults::is_armed(Entry::Window)
    });
    rig.set_trim(6.0);
    rig.run(&[0.0; 4_800], 480);
    let input = sine(440.0, RATE, 4_800);
    let out = rig.run(&input, 480).swap_remove(0);
    assert!((level(&out) - level(&input) - 6.0).abs() < 0.1);
    close(&mut rig);
    // Reopened, it works again: a panic that still waits is planted again.
    open(&mut rig, root);
    planted_faults::arm(Entry::Window);
    until(|| {
        rig.main_thread();
        !planted_faults::is_armed(Entry::Window)
    });
    close(&mut rig);
    // A failure while the host saved is shown in the next window.
    planted_faults::arm(Entry::Save);
    rig.save();
    assert!(!planted_faults::is_armed(Entry::Save));
    open(&mut rig, root);
    until(|| {
        rig.main_thread();
        test_probes::shown_trouble().as_deref() == Some(Entry::Save.message())
    });
    close(&mut rig);
}
