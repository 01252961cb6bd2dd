//! Coming and going.

use crate::rig::{Rig, row, sine};

fn rounds() -> usize {
    if std::env::var_os("DESKHAND_LONG").is_some() { 10_000 } else { 1_000 }
}

#[test]
fn a_thousand_instances_come_start_play_stop_and_go() {
    let input = sine(997.0, 48_000.0, 256);
    for _ in 0..rounds() {
        let mut rig = Rig::stereo(48_000.0, 256);
        assert_eq!(rig.run(&input, 64)[0], input);
        rig.stop();
    }
    row("created, activated, played, stopped, destroyed", format!("{} times", rounds()));
}

#[test]
fn thirty_two_instances_keep_to_themselves() {
    let input = sine(997.0, 48_000.0, 4_800);
    let mut rigs: Vec<Rig> = (0..32).map(|_| Rig::stereo(48_000.0, 512)).collect();
    for (n, rig) in (0..).zip(&mut rigs) {
        rig.set_trim(-f64::from(n));
    }
    let mut worst: f64 = 0.0;
    for (n, rig) in (0..).zip(&mut rigs) {
        let out = rig.run(&input, 480);
        let gain = crate::rig::level(&out[0][480..]) - crate::rig::level(&input[480..]);
        assert!((gain + f64::from(n)).abs() < 0.01, "instance {n}: {gain} dB");
        worst = worst.max((gain + f64::from(n)).abs());
    }
    row("32 instances with a gain of their own, off by at most", format!("{worst:.6} dB"));
    // In another order than they came.
    while !rigs.is_empty() {
        rigs.swap_remove(rigs.len() / 2);
    }
}
