//! Objects by the names of their class and properties, before they are stored.

use super::wave::Region;
use chrono::{DateTime, Datelike, Timelike, Utc};
use deskhand_session::text::cut;
use std::time::SystemTime;
use uuid::Uuid;

/// The longest text, in characters: a property has at most 65,535 bytes.
const LONGEST_TEXT: usize = 10_000;

/// An instance of a class.
pub(super) struct Object {
    pub(super) class: &'static str,
    pub(super) properties: Vec<(&'static str, Value)>,
}

/// A value of a property.
pub(super) enum Value {
    Data(Vec<u8>),
    One(Box<Object>),
    Vector(Vec<Object>),
    /// Objects by the bytes of a key, which is the property of them with that local id.
    Set(u16, Vec<(Vec<u8>, Object)>),
    Weak(Target, Uuid),
    WeakVector(Target, Vec<Uuid>),
    WeakSet(Target, Vec<Uuid>),
    Audio(Region),
}

/// The sets whose members others refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Classes,
    Types,
    Data,
    Operations,
    Parameters,
    Containers,
    Interpolations,
}

impl Target {
    pub(super) const ALL: [Self; 7] = [
        Self::Classes,
        Self::Types,
        Self::Data,
        Self::Operations,
        Self::Parameters,
        Self::Containers,
        Self::Interpolations,
    ];

    /// The local ids of the properties from the root to the set.
    pub(super) fn path(self) -> &'static [u16] {
        match self {
            Self::Classes => &[0x0001, 0x0003],
            Self::Types => &[0x0001, 0x0004],
            Self::Data => &[0x0002, 0x3b04, 0x2605],
            Self::Operations => &[0x0002, 0x3b04, 0x2603],
            Self::Parameters => &[0x0002, 0x3b04, 0x2604],
            Self::Containers => &[0x0002, 0x3b04, 0x2608],
            Self::Interpolations => &[0x0002, 0x3b04, 0x2609],
        }
    }

    /// The local id of the key of its members.
    pub(super) fn key(self) -> u16 {
        match self {
            Self::Classes | Self::Types => META_KEY,
            _ => DEFINITION_KEY,
        }
    }
}

/// The local id of the identification of classes, properties and types.
pub(super) const META_KEY: u16 = 0x0005;
/// The local id of the identification of other definitions.
pub(super) const DEFINITION_KEY: u16 = 0x1b01;
/// The local id of the id of a mob.
pub(super) const MOB_KEY: u16 = 0x4401;
/// The local id of the id of the mob whose audio it is.
pub(super) const ESSENCE_KEY: u16 = 0x2701;
/// The local id of what a parameter is.
pub(super) const PARAMETER_KEY: u16 = 0x4c01;

impl Object {
    pub(super) fn new(class: &'static str) -> Self {
        Self { class, properties: Vec::new() }
    }

    pub(super) fn with(mut self, name: &'static str, value: Value) -> Self {
        self.properties.push((name, value));
        self
    }

    pub(super) fn bytes(self, name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        self.with(name, Value::Data(bytes.into()))
    }

    pub(super) fn text(self, name: &'static str, text: &str) -> Self {
        self.bytes(name, utf16(&cut(text, LONGEST_TEXT)))
    }

    pub(super) fn id(self, name: &'static str, id: Uuid) -> Self {
        self.bytes(name, id.to_bytes_le())
    }

    pub(super) fn long(self, name: &'static str, number: i64) -> Self {
        self.bytes(name, number.to_le_bytes())
    }

    pub(super) fn number(self, name: &'static str, number: u32) -> Self {
        self.bytes(name, number.to_le_bytes())
    }

    pub(super) fn flag(self, name: &'static str, flag: bool) -> Self {
        self.bytes(name, [u8::from(flag)])
    }

    pub(super) fn rational(self, name: &'static str, numerator: u32, denominator: u32) -> Self {
        self.bytes(name, [numerator.to_le_bytes(), denominator.to_le_bytes()].concat())
    }

    pub(super) fn time(self, name: &'static str, time: SystemTime) -> Self {
        self.bytes(name, time_stamp(time))
    }

    pub(super) fn weak(self, name: &'static str, target: Target, id: Uuid) -> Self {
        self.with(name, Value::Weak(target, id))
    }

    pub(super) fn one(self, name: &'static str, object: Self) -> Self {
        self.with(name, Value::One(Box::new(object)))
    }

    pub(super) fn vector(self, name: &'static str, objects: Vec<Self>) -> Self {
        self.with(name, Value::Vector(objects))
    }
}

/// A text in UTF-16 with its end.
pub(super) fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().filter(|unit| *unit != 0).chain([0]).flat_map(u16::to_le_bytes).collect()
}

/// A value together with its type, in little-endian order.
pub(super) fn indirect(kind: Uuid, value: &[u8]) -> Vec<u8> {
    [&[0x4c_u8][..], &kind.to_bytes_le(), value].concat()
}

fn time_stamp(time: SystemTime) -> Vec<u8> {
    let time = DateTime::<Utc>::from(time);
    let year = i16::try_from(time.year()).unwrap_or(i16::MAX);
    let small = |number: u32| u8::try_from(number).unwrap_or(0);
    let date = [time.month(), time.day(), time.hour(), time.minute(), time.second(), 0].map(small);
    [&year.to_le_bytes()[..], &date].concat()
}
