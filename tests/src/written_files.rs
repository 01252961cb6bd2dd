//! The content of the files that a call writes, as far as it is the same on every machine.

use serde_json::{Map, Value, json};
use std::io::{Cursor, Read};
use std::path::Path;

/// How much of a file that is no text is shown: the mark of its kind.
const MARK: usize = 4;

/// Each of the files in `folder` by its name. A text is shown in full, an archive by its content. Any other
/// file is shown by its beginning and length, since the last digits of sound differ between processors.
///
/// # Panics
/// Where one of them is missing.
pub fn shown(folder: &Path, names: &Value) -> Value {
    let names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
    let read = |name: &str| std::fs::read(folder.join(name)).expect("it is written");
    names.map(|name| (name.to_owned(), content(&read(name)))).collect::<Map<_, _>>().into()
}

fn content(bytes: &[u8]) -> Value {
    if let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(bytes)) {
        let mut inside = Map::new();
        for index in 0..archive.len() {
            let mut file = archive.by_index(index).expect("its list names what is in it");
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).expect("what is in it is whole");
            inside.insert(file.name().expect("its name is a text").into_owned(), content(&bytes));
        }
        return inside.into();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.into();
    }
    let mark = bytes.get(..MARK).unwrap_or(bytes);
    json!({"begins": String::from_utf8_lossy(mark), "bytes": bytes.len()})
}

#[test]
fn texts_are_read_archives_opened_and_the_rest_is_measured() {
    use std::io::Write;
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("a/b.txt", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all("wäg".as_bytes()).unwrap();
    let zip = zip.finish().unwrap().into_inner();
    let folder = tempfile::tempdir().unwrap();
    let files: [(&str, &[u8]); 3] =
        [("a.txt", b"text"), ("b.zip", &zip), ("c.wav", b"RIFF\xff\xfe\xfd")];
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let expected = json!({
        "a.txt": "text", "b.zip": {"a/b.txt": "wäg"}, "c.wav": {"begins": "RIFF", "bytes": 7},
    });
    assert_eq!(shown(folder.path(), &json!(["a.txt", "b.zip", "c.wav"])), expected);
}
