//! Checks before a plan is applied that the files with the measured audio still exist. It compares sizes
//! only: the message thread does not read the files; the worker that measures does.

use crate::errors::apply_error;
use crate::files::Files;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{ObjectId, Plan, Session, Source, SourceId};
use std::collections::BTreeSet;
use std::path::Path;

impl Files {
    /// Refuses a plan that was measured, or is to be, on an original that is missing or changed.
    pub(crate) fn have_originals(
        &self,
        plan: &Plan,
        before: &Session,
        after: &Session,
    ) -> Result<(), ToolError> {
        let promised = plan.predicted.iter().map(|p| p.target);
        let read = plan.reads.iter().map(|read| read.target);
        let targets: BTreeSet<_> = read.chain(promised).collect();
        let mut played = BTreeSet::new();
        for target in targets {
            played.extend(sources_of(before, target));
            played.extend(sources_of(after, target));
        }
        let sources = played.iter().filter_map(|id| after.sources.get(id));
        for source in sources.filter(|source| !self.hold(source)) {
            is_there(source)?;
        }
        Ok(())
    }
}

/// The sources that sound in an object; empty if it is not in the session.
fn sources_of(session: &Session, target: ObjectId) -> Vec<SourceId> {
    let clips = session.clips.values();
    match target {
        ObjectId::Session(_) => clips.map(|clip| clip.source).collect(),
        ObjectId::Track(id) => clips
            .filter(|clip| session.path_of(clip.track).any(|on| on == id))
            .map(|clip| clip.source)
            .collect(),
        ObjectId::Clip(id) => session.clips.get(&id).map(|c| c.source).into_iter().collect(),
        ObjectId::Source(id) => vec![id],
        ObjectId::Marker(_)
        | ObjectId::Group(_)
        | ObjectId::Insert(_)
        | ObjectId::Segment(_)
        | ObjectId::Code(_)
        | ObjectId::Phrase(_) => Vec::new(),
    }
}

fn is_there(source: &Source) -> Result<(), ToolError> {
    let path = &source.path;
    let refuse = |how: String, fix| Err(apply_error(Code::Media, format!("{path} {how}"), fix));
    match Path::new(path).metadata() {
        Err(error) => refuse(
            format!("cannot be read ({error}), and the plan was measured on it"),
            "put the original back, or import another file and plan again; nothing was changed",
        ),
        Ok(found) if found.len() != source.size => refuse(
            format!(
                "changed since it was imported: it has {} bytes and had {}",
                found.len(),
                source.size
            ),
            "put the original back, or import the new file and plan again; nothing was changed",
        ),
        Ok(_) => Ok(()),
    }
}
