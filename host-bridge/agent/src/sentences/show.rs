//! Sentences about what is looked at: "show the spectrogram of the vocal".

use super::said::{Built, Said};
use crate::draft::Draft;
use crate::resolve::{Trouble, Want};
use deskhand_session::{Handle, ObjectId};
use serde_json::json;

/// At most this many windows for a sentence.
const MOST: usize = 4;

/// A window for each clip or source that is meant: `viewer` as `display_resource` has it.
pub(super) fn window(said: &Said<'_>, viewer: &str) -> Built {
    let ids = said.sound("on", Want::Clips)?.map(|found| found.ids).unwrap_or_default();
    let handles: Vec<Handle> = ids.into_iter().filter_map(handle).collect();
    if handles.is_empty() || handles.len() > MOST {
        let clips = said.session().clips.values().take(MOST);
        let offers = clips.map(|clip| format!("show the {viewer} of {}", clip.name));
        let reason = match handles.len() {
            0 => "that is no clip and no source".to_owned(),
            many => format!("that is {many} clips, and each needs a window"),
        };
        return Err(Trouble::new(reason, offers.collect::<Vec<_>>()));
    }
    let shown = |handle: Handle| {
        let params = vec![("handle", json!(handle.to_string())), ("viewer", json!(viewer))];
        Draft::call("display_resource", params)
    };
    Ok(handles.into_iter().map(shown).collect())
}

fn handle(id: ObjectId) -> Option<Handle> {
    match id {
        ObjectId::Clip(id) => Some(Handle::Clip(id)),
        ObjectId::Source(id) => Some(Handle::Source(id)),
        ObjectId::Session(_)
        | ObjectId::Track(_)
        | ObjectId::Marker(_)
        | ObjectId::Group(_)
        | ObjectId::Insert(_)
        | ObjectId::Code(_)
        | ObjectId::Segment(_)
        | ObjectId::Phrase(_) => None,
    }
}
