//! Round trips, and files that lie.

mod hostile;
mod lines;
mod points;
mod rolling;
mod round;
mod whisper;

use super::*;

const SRT: &str = "1\n00:00:01,000 --> 00:00:02,500\nAnn: Good morning,\neveryone.\n\n\
                   2\n00:00:02,500 --> 00:00:04,000\n<i>Hello</i> there\n";

/// The phrases of a file.
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
        let told = refused(&file, Format::Vtt);
        assert!(told.starts_with("line 3: a word begins at"), "{told}");
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
    assert!(refused(&wrong, Format::Srt).starts_with("line 5: \"00:61:04,000\" is no time"));
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
    assert_eq!(said(file, Format::Text).len(), 2);
    let told = refused(&format!("{file}{again}"), Format::Text);
    assert!(told.starts_with("line 3: it begins at 00:00:02.500, while the one"), "{told}");
    let unnamed = again.replace("Ben: ", "");
    assert!(refused(&format!("{file}{unnamed}"), Format::Text).starts_with("line 3: it begins"));
}

#[test]
fn an_error_shows_no_control_characters() {
    let told = refused("1\n00:00:\u{1b}[31m1,000 --> 00:00:02,000\nx\n", Format::Srt);
    assert!(!told.contains(char::is_control), "{told:?}");
}

#[test]
fn a_file_that_lies_is_refused_with_its_line() {
    let lies = [
        ("1\n00:00:03,000 --> 00:00:02,000\nx\n", Format::Srt),
        (
            "1\n00:00:01,000 --> 00:00:03,000\nx\n\n2\n00:00:02,000 --> 00:00:04,000\ny\n",
            Format::Srt,
        ),
        (
            "1\n00:00:05,000 --> 00:00:06,000\nx\n\n2\n00:00:02,000 --> 00:00:04,000\ny\n",
            Format::Srt,
        ),
        ("1\n-00:00:01,000 --> 00:00:02,000\nx\n", Format::Srt),
        ("1\n00:00:NaN --> 00:00:02,000\nx\n", Format::Srt),
        ("1\n00:61:00,000 --> 01:02:02,000\nx\n", Format::Srt),
        ("1\nx\n\n", Format::Srt),
        ("1\n00:00:01.000 --> 00:00:02.000\nx\n", Format::Vtt),
        ("{\"segments\": [\n {\"start\": -1, \"end\": 2, \"text\": \"x\"}]}", Format::Json),
        ("{\"segments\": [\n {\"start\": NaN, \"end\": 2, \"text\": \"x\"}]}", Format::Json),
        ("{\"segments\": [\n {\"start\": 1e300, \"end\": 2, \"text\": \"x\"}]}", Format::Json),
        (
            "{\"segments\": [\n {\"start\": 1, \"end\": 2, \"text\": \"x\"},\n\n {\"start\": 1, \"end\": 3, \"text\": \"x\"}]}",
            Format::Json,
        ),
        (
            "{\"segments\": [{\"start\": 1, \"end\": 2, \"words\": [{\"word\": \"x\", \"start\": 0.5, \"end\": 3}]}]}",
            Format::Json,
        ),
        ("[00:00:01.000 --> 00:00:02.000] fine\nAnn: what?\n", Format::Text),
    ];
    let told: Vec<String> = lies.iter().map(|(file, format)| refused(file, *format)).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn hostile_files_are_bounded() {
    let long = format!("1\n00:00:01,000 --> 00:00:02,000\n{}\n", "x".repeat(10 << 20));
    assert!(refused(&long, Format::Srt).starts_with("line 3: the line has 10485760 bytes"));
    let json = format!(
        "{{\"segments\": [{{\"start\": 0, \"end\": 1, \"text\": \"{}\"}}]}}",
        "x".repeat(10 << 20)
    );
    assert!(refused(&json, Format::Json).contains("a text has 10485760 bytes"));
    let word = format!("[00:00:01.000 --> 00:00:02.000] {}\n", "x".repeat(300));
    assert!(refused(&word, Format::Text).contains("is no word"));
    let error = read(b"1\n00:00:01,000 --> 00:00:02,000\n\xff\xfe\n", Format::Srt).unwrap_err();
    assert_eq!(error.to_string(), "line 3: it is not UTF-8; save the file as UTF-8");
    let speakers: String = (0..1_500u64)
        .map(|n| {
            format!(
                "[{} --> {}] S{n}: hi\n",
                Micros(n * 1_000_000),
                Micros(n * 1_000_000 + 500_000)
            )
        })
        .collect();
    let told = refused(&speakers, Format::Text);
    assert!(told.starts_with("line 1001: there are more than 1000 speakers"), "{told}");
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
        format!("line {last}: 64 MB end here, the most that is read; split the file ahead of it");
    assert_eq!(told, expected);
    file.pop();
    let whole = read(&file, Format::Text).unwrap_err().to_string();
    assert!(!whole.contains("MB"), "as large as may be: {whole}");
}
