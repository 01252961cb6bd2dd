//! The DAW's project that a session was opened from, and what its objects are called there.

use crate::ids::ObjectId;
use crate::source::ContentHash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The endings of project files that can be opened, in lower case.
pub const PROJECT_ENDINGS: [&str; 3] = ["rpp", "dawproject", "ardour"];

/// A project of a DAW, and the objects of the session that came from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The name of the DAW.
    pub program: String,
    /// Absolute path of the project file.
    pub path: String,
    /// The hash of the project file as it was read.
    pub hash: ContentHash,
    /// The tracks, clips and markers that came from the project.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub objects: BTreeMap<ObjectId, HostRef>,
    /// What the project holds that Deskhand leaves as it is, such as "2 plugins".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// Whether each step of the session goes into the project first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_linked: bool,
}

/// An object of the DAW.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostRef {
    /// Its name or number in the project file, unique there.
    pub id: String,
}
