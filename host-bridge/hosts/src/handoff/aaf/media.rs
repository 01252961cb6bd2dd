//! The mobs of files: a source mob for a file, and a master mob for each stretch of it that clips play, with its
//! handles.

use super::super::timecode::divide;
use super::super::timeline::{Clip, Media, Timeline};
use super::definitions::{INSIDE, SOUND, WAVE};
use super::object::{ESSENCE_KEY, MOB_KEY, Object, Target, Value};
use super::options::{AafAudio, AafError};
use super::wave::{Region, Shape};
use deskhand_dsp::{Frames, SampleRate, Seconds};
use deskhand_session::digest::digest;
use deskhand_toolkit::file_url;
use std::time::SystemTime;
use uuid::Uuid;

/// The id of a mob: a label of SMPTE ST 330, then 16 bytes of its own.
pub(super) type MobId = [u8; 32];

/// The label ahead of an id that is made of a digest.
const LABEL: [u8; 16] =
    [0x06, 0x0a, 0x2b, 0x34, 0x01, 0x01, 0x01, 0x05, 0x01, 0x01, 0x0f, 0x20, 0x13, 0, 0, 0];

/// A stretch of a file that clips play.
pub(super) struct Part {
    media: usize,
    /// At the rate of the timeline.
    from: Frames,
    to: Frames,
    shape: Shape,
    /// What of the file the source mob has, at the file's rate.
    file: (i64, i64),
    /// The position in the source mob where it begins, at the rate of the timeline.
    offset: Frames,
    source: MobId,
    master: MobId,
}

/// All stretches, and where their audio is.
#[derive(Default)]
pub(super) struct Parts {
    parts: Vec<Part>,
    audio: AafAudio,
}

/// The id of what `facts` tell.
pub(super) fn mob_id(facts: &impl serde::Serialize) -> MobId {
    let mut id = [0; 32];
    id[..16].copy_from_slice(&LABEL);
    id[16..].copy_from_slice(&unique(facts).to_bytes_le());
    id
}

/// A random id (version 4 of RFC 9562) whose bits are those of a digest, so that the same facts have the same.
pub(super) fn unique(facts: &impl serde::Serialize) -> Uuid {
    let digest = digest(facts);
    let digits = digest.get(7..39).and_then(|digits| u128::from_str_radix(digits, 16).ok());
    uuid::Builder::from_random_bytes(digits.unwrap_or(0).to_be_bytes()).into_uuid()
}

impl Parts {
    pub(super) fn of(timeline: &Timeline, audio: AafAudio) -> Result<Self, AafError> {
        let mut parts = Vec::new();
        for (index, media) in timeline.media.iter().enumerate() {
            let clips: Vec<&Clip> = timeline.clips().filter(|clip| clip.media == index).collect();
            let played = clips.iter().map(|clip| clip.start + clip.length).max();
            let Some(played) = played else { continue };
            let length = if media.frames > Frames::ZERO { media.frames } else { played };
            let shape = shape(media, timeline.rate, length, audio)?;
            for (from, to) in stretches(timeline, &clips, length, shape.rate) {
                parts.push(Part::new(
                    index,
                    media,
                    (from, to),
                    (length, shape),
                    timeline.rate,
                    audio,
                ));
            }
        }
        Ok(Self { parts, audio })
    }

    /// The master mob that a clip plays, and where in it the clip begins.
    pub(super) fn place(&self, clip: &Clip) -> (MobId, Frames) {
        let own = self.parts.iter().filter(|part| part.media == clip.media);
        let part = own.rev().find(|part| part.from <= clip.start);
        part.map_or(([0; 32], clip.start), |part| (part.master, clip.start - part.from))
    }

    /// The mobs by their ids.
    pub(super) fn mobs(&self, timeline: &Timeline, created: SystemTime) -> Vec<(Vec<u8>, Object)> {
        let mut mobs = Vec::new();
        for (n, part) in self.parts.iter().enumerate() {
            let Some(media) = timeline.media.get(part.media) else { continue };
            let same = |earlier: &Part| earlier.source == part.source;
            if !self.parts[..n].iter().any(same) {
                let source = part.source_mob(media, self.audio, created);
                mobs.push((part.source.into(), source));
            }
            mobs.push((part.master.into(), part.master_mob(media, timeline.rate, created)));
        }
        mobs
    }

    /// The audio in the file. `None` if it is linked.
    pub(super) fn essence(&self, timeline: &Timeline) -> Option<Value> {
        let data = |part: &Part| {
            let media = timeline.media.get(part.media)?;
            let (from, to) = part.file;
            let region = Region { path: media.path.clone(), shape: part.shape, from, to };
            let object = Object::new("EssenceData")
                .bytes("MobID", part.source)
                .with("Data", Value::Audio(region));
            Some((part.source.to_vec(), object))
        };
        let is_embedded = self.audio == AafAudio::Embedded && !self.parts.is_empty();
        let data = || self.parts.iter().filter_map(data).collect();
        is_embedded.then(|| Value::Set(ESSENCE_KEY, data()))
    }
}

/// What a file is. A file that is only linked may be away: then it is what the timeline says.
fn shape(
    media: &Media,
    rate: SampleRate,
    length: Frames,
    audio: AafAudio,
) -> Result<Shape, AafError> {
    let assumed = || {
        let frames = divide(length.0, media.rate.0.into(), rate.0.into(), 1);
        let channels = media.channel.map_or(media.channels.max(1), |channel| channel + 1);
        Shape::assumed(channels, media.rate, frames)
    };
    match (Shape::of(&media.path), audio) {
        (Ok(shape), _) => Ok(shape),
        (Err(_), AafAudio::Linked) => Ok(assumed()),
        (Err(error), AafAudio::Embedded) => Err(error.into()),
    }
}

