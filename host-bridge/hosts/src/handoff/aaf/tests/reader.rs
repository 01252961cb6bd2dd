//! Reads an AAF by the table alone: as little as the tests ask.

use super::super::model::Model;
use super::super::object::Target;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use uuid::Uuid;

/// A file, with what its streams hold.
pub(super) struct Aaf {
    file: cfb::CompoundFile<Cursor<Vec<u8>>>,
    model: Model,
}

/// Form and bytes of properties by their local ids.
type Properties = BTreeMap<u16, (u16, Vec<u8>)>;

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

fn count(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn text(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes.chunks(2).map(|pair| short(pair, 0)).collect();
    assert_eq!(units.last(), Some(&0));
    String::from_utf16(&units[..units.len() - 1]).unwrap()
}

fn id(bytes: &[u8]) -> Uuid {
    Uuid::from_bytes_le(bytes.try_into().unwrap())
}

fn fraction(bytes: &[u8]) -> f64 {
    let part = |at: usize| f64::from(i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
    part(0) / part(4)
}

fn decibels(factor: f64) -> f64 {
    20.0 * factor.log10()
}

impl Aaf {
    pub(super) fn open(bytes: Vec<u8>) -> Self {
        let kind = Uuid::try_parse("0d010201-0200-0000-060e-2b3403020101").unwrap();
        assert_eq!(id(&bytes[8..24]), kind);
        let file = cfb::CompoundFile::open(Cursor::new(bytes)).unwrap();
        Self { file, model: Model::load().unwrap() }
    }

    fn stream(&mut self, path: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.file.open_stream(path).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn properties(&mut self, path: &str) -> Properties {
        let bytes = self.stream(&format!("{path}/properties"));
        assert_eq!(&bytes[..2], [0x4c, 32]);
        let number = usize::from(short(&bytes, 2));
        let mut at = 4 + 6 * number;
        let mut properties = Properties::new();
        for n in 0..number {
            let entry = &bytes[4 + 6 * n..10 + 6 * n];
            let size = usize::from(short(entry, 4));
            let value = (short(entry, 2), bytes[at..at + size].to_vec());
            assert!(properties.insert(short(entry, 0), value).is_none());
            at += size;
        }
        assert_eq!(at, bytes.len());
        properties
    }

    /// The paths of the objects in a property, each with its key.
    fn objects(&mut self, path: &str, local: u16) -> Vec<(String, Vec<u8>)> {
        let Some((form, value)) = self.properties(path).remove(&local) else { return Vec::new() };
        let base = format!("{path}/{}", text(&value));
        if form == 0x22 {
            return vec![(base, Vec::new())];
        }
        let index = self.stream(&format!("{base} index"));
        let number = count(&index, 0);
        let (head, key) = if form == 0x3a { (15, usize::from(index[14])) } else { (12, 0) };
        let entry = if form == 0x3a { 8 + key } else { 4 };
        assert_eq!(index.len(), head + entry * number);
        let entries = index[head..].chunks(entry);
        let object = |e: &[u8]| (format!("{base}{{{:x}}}", count(e, 0)), e[entry - key..].to_vec());
        entries.map(object).collect()
    }

    fn one(&mut self, path: &str, local: u16) -> String {
        self.objects(path, local).remove(0).0
    }

    fn class(&self, path: &str) -> String {
        let class = *self.file.entry(path).unwrap().clsid();
        let classes = &self.model.classes;
        let found = classes.iter().find(|(_, known)| known.id == class);
        (*found.unwrap_or_else(|| panic!("{path} is of no known class")).0).to_owned()
    }

    fn long(&mut self, path: &str, local: u16) -> i64 {
        i64::from_le_bytes(self.properties(path)[&local].1.clone().try_into().unwrap())
    }

    fn words(&mut self, path: &str, local: u16) -> String {
        text(&self.properties(path)[&local].1)
    }

    /// Every object has what its class needs and nothing else, and each reference leads somewhere.
    pub(super) fn check(&mut self) {
        let mut members = BTreeMap::new();
        for (n, target) in Target::ALL.into_iter().enumerate() {
            let (set, to) = target.path().split_last().unwrap();
            let owner = to.iter().fold(String::new(), |path, local| self.one(&path, *local));
            let ids = self.objects(&owner, *set).into_iter().map(|(_, key)| id(&key));
            members.insert(n, ids.collect::<BTreeSet<_>>());
        }
        let mut seen = BTreeSet::new();
        let mut open: Vec<String> = [1, 2].map(|local| self.one("", local)).into();
        while let Some(path) = open.pop() {
            assert!(seen.insert(path.clone()), "{path} is in two places");
            open.extend(self.check_object(&path, &members));
        }
        let storages = self.file.walk().filter(|entry| entry.is_storage() && !entry.is_root());
        assert_eq!(storages.count(), seen.len());
    }

    fn check_object(
        &mut self,
        path: &str,
        members: &BTreeMap<usize, BTreeSet<Uuid>>,
    ) -> Vec<String> {
        let class = self.class(path);
        let properties = self.properties(path);
        let lineage = self.model.lineage(&class).flat_map(|class| &class.properties);
        let known: Vec<_> = lineage.map(|p| (p.local, p.name, p.is_optional)).collect();
        for (local, name, is_optional) in &known {
            assert!(*is_optional || properties.contains_key(local), "{path} has no {name}");
        }
        let mut inside = Vec::new();
        for (local, (form, value)) in &properties {
            assert!(known.iter().any(|(own, ..)| own == local), "{class} has no {local:x}");
            let weak = |head: &[u8], ids: &[u8]| {
                let set = &members[&usize::from(short(head, 0))];
                ids.chunks(16).all(|bytes| set.contains(&id(bytes)))
            };
            match form {
                0x02 => assert!(weak(value, &value[5..]), "{path} {local:x} leads nowhere"),
                0x12 | 0x1a => {
                    let index = self.stream(&format!("{path}/{} index", text(value)));
                    assert!(weak(&index[4..], &index[9..]), "{path} {local:x} leads nowhere");
                }
                0x22 | 0x32 | 0x3a => {
                    inside.extend(self.objects(path, *local).into_iter().map(|(path, _)| path));
                }
                0x42 => drop(self.stream(&format!("{path}/{}", text(&value[1..])))),
                _ => assert_eq!(*form, 0x82),
            }
        }
        inside
    }

    fn content(&mut self) -> String {
        let header = self.one("", 2);
        self.one(&header, 0x3b03)
    }

    fn mobs(&mut self) -> Vec<(String, Vec<u8>)> {
        let content = self.content();
        self.objects(&content, 0x1901)
    }

    pub(super) fn mob_ids(&mut self) -> BTreeSet<Vec<u8>> {
        self.mobs().into_iter().map(|(_, key)| key).collect()
    }

    /// The WAV files in it, by the order of their mobs.
    pub(super) fn essence(&mut self) -> Vec<Vec<u8>> {
        let content = self.content();
        let data = self.objects(&content, 0x1902);
        let stream = |(path, _): (String, Vec<u8>)| {
            let name = text(&self.properties(&path)[&0x2702].1[1..]);
            self.stream(&format!("{path}/{name}"))
        };
        data.into_iter().map(stream).collect()
    }

    fn composition(&mut self) -> String {
        let mobs = self.mobs();
        mobs.into_iter().find(|(path, _)| self.class(path) == "CompositionMob").unwrap().0
    }

    /// The composition and the files in words.
    pub(super) fn told(&mut self) -> String {
        let composition = self.composition();
        let mut lines = vec![self.words(&composition, 0x4402)];
        for (slot, _) in self.objects(&composition, 0x4403) {
            lines.push(self.told_slot(&slot));
        }
        let mut files = Vec::new();
        for (mob, _) in self.mobs() {
            if self.class(&mob) == "MasterMob" {
                files.push(self.told_master(&mob));
            }
        }
        files.sort();
        lines.extend(files);
        lines.join("\n") + "\n"
    }

    fn told_slot(&mut self, slot: &str) -> String {
        let properties = self.properties(slot);
        let rate = properties.get(&0x4b01).or(properties.get(&0x4901)).unwrap().1.clone();
        let number = count(&properties[&0x4801].1, 0);
        let name = self.words(slot, 0x4802);
        let segment = self.one(slot, 0x4803);
        let mut told = Vec::new();
        self.tell(&segment, &mut told);
        let (rate, by) = (count(&rate, 0), count(&rate, 4));
        format!("{number} {name} {rate}/{by}: {}", told.join(", "))
    }

    /// The value of the only parameter of a group.
    fn parameter(&mut self, group: &str) -> f64 {
        let parameter = self.one(group, 0x0b03);
        fraction(&self.properties(&parameter)[&0x4d01].1[17..])
    }

    fn tell(&mut self, path: &str, told: &mut Vec<String>) {
        match self.class(path).as_str() {
            "Timecode" => {
                let properties = self.properties(path);
                let drop = if properties[&0x1503].1 == [1] { " drop" } else { "" };
                let fps = short(&properties[&0x1502].1, 0);
                told.push(format!("timecode {} {fps}{drop}", self.long(path, 0x1501)));
                told.push(self.long(path, 0x0202).to_string());
            }
            "Sequence" => {
                let items = self.objects(path, 0x1001);
                items.iter().for_each(|(item, _)| self.tell_item(item, told));
                if self.properties(path)[&0x0201].1[5..] != self.description() {
                    let length = self.long(path, 0x0202);
                    let last = told.last_mut().unwrap();
                    *last = format!("{last} = {length}");
                }
            }
            "OperationGroup" => {
                let value = self.parameter(path);
                let pan =
                    id(&self.properties(path)[&0x0b01].1[5..]) == super::super::definitions::PAN;
                let gain = decibels(value);
                told.push(if pan {
                    format!("pan {value:.2}")
                } else {
                    format!("gain {gain:.1} dB")
                });
                let inner = self.one(path, 0x0b02);
                self.tell(&inner, told);
            }
            other => panic!("{other}"),
        }
    }

    fn description(&self) -> [u8; 16] {
        super::super::definitions::DESCRIPTION.to_bytes_le()
    }

    fn tell_item(&mut self, item: &str, told: &mut Vec<String>) {
        let length = self.long(item, 0x0202);
        told.push(match self.class(item).as_str() {
            "Filler" => format!("silence {length}"),
            "Transition" => {
                let group = self.one(item, 0x1801);
                let level = self.one(&group, 0x0b03);
                let curve = id(&self.properties(&level)[&0x4e01].1[5..]);
                let line = curve == super::super::definitions::LINEAR;
                let cut = self.long(item, 0x1802);
                format!("fade {length} cut {cut} {}", if line { "linear" } else { "power" })
            }
            "CommentMarker" => {
                let at = self.long(item, 0x0601);
                format!("{} at {at} for {length}", self.words(item, 0x0602))
            }
            "SourceClip" => self.told_clip(item),
            _ => {
                let inner = self.one(item, 0x0b02);
                let (clip, factor) = (self.told_clip(&inner), self.parameter(item));
                if factor == 0.0 {
                    format!("{clip} muted")
                } else {
                    format!("{clip} at {:.1} dB", decibels(factor))
                }
            }
        });
    }

    fn master(&mut self, clip: &str) -> String {
        let source = self.properties(clip)[&0x1101].1.clone();
        self.mobs().into_iter().find(|(_, key)| *key == source).unwrap().0
    }

    /// A clip by its place in the file.
    fn told_clip(&mut self, clip: &str) -> String {
        let master = self.master(clip);
        let name = self.words(&master, 0x4402);
        let slot = self.one(&master, 0x4403);
        let whole = self.one(&slot, 0x4803);
        let start = self.long(&whole, 0x1201) + self.long(clip, 0x1201);
        format!("{name} from {start} for {}", self.long(clip, 0x0202))
    }

    fn told_master(&mut self, mob: &str) -> String {
        let slots = self.objects(mob, 0x4403);
        let clip = self.one(&slots[0].0, 0x4803);
        let (from, length) = (self.long(&clip, 0x1201), self.long(&clip, 0x0202));
        let source = self.master(&clip);
        let descriptor = self.one(&source, 0x4701);
        let rate = fraction(&self.properties(&descriptor)[&0x3001].1);
        let frames = self.long(&descriptor, 0x3002);
        let locator = self.objects(&descriptor, 0x2f01);
        let url = locator.first().map(|(locator, _)| self.words(locator, 0x4001));
        let (name, channels) = (self.words(mob, 0x4402), slots.len());
        let path = url.unwrap_or_default().replace("file://", "");
        let to = from + length;
        format!("{name}: {path} {rate} Hz, {frames} frames, {channels} channels; {from} to {to}")
    }
}
