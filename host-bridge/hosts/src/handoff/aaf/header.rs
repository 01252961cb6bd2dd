//! The root of a file: its header with the mobs and the dictionary, and the meta dictionary.

use super::super::timeline::Timeline;
use super::composition::composition;
use super::definitions::{EDIT_PROTOCOL, dictionary};
use super::media::{Parts, mob_id, mob_set, unique};
use super::model::Model;
use super::object::Object;
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::{Uuid, uuid};

/// The id of this program.
const PRODUCT: Uuid = uuid!("6f0d4a1e-8a0c-4d6f-9d0e-7c1b5e2a9f34");
/// Little-endian.
const BYTE_ORDER: [u8; 2] = [0x49, 0x49];

/// The objects of the root with their local ids and names.
pub(super) fn root(
    timeline: &Timeline,
    parts: &Parts,
    model: &Model,
    created: SystemTime,
) -> [(u16, &'static str, Object); 2] {
    [
        (0x0001, "MetaDictionary", model.meta_dictionary()),
        (0x0002, "Header", header(timeline, parts, created)),
    ]
}

fn header(timeline: &Timeline, parts: &Parts, created: SystemTime) -> Object {
    // An editor takes a composition with the id of another one for the same: each file has one of its own.
    let since = created.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let facts = ("composition", format!("{timeline:?}"), since);
    let id = mob_id(&facts);
    let mut mobs = vec![(id.to_vec(), composition(timeline, parts, id, created))];
    mobs.extend(parts.mobs(timeline, created));
    let mut content = Object::new("ContentStorage").with("Mobs", mob_set(mobs));
    if let Some(essence) = parts.essence(timeline) {
        content = content.with("EssenceData", essence);
    }
    Object::new("Header")
        .bytes("ByteOrder", BYTE_ORDER)
        .time("LastModified", created)
        .one("Content", content)
        .one("Dictionary", dictionary())
        .bytes("Version", [1, 1])
        .vector("IdentificationList", vec![identification(created, unique(&("made", facts)))])
        .number("ObjectModelVersion", 1)
        .id("OperationalPattern", EDIT_PROTOCOL)
}

fn identification(created: SystemTime, generation: Uuid) -> Object {
    Object::new("Identification")
        .text("CompanyName", "Deskhand")
        .text("ProductName", "Deskhand")
        .text("ProductVersionString", env!("CARGO_PKG_VERSION"))
        .id("ProductID", PRODUCT)
        .time("Date", created)
        .text("Platform", std::env::consts::OS)
        .id("GenerationAUID", generation)
}
