//! A step of a linked session goes into the DAW's project before the session takes it.

use crate::file_host::FileHost;
use crate::host::{Host, HostError, HostPlan, Snapshot};
use crate::incoming::{Incoming, incoming};
use crate::link::{Link, OurStep, Places};
use crate::merge::changed as changed_in;
use crate::outgoing::Outgoing;
use crate::project::Project;
use crate::project_file;
use deskhand_session::{Binding, Change, Landed, RevisionId, Session};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// A step of the session.
pub struct Step {
    /// The session as it leaves it.
    pub after: Arc<Session>,
    /// The revision that the session is at after it.
    pub head: RevisionId,
    /// The revision that would be the next.
    pub next: RevisionId,
    /// What it does, for people.
    pub title: String,
}

/// What became of a step.
#[derive(Debug)]
pub enum Landing {
    /// The project has it, or needs nothing: the session may take it.
    Landed(Option<Landed>),
    /// The project changed meanwhile, and was not written. The session takes these changes first, as its next revision.
    Moved {
        /// What makes the session the same as the project.
        changes: Vec<Change>,
        /// What changed, for people.
        label: String,
    },
}

/// The project that a session is linked to.
#[must_use]
pub fn linked(session: &Session) -> Option<&Arc<Binding>> {
    session.host.as_ref().filter(|binding| binding.is_linked)
}

/// The size of the project file in bytes, and when it was written. Both stay the same while nobody writes it.
pub type Stamp = (u64, SystemTime);

/// Those of the project of a session now; `None` if it is gone.
#[must_use]
pub fn stamp(binding: &Binding) -> Option<Stamp> {
    let meta = std::fs::metadata(&binding.path).ok()?;
    Some((meta.len(), meta.modified().ok()?))
}

/// Whether the project of a session is another file than when it was last read.
#[must_use]
pub fn is_other(binding: &Binding, folder: &Path, head: RevisionId) -> bool {
    let link = if binding.is_linked { Link::load(folder, head) } else { Link::newest(folder) };
    let known = link.map(|link| link.token);
    let known = known.unwrap_or_else(|| binding.hash.0.clone());
    project_file::read(Path::new(&binding.path)).is_ok_and(|(_, now)| known != now.0)
}

/// Puts a step into the project of the context's session, and keeps in the session's folder what is there now.
///
/// # Errors
/// When the project cannot be read or written, is not as the session has it, or cannot hold the step. Nothing was
/// written then.
pub fn land(step: &Step, context: &PlanContext) -> Result<Landing, ToolError> {
    // It may have waited for a worker, and nobody for it.
    context.check()?;
    let before = linked(&context.session);
    let Some(binding) = before.or_else(|| linked(&step.after)) else {
        return Ok(Landing::Landed(None));
    };
    let landed = match before {
        None => first(step, binding, context).map(Landing::Landed),
        Some(_) => next(step, binding, context),
    };
    landed.map_err(|error| or_unlink(error, binding))
}

/// A step of a session that was linked before it.
fn next(step: &Step, binding: &Binding, context: &PlanContext) -> Result<Landing, ToolError> {
    let places = Places::of(binding, context);
    let mut host = places.host(true)?;
    let now = host.snapshot().map_err(|error| told(&error))?;
    let mut link = match Link::load(&context.folder, context.base) {
        Some(link) => link,
        None if binding.hash.0 == now.token => Link::new(now.clone(), context.base, binding),
        None => return Err(changed(binding)),
    };
    if link.token != now.token {
        let change = (&link.project, &now.project);
        let came = incoming(change, (binding, &link, step.next), &places, context)?;
        if !came.changes.is_empty() {
            return moved(came, link, now, step, (binding, context));
        }
        link = Link { token: now.token.clone(), project: now.project.clone(), ..link };
    }
    let before = Some(&*context.session);
    let task = Task { step, before, binding, link, now, places: &places, context };
    task.land(&mut host).map(Landing::Landed)
}

/// Puts all that a session has changed since its project was read or written into the project file itself.
///
/// # Errors
/// As [`land`].
pub(crate) fn first(
    step: &Step,
    binding: &Binding,
    context: &PlanContext,
) -> Result<Option<Landed>, ToolError> {
    let places = Places::of(binding, context);
    let mut host = places.host(false)?;
    let now = host.snapshot().map_err(|error| told(&error))?;
    let link = match Link::newest(&context.folder) {
        Some(link) if link.token == now.token => link,
        None if binding.hash.0 == now.token => Link::new(now.clone(), context.base, binding),
        _ => return Err(changed(binding)),
    };
    let task = Task { step, before: None, binding, link, now, places: &places, context };
    task.land(&mut host)
}

