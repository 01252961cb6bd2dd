//! Times of Timed Text: `00:00:01.5`, with frames `00:00:01:12`, and `1.5s`, `1500ms`, `36f`, `15t`.

use super::super::super::Micros;
use std::collections::BTreeMap;

/// How many frames and ticks a second has.
pub(super) struct Clock {
    frames: f64,
    ticks: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { frames: 30.0, ticks: 30.0 }
    }
}

impl Clock {
    /// As the element `tt` says.
    pub(super) fn of(attributes: &BTreeMap<String, String>) -> Self {
        let number =
            |text: &str| text.parse().ok().filter(|rate: &f64| (1.0..=1e12).contains(rate));
        let rate = |name: &str| attributes.get(name).and_then(|text| number(text.trim()));
        let share = attributes.get("frameRateMultiplier").and_then(|text| {
            let (over, under) = text.trim().split_once([' ', ':'])?;
            Some(number(over)? / number(under.trim())?)
        });
        let frames = rate("frameRate");
        let own = frames.unwrap_or(30.0) * share.unwrap_or(1.0);
        let ticks = rate("tickRate").or(frames.map(|_| own)).unwrap_or(1.0);
        Self { frames: own, ticks }
    }

    /// `None` if it is no time.
    pub(super) fn time(&self, text: &str) -> Option<Micros> {
        let text = text.trim();
        if text.matches(':').count() == 3 {
            let (clock, frames) = text.rsplit_once(':')?;
            let frames: f64 = frames.parse().ok()?;
            return Micros::of_seconds(Micros::parse(clock)?.seconds() + frames / self.frames);
        }
        if text.contains(':') {
            return Micros::parse(text);
        }
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        let seconds = match unit {
            "h" => number * 3_600.0,
            "m" => number * 60.0,
            "s" | "" => number,
            "ms" => number / 1_000.0,
            "f" => number / self.frames,
            "t" => number / self.ticks,
            _ => return None,
        };
        Micros::of_seconds(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_every_kind_are_read() {
        let rates = [("frameRate", "30"), ("frameRateMultiplier", "1000 1001"), ("tickRate", "10")];
        let rates = rates.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let clock = Clock::of(&rates.into());
        for (text, millis) in [
            ("00:00:01.5", 1_500),
            ("00:00:01:15", 1_501),
            ("1h", 3_600_000),
            ("1.5m", 90_000),
            ("2", 2_000),
            ("15ms", 15),
            ("30f", 1_001),
            ("15t", 1_500),
        ] {
            let time = clock.time(text).map(|at| (at.0 + 500) / 1_000);
            assert_eq!(time, Some(millis), "{text}");
        }
        for text in ["", "soon", "-1s", "1x", "1:2:3:4:5", "NaN", "1e9"] {
            assert_eq!(clock.time(text), None, "{text}");
        }
    }
}
