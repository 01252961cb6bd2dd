//! What a request is about, as it was said: one thing or several, all of a kind, or something pointed at.

use deskhand_session::{Marker, ObjectId, Session};

/// One thing that was named, before it is held against a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub pick: Pick,
    /// Whether it covers several things without naming each: exceptions can take from it.
    pub broad: bool,
    /// Whether it is told by what it sounds like and not by its name.
    pub role: bool,
}
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pick {
    Objects(Vec<ObjectId>),
    All(Thing),
    /// What is selected, and of it the selected time.
    Selection,
    /// The tracks or clips that are selected, each as a whole.
    Selected,
    /// The sum of everything.
    Mix,
    /// What was spoken of last.
    It,
    /// What was not spoken of yet.
    Rest,
    /// One of these; which one was not said.
    Ambiguous(Vec<ObjectId>),
    /// Nothing fits: why, and what there is.
    Missing(String, Vec<String>),
}

/// Kinds of things that can be meant as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    /// Whatever the request works on.
    Everything,
    /// Everything that is not muted; if all is muted, everything.
    Heard,
    Tracks,
    Clips,
    Buses,
    Markers,
}

/// A part that covers several things.
pub(crate) fn whole(pick: Pick) -> Part {
    Part { pick, broad: true, role: false }
}

/// A part that names objects.
pub(crate) fn objects(ids: Vec<ObjectId>) -> Part {
    Part { broad: ids.len() > 1, pick: Pick::Objects(ids), role: false }
}

/// The one object, or the question which.
pub(crate) fn one_of(ids: Vec<ObjectId>) -> Part {
    match ids.len() {
        1 => objects(ids),
        _ => ambiguous(ids),
    }
}

/// A question which of these is meant.
pub(crate) fn ambiguous(ids: Vec<ObjectId>) -> Part {
    Part { pick: Pick::Ambiguous(ids), broad: false, role: false }
}
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Phrase {
    pub parts: Vec<Part>,
    pub except: Vec<Part>,
}

impl Phrase {
    pub(crate) fn single(&self) -> Option<&Pick> {
        match &self.parts[..] {
            [part] if self.except.is_empty() => Some(&part.pick),
            _ => None,
        }
    }
    pub(crate) fn all(thing: Thing) -> Self {
        Self { parts: vec![whole(Pick::All(thing))], except: Vec::new() }
    }

    pub(crate) fn is_it(&self) -> bool {
        self.single() == Some(&Pick::It)
    }

    /// The marker that it is and nothing else.
    pub(crate) fn marker<'a>(&self, session: &'a Session) -> Option<&'a Marker> {
        match self.single() {
            Some(Pick::Objects(ids)) => match ids[..] {
                [ObjectId::Marker(id)] => session.markers.get(&id),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is the mix and nothing else.
    pub(crate) fn is_mix(&self) -> bool {
        self.single() == Some(&Pick::Mix)
    }

    /// Whether it is all of a kind, with or without exceptions.
    pub(crate) fn is_all(&self, thing: Thing) -> bool {
        self.parts.len() == 1 && self.parts[0].pick == Pick::All(thing)
    }

    /// Whether it names a whole without naming its members.
    pub(crate) fn is_broad(&self) -> bool {
        self.parts.iter().any(|part| part.broad)
    }

    /// Whether some of it is told by what it sounds like.
    pub(crate) fn has_role(&self) -> bool {
        self.parts.iter().any(|part| part.role)
    }
}
