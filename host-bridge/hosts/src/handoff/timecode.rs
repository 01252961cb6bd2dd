//! Frame rates and timecode labels (SMPTE ST 12-1), and exact conversion between frames of picture and of audio.

use deskhand_dsp::{Frames, SampleRate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How frames of picture are counted.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum FrameRate {
    /// 24000/1001 frames a second.
    #[serde(rename = "23.976")]
    Fps23976,
    /// Film.
    #[serde(rename = "24")]
    Fps24,
    /// PAL.
    #[default]
    #[serde(rename = "25")]
    Fps25,
    /// NTSC, each label counted.
    #[serde(rename = "29.97")]
    Fps2997,
    /// NTSC, with labels left out so that they follow the clock.
    #[serde(rename = "29.97 drop")]
    Fps2997Drop,
    /// 30 frames a second.
    #[serde(rename = "30")]
    Fps30,
    /// 50 frames a second.
    #[serde(rename = "50")]
    Fps50,
    /// 60000/1001 frames a second.
    #[serde(rename = "59.94")]
    Fps5994,
    /// 60000/1001 frames a second, with labels left out so that they follow the clock.
    #[serde(rename = "59.94 drop")]
    Fps5994Drop,
    /// 60 frames a second.
    #[serde(rename = "60")]
    Fps60,
}

impl FrameRate {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Fps23976,
        Self::Fps24,
        Self::Fps25,
        Self::Fps2997,
        Self::Fps2997Drop,
        Self::Fps30,
        Self::Fps50,
        Self::Fps5994,
        Self::Fps5994Drop,
        Self::Fps60,
    ];

    /// The number of labels in a second.
    #[must_use]
    pub fn nominal(self) -> i64 {
        match self {
            Self::Fps23976 | Self::Fps24 => 24,
            Self::Fps25 => 25,
            Self::Fps2997 | Self::Fps2997Drop | Self::Fps30 => 30,
            Self::Fps50 => 50,
            Self::Fps5994 | Self::Fps5994Drop | Self::Fps60 => 60,
        }
    }

    /// The length of a frame in seconds, as numerator and denominator.
    #[must_use]
    pub fn duration(self) -> (i64, i64) {
        match self {
            Self::Fps23976
            | Self::Fps2997
            | Self::Fps2997Drop
            | Self::Fps5994
            | Self::Fps5994Drop => (1001, self.nominal() * 1000),
            Self::Fps24 | Self::Fps25 | Self::Fps30 | Self::Fps50 | Self::Fps60 => {
                (1, self.nominal())
            }
        }
    }

    /// Whether labels are left out.
    #[must_use]
    pub fn is_drop(self) -> bool {
        matches!(self, Self::Fps2997Drop | Self::Fps5994Drop)
    }

    /// The same rate with labels left out, if there is such a count.
    #[must_use]
    pub fn dropping(self) -> Option<Self> {
        match self {
            Self::Fps2997 | Self::Fps2997Drop => Some(Self::Fps2997Drop),
            Self::Fps5994 | Self::Fps5994Drop => Some(Self::Fps5994Drop),
            _ => None,
        }
    }

    /// The same rate with each label counted.
    #[must_use]
    pub fn counting_all(self) -> Self {
        match self {
            Self::Fps2997Drop => Self::Fps2997,
            Self::Fps5994Drop => Self::Fps5994,
            other => other,
        }
    }

    /// The frame of picture nearest to a position of audio.
    #[must_use]
    pub fn nearest(self, at: Frames, rate: SampleRate) -> i64 {
        let (numerator, denominator) = self.duration();
        divide(at.0, denominator, numerator, rate.0.into())
    }

    /// The position of audio nearest to the start of a frame of picture.
    #[must_use]
    pub fn samples(self, frame: i64, rate: SampleRate) -> Frames {
        let (numerator, denominator) = self.duration();
        Frames(divide(frame, i64::from(rate.0) * numerator, denominator, 1))
    }

    /// The number of frames in a day of labels.
    #[must_use]
    pub fn day(self) -> i64 {
        let minutes = 24 * 60;
        minutes * 60 * self.nominal() - self.left_out() * (minutes - minutes / 10)
    }

    /// How many labels a minute leaves out, unless its number is a multiple of ten.
    fn left_out(self) -> i64 {
        if self.is_drop() { self.nominal() / 15 } else { 0 }
    }

    /// Hours, minutes, seconds and frames on the label of a frame, counted from midnight.
    fn numbers(self, frame: i64) -> [i64; 4] {
        let mut count = frame.rem_euclid(self.day());
        let left_out = self.left_out();
        let minute = 60 * self.nominal() - left_out;
        let ten = 10 * minute + left_out;
        // The first of ten minutes is longer: it leaves nothing out.
        let (tens, rest) = (count / ten, count % ten);
        count += left_out * (9 * tens + (rest - left_out).max(0) / minute);
        let (seconds, frames) = (count / self.nominal(), count % self.nominal());
        [seconds / 3600, seconds / 60 % 60, seconds % 60, frames]
    }

    /// The frame with these numbers. `None` if there is no such label.
    fn counted(self, [hours, minutes, seconds, frames]: [i64; 4]) -> Option<i64> {
        let in_range = hours < 24 && minutes < 60 && seconds < 60 && frames < self.nominal();
        let is_left_out = frames < self.left_out() && seconds == 0 && minutes % 10 != 0;
        let minutes = hours * 60 + minutes;
        let count = (minutes * 60 + seconds) * self.nominal() + frames;
        (in_range && !is_left_out).then(|| count - self.left_out() * (minutes - minutes / 10))
    }

    /// The label of a frame, counted from midnight: `01:00:00:00`, and `01:00:00;00` where labels are left out.
    #[must_use]
    pub fn label(self, frame: i64) -> String {
        let [hours, minutes, seconds, frames] = self.numbers(frame);
        let mark = if self.is_drop() { ';' } else { ':' };
        format!("{hours:02}:{minutes:02}:{seconds:02}{mark}{frames:02}")
    }

    /// The frame that a label stands for, counted from midnight. `None` for what is no label of this count.
    #[must_use]
    pub fn frame(self, label: &str) -> Option<i64> {
        let number = |text: &str| {
            let plain = text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| text.parse().ok()).flatten()
        };
        let numbers: Option<Vec<i64>> = label.split([':', ';', '.', ',']).map(number).collect();
        self.counted(numbers?.try_into().ok()?)
    }
}

