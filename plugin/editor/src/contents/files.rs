//! Files of the session folder: words, tables, folders.

use crate::resources::{Listed, Resource, Table};
use deskhand_session::Handle;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Longest text that is shown, bytes.
const LONGEST: u64 = 1 << 20;
const ENTRIES: usize = 1_000;

/// The file at `path` in `folder`. A link that leads outside the folder is never followed.
pub(super) fn read(folder: &Path, path: &str, is_table: bool) -> Resource {
    try_read(folder, path, is_table)
        .unwrap_or_else(|error| Resource::Failed(format!("{path} cannot be shown: {error}")))
}

fn try_read(folder: &Path, path: &str, is_table: bool) -> io::Result<Resource> {
    let file = folder.join(path).canonicalize()?;
    if !file.starts_with(folder.canonicalize()?) {
        return Err(io::Error::other("it lies outside of the session folder"));
    }
    let about = fs::metadata(&file)?;
    if about.is_dir() {
        return listing(&file, path);
    }
    if is_picture(path) {
        return super::pictures::png(&file);
    }
    if !about.is_file() || about.len() > LONGEST {
        return Err(io::Error::other("it is no text of at most 1 MB; open it in another program"));
    }
    let mut text = String::new();
    let read = fs::File::open(&file)?.take(LONGEST).read_to_string(&mut text);
    read.map_err(|_| io::Error::other("it is no text; open it in another program"))?;
    let tabs = path.ends_with(".tsv");
    if is_table || tabs || path.ends_with(".csv") {
        return Ok(Resource::Table(Arc::new(table(&text, if tabs { '\t' } else { ',' }))));
    }
    Ok(Resource::Text(text.into()))
}

fn is_picture(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
}

fn listing(dir: &Path, path: &str) -> io::Result<Resource> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir)?.take(ENTRIES) {
        let entry = entry?;
        let about = entry.metadata()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let detail = if about.is_dir() { "folder".into() } else { size(about.len()) };
        let handle = Handle::File(format!("{}/{name}", path.trim_end_matches('/')));
        all.push(Listed { name, detail, handle: Some(handle.to_string()) });
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Resource::Listing(all.into()))
}

fn size(bytes: u64) -> String {
    if bytes < 1_000 { format!("{bytes} B") } else { format!("{} kB", bytes / 1_000) }
}

/// Rows of equal length; a cell in quotes may hold the separator, and quotes twice.
fn table(text: &str, separator: char) -> Table {
    let mut rows: Vec<Vec<String>> = text.lines().map(|line| cells(line, separator)).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or_default();
    rows.iter_mut().for_each(|row| row.resize(width, String::new()));
    let columns = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
    Table { columns, rows }
}

fn cells(line: &str, separator: char) -> Vec<String> {
    let (mut all, mut is_quoted) = (vec![String::new()], false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '"' && !(is_quoted && rest.next_if_eq(&'"').is_some()) {
            is_quoted = !is_quoted;
        } else if c == separator && !is_quoted {
            all.push(String::new());
        } else if let Some(cell) = all.last_mut() {
            cell.push(c);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_rows_of_one_length() {
        let table = table("name,level\n\"a, \"\"b\"\"\",-3\nc", ',');
        assert_eq!(table.columns, ["name", "level"]);
        assert_eq!(table.rows, [["a, \"b\"", "-3"], ["c", ""]]);
    }

    #[test]
    fn folders_are_listed_and_nothing_outside_is_read() {
        let tmp = tempfile::tempdir().unwrap();
        let folder = tmp.path().join("session");
        fs::create_dir_all(folder.join("media")).unwrap();
        fs::write(folder.join("media/b.bin"), [0xff, 0xfe]).unwrap();
        let Resource::Listing(all) = read(&folder, "media", false) else { panic!() };
        assert_eq!(all[0].handle.as_deref(), Some("deskhand://files/media/b.bin"));
        let failed = |path: &str| match read(&folder, path, false) {
            Resource::Failed(why) => why,
            other => panic!("{other:?}"),
        };
        assert!(failed("media/b.bin").contains("no text"));
        assert!(failed("gone").starts_with("gone cannot be shown"));
        #[cfg(unix)]
        {
            fs::write(tmp.path().join("secret"), "s").unwrap();
            std::os::unix::fs::symlink(tmp.path().join("secret"), folder.join("link")).unwrap();
            assert!(failed("link").contains("outside"));
        }
    }
}