/// The project changed: the session follows.
fn moved(
    came: Incoming,
    link: Link,
    now: Snapshot,
    step: &Step,
    (binding, context): (&Binding, &PlanContext),
) -> Result<Landing, ToolError> {
    let title = link.title.clone();
    let mut link = link.followed_by(step.next, "");
    (link.project, link.token) = (now.project, now.token);
    link.objects.retain(|object, _| !came.gone.contains(object));
    link.objects.extend(came.names);
    link.store(&context.folder)?;
    let label = match title.as_str() {
        "" => format!("{} changed {}", binding.program, came.what),
        // It went into the project, and the session ended before it was stored.
        title => format!("From {}: {title}", project_file::name(binding.path.as_ref())),
    };
    Ok(Landing::Moved { changes: came.changes, label })
}

/// A step on its way into the project, which is as the session knows it.
struct Task<'a> {
    step: &'a Step,
    /// The session that is the same as the project; `None` if what it changed so far goes into the project as well.
    before: Option<&'a Session>,
    binding: &'a Binding,
    link: Link,
    now: Snapshot,
    places: &'a Places,
    context: &'a PlanContext,
}

impl Task<'_> {
    fn land(&self, host: &mut FileHost) -> Result<Option<Landed>, ToolError> {
        let wanted = self.projected(&self.step.after)?;
        let base = self.now.project.clone();
        // The session is the same as the project: what of it the format cannot hold is no difference.
        let wanted = match self.before {
            Some(before) => changed_in(&self.projected(before)?, &wanted, &base).0,
            None => wanted,
        };
        let folder = &self.context.folder;
        let mut link = self.link.clone().followed_by(self.step.head, &self.step.title);
        if base == wanted {
            link.store(folder)?;
            return Ok(None);
        }
        let (copy, now) =
            match take_back(host, &mut link, self.step.head).map_err(|it| told(&it))? {
                Some(now) => (None, now),
                None => {
                    let plan = HostPlan { title: self.step.title.clone(), base, wanted };
                    self.places.copy_audio(&self.step.after, &plan.wanted, self.context)?;
                    self.link.clone().under_way(&plan.title).store(folder)?;
                    let (applied, now) = host.apply(&plan).map_err(|error| self.failed(&error))?;
                    let copy = applied.copy.clone();
                    link.add(applied, self.context.base, &self.step.after);
                    (copy, now)
                }
            };
        (link.project, link.token) = (now.project, now.token);
        link.store(folder).map_err(|error| self.unnoted(error))?;
        let copy = copy.map(|copy| copy.to_string_lossy().into_owned());
        let (program, path) = (self.binding.program.clone(), self.binding.path.clone());
        Ok(Some(Landed { program, path, copy }))
    }

    /// Nothing is under way any more, unless nobody knows.
    fn failed(&self, error: &HostError) -> ToolError {
        if !matches!(error, HostError::Unknown(_)) {
            // If it cannot be stored, a later change of the project is called by this step's name.
            drop(self.link.store(&self.context.folder));
        }
        told(error)
    }

    /// The project has the step, but the session cannot note it: it comes in from the project.
    fn unnoted(&self, error: ToolError) -> ToolError {
        let name = project_file::name(&self.places.path);
        let message = format!("{name} has the step, but not the session: {}", error.message);
        ToolError { message, ..error }
    }

    /// The project as a session wants it.
    fn projected(&self, session: &Session) -> Result<Project, ToolError> {
        let names = &self.link.objects;
        let wanted = Outgoing::new(session, names, &self.now.project, self.places).wanted();
        wanted.map_err(|error| project_file::unwritten(&self.places.path, error.to_string()))
    }
}

/// Undoes our newest step in the project if the session goes back to where it was before that, and the copy is there
/// still. Returns the project after it.
fn take_back(
    host: &mut FileHost,
    link: &mut Link,
    to: RevisionId,
) -> Result<Option<Snapshot>, HostError> {
    let newest = link.steps.last();
    let has_copy = |step: &OurStep| step.applied.copy.as_ref().is_some_and(|copy| copy.is_file());
    let is_it =
        |step: &&OurStep| step.applied.token == link.token && step.from == to && has_copy(step);
    let Some(newest) = newest.filter(is_it) else { return Ok(None) };
    let now = host.undo(&newest.applied)?;
    link.take_back();
    Ok(Some(now))
}

/// The same with the way out that always is there.
fn or_unlink(error: ToolError, binding: &Binding) -> ToolError {
    let name = project_file::name(binding.path.as_ref());
    let off = format!("or end the link with {name}: `deskhand link DIR --off`");
    ToolError { fix: format!("{}, {off}", error.fix), ..error }
}

pub(crate) fn changed(binding: &Binding) -> ToolError {
    let name = project_file::name(binding.path.as_ref());
    let message = format!("{name} changed since it was opened, so nothing is written");
    let fix = "open the project again in a new session, and make the changes there";
    ToolError::run(Code::Conflict, message, fix)
}

fn told(error: &HostError) -> ToolError {
    let (code, fix) = match error {
        HostError::Moved(_) => (Code::Conflict, "look at the session again, and plan again"),
        HostError::Refused(_) => (Code::Write, "then try again"),
        HostError::Unknown(_) => (Code::Write, "look at the session in the DAW"),
        HostError::NotNewest(_) => (Code::Conflict, "undo what came after it in the DAW"),
    };
    ToolError::run(code, error.to_string(), fix)
}
