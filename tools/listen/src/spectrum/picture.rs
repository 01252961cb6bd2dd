//! The third octaves as a picture: a bar each, a line every 10 dB, and the frequencies of the octaves below.

use super::super::listen::Piece;
use super::super::scan::CENTERS;
use super::Profile;
use deskhand_session::Artifact;
use deskhand_session::digest::digest;
use deskhand_toolkit::{Code, PlanContext, ToolError};
use std::io::Write;
use std::path::Path;

/// Size in pixels, and the margins of the plot.
const WIDTH: usize = 760;
const HEIGHT: usize = 320;
const LEFT: usize = 44;
const BOTTOM: usize = 24;
const TOP: usize = 12;
/// Range of levels, dBFS.
const LOW: f64 = -100.0;
const HIGH: f64 = 0.0;
/// Part of the file's name: change it when the picture would look different.
const VERSION: u32 = 1;

const PAPER: [u8; 3] = [24, 26, 30];
const GRID: [u8; 3] = [56, 60, 68];
const INK: [u8; 3] = [190, 196, 206];
const BAR: [u8; 3] = [92, 160, 235];

/// Digits and letters of 3 x 5 dots, a row of three bits each.
const GLYPHS: [(char, [u8; 5]); 12] = [
    ('0', [7, 5, 5, 5, 7]),
    ('1', [2, 6, 2, 2, 7]),
    ('2', [7, 1, 7, 4, 7]),
    ('3', [7, 1, 7, 1, 7]),
    ('4', [5, 5, 7, 1, 1]),
    ('5', [7, 4, 7, 1, 7]),
    ('6', [7, 4, 7, 5, 7]),
    ('7', [7, 1, 1, 2, 2]),
    ('8', [7, 5, 7, 5, 7]),
    ('9', [7, 5, 7, 1, 7]),
    ('-', [0, 0, 7, 0, 0]),
    ('k', [4, 5, 6, 5, 5]),
];

/// Draws the profile of a piece into the session's media; a picture of the same numbers is there once.
///
/// # Errors
/// When it cannot be written.
pub(super) fn draw(
    context: &PlanContext,
    piece: &Piece,
    profile: &Profile,
) -> Result<Artifact, ToolError> {
    let levels: Vec<Option<i64>> =
        profile.bands.iter().map(|level| level.map(|db| (db * 10.0).round() as i64)).collect();
    let hash = context.session.sources.get(&piece.source).map(|source| &source.hash);
    let whole = digest(&("spectrum", VERSION, hash, piece.start, piece.length, &levels));
    let short: String = whole.trim_start_matches("blake3:").chars().take(16).collect();
    let path = format!("media/made/spectrum-{short}.png");
    let file = context.folder.join(&path);
    if !file.is_file() {
        write(&file, &paint(profile)).map_err(|error| unwritten(&path, &error))?;
    }
    let bytes = file.metadata().map_err(|error| unwritten(&path, &error))?.len();
    Ok(Artifact { path, bytes })
}

fn unwritten(path: &str, error: &dyn std::fmt::Display) -> ToolError {
    let message = format!("{path} cannot be written: {error}");
    ToolError::run(Code::Write, message, "free some space or check the folder, and call it again")
}

/// Under another name first: the file is there whole or not at all.
fn write(file: &Path, pixels: &[u8]) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".deskhand-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.tempfile_in(folder)?;
    part.write_all(&png(pixels)?)?;
    part.persist(file).map(drop).map_err(|error| error.error)
}

fn png(pixels: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(std::io::Error::other)?;
    writer.write_image_data(pixels).map_err(std::io::Error::other)?;
    writer.finish().map_err(std::io::Error::other)?;
    Ok(bytes)
}

/// Rows of RGB, from the top.
fn paint(profile: &Profile) -> Vec<u8> {
    let mut canvas = Canvas(PAPER.repeat(WIDTH * HEIGHT));
    let row = |db: f64| {
        let share = ((HIGH - db) / (HIGH - LOW)).clamp(0.0, 1.0);
        TOP + (share * (HEIGHT - TOP - BOTTOM) as f64) as usize
    };
    for step in 0..=10 {
        let db = HIGH - f64::from(step) * 10.0;
        canvas.fill(LEFT..WIDTH - 6, row(db)..row(db) + 1, GRID);
        if step % 2 == 0 {
            canvas.text(6, row(db).saturating_sub(5), &format!("{db:.0}"));
        }
    }
    let step = (WIDTH - LEFT - 10) / CENTERS.len();
    for (n, (hz, level)) in CENTERS.iter().zip(&profile.bands).enumerate() {
        let left = LEFT + 4 + n * step;
        if let Some(level) = level.filter(|level| *level > LOW) {
            canvas.fill(left..left + step - 4, row(level)..row(LOW), BAR);
        }
        if [31.5, 63.0, 125.0, 250.0, 500.0].contains(hz) {
            canvas.text(left, HEIGHT - 16, &format!("{:.0}", hz.floor()));
        } else if [1000.0, 2000.0, 4000.0, 8000.0, 16000.0].contains(hz) {
            canvas.text(left, HEIGHT - 16, &format!("{:.0}k", hz / 1000.0));
        }
    }
    canvas.0
}

struct Canvas(Vec<u8>);

impl Canvas {
    fn fill(&mut self, x: std::ops::Range<usize>, y: std::ops::Range<usize>, color: [u8; 3]) {
        for row in y.start..y.end.min(HEIGHT) {
            for column in x.start..x.end.min(WIDTH) {
                let at = (row * WIDTH + column) * 3;
                self.0[at..at + 3].copy_from_slice(&color);
            }
        }
    }

    /// Dots of two pixels.
    fn text(&mut self, x: usize, y: usize, text: &str) {
        for (n, c) in text.chars().enumerate() {
            let Some((_, rows)) = GLYPHS.iter().find(|(glyph, _)| *glyph == c) else { continue };
            for (row, bits) in rows.iter().enumerate() {
                for column in (0..3).filter(|column| bits >> (2 - column) & 1 == 1) {
                    let (left, top) = (x + n * 8 + column * 2, y + row * 2);
                    self.fill(left..left + 2, top..top + 2, INK);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("spectrum.png");
        let pixels = vec![0; WIDTH * HEIGHT * 3];
        std::fs::create_dir_all(file.join("in the way")).unwrap();
        assert!(write(&file, &pixels).is_err());
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
        std::fs::remove_dir_all(&file).unwrap();
        write(&file, &pixels).unwrap();
        assert!(std::fs::read(&file).unwrap().starts_with(b"\x89PNG"));
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }
}
