//! Renders a model's text with light formatting: paragraphs, lists, headings, quotes, tables, bold,
//! italics, code, and links as text. Everything else stays as written.

mod link;
mod table;

use crate::kit::Cx;
use crate::theme::Type;
use egui::epaint::text::{LayoutJob, TextFormat};
use egui::{Color32, Galley, Pos2};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    Strong,
    Italic,
    Quote,
    Code,
}

fn pieces(text: &str) -> Vec<(String, Style)> {
    let mut all = Vec::new();
    let mut in_block = false;
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let mut next = 0;
    while let Some(line) = lines.get(next) {
        next += 1;
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
            continue;
        }
        if in_block {
            all.push((format!("{line}\n"), Style::Code));
            continue;
        }
        let rows = table::rows(&lines[next - 1..]);
        if rows > 0 {
            let drawn = table::drawn(&lines[next - 1..next - 1 + rows]);
            all.extend(drawn.into_iter().map(|row| (format!("{row}\n"), Style::Code)));
            next += rows - 1;
            continue;
        }
        line_pieces(line, &mut all);
        all.push(("\n".into(), Style::Plain));
    }
    if let Some((last, _)) = all.last_mut()
        && last.ends_with('\n')
    {
        last.pop();
    }
    all.retain(|(text, _)| !text.is_empty());
    all
}

fn line_pieces(line: &str, all: &mut Vec<(String, Style)>) {
    let trimmed = line.trim_start();
    let heading = trimmed.trim_start_matches('#');
    if heading.len() < trimmed.len() && heading.starts_with(' ') {
        all.push((heading.trim().to_owned(), Style::Strong));
        return;
    }
    if let Some(quote) = trimmed.strip_prefix('>') {
        all.push((format!("   {}", text_of(quote.trim_start())), Style::Quote));
        return;
    }
    let item = ["- ", "* "].iter().find_map(|mark| trimmed.strip_prefix(mark));
    let rest = match item {
        Some(rest) => {
            let depth = (line.len() - trimmed.len()) / 2;
            all.push((format!("{}• ", "   ".repeat(depth)), Style::Plain));
            rest
        }
        None => line,
    };
    inline(&link::as_text(rest), all);
}

/// The words of a line without marks.
fn text_of(line: &str) -> String {
    let mut all = Vec::new();
    inline(&link::as_text(line), &mut all);
    all.into_iter().map(|(text, _)| text).collect()
}

/// Bold between `**`, italics between `*`, code between backticks; a mark without its end is text.
fn inline(text: &str, all: &mut Vec<(String, Style)>) {
    let mut rest = text;
    while let Some((at, mark, style)) = next_mark(rest) {
        let inside = &rest[at + mark.len()..];
        let Some(end) = closing(inside, mark).filter(|end| *end > 0) else {
            let upto = at + mark.len();
            all.push((rest[..upto].to_owned(), Style::Plain));
            rest = &rest[upto..];
            continue;
        };
        all.push((rest[..at].to_owned(), Style::Plain));
        all.push((inside[..end].to_owned(), style));
        rest = &inside[end + mark.len()..];
    }
    all.push((rest.to_owned(), Style::Plain));
}

fn next_mark(text: &str) -> Option<(usize, &'static str, Style)> {
    let strong = text.find("**").map(|at| (at, "**", Style::Strong));
    let code = text.find('`').map(|at| (at, "`", Style::Code));
    let italic = stars(text).find(|at| text[at + 1..].starts_with(|c: char| !c.is_whitespace()));
    let italic = italic.map(|at| (at, "*", Style::Italic));
    strong.into_iter().chain(italic).chain(code).min_by_key(|(at, ..)| *at)
}

/// The end of a mark. An italic mark ends at a star after a letter.
fn closing(inside: &str, mark: &str) -> Option<usize> {
    if mark != "*" {
        return inside.find(mark);
    }
    stars(inside).find(|at| !inside[..*at].ends_with(char::is_whitespace))
}

/// Single stars, not part of a double star.
fn stars(text: &str) -> impl Iterator<Item = usize> + '_ {
    let is_alone =
        move |at: &usize| !text[..*at].ends_with('*') && !text[at + 1..].starts_with('*');
    text.match_indices('*').map(|(at, _)| at).filter(is_alone)
}

/// The text as it would be read aloud.
pub(crate) fn plain(text: &str) -> String {
    pieces(text).into_iter().map(|(text, _)| text).collect()
}

/// Lays the text out.
pub(crate) fn layout(cx: &Cx<'_>, text: &str, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    job.wrap.max_width = width;
    for (text, style) in pieces(text) {
        let (ty, color, back) = match style {
            Style::Plain | Style::Italic => (Type::BODY, cx.t.text, Color32::TRANSPARENT),
            Style::Quote => (Type::BODY, cx.t.text_2, Color32::TRANSPARENT),
            Style::Strong => (Type::BODY_STRONG, cx.t.text, Color32::TRANSPARENT),
            Style::Code => (Type::CODE, cx.t.text_2, cx.t.well),
        };
        let format = TextFormat {
            font_id: ty.font(),
            line_height: Some(Type::BODY.line),
            color,
            background: back,
            italics: matches!(style, Style::Italic | Style::Quote),
            valign: egui::Align::Center,
            ..TextFormat::default()
        };
        job.append(&text, 0.0, format);
    }
    cx.p.layout_job(job)
}

/// Paints laid-out text.
pub(crate) fn paint(cx: &Cx<'_>, at: Pos2, galley: Arc<Galley>) {
    cx.p.galley(at, galley, cx.t.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bold_code_and_lists_are_told_apart() {
        let told = pieces("Set **two** gains:\n- `c1` to 3 dB\n  * deep\n");
        let strong: Vec<&str> =
            told.iter().filter(|it| it.1 == Style::Strong).map(|it| it.0.as_str()).collect();
        let code: Vec<&str> =
            told.iter().filter(|it| it.1 == Style::Code).map(|it| it.0.as_str()).collect();
        assert_eq!((strong, code), (vec!["two"], vec!["c1"]));
        assert_eq!(plain("Set **two** gains:\n- `c1`"), "Set two gains:\n• c1");
    }

    #[test]
    fn italics_links_quotes_and_tables_are_told_apart() {
        let told =
            pieces("Not *this* but 2 * 3 * 4, see [the list](https://a.org/b).\n> it *was* loud");
        let of = |style| {
            let all = told.iter().filter(|it| it.1 == style);
            all.map(|it| it.0.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(of(Style::Italic), ["this"]);
        assert_eq!(of(Style::Quote), ["   it was loud"]);
        assert!(of(Style::Plain).concat().contains("2 * 3 * 4, see the list (https://a.org/b)."));
        let table = "Peaks:\n| Track | dB |\n|:--|--:|\n| **Voice** | -3 |\n| B | -12.5 |\nDone";
        let rows = "Peaks:\nTrack  dB\nVoice  -3\nB      -12.5\nDone";
        assert_eq!(plain(table), rows);
        assert_eq!(plain("a | b"), "a | b");
    }

    #[test]
    fn a_mark_without_its_end_is_text() {
        assert_eq!(plain("2 ** 3 and a ` tick"), "2 ** 3 and a ` tick");
        assert_eq!(plain("####"), "####");
        assert_eq!(plain("```\nlet x = 1;\n```"), "let x = 1;");
    }
}
