//! The table of classes, properties and types, and the meta dictionary that a file carries of it.

use super::object::{META_KEY, Object, Target, Value, utf16};
use super::options::AafError;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The whole table.
const TABLE: &str = include_str!("model.txt");

/// The table by names.
pub(super) struct Model {
    pub(super) classes: BTreeMap<&'static str, Class>,
    types: BTreeMap<&'static str, Type>,
}

pub(super) struct Class {
    pub(super) id: Uuid,
    parent: &'static str,
    is_concrete: bool,
    pub(super) properties: Vec<Property>,
}

pub(super) struct Property {
    pub(super) name: &'static str,
    id: Uuid,
    pub(super) local: u16,
    kind: &'static str,
    pub(super) is_optional: bool,
    is_unique: bool,
}

struct Type {
    id: Uuid,
    kind: &'static str,
    rest: Vec<&'static str>,
}

impl Model {
    pub(super) fn load() -> Result<Self, AafError> {
        let mut model = Self { classes: BTreeMap::new(), types: BTreeMap::new() };
        let mut class = "";
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&'static str> = line.split(' ').collect();
            let read = model.line(&fields, &mut class);
            read.ok_or_else(|| AafError::Model(line.into()))?;
        }
        Ok(model)
    }

    /// `None` for a line that is not of the table's form.
    fn line(&mut self, fields: &[&'static str], class: &mut &'static str) -> Option<()> {
        let [what, name, id, third, rest @ ..] = fields else { return None };
        let id = Uuid::try_parse(id).ok()?;
        match (*what, rest) {
            ("class", [concrete]) => {
                *class = *name;
                let is_concrete = *concrete == "concrete";
                let new = Class { id, parent: third, is_concrete, properties: Vec::new() };
                self.classes.insert(name, new);
            }
            ("prop", [kind, need, unique @ ..]) => {
                let local = u16::from_str_radix(third, 16).ok()?;
                let is_optional = *need == "optional";
                let is_unique = *unique == ["unique"];
                let new = Property { name, id, local, kind, is_optional, is_unique };
                self.classes.get_mut(class)?.properties.push(new);
            }
            ("type", rest) => {
                self.types.insert(name, Type { id, kind: third, rest: rest.to_vec() });
            }
            _ => return None,
        }
        Some(())
    }

    pub(super) fn class(&self, name: &str) -> Result<&Class, AafError> {
        self.classes.get(name).ok_or_else(|| AafError::Model(name.into()))
    }

    fn type_id(&self, name: &str) -> Uuid {
        self.types.get(name).map_or(Uuid::nil(), |kind| kind.id)
    }

    fn class_id(&self, name: &str) -> Uuid {
        self.classes.get(name).map_or(Uuid::nil(), |class| class.id)
    }

    /// The classes from one up to the first.
    pub(super) fn lineage(&self, name: &str) -> impl Iterator<Item = &Class> {
        let parent = |class: &&Class| {
            let parent = self.classes.get(class.parent)?;
            (parent.id != class.id).then_some(parent)
        };
        std::iter::successors(self.classes.get(name), parent)
    }

    /// A property of a class or of its parents.
    pub(super) fn property(&self, class: &str, name: &str) -> Result<&Property, AafError> {
        let mut properties = self.lineage(class).flat_map(|class| &class.properties);
        let found = properties.find(|property| property.name == name);
        found.ok_or_else(|| AafError::Model(format!("{class}.{name}")))
    }

    /// The table as objects.
    pub(super) fn meta_dictionary(&self) -> Object {
        let set = |objects: Vec<(Vec<u8>, Object)>| Value::Set(META_KEY, objects);
        let classes = self.classes.iter().map(|(name, class)| self.class_object(name, class));
        let types = self.types.iter().map(|(name, kind)| self.type_object(name, kind));
        Object::new("MetaDictionary")
            .with("ClassDefinitions", set(classes.collect()))
            .with("TypeDefinitions", set(types.collect()))
    }

    fn class_object(&self, name: &str, class: &Class) -> (Vec<u8>, Object) {
        let parent = self.class_id(class.parent);
        let properties = class.properties.iter().map(|p| self.property_object(p)).collect();
        let object = named("ClassDefinition", name, class.id)
            .weak("ParentClass", Target::Classes, parent)
            .flag("IsConcrete", class.is_concrete)
            .with("Properties", Value::Set(META_KEY, properties));
        (class.id.to_bytes_le().into(), object)
    }

    fn property_object(&self, property: &Property) -> (Vec<u8>, Object) {
        let object = named("PropertyDefinition", property.name, property.id)
            .id("Type", self.type_id(property.kind))
            .flag("IsOptional", property.is_optional)
            .bytes("LocalIdentification", property.local.to_le_bytes())
            .flag("IsUniqueIdentifier", property.is_unique);
        (property.id.to_bytes_le().into(), object)
    }

    fn type_object(&self, name: &str, kind: &Type) -> (Vec<u8>, Object) {
        let first = kind.rest.first().copied().unwrap_or_default();
        let element = |class, property| {
            named(class, name, kind.id).weak(property, Target::Types, self.type_id(first))
        };
        let refers =
            |object: Object| object.weak("ReferencedType", Target::Classes, self.class_id(first));
        let object = match kind.kind {
            "int" => named("TypeDefinitionInteger", name, kind.id)
                .bytes("Size", [first.parse().unwrap_or(0_u8)])
                .flag("IsSigned", kind.rest.get(1) == Some(&"signed")),
            "enum" => enumeration(element("TypeDefinitionEnumeration", "ElementType"), kind),
            "extenum" => extendible(name, kind),
            "record" => self.record(name, kind),
            "fixed" => {
                let count = kind.rest.get(1).and_then(|n| n.parse().ok()).unwrap_or(0);
                element("TypeDefinitionFixedArray", "ElementType").number("ElementCount", count)
            }
            "array" => element("TypeDefinitionVariableArray", "ElementType"),
            "set" => element("TypeDefinitionSet", "ElementType"),
            "string" => element("TypeDefinitionString", "ElementType"),
            "rename" => element("TypeDefinitionRename", "RenamedType"),
            "strong" => refers(named("TypeDefinitionStrongObjectReference", name, kind.id)),
            "weak" => refers(named("TypeDefinitionWeakObjectReference", name, kind.id))
                .bytes("TargetSet", ids(&kind.rest[1..])),
            "character" => named("TypeDefinitionCharacter", name, kind.id),
            "indirect" => named("TypeDefinitionIndirect", name, kind.id),
            _ => named("TypeDefinitionStream", name, kind.id),
        };
        (kind.id.to_bytes_le().into(), object)
    }

    fn record(&self, name: &str, kind: &Type) -> Object {
        let (names, types): (Vec<&str>, Vec<&str>) = pairs(kind).unzip();
        let types = types.into_iter().map(|kind| self.type_id(kind)).collect();
        named("TypeDefinitionRecord", name, kind.id)
            .with("MemberTypes", Value::WeakVector(Target::Types, types))
            .bytes("MemberNames", names.into_iter().flat_map(utf16).collect::<Vec<u8>>())
    }
}

