//! Session folders that the person moved: a project finds its own again, and nothing is doubled in silence.

use crate::desk::{Desk, field, turn, until};
use crate::rig::{Rig, home, row, sine};
use crate::{RATE, gain, instance, joined, play_until};
use deskhand_plugin::test_probes;
use deskhand_protocol::socket::{Role, attach};
use deskhand_session::{Output, Session, TrackId, TrackKind};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// While it lives there is a helper.
struct Helper;

impl Helper {
    fn new() -> Self {
        // SAFETY: as in `home`; the tests take turns, and nothing here reads it without Rust's lock.
        unsafe { std::env::set_var("DESKHAND_HELPER", Desk::helper()) };
        Self
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { std::env::remove_var("DESKHAND_HELPER") };
    }
}

/// A project with one instance, which is closed, and its session, which nobody serves.
fn closed_project() -> (Desk, Vec<u8>) {
    let mut desk = Desk::new();
    let mut rig = joined(&desk);
    let project = rig.save();
    drop(rig);
    desk.stop();
    (desk, project)
}

fn opened(project: &[u8]) -> Rig {
    let mut rig = Rig::idle();
    assert!(rig.load(project));
    rig.start(RATE, 480);
    rig
}

fn known(desk: &Desk) -> PathBuf {
    home().join("deskhand/known").join(desk.id().to_string())
}

fn remembered(desk: &Desk) -> PathBuf {
    PathBuf::from(fs::read_to_string(known(desk)).unwrap_or_default())
}

fn sessions() -> usize {
    fs::read_dir(home().join("deskhand/sessions")).map_or(0, Iterator::count)
}

#[test]
fn a_session_that_was_moved_nearby_is_found_by_its_id_and_nothing_is_made() {
    let _turn = turn();
    let _helper = Helper::new();
    let (mut desk, project) = closed_project();
    let before = sessions();
    let beside = desk.dir.with_file_name("moved.deskhand");
    let own = home().join("deskhand/sessions/moved.deskhand");
    for (to, garbage) in [(beside, None), (own, Some(&b"\xff\xfe/trunc"[..]))] {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(&desk.dir, &to).unwrap();
        desk.dir.clone_from(&to);
        if let Some(garbage) = garbage {
            fs::write(known(&desk), garbage).unwrap();
        }
        desk.start();
        let rig = opened(&project);
        until(|| desk.instances().len() == 1);
        assert_eq!(desk.tracks().len(), 1, "it is the track it was");
        assert_eq!(remembered(&desk), to);
        assert_eq!(test_probes::told_of_made_anew(), Vec::<String>::new());
        drop(rig);
        desk.stop();
    }
    assert_eq!(sessions(), before + 1, "none but what was moved there");
    removed(&desk.dir);
}

#[test]
fn another_session_in_its_place_is_not_taken_for_it() {
    let _turn = turn();
    let _helper = Helper::new();
    let (mut desk, project) = closed_project();
    let mut other = Desk::new();
    other.stop();
    let to = desk.dir.with_file_name("moved.deskhand");
    let was = std::mem::replace(&mut desk.dir, to.clone());
    fs::rename(&was, &to).unwrap();
    fs::rename(&other.dir, &was).unwrap();
    other.dir.clone_from(&was);
    desk.start();
    other.start();
    let _rigs = [opened(&project), opened(&project)];
    until(|| desk.instances().len() == 2);
    assert_eq!(remembered(&desk), to);
    assert_eq!((other.instances().len(), other.steps()), (0, 0), "nobody came");
}

/// Moves the session where nobody looks; from where and to where.
fn moved_far(desk: &mut Desk, far: &Path) -> (PathBuf, PathBuf) {
    let to = far.join("a/b/c/song.deskhand");
    let was = std::mem::replace(&mut desk.dir, to.clone());
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::rename(&was, &to).unwrap();
    (was, to)
}

