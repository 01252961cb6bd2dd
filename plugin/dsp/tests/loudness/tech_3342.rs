//! EBU Tech 3342: loudness range. Tolerance 1 LU.

use crate::signals::{RATE, assert_near, levels, stereo};

#[test]
fn cases_1_to_4_of_the_loudness_range() {
    let cases: [(&[f64], f64); 4] = [
        (&[-20.0, -30.0], 10.0),
        (&[-20.0, -15.0], 5.0),
        (&[-40.0, -20.0], 20.0),
        (&[-50.0, -35.0, -20.0, -35.0, -50.0], 15.0),
    ];
    for (steps, expected) in cases {
        let steps: Vec<(f64, f64)> = steps.iter().map(|level| (*level, 20.0)).collect();
        let range = levels(&stereo(&steps), RATE).range_lu;
        assert_near(range, expected, 1.0, "LRA");
        // The tolerance allows for coarse windows; ours are every 100 ms.
        assert_near(range, expected, 0.1, "LRA, our own bound");
    }
}

#[test]
fn less_than_3_seconds_have_no_range() {
    assert_eq!(levels(&stereo(&[(-20.0, 2.9)]), RATE).range_lu, None);
}
