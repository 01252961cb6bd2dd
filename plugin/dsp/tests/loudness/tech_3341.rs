//! EBU Tech 3341, table 1: every signal that can be synthesized. Tolerance 0.1 LU.

use crate::signals::{RATE, SILENCE, assert_near, each_update, levels, stereo, tone};

const TOLERANCE: f64 = 0.1;

fn integrated(steps: &[(f64, f64)]) -> Option<f64> {
    levels(&stereo(steps), RATE).integrated.map(|lufs| lufs.0)
}

#[test]
fn cases_1_and_2_a_steady_tone_reads_the_same_on_every_scale() {
    for level in [-23.0, -33.0] {
        let audio = stereo(&[(level, 20.0)]);
        let read = levels(&audio, RATE);
        assert_near(read.integrated.map(|l| l.0), level, TOLERANCE, "I");
        assert_near(read.max_momentary.map(|l| l.0), level, TOLERANCE, "max M");
        assert_near(read.max_short_term.map(|l| l.0), level, TOLERANCE, "max S");
        each_update(&audio, |meter, at| {
            if at > 3.0 {
                assert_near(meter.momentary().map(|l| l.0), level, TOLERANCE, "M");
                assert_near(meter.short_term().map(|l| l.0), level, TOLERANCE, "S");
            }
        });
    }
}

#[test]
fn cases_3_to_5_the_gates_leave_the_quiet_parts_out() {
    let relative = [(-36.0, 10.0), (-23.0, 60.0), (-36.0, 10.0)];
    assert_near(integrated(&relative), -23.0, TOLERANCE, "case 3");
    let both = [(-72.0, 10.0), (-36.0, 10.0), (-23.0, 60.0), (-36.0, 10.0), (-72.0, 10.0)];
    assert_near(integrated(&both), -23.0, TOLERANCE, "case 4");
    let loud_middle = [(-26.0, 20.0), (-20.0, 20.1), (-26.0, 20.0)];
    assert_near(integrated(&loud_middle), -23.0, TOLERANCE, "case 5");
}

#[test]
fn case_6_surrounds_count_more() {
    let audio = [-28.0, -28.0, -24.0, -30.0, -30.0].map(|level| tone(&[(level, 20.0)]));
    assert_near(levels(&audio, RATE).integrated.map(|l| l.0), -23.0, TOLERANCE, "case 6");
    let [left, right, center, ls, rs] = audio;
    let with_lfe = [left, right, center, tone(&[(-3.0, 20.0)]), ls, rs];
    let read = levels(&with_lfe, RATE);
    assert_near(read.integrated.map(|l| l.0), -23.0, TOLERANCE, "5.1 with a loud LFE");
    assert_near(read.sample_peak.map(|l| l.0), -3.0, 0.01, "the LFE has a peak all the same");
}

#[test]
fn case_9_short_term_is_constant_over_a_period_of_3_seconds() {
    let audio = stereo(&[(-20.0, 1.34), (-30.0, 1.66)].repeat(5));
    each_update(&audio, |meter, at| {
        if at >= 3.0 {
            assert_near(meter.short_term().map(|l| l.0), -23.0, TOLERANCE, "case 9");
        }
    });
}

#[test]
fn case_10_the_maximum_short_term_does_not_depend_on_the_start() {
    for i in 0..20 {
        let start = 0.15 * f64::from(i);
        let audio = stereo(&[(SILENCE, start), (-23.0, 3.0), (SILENCE, 1.0)]);
        let read = levels(&audio, RATE).max_short_term.map(|l| l.0);
        assert_near(read, -23.0, TOLERANCE, &format!("case 10 at {start} s"));
    }
}

#[test]
fn case_12_momentary_is_constant_over_a_period_of_400_ms() {
    let audio = stereo(&[(-20.0, 0.18), (-30.0, 0.22)].repeat(25));
    each_update(&audio, |meter, at| {
        if at >= 1.0 {
            assert_near(meter.momentary().map(|l| l.0), -23.0, TOLERANCE, "case 12");
        }
    });
}

#[test]
fn case_13_the_maximum_momentary_does_not_depend_on_the_start() {
    for i in 0..20 {
        // Two public suites disagree on the step: 20 ms and 5 ms.
        for step in [0.02, 0.005] {
            let start = step * f64::from(i);
            let audio = stereo(&[(SILENCE, start), (-23.0, 0.4), (SILENCE, 1.0)]);
            let read = levels(&audio, RATE).max_momentary.map(|l| l.0);
            assert_near(read, -23.0, TOLERANCE, &format!("case 13 at {start} s"));
        }
    }
}