#[test]
fn where_it_is_not_found_that_is_said_and_opening_it_brings_the_project_back_to_it() {
    let _turn = turn();
    let _helper = Helper::new();
    let far = tempfile::tempdir().unwrap();
    let (mut desk, project) = closed_project();
    let (was, to) = moved_far(&mut desk, far.path());

    let (mut one, mut two) = (opened(&project), opened(&project));
    until(|| test_probes::told_of_made_anew().len() == 2);
    for part in
        [was.to_str().unwrap(), "Open a session…", "which was made of what", "without audio"]
    {
        let told = test_probes::told_of_made_anew();
        assert!(told[0].contains(part), "{part}: {told:?}");
    }
    let anew = remembered(&desk);
    assert!(anew.join("session.db").is_file() && anew != was && anew != to, "{anew:?}");
    until(|| there(&anew) == 2);

    let mut later = opened(&project);
    until(|| there(&anew) == 3);
    assert_eq!(test_probes::told_of_made_anew().len(), 3, "who comes later is told as well");

    // Nobody leaves for a folder without a session.
    test_probes::use_session(far.path());
    desk.start();
    test_probes::use_session(&to);
    let all = &mut [&mut one, &mut two, &mut later];
    play_until(all, |_| desk.instances().len() == 3);
    assert_eq!(remembered(&desk), to, "for the next time");
    assert_eq!(test_probes::told_of_made_anew(), Vec::<String>::new());
    // Later instances meet them there.
    drop((one, two, later));
    until(|| desk.instances().is_empty());
    let _again = opened(&project);
    until(|| desk.instances().len() == 1);
    assert!(test_probes::told_of_made_anew().is_empty());
    removed(&anew);
}

/// The tracks of a session from the first to the last: name, dB, pan, kind and where it plays to.
fn layout(session: &Session) -> Vec<(TrackId, String, f64, f64, TrackKind, Output)> {
    let tracks = session.track_order.iter().map(|id| (*id, &session.tracks[id]));
    let told = tracks.map(|(id, it)| (id, it.name.clone(), it.gain.0, it.pan, it.kind, it.output));
    told.collect()
}

/// Two instances with gains of their own, one of them through a bus.
fn arranged(desk: &mut Desk) -> [Rig; 2] {
    let mut rigs = [instance(desk), instance(desk)];
    until(|| desk.instances().len() == 2);
    let names: Vec<String> = desk.tracks().into_iter().map(|(_, track)| track.name).collect();
    for (name, change) in names.iter().zip([-6.0, 2.5]) {
        desk.call("cmd_set_track_gain", json!({"targets": [name], "change_db": change}));
    }
    desk.call("cmd_set_track_pan", json!({"targets": [names[0]], "pan": -0.25}));
    desk.call("cmd_add_track", json!({"name": "Drums", "kind": "bus"}));
    desk.call("cmd_set_track_output", json!({"targets": [names[1]], "output": "Drums"}));
    let [one, two] = &mut rigs;
    play_until(&mut [one, two], |rigs| {
        // The stored snapshot follows the session's revision.
        rigs.iter_mut().all(|rig| {
            field(rig, "revision") == json!(desk.head().0)
                && field(rig, "snapshot").to_string().contains("Drums")
        })
    });
    rigs
}

#[test]
fn what_is_made_anew_has_the_gains_and_the_layout_that_the_project_kept() {
    let _turn = turn();
    let _helper = Helper::new();
    let far = tempfile::tempdir().unwrap();
    let mut desk = Desk::new();
    let mut rigs = arranged(&mut desk);
    let kept = layout(&desk.session());
    for gain in [-6.0, 2.5] {
        assert!(kept.iter().any(|track| (track.2 - gain).abs() < 0.01), "{gain}: {kept:?}");
    }
    assert!(kept.iter().any(|track| track.4 == TrackKind::Bus), "{kept:?}");
    let heard = rigs.each_mut().map(gain);
    let projects = rigs.each_mut().map(Rig::save);
    drop(rigs);
    desk.stop();
    moved_far(&mut desk, far.path());

    let mut rigs = projects.each_ref().map(|project| opened(project));
    until(|| test_probes::told_of_made_anew().len() == 2);
    let anew = remembered(&desk);
    until(|| there(&anew) == 2);
    let session = Desk::snapshot_at(&attach(&anew, Role::Person).unwrap()).session;
    assert_eq!(layout(&session), kept);
    let [one, two] = &mut rigs;
    play_until(&mut [one, two], |rigs| {
        rigs.iter_mut().zip(heard).all(|(rig, heard)| (gain(rig) - heard).abs() < 0.01)
    });
    let [one, two] = &mut rigs;
    play_until(&mut [one, two], |rigs| {
        rigs.iter_mut().all(|rig| field(rig, "snapshot") != json!(null))
    });
    assert_eq!(layout(&Desk::snapshot_at(&attach(&anew, Role::Person).unwrap()).session), kept);
    drop(rigs);
    removed(&anew);
}