/// What clips play of a file with its handles, where it overlaps joined to one; the whole file without handles.
/// A stretch begins and ends where a frame of the timeline is a frame of the file.
fn stretches(
    timeline: &Timeline,
    clips: &[&Clip],
    length: Frames,
    rate: SampleRate,
) -> Vec<(Frames, Frames)> {
    let Some(handles) = timeline.handles else { return vec![(Frames::ZERO, length)] };
    let handle = Seconds(handles).frames(timeline.rate).clamp(Frames::ZERO, length);
    let step = i64::from(timeline.rate.0 / common_divisor(timeline.rate.0, rate.0).max(1)).max(1);
    let mut spans: Vec<(Frames, Frames)> = clips
        .iter()
        .map(|clip| {
            let from = (clip.start - handle).max(Frames::ZERO);
            let to = clip.start + clip.length + handle;
            let to = Frames((to.0 + step - 1) / step * step);
            (Frames(from.0 / step * step), to.min(length.max(clip.start + clip.length)))
        })
        .collect();
    spans.sort_unstable();
    let mut joined: Vec<(Frames, Frames)> = Vec::new();
    for (from, to) in spans {
        match joined.last_mut().filter(|last| from <= last.1) {
            Some(last) => last.1 = last.1.max(to),
            None => joined.push((from, to)),
        }
    }
    joined
}

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

impl Part {
    fn new(
        media: usize,
        file: &Media,
        (from, to): (Frames, Frames),
        (length, shape): (Frames, Shape),
        rate: SampleRate,
        audio: AafAudio,
    ) -> Self {
        let own = |at: Frames| {
            let frame = divide(at.0, shape.rate.0.into(), rate.0.into(), 1);
            if at >= length { shape.frames } else { frame.min(shape.frames) }
        };
        let (of_file, offset) = match audio {
            AafAudio::Linked => ((0, shape.frames), from),
            AafAudio::Embedded => ((own(from), own(to)), Frames::ZERO),
        };
        let source = mob_id(&("source", &file.path, of_file, shape.frames, audio as u8));
        let master = mob_id(&("master", source.as_slice(), from.0, to.0, rate.0, file.channel));
        Self { media, from, to, shape, file: of_file, offset, source, master }
    }

    fn source_mob(&self, media: &Media, audio: AafAudio, created: SystemTime) -> Object {
        let frames = self.file.1 - self.file.0;
        let container = if audio == AafAudio::Linked { WAVE } else { INSIDE };
        let mut descriptor = Object::new("WAVEDescriptor")
            .rational("SampleRate", self.shape.rate.0, 1)
            .long("Length", frames)
            .weak("ContainerFormat", Target::Containers, container)
            .bytes("Summary", self.shape.header(frames));
        if audio == AafAudio::Linked {
            let locator = Object::new("NetworkLocator");
            let locator = locator.text("URLString", &file_url::of_path(&media.path));
            descriptor = descriptor.vector("Locator", vec![locator]);
        }
        let slots = (1..=self.shape.channels).map(|channel| {
            let clip = source_clip([0; 32], 0, Frames::ZERO, Frames(frames));
            slot(channel, channel, self.shape.rate, clip)
        });
        mob("SourceMob", self.source, &media.name, created)
            .vector("Slots", slots.collect())
            .one("EssenceDescription", descriptor)
    }

    fn master_mob(&self, media: &Media, rate: SampleRate, created: SystemTime) -> Object {
        let channels = match media.channel {
            Some(channel) => vec![channel + 1],
            None => (1..=self.shape.channels).collect(),
        };
        let slots = (1_u16..).zip(channels).map(|(number, channel)| {
            let length = self.to - self.from;
            let clip = source_clip(self.source, channel, self.offset, length);
            slot(number, number, rate, clip)
        });
        mob("MasterMob", self.master, &media.name, created).vector("Slots", slots.collect())
    }
}

/// A mob without its slots.
pub(super) fn mob(class: &'static str, id: MobId, name: &str, created: SystemTime) -> Object {
    Object::new(class)
        .bytes("MobID", id)
        .text("Name", name)
        .time("LastModified", created)
        .time("CreationTime", created)
}

/// A slot of a mob with sound.
fn slot(number: u16, channel: u16, rate: SampleRate, segment: Object) -> Object {
    Object::new("TimelineMobSlot")
        .number("SlotID", number.into())
        .text("SlotName", &format!("A{channel}"))
        .number("PhysicalTrackNumber", channel.into())
        .rational("EditRate", rate.0, 1)
        .long("Origin", 0)
        .one("Segment", segment)
}

/// A reference to a stretch of another mob; to none if its id is zero.
pub(super) fn source_clip(id: MobId, slot: u16, start: Frames, length: Frames) -> Object {
    component("SourceClip", SOUND, length)
        .bytes("SourceID", id)
        .number("SourceMobSlotID", slot.into())
        .long("StartTime", start.0)
}

/// What a component has in any case.
pub(super) fn component(class: &'static str, data: Uuid, length: Frames) -> Object {
    Object::new(class).weak("DataDefinition", Target::Data, data).long("Length", length.0)
}

/// Mobs as a set.
pub(super) fn mob_set(mobs: Vec<(Vec<u8>, Object)>) -> Value {
    Value::Set(MOB_KEY, mobs)
}
