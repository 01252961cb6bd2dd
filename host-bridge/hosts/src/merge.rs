//! A plan made in the DAW's session as it is now: values that the plan changes must be as it expects, all others stay as
//! they are.

use crate::host::{HostPlan, Mismatch};
use crate::project::{Project, ProjectClip, ProjectFade, ProjectMarker, ProjectTrack};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// How far levels in dB, and times in seconds, may be from what is expected: a frame at 48 kHz.
const LEVEL: f64 = 1e-3;
const TIME: f64 = 2.1e-5;

/// `now` with all changes of the plan.
///
/// # Errors
/// Each value that is not as the plan expects.
pub(crate) fn merged(plan: &HostPlan, now: &Project) -> Result<Project, Vec<Mismatch>> {
    let (project, moved) = changed(&plan.base, &plan.wanted, now);
    if moved.is_empty() { Ok(project) } else { Err(moved) }
}

/// `now` with all in which `base` and `wanted` differ, and each of these values that is not as in `base`.
pub(crate) fn changed(base: &Project, wanted: &Project, now: &Project) -> (Project, Vec<Mismatch>) {
    let mut merge = Merge::default();
    let master = [base, wanted, now].map(|it| &it.master_gain_db);
    let master_gain_db = merge.value("the master", "the fader", master, level);
    let mut tracks = merge.objects([&base.tracks, &wanted.tracks, &now.tracks]);
    merge.clips([base, wanted, now], &mut tracks);
    let markers = merge.objects([&base.markers, &wanted.markers, &now.markers]);
    (Project { master_gain_db, tracks, markers, ..now.clone() }, merge.moved)
}

/// A clip, and the id of the track that it is on; a new track has none.
type Placed<'a> = (Option<&'a str>, &'a ProjectClip);

fn placed(project: &Project) -> BTreeMap<&str, Placed<'_>> {
    let mut placed = BTreeMap::new();
    for track in &project.tracks {
        let clips = track.clips.iter().filter_map(|clip| Some((clip.known_id()?, clip)));
        placed.extend(clips.map(|(id, clip)| (id, (track.known_id(), clip))));
    }
    placed
}

pub(crate) fn level(one: &f64, other: &f64) -> bool {
    one == other || (one - other).abs() <= LEVEL
}

pub(crate) fn time(one: &f64, other: &f64) -> bool {
    (one - other).abs() <= TIME
}

pub(crate) fn fade(one: &ProjectFade, other: &ProjectFade) -> bool {
    let is_none = one.length == 0.0 && other.length == 0.0;
    is_none || time(&one.length, &other.length) && one.shape == other.shape
}

fn same<T: PartialEq>(one: &T, other: &T) -> bool {
    one == other
}

/// The values that are not as expected, so far.
#[derive(Default)]
struct Merge {
    moved: Vec<Mismatch>,
}

/// An object with an id.
trait Object: Clone + PartialEq {
    fn id(&self) -> Option<&str>;
    /// The same for an object that is new, if it has one.
    fn new_id(&self) -> Option<&str>;
    /// Its kind and name, for people.
    fn told(&self) -> String;
    /// Whether both are the same, whatever is on them.
    fn is_alone_as(&self, other: &Self) -> bool {
        self == other
    }
    /// The third with what differs between the first two.
    fn merged(of: [&Self; 3], merge: &mut Merge) -> Self;
}

impl Merge {
    fn value<T: Clone + PartialEq + Debug>(
        &mut self,
        object: &str,
        value: &'static str,
        [base, wanted, now]: [&T; 3],
        is_near: fn(&T, &T) -> bool,
    ) -> T {
        if base == wanted {
            return now.clone();
        }
        if !is_near(base, now) {
            let (expected, found) = (format!("{base:?}"), format!("{now:?}"));
            self.moved.push(Mismatch { object: object.into(), value, expected, found });
        }
        wanted.clone()
    }