#[test]
fn what_is_made_in_the_place_of_a_removed_session_is_not_taken_for_that() {
    let _turn = turn();
    let _helper = Helper::new();
    let far = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (mut desk, project) = closed_project();
    moved_far(&mut desk, far[0].path());
    let rig = opened(&project);
    until(|| test_probes::told_of_made_anew().len() == 1);
    let anew = remembered(&desk);
    until(|| there(&anew) == 1);
    // Somebody works there on, so its hub outlives the folder.
    let worker = attach(&anew, Role::Person).unwrap();
    drop(rig);
    fs::rename(&anew, far[0].path().join("removed")).unwrap();

    let (mut other, project) = closed_project();
    moved_far(&mut other, far[1].path());
    let rig = opened(&project);
    until(|| test_probes::told_of_made_anew().len() == 1);
    assert_eq!(remembered(&other), anew, "the place was free");
    until(|| there(&anew) == 1);
    let served = attach(&anew, Role::Person).unwrap();
    assert_eq!((served.session(), worker.session()), (other.id(), desk.id()));
    assert_eq!(layout(&Desk::snapshot_at(&served).session).len(), 1, "its own track alone");
    drop((rig, served, worker));
    removed(&anew);
}

#[test]
fn where_what_the_project_kept_cannot_be_used_nobody_is_told_that_it_was() {
    let _turn = turn();
    let _helper = Helper::new();
    let far = tempfile::tempdir().unwrap();
    let (mut desk, _) = closed_project();
    moved_far(&mut desk, far.path());
    let track = json!({"id": "track_000000000001", "name": "Bass", "gain": -3.0, "pan": 0.0});
    let twice = json!({"rate": 48_000, "tracks": [track, track]});
    let rig = opened(&desk.project_with("snapshot", twice));
    until(|| test_probes::told_of_made_anew().len() == 1);
    let told = test_probes::told_of_made_anew().swap_remove(0);
    assert!(told.contains("is empty") && told.contains("could not be used"), "{told}");
    assert!(!told.contains("was made of what"), "{told}");
    let anew = remembered(&desk);
    drop(rig);
    removed(&anew);
}

#[test]
fn instances_elsewhere_follow_to_the_folder_that_the_person_opened() {
    let _turn = turn();
    let _helper = Helper::new();
    let far = tempfile::tempdir().unwrap();
    let (mut desk, project) = closed_project();
    let (_, to) = moved_far(&mut desk, far.path());
    let _rig = opened(&project);
    until(|| test_probes::told_of_made_anew().len() == 1);
    let anew = remembered(&desk);
    until(|| there(&anew) == 1);
    desk.start();
    // As another process of the host's does when it is chosen in a window there.
    fs::write(known(&desk), to.to_str().unwrap()).unwrap();
    until(|| desk.instances().len() == 1);
    removed(&anew);
}

#[test]
fn what_a_process_of_its_own_made_is_left_for_the_session_that_is_chosen_in_its_window() {
    let _turn = turn();
    let _helper = Helper::new();
    let desk = Desk::new();
    let before = sessions();
    // It is the first of its process, and its project names no session yet.
    let mut rig = Rig::stereo(RATE, 480);
    test_probes::look_at_all();
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    let own = field(&mut rig, "session");
    assert!(own != json!(desk.id()) && sessions() == before + 1);
    test_probes::use_session(&desk.dir);
    // The project keeps it.
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "session") == json!(desk.id()));
    assert_eq!(desk.instances().len(), 1);
    let made = fs::read_to_string(home().join("deskhand/known").join(own.as_str().unwrap()));
    removed(Path::new(&made.unwrap()));
}

#[test]
fn a_session_is_made_among_those_of_the_user_or_where_the_person_wants_it() {
    let _turn = turn();
    let _helper = Helper::new();
    let wished = tempfile::tempdir().unwrap();
    let to = wished.path().join("mine.deskhand");
    let mut rig = Rig::stereo(44_100.0, 480);
    test_probes::look_at_all();
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    let own = field(&mut rig, "session");
    let known = home().join("deskhand/known").join(own.as_str().unwrap());
    let by_default = PathBuf::from(fs::read_to_string(known).unwrap());
    assert_eq!(by_default.parent(), Some(home().join("deskhand/sessions").as_path()));
    test_probes::make_session(&to);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "session") != own);
    until(|| there(&to) == 1);
    let made = Desk::snapshot_at(&attach(&to, Role::Person).unwrap()).session;
    assert_eq!((json!(made.id), made.rate.0), (field(&mut rig, "session"), 44_100));
    drop(rig);
    removed(&by_default);
}

