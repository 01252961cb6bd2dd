//! Removes styling from the text of subtitles: tags of WebVTT and HTML, override blocks of ASS and marks of
//! MicroDVD. Files of any format have all of these. Line breaks in the styling become blanks.

use super::names::MARK;
use super::{Format, Micros};

/// An invisible letter. After a letter that would open SubRip styling, and inside an arrow, it says that
/// these are words.
pub(super) const JOINER: char = '\u{2060}';
/// The longest tag or block that is one, in bytes.
const LONGEST: usize = 1_000;
/// Names of HTML's styling, and of WebVTT's.
const TAGS: [&str; 28] = [
    "b", "i", "u", "s", "c", "ruby", "rt", "rp", "font", "br", "span", "p", "div", "em", "strong",
    "small", "big", "sub", "sup", "strike", "del", "ins", "mark", "tt", "code", "a", "center", "q",
];
/// Characters by name; of more no subtitle makes use.
const NAMED: [(&str, char); 22] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", '\u{a0}'),
    ("lrm", '\u{200e}'),
    ("rlm", '\u{200f}'),
    ("hellip", '…'),
    ("mdash", '—'),
    ("ndash", '–'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("eacute", 'é'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("szlig", 'ß'),
];

/// Styling at the beginning of a text.
enum Mark<'a> {
    Tag(&'a str),
    Block,
    Break,
    Letter(char),
}

/// The styling at the beginning of a text, and its length in bytes.
fn mark(text: &str, format: Format) -> Option<(Mark<'_>, usize)> {
    let closed = |close: char| {
        let inside = text.get(1..)?;
        let end = inside.bytes().take(LONGEST).position(|byte| byte == close as u8)?;
        inside.get(..end)
    };
    let is_cue = !matches!(format, Format::Json | Format::Text);
    match text.chars().next()? {
        '{' => {
            let inside = closed('}')?;
            let is_block = inside.starts_with('\\') || is_block_of(inside, format);
            is_block.then_some((Mark::Block, inside.len() + 2))
        }
        '<' => {
            let tag = closed('>').filter(|tag| is_tag(tag))?;
            // In plain text it may be spoken text.
            let is_time = format == Format::Text && Micros::parse(tag).is_some();
            (!is_time).then_some((Mark::Tag(tag), tag.len() + 2))
        }
        '[' if format == Format::Sbv => {
            closed(']').filter(|tag| tag.eq_ignore_ascii_case("br")).map(|_| (Mark::Break, 4))
        }
        '\\' if is_cue => match text.get(1..2)? {
            "N" | "n" => Some((Mark::Break, 2)),
            "h" => Some((Mark::Letter('\u{a0}'), 2)),
            _ => None,
        },
        '&' => {
            let name = closed(';').filter(|name| name.len() <= 10)?;
            letter(name).map(|letter| (Mark::Letter(letter), name.len() + 2))
        }
        _ => None,
    }
}

/// Whether text in braces is a block of styling although it does not begin like one. In SubStation it always is.
fn is_block_of(inside: &str, format: Format) -> bool {
    format == Format::Ass || (format == Format::Srt && is_microdvd(inside))
}

/// Whether it is a mark of MicroDVD: `y:i`, `c:$0000ff`, or `b` as some write it.
fn is_microdvd(inside: &str) -> bool {
    let named = inside.strip_prefix('/').unwrap_or(inside).to_ascii_lowercase();
    let is_valued = named.split_once(':').is_some_and(|(key, value)| {
        ["y", "c", "f", "s", "p", "h", "o"].contains(&key) && !value.contains(char::is_whitespace)
    });
    is_valued || ["b", "i", "u", "s"].contains(&named.as_str())
}

/// Whether it is one of the tags of subtitles: `b`, `/i`, `v Name`, `c.red`, `font color="red"`, `00:01.000`.
pub(super) fn is_tag(tag: &str) -> bool {
    let name = name_of(tag);
    let inside = tag.strip_prefix('/').unwrap_or(tag);
    let behind = inside.get(name.len()..).unwrap_or_default().trim().trim_end_matches('/');
    let is_plain = behind.is_empty() || behind.starts_with('.') || behind.contains('=');
    ["v", "lang"].contains(&name.as_str())
        || (TAGS.contains(&name.as_str()) && is_plain)
        || Micros::parse(tag).is_some()
        || tag == "/"
}

/// The name of a tag in small letters.
fn name_of(tag: &str) -> String {
    let inside = tag.strip_prefix('/').unwrap_or(tag);
    inside.split([' ', '.', '\t', '/']).next().unwrap_or_default().to_ascii_lowercase()
}

/// The letter for the name or number of an HTML entity.
fn letter(name: &str) -> Option<char> {
    let number = name.strip_prefix('#');
    let code = number.map(|number| match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    });
    match code {
        Some(code) => code.ok().and_then(char::from_u32).filter(|letter| !letter.is_control()),
        None => NAMED.iter().find(|(known, _)| *known == name).map(|(_, letter)| *letter),
    }
}

