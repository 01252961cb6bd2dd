//! Written files are read back, and unfinished ones leave nothing.

use super::*;
use crate::opener;

fn ramp(frames: usize) -> Vec<f32> {
    (0..frames).map(|n| (n as f32 / frames as f32) * 1.8 - 0.9).collect()
}

fn read(path: &Path) -> Vec<Vec<f32>> {
    let mut reader = opener::open(path).unwrap();
    let mut out = vec![vec![0.0; reader.frames().index()]; reader.channels()];
    let mut planes: Vec<&mut [f32]> = out.iter_mut().map(Vec::as_mut_slice).collect();
    reader.read(Frames::ZERO, &mut planes).unwrap();
    out
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn float_is_exact_and_integers_are_within_dither() {
    let dir = tempfile::tempdir().unwrap();
    for (depth, lsb) in
        [(BitDepth::F32, 0.0), (BitDepth::S24, 1.0 / 8_388_608.0), (BitDepth::S16, 1.0 / 32_768.0)]
    {
        for channels in [1, 2, 3, 8] {
            let path = dir.path().join("é 🎧\n.wav");
            let mut writer = WavWriter::create(&path, SampleRate(44_100), channels, depth).unwrap();
            let plane = ramp(40_001);
            for block in plane.chunks(7000) {
                writer.write(&vec![block; channels]).unwrap();
            }
            let written = writer.finish().unwrap();
            assert_eq!((written.frames, written.clipped), (Frames(40_001), 0));
            let out = read(&path);
            assert_eq!(out.len(), channels);
            for channel in out {
                let worst =
                    plane.iter().zip(&channel).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(worst <= 1.5 * lsb, "{depth:?}: {worst}");
            }
        }
    }
    assert_eq!(names(dir.path()).len(), 1);
}

#[test]
fn dither_removes_the_bias_of_rounding() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    let level = 0.25 / 32_768.0;
    let mut writer = WavWriter::create(&path, SampleRate(48_000), 1, BitDepth::S16).unwrap();
    writer.write(&[&vec![level; 200_000]]).unwrap();
    writer.finish().unwrap();
    let out = read(&path);
    let mean = out[0].iter().map(|s| f64::from(*s)).sum::<f64>() / out[0].len() as f64;
    assert!((mean / f64::from(level) - 1.0).abs() < 0.05, "{}", mean / f64::from(level));
}

#[test]
fn what_is_too_loud_is_limited_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    let mut writer = WavWriter::create(&path, SampleRate(48_000), 1, BitDepth::S16).unwrap();
    writer.write(&[&[1.5, -2.0, 0.5]]).unwrap();
    assert_eq!(writer.finish().unwrap().clipped, 2);
    let out = read(&path);
    assert!(out[0][0] > 0.99 && out[0][1] <= -0.99);
}

#[test]
fn a_large_file_becomes_rf64() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    let rate = SampleRate(48_000);
    let mut writer = WavWriter::create_with_limit(&path, rate, 2, BitDepth::F32, 1000).unwrap();
    let plane = ramp(500);
    writer.write(&[&plane, &plane]).unwrap();
    writer.finish().unwrap();
    let probe = opener::probe(&path).unwrap();
    assert_eq!((probe.format.as_str(), probe.frames), ("RF64", Frames(500)));
    assert_eq!(probe.warnings, Vec::<String>::new());
    assert_eq!(read(&path)[1], plane);
}

#[test]
fn dropped_it_leaves_nothing_and_keeps_what_was_there() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    std::fs::write(&path, b"old").unwrap();
    let mut writer = WavWriter::create(&path, SampleRate(48_000), 1, BitDepth::F32).unwrap();
    writer.write(&[&ramp(100_000)]).unwrap();
    drop(writer);
    assert_eq!(names(dir.path()), ["x.wav"]);
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
}

#[test]
fn refusals_name_the_way_out() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("no/x.wav");
    let rate = SampleRate(48_000);
    let error = WavWriter::create(&path, rate, 1, BitDepth::F32).unwrap_err();
    assert!(error.to_string().ends_with("choose a folder that exists and that you may write to"));
    let path = dir.path().join("x.wav");
    assert!(matches!(
        WavWriter::create(&path, rate, 0, BitDepth::F32),
        Err(WriteError::Shape { .. })
    ));
    let mut writer = WavWriter::create(&path, rate, 2, BitDepth::F32).unwrap();
    assert!(matches!(writer.write(&[&[0.0]]), Err(WriteError::Block { .. })));
}

/// A writer with more than its blocks hold written to it.
fn begun(path: &Path, channels: usize, depth: BitDepth) -> WavWriter {
    let mut writer = WavWriter::create(path, SampleRate(48_000), channels, depth).unwrap();
    let plane = ramp(200_001);
    writer.write(&vec![plane.as_slice(); channels]).unwrap();
    writer
}

#[test]
fn after_a_failed_write_what_reached_the_disk_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    for (channels, depth) in [(1, BitDepth::F32), (1, BitDepth::S24), (3, BitDepth::S16)] {
        let path = dir.path().join("take.wav");
        let mut writer = begun(&path, channels, depth);
        // As a write does that fails.
        writer.block.clear();
        let kept = writer.keep().unwrap();
        let out = read(&path);
        assert_eq!(out[0].len(), kept.frames.index());
        assert!((1..200_001).contains(&out[0].len()), "{} frames", out[0].len());
        let plane = ramp(200_001);
        let worst = plane.iter().zip(&out[0]).map(|(a, b)| (a - b).abs());
        assert!(worst.fold(0.0, f32::max) < 1e-4);
    }
    assert_eq!(names(dir.path()), ["take.wav"]);
}

#[test]
fn what_a_killed_program_wrote_is_completed_and_what_is_still_written_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let writer = begun(&folder.join("armed-1.wav"), 2, BitDepth::F32);
    assert_eq!(recover(folder, "armed-"), Vec::<PathBuf>::new(), "it is being written");
    let [written] = names(folder).try_into().unwrap();
    // Nobody holds the copy: so a killed program leaves it.
    std::fs::copy(folder.join(&written), folder.join(".deskhand-armed-2-aaaaaa.part")).unwrap();
    let other = ".deskhand-rolling-aaaaaa.part";
    std::fs::copy(folder.join(&written), folder.join(other)).unwrap();
    let foreign = ".deskhand-armed-3-aaaaaa.part";
    std::fs::write(folder.join(foreign), [7; 500]).unwrap();
    let only_begun = WavWriter::create(&folder.join("x.wav"), SampleRate(8_000), 1, BitDepth::S24);
    let begun = only_begun.unwrap();
    std::fs::copy(begun.file.path(), folder.join(".deskhand-armed-4-aaaaaa.part")).unwrap();
    drop((writer, begun));
    assert_eq!(recover(folder, "armed-"), [folder.join("armed-2.wav")]);
    let out = read(&folder.join("armed-2.wav"));
    assert!(out[1].len() > 100_000 && out[1] == ramp(200_001)[..out[1].len()]);
    let mut left = names(folder);
    left.sort();
    assert_eq!(left, [foreign, other, "armed-2.wav"]);
}
