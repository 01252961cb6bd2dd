//! What a linked session knows of the DAW's project: as it was when it was last read or written, and what objects are
//! called there that did not come from it. It is kept in the session's folder.

use crate::audio_files;
use crate::file_host::FileHost;
use crate::format::Format;
use crate::host::{Applied, Snapshot};
use crate::project::{NEW, Project};
use deskhand_media::conform;
use deskhand_session::{Binding, HostRef, Media, ObjectId, RevisionId, Session, Source};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The file in the session's folder.
const FILE: &str = "project.json";
/// How many steps can be taken back byte by byte.
const STEPS: usize = 100;
/// The folder of copies of the project, in the session's folder.
const COPIES: &str = "project copies";

/// The project as the session knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Link {
    /// The revision of the session that is the same as the project.
    pub(crate) head: RevisionId,
    /// Stands for the project.
    pub(crate) token: String,
    /// The project.
    pub(crate) project: Project,
    /// What the objects of the session are called there.
    pub(crate) objects: BTreeMap<ObjectId, HostRef>,
    /// Our steps in it, the newest last.
    #[serde(default)]
    pub(crate) steps: Vec<OurStep>,
    /// The step that is under way in the project, for people.
    #[serde(default)]
    pub(crate) title: String,
    /// The link before it: the session may end before its revision is stored.
    #[serde(default)]
    pub(crate) before: Option<Box<Self>>,
}

/// A step of ours in the project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OurStep {
    pub(crate) applied: Applied,
    /// The revision of the session before it.
    pub(crate) from: RevisionId,
    /// What the objects that it gave other names were called before it; `None` if they had none.
    pub(crate) names: BTreeMap<ObjectId, Option<HostRef>>,
}

impl Link {
    /// The link of a project that nothing was done to.
    pub(crate) fn new(now: Snapshot, head: RevisionId, binding: &Binding) -> Self {
        let Snapshot { project, token } = now;
        let (objects, steps) = (binding.objects.clone(), Vec::new());
        Self { head, token, project, objects, steps, title: String::new(), before: None }
    }

    /// The newest link of a session, whatever became of the session since; `None` if there is none.
    pub(crate) fn newest(folder: &Path) -> Option<Self> {
        let bytes = std::fs::read(folder.join(FILE)).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The link that goes with a linked session at `head`; `None` if there is none.
    pub(crate) fn load(folder: &Path, head: RevisionId) -> Option<Self> {
        let link = Self::newest(folder)?;
        match link.before {
            // The revision was not stored: what the project got with it comes in as a change of the project.
            Some(before) if link.head != head && before.head == head => Some(*before),
            before => Some(Self { before, ..link }),
        }
    }

    /// The link after a step of this title, which leaves the session at `head`.
    pub(crate) fn followed_by(self, head: RevisionId, title: &str) -> Self {
        let before = Some(Box::new(self.clone().under_way(title)));
        Self { head, title: String::new(), before, ..self }
    }

    /// The link while a step of this title is under way.
    pub(crate) fn under_way(self, title: &str) -> Self {
        Self { title: title.to_owned(), before: None, ..self }
    }

    /// # Errors
    /// When it cannot be written.
    pub(crate) fn store(&self, folder: &Path) -> Result<(), ToolError> {
        let failed = |error: std::io::Error| {
            let message = format!("{}: {error}", folder.join(FILE).display());
            ToolError::run(Code::Write, message, "make room on the disk, and try again")
        };
        let bytes = serde_json::to_vec(self).map_err(|error| failed(error.into()))?;
        let mut part = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        part.write_all(&bytes).and_then(|()| part.as_file().sync_all()).map_err(failed)?;
        part.persist(folder.join(FILE)).map(drop).map_err(|error| failed(error.error))
    }

    /// Notes a step of ours, and what objects are called since. What the session does not have has no name.
    pub(crate) fn add(&mut self, applied: Applied, from: RevisionId, after: &Session) {
        let before = self.objects.clone();
        self.objects.retain(|object, _| after.has(*object));
        for host in self.objects.values_mut() {
            if let Some(name) = applied.names.get(&host.id) {
                host.id.clone_from(name);
            }
        }
        for (new, name) in &applied.names {
            if let Some(Ok(object)) = new.strip_prefix(NEW).map(str::parse) {
                self.objects.insert(object, HostRef { id: name.clone() });
            }
        }
        let all = before.keys().chain(self.objects.keys());
        let names = all.filter(|it| before.get(it) != self.objects.get(it));
        let names = names.map(|it| (*it, before.get(it).cloned())).collect();
        self.steps.push(OurStep { applied, from, names });
        let old = self.steps.len().saturating_sub(STEPS);
        self.steps.drain(..old);
    }

    /// Takes our newest step from the list, and gives the objects their names from before it.
    pub(crate) fn take_back(&mut self) {
        let names = self.steps.pop().map(|step| step.names).unwrap_or_default();
        for (object, name) in names {
            match name {
                Some(name) => drop(self.objects.insert(object, name)),
                None => drop(self.objects.remove(&object)),
            }
        }
    }
}

/// The project of a session, and where its audio is.
pub(crate) struct Places {
    pub(crate) path: PathBuf,
    pub(crate) unpacked: PathBuf,
    /// The session's folder.
    session: PathBuf,
}

impl Places {
    pub(crate) fn of(binding: &Binding, context: &PlanContext) -> Self {
        let path = PathBuf::from(&binding.path);
        let unpacked = audio_files::unpacked(&context.folder);
        Self { path, unpacked, session: context.folder.clone() }
    }

