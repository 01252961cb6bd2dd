//! Number formatting and meter scales. The one place that decides signs,
//! decimals and where a decibel sits on screen.

use super::fader;

/// True minus (U+2212), so signs align with tabular digits.
pub(crate) const MINUS: char = '\u{2212}';

/// `-3.5` -> `−3.5`; values that round to zero lose their sign.
pub(crate) fn num(v: f32, decimals: usize) -> String {
    let s = format!("{:.*}", decimals, v.abs());
    let is_zero = s.chars().all(|c| c == '0' || c == '.');
    if v < 0.0 && !is_zero { format!("{MINUS}{s}") } else { s }
}

/// Text with minus signs instead of hyphens before numbers.
pub(crate) fn minus(text: &str) -> String {
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        let is_number = letters.peek().is_some_and(char::is_ascii_digit);
        let begins = before.is_whitespace() || before == '(';
        out.push(if letter == '-' && is_number && begins { MINUS } else { letter });
        before = letter;
    }
    out
}

/// Like [`num`], but always signed: for differences and gains.
pub(crate) fn signed(v: f32, decimals: usize) -> String {
    let s = num(v, decimals);
    let zero = s.chars().all(|c| c == '0' || c == '.');
    if v > 0.0 && !zero { format!("+{s}") } else { s }
}

/// A level with one decimal; one that counts from full scale has its sign above it.
pub(crate) fn level(v: f32, unit: &str) -> String {
    if matches!(unit, "dBTP" | "dBFS") { signed(v, 1) } else { num(v, 1) }
}

/// Whether a level is a true peak over full scale: lower values read as 0.0.
pub(crate) fn is_over(v: f32, unit: &str) -> bool {
    unit == "dBTP" && v >= 0.05
}

/// Level meters: IEC 60268-18 deflection, 0 dBFS at the top. Returns 0 to 1.
pub(crate) fn meter_pos(db: f32) -> f32 {
    let pct = match db {
        d if d < -70.0 => 0.0,
        d if d < -60.0 => (d + 70.0) * 0.25,
        d if d < -50.0 => (d + 60.0) * 0.5 + 2.5,
        d if d < -40.0 => (d + 50.0) * 0.75 + 7.5,
        d if d < -30.0 => (d + 40.0) * 1.5 + 15.0,
        d if d < -20.0 => (d + 30.0) * 2.0 + 30.0,
        d => (d + 20.0) * 2.5 + 50.0,
    };
    (pct / 100.0).clamp(0.0, 1.0)
}

/// A linear scale from `low` to `high`. Returns 0 to 1.
pub(crate) fn linear_pos(value: f32, low: f32, high: f32) -> f32 {
    ((value - low) / (high - low)).clamp(0.0, 1.0)
}

/// Faders: the same law, shifted so +6 dB is full travel.
pub(crate) fn fader_pos(db: f32) -> f32 {
    meter_pos(db - 6.0)
}

/// The level at a fader position from 0 to 1: [`fader_pos`] turned around.
pub(crate) fn fader_db(pos: f32) -> f32 {
    let (mut low, mut high) = (fader::LOWEST, fader::HIGHEST);
    for _ in 0..24 {
        let middle = f32::midpoint(low, high);
        if fader_pos(middle) < pos { low = middle } else { high = middle }
    }
    (f32::midpoint(low, high) * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minus_sign_and_zero() {
        assert_eq!(num(-3.5, 1), "−3.5");
        assert_eq!(num(-0.04, 1), "0.0");
        assert_eq!(signed(2.5, 1), "+2.5");
        assert_eq!(signed(-0.01, 1), "0.0");
    }

    #[test]
    fn a_level_above_full_scale_has_its_sign() {
        let said = [(0.84, "dBTP"), (-1.0, "dBTP"), (0.0, "dBFS"), (0.84, "LU")];
        let said = said.map(|(value, unit)| level(value, unit));
        assert_eq!(said, ["+0.8", "−1.0", "0.0", "0.8"]);
        assert!(is_over(0.05, "dBTP") && !is_over(0.04, "dBTP") && !is_over(3.0, "LUFS"));
    }

    #[test]
    fn a_hyphen_ahead_of_a_number_is_a_minus_and_no_other_is() {
        let words = "Bring take-2 to -16 LUFS (-1 dBTP), 10-20 s - so";
        assert_eq!(minus(words), "Bring take-2 to −16 LUFS (−1 dBTP), 10-20 s - so");
    }

    #[test]
    fn meter_ends() {
        assert_eq!(meter_pos(0.0), 1.0);
        assert_eq!(meter_pos(-90.0), 0.0);
        assert!(fader_pos(0.0) < 1.0);
    }

    #[test]
    fn a_fader_comes_back_to_its_level() {
        for db in [-60.0, -24.0, -6.5, 0.0, 3.2, 6.0] {
            assert_eq!(fader_db(fader_pos(db)), db);
        }
    }
}
