//! The content of a window, in a terminal: text, a table, or the path of the file.

use crate::commands::show;
use crate::output::Output;
use crate::picture;
use crate::wave::Waves;
use deskhand_protocol::clean::clean;
use deskhand_protocol::desk::{Viewer, Window};
use deskhand_protocol::transcript_tables;
use deskhand_session::{ClipId, Handle, Session};
use deskhand_store::Cache;
use deskhand_toolkit::MeasurementCache;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most of a text file that is shown, in bytes.
const TEXT: u64 = 4_000;

/// Rows of a table that are shown, and characters of a cell.
const ROWS: usize = 40;
const CELL: usize = 60;

/// Waveforms made before; new ones are not made here.
struct Known(Cache);

impl MeasurementCache for Known {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.get(key)
    }

    fn put(&self, _: &str, _: &[u8]) {}
}

/// A window as text: its title, and what it shows as far as text can.
pub(super) fn text(window: &Window, session: &Session, folder: &Path, output: Output) -> String {
    let title = clean(&window.title, 200);
    let head = format!("  [{}] {title} ({})", window.window_id, clean(&window.resource, 400));
    let handle = window.resource.parse::<Handle>().ok();
    if let Some(handle) = handle.as_ref().filter(|_| window.viewer == Viewer::Spectrogram)
        && let Some(made) = picture::spectrogram(session, handle, folder)
    {
        let body = made.map_or_else(|why| why.to_string(), |file| file.display().to_string());
        return format!("{head}\n  {body}");
    }
    let body = handle.and_then(|handle| match handle {
        Handle::Session => Some(show::overview(session, output)),
        Handle::Track(id) => {
            let clips: Vec<_> = session.clips_on(id).into_iter().map(|(id, _)| id).collect();
            Some(waves(&clips, session, folder))
        }
        Handle::Clip(id) => Some(waves(&[id], session, folder)),
        Handle::Talk(said) => transcript_tables::table(session, said).map(|table| rows(&table)),
        Handle::File(path) => file(&folder.join(path), window.viewer),
        Handle::Source(_)
        | Handle::Plan(_)
        | Handle::Marker(_)
        | Handle::History
        | Handle::Tool(_) => None,
    });
    body.map_or(head.clone(), |body| format!("{head}\n{body}"))
}

/// The first rows, each cell as wide as the widest of its column but the last.
fn rows(table: &transcript_tables::Table) -> String {
    let head = table.columns.iter().map(|name| (*name).to_owned()).collect();
    let left = table.rows.len().saturating_sub(ROWS);
    let shown: Vec<Vec<String>> =
        std::iter::once(head).chain(table.rows.iter().take(ROWS).cloned()).collect();
    let width = |column: usize| {
        let cells = shown.iter().filter_map(|row| row.get(column));
        cells.map(|cell| clean(cell, CELL).chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, width)| format!("{:width$}", clean(cell, CELL)));
        format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end().to_owned()
    };
    let mut lines: Vec<String> = shown.iter().map(line).collect();
    if left > 0 {
        lines.push(format!("  … {left} more"));
    }
    lines.join("\n")
}

fn waves(clips: &[ClipId], session: &Session, folder: &Path) -> String {
    let cache = Known(Cache::new(folder.join("cache")));
    let mut waves = Waves::new(&cache);
    let line = |id: &ClipId| {
        let clip = session.clips.get(id)?;
        Some(format!("  {} {}", waves.draw(session, clip), clip.name))
    };
    clips.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

/// The beginning of a text, or where the file is.
fn file(path: &Path, viewer: Viewer) -> Option<String> {
    match viewer {
        Viewer::Text | Viewer::Table | Viewer::Transcript => {
            // Check the file type before opening: opening a pipe would block.
            std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
            let mut bytes = Vec::new();
            File::open(path).ok()?.take(TEXT).read_to_end(&mut bytes).ok()?;
            Some(clean(&String::from_utf8_lossy(&bytes), usize::MAX))
        }
        Viewer::Auto
        | Viewer::Waveform
        | Viewer::Spectrogram
        | Viewer::Image
        | Viewer::Directory => Some(format!("  {}", path.display())),
    }
}
