//! Round trips, and files that lie.

mod damaged;
mod hostile;
mod lines;
mod mutants;
mod points;
mod rolling;
mod round;
mod subtitles;
mod whisper;

use super::*;

const SRT: &str = "1\n00:00:01,000 --> 00:00:02,500\nAnn: Good morning,\neveryone.\n\n\
                   2\n00:00:02,500 --> 00:00:04,000\n<i>Hello</i> there\n";

/// A file of a recording without end, in which nobody is heard.
fn read(file: &[u8], format: Format) -> Result<Transcript, TranscriptError> {
    read_of(file, format, Micros(u64::MAX), &mut || {
        Err(TranscriptError::at(1, "it does not say when its phrases end", "name the recording"))
    })
}

/// The corrections of a file for a recording that ends there, and the number of phrases left.
fn put_right(file: &str, format: Format, last: u64) -> (usize, Vec<String>) {
    let mut speech = || Ok::<_, TranscriptError>(vec![Micros(0)..Micros(last)]);
    let read = read_of(file.as_bytes(), format, Micros(last), &mut speech).unwrap();
    (read.phrases.len(), listed(&read.problems))
}

/// The same of a recording without end.
fn problems(file: &str, format: Format) -> Vec<String> {
    listed(&read(file.as_bytes(), format).unwrap().problems)
}

fn said(file: &str, format: Format) -> Vec<Said> {
    let transcript = read(file.as_bytes(), format).unwrap();
    transcript.phrases.into_iter().map(|(_, said)| said).collect()
}

fn refused(file: &str, format: Format) -> String {
    read(file.as_bytes(), format).unwrap_err().to_string()
}

#[test]
fn subrip_is_read_with_its_speaker() {
    let said = self::said(SRT, Format::Srt);
    assert_eq!(said.len(), 2);
    assert_eq!(said[0].speaker.as_deref(), Some("Ann"));
    assert_eq!(said[0].text(), "Good morning, everyone.");
    assert_eq!((said[0].start, said[0].end), (Micros(1_000_000), Micros(2_500_000)));
    assert_eq!(said[1].text(), "Hello there");
    let windows = format!("\u{feff}{}", SRT.replace('\n', "\r\n"));
    assert_eq!(self::said(&windows, Format::Srt), said);
    assert_eq!(self::said(&SRT.replace('\n', "\r"), Format::Srt), said, "an old Mac's");
}

#[test]
fn webvtt_is_read_with_voices_notes_and_settings() {
    let file = "WEBVTT - a title\nKind: captions\n\nNOTE about\nit\n\nSTYLE\n::cue{}\n\n\
                intro\n00:01.000 --> 00:02.000 align:start\n<v.loud Ann Lee>1 &lt; 2 <00:01.500><c>yes</c>\n\n\
                00:00:02.000 --> 00:00:03.000\na <b>bold</b> move\n";
    let said = self::said(file, Format::Vtt);
    assert_eq!(said[0].speaker.as_deref(), Some("Ann Lee"));
    assert_eq!(said[0].text(), "1 < 2 yes");
    assert_eq!(said[1].text(), "a bold move");
}

#[test]
fn times_inside_of_cues_are_starts_of_words() {
    let file = "WEBVTT\n\n00:01.000 --> 00:03.000\nAnn: Hello<00:01.500><c> big</c> <00:02.000>wor<00:02.250>ld\n\n\
                00:03.000 --> 00:05.000\n<00:03.000>so <00:04.000>it is\n";
    let said = self::said(file, Format::Vtt);
    let starts =
        |said: &Said| -> Vec<u64> { said.words.iter().map(|word| word.start.0 / 1000).collect() };
    assert_eq!((said[0].text().as_str(), said[0].times), ("Hello big world", Times::Given));
    assert_eq!(starts(&said[0]), [1_000, 1_500, 2_000]);
    assert_eq!(
        (starts(&said[1])[..2].to_vec(), said[1].times),
        (vec![3_000, 4_000], Times::Spread)
    );
    assert_eq!(said[0].words[1].end, Micros(2_000_000));
    for wrong in ["00:00.500", "00:05.000"] {
        let file = file.replace("00:01.500", wrong);
        let told = problems(&file, Format::Vtt);
        let expected = "1 phrase has times of words that do not fit, which were estimated: line 3";
        assert!(told[0].starts_with(expected), "{told:?}");
    }
}

#[test]
fn a_speaker_is_one_however_the_name_is_written() {
    let lines = ["Anna: Hello", "ANNA: Yes", "Ben:hi", "Ben: so", "at:once"];
    let line = |(at, text): (usize, &&str)| format!("[0{at}:00 --> 0{at}:30] {text}\n");
    let file: String = lines.iter().enumerate().map(line).collect();
    let said = said(&file, Format::Text);
    let told: Vec<_> = said.iter().map(|one| (one.speaker.as_deref(), one.text())).collect();
    let (anna, ben) = (Some("Anna"), Some("Ben"));
    let texts = [(anna, "Hello"), (anna, "Yes"), (ben, "hi"), (ben, "so"), (None, "at:once")];
    assert_eq!(told, texts.map(|(name, text)| (name, text.to_owned())));
}

#[test]
fn cues_without_an_empty_line_between_are_cues() {
    let srt = "1\n00:00:01,000 --> 00:00:02,000\nFirst\n2\n00:00:03,000 --> 00:00:04,000\nSecond --> it\n";
    let vtt =
        "WEBVTT\n\n00:01.000 --> 00:02.000\nFirst\n00:03.000 --> 00:04.000\nSecond --&gt; it\n";
    for (file, format) in [(srt, Format::Srt), (vtt, Format::Vtt)] {
        let said = self::said(file, format);
        let told: Vec<_> = said.iter().map(|one| (one.start.0 / 1_000_000, one.text())).collect();
        assert_eq!(told, [(1, "First".to_owned()), (3, "Second --> it".to_owned())]);
    }
    let wrong = srt.replace("00:00:04", "00:61:04");
    let told = "1 phrase has no time that can be read and is left out: line 5 (\"Second --> it\")";
    assert_eq!(problems(&wrong, Format::Srt), [told]);
}

