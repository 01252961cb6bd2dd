//! Files of every format, changed at random: each is read or refused, without a panic and in little time. 400 inputs, and
//! 5,000 with `DESKHAND_LONG=1`; the same each time.

use super::super::*;
use super::subtitles::{ASS, SAMI, TTML, by_name};
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

/// An input that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(5);

const SBV: &str =
    "0:00:01.000,0:00:02.500\nAnn: Good[br]morning\n\n0:00:02.500,0:00:04.000\nHello\n";
const LRC: &str = "[ti:A song]\n[offset:+20]\n[00:01.00]One <00:01.50>two\n[00:02.50][00:05.00]Again\n[00:04.00]\n";
const SUBVIEWER: &str = "[INFORMATION]\n[TITLE]x\n[SUBTITLE]\n00:00:01.00,00:00:02.00\nHi[br]you\n";
const VTT: &str = "WEBVTT\n\nNOTE it\n\n00:00.100 --> 00:01.000 align:start\n<v.loud Ann>1 &lt; 2 <00:00.500><c>yes</c>\n";
const WHISPER: &str = "{\"text\": \"x\", \"segments\": [{\"start\": 0.5, \"end\": 1.25, \"text\": \" <i>Hi</i> you\",\n\
    \"words\": [{\"word\": \" Hi\", \"start\": 0.5, \"end\": NaN}, {\"word\": \" you\"}]},\n{\"start\": 2, \"end\": 3, \"text\": \"Bye\"}]}";
const TEXT: &str =
    "[00:01 --> 00:02] <v Ann>Good {\\an8}day\n[00:02 --> 00:03] Ben: C:\\New &amp; so\n";

/// What programs stumble over.
const TOKENS: [&str; 28] = [
    "-->",
    "->",
    ",",
    "\n\n",
    "\r",
    "\r\r\n",
    "\u{feff}",
    "<",
    ">",
    "</",
    "{",
    "}",
    "{\\p1}",
    "{\\",
    "\\N",
    "&",
    "&#0;",
    "<P Class=X>",
    "<SYNC Start=9>",
    "<p begin=\"1s\" dur=\"99999999999h\">",
    "</p>",
    "<span ",
    "Format: Start\n",
    "Dialogue: ",
    "[99:99.99]",
    "99:59:59.999",
    "{\"text\":\"x\"",
    "[offset:-2147483648]",
];

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

fn changed(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(bytes.len() + 1);
    let end = (at + dice.below(40)).min(bytes.len());
    let token = TOKENS[dice.below(TOKENS.len())].as_bytes();
    match dice.below(8) {
        0 | 1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << dice.below(8)),
        2 => drop(bytes.drain(at..end)),
        3 => drop(bytes.splice(at..at, bytes[at..end].repeat(300))),
        4 => drop(bytes.splice(at..end, token.iter().copied())),
        5 => drop(bytes.splice(at..at, token.repeat(1 + dice.below(2_000)))),
        6 => bytes.truncate(at),
        _ => {
            let wide = String::from_utf8_lossy(bytes).into_owned();
            *bytes = match dice.below(3) {
                0 => wide.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                1 => wide.chars().flat_map(|letter| (letter as u32).to_be_bytes()).collect(),
                _ => wide.replace('\n', "\r").into_bytes(),
            };
        }
    }
    bytes.truncate(1 << 19);
}

#[test]
fn every_mutation_of_a_transcript_is_read_or_refused() {
    let inputs = if std::env::var_os("DESKHAND_LONG").is_some() { 5_000 } else { 400 };
    let seeds = [
        ("a.srt", super::SRT),
        ("a.vtt", VTT),
        ("a.json", WHISPER),
        ("a.txt", TEXT),
        ("a.ass", ASS),
        ("a.sbv", SBV),
        ("a.sub", SUBVIEWER),
        ("a.lrc", LRC),
        ("a.ttml", TTML),
        ("a.smi", SAMI),
    ];
    let (mut read, mut longest) = (0, Duration::ZERO);
    for number in 0..inputs {
        let (name, seed) = seeds[number % seeds.len()];
        let mut dice = Dice(number as u64 * 0x9E37_79B9 + 1);
        let mut bytes = seed.as_bytes().to_vec();
        for _ in 0..=dice.below(5) {
            changed(&mut bytes, &mut dice);
        }
        let start = Instant::now();
        let found = catch_unwind(|| by_name(name, &bytes));
        let shown = || format!("{name} {number}: {:?}", String::from_utf8_lossy(&bytes));
        let found = found.unwrap_or_else(|_| panic!("{}", shown()));
        longest = longest.max(start.elapsed());
        assert!(start.elapsed() < LONGEST, "{}", shown());
        let Ok(found) = found else { continue };
        read += 1;
        let last = Micros(20_000_000);
        assert!(
            found.phrases.iter().all(|(_, it)| it.start < it.end && it.end <= last),
            "{}",
            shown()
        );
    }
    assert!(read > inputs / 3, "{read}");
    eprintln!("{inputs} mutated transcripts, {read} of them read, the longest in {longest:?}");
}
