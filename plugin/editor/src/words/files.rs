//! Finds the recording of a dropped transcript.

use crate::model::Model;
use deskhand_session::{Session, SourceId};
use std::collections::BTreeSet;
use std::path::Path;

impl Model {
    /// The source of a transcript: the one named like the file, the one shown alone in Words, the one that
    /// the selected clips play, or the only one.
    ///
    /// # Errors
    /// When several sources fit or none does, in words for the person.
    pub fn source_of_transcript(&self, file: &Path) -> Result<SourceId, String> {
        let Some(session) = self.session() else {
            return Err("Open a session first, and then bring the transcript.".into());
        };
        let words = &self.desk.words;
        let shown = words.transcript.only.filter(|_| words.is_open);
        let found = named(session, file).or(shown).or_else(|| selected(session));
        let single = session.sources.keys().next().copied().filter(|_| session.sources.len() == 1);
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        found.or(single).ok_or_else(|| {
            if session.sources.is_empty() {
                return format!("Import the recording that {name} is of first.");
            }
            format!("Select a clip of the recording that {name} is of, and bring it again.")
        })
    }
}

/// The only source with the file's name, without its ending.
fn named(session: &Session, file: &Path) -> Option<SourceId> {
    let stem = file.file_stem()?;
    let is_called = |name: &str| Path::new(name).file_stem() == Some(stem);
    let mut called = session.sources.iter().filter(|(_, source)| is_called(&source.name));
    let (id, _) = called.next()?;
    called.next().is_none().then_some(*id)
}

/// The source that all selected clips play.
fn selected(session: &Session) -> Option<SourceId> {
    let clips = session.selection.clips.iter().filter_map(|id| session.clips.get(id));
    let sources: BTreeSet<SourceId> = clips.map(|clip| clip.source).collect();
    sources.first().copied().filter(|_| sources.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui_tests::open_model;
    use deskhand_session::ClipId;

    #[test]
    fn a_transcript_is_of_the_source_of_its_name_else_of_the_selected_clip() {
        let mut model = open_model();
        let of = |model: &Model, file: &str| model.source_of_transcript(Path::new(file));
        assert_eq!(of(&model, "/talks/Guitar.srt"), Ok(SourceId::new(2)));
        let why = of(&model, "/talks/other.srt").unwrap_err();
        assert!(why.contains("Select a clip") && why.contains("other.srt"), "{why}");
        let session = &mut model.mirror.as_mut().unwrap().snapshot.session;
        session.selection.clips = [ClipId::new(1)].into();
        assert_eq!(of(&model, "/talks/other.srt"), Ok(SourceId::new(1)));
        session_of(&mut model).sources.remove(&SourceId::new(2));
        session_of(&mut model).selection.clips.clear();
        assert_eq!(of(&model, "/talks/other.srt"), Ok(SourceId::new(1)), "the only one");
    }

    fn session_of(model: &mut Model) -> &mut Session {
        &mut model.mirror.as_mut().unwrap().snapshot.session
    }
}