    fn is_of_ardour(&self) -> bool {
        Format::of(&self.path, b"") == Some(Format::Ardour)
    }

    /// The file that the DAW plays for a source. Ardour plays each file at the rate of the session, and no DAW chooses
    /// one of several tracks of audio in a film: they play the copy that Deskhand plays.
    pub(crate) fn played(&self, source: &Source) -> PathBuf {
        match &source.media {
            Media::Conformed(copy) if self.is_of_ardour() || source.hash.track().is_some() => {
                self.session.join(copy)
            }
            _ => PathBuf::from(&source.path),
        }
    }

    /// What the project calls the file of a source that is new to it.
    pub(crate) fn written(&self, source: &Source) -> String {
        match self.copy_for_ardour(source) {
            Some(copy) => file_name(&copy),
            None => audio_files::written(self.folder(), &self.played(source)),
        }
    }

    /// Where a source's audio is kept in an Ardour session; `None` for other programs. When Ardour saves, it forgets the
    /// folder of a file that is elsewhere in the session's folder.
    pub(crate) fn copy_for_ardour(&self, source: &Source) -> Option<PathBuf> {
        let folder = self.is_of_ardour().then(|| audio_files::of_ardour(&self.path))?;
        let played = self.played(source);
        if played.parent() == Some(&folder) {
            return Some(played);
        }
        let stem = Path::new(&source.path).file_stem().unwrap_or_default().to_string_lossy();
        let ending = played.extension().unwrap_or_default().to_string_lossy();
        let hash: String = source.hash.file().chars().take(8).collect();
        let track = source.hash.track().map(|track| format!("-{}", track + 1)).unwrap_or_default();
        Some(folder.join(format!("{stem}-{hash}{track}.{ending}")))
    }

    /// Copies the audio that is new to a session of Ardour to where it keeps it.
    ///
    /// # Errors
    /// When a file cannot be copied.
    pub(crate) fn copy_audio(
        &self,
        session: &Session,
        wanted: &Project,
        context: &PlanContext,
    ) -> Result<(), ToolError> {
        let clips = wanted.tracks.iter().flat_map(|track| &track.clips);
        let files: BTreeSet<&str> = clips.map(|clip| clip.file.as_str()).collect();
        for source in session.sources.values() {
            let copy = self.copy_for_ardour(source).filter(|copy| !copy.is_file());
            let Some(copy) = copy.filter(|copy| files.contains(file_name(copy).as_str())) else {
                continue;
            };
            context.check()?;
            self.copy(source, &copy, context).map_err(|error| {
                let message =
                    format!("{} cannot be copied to {}: {error}", source.path, copy.display());
                ToolError::run(Code::Write, message, "make room on the disk, then try again")
            })?;
        }
        Ok(())
    }

    /// Copies the file that Deskhand plays, or makes it from the original: right after an import it is not made yet.
    fn copy(&self, source: &Source, to: &Path, context: &PlanContext) -> Result<(), String> {
        let from = self.played(source);
        if from.is_file() || source.media == Media::InPlace {
            return audio_files::copy(&from, to).map_err(|error| error.to_string());
        }
        std::fs::create_dir_all(to.parent().unwrap_or(to)).map_err(|error| error.to_string())?;
        let opener = context.opener.track(source.hash.track());
        let mut go_on = |_| match context.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        let path = Path::new(&source.path);
        let made = conform(&opener, path, context.session.rate, to, &mut go_on);
        made.map(drop).map_err(|error| error.to_string())
    }

    /// The folder of the project.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// The way to the project. Its first copy is next to it; others are in the session's folder.
    pub(crate) fn host(&self, is_linked: bool) -> Result<FileHost, ToolError> {
        let host = FileHost::new(&self.path)?;
        Ok(if is_linked { host.keeping_copies_in(self.session.join(COPIES)) } else { host })
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
