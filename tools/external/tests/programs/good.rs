//! Tools that do what they say.

use crate::desk::{CLIP, Desk, RATE, TRACK, tone};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_external::Template;
use deskhand_session::{Change, Clip};
use deskhand_toolkit::{Draft, Trust};
use serde_json::json;
use std::path::Path;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("the_template_changes_the_level_of_a_clip", the_template_changes_the_level_of_a_clip),
    ("beside_makes_a_track_under_the_clips_own", beside_makes_a_track_under_the_clips_own),
    ("audio_from_nothing_gets_a_track_at_its_time", audio_from_nothing_gets_a_track_at_its_time),
    ("an_answer_needs_no_audio", an_answer_needs_no_audio),
    ("the_environment_is_cleared", the_environment_is_cleared),
    ("a_tool_may_start_programs_and_write_in_its_folder", a_tool_may_start_programs),
    ("pitch_and_time_by_rubberband", pitch_and_time_by_rubberband),
];

/// The samples of the first channel of a source that a draft adds.
fn samples(desk: &Desk, draft: &Draft) -> Vec<f32> {
    let path = draft.artifacts[0].path.clone();
    assert!(path.starts_with("media/made/"), "{path}");
    read(&desk.path("session").join(path))
}

fn read(path: &Path) -> Vec<f32> {
    let mut reader = deskhand_media::open_at(path, SampleRate(48_000)).unwrap();
    let frames = reader.frames().index();
    let mut planes = vec![vec![0.0f32; frames]; reader.channels()];
    let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    assert_eq!(reader.read(Frames::ZERO, &mut out).unwrap(), frames);
    planes.swap_remove(0)
}

fn added_clip(draft: &Draft) -> &Clip {
    let added = draft.changes.iter().find_map(|planned| match &planned.change {
        Change::AddClip(edit) => edit.after.as_ref(),
        _ => None,
    });
    added.unwrap()
}

fn ops(draft: &Draft) -> Vec<&'static str> {
    draft.changes.iter().map(|planned| planned.change.op()).collect()
}

fn the_template_changes_the_level_of_a_clip() {
    let desk = Desk::new();
    Template::Plain.write("my_gain", &desk.path("tools")).unwrap();
    let tool = desk.tool("my_gain");
    assert_eq!(tool.spec().trust, Trust::Require);
    let program = tool.program().unwrap().to_string();
    assert!(program.contains("python3 -I my_gain.py (version "), "{program}");
    assert!(program.ends_with("), without the network"), "{program}");
    let draft = desk.call("my_gain", json!({"gain_db": -20})).unwrap();
    assert_eq!(ops(&draft), ["add_source", "remove_clip", "add_clip"]);
    assert_eq!(draft.changes[2].needs, ["c1", "c2"]);
    assert_eq!(draft.reads.len(), 1);
    let new = added_clip(&draft);
    let old = &desk.session.clips[&CLIP];
    let same = Clip {
        source: new.source,
        start: Frames::ZERO,
        envelope: new.envelope.clone(),
        ..old.clone()
    };
    assert_eq!(*new, same, "name, place, gain and fades stay");
    let points: Vec<_> = new.envelope.iter().map(|point| point.position.0).collect();
    assert_eq!(points, [0, RATE / 2], "the envelope stays with the sound");
    let got = samples(&desk, &draft);
    assert_eq!(got.len(), 2 * RATE as usize);
    for n in [0, 1, 1000, 95_999] {
        let expected = tone(RATE / 2 + n as i64) * 0.1;
        assert!((got[n] - expected).abs() < 1e-6, "{n}: {} {expected}", got[n]);
    }
    desk.session.with(draft.changes.iter().map(|planned| &planned.change)).unwrap();
    let again = desk.call("my_gain", json!({"gain_db": -20})).unwrap();
    assert_eq!(again, draft, "the same call gives the same plan, and the file that is there");
    let heard = desk.heard.0.lock().unwrap();
    assert!(heard.iter().any(|(at, what)| *at >= 0.1 && what == "Take 1"), "{heard:?}");
}

const COPY: &str = "#python\nimport json, shutil, sys\nclip = json.load(sys.stdin)['clips'][0]\n\
    shutil.copy(clip['file'], clip['out'])\n\
    print(json.dumps({'result': {'files': [{'clip': clip['id'], 'file': clip['out'], 'name': 'Echo'}]}}))\n";

fn beside_makes_a_track_under_the_clips_own() {
    let desk = Desk::new();
    desk.write("tools", "echo", "gives = \"beside\"", COPY);
    let draft = desk.call("echo", json!({})).unwrap();
    assert_eq!(ops(&draft), ["add_source", "add_track", "add_clip"]);
    let Change::AddTrack(edit) = &draft.changes[1].change else { panic!("{draft:?}") };
    let placed = edit.after.as_ref().unwrap();
    assert_eq!((placed.index, placed.track.name.as_str()), (1, "Voice (echo)"));
    let clip = added_clip(&draft);
    assert_eq!((clip.position, clip.length), (Frames(RATE), Frames(2 * RATE)));
    assert!(clip.track == edit.target && clip.track != TRACK);
    desk.session.with(draft.changes.iter().map(|planned| &planned.change)).unwrap();
    assert_eq!(draft.changes[0].name, "Echo");
}

