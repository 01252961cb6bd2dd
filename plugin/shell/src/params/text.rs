//! Values of parameters as text, and back: every text that is printed reads back to its value.
//!
//! Thread: message

use crate::param_ranges::{LEAST_TRIM, LOW_CUT_OFF, MOST_LOW_CUT, MOST_TRIM};

/// Trim in dB, to a hundredth, or to the thousandth that it moves by. Its unit is separate.
pub(super) fn decibels(value: f32) -> String {
    let is_short = (value * 100.0 - (value * 100.0).round()).abs() < 0.05;
    // A zero has no sign.
    let value = value + 0.0;
    if is_short { format!("{value:.2}") } else { format!("{value:.3}") }
}

pub(super) fn read_decibels(text: &str) -> Option<f32> {
    number(text, "db").map(|value| value.clamp(LEAST_TRIM, MOST_TRIM))
}

/// The corner in Hz, to the tenth that it moves by; off at the lower end of its range.
pub(super) fn low_cut(hertz: f32) -> String {
    match hertz {
        _ if hertz <= LOW_CUT_OFF => "off".into(),
        _ if (hertz - hertz.round()).abs() < 0.05 => format!("{hertz:.0} Hz"),
        _ => format!("{hertz:.1} Hz"),
    }
}

pub(super) fn read_low_cut(text: &str) -> Option<f32> {
    match read_switch(text) {
        Some(false) => Some(LOW_CUT_OFF),
        Some(true) | None => number(text, "hz").map(|hertz| hertz.clamp(LOW_CUT_OFF, MOST_LOW_CUT)),
    }
}

pub(super) fn switch(on: bool) -> String {
    if on { "on" } else { "off" }.into()
}

pub(super) fn read_switch(text: &str) -> Option<bool> {
    is_one_of(text, &["on", "yes", "true", "1"], &["off", "no", "false", "0"])
}

pub(super) fn polarity(inverts: bool) -> String {
    if inverts { "inverted" } else { "normal" }.into()
}

pub(super) fn read_polarity(text: &str) -> Option<bool> {
    is_one_of(text, &["inverted", "invert", "reversed"], &["normal"]).or_else(|| read_switch(text))
}

fn is_one_of(text: &str, on: &[&str], off: &[&str]) -> Option<bool> {
    let text = text.trim().to_ascii_lowercase();
    let is_in = |words: &[&str]| words.contains(&text.as_str());
    (is_in(on) || is_in(off)).then(|| is_in(on))
}

/// A finite number, in front of `unit` or alone; a comma counts as the point, and a k as a thousand.
fn number(text: &str, unit: &str) -> Option<f32> {
    let text = text.trim().to_ascii_lowercase().replace(',', ".").replace('\u{2212}', "-");
    let bare = text.strip_suffix(unit).unwrap_or(&text).trim_end();
    let (bare, factor) = match bare.strip_suffix('k') {
        Some(thousands) => (thousands.trim_end(), 1_000.0),
        None => (bare, 1.0),
    };
    bare.parse::<f32>().ok().map(|value| value * factor).filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::DeskhandParams;
    use nice_plug::prelude::Param;

    #[test]
    fn every_text_that_is_printed_reads_back_to_its_value() {
        let params = DeskhandParams::default();
        for step in 0_u16..=10_000 {
            let fraction = f32::from(step) / 10_000.0;
            for (param, least) in [(&params.trim, 0.000_5), (&params.low_cut, 0.001)] {
                let value = param.preview_plain(fraction);
                let text = param.normalized_value_to_string(fraction, true);
                let again = param.string_to_normalized_value(&text);
                let read = param.preview_plain(again.unwrap());
                assert!((read - value).abs() <= least, "{fraction}: {value} {text} {read}");
            }
        }
        for on in [0.0, 1.0] {
            let switches: [&dyn Texts; 4] =
                [&params.polarity, &params.mono, &params.bypass, &params.output];
            for (index, switch) in switches.into_iter().enumerate() {
                let text = switch.print(on);
                assert_eq!(switch.read(&text), Some(on), "switch {index}: {text}");
            }
        }
    }

    /// A parameter of whatever type.
    trait Texts {
        fn print(&self, fraction: f32) -> String;
        fn read(&self, text: &str) -> Option<f32>;
    }

    impl<P: Param> Texts for P {
        fn print(&self, fraction: f32) -> String {
            self.normalized_value_to_string(fraction, true)
        }

        fn read(&self, text: &str) -> Option<f32> {
            self.string_to_normalized_value(text)
        }
    }

    #[test]
    fn what_people_type_is_understood_and_what_is_no_value_is_refused() {
        for (text, value) in [("-6dB", -6.0), ("-6 db", -6.0), ("6 DB", 6.0), (" 3,5 ", 3.5)] {
            assert_eq!(read_decibels(text), Some(value), "{text}");
        }
        assert_eq!([read_decibels("+200 dB"), read_decibels("-1000")], [Some(24.0), Some(-60.0)]);
        for (text, value) in [("80 hz", 80.0), ("80Hz", 80.0), ("0.2 kHz", 200.0), ("off", 20.0)] {
            assert_eq!(read_low_cut(text), Some(value), "{text}");
        }
        for text in ["nan", "NaN dB", "inf", "-inf dB", "", "dB", "loud", "6 Hz"] {
            assert_eq!(read_decibels(text), None, "{text}");
        }
        for text in ["nan", "nan hz", "inf Hz", "", "Hz", "deep", "on"] {
            assert_eq!(read_low_cut(text), None, "{text}");
        }
        assert_eq!([read_polarity("inverted"), read_polarity(" OFF ")], [Some(true), Some(false)]);
        assert_eq!([read_switch("maybe"), read_polarity("maybe")], [None, None]);
    }

    #[test]
    fn zero_decibels_have_no_sign() {
        assert_eq!([decibels(-0.0), decibels(-6.0), decibels(3.217)], ["0.00", "-6.00", "3.217"]);
    }
}
