//! What a model writes, made light: paragraphs, lists, headings, bold, italics as text, and code. Everything
//! else stays as it was written.

use crate::kit::Cx;
use crate::theme::{Theme, Type};
use egui::epaint::text::{LayoutJob, TextFormat};
use egui::{Color32, Galley, Pos2};
use std::sync::Arc;

/// A piece of one style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    Strong,
    Code,
}

/// The text as pieces of style.
fn pieces(text: &str) -> Vec<(String, Style)> {
    let mut all = Vec::new();
    let mut in_block = false;
    for line in text.trim_end().lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
            continue;
        }
        if in_block {
            all.push((format!("{line}\n"), Style::Code));
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
    let item = ["- ", "* "].iter().find_map(|mark| trimmed.strip_prefix(mark));
    let rest = match item {
        Some(rest) => {
            let depth = (line.len() - trimmed.len()) / 2;
            all.push((format!("{}• ", "   ".repeat(depth)), Style::Plain));
            rest
        }
        None => line,
    };
    inline(rest, all);
}

/// Bold between `**`, code between backticks; a mark without its end is text.
fn inline(text: &str, all: &mut Vec<(String, Style)>) {
    let mut rest = text;
    while let Some((at, mark, style)) = next_mark(rest) {
        let inside = &rest[at + mark.len()..];
        let Some(end) = inside.find(mark).filter(|end| *end > 0) else {
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
    strong.into_iter().chain(code).min_by_key(|(at, ..)| *at)
}

/// The text as it would be read aloud.
pub(crate) fn plain(text: &str) -> String {
    pieces(text).into_iter().map(|(text, _)| text).collect()
}

/// Lays the text out.
pub(crate) fn layout(cx: &Cx<'_>, theme: &Theme, text: &str, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    job.wrap.max_width = width;
    for (text, style) in pieces(text) {
        let (ty, color, back) = match style {
            Style::Plain => (Type::BODY, theme.text, Color32::TRANSPARENT),
            Style::Strong => (Type::BODY_STRONG, theme.text, Color32::TRANSPARENT),
            Style::Code => (Type::CODE, theme.text_2, theme.well),
        };
        let format = TextFormat {
            font_id: ty.font(),
            line_height: Some(Type::BODY.line),
            color,
            background: back,
            valign: egui::Align::Center,
            ..TextFormat::default()
        };
        job.append(&text, 0.0, format);
    }
    cx.p.layout_job(job)
}

/// Paints what was laid out.
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
    fn a_mark_without_its_end_is_text() {
        assert_eq!(plain("2 ** 3 and a ` tick"), "2 ** 3 and a ` tick");
        assert_eq!(plain("####"), "####");
        assert_eq!(plain("```\nlet x = 1;\n```"), "let x = 1;");
    }
}