/// Text without styling, and the voice that its first voice tag names. In plain text the voice comes before a colon.
pub(super) fn plain(text: &str, format: Format) -> (Option<String>, String) {
    let (mut voice, mut words, mut rest) = (None, String::with_capacity(text.len()), text);
    // Ruby text above other words is their pronunciation.
    let (mut is_above, mut has_blocks) = (false, false);
    while let Some(first) = rest.chars().next() {
        let found = mark(rest, format);
        let length = found.as_ref().map_or(first.len_utf8(), |(_, length)| *length);
        let behind = rest.get(length..).unwrap_or_default();
        match found.map(|(mark, _)| mark) {
            Some(Mark::Tag(tag)) => {
                is_above = is_reading(tag, is_above);
                words.extend(breaks(tag).then_some(' '));
                voice = voice.or_else(|| {
                    voice_of(tag, format).inspect(|name| words += &*ahead(name, format))
                });
            }
            Some(Mark::Break) => words.push(' '),
            Some(Mark::Block) => has_blocks = true,
            Some(Mark::Letter(letter)) => words.extend((!is_above).then_some(letter)),
            None => words.extend((!is_above).then_some(first)),
        }
        let is_marked = is_joined(format) && length == 1 && "<{\\&".contains(first);
        rest = behind.strip_prefix(JOINER).filter(|_| is_marked).unwrap_or(behind);
    }
    (voice, finished(words, format, has_blocks))
}

/// Text whose marks are taken out, without what they say of the rest of it.
fn finished(words: String, format: Format, has_blocks: bool) -> String {
    match format {
        Format::Srt => {
            let words = words.replace(&joined(), "-->");
            words.strip_prefix(JOINER).map_or(words.clone(), str::to_owned)
        }
        // The text was made from subtitles and keeps their line breaks as marks.
        Format::Json | Format::Text if has_blocks => {
            words.replace("\\N", " ").replace("\\n", " ").replace("\\h", "\u{a0}")
        }
        _ => words,
    }
}

/// What a voice is in the words of a format that has no other place for it.
fn ahead(name: &str, format: Format) -> String {
    if format == Format::Text { format!("{name}:{MARK}") } else { String::new() }
}

/// Whether words that look like styling are written with a mark in a format.
fn is_joined(format: Format) -> bool {
    matches!(format, Format::Srt | Format::Json | Format::Text)
}

/// Whether what follows a tag is the reading of a ruby text.
fn is_reading(tag: &str, before: bool) -> bool {
    match (name_of(tag).as_str(), tag.starts_with('/')) {
        ("rt" | "rp", false) => true,
        ("rt" | "rp" | "ruby", true) => false,
        _ => before,
    }
}

/// Whether a line ends at a tag.
fn breaks(tag: &str) -> bool {
    ["br", "p", "div"].contains(&name_of(tag).as_str())
}

fn voice_of(tag: &str, format: Format) -> Option<String> {
    let (kind, name) = tag.split_once([' ', '\t'])?;
    let is_voice = kind.split('.').next() == Some("v");
    // A name has no tags in it, but letters by their names.
    let (_, name) = if is_voice { plain(name.trim(), format) } else { return None };
    (!name.is_empty()).then_some(name)
}

/// Text of WebVTT in which nothing is styling; it never holds an arrow.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let text = text.replace("{\\", "&#123;\\");
    ["N", "n", "h"]
        .iter()
        .fold(text, |text, letter| text.replace(&format!("\\{letter}"), &format!("&#92;{letter}")))
}

/// An arrow in a text of SubRip.
pub(super) fn joined() -> String {
    format!("--{JOINER}>")
}

/// Text of a format in which nothing is styling.
pub(super) fn unstyled(text: &str, format: Format) -> String {
    let mut plain = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        plain.push(letter);
        let is_mark = "<{\\&".contains(letter)
            && text.get(at..).is_some_and(|rest| mark(rest, format).is_some());
        plain.extend(is_mark.then_some(JOINER));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styling_of_any_format_is_taken_out_and_breaks_stay() {
        for (text, words) in [
            (r"{\an8}Stop it", "Stop it"),
            (r"{\pos(192,250)\fnArial\b1}Stop\Nit{\b0}", "Stop it"),
            (r"one\ntwo\hthree", "one two\u{a0}three"),
            ("<I>Stop</I><br/>it", "Stop it"),
            ("<font color=\"#ff0000\" size='3'>Stop</font><BR>it", "Stop it"),
            ("<c.yellow.bg_blue>Stop</c> <00:01.500>it", "Stop it"),
            ("<ruby>漢字<rt>かんじ</rt></ruby>です", "漢字です"),
            ("<lang en>Stop</lang> it", "Stop it"),
            ("Tom &amp; Ann&#39;s &#x201c;it&rdquo;&nbsp;", "Tom & Ann's “it”\u{a0}"),
            (
                "a < b, i <3 u <laughs> <i am> &co; &amp;lt;",
                "a < b, i <3 u <laughs> <i am> &co; &lt;",
            ),
        ] {
            for format in [Format::Srt, Format::Vtt] {
                assert_eq!(plain(text, format).1, words, "{text} {format:?}");
            }
        }
        assert_eq!(plain("{y:i}{c:$0000ff}Stop {b}it{/b} {so}", Format::Srt).1, "Stop it {so}");
    }

    #[test]
    fn words_that_look_like_styling_come_back() {
        let text = r"<i> {\an8} {b} C:\New &amp; &lt; --> <v Ann> {y:i} {";
        assert_eq!(plain(&unstyled(text, Format::Srt), Format::Srt).1, text);
        for format in [Format::Json, Format::Text] {
            assert_eq!(plain(&unstyled(text, format), format).1, text, "{format:?}");
        }
        assert_eq!(plain(&escaped(text), Format::Vtt).1, text);
    }

    #[test]
    fn a_text_of_nothing_but_openings_takes_no_longer() {
        for open in ["<", "{", "&", "\\", "{\\", "<v "] {
            let text = open.repeat(60_000);
            let (_, words) = plain(&text, Format::Srt);
            assert!(!words.is_empty(), "{open}");
        }
    }
}