fn audio_from_nothing_gets_a_track_at_its_time() {
    let desk = Desk::new();
    let script = "#python\nimport json, struct, sys\nassert json.load(sys.stdin)['clips'] == []\n\
        data = struct.pack('<4800h', *([1000] * 4800))\n\
        head = b'WAVEfmt ' + struct.pack('<IHHIIHH', 16, 1, 1, 24000, 48000, 2, 16) + b'data' + struct.pack('<I', len(data))\n\
        open('out/beep.wav', 'wb').write(b'RIFF' + struct.pack('<I', len(head) + len(data)) + head + data)\n\
        print(json.dumps({'result': {'files': [{'file': 'out/beep.wav', 'at_s': 1.5, 'name': 'Beep'}], 'summary': 'one beep'}}))\n";
    desk.write("tools", "beep", "takes = \"nothing\"\ngives = \"beside\"", script);
    let draft = desk.call("beep", json!({})).unwrap();
    assert_eq!(draft.summary, "beep: one beep");
    let clip = added_clip(&draft);
    assert_eq!((clip.position.0, clip.length.0), (72_000, 9_600), "24 kHz became 48 kHz");
    desk.session.with(draft.changes.iter().map(|planned| &planned.change)).unwrap();
}

fn an_answer_needs_no_audio() {
    let desk = Desk::new();
    let script = "echo '{\"progress\": 0.5}'\necho '{\"result\": {\"summary\": \"looked\", \"answer\": {\"tempo\\u202e\": 120}}}'";
    desk.write(
        "tools",
        "look",
        "gives = \"nothing\"\n[input.properties.deep]\ntype = \"boolean\"",
        script,
    );
    let draft = desk.call("look", json!({"deep": true})).unwrap();
    assert_eq!((draft.changes.len(), draft.answer.clone()), (0, Some(json!({"tempo": 120}))));
    let wrong = desk.call("look", json!({"deep": 3})).unwrap_err().to_string();
    assert!(wrong.contains("deep is true or false, not 3"), "{wrong}");
}

fn the_environment_is_cleared() {
    let desk = Desk::new();
    let script = "names=$(env | cut -d= -f1 | sort | tr '\\n' ' ')\n\
        echo \"{\\\"result\\\": {\\\"answer\\\": [\\\"$names\\\", \\\"$HOME\\\", \\\"$PWD\\\"]}}\"";
    desk.write("tools", "look", "gives = \"nothing\"", script);
    let answer = desk.call("look", json!({})).unwrap().answer.unwrap();
    // The shell sets some of its own.
    let known = [
        "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "HOME", "TMPDIR", "PWD", "SHLVL", "_", "OLDPWD",
    ];
    let names = answer[0].as_str().unwrap();
    let strange: Vec<_> = names.split_whitespace().filter(|name| !known.contains(name)).collect();
    assert!(strange.is_empty() && names.contains("TMPDIR"), "{names}");
    let (home, cwd) = (answer[1].as_str().unwrap(), answer[2].as_str().unwrap());
    assert_eq!(home, format!("{cwd}/home"));
    assert!(!Path::new(cwd).exists(), "the folder of a run goes with it");
}

fn a_tool_may_start_programs() {
    let desk = Desk::new();
    let script = "mkdir out/sub && cat request.json | wc -c > home/size && (sleep 0.05; echo $$ > out/sub/pid) &\n\
        wait\ncat /etc/hostname > /dev/null 2>&1\necho '{\"result\": {\"summary\": \"fine\"}}'";
    desk.write("tools", "parent", "gives = \"nothing\"", script);
    assert_eq!(desk.call("parent", json!({})).unwrap().summary, "parent: fine");
}

/// The pitch of a tone in Hz, by its crossings of zero between its first and its last quarter.
fn pitch(samples: &[f32]) -> f64 {
    let middle = &samples[samples.len() / 4..samples.len() * 3 / 4];
    let rising: Vec<usize> =
        (1..middle.len()).filter(|n| middle[n - 1] < 0.0 && middle[*n] >= 0.0).collect();
    let (first, last) = (rising[0], rising[rising.len() - 1]);
    (rising.len() - 1) as f64 * RATE as f64 / (last - first) as f64
}

fn pitch_and_time_by_rubberband() {
    if !on_path("rubberband") {
        println!("SKIPPED: rubberband is not installed; `apt install rubberband-cli`");
        return;
    }
    let desk = Desk::new();
    Template::PitchAndTime.write("pitch_and_time", &desk.path("tools")).unwrap();
    let up = desk.call("pitch_and_time", json!({"semitones": 12})).unwrap();
    let got = samples(&desk, &up);
    assert_eq!(got.len(), 2 * RATE as usize, "the same length");
    let hz = pitch(&got);
    assert!((hz - 880.0).abs() < 2.0, "an octave up: {hz}");
    assert_eq!(up.warnings, [] as [String; 0]);
    let slow = desk.call("pitch_and_time", json!({"time": 1.5, "formants": true})).unwrap();
    let got = samples(&desk, &slow);
    assert_eq!(got.len(), 3 * RATE as usize, "half as long again");
    let hz = pitch(&got);
    assert!((hz - 440.0).abs() < 1.0, "the same pitch: {hz}");
    assert_eq!(slow.warnings, ["\"Take 1\" was 2.000 s long and becomes 3.000 s"]);
    assert_eq!(
        added_clip(&slow).envelope[1].position,
        Frames(RATE * 3 / 4),
        "it stays with the sound"
    );
    let heard = desk.heard.0.lock().unwrap();
    assert!(heard.iter().filter(|(at, _)| *at > 0.1 && *at < 0.9).count() > 2, "{heard:?}");
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
