//! Stores objects: a storage each, with a stream `properties`, and an index stream for each set and vector.

use super::model::Model;
use super::object::{Object, Target, Value, utf16};
use super::options::AafError;
use cfb::CompoundFile;
use std::io::{Read, Seek, Write};
use std::path::Path;
use uuid::Uuid;

/// Little-endian.
const BYTE_ORDER: u8 = 0x4c;
/// A reference to a stream does not say its byte order.
const UNSPECIFIED_ORDER: u8 = 0x55;
/// The version of the stored form.
const VERSION: u8 = 32;
/// No key was ever given back.
const LAST_FREE_KEY: u32 = u32::MAX;
/// The class of the root of a file.
const ROOT_CLASS: Uuid = uuid::uuid!("b3b398a5-1c90-11d4-8053-080036210804");
/// A name in a compound file has at most 31 characters, and this leaves room for what follows a set's.
const LONGEST_NAME: usize = 20;

/// How a property is stored.
#[derive(Clone, Copy)]
#[repr(u16)]
enum Form {
    Data = 0x82,
    Stream = 0x42,
    One = 0x22,
    Vector = 0x32,
    Set = 0x3a,
    Weak = 0x02,
    WeakVector = 0x12,
    WeakSet = 0x1a,
}

/// Stores the root and all that is in it.
pub(super) fn store<F: Read + Write + Seek>(
    file: &mut CompoundFile<F>,
    model: &Model,
    root: &[(u16, &'static str, Object)],
) -> Result<(), AafError> {
    let mut store = Store { file, model };
    store.file.set_storage_clsid("/", ROOT_CLASS)?;
    let mut properties = Properties::default();
    for (local, name, object) in root {
        let name = stored_name(name, *local);
        properties.add(*local, Form::One, &utf16(&name));
        store.object(&format!("/{name}"), object)?;
    }
    store.stream("/properties", &properties.stored())?;
    store.stream("/referenced properties", &referenced())
}

/// The paths of all sets that weak references point into, in the order of [`Target::ALL`].
fn referenced() -> Vec<u8> {
    let paths = Target::ALL.map(Target::path);
    let locals: Vec<u16> = paths.iter().flat_map(|path| path.iter().copied().chain([0])).collect();
    let mut bytes = vec![BYTE_ORDER];
    bytes.extend(u16::try_from(paths.len()).unwrap_or(0).to_le_bytes());
    bytes.extend(length(locals.len()));
    bytes.extend(locals.into_iter().flat_map(u16::to_le_bytes));
    bytes
}

/// The content of a `properties` stream.
#[derive(Default)]
struct Properties {
    count: u16,
    index: Vec<u8>,
    values: Vec<u8>,
}

impl Properties {
    fn add(&mut self, local: u16, form: Form, value: &[u8]) {
        let size = u16::try_from(value.len()).unwrap_or(u16::MAX);
        self.count += 1;
        self.index.extend([local, form as u16, size].into_iter().flat_map(u16::to_le_bytes));
        self.values.extend(&value[..usize::from(size)]);
    }

    fn stored(&self) -> Vec<u8> {
        let head = [BYTE_ORDER, VERSION];
        [&head[..], &self.count.to_le_bytes(), &self.index, &self.values].concat()
    }
}

struct Store<'a, F> {
    file: &'a mut CompoundFile<F>,
    model: &'a Model,
}

impl<F: Read + Write + Seek> Store<'_, F> {
    fn stream(&mut self, path: &str, bytes: &[u8]) -> Result<(), AafError> {
        let mut stream = self.file.create_new_stream(Path::new(path))?;
        stream.write_all(bytes)?;
        Ok(stream.flush()?)
    }

    /// An object and all that is in it. They lie as deep in one another as this crate builds them.
    fn object(&mut self, path: &str, object: &Object) -> Result<(), AafError> {
        self.file.create_storage(path)?;
        self.file.set_storage_clsid(path, self.model.class(object.class)?.id)?;
        let mut properties = Properties::default();
        for (name, value) in &object.properties {
            let local = self.model.property(object.class, name)?.local;
            let name = stored_name(name, local);
            self.value(path, &name, value)?;
            let (form, bytes) = reference(&name, value);
            properties.add(local, form, &bytes);
        }
        self.stream(&format!("{path}/properties"), &properties.stored())
    }

    /// What a value has beside its entry in the properties.
    fn value(&mut self, path: &str, name: &str, value: &Value) -> Result<(), AafError> {
        let path = format!("{path}/{name}");
        match value {
            Value::Data(_) | Value::Weak(..) => Ok(()),
            Value::One(object) => self.object(&path, object),
            Value::Vector(objects) => self.objects(&path, objects.iter(), &[], |_| Vec::new()),
            Value::Set(key, objects) => {
                let head = key_head(*key, objects.first().map_or(16, |(key, _)| key.len()));
                let keyed = |n: usize| [&length(1)[..], &objects[n].0].concat();
                self.objects(&path, objects.iter().map(|(_, object)| object), &head, keyed)
            }
            Value::WeakVector(target, ids) | Value::WeakSet(target, ids) => {
                let head = [length(ids.len()).to_vec(), weak_head(*target)].concat();
                let ids = ids.iter().flat_map(uuid::Uuid::to_bytes_le);
                self.stream(
                    &format!("{path} index"),
                    &head.into_iter().chain(ids).collect::<Vec<u8>>(),
                )
            }
            Value::Audio(region) => {
                let mut stream = self.file.create_new_stream(Path::new(&path))?;
                region.copy_to(&mut stream)?;
                Ok(stream.flush()?)
            }
        }
    }

    /// Objects with their index. `keyed` gives what the index has of each after its number.
    fn objects<'a>(
        &mut self,
        path: &str,
        objects: impl ExactSizeIterator<Item = &'a Object>,
        head: &[u8],
        keyed: impl Fn(usize) -> Vec<u8>,
    ) -> Result<(), AafError> {
        let count = length(objects.len());
        let mut index = [&count[..], &count, &LAST_FREE_KEY.to_le_bytes(), head].concat();
        for (n, object) in objects.enumerate() {
            index.extend(length(n));
            index.extend(keyed(n));
            self.object(&format!("{path}{{{n:x}}}"), object)?;
        }
        self.stream(&format!("{path} index"), &index)
    }
}

