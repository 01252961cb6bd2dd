//! What every format refuses before it writes. Called by the writers of project files.

use std::collections::{HashMap, HashSet};

use crate::format::WriteError;
use crate::project::{FadeShape, Project, ProjectClip, ProjectFade, ProjectMarker, ProjectTrack};

/// The objects of the original by id.
pub(crate) struct Before<'a> {
    tracks: HashMap<&'a str, &'a ProjectTrack>,
    clips: HashMap<&'a str, &'a ProjectClip>,
    markers: HashMap<&'a str, &'a ProjectMarker>,
}

impl<'a> Before<'a> {
    pub(crate) fn of(project: &'a Project) -> Self {
        let clips = project.tracks.iter().flat_map(|track| &track.clips);
        Self {
            tracks: by_id(&project.tracks, |track| &track.id),
            clips: clips.filter_map(|clip| Some((clip.id.as_deref()?, clip))).collect(),
            markers: by_id(&project.markers, |marker| &marker.id),
        }
    }

    pub(crate) fn track(&self, id: &str) -> Result<&'a ProjectTrack, WriteError> {
        self.tracks.get(id).copied().ok_or_else(|| unknown("track", id))
    }

    pub(crate) fn clip(&self, id: &str) -> Result<&'a ProjectClip, WriteError> {
        self.clips.get(id).copied().ok_or_else(|| unknown("clip", id))
    }

    pub(crate) fn marker(&self, id: &str) -> Result<&'a ProjectMarker, WriteError> {
        self.markers.get(id).copied().ok_or_else(|| unknown("marker", id))
    }
}

fn by_id<T>(all: &[T], id: fn(&T) -> &Option<String>) -> HashMap<&str, &T> {
    all.iter().filter_map(|one| Some((id(one).as_deref()?, one))).collect()
}

fn unknown(kind: &str, id: &str) -> WriteError {
    WriteError::Identity(format!("the project has no {kind} {id:?}"))
}

/// Refuses what no format can write.
pub(crate) fn validate(original: &Project, wanted: &Project) -> Result<(), WriteError> {
    let before = Before::of(original);
    if (original.rate, &original.tempo, &original.meter)
        != (wanted.rate, &wanted.tempo, &wanted.meter)
    {
        return Err(refused("the project", "change its sample rate, tempo and meter in the DAW"));
    }
    gain("the master", wanted.master_gain_db)?;
    unique_ids(wanted)?;
    for track in &wanted.tracks {
        let old = track.known_id().map(|id| before.track(id)).transpose()?;
        check_track(old, track)?;
        for clip in &track.clips {
            check_clip(&before, clip)?;
        }
    }
    locked_clips_stay(original, wanted)?;
    for marker in &wanted.markers {
        check_marker(&before, marker)?;
    }
    check_parents(wanted)
}

fn unique_ids(wanted: &Project) -> Result<(), WriteError> {
    let clips = wanted.tracks.iter().flat_map(|track| &track.clips);
    distinct("track", wanted.tracks.iter().map(|track| &track.id))?;
    distinct("clip", clips.map(|clip| &clip.id))?;
    distinct("marker", wanted.markers.iter().map(|marker| &marker.id))
}

fn distinct<'a>(
    kind: &str,
    ids: impl Iterator<Item = &'a Option<String>>,
) -> Result<(), WriteError> {
    let mut seen = HashSet::new();
    match ids.flatten().find(|id| !seen.insert(*id)) {
        Some(id) => Err(WriteError::Identity(format!("{kind} {id:?} is wanted twice"))),
        None => Ok(()),
    }
}

fn check_track(old: Option<&ProjectTrack>, new: &ProjectTrack) -> Result<(), WriteError> {
    let object = format!("track {:?}", new.name);
    gain(&object, new.gain_db)?;
    within(&object, "pan", new.pan, -1.0..=1.0)?;
    let Some(old) = old else { return Ok(()) };
    let values = |track: &ProjectTrack| {
        (track.name.clone(), track.gain_db, track.pan, track.mute, track.solo, track.color)
    };
    if let Some(why) = old.locked.as_ref().filter(|_| values(old) != values(new)) {
        return Err(refused(object, why));
    }
    let overridden = [
        ("gain", old.automated.gain && old.gain_db != new.gain_db),
        ("pan", old.automated.pan && old.pan != new.pan),
        ("mute", old.automated.mute && old.mute != new.mute),
    ];
    match overridden.iter().find(|(_, is_overridden)| *is_overridden) {
        Some((value, _)) => {
            Err(refused(object, format!("automation sets its {value}: change it in the DAW")))
        }
        None => Ok(()),
    }
}

