//! Random changes of a project and the comparison of what was wanted with what a file says. For the
//! tests of every format.

use proptest::prelude::*;

use crate::project::{
    FadeShape, Project, ProjectClip, ProjectFade, ProjectMarker, ProjectTrack, linear,
};

/// Half a sample at 192 kHz.
const TIME: f64 = 0.5 / 192_000.0;

/// What is done to which object by how much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    kind: u8,
    object: usize,
    other: usize,
    amount: f64,
}

const KINDS: u8 = 22;

/// The file of a new clip.
pub(crate) const NEW_FILE: &str = "Audio/new & \"old\".wav";

/// What a format can write.
#[derive(Clone, Copy)]
pub(crate) struct Abilities {
    pub(crate) regions: bool,
    pub(crate) inversion: bool,
    pub(crate) clip_mute: bool,
    pub(crate) tracks: bool,
    pub(crate) fade_shapes: bool,
    /// Whether tracks are routes of a mixer: each has a name of its own, and a bus needs no tracks.
    pub(crate) routes: bool,
}

impl Abilities {
    pub(crate) const ALL: Self = Self {
        regions: true,
        inversion: true,
        clip_mute: true,
        tracks: true,
        fade_shapes: true,
        routes: false,
    };
    pub(crate) const DAWPROJECT: Self =
        Self { regions: false, inversion: false, tracks: false, fade_shapes: false, ..Self::ALL };
    pub(crate) const ARDOUR: Self = Self { routes: true, ..Self::ALL };
}

pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = (0..KINDS, any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0.0..1.0);
    let change = change.prop_map(|(kind, object, other, amount)| Change {
        kind,
        object: object.index(10_000),
        other: other.index(10_000),
        amount,
    });
    prop::collection::vec(change, 0..12)
}

pub(crate) fn changed(project: &Project, changes: &[Change], can: Abilities) -> Project {
    let mut wanted = project.clone();
    for change in changes {
        change.apply(&mut wanted, can);
    }
    wanted
}

impl Change {
    fn apply(self, project: &mut Project, can: Abilities) {
        let Self { amount, .. } = self;
        let gain = amount * 60.0 - 48.0;
        match self.kind {
            0 => project.master_gain_db = gain,
            1..=4 => self.track(project, gain, can),
            5 if can.tracks => self.new_track(project, gain, can),
            6 if can.tracks => self.delete_track(project, can),
            7 if can.tracks => self.move_track(project, can),
            8 => self.marker(project, can),
            9 => self.new_marker(project, can),
            10 if !project.markers.is_empty() => {
                project.markers.remove(self.object % project.markers.len());
            }
            11 => self.new_clip(project, gain, can),
            12 => self.move_to_track(project),
            13.. => self.clip(project, gain, can),
            _ => {}
        }
    }

    fn track(self, project: &mut Project, gain: f64, can: Abilities) {
        let count = project.tracks.len();
        let name = self.name(project, can);
        let Some(track) = project.tracks.get_mut(self.object % count.max(1)) else { return };
        if track.locked.is_some() {
            return;
        }
        match self.kind {
            1 if !track.automated.gain => track.gain_db = gain,
            1 => {}
            2 => track.pan = self.amount * 2.0 - 1.0,
            3 if self.other.is_multiple_of(2) && !track.automated.mute => track.mute = !track.mute,
            3 => track.name = name,
            _ if self.other.is_multiple_of(2) => track.solo = !track.solo,
            _ => track.color = (self.amount > 0.1).then_some([self.other as u8, 7, 200]),
        }
    }

    /// A name for a track.
    fn name(self, project: &Project, can: Abilities) -> String {
        let name = NAMES[self.other % NAMES.len()].to_owned();
        let is_taken = |name: &String| project.tracks.iter().any(|track| track.name == *name);
        let mut others = (2..).map(|number| format!("{name} {number}"));
        match can.routes && is_taken(&name) {
            true => others.find(|name| !is_taken(name)).unwrap_or_default(),
            false => name,
        }
    }

    fn new_track(self, project: &mut Project, gain_db: f64, can: Abilities) {
        let parents = project.tracks.iter().filter(|track| track.is_bus);
        let parents = parents.map(|track| track.id.clone()).collect::<Vec<_>>();
        let parent = parents.get(self.object % (parents.len() + 1)).cloned().flatten();
        let is_bus = self.other.is_multiple_of(3);
        let is_taken =
            |id: &String| project.tracks.iter().any(|track| track.id.as_ref() == Some(id));
        let free =
            (project.tracks.len()..).map(|number| format!("new:{number}")).find(|id| !is_taken(id));
        let id = free.filter(|_| is_bus);
        let name = self.name(project, can);
        let track = ProjectTrack { id: id.clone(), name, gain_db, is_bus, ..Default::default() };
        project.tracks.push(ProjectTrack { parent, ..track });
        if is_bus {
            let name = if can.routes { self.name(project, can) } else { String::new() };
            project.tracks.push(ProjectTrack { name, parent: id, ..Default::default() });
        }
    }