#[test]
fn names_of_cues_may_look_like_notes() {
    let file = "WEBVTT\n\nNOTE\n\nNOTE see --> below\n\nNOTES-1\n00:01.000 --> 00:02.000\none\n\n\
                NOTE 2\n00:02.000 --> 00:03.000\ntwo\n\nSTYLE GUIDE\n00:03.000 --> 00:04.000\nthree\n\n\
                REGION\nid:a\n\nREGION-4\n00:04.000 --> 00:05.000\nfour\n";
    let texts: Vec<String> = said(file, Format::Vtt).iter().map(Said::text).collect();
    assert_eq!(texts, ["one", "two", "three", "four"]);
}

#[test]
fn where_voices_are_named_a_colon_is_text() {
    let file =
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Well\n\n00:02.000 --> 00:03.000\nListen: so\n";
    let said = said(file, Format::Vtt);
    assert_eq!((said[1].speaker.as_deref(), said[1].text().as_str()), (None, "Listen: so"));
}

#[test]
fn nobody_talks_over_themself_while_another_goes_on() {
    let file = "[00:00:01.000 --> 00:00:05.000] Ann: x\n[00:00:02.000 --> 00:00:03.000] Ben: y\n";
    let again = "[00:00:02.500 --> 00:00:03.500] Ben: z\n";
    assert_eq!(put_right(file, Format::Text, 9_000_000), (2, vec![]));
    let told = "1 phrase overlaps the next and now ends where that starts: line 2 (\"y\")";
    let both = put_right(&format!("{file}{again}"), Format::Text, 9_000_000);
    assert_eq!(both, (3, vec![told.to_owned()]));
    let unnamed = again.replace("Ben: ", "");
    let told =
        "2 phrases overlap the next and now end where that starts: line 1 (\"x\"), line 2 (\"y\")";
    let both = put_right(&format!("{file}{unnamed}"), Format::Text, 9_000_000);
    assert_eq!(both, (3, vec![told.to_owned()]));
}

#[test]
fn an_error_shows_no_control_characters() {
    let told = refused("1\n00:00:\u{1b}[31m1,000 --> 00:00:02,000\nx\u{1b}[31m\n", Format::Srt);
    assert!(!told.contains(char::is_control), "{told:?}");
}

#[test]
fn a_file_of_which_nothing_is_left_is_refused_with_its_line() {
    let lies = [
        ("1\n00:00:03,000 --> 00:00:02,000\nx\n", Format::Srt),
        ("1\n00:61:00,000 --> 01:02:02,000\nx\n\n2\n00:00:NaN --> 00:00:02,000\ny\n", Format::Srt),
        ("1\nx\n\n", Format::Srt),
        ("{\"segments\": [\n {\"start\": -1, \"end\": -2, \"text\": \"x\"}]}", Format::Json),
        ("{\"segments\": [\n {\"start\": NaN, \"end\": 2, \"text\": \"x\"}]}", Format::Json),
        ("{\"segments\": [\n {\"start\": 1e300, \"end\": 2, \"text\": \"x\"}]}", Format::Json),
        ("{\"segments\": so it is", Format::Json),
        ("[00:00:02.000 --> 00:00:01.000] fine\nAnn: what?\n", Format::Text),
    ];
    let told: Vec<String> = lies.iter().map(|(file, format)| refused(file, *format)).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_is_too_long_is_cut_or_left_out() {
    let long = format!("1\n00:00:01,000 --> 00:00:02,000\n{}\n", "x".repeat(1_000));
    let told = problems(&long, Format::Srt);
    assert!(told[0].starts_with("1 phrase has words over 200 letters"), "{told:?}");
    assert_eq!(said(&long, Format::Srt)[0].words.len(), 5);
    let words = format!("1\n00:00:01,000 --> 00:01:02,000\n{}\n", "x ".repeat(10_000));
    let lengths: Vec<usize> = said(&words, Format::Srt).iter().map(|one| one.words.len()).collect();
    assert_eq!(lengths, [4_000, 4_000, 2_000]);
    let speakers: String = (0..1_500u64)
        .map(|n| {
            format!(
                "[{} --> {}] S{n}: hi\n",
                Micros(n * 1_000_000),
                Micros(n * 1_000_000 + 500_000)
            )
        })
        .collect();
    let (phrases, told) = put_right(&speakers, Format::Text, u64::MAX);
    assert_eq!(phrases, 1_500);
    let expected =
        "500 phrases are of speakers over the limit of 1,000, who are not named: line 1001, ";
    assert!(told[0].starts_with(expected) && told[0].ends_with(" and 300 more"), "{told:?}");
    let deep = "[".repeat(1 << 20);
    assert!(read(deep.as_bytes(), Format::Json).is_err());
}

#[test]
fn a_file_that_is_too_large_is_told_where_to_split() {
    let line = "[00:00:01.000 --> 00:00:02.000] Ann: and so on\n";
    let mut file = line.repeat(MOST_BYTES as usize / line.len() + 1).into_bytes();
    file.truncate(MOST_BYTES as usize + 1);
    let told = read(&file, Format::Text).unwrap_err().to_string();
    let last = MOST_BYTES as usize / line.len() + 1;
    let expected =
        format!("line {last}: 64 MB end here, the most that is read; split the file before it");
    assert_eq!(told, expected);
}
