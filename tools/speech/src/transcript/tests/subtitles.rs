//! Subtitles of formats that are only read: SubStation, SBV, LRC, TTML and SAMI; and those that are named.

use super::super::*;
use std::path::Path;

/// A file by its name, of a recording of 20 s in which somebody talks until second 18.
pub(super) fn by_name(name: &str, file: &[u8]) -> Result<Transcript, TranscriptError> {
    let mut speech = || Ok::<_, TranscriptError>(vec![Micros(0)..Micros(18_000_000)]);
    let format = Format::of(Path::new(name)).unwrap_or(Format::Text);
    read_of(file, format, Micros(20_000_000), &mut speech)
}

/// Its phrases as start, end in ms, speaker and text.
pub(super) fn told(name: &str, file: &str) -> Vec<(u64, u64, String, String)> {
    let one = |(_, said): (Place, Said)| {
        let text = said.text();
        (said.start.0 / 1000, said.end.0 / 1000, said.speaker.unwrap_or_default(), text)
    };
    by_name(name, file.as_bytes()).unwrap().phrases.into_iter().map(one).collect()
}

pub(super) fn expected(phrases: &[(u64, u64, &str, &str)]) -> Vec<(u64, u64, String, String)> {
    let owned = |(start, end, who, text): &(u64, u64, &str, &str)| {
        (*start, *end, (*who).to_owned(), (*text).to_owned())
    };
    phrases.iter().map(owned).collect()
}

fn problems(name: &str, file: &str) -> Vec<String> {
    listed(&by_name(name, file.as_bytes()).unwrap().problems)
}

pub(super) const ASS: &str = "[Script Info]\nTitle: A talk\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname\n\
    Style: Default,Arial\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n\
    Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not said\n\
    Dialogue: 0,0:00:01.00,0:00:02.50,Default,Ann,0,0,0,,{\\an8}Good {a note}morning,\\N<i>everyone</i>.\n\
    Dialogue: 0,0:00:02.50,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}Hello: there, you\n";

#[test]
fn substation_is_read_with_its_actors_and_without_its_styling() {
    let phrases = expected(&[
        (1_000, 2_500, "Ann", "Good morning, everyone."),
        (2_500, 4_000, "", "Hello: there, you"),
    ]);
    assert_eq!(told("a.ass", ASS), phrases);
    assert_eq!(told("a.srt", ASS), phrases, "whatever its file is called");
    assert_eq!(told("a.ass", &ASS.replace('\n', "\r\n")), phrases);
    let ssa = ASS.replace("Layer, Start", "Marked, Start").replace(": 0,0:", ": Marked=0,0:");
    assert_eq!(told("a.SSA", &ssa), phrases);
    let other = ASS
        .replace(
            "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
            "Format: Start, End, Text",
        )
        .replace(": 0,0:", ": 0:")
        .replace("Default,Ann,0,0,0,,", "")
        .replace("Default,,0,0,0,,", "");
    assert_eq!(
        told("a.ass", &other)[0],
        (1_000, 2_500, String::new(), "Good morning, everyone.".into())
    );
    let wrong = ASS.replace("0:00:02.50,0:00:04.00", "0:00:02.50,nine");
    let list =
        "1 phrase has no time that can be read and is left out: line 13 (\"Hello: there, you\")";
    assert_eq!(problems("a.ass", &wrong), [list]);
}

#[test]
fn youtubes_sbv_and_subviewer_are_read() {
    let sbv = "0:00:01.000,0:00:02.500\nAnn: Good morning,\neveryone.\n\n0:00:02.500,0:00:04.000\nHello, there\n";
    let phrases = expected(&[
        (1_000, 2_500, "Ann", "Good morning, everyone."),
        (2_500, 4_000, "", "Hello, there"),
    ]);
    for (name, file) in [
        ("a.sbv", sbv.to_owned()),
        ("a.sbv", sbv.replace('\n', "\r\n")),
        ("a.txt", sbv.to_owned()),
        (
            "a.sub",
            format!(
                "[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n[SUBTITLE]\n[COLF]&HFFFFFF\n{sbv}"
            )
            .replace("morning,\n", "morning,[br]"),
        ),
    ] {
        assert_eq!(told(name, &file), phrases, "{name}");
    }
}

#[test]
fn lyrics_are_read_with_several_times_and_those_of_words() {
    let lrc = "[ti:A song]\n[offset:0]\n[00:01.00]One <00:01.50>two\n[00:02.50][00:05.00]Again\n[00:04.00]\n[bad:99]\n";
    let phrases = expected(&[
        (1_000, 2_500, "", "One two"),
        (2_500, 4_000, "", "Again"),
        (5_000, 18_000, "", "Again"),
    ]);
    assert_eq!(told("a.lrc", lrc), phrases);
    let read = by_name("a.lrc", lrc.as_bytes()).unwrap();
    let first = &read.phrases[0].1;
    assert_eq!((first.times, first.words[1].start), (Times::Given, Micros(1_500_000)));
    assert_eq!(listed(&read.problems), Vec::<String>::new());
    // A positive offset shows lines sooner.
    let early = told("a.lrc", &lrc.replace("offset:0", "offset:+500"));
    assert_eq!((early[0].0, early[1].0), (500, 2_000));
    assert_eq!(told("a.lrc", "[01:02]x\n[00:01:50]One\n[00:02]Two\n")[0].3, "One");
}

