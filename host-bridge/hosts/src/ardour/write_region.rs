//! Changes of a region, copies of one, and new ones.

use super::clock::Clock;
use super::fade::{self, Side, events};
use super::read::Parsed;
use super::write::{Ids, NewSources};
use crate::format::WriteError;
use crate::project::{FadeShape, ProjectClip, ProjectFade, linear};
use crate::splice::Splices;
use crate::validate::refused;
use crate::xml::escaped;

pub(super) struct Editor<'e, 'a> {
    pub(super) parsed: &'e Parsed<'a>,
    pub(super) region: usize,
    pub(super) ids: &'e mut Ids,
    pub(super) sources: &'e mut NewSources,
}

impl Editor<'_, '_> {
    /// The region of `old` becomes that of `new`.
    pub(super) fn edit(
        &mut self,
        splices: &mut Splices,
        old: &ProjectClip,
        new: &ProjectClip,
    ) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        if old.name != new.name {
            document.set(splices, self.region, "name", &new.name);
        }
        if old.mute != new.mute {
            document.set(splices, self.region, "muted", if new.mute { "1" } else { "0" });
        }
        if (old.gain_db, old.is_inverted) != (new.gain_db, new.is_inverted) {
            document.set(splices, self.region, "scale-amplitude", &scale(new));
        }
        if old.file != new.file {
            for channel in 0..old.channels.unwrap_or(1) {
                let id = self.sources.id(&new.file, channel, self.ids);
                document.set(splices, self.region, &format!("source-{channel}"), &id);
                document.set(splices, self.region, &format!("master-source-{channel}"), &id);
            }
        }
        self.times(splices, old, new);
        let fade_in = self.fade(splices, Side::In, old.fade_in, new.fade_in);
        let fade_out = self.fade(splices, Side::Out, old.fade_out, new.fade_out);
        document.append(splices, self.region, &(fade_in + &fade_out));
        Ok(())
    }

    fn times(&self, splices: &mut Splices, old: &ProjectClip, new: &ProjectClip) {
        let document = &self.parsed.document;
        let clock = self.parsed.clock_of(self.region);
        if old.start != new.start {
            let start = clock.text(new.start);
            // The point that snaps lies at the start, unless a person moved it.
            if document.text(self.region, "sync-position") == document.text(self.region, "start") {
                document.set(splices, self.region, "sync-position", &start);
            }
            document.set(splices, self.region, "start", &start);
        }
        let [position, length] = [new.position, new.length].map(|time| clock.text(time));
        match clock {
            Clock::Ticks if (old.position, old.length) != (new.position, new.length) => {
                document.set(splices, self.region, "length", &format!("{length}@{position}"));
            }
            Clock::Ticks => {}
            Clock::Samples(_) => {
                if old.position != new.position {
                    document.set(splices, self.region, "position", &position);
                }
                if old.length != new.length {
                    document.set(splices, self.region, "length", &length);
                }
            }
        }
        let envelope = document.child(self.region, "Envelope");
        let envelope = envelope.filter(|at| !document.is(*at, "default", "yes"));
        if let Some(envelope) = envelope.filter(|_| old.length != new.length) {
            splices.replace(document.range(envelope), "<Envelope default=\"yes\"/>");
        }
    }

    /// The elements of a fade that the region does not have yet.
    fn fade(
        &mut self,
        splices: &mut Splices,
        side: Side,
        old: ProjectFade,
        new: ProjectFade,
    ) -> String {
        let mut added = String::new();
        if old == new {
            return added;
        }
        if new.shape == FadeShape::Other {
            self.stretch_fade(splices, side, new.length / old.length);
            return added;
        }
        let document = &self.parsed.document;
        let clock = self.parsed.clock_of(self.region);
        let is_default = if new.length > 0.0 { "0" } else { "1" };
        document.set(splices, self.region, side.is_default(), is_default);
        document.set(splices, self.region, side.is_active(), "1");
        let inverse = format!("Inverse{}", side.element());
        for (name, is_inverse) in [(side.element(), false), (inverse.as_str(), true)] {
            let text = fade_text(name, new, side, is_inverse, clock, self.ids);
            match document.child(self.region, name) {
                Some(element) => splices.replace(document.range(element), text),
                None => added += &format!("        {text}{}", document.line_end()),
            }
        }
        added
    }

    /// A fade of another shape keeps it at another length.
    fn stretch_fade(&self, splices: &mut Splices, side: Side, factor: f64) {
        let document = &self.parsed.document;
        let clock = self.parsed.clock_of(self.region);
        let inverse = format!("Inverse{}", side.element());
        for name in [side.element(), inverse.as_str()] {
            let element = document.child(self.region, name);
            let events = element.and_then(|at| fade::events_in(document, at));
            let Some(events) = events else { continue };
            if let Some(text) = fade::stretched(document.content(events), factor, clock) {
                splices.replace(document.content_range(events), text);
            }
        }
    }

    /// The text of the region as it plays as `new`, for another place; a copy gets ids of its own.
    pub(super) fn text(
        &mut self,
        old: &ProjectClip,
        new: &ProjectClip,
        is_copy: bool,
    ) -> Result<String, WriteError> {
        let parsed = self.parsed;
        let document = &parsed.document;
        let mut splices = Splices::default();
        self.edit(&mut splices, old, new)?;
        if is_copy {
            document.set(&mut splices, self.region, "id", &self.ids.next());
            for element in document.inside(self.region) {
                if document.text(element, "id").is_some() && !self.is_replaced(element, old, new) {
                    document.set(&mut splices, element, "id", &self.ids.next());
                }
            }
        }
        let text = splices.apply(document.bytes(), document.range(self.region))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Whether `edit` writes the child of the region that holds `element` anew.
    fn is_replaced(&self, element: usize, old: &ProjectClip, new: &ProjectClip) -> bool {
        let document = &self.parsed.document;
        let children = document.children(self.region);
        let is_new =
            |old: ProjectFade, new: ProjectFade| old != new && new.shape != FadeShape::Other;
        let child = children.take_while(|child| *child <= element).last();
        match child.map(|child| document.name(child)) {
            Some("FadeIn" | "InverseFadeIn") => is_new(old.fade_in, new.fade_in),
            Some("FadeOut" | "InverseFadeOut") => is_new(old.fade_out, new.fade_out),
            Some("Envelope") => old.length != new.length,
            _ => false,
        }
    }
}

