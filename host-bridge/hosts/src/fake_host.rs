//! A DAW in memory, whose faults are set by the tests.

use crate::host::{Applied, Caps, Host, HostError, HostPlan, Snapshot, UndoKind};
use crate::merge::merged;
use crate::project::{NEW, Project};
use std::collections::BTreeMap;

/// What goes wrong in the next `apply`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A person moves a fader between the check and the change.
    Drift,
    /// The change is made, and the answer is lost.
    LostReply,
    /// Only some of the changes are made.
    HalfApplied,
}

#[derive(Default)]
pub(crate) struct FakeHost {
    pub(crate) project: Project,
    pub(crate) fault: Option<Fault>,
    /// The steps that can be undone, the newest last: the session before each.
    undo: Vec<Project>,
    /// How often it changed.
    changes: usize,
}

impl FakeHost {
    pub(crate) fn new(project: Project) -> Self {
        Self { project, ..Self::default() }
    }

    /// A change by the person, as a step of its own.
    pub(crate) fn by_hand(&mut self, change: impl FnOnce(&mut Project)) {
        self.undo.push(self.project.clone());
        change(&mut self.project);
        self.changes += 1;
    }

    /// Returns what new objects are called.
    fn commit(&mut self, wanted: Project) -> BTreeMap<String, String> {
        let mut names = BTreeMap::new();
        self.by_hand(|project| *project = wanted);
        let changes = self.changes;
        let mut name = |id: &mut Option<String>, kind: &str| {
            let is_new = id.as_ref().is_none_or(|id| id.starts_with(NEW));
            if is_new {
                let given = format!("{kind} {} of change {changes}", names.len() + 1);
                let new = id.replace(given.clone()).unwrap_or(given.clone());
                names.insert(new, given);
            }
        };
        for track in &mut self.project.tracks {
            name(&mut track.id, "track");
            track.clips.iter_mut().for_each(|clip| name(&mut clip.id, "clip"));
        }
        self.project.markers.iter_mut().for_each(|marker| name(&mut marker.id, "marker"));
        names
    }
}

impl Host for FakeHost {
    fn caps(&self) -> Caps {
        let undo = UndoKind::OneStep;
        Caps {
            program: "Fake".into(),
            clips: true,
            mixer: true,
            markers: true,
            undo,
            is_live: true,
            was_tried: true,
        }
    }

    fn snapshot(&mut self) -> Result<Snapshot, HostError> {
        Ok(Snapshot { project: self.project.clone(), token: self.changes.to_string() })
    }

    fn apply(&mut self, plan: &HostPlan) -> Result<(Applied, Snapshot), HostError> {
        if self.fault == Some(Fault::Drift) {
            self.by_hand(|project| project.tracks[0].gain_db -= 3.0);
        }
        let wanted = merged(plan, &self.project).map_err(HostError::Moved)?;
        if self.fault == Some(Fault::HalfApplied) {
            // What a group of a DAW does that fails on the way: it is closed, and taken back.
            self.commit(wanted);
            self.project = self.undo.pop().unwrap_or_default();
            return Err(HostError::Refused("a clip is locked".into()));
        }
        let names = self.commit(wanted);
        match self.fault {
            Some(Fault::LostReply) => Err(HostError::Unknown("Fake".into())),
            _ => {
                let applied = Applied { token: self.changes.to_string(), copy: None, names };
                Ok((applied, self.snapshot()?))
            }
        }
    }

    fn undo(&mut self, applied: &Applied) -> Result<Snapshot, HostError> {
        if applied.token != self.changes.to_string() {
            return Err(HostError::NotNewest("Fake".into()));
        }
        self.project = self.undo.pop().unwrap_or_default();
        self.changes += 1;
        self.snapshot()
    }
}