/// How a property says where its value is, or what it is.
fn reference(name: &str, value: &Value) -> (Form, Vec<u8>) {
    match value {
        Value::Data(bytes) => (Form::Data, bytes.clone()),
        Value::One(_) => (Form::One, utf16(name)),
        Value::Vector(_) => (Form::Vector, utf16(name)),
        Value::Set(..) => (Form::Set, utf16(name)),
        Value::Weak(target, id) => {
            (Form::Weak, [weak_head(*target), id.to_bytes_le().to_vec()].concat())
        }
        Value::WeakVector(..) => (Form::WeakVector, utf16(name)),
        Value::WeakSet(..) => (Form::WeakSet, utf16(name)),
        Value::Audio(_) => (Form::Stream, [vec![UNSPECIFIED_ORDER], utf16(name)].concat()),
    }
}

fn weak_head(target: Target) -> Vec<u8> {
    let index = Target::ALL.iter().position(|known| *known == target).unwrap_or(0);
    let index = u16::try_from(index).unwrap_or(0);
    [&index.to_le_bytes()[..], &key_head(target.key(), 16)].concat()
}

/// The local id of a key, and its size.
fn key_head(key: u16, size: usize) -> Vec<u8> {
    [&key.to_le_bytes()[..], &[u8::try_from(size).unwrap_or(0)]].concat()
}

/// A count, as four bytes.
fn length(count: usize) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes()
}

/// The name of the storage of a property: no two in an object are the same.
fn stored_name(name: &str, local: u16) -> String {
    let local = format!("-{local:x}");
    let kept = name.len().min(LONGEST_NAME - local.len());
    format!("{}{local}", &name[..kept])
}