fn scale(clip: &ProjectClip) -> String {
    let scale = linear(clip.gain_db);
    (if clip.is_inverted { -scale } else { scale }).to_string()
}

fn fade_text(
    name: &str,
    fade: ProjectFade,
    side: Side,
    is_inverse: bool,
    clock: Clock,
    ids: &mut Ids,
) -> String {
    if fade.length == 0.0 {
        return format!("<{name} default=\"yes\"/>");
    }
    let (automation, id) = (side.automation(), ids.next());
    let domain = if clock == Clock::Ticks { " time-domain=\"AudioTime\"" } else { "" };
    let events = events(fade, side, is_inverse, clock);
    format!(
        "<{name}><AutomationList automation-id=\"{automation}\" id=\"{id}\" \
         interpolation-style=\"Curved\"{domain} state=\"Off\"><events>{events}</events>\
         </AutomationList></{name}>"
    )
}

/// The element of a new region.
pub(super) fn new(
    clock: Clock,
    clip: &ProjectClip,
    ids: &mut Ids,
    sources: &mut NewSources,
) -> Result<String, WriteError> {
    let object = || format!("clip {:?}", clip.name);
    let why = "Ardour needs the number of channels of its file";
    let channels = clip.channels.ok_or_else(|| refused(object(), why))?;
    let [position, start, length] =
        [clip.position, clip.start, clip.length].map(|at| clock.text(at));
    let times = match clock {
        Clock::Ticks => format!("start=\"{start}\" length=\"{length}@{position}\""),
        Clock::Samples(_) => {
            format!("position=\"{position}\" start=\"{start}\" length=\"{length}\"")
        }
    };
    let mut played = String::new();
    for channel in 0..channels {
        let id = sources.id(&clip.file, channel, ids);
        played += &format!(" source-{channel}=\"{id}\" master-source-{channel}=\"{id}\"");
    }
    let fades = [(Side::In, clip.fade_in), (Side::Out, clip.fade_out)];
    let flags = fades.map(|(side, fade)| {
        let is_default = u8::from(fade.length == 0.0);
        format!("{}=\"{is_default}\" {}=\"1\"", side.is_default(), side.is_active())
    });
    let elements = fades.map(|(side, fade)| {
        let inverse = format!("Inverse{}", side.element());
        let fade_in = fade_text(side.element(), fade, side, false, clock, ids);
        fade_in + &fade_text(&inverse, fade, side, true, clock, ids)
    });
    let (name, muted, id) = (escaped(&clip.name), u8::from(clip.mute), ids.next());
    Ok(format!(
        "<Region name=\"{name}\" muted=\"{muted}\" opaque=\"1\" locked=\"0\" video-locked=\"0\" \
         automatic=\"0\" whole-file=\"0\" import=\"0\" external=\"0\" sync-marked=\"0\" \
         left-of-split=\"0\" right-of-split=\"0\" hidden=\"0\" position-locked=\"0\" \
         valid-transients=\"0\" {times} sync-position=\"{start}\" stretch=\"1\" shift=\"1\" \
         layering-index=\"0\" envelope-active=\"0\" {} scale-amplitude=\"{}\" id=\"{id}\" \
         type=\"audio\" first-edit=\"nothing\" channels=\"{channels}\"{played}>{}</Region>",
        flags.join(" "),
        scale(clip),
        elements.concat()
    ))
}