fn named(class: &'static str, name: &str, id: Uuid) -> Object {
    Object::new(class).text("Name", name).id("Identification", id)
}

/// The `NAME=VALUE` fields of a type.
fn pairs(kind: &Type) -> impl Iterator<Item = (&'static str, &'static str)> {
    kind.rest.iter().filter_map(|field| field.split_once('='))
}

fn enumeration(object: Object, kind: &Type) -> Object {
    let (names, values): (Vec<&str>, Vec<&str>) = pairs(kind).unzip();
    let values = values.into_iter().map(|value| value.parse().unwrap_or(0_i64));
    object
        .bytes("ElementNames", names.into_iter().flat_map(utf16).collect::<Vec<u8>>())
        .bytes("ElementValues", values.flat_map(i64::to_le_bytes).collect::<Vec<u8>>())
}

fn extendible(name: &str, kind: &Type) -> Object {
    let (names, values): (Vec<&str>, Vec<&str>) = pairs(kind).unzip();
    named("TypeDefinitionExtendibleEnumeration", name, kind.id)
        .bytes("ElementNames", names.into_iter().flat_map(utf16).collect::<Vec<u8>>())
        .bytes("ElementValues", ids(&values))
}

fn ids(texts: &[&str]) -> Vec<u8> {
    let ids = texts.iter().filter_map(|id| Uuid::try_parse(id).ok());
    ids.flat_map(|id| id.to_bytes_le()).collect()
}