    fn delete_track(self, project: &mut Project, can: Abilities) {
        let is_free = |track: &ProjectTrack| {
            !track.is_bus && track.clips.iter().all(|clip| clip.locked.is_none())
        };
        let at = self.object % project.tracks.len().max(1);
        if project.tracks.get(at).is_some_and(is_free) {
            project.tracks.remove(at);
            tidy_buses(project, can);
        }
    }

    fn move_track(self, project: &mut Project, can: Abilities) {
        let at = self.object % project.tracks.len().max(1);
        if project.tracks.get(at).is_some_and(|track| !track.is_bus) {
            let mut track = project.tracks.remove(at);
            let to = self.other % (project.tracks.len() + 1);
            let buses = project.tracks[..to].iter().filter(|track| track.is_bus);
            let bus = buses.into_iter().next_back().and_then(|bus| bus.id.clone());
            track.parent = bus.filter(|_| self.amount < 0.5);
            project.tracks.insert(to, track);
            tidy_buses(project, can);
        }
    }

    fn marker(self, project: &mut Project, can: Abilities) {
        let count = project.markers.len();
        let Some(marker) = project.markers.get_mut(self.object % count.max(1)) else { return };
        match self.other % 3 {
            0 => marker.name = NAMES[self.other % NAMES.len()].to_owned(),
            1 => marker.position = self.amount * 100.0,
            _ if marker.length > 0.0 && can.regions => marker.length = self.amount + 0.5,
            _ => marker.position += self.amount,
        }
    }

    fn new_marker(self, project: &mut Project, can: Abilities) {
        let length =
            if can.regions && self.other.is_multiple_of(2) { self.amount + 0.25 } else { 0.0 };
        let name = NAMES[self.other % NAMES.len()].to_owned();
        let position = self.amount * 50.0;
        project.markers.push(ProjectMarker { id: None, name, position, length });
    }

    fn new_clip(self, project: &mut Project, gain_db: f64, can: Abilities) {
        let count = project.tracks.len();
        let Some(track) = project.tracks.get_mut(self.object % count.max(1)) else { return };
        let clip = ProjectClip {
            name: NAMES[self.other % NAMES.len()].to_owned(),
            channels: Some(2),
            file: NEW_FILE.to_owned(),
            position: self.amount * 30.0,
            start: self.amount,
            length: self.amount + 0.5,
            gain_db,
            is_inverted: can.inversion && self.other.is_multiple_of(2),
            fade_in: ProjectFade { length: self.amount * 0.2, ..Default::default() },
            ..Default::default()
        };
        track.clips.push(clip);
    }

    fn place(self, project: &Project) -> Option<(usize, usize)> {
        let clips = project.tracks.iter().enumerate().flat_map(|(number, track)| {
            let clips = track.clips.iter().enumerate();
            clips.filter(|(_, clip)| clip.locked.is_none()).map(move |(clip, _)| (number, clip))
        });
        let places = clips.collect::<Vec<_>>();
        (!places.is_empty()).then(|| places[self.object % places.len()])
    }

    fn move_to_track(self, project: &mut Project) {
        if let Some((track, clip)) = self.place(project) {
            let clip = project.tracks[track].clips.remove(clip);
            let count = project.tracks.len();
            project.tracks[self.other % count].clips.push(clip);
        }
    }

    fn clip(self, project: &mut Project, gain: f64, can: Abilities) {
        let Some((track, at)) = self.place(project) else { return };
        let clip = &mut project.tracks[track].clips[at];
        let cut = clip.length * (0.1 + self.amount * 0.4);
        match self.kind {
            13 => clip.position = self.amount * 60.0,
            14 => trim_start(clip, cut),
            15 => clip.length -= cut,
            16 => clip.gain_db = if self.amount < 0.2 { f64::NEG_INFINITY } else { gain },
            17 if can.inversion => clip.is_inverted = !clip.is_inverted,
            18 if can.clip_mute => clip.mute = !clip.mute,
            19 => {
                clip.fade_in.length = cut * 0.3;
                clip.fade_out.length = cut * 0.5;
                if can.fade_shapes {
                    clip.fade_out.shape = FadeShape::EqualPower;
                }
            }
            20 => {
                let mut right = clip.clone();
                clip.length = cut;
                trim_start(&mut right, cut);
                right.like = right.id.take().or(right.like);
                project.tracks[track].clips.push(right);
            }
            21 => {
                project.tracks[track].clips.remove(at);
            }
            _ => clip.name = NAMES[self.other % NAMES.len()].to_owned(),
        }
    }
}

const NAMES: [&str; 7] =
    ["a", "two words", "it's \"so\"", "<&>", "Öl", "#1", "a name with 'all' of \"them\""];

fn trim_start(clip: &mut ProjectClip, by: f64) {
    clip.position += by;
    clip.start += by;
    clip.length -= by;
}

