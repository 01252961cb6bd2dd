//! Digests of JSON values: BLAKE3 over the canonical form (RFC 8785).

use serde::Serialize;
use serde_json::Value;

/// What every digest begins with.
const PREFIX: &str = "blake3:";

/// The canonical JSON of a value. Empty if the value holds a number that JSON cannot write.
#[must_use]
pub fn canonical(value: &impl Serialize) -> String {
    serde_json_canonicalizer::to_string(value).unwrap_or_default()
}

/// Whether a text is a digest.
pub(crate) fn is_digest(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// `blake3:` and 64 hexadecimal digits of the canonical JSON.
#[must_use]
pub fn digest(value: &impl Serialize) -> String {
    format!("{PREFIX}{}", blake3::hash(canonical(value).as_bytes()).to_hex())
}

/// The digest of a plan as JSON: without its id, digest and session.
#[must_use]
pub fn plan_digest(plan: &Value) -> String {
    let mut plan = plan.clone();
    if let Some(fields) = plan.as_object_mut() {
        for key in ["id", "digest", "session"] {
            fields.remove(key);
        }
    }
    digest(&plan)
}
