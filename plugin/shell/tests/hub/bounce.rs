//! A host that bounces while the output is the session.

use crate::desk::{Desk, field, turn, until};
use crate::rig::{Rig, level, row};
use crate::session_out::playing;
use crate::{RATE, play_until};
use clack_extensions::render::RenderMode;
use deskhand_plugin::guard::Entry;
use deskhand_plugin::test_probes;
use serde_json::json;

/// The input, which must not be heard.
const IN: f32 = 0.9;

/// A host that bounces `frames` from `at` on, as soon as it may.
fn bounce(rig: &mut Rig, at: i64, frames: usize, block: u32) -> Vec<f32> {
    rig.stop();
    rig.render(RenderMode::Offline);
    rig.start(RATE, block);
    let out = rig.roll(&vec![IN; frames], at, RATE, block as usize).swap_remove(0);
    rig.halt(at + frames as i64, RATE);
    out
}

/// Hears `frames` live from `at`, about as fast as a host plays, so that the disk keeps up. If the machine
/// paused, something may be missing, and it is heard again.
fn heard_live(
    rig: &mut Rig,
    at: i64,
    frames: usize,
    is_whole: impl Fn(&[f32]) -> bool,
) -> Vec<f32> {
    let mut out = Vec::new();
    until(|| {
        out.clear();
        rig.halt(at, RATE);
        until(|| {
            let from = at + i64::try_from(out.len()).unwrap();
            out.extend(rig.roll(&[IN; 480], from, RATE, 480).swap_remove(0));
            out.len() >= frames
        });
        is_whole(&out)
    });
    out
}

#[test]
fn a_bounce_that_begins_at_once_is_the_session_from_its_first_frame_as_it_is_heard_live() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut rig, input) = playing(&desk);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "revision") == json!(desk.head().0));
    // From half a second before the clip to half a second after it.
    let is_whole = |out: &[f32]| out[24_000..120_000] == input && level(&out[..24_000]) < -200.0;
    let live = heard_live(&mut rig, 120_000, 144_000, is_whole);
    for block in [480, 4_096, 17] {
        let out = bounce(&mut rig, 120_000, 144_000, block);
        let off = out.iter().zip(&live).filter(|(one, other)| one != other).count();
        assert_eq!(off, 0, "blocks of {block}");
    }
    // In the middle of the clip it begins at full level.
    let out = bounce(&mut rig, 168_000, 24_000, 512);
    assert!(out == input[24_000..48_000], "every bit of the clip, from the first on");
    assert_eq!((rig.errors, test_probes::shown_trouble()), (0, None));
    row("bounce at once, beside live: frames that differ", "0 of 144,000");
}

#[test]
fn a_bounce_that_jumps_waits_for_the_disk_and_no_longer() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut rig, input) = playing(&desk);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "revision") == json!(desk.head().0));
    rig.stop();
    rig.render(RenderMode::Offline);
    rig.start(RATE, 512);
    let mut dice = 1_u64;
    for _ in 0..200 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = 144_000 + i64::try_from((dice >> 33) % 90_000).unwrap();
        let out = rig.roll(&[IN; 2_048], at, RATE, 512).swap_remove(0);
        let from = usize::try_from(at - 144_000).unwrap();
        // After the fades of a jump.
        assert!(out[1_024..] == input[from + 1_024..from + 2_048], "at {at}");
    }
    assert_eq!((rig.errors, test_probes::shown_trouble()), (0, None));
    row("200 jumps in a bounce: blocks that were not read in time", 0);
}

#[test]
fn a_bounce_to_which_no_session_comes_is_an_error_and_silent() {
    let _turn = turn();
    let mut rig = Rig::idle();
    // There is no helper: nobody answers.
    rig.start(RATE, 512);
    rig.set("Output", 1.0);
    rig.run(&[0.0; 512], 512);
    let out = bounce(&mut rig, 0, 48_000, 512);
    assert!(out.iter().all(|sample| *sample == 0.0), "never what comes in");
    assert_eq!(rig.errors, 95, "each block of the bounce, and the one in which the host stops");
    assert_eq!(test_probes::shown_trouble().as_deref(), Some(Entry::Absent.message()));
    rig.stop();
    rig.render(RenderMode::Realtime);
    rig.start(RATE, 512);
    assert_eq!(rig.run(&[IN; 512], 512)[0], [IN; 512], "live sound passes");
    row("a bounce without a session: frames of the input, errors", "0, each block");
}