/// A bus in which nothing is any more is a plain track.
fn tidy_buses(project: &mut Project, can: Abilities) {
    if can.routes {
        return;
    }
    let parents = project.tracks.iter().filter_map(|track| track.parent.clone());
    let parents = parents.collect::<Vec<_>>();
    for track in &mut project.tracks {
        track.is_bus &= track.id.as_ref().is_some_and(|id| parents.contains(id));
    }
}

/// Panics where `read` is not what was wanted; new objects may have any new ids.
pub(crate) fn assert_same(wanted: &Project, read: &Project) {
    close("master", linear(wanted.master_gain_db), linear(read.master_gain_db), 1e-9);
    assert_eq!((wanted.rate, &wanted.tempo), (read.rate, &read.tempo));
    let order = crate::track_order::placed(&[], &wanted.tracks);
    let tracks = order.iter().map(|track| track.wanted).collect::<Vec<_>>();
    assert_eq!(names(tracks.iter().copied()), names(&read.tracks));
    for (wanted_track, read_track) in tracks.iter().zip(&read.tracks) {
        same_track(wanted_track, read_track);
        let parent = parent_name(wanted, wanted_track);
        assert_eq!(parent, parent_name(read, read_track), "{}", wanted_track.name);
    }
    assert_eq!(wanted.markers.len(), read.markers.len());
    for (wanted, read) in sorted_markers(wanted).iter().zip(sorted_markers(read)) {
        assert_eq!(wanted.name, read.name);
        close("marker", wanted.position, read.position, TIME);
        // Both ends are rounded.
        close("region", wanted.length, read.length, 2.0 * TIME);
    }
}

fn names<'a>(tracks: impl IntoIterator<Item = &'a ProjectTrack>) -> Vec<&'a str> {
    tracks.into_iter().map(|track| track.name.as_str()).collect()
}

fn parent_name<'a>(project: &'a Project, track: &ProjectTrack) -> Option<&'a str> {
    let parent = track.parent.as_ref()?;
    let parent = project.tracks.iter().find(|track| track.id.as_ref() == Some(parent));
    parent.map(|track| track.name.as_str())
}

fn sorted_markers(project: &Project) -> Vec<&ProjectMarker> {
    let mut markers = project.markers.iter().collect::<Vec<_>>();
    let key = |marker: &ProjectMarker| (marker.position * 1e5).round() as i64;
    markers.sort_by(|a, b| {
        let tie = || a.name.cmp(&b.name).then(a.length.total_cmp(&b.length));
        key(a).cmp(&key(b)).then_with(tie)
    });
    markers
}

fn same_track(wanted: &ProjectTrack, read: &ProjectTrack) {
    let name = &wanted.name;
    same_id(wanted.known_id(), read.known_id());
    close(name, linear(wanted.gain_db), linear(read.gain_db), 1e-9);
    close(name, wanted.pan, read.pan, 1e-6);
    let flags = |track: &ProjectTrack| (track.mute, track.solo, track.color, track.is_bus);
    assert_eq!(flags(wanted), flags(read), "{name}");
    let (wanted, read) = (sorted(&wanted.clips), sorted(&read.clips));
    assert_eq!(wanted.len(), read.len(), "clips of {name}");
    for (wanted, read) in wanted.into_iter().zip(read) {
        same_clip(wanted, read);
    }
}

fn sorted(clips: &[ProjectClip]) -> Vec<&ProjectClip> {
    let mut clips = clips.iter().collect::<Vec<_>>();
    let rounded = |seconds: f64| (seconds * 1e4).round() as i64;
    let key = |clip: &&ProjectClip| {
        let times = [clip.position, clip.start, clip.length].map(rounded);
        (times, clip.name.clone(), rounded(clip.gain_db.max(-200.0)), clip.is_inverted)
    };
    clips.sort_by_cached_key(key);
    clips
}

fn same_clip(wanted: &ProjectClip, read: &ProjectClip) {
    let name = format!("{} at {}", wanted.name, wanted.position);
    same_id(wanted.id.as_deref(), read.id.as_deref());
    close(&name, wanted.position, read.position, TIME);
    close(&name, wanted.start, read.start, TIME);
    close(&name, wanted.length, read.length, TIME);
    close(&name, linear(wanted.gain_db), linear(read.gain_db), 1e-9);
    close(&name, wanted.fade_in.length, read.fade_in.length, TIME);
    close(&name, wanted.fade_out.length, read.fade_out.length, TIME);
    let rest = |clip: &ProjectClip| {
        let shapes = (clip.fade_in.shape, clip.fade_out.shape);
        (clip.name.clone(), clip.file.clone(), clip.mute, clip.is_inverted, shapes, clip.is_looped)
    };
    assert_eq!(rest(wanted), rest(read), "{name}");
}

/// An id with a blank comes from the object's place, which may be another now.
fn same_id(wanted: Option<&str>, read: Option<&str>) {
    if let Some(id) = wanted.filter(|id| !id.contains(' ')) {
        assert_eq!(Some(id), read);
    }
}

fn close(object: &str, wanted: f64, read: f64, tolerance: f64) {
    assert!((wanted - read).abs() <= tolerance, "{object}: {wanted} was wanted, {read} was read");
}
