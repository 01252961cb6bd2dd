//! Changes of an item, copies of one, and new ones.

use super::fields::{Anchored, Guids, set_fields};
use super::item::Item;
use super::lines::{Document, quoted};
use super::source::{Source, new_source};
use crate::format::WriteError;
use crate::project::{FadeShape, ProjectClip, ProjectFade, decibels, linear};
use crate::splice::Splices;
use crate::validate::refused;

/// What REAPER writes in a line where nothing was changed.
const FADE: [&str; 7] = ["0", "0", "0", "0", "0", "0", "0"];
const GAIN: [&str; 4] = ["1", "0", "1", "-1"];
const TAKE_GAIN: [&str; 3] = ["0", "1", "-1"];

/// The item of `old` becomes that of `new`.
pub(super) fn edit(
    document: &Document<'_>,
    splices: &mut Splices,
    item: &Item,
    old: &ProjectClip,
    new: &ProjectClip,
) -> Result<(), WriteError> {
    let mut editor = Editor { document, splices, item };
    editor.number(item.position, "POSITION", old.position, new.position);
    editor.number(item.length, "LENGTH", old.length, new.length);
    editor.fade(item.fade_in, "FADEIN", old.fade_in, new.fade_in)?;
    editor.fade(item.fade_out, "FADEOUT", old.fade_out, new.fade_out)?;
    if old.mute != new.mute {
        let value = u8::from(new.mute).to_string();
        editor.item_line(item.mute, "MUTE").set(
            document,
            editor.splices,
            &[(1, value)],
            &["0", "0"],
        );
    }
    if old.gain_db != new.gain_db || old.is_inverted != new.is_inverted {
        editor.gain(new)?;
    }
    if old.name != new.name {
        let line = editor.take_line(item.take().name, "NAME");
        line.set(document, editor.splices, &[(1, quoted(&new.name))], &["\"\""]);
    }
    editor.source(old, new)
}

struct Editor<'e, 'a> {
    document: &'e Document<'a>,
    splices: &'e mut Splices,
    item: &'e Item,
}

impl Editor<'_, '_> {
    fn item_line(&self, line: Option<usize>, tag: &'static str) -> Anchored {
        Anchored { line, tag, after: self.document.head(self.item.chunk) }
    }

    fn take_line(&self, line: Option<usize>, tag: &'static str) -> Anchored {
        let head = self.document.head(self.item.chunk);
        Anchored { line, tag, after: self.item.take().head.unwrap_or(head) }
    }

    fn number(&mut self, line: Option<usize>, tag: &'static str, old: f64, new: f64) {
        if old != new {
            let line = self.item_line(line, tag);
            line.set(self.document, self.splices, &[(1, new.to_string())], &["0"]);
        }
    }

    fn fade(
        &mut self,
        line: Option<usize>,
        tag: &'static str,
        old: ProjectFade,
        new: ProjectFade,
    ) -> Result<(), WriteError> {
        let mut values = Vec::new();
        if old.length != new.length {
            values.push((2, new.length.to_string()));
            if self.document.number_of(line, 3, 0.0)? > 0.0 {
                values.push((3, "0".to_owned()));
            }
        }
        if old.shape != new.shape {
            let shape = shape(new.shape).to_owned();
            values.extend([(1, shape.clone()), (4, shape), (6, "0".to_owned())]);
        }
        self.item_line(line, tag).set(self.document, self.splices, &values, &FADE);
        Ok(())
    }

    /// The item's gain changes; that of its take only where it is silent or its sign is another.
    fn gain(&mut self, new: &ProjectClip) -> Result<(), WriteError> {
        let (line, field) = self.item.take_gain();
        let old_take = self.document.number_of(line, field, 1.0)?;
        let size = if old_take == 0.0 { 1.0 } else { old_take.abs() };
        let take = if new.is_inverted { -size } else { size };
        let item = linear(new.gain_db - decibels(size)).to_string();
        let mut values = vec![(1, item)];
        if take != old_take && field == 3 {
            values.push((3, take.to_string()));
        }
        self.item_line(self.item.gain, "VOLPAN").set(self.document, self.splices, &values, &GAIN);
        if take != old_take && field == 2 {
            let line = self.take_line(line, "TAKEVOLPAN");
            line.set(self.document, self.splices, &[(2, take.to_string())], &TAKE_GAIN);
        }
        Ok(())
    }

