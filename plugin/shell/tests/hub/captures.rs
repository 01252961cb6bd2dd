//! How much of the input is kept: the last minutes, all of an armed recording, up to the limit of the disk,
//! or nothing.

use crate::desk::{Desk, field, turn, until};
use crate::rig::{Rig, sine};
use crate::{RATE, joined, play_until};
use clack_extensions::render::RenderMode;
use deskhand_plugin::{planted_faults, test_probes};
use deskhand_session::Clip;
use serde_json::json;

/// A host's rate at which minutes are short.
const SLOW: f64 = 8_000.0;
const MINUTE: usize = 480_000;

/// The preferences as they were, at the end of a test.
struct Preferences;

impl Drop for Preferences {
    fn drop(&mut self) {
        test_probes::capture(true, 10);
        planted_faults::armed_goes_on_after(None);
        planted_faults::capture_at_most(None);
    }
}

fn clips(desk: &Desk) -> Vec<Clip> {
    let mut clips: Vec<Clip> = desk.session().clips.into_values().collect();
    clips.sort_by_key(|clip| clip.position);
    clips
}

/// The clips, in order, of a render of three minutes and a half, at the session's rate.
fn rendered(is_armed: bool, count: usize) -> Vec<Clip> {
    let desk = Desk::new();
    let mut rig = Rig::idle();
    assert!(rig.load(&desk.project_with("armed", json!(is_armed))));
    rig.render(RenderMode::Offline);
    rig.start(SLOW, 4_096);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    until(test_probes::records);
    let input = vec![0.25; MINUTE * 7 / 2];
    rig.roll(&input, 0, SLOW, 4_096);
    rig.halt(input.len() as i64, SLOW);
    play_until(&mut [&mut rig], |_| clips(&desk).len() == count);
    let folder = desk.dir.join("media/captures");
    let files = std::fs::read_dir(&folder).unwrap().flatten();
    assert_eq!(files.count(), count, "what is not kept takes no disk");
    clips(&desk)
}

/// They follow each other without a gap, to the end of the render.
fn reach_the_end(clips: &[Clip]) {
    assert!(clips.windows(2).all(|pair| pair[0].end() == pair[1].position), "{clips:#?}");
    let end = (MINUTE * 7 / 2 * 6) as i64;
    assert_eq!(clips.last().unwrap().end().0, end);
}

#[test]
fn of_a_long_pass_the_last_minutes_are_kept_and_of_an_armed_one_all() {
    let _turn = turn();
    let _as_before = Preferences;
    test_probes::capture(true, 1);
    planted_faults::armed_goes_on_after(Some(1));
    let rolled = rendered(false, 2);
    reach_the_end(&rolled);
    let (first, minute) = (rolled[0].position.0, (MINUTE * 6) as i64);
    // A file ends after the piece that fills it.
    assert!((2 * minute..2 * minute + 3 * 4_096 * 6).contains(&first), "{first}");
    let armed = rendered(true, 4);
    reach_the_end(&armed);
    assert_eq!(armed[0].position.0, 0);
}

#[test]
fn a_pass_ends_where_the_disk_holds_what_the_person_wants_and_what_came_before_is_kept() {
    let _turn = turn();
    let _as_before = Preferences;
    let desk = Desk::new();
    let mut rig = joined(&desk);
    // Of 8 bytes a frame.
    planted_faults::capture_at_most(Some(600_000));
    let input = sine(440.0, RATE, 48_000 * 3);
    rig.roll(&input, 0, RATE, 480);
    rig.halt(48_000 * 3, RATE);
    play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
    let clip = clips(&desk).swap_remove(0);
    let kept = usize::try_from(clip.length.0).unwrap();
    assert!((75_000..140_000).contains(&kept), "{kept}");
    assert!(desk.audio(clip.source) == input[..kept], "every bit of it");
    let told = test_probes::shown_trouble().unwrap();
    assert!(told.contains("capturing ended early. What came before is kept"), "{told}");
    // There is room again.
    planted_faults::capture_at_most(None);
    rig.roll(&input, 480_000, RATE, 480);
    rig.halt(480_000 + 48_000 * 3, RATE);
    play_until(&mut [&mut rig], |_| clips(&desk).len() == 2);
    assert_eq!(clips(&desk)[1].length.0, 48_000 * 3);
    assert_eq!(test_probes::shown_trouble(), None);
}