pub(super) const TTML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tt xmlns=\"http://www.w3.org/ns/ttml\" xmlns:ttm=\"x\" \
    xmlns:ttp=\"y\" ttp:frameRate=\"25\" ttp:tickRate=\"10\">\n<head><metadata><ttm:title>A talk</ttm:title>\
    <ttm:agent xml:id=\"a1\"><ttm:name>Ann Lee</ttm:name></ttm:agent></metadata></head>\n<body begin=\"0s\"><div>\n\
    <p begin=\"00:00:01.000\" end=\"00:00:02.500\" ttm:agent=\"a1\">Good <span tts:color=\"red\">morning</span>,<br/>everyone &amp; you.</p>\n\
    <p begin=\"00:00:02:12\" dur=\"1.02s\">frames</p>\n<p begin=\"40t\" end=\"4500ms\">ticks</p>\n\
    <p><span begin=\"5s\" end=\"6s\">a span</span></p>\n</div></body>\n</tt>\n";

#[test]
fn ttml_is_read_with_agents_frames_and_ticks() {
    let phrases = expected(&[
        (1_000, 2_480, "Ann Lee", "Good morning, everyone & you."),
        (2_480, 3_500, "", "frames"),
        (4_000, 4_500, "", "ticks"),
        (5_000, 6_000, "", "a span"),
    ]);
    for name in ["a.ttml", "a.dfxp", "a.xml", "a.txt"] {
        let mut told = told(name, TTML);
        told[0].1 = 2_480;
        assert_eq!(told, phrases, "{name}");
    }
    let later = told("a.ttml", &TTML.replace("<body begin=\"0s\"", "<body begin=\"10s\""));
    assert_eq!(later[0].0, 11_000);
    let prefixed = TTML.replace("<p ", "<tt:p ").replace("</p>", "</tt:p>");
    assert_eq!(told("a.ttml", &prefixed).len(), 4);
    let wrong = TTML.replace("\"40t\"", "\"soon\"");
    let list = "1 phrase has no time that can be read and is left out: line 7 (\"ticks\")";
    assert!(
        problems("a.ttml", &wrong).contains(&list.to_owned()),
        "{:?}",
        problems("a.ttml", &wrong)
    );
    let (whole, _) = TTML.split_once("ticks").unwrap();
    assert_eq!(told("a.ttml", whole).len(), 2, "up to where it breaks off");
    assert!(problems("a.ttml", whole).iter().any(|one| one.contains("breaks off here")));
    let messy = TTML.replace("frames", "A&B <b>frames</i> 1 &nbsp;< 2");
    assert!(told("a.ttml", &messy).len() >= 2, "{:?}", told("a.ttml", &messy));
}

pub(super) const SAMI: &str = "<SAMI>\n<HEAD><TITLE>A talk</TITLE><STYLE TYPE=\"text/css\"><!--\nP {margin: 0}\n-->\n</STYLE></HEAD>\n<BODY>\n\
    <SYNC Start=1000><P Class=ENCC>Good <font color=red>morning</font>,<br>everyone.\n<SYNC Start=2500><P Class=ENCC>&nbsp;\n\
    <sync start=\"3000\"><P Class=ENCC>Hello\n<SYNC Start=4000ms><P Class=ENCC>last</P></SYNC>\n</BODY>\n</SAMI>\n";

#[test]
fn sami_is_read_and_its_first_language_is_taken() {
    let phrases = expected(&[
        (1_000, 2_500, "", "Good morning, everyone."),
        (3_000, 4_000, "", "Hello"),
        (4_000, 18_000, "", "last"),
    ]);
    assert_eq!(told("a.smi", SAMI), phrases);
    assert_eq!(told("a.txt", SAMI), phrases);
    let two = SAMI.replace("Hello\n", "Hello\n<P Class=FRCC>Salut\n");
    assert_eq!(told("a.sami", &two), phrases);
    let warnings = by_name("a.sami", two.as_bytes()).unwrap().warnings;
    assert!(
        warnings.iter().any(|one| one.contains("ENCC") && one.contains("FRCC")),
        "{warnings:?}"
    );
    let wrong = SAMI.replace("4000ms", "soon");
    assert_eq!(
        problems("a.smi", &wrong),
        ["1 phrase has no time that can be read and is left out: line 10 (\"last\")"]
    );
}

#[test]
fn what_cannot_be_read_is_named_with_what_to_do() {
    for (name, file, format, way_out) in [
        ("a.sub", &b"{1}{1}25\n{25}{50}Hi|you\n"[..], "MicroDVD", "ffmpeg"),
        ("a.txt", b"{25}{50}Hi|you\n", "MicroDVD", "ffmpeg"),
        ("a.txt", b"[10][25]Hi|you\n[30][40]so\n", "MPL2", "ffmpeg"),
        ("a.txt", b"$FontName = Arial\n00:00:01:00 , 00:00:02:00 , Hi\n", "Spruce STL", "ffmpeg"),
        ("a.txt", b"850STL25.0110000", "EBU STL", "Subtitle Edit"),
        ("a.srt", b"Scenarist_SCC V1.0\n\n00:00:01:00\t9420\n", "SCC", "ffmpeg"),
        ("a.sub", b"\0\0\x01\xba\x44\x00", "VobSub", "Subtitle Edit"),
        ("a.txt", b"PK\x03\x04\x14\0", "Word", ".txt"),
        ("a.txt", b"{\\rtf1\\ansi Hi}", "RTF", ".txt"),
        ("a.txt", b"%PDF-1.4\n", "PDF", ".txt"),
    ] {
        let error = by_name(name, file).unwrap_err();
        assert!(error.problem.contains(format) && error.way_out.contains(way_out), "{error}");
    }
}
