//! Several files of a package as one: an uncompressed archive, the same bytes every time.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Writes `files`, each under its name, into the archive `to`; neighbors of one name become one file.
pub(crate) fn pack(files: &[(&str, &PathBuf)], to: &Path) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(File::create(to)?);
    let mut before = "";
    for (name, path) in files {
        if *name != before {
            archive.start_file(*name, options).map_err(io::Error::other)?;
        }
        before = name;
        io::copy(&mut File::open(path)?, &mut archive)?;
    }
    archive.finish().map_err(io::Error::other)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn the_same_files_are_the_same_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("one");
        std::fs::write(&path, "content").unwrap();
        let packed = |name: &str| {
            let to = dir.path().join(name);
            pack(&[("a.txt", &path), ("b.txt", &path), ("b.txt", &path)], &to).unwrap();
            to
        };
        let (first, second) = (packed("x"), packed("y"));
        assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(second).unwrap());
        let mut archive = zip::ZipArchive::new(File::open(first).unwrap()).unwrap();
        let mut text = String::new();
        archive.by_name("b.txt").unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "contentcontent");
    }
}