/// `value * times / (by * also_by)`, rounded to the nearest, halves up; saturates. A divisor of 0 gives 0.
pub(super) fn divide(value: i64, times: i64, by: i64, also_by: i64) -> i64 {
    let by = i128::from(by) * i128::from(also_by);
    if by <= 0 {
        return 0;
    }
    let twice = i128::from(value).saturating_mul(i128::from(times)).saturating_mul(2);
    let nearest = twice.saturating_add(by).div_euclid(2 * by);
    i64::try_from(nearest).unwrap_or(if nearest < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// SMPTE ST 12-1, read literally: count all labels, and leave out the first ones of each minute except 0, 10, …, 50.
    fn every_label(rate: FrameRate) -> impl Iterator<Item = [i64; 4]> {
        let left_out = if rate.is_drop() { if rate.nominal() == 30 { 2 } else { 4 } } else { 0 };
        let seconds = (0..24 * 3600).map(|s| (s / 3600, s / 60 % 60, s % 60));
        seconds.flat_map(move |(h, m, s)| {
            let first = if s == 0 && m % 10 != 0 { left_out } else { 0 };
            (first..rate.nominal()).map(move |f| [h, m, s, f])
        })
    }

    #[test]
    fn drop_frame_labels_hold_over_a_day() {
        for rate in [FrameRate::Fps2997Drop, FrameRate::Fps5994Drop] {
            let mut day = 0;
            for (at, numbers) in (0_i64..).zip(every_label(rate)) {
                assert!(rate.numbers(at) == numbers && rate.counted(numbers) == Some(at), "{at}");
                day = at + 1;
            }
            assert_eq!(day, rate.day());
        }
        assert_eq!(FrameRate::Fps2997Drop.day(), 2_589_408);
    }

    #[test]
    fn labels_that_do_not_exist_are_none() {
        let drop = FrameRate::Fps2997Drop;
        for label in ["00:01:00;00", "00:01:00;01", "00:00:00;30", "24:00:00;00", "1:00:00;00", ""]
        {
            assert_eq!(drop.frame(label), None, "{label}");
        }
        for label in ["00:10:00;00", "00:01:00;02", "00:01:01;00", "00:01:00:02"] {
            assert!(drop.frame(label).is_some(), "{label}");
        }
        assert_eq!(FrameRate::Fps25.frame("+1:00:00:00"), None);
        assert_eq!(FrameRate::Fps25.label(-1), "23:59:59:24");
    }

    proptest! {
        #[test]
        fn a_frame_and_its_label_are_one(at in 0_i64..2_000_000, which in 0_usize..10) {
            let rate = FrameRate::ALL[which];
            prop_assert_eq!(rate.frame(&rate.label(at)), Some(at));
        }

        #[test]
        fn a_frame_is_found_by_its_audio(at in -9_000_000_i64..9_000_000, which in 0_usize..10) {
            let (rate, audio) = (FrameRate::ALL[which], SampleRate(44_100));
            prop_assert_eq!(rate.nearest(rate.samples(at, audio), audio), at);
        }
    }
}
