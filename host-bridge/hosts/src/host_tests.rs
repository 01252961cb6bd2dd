//! What every way to a DAW's session keeps to, and the faults of a fake one.

use crate::fake_host::{FakeHost, Fault};
use crate::file_host::FileHost;
use crate::host::{Host, HostError, HostPlan};
use crate::project::{Project, ProjectClip, ProjectMarker, ProjectTrack};
use crate::test_changes::{Abilities, changed, changes};
use proptest::prelude::*;
use std::path::PathBuf;
use tempfile::TempDir;

fn clip(id: &str, position: f64) -> ProjectClip {
    ProjectClip {
        id: Some(id.into()),
        name: id.to_uppercase(),
        file: "a.wav".into(),
        position,
        length: 2.0,
        ..ProjectClip::default()
    }
}

/// Two tracks of one name: an id tells them apart.
fn project() -> Project {
    let track = |id: &str, clips: Vec<ProjectClip>| ProjectTrack {
        id: Some(id.into()),
        name: "Vocal".into(),
        clips,
        ..ProjectTrack::default()
    };
    let marker = ProjectMarker { id: Some("m".into()), name: "Verse".into(), ..Default::default() };
    Project {
        tracks: vec![
            track("a", vec![clip("x", 0.0), clip("y", 3.0)]),
            track("b", vec![clip("z", 1.0)]),
        ],
        markers: vec![marker],
        ..Project::default()
    }
}

/// A project file as REAPER writes it, of the same tracks.
const FILE: &str = "<REAPER_PROJECT 0.1 \"7.06/linux-x86_64\" 1700000000\n  MASTER_VOLUME 1 0 -1 -1 1\n  MARKER 1 0 Verse 0\n  <TRACK {A1111111-1111-1111-1111-111111111111}\n    NAME Vocal\n    VOLPAN 1 0 -1 -1 1\n    MUTESOLO 0 0 0\n    ISBUS 0 0\n    TRACKID {A1111111-1111-1111-1111-111111111111}\n    <ITEM\n      POSITION 0\n      LENGTH 2\n      IGUID {C1111111-1111-1111-1111-111111111111}\n      NAME X\n      VOLPAN 1 0 1 -1\n      GUID {D1111111-1111-1111-1111-111111111111}\n      <SOURCE WAVE\n        FILE \"a.wav\"\n      >\n    >\n  >\n  <TRACK {B1111111-1111-1111-1111-111111111111}\n    NAME Vocal\n    VOLPAN 1 0 -1 -1 1\n    MUTESOLO 0 0 0\n    ISBUS 0 0\n    TRACKID {B1111111-1111-1111-1111-111111111111}\n  >\n>\n";

fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("song.RPP");
    std::fs::write(&path, FILE).unwrap();
    (folder, path)
}

fn plan(host: &mut dyn Host, change: impl FnOnce(&mut Project)) -> HostPlan {
    let base = host.snapshot().unwrap().project;
    let mut wanted = base.clone();
    change(&mut wanted);
    HostPlan { title: "Deskhand: plan 1".into(), base, wanted }
}

/// The same of any host: `by_hand` is a change by the person, of the fader of the first track.
fn conforms(host: &mut dyn Host, by_hand: &mut dyn FnMut(&mut dyn Host, f64)) {
    let start = host.snapshot().unwrap();
    // A plan is applied, read back, and taken back.
    let louder = plan(host, |project| project.tracks[0].gain_db = -6.0);
    assert_eq!(host.check(&louder), Ok(Vec::new()));
    let (applied, after) = host.apply(&louder).unwrap();
    let now = host.snapshot().unwrap();
    assert!((now.project.tracks[0].gain_db + 6.0).abs() < 1e-3);
    assert_eq!((&now.token, &now), (&applied.token, &after));
    let undone = host.undo(&applied).unwrap();
    assert_eq!(host.snapshot(), Ok(undone.clone()));
    assert_eq!(undone.project, start.project, "as it was");
    // A value that moved on is named, with what was expected and what is there; nothing changes.
    by_hand(host, -3.0);
    let before = host.snapshot().unwrap();
    let HostError::Moved(moved) = host.apply(&louder).unwrap_err() else { panic!() };
    assert_eq!(moved.len(), 1, "{moved:?}");
    assert_eq!((moved[0].object.as_str(), moved[0].value), ("track \"Vocal\"", "the fader"));
    assert_eq!(host.check(&louder), Ok(moved));
    assert_eq!(host.snapshot().unwrap(), before);
    // What the plan does not touch may have changed.
    let renamed = HostPlan {
        wanted: {
            let mut it = louder.base.clone();
            it.tracks[1].name = "Double".into();
            it
        },
        ..louder.clone()
    };
    let (applied, _) = host.apply(&renamed).unwrap();
    let now = host.snapshot().unwrap().project;
    assert_eq!(now.tracks[1].name, "Double");
    assert!((now.tracks[0].gain_db + 3.0).abs() < 1e-3, "the person's fader stays");
    // Once somebody did something else, it is not taken back.
    by_hand(host, -9.0);
    assert!(matches!(host.undo(&applied), Err(HostError::NotNewest(_))));
    names_what_is_gone(host, &start.project);
}