fn check_clip(before: &Before<'_>, new: &ProjectClip) -> Result<(), WriteError> {
    let object = format!("clip {:?} at {} s", new.name, new.position);
    gain(&object, new.gain_db)?;
    within(&object, "position", new.position, 0.0..=LONGEST)?;
    within(&object, "start", new.start, 0.0..=LONGEST)?;
    within(&object, "length", new.length, f64::MIN_POSITIVE..=LONGEST)?;
    within(&object, "fade in", new.fade_in.length, 0.0..=LONGEST)?;
    within(&object, "fade out", new.fade_out.length, 0.0..=LONGEST)?;
    let source = new.id.as_deref().or(new.like.as_deref());
    let Some(old) = source.map(|id| before.clip(id)).transpose()? else {
        no_other(&object, &[new.fade_in, new.fade_out])?;
        return Ok(());
    };
    if old.is_looped != new.is_looped {
        return Err(refused(object, "change in the DAW whether it loops"));
    }
    for (old, new) in [(old.fade_in, new.fade_in), (old.fade_out, new.fade_out)] {
        if old.shape != new.shape {
            no_other(&object, &[new])?;
        }
    }
    match &old.locked {
        Some(why) if new.id.is_some() && old != new => Err(refused(object, why)),
        _ => Ok(()),
    }
}

fn no_other(object: &str, fades: &[ProjectFade]) -> Result<(), WriteError> {
    match fades.iter().any(|fade| fade.shape == FadeShape::Other) {
        true => Err(refused(object, "only linear and equal-power fades can be made")),
        false => Ok(()),
    }
}

fn locked_clips_stay(original: &Project, wanted: &Project) -> Result<(), WriteError> {
    let ids = |project: &Project| {
        let on_track = |track: &ProjectTrack| {
            let track_id = track.id.clone();
            let place = move |clip: &ProjectClip| Some((clip.id.clone()?, track_id.clone()));
            track.clips.iter().filter_map(place).collect::<Vec<_>>()
        };
        project.tracks.iter().flat_map(on_track).collect::<HashSet<_>>()
    };
    let places = ids(wanted);
    for track in &original.tracks {
        for clip in &track.clips {
            let place = (clip.id.clone().unwrap_or_default(), track.id.clone());
            if let Some(why) = clip.locked.as_ref().filter(|_| !places.contains(&place)) {
                return Err(refused(format!("clip {:?} at {} s", clip.name, clip.position), why));
            }
        }
    }
    Ok(())
}

fn check_marker(before: &Before<'_>, new: &ProjectMarker) -> Result<(), WriteError> {
    let object = format!("marker {:?}", new.name);
    within(&object, "position", new.position, -LONGEST..=LONGEST)?;
    within(&object, "length", new.length, 0.0..=LONGEST)?;
    let old = new.id.as_deref().map(|id| before.marker(id)).transpose()?;
    match old {
        Some(old) if (old.length > 0.0) != (new.length > 0.0) => {
            Err(refused(object, "a marker cannot become a region, nor a region a marker"))
        }
        _ => Ok(()),
    }
}

fn check_parents(wanted: &Project) -> Result<(), WriteError> {
    let mut seen = HashSet::new();
    for track in &wanted.tracks {
        if let Some(parent) = track.parent.as_deref().filter(|parent| !seen.contains(parent)) {
            let why = format!("its bus {parent:?} does not come before it");
            return Err(refused(format!("track {:?}", track.name), why));
        }
        seen.extend(track.id.as_deref());
    }
    Ok(())
}

/// About 30 years: no project is longer.
pub(crate) const LONGEST: f64 = 1e9;

fn gain(object: &str, gain_db: f64) -> Result<(), WriteError> {
    match gain_db == f64::NEG_INFINITY {
        true => Ok(()),
        false => within(object, "gain", gain_db, -1000.0..=1000.0),
    }
}

fn within(
    object: &str,
    value: &str,
    number: f64,
    range: std::ops::RangeInclusive<f64>,
) -> Result<(), WriteError> {
    match range.contains(&number) {
        true => Ok(()),
        false => Err(WriteError::Value(format!("{object}: its {value} cannot be {number}"))),
    }
}

pub(crate) fn refused(object: impl Into<String>, why: impl Into<String>) -> WriteError {
    WriteError::Refused { object: object.into(), why: why.into() }
}