    /// The objects as wanted, then those that came meanwhile. They are in the order that is wanted if the plan changes the
    /// order, else as they are now.
    fn objects<T: Object>(&mut self, [base, wanted, now]: [&[T]; 3]) -> Vec<T> {
        let find = |all: &'_ [T], id: &str| all.iter().position(|it| it.id() == Some(id));
        let mut all = Vec::new();
        for it in wanted {
            let Some(id) = it.id() else {
                // What the base has as new as well is no change of the plan.
                let is_old = |old: &T| it.new_id().is_some() && old.new_id() == it.new_id();
                if !base.iter().any(is_old) {
                    all.push(it.clone());
                }
                continue;
            };
            let before = find(base, id).and_then(|at| base.get(at));
            match (before, find(now, id).and_then(|at| now.get(at))) {
                (Some(before), Some(now)) => all.push(T::merged([before, it, now], self)),
                // It went meanwhile: that is a change of somebody else, unless the plan changes it.
                (Some(before), None) if before.is_alone_as(it) => {}
                _ => self.gone(it),
            }
        }
        for it in now {
            let Some(id) = it.id() else { continue };
            if find(wanted, id).is_some() {
                continue;
            }
            match find(base, id).and_then(|at| base.get(at)) {
                None => all.push(it.clone()),
                // What goes must be as it was, to the last bit.
                Some(before) if before.is_alone_as(it) => {}
                Some(before) => self.changed(before),
            }
        }
        if order(base, wanted) == order(wanted, base) { as_now(all, now) } else { all }
    }

    /// Puts the clips on `tracks`, which are those of the merged project without their clips but for new tracks.
    fn clips(&mut self, [base, wanted, now]: [&Project; 3], tracks: &mut [ProjectTrack]) {
        let (before, after, there) = (placed(base), placed(wanted), placed(now));
        let base_clips = base.tracks.iter().flat_map(|track| &track.clips);
        let base_new: BTreeSet<&str> =
            base_clips.filter(|it| it.id().is_none()).filter_map(Object::new_id).collect();
        let mut made: BTreeMap<Option<String>, Vec<ProjectClip>> = BTreeMap::new();
        for track in &wanted.tracks {
            for clip in &track.clips {
                let id = clip.known_id();
                let known = id.map(|id| [before.get(id), there.get(id)]);
                let is_old =
                    known.is_none() && clip.new_id().is_some_and(|id| base_new.contains(id));
                if is_old {
                    continue;
                }
                if let Some((on, clip)) = self.clip((track.known_id(), clip), known) {
                    made.entry(on).or_default().push(clip);
                }
            }
        }
        for (id, (on, clip)) in &there {
            match (after.contains_key(id), before.get(id)) {
                (true, _) => {}
                (false, None) => {
                    made.entry(on.map(str::to_owned)).or_default().push((*clip).clone());
                }
                (false, Some(base)) if base == &(*on, *clip) => {}
                (false, Some((_, base))) => self.changed(*base),
            }
        }
        for track in tracks.iter_mut().filter(|track| track.known_id().is_some()) {
            track.clips = made.remove(&track.id).unwrap_or_default();
        }
    }

    /// A wanted clip and its track. `known` is the clip as the plan has it and as it is now; `None` for a new one.
    fn clip(
        &mut self,
        wanted: Placed<'_>,
        known: Option<[Option<&Placed<'_>>; 2]>,
    ) -> Option<(Option<String>, ProjectClip)> {
        let (on, clip) = wanted;
        match known {
            None => Some((on.map(str::to_owned), clip.clone())),
            Some([Some(base), Some(now)]) => {
                let all = [*base, wanted, *now];
                let told = clip.told();
                let [base, wanted, now] = all.map(|(on, _)| on);
                let on = self.value(&told, "the track", [&base, &wanted, &now], same);
                let clip = Object::merged(all.map(|(_, clip)| clip), self);
                Some((on.map(str::to_owned), clip))
            }
            // It went meanwhile: that is a change of somebody else, unless the plan changes it.
            Some([Some(base), None]) if *base == wanted => None,
            Some(_) => {
                self.gone(clip);
                None
            }
        }
    }

    fn gone(&mut self, it: &impl Object) {
        let (expected, found) = ("there".into(), "gone".into());
        self.moved.push(Mismatch { object: it.told(), value: "it", expected, found });
    }

    fn changed(&mut self, it: &impl Object) {
        let (expected, found) = ("as it was".into(), "changed".into());
        self.moved.push(Mismatch { object: it.told(), value: "it", expected, found });
    }
}

/// The ids of those objects of the first list that the second has as well.
fn order<'a, T: Object>(of: &'a [T], other: &[T]) -> Vec<&'a str> {
    let known: BTreeSet<&str> = other.iter().filter_map(Object::id).collect();
    of.iter().filter_map(Object::id).filter(|id| known.contains(id)).collect()
}

