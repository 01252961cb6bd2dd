//! Where the last frame of FLAC ends: its checksum tells, since the frame does not say how long it is.
//!
//! Source: RFC 9639 sections 9.1 (frame header) and 9.3 (frame footer).

use crate::scan::Scan;
use std::io::{Read, Result, Seek};

/// The longest header of a frame.
const MOST_HEAD: usize = 16;

impl<F: Read + Seek> Scan<F> {
    /// The end of the last frame between `start` and `end`; `None` if it is damaged or cut off.
    pub(crate) fn flac_end(&mut self, start: u64, end: u64) -> Result<Option<u64>> {
        const STEP: u64 = 1 << 15;
        let mut before = end;
        while before > start {
            let from = before.saturating_sub(STEP).max(start);
            let length = usize::try_from(before - from).unwrap_or(0);
            let window = self.bytes(from, length + MOST_HEAD)?;
            let frame =
                (0..length).rev().find(|at| is_frame(window.get(*at..).unwrap_or_default()));
            if let Some(skip) = frame {
                return self.flac_frame_end(from + skip as u64, end);
            }
            before = from;
        }
        Ok(None)
    }

    /// Where the checksum of the frame at `at` is right: at `end` if it can be there, or else the first place.
    fn flac_frame_end(&mut self, at: u64, end: u64) -> Result<Option<u64>> {
        const STEP: usize = 1 << 15;
        /// A frame is never longer: 8 channels of 65,535 samples of 4 bytes.
        const LONGEST: u64 = 1 << 21;
        let (mut sum, mut first, mut place) = (0u16, None, at);
        let last = end.min(at + LONGEST);
        while place < last {
            let left = usize::try_from(last - place).unwrap_or(STEP);
            let window = self.bytes(place, STEP.min(left))?;
            if window.is_empty() {
                break;
            }
            for byte in window {
                sum = crc16(sum ^ u16::from(*byte) << 8);
                place += 1;
                // Over a frame with its own checksum the sum is 0.
                if sum == 0 && place > at + MOST_HEAD as u64 {
                    first.get_or_insert(place);
                }
            }
        }
        Ok(if sum == 0 && place == end { Some(end) } else { first })
    }
}

/// Whether `head` begins with the header of a frame: its checksum is the byte after its fields.
fn is_frame(head: &[u8]) -> bool {
    let [0xFF, 0xF8 | 0xF9, sizes, shape, number, ..] = *head else {
        return false;
    };
    // The number of a frame is written as in UTF-8.
    let number = number.leading_ones().max(1) as usize;
    let block = match sizes >> 4 {
        6 => 1,
        7 => 2,
        _ => 0,
    };
    let rate = match sizes & 15 {
        12 => 1,
        13 | 14 => 2,
        _ => 0,
    };
    let length = 4 + number + block + rate;
    let is_known = sizes >> 4 != 0 && sizes & 15 != 15 && shape & 1 == 0;
    let sum = head.get(..length).map(|fields| fields.iter().fold(0, |sum, byte| crc8(sum ^ byte)));
    is_known && sum.is_some() && sum == head.get(length).copied()
}

fn crc8(sum: u8) -> u8 {
    (0..8).fold(sum, |sum, _| if sum >> 7 == 1 { sum << 1 ^ 0x07 } else { sum << 1 })
}

fn crc16(sum: u16) -> u16 {
    (0..8).fold(sum, |sum, _| if sum >> 15 == 1 { sum << 1 ^ 0x8005 } else { sum << 1 })
}