#[test]
fn what_a_host_plays_that_does_not_tell_where_is_one_pass_from_the_start() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = joined(&desk);
    let input = sine(440.0, RATE, 96_000);
    rig.roll_nowhere(&input, 480);
    rig.halt(0, RATE);
    play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
    let [clip] = clips(&desk).try_into().unwrap();
    assert_eq!((clip.position.0, clip.length.0), (0, 96_000));
    assert_eq!(desk.audio(clip.source), input, "every bit");
    // A new recording starts where the host starts again.
    let again = sine(220.0, RATE, 48_000);
    rig.roll_nowhere(&again, 480);
    rig.halt(0, RATE);
    play_until(&mut [&mut rig], |_| clips(&desk).len() == 2);
    assert_eq!(desk.audio(clips(&desk)[0].source), again);
    assert_eq!((clips(&desk)[1].position.0, clips(&desk)[1].length.0), (48_000, 48_000));
}

#[test]
fn where_capturing_is_switched_off_the_pass_ends_and_nothing_more_is_kept() {
    let _turn = turn();
    let _as_before = Preferences;
    let desk = Desk::new();
    let mut rig = joined(&desk);
    let second = sine(440.0, RATE, 48_000);
    let mut at = 0;
    let mut play = |rig: &mut Rig| {
        let out = rig.roll(&second, at, RATE, 480);
        assert_eq!(out[0], second, "sound passes");
        at += 48_000;
    };
    play(&mut rig);
    // In the middle of a pass.
    test_probes::capture(false, 10);
    until(|| !test_probes::records());
    play(&mut rig);
    play_until(&mut [&mut rig], |_| clips(&desk).len() == 1);
    assert_eq!((clips(&desk)[0].position.0, clips(&desk)[0].length.0), (0, 48_000));
    test_probes::capture(true, 10);
    until(test_probes::records);
    play(&mut rig);
    rig.halt(144_000, RATE);
    play_until(&mut [&mut rig], |_| clips(&desk).len() == 2);
    assert_eq!((clips(&desk)[1].position.0, clips(&desk)[1].length.0), (96_000, 48_000));
}

#[test]
fn where_capture_is_off_the_way_to_record_says_that() {
    let _turn = turn();
    let desk = Desk::new();
    let _rig = joined(&desk);
    let said = || desk.refusal_or_summary("tool_measure", json!({"targets": "all"}));
    test_probes::capture(false, 10);
    until(|| {
        said().contains("\"Track 1\" has recorded nothing, for capture is off: turn it on in ")
    });
    test_probes::capture(true, 10);
    until(|| said().contains("\"Track 1\" has recorded nothing yet: play it once in "));
}

#[test]
fn while_a_track_records_it_is_said_to() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = joined(&desk);
    let said = || desk.refusal_or_summary("tool_measure", json!({"targets": "all"}));
    assert!(said().contains("\"Track 1\" has recorded nothing yet"), "{}", said());
    let mut at = 0;
    until(|| {
        rig.roll(&[0.25; 480], at, RATE, 480);
        at += 480;
        desk.instances()[0].captures
    });
    let way = "\"Track 1\" records now: what it heard is there once hub-";
    assert!(said().contains(way), "{}", said());
    rig.roll(&[0.25; 48_000], at, RATE, 480);
    rig.halt(at + 48_000, RATE);
    play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
    until(|| !desk.instances()[0].captures);
    assert!(!said().contains("recorded nothing") && !said().contains("records now"));
}