    fn source(&mut self, old: &ProjectClip, new: &ProjectClip) -> Result<(), WriteError> {
        let Some(chunk) = self.item.take().source else { return Ok(()) };
        let section = Source::of(self.document, chunk)?.ok().and_then(|source| source.section);
        let is_other_file = old.file != new.file;
        let is_whole_file = is_other_file && section.is_some();
        if is_other_file {
            self.replace_source(chunk, &new.file);
        }
        let section = section.filter(|_| !is_other_file);
        let offset = new.start - section.map_or(0.0, |section| section.start);
        let end = section.map_or(f64::INFINITY, |section| section.length);
        if (old.start, old.length) != (new.start, new.length)
            && (offset < 0.0 || offset + new.length > end)
        {
            let object = format!("clip {:?} at {} s", new.name, new.position);
            return Err(refused(
                object,
                "it plays a section of its file and cannot play beyond it",
            ));
        }
        if old.start != new.start || is_whole_file {
            let line = self.take_line(self.item.take().offset, "SOFFS");
            line.set(self.document, self.splices, &[(1, offset.to_string())], &["0"]);
            self.shift_other_takes(old, new)?;
        }
        Ok(())
    }

    fn replace_source(&mut self, chunk: usize, file: &str) {
        let indent = self.document.indent(self.document.head(chunk));
        let end = self.document.line_end();
        let lines = new_source(file).map(|line| format!("{indent}{line}{end}"));
        self.splices.replace(self.document.chunk_bytes(chunk), lines.concat());
    }

    /// Where the start of an item is cut, its other takes keep their place on the timeline too.
    fn shift_other_takes(
        &mut self,
        old: &ProjectClip,
        new: &ProjectClip,
    ) -> Result<(), WriteError> {
        let shift = new.start - old.start;
        if (new.position - old.position - shift).abs() > 1e-9 {
            return Ok(());
        }
        for (index, take) in self.item.takes.iter().enumerate() {
            if index == self.item.active || take.source.is_none() {
                continue;
            }
            let rate = self.document.number_of(take.rate, 1, 1.0)?;
            let offset = self.document.number_of(take.offset, 1, 0.0)? + shift * rate;
            if let Some(line) = take.offset {
                set_fields(self.document, self.splices, line, &[(1, offset.to_string())], &["0"]);
            }
        }
        Ok(())
    }
}

const fn shape(shape: FadeShape) -> &'static str {
    match shape {
        FadeShape::Linear => "0",
        FadeShape::EqualPower | FadeShape::Other => "1",
    }
}

/// The bytes of a copy of `item` that plays as `new`.
pub(super) fn copy(
    document: &Document<'_>,
    item: &Item,
    old: &ProjectClip,
    new: &ProjectClip,
    guids: &mut Guids,
) -> Result<Vec<u8>, WriteError> {
    let mut splices = Splices::default();
    edit(document, &mut splices, item, old, new)?;
    let source = item.take().source.filter(|_| old.file != new.file);
    let replaced = source.map(|chunk| document.lines_in(chunk)).unwrap_or_default();
    for line in document.lines_in(item.chunk).filter(|line| !replaced.contains(line)) {
        match document.tag(line) {
            b"IGUID" | b"GUID" | b"EGUID" | b"FXID" => {
                set_fields(document, &mut splices, line, &[(1, guids.next())], &[]);
            }
            b"IID" => splices.delete(document.line(line).start..document.line(line).next),
            _ => {}
        }
    }
    Ok(splices.apply(document.bytes, document.chunk_bytes(item.chunk))?)
}

/// The bytes of `item` as it plays as `new`, for another place.
pub(super) fn moved(
    document: &Document<'_>,
    item: &Item,
    old: &ProjectClip,
    new: &ProjectClip,
) -> Result<Vec<u8>, WriteError> {
    let mut splices = Splices::default();
    edit(document, &mut splices, item, old, new)?;
    Ok(splices.apply(document.bytes, document.chunk_bytes(item.chunk))?)
}

/// The lines of a new item, without indentation and line ends.
pub(super) fn new(clip: &ProjectClip, guids: &mut Guids) -> Vec<String> {
    let fade = |tag, fade: ProjectFade| {
        let shape = shape(fade.shape);
        format!("  {tag} {shape} {} 0 {shape} 0 0 0", fade.length)
    };
    let take_gain = if clip.is_inverted { "-1" } else { "1" };
    let mut lines = vec![
        "<ITEM".to_owned(),
        format!("  POSITION {}", clip.position),
        "  SNAPOFFS 0".to_owned(),
        format!("  LENGTH {}", clip.length),
        format!("  LOOP {}", u8::from(clip.is_looped)),
        "  ALLTAKES 0".to_owned(),
        fade("FADEIN", clip.fade_in),
        fade("FADEOUT", clip.fade_out),
        format!("  MUTE {} 0", u8::from(clip.mute)),
        "  SEL 0".to_owned(),
        format!("  IGUID {}", guids.next()),
        format!("  NAME {}", quoted(&clip.name)),
        format!("  VOLPAN {} 0 {take_gain} -1", linear(clip.gain_db)),
        format!("  SOFFS {}", clip.start),
        "  PLAYRATE 1 1 0 -1 0 0.0025".to_owned(),
        "  CHANMODE 0".to_owned(),
        format!("  GUID {}", guids.next()),
    ];
    lines.extend(new_source(&clip.file).map(|line| format!("  {line}")));
    lines.push(">".to_owned());
    lines
}
