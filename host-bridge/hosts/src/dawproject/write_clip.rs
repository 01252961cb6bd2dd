//! Changes of a clip, copies of one, and new ones.

use std::collections::HashSet;

use super::clip::Clip;
use super::ids::Ids;
use super::read::Parsed;
use super::tempo::Unit;
use crate::format::WriteError;
use crate::project::{ProjectClip, linear};
use crate::splice::Splices;
use crate::validate::refused;
use crate::xml::escaped;

/// A change of a time below this is rounding.
const ROUNDING: f64 = 1e-9;

pub(super) struct Editor<'e, 'a> {
    pub(super) parsed: &'e Parsed<'a>,
    /// Names of the files in the archive.
    pub(super) files: &'e HashSet<String>,
    pub(super) place: &'e Clip,
}

impl Editor<'_, '_> {
    /// The clip of `old` becomes that of `new`.
    pub(super) fn edit(
        &self,
        splices: &mut Splices,
        old: &ProjectClip,
        new: &ProjectClip,
    ) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        let element = self.place.element;
        if new.is_inverted {
            let why = "DAWproject knows no inverted polarity: invert it in the DAW";
            return Err(refused(format!("clip {:?}", new.name), why));
        }
        if old.name != new.name {
            document.set(splices, element, "name", &new.name);
        }
        if old.mute != new.mute {
            document.set(splices, element, "enable", &(!new.mute).to_string());
        }
        if old.file != new.file {
            document.set(splices, self.place.file, "path", &new.file);
            let is_external = (!self.files.contains(&new.file)).to_string();
            document.set(splices, self.place.file, "external", &is_external);
        }
        if old.gain_db != new.gain_db {
            self.gain(splices, new.gain_db);
        }
        self.times(splices, old, new)
    }

    fn times(
        &self,
        splices: &mut Splices,
        old: &ProjectClip,
        new: &ProjectClip,
    ) -> Result<(), WriteError> {
        let times = |clip: &ProjectClip| {
            let fades = (clip.fade_in.length, clip.fade_out.length);
            (clip.position, clip.start, clip.length, fades)
        };
        if times(old) == times(new) {
            return Ok(());
        }
        let map = &self.parsed.map;
        if self.place.is_stretched(map, new) {
            let object = format!("clip {:?} at {} s", new.name, new.position);
            return Err(refused(object, "the tempo there is another and would stretch it"));
        }
        let (unit, fade_unit) = (self.place.unit, self.place.fade_unit);
        let time = |clip: &ProjectClip| map.time_of(unit, clip.position);
        let duration =
            |clip: &ProjectClip| map.time_of(unit, clip.position + clip.length) - time(clip);
        let fade_in = |clip: &ProjectClip| {
            map.time_of(fade_unit, clip.position + clip.fade_in.length)
                - map.time_of(fade_unit, clip.position)
        };
        let fade_out = |clip: &ProjectClip| {
            let end = clip.position + clip.length;
            map.time_of(fade_unit, end) - map.time_of(fade_unit, end - clip.fade_out.length)
        };
        let start = |clip: &ProjectClip| self.place.content_of(clip.start);
        let mut set = |name, value: &dyn Fn(&ProjectClip) -> f64| {
            self.set(splices, name, value(old), value(new));
        };
        set("time", &time);
        set("duration", &duration);
        set("playStart", &start);
        set("fadeInTime", &fade_in);
        set("fadeOutTime", &fade_out);
        self.ends(splices, new)
    }

    fn set(&self, splices: &mut Splices, name: &str, old: f64, new: f64) {
        if (old - new).abs() > ROUNDING {
            self.parsed.document.set(splices, self.place.element, name, &new.to_string());
        }
    }

    /// Where the content stops or begins again lies behind the clip's end.
    fn ends(&self, splices: &mut Splices, new: &ProjectClip) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        let end = self.place.content_end(&self.parsed.map, new);
        for name in ["playStop", "loopEnd"] {
            if document.number(self.place.element, name)?.is_some_and(|at| at < end - ROUNDING) {
                document.set(splices, self.place.element, name, &end.to_string());
            }
        }
        Ok(())
    }

    /// The gain is a point in lanes that are around what plays.
    fn gain(&self, splices: &mut Splices, gain_db: f64) {
        let document = &self.parsed.document;
        let value = match self.place.is_gain_in_decibels {
            true => gain_db.max(-1000.0),
            false => linear(gain_db),
        };
        let value = value.to_string();
        for point in &self.place.gain_points {
            document.set(splices, *point, "value", &value);
        }
        if self.place.gain_points.is_empty() {
            let content = document.range(self.place.content);
            let points = format!(
                "<Points unit=\"linear\"><Target expression=\"gain\"/><RealPoint time=\"0\" \
                 value=\"{value}\"/></Points></Lanes>"
            );
            splices.insert(content.start, "<Lanes>");
            splices.insert(content.end, points);
        }
    }

    /// The text of the clip as it plays as `new`, for another place; a copy gets ids of its own.
    pub(super) fn text(
        &self,
        old: &ProjectClip,
        new: &ProjectClip,
        ids: Option<&mut Ids>,
    ) -> Result<String, WriteError> {
        let document = &self.parsed.document;
        let mut splices = Splices::default();
        self.edit(&mut splices, old, new)?;
        let range = document.range(self.place.element);
        if let Some(ids) = ids {
            for element in document.inside(self.place.element) {
                if document.text(element, "id").is_some() {
                    document.set(&mut splices, element, "id", &ids.next());
                }
            }
        }
        let text = splices.apply(document.bytes(), range)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// The text of a new clip in a lane of `unit`.
pub(super) fn new(
    parsed: &Parsed<'_>,
    files: &HashSet<String>,
    unit: Unit,
    clip: &ProjectClip,
) -> Result<String, WriteError> {
    if clip.is_inverted {
        let why = "DAWproject knows no inverted polarity: invert it in the DAW";
        return Err(refused(format!("clip {:?}", clip.name), why));
    }
    let ProjectClip { name, file, position, start, length, .. } = clip;
    let time = parsed.map.time_of(unit, *position);
    let duration = parsed.map.time_of(unit, position + length) - time;
    let enable = if clip.mute { " enable=\"false\"" } else { "" };
    let external = if files.contains(file) { "" } else { " external=\"true\"" };
    let [fade_in, fade_out] = [clip.fade_in.length, clip.fade_out.length];
    let (name, file) = (escaped(name), escaped(file));
    let (end, channels) = (start + length, clip.channels.unwrap_or(2));
    let audio = format!(
        "<Audio channels=\"{channels}\" sampleRate=\"48000\" duration=\"{end}\"><File path=\"{file}\"{external}/></Audio>"
    );
    let content = match clip.gain_db == 0.0 {
        true => audio,
        false => format!(
            "<Lanes>{audio}<Points unit=\"linear\"><Target expression=\"gain\"/><RealPoint time=\"0\" \
             value=\"{}\"/></Points></Lanes>",
            linear(clip.gain_db)
        ),
    };
    Ok(format!(
        "<Clip time=\"{time}\" duration=\"{duration}\" contentTimeUnit=\"seconds\" \
         playStart=\"{start}\" fadeTimeUnit=\"seconds\" fadeInTime=\"{fade_in}\" \
         fadeOutTime=\"{fade_out}\"{enable} name=\"{name}\">{content}</Clip>"
    ))
}