fn names_what_is_gone(host: &mut dyn Host, start: &Project) {
    let mut wanted = start.clone();
    wanted.markers[0].name = "Chorus".into();
    let gone = HostPlan { title: String::new(), base: start.clone(), wanted };
    let removed = plan(host, |project| project.markers.clear());
    host.apply(&removed).unwrap();
    let HostError::Moved(moved) = host.apply(&gone).unwrap_err() else { panic!() };
    assert_eq!((moved[0].object.as_str(), moved[0].found.as_str()), ("marker \"Chorus\"", "gone"));
}

#[test]
fn the_fake_keeps_to_it() {
    // A person's hand goes through the host as well: its changes are steps of theirs.
    let mut host = FakeHost::new(project());
    conforms(&mut host, &mut |host, gain| {
        let by_hand = plan(host, |project| project.tracks[0].gain_db = gain);
        host.apply(&by_hand).unwrap();
    });
}

#[test]
fn a_project_file_keeps_to_it() {
    let (folder, path) = file();
    let mut host = FileHost::new(&path).unwrap();
    let hand = path.clone();
    conforms(&mut host, &mut |_, gain| {
        let text = std::fs::read_to_string(&hand).unwrap();
        let at = text.find("VOLPAN").unwrap();
        let end = at + text[at..].find(" 0 -1 -1 1").unwrap();
        let linear = 10f64.powf(gain / 20.0);
        std::fs::write(&hand, format!("{}VOLPAN {linear}{}", &text[..at], &text[end..])).unwrap();
    });
    let copies = std::fs::read_dir(folder.path()).unwrap().flatten();
    let copies = copies.filter(|it| it.file_name().to_string_lossy().contains("before Deskhand"));
    assert_eq!(copies.count(), 3, "one for each plan that was applied");
}

#[test]
fn an_undo_of_a_project_file_brings_back_each_byte() {
    let (_folder, path) = file();
    let mut host = FileHost::new(&path).unwrap();
    let split = plan(&mut host, |project| {
        let first = project.tracks[0].clips[0].clone();
        project.tracks[0].clips[0].length = 1.0;
        let rest = ProjectClip {
            id: None,
            like: first.id.clone(),
            position: 1.0,
            start: 1.0,
            length: 1.0,
            ..first
        };
        project.tracks[0].clips.push(rest);
    });
    let (applied, _) = host.apply(&split).unwrap();
    assert_ne!(std::fs::read_to_string(&path).unwrap(), FILE);
    host.undo(&applied).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), FILE);
}

/// The open file tells, as a DAW's would.
#[cfg(target_os = "linux")]
#[test]
fn a_project_that_a_program_has_open_is_not_written() {
    use std::process::{Command, Stdio};
    let (_folder, path) = file();
    let opened = std::fs::File::open(&path).unwrap();
    let mut daw = Command::new("cat").stdin(Stdio::piped()).stdout(opened).spawn().unwrap();
    let mut host = FileHost::new(&path).unwrap();
    let plan = plan(&mut host, |project| project.tracks[0].mute = true);
    let refused = host.apply(&plan).unwrap_err();
    daw.kill().unwrap();
    daw.wait().unwrap();
    let told = "cat has the project open: close it there first";
    assert_eq!(refused, HostError::Refused(told.into()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), FILE);
    host.apply(&plan).unwrap();
}

#[test]
fn faults_of_a_daw_are_told_and_nothing_is_claimed() {
    let mut host = FakeHost::new(project());
    let louder = plan(&mut host, |project| project.tracks[0].gain_db = -6.0);
    host.fault = Some(Fault::Drift);
    assert!(matches!(host.apply(&louder), Err(HostError::Moved(_))));
    host.project.tracks[0].gain_db = 0.0;
    host.fault = Some(Fault::HalfApplied);
    assert!(matches!(host.apply(&louder), Err(HostError::Refused(_))));
    assert_eq!(host.project.tracks[0].gain_db, 0.0);
    host.fault = Some(Fault::LostReply);
    assert_eq!(host.apply(&louder), Err(HostError::Unknown("Fake".into())));
    // It is read again: the change is there.
    host.fault = None;
    assert_eq!(host.snapshot().unwrap().project.tracks[0].gain_db, -6.0);
}

#[test]
fn objects_are_told_apart_by_their_ids_whatever_their_place_and_name() {
    let mut host = FakeHost::new(project());
    let mute = plan(&mut host, |project| project.tracks[1].mute = true);
    host.by_hand(|project| project.tracks.reverse());
    host.apply(&mute).unwrap();
    let muted: Vec<_> =
        host.project.tracks.iter().map(|it| (it.id.clone().unwrap(), it.mute)).collect();
    assert!(
        muted.contains(&("b".into(), true)) && muted.contains(&("a".into(), false)),
        "{muted:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A plan on the session that it was made on gives what was wanted, and one undo gives back what was there.
    #[test]
    fn any_plan_is_applied_and_taken_back(steps in changes()) {
        let mut host = FakeHost::new(project());
        let plan = HostPlan {
            title: String::new(),
            base: project(),
            wanted: changed(&project(), &steps, Abilities::ALL),
        };
        let (applied, _) = host.apply(&plan).unwrap();
        prop_assert_eq!(host.project.tracks.len(), plan.wanted.tracks.len());
        let clips = |project: &Project| project.tracks.iter().map(|it| it.clips.len()).sum::<usize>();
        prop_assert_eq!(clips(&host.project), clips(&plan.wanted));
        host.undo(&applied).unwrap();
        prop_assert_eq!(&host.project, &project());
    }
}
