//! A whole project: a ZIP with `project.qde` and the transcripts as texts.

use super::guid::guid;
use super::write::{ORIGIN, Xml, codes};
use super::{source, unwritable};
use crate::places::everywhere;
use crate::quote;
use crate::text::{Talk, talks};
use deskhand_session::{Coding, ObjectId, Segment, SegmentId, Session, Source, SourceId};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The namespace of projects.
const PROJECT: &str = "urn:QDA-XML:project:1.0";
/// A project as a file.
pub(super) struct Written {
    pub(super) bytes: Vec<u8>,
    /// The names of the recordings.
    pub(super) sources: Vec<String>,
    pub(super) codings: usize,
}

/// What a project is written from.
pub(super) struct Project<'a> {
    pub(super) session: &'a Session,
    pub(super) talks: Vec<Talk<'a>>,
    /// Segments with a code or a memo, by source and time.
    pub(super) coded: BTreeMap<SourceId, Vec<(SegmentId, &'a Segment)>>,
    /// The GUIDs of memos, by what they are on.
    pub(super) notes: BTreeMap<ObjectId, String>,
}

impl<'a> Project<'a> {
    fn new(session: &'a Session) -> Self {
        let memos = session.memos.keys().filter(|on| session.takes_memo(**on));
        let notes: BTreeMap<ObjectId, String> =
            memos.map(|on| (*on, guid(session.id, &format!("{on} memo")))).collect();
        let mut coded: BTreeMap<SourceId, Vec<(SegmentId, &Segment)>> = BTreeMap::new();
        for (id, segment) in &session.segments {
            if !segment.codings.is_empty() || notes.contains_key(&(*id).into()) {
                coded.entry(segment.source).or_default().push((*id, segment));
            }
        }
        for own in coded.values_mut() {
            own.sort_by_key(|(id, segment)| (segment.start, *id));
        }
        Self { session, talks: talks(session, &everywhere(session)), coded, notes }
    }

    /// The GUID of a coder.
    pub(super) fn user(&self, coder: Option<&str>) -> String {
        guid(self.session.id, &format!("coder {}", coder.unwrap_or(Coding::HERE)))
    }

    fn coders(&self) -> BTreeSet<Option<&'a str>> {
        let segments = self.session.segments.values();
        let codings = segments.flat_map(|segment| &segment.codings);
        let mut coders: BTreeSet<_> = codings.map(|coding| coding.coder.as_deref()).collect();
        coders.insert(None);
        coders
    }

    /// The recordings with something to report.
    fn sources(&self) -> Vec<SourceId> {
        let spoken: BTreeSet<SourceId> = self.talks.iter().map(|talk| talk.source).collect();
        let known = |id: &SourceId| {
            let noted = self.notes.contains_key(&(*id).into());
            spoken.contains(id) || self.coded.contains_key(id) || noted
        };
        self.session.sources.keys().copied().filter(known).collect()
    }

    fn codings(&self) -> usize {
        self.coded.values().flatten().map(|(_, segment)| segment.codings.len()).sum()
    }
}

/// The project of a session as the bytes of a file.
///
/// # Errors
/// When the call is stopped, or memory runs out.
pub(super) fn archive(context: &PlanContext) -> Result<Written, ToolError> {
    let project = Project::new(&context.session);
    let sources = project.sources();
    let mut texts = Vec::new();
    let xml = document(&project, &sources, &mut texts).map_err(unwritable)?;
    context.check()?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, bytes: &[u8]| {
        zip.start_file(name, SimpleFileOptions::default()).map_err(unwritable)?;
        zip.write_all(bytes).map_err(unwritable)
    };
    add("project.qde", &xml)?;
    for (name, text) in &texts {
        context.check()?;
        add(&format!("sources/{name}"), text.as_bytes())?;
    }
    let bytes = zip.finish().map_err(unwritable)?.into_inner();
    let known = sources.iter().filter_map(|id| project.session.sources.get(id));
    let names = known.map(|source| called(project.session, source)).collect();
    Ok(Written { bytes, sources: names, codings: project.codings() })
}

/// The name of a recording, with the folders that it needs next to the file.
fn called(session: &Session, source: &Source) -> String {
    let path = source::beside(session, source);
    if path.contains('/') { path } else { source.name.clone() }
}

/// The XML; the texts of transcripts go to `texts`, with the names of their files.
fn document(
    project: &Project<'_>,
    sources: &[SourceId],
    texts: &mut Vec<(String, String)>,
) -> io::Result<Vec<u8>> {
    let session = project.session;
    let mut xml = Xml::new()?;
    let user = project.user(None);
    let attributes = [
        ("xmlns", PROJECT),
        ("name", "Deskhand session"),
        ("origin", ORIGIN),
        ("creatingUserGUID", &user),
    ];
    xml.open("Project", &attributes)?;
    xml.open("Users", &[])?;
    for coder in project.coders() {
        let guid = project.user(coder);
        xml.empty("User", &[("guid", &guid), ("name", coder.unwrap_or(Coding::HERE))])?;
    }
    xml.close("Users")?;
    xml.open("CodeBook", &[])?;
    codes(&mut xml, session, &project.notes)?;
    xml.close("CodeBook")?;
    if !sources.is_empty() {
        xml.open("Sources", &[])?;
        for id in sources {
            if let Some(value) = session.sources.get(id) {
                texts.extend(source::write(&mut xml, project, *id, value)?);
            }
        }
        xml.close("Sources")?;
    }
    notes(&mut xml, project)?;
    xml.close("Project")?;
    Ok(xml.finish())
}

fn notes(xml: &mut Xml, project: &Project<'_>) -> io::Result<()> {
    if project.notes.is_empty() {
        return Ok(());
    }
    xml.open("Notes", &[])?;
    for (on, guid) in &project.notes {
        let name = quote::name_of(project.session, *on);
        xml.open("Note", &[("guid", guid), ("name", &name)])?;
        xml.text("PlainTextContent", project.session.memos.get(on).map_or("", String::as_str))?;
        xml.close("Note")?;
    }
    xml.close("Notes")
}