#[cfg(unix)]
#[test]
fn what_was_made_for_want_of_the_session_of_a_project_that_came_late_goes_where_nobody_used_it() {
    let _turn = turn();
    let _helper = Helper::new();
    let (mut desk, project) = closed_project();
    desk.start();
    // The host uses it for so long before its project's state comes that it has no project.
    let mut rig = Rig::stereo(RATE, 480);
    test_probes::look_at_all();
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    let own = field(&mut rig, "session");
    assert_ne!(own, json!(desk.id()));
    let known = home().join("deskhand/known").join(own.as_str().unwrap());
    let made = PathBuf::from(fs::read_to_string(known).unwrap());
    assert!(rig.load(&project));
    play_until(&mut [&mut rig], |_| desk.instances().len() == 1);
    assert_eq!(desk.tracks().len(), 1, "it is the track it was");
    let visitor = attach(&made, Role::Person).unwrap();
    until(|| Desk::snapshot_at(&visitor).session.tracks.is_empty());
    drop(visitor);
    end_hub_of(&made);
    until(|| !made.exists());
}

#[test]
fn a_host_that_only_plays_makes_no_session_until_something_is_captured_that_is_kept() {
    let _turn = turn();
    let _helper = Helper::new();
    let before = sessions();
    let mut rig = Rig::stereo(RATE, 480);
    let input = sine(440.0, RATE, 48_000);
    // Too short to be kept, again and again, and through it a live monitor.
    for round in 0..40 {
        rig.roll(&input[..4_800], 4_800 * round, RATE, 480);
        rig.halt(4_800 * (round + 1), RATE);
        std::thread::park_timeout(Duration::from_millis(25));
        assert_eq!(rig.run(&input[..480], 480)[0], input[..480], "sound passes");
    }
    assert_eq!((sessions(), field(&mut rig, "session")), (before, json!(null)));
    // A second is kept: from its first frame on, though there was no session then.
    rig.roll(&input, 96_000, RATE, 480);
    rig.halt(144_000, RATE);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    assert_eq!(sessions(), before + 1);
    let known = home().join("deskhand/known").join(field(&mut rig, "session").as_str().unwrap());
    let made = PathBuf::from(fs::read_to_string(known).unwrap());
    let link = attach(&made, Role::Person).unwrap();
    let clips = || Desk::snapshot_at(&link).session.clips.into_values().collect::<Vec<_>>();
    play_until(&mut [&mut rig], |_| !clips().is_empty());
    let clip = clips().swap_remove(0);
    assert_eq!((clip.position.0, clip.length.0), (96_000, 48_000), "the whole pass");
    row("a host that only plays: sessions on disk, and with a pass that is kept", "0, 1");
    drop((rig, link));
    removed(&made);
}

#[cfg(unix)]
#[test]
fn a_session_that_was_made_and_holds_nothing_goes_with_a_host_that_kept_nothing() {
    let _turn = turn();
    let _helper = Helper::new();
    let before = sessions();
    let rig = Rig::stereo(RATE, 480);
    test_probes::look_at_all();
    until(|| sessions() == before + 1 && test_probes::is_joined());
    let folder = home().join("deskhand/sessions");
    let newest = || {
        fs::read_dir(&folder)
            .unwrap()
            .flatten()
            .max_by_key(|it| it.metadata().unwrap().created().unwrap())
    };
    let made = newest().unwrap().path();
    drop(rig);
    end_hub_of(&made);
    until(|| !made.exists());
}

/// Ends the process that serves a session, as it does by itself some time after its last front end.
#[cfg(unix)]
fn end_hub_of(dir: &Path) {
    let lock = fs::read_to_string(dir.join("session.lock")).unwrap();
    let pid = lock.split(' ').next().unwrap().parse().unwrap();
    // SAFETY: no memory is shared; the process was started for this test, and is there as long as it holds the lock.
    let told = unsafe { libc::kill(pid, libc::SIGTERM) };
    assert_eq!(told, 0);
}

/// Instances at the hub of a session.
/// Removes the folder of a session; a hub may write into it meanwhile what it ends with.
fn removed(folder: &Path) {
    until(|| fs::remove_dir_all(folder).is_ok() || !folder.exists());
}

fn there(dir: &Path) -> usize {
    attach(dir, Role::Person).map_or(0, |link| Desk::count_instances(&link))
}