/// The objects in the order that they have now, each new one after what was before it.
fn as_now<T: Object>(all: Vec<T>, now: &[T]) -> Vec<T> {
    let places: BTreeMap<&str, usize> =
        now.iter().enumerate().filter_map(|(place, it)| Some((it.id()?, place + 1))).collect();
    let mut after = 0;
    let mut placed: Vec<(usize, T)> = Vec::with_capacity(all.len());
    for it in all {
        after = it.id().and_then(|id| places.get(id).copied()).unwrap_or(after);
        placed.push((after, it));
    }
    // Stable: what is new stays after the one before it.
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, it)| it).collect()
}

impl Object for ProjectMarker {
    fn id(&self) -> Option<&str> {
        self.known_id()
    }

    fn new_id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn told(&self) -> String {
        format!("marker \"{}\"", self.name)
    }

    fn merged([base, wanted, now]: [&Self; 3], merge: &mut Merge) -> Self {
        let told = base.told();
        let all = [base, wanted, now];
        Self {
            id: now.id.clone(),
            name: merge.value(&told, "the name", all.map(|it| &it.name), same),
            position: merge.value(&told, "the place", all.map(|it| &it.position), time),
            length: merge.value(&told, "the length", all.map(|it| &it.length), time),
        }
    }
}

impl Object for ProjectTrack {
    fn id(&self) -> Option<&str> {
        self.known_id()
    }

    fn new_id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn told(&self) -> String {
        format!("track \"{}\"", self.name)
    }

    fn is_alone_as(&self, other: &Self) -> bool {
        Self { clips: Vec::new(), ..self.clone() } == Self { clips: Vec::new(), ..other.clone() }
    }

    fn merged(all: [&Self; 3], merge: &mut Merge) -> Self {
        let (told, now) = (all[0].told(), all[2]);
        Self {
            name: merge.value(&told, "the name", all.map(|it| &it.name), same),
            gain_db: merge.value(&told, "the fader", all.map(|it| &it.gain_db), level),
            pan: merge.value(&told, "the pan", all.map(|it| &it.pan), level),
            mute: merge.value(&told, "mute", all.map(|it| &it.mute), same),
            solo: merge.value(&told, "solo", all.map(|it| &it.solo), same),
            color: merge.value(&told, "the color", all.map(|it| &it.color), same),
            parent: merge.value(&told, "the output", all.map(|it| &it.parent), same),
            // They may be on other tracks.
            clips: Vec::new(),
            ..now.clone()
        }
    }
}

impl Object for ProjectClip {
    fn id(&self) -> Option<&str> {
        self.known_id()
    }

    fn new_id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn told(&self) -> String {
        format!("clip \"{}\"", self.name)
    }

    fn merged(all: [&Self; 3], merge: &mut Merge) -> Self {
        let (told, now) = (all[0].told(), all[2]);
        Self {
            name: merge.value(&told, "the name", all.map(|it| &it.name), same),
            position: merge.value(&told, "the place", all.map(|it| &it.position), time),
            start: merge.value(&told, "the start in its file", all.map(|it| &it.start), time),
            length: merge.value(&told, "the length", all.map(|it| &it.length), time),
            gain_db: merge.value(&told, "the gain", all.map(|it| &it.gain_db), level),
            mute: merge.value(&told, "mute", all.map(|it| &it.mute), same),
            is_inverted: merge.value(&told, "the polarity", all.map(|it| &it.is_inverted), same),
            fade_in: merge.value(&told, "the fade in", all.map(|it| &it.fade_in), fade),
            fade_out: merge.value(&told, "the fade out", all.map(|it| &it.fade_out), fade),
            ..now.clone()
        }
    }
}
