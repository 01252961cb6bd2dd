//! Tests of REFI-QDA files: written files are read back, and hostile ones are refused in a line.

mod left_out;

use super::read;
use crate::testing::{at_once, code, spoken};
use deskhand_session::Session;
use deskhand_toolkit::testing::Desk;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use tempfile::TempDir;

fn run(desk: &mut Desk, tool: &str, params: Value) -> String {
    let draft = desk.plan(tool, params);
    desk.apply(&draft);
    draft.summary
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_string_lossy().into_owned()
}

/// Path, color and description of each code.
fn book(session: &Session) -> Vec<(String, Option<String>, String)> {
    let mut codes: Vec<_> = session
        .codes
        .iter()
        .map(|(id, code)| {
            let path = crate::find::path(session, *id).join("/");
            (path, code.color.clone().map(String::from), code.description.clone())
        })
        .collect();
    codes.sort();
    codes
}

#[test]
fn a_codebook_comes_back_as_it_went() {
    let (mut desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    let money = json!({"name": "Money & \"more\" <b>", "color": "#4fc5fc", "description": "Rent,\nfood]]> & all"});
    run(&mut desk, "cmd_set_code", money);
    run(&mut desk, "cmd_set_code", json!({"name": "Rent", "parent": "Money & \"more\" <b>"}));
    run(&mut desk, "cmd_set_code", json!({"name": "Mood \u{fffe}"}));
    let file = path(&folder, "book.qdc");
    let told = run(&mut desk, "tool_export_codebook", json!({"path": file}));
    assert!(told.starts_with("Wrote 3 codes to"), "{told}");
    assert!(desk.refusal("tool_export_codebook", json!({"path": file})).contains("exists already"));
    let next = run(&mut desk, "tool_export_codebook", json!({"path": file, "or_next_free": true}));
    assert!(next.ends_with("book-2.qdc"), "{next}");
    let mut other = Desk::new(crate::all());
    let told = run(&mut other, "tool_import_codebook", json!({"file": file}));
    assert_eq!(told, "Import 3 codes");
    let mut expected = book(&desk.session);
    expected.iter_mut().for_each(|(path, ..)| *path = path.replace('\u{fffe}', "\u{fffd}"));
    assert_eq!(book(&other.session), expected);
    let again = other.plan("tool_import_codebook", json!({"file": file}));
    assert_eq!((again.changes.len(), again.summary.as_str()), (0, "All 3 codes are here already"));
}

#[test]
fn a_written_codebook_is_what_the_schema_says() {
    let (mut desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    run(
        &mut desk,
        "cmd_set_code",
        json!({"name": "Money", "color": "#4fc5fc", "description": "All of it"}),
    );
    run(&mut desk, "cmd_set_code", json!({"name": "Rent", "parent": "Money"}));
    let file = path(&folder, "book.qdc");
    run(&mut desk, "tool_export_codebook", json!({"path": file}));
    let text = std::fs::read_to_string(file).unwrap().replace(env!("CARGO_PKG_VERSION"), "VERSION");
    insta::with_settings!({filters => vec![(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "GUID")]}, {
        insta::assert_snapshot!(text);
    });
}

#[test]
fn a_project_holds_transcripts_selections_coders_and_memos() {
    let (mut desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    let lines = ["Ann: Das Geld – wäg! All of it.", "Ben: The rent took it."];
    let source = spoken(&mut desk, "talk.wav", &lines);
    code(&mut desk, "Money");
    run(&mut desk, "tool_code_exact", json!({"code": "Money", "text": "rent"}));
    run(&mut desk, "cmd_set_code", json!({"name": "Noise"}));
    let band = json!({"code": "Noise", "target": "talk.wav", "x": 1250, "y": 50, "width": 500, "height": 100});
    run(&mut desk, "tool_code_spectral", band);
    run(&mut desk, "cmd_set_memo", json!({"target": "Money", "text": "Not salaries"}));
    run(&mut desk, "cmd_set_memo", json!({"target": source.to_string(), "text": "Second visit"}));
    let file = path(&folder, "talk.qdpx");
    let told = run(&mut desk, "tool_export_project", json!({"path": file}));
    assert!(told.starts_with("Wrote 2 codes, 1 recording and 2 codings to"), "{told}");
    let mut zip = zip::ZipArchive::new(std::fs::File::open(file).unwrap()).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    let mut text = |name: &str| {
        let mut text = String::new();
        zip.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let xml = text("project.qde").replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let script = text(names.iter().find(|name| name.starts_with("sources/")).unwrap());
    assert_eq!(script, "Ann: Das Geld – wäg! All of it.\nBen: The rent took it.\n");
    let at = xml.find("<TranscriptSelection").unwrap();
    let from = &xml[at..][xml[at..].find("fromSyncPoint=\"").unwrap() + 15..][..36];
    let point = xml.find(&format!("<SyncPoint guid=\"{from}\"")).unwrap();
    assert!(
        xml[point..].starts_with(&format!(
            "<SyncPoint guid=\"{from}\" timeStamp=\"8000\" position=\"41\"/>"
        )),
        "{}",
        &xml[point..point + 120]
    );
    assert_eq!(script.chars().skip(41).take(4).collect::<String>(), "rent");
    insta::with_settings!({filters => vec![(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "GUID")]}, {
        insta::assert_snapshot!(xml);
    });
}

#[test]
fn recordings_of_one_name_are_told_apart_by_their_folders() {
    let (mut desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    for path in ["/study/one/talk.wav", "/study/two/talk.wav", "/study/two/other.wav"] {
        let name = path.rsplit('/').next().unwrap();
        let source = spoken(&mut desk, name, &["Ann: my garden"]);
        desk.session.sources.get_mut(&source).unwrap().path = path.into();
    }
    code(&mut desk, "Home");
    let file = path(&folder, "study.qdpx");
    let told = desk.plan("tool_export_project", json!({"path": file})).warnings.join(" ");
    let mut zip = zip::ZipArchive::new(std::fs::File::open(file).unwrap()).unwrap();
    let mut xml = String::new();
    zip.by_name("project.qde").unwrap().read_to_string(&mut xml).unwrap();
    for name in ["one/talk.wav", "two/talk.wav", "other.wav"] {
        assert!(xml.contains(&format!("path=\"relative:///{name}\"")), "{name}: {xml}");
        assert!(told.contains(&format!("\"{name}\"")), "{told}");
    }
}

#[test]
fn words_that_are_said_while_others_talk_are_a_selection_of_the_transcript() {
    let (mut desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    at_once(&mut desk);
    run(&mut desk, "tool_code_exact", json!({"code": "Rent", "text": "the rent was awful"}));
    let coded = desk.session.segments.iter().find(|(_, segment)| !segment.codings.is_empty());
    let id = coded.unwrap().0.to_string();
    run(&mut desk, "tool_set_importance", json!({"segment_id": id, "importance": 1}));
    run(&mut desk, "cmd_set_memo", json!({"target": id, "text": "Ask again"}));
    let file = path(&folder, "once.qdpx");
    run(&mut desk, "tool_export_project", json!({"path": file}));
    let mut zip = zip::ZipArchive::new(std::fs::File::open(file).unwrap()).unwrap();
    let mut xml = String::new();
    zip.by_name("project.qde").unwrap().read_to_string(&mut xml).unwrap();
    let elements = ["<TranscriptSelection", "<AudioSelection"];
    assert_eq!(elements.map(|name| xml.matches(name).count()), [1, 0]);
    assert!(xml.contains("<Description>Important</Description>"), "{xml}");
    assert!(xml.contains("name=\"The rent was awful.\""), "a note by the words it is on: {xml}");
}

#[test]
fn what_other_programs_add_is_passed_over() {
    let xml = "\u{feff}<?xml version='1.0'?><!-- x --><q:CodeBook xmlns:q='urn:QDA-XML:codebook:1.0'><q:Codes>\
        <q:Code guid='1' name='A &amp; B' isCodable='false' color='#F0a'><q:Extra><q:Code name='No'/></q:Extra>\
        <q:Description>One &#x41;<![CDATA[<two>]]></q:Description><q:Code guid='2' name=' B&#10;C '/></q:Code></q:Codes>\
        <q:Sets><q:Set name='S'><q:MemberCode guid='1'/></q:Set></q:Sets></q:CodeBook>";
    let book = read::codebook(xml.as_bytes()).unwrap();
    assert_eq!(book.sets, ["S"]);
    let codes = book.codes;
    let found: Vec<_> = codes
        .iter()
        .map(|read| (read.code.name.as_str(), read.code.description.as_str(), read.parent))
        .collect();
    assert_eq!(found, [("A & B", "One A<two>", None), ("B C", "", Some(0))]);
    assert_eq!(codes[0].code.color.clone().map(String::from).as_deref(), Some("#ff00aa"));
}

/// An archive with one file in it.
fn archive(name: &str, bytes: &[u8]) -> Vec<u8> {
    archive_of(&[(name, bytes)])
}

/// An archive of files.
fn archive_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn of_a_project_the_codebook_is_read_and_sets_are_named() {
    let (mut desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    run(&mut desk, "cmd_set_code", json!({"name": "Money", "color": "#4fc5fc"}));
    run(&mut desk, "cmd_set_code", json!({"name": "Rent", "parent": "Money"}));
    let file = path(&folder, "all.qdpx");
    run(&mut desk, "tool_export_project", json!({"path": file}));
    let mut other = Desk::new(crate::all());
    let read = other.plan("tool_import_codebook", json!({"file": file}));
    assert_eq!(read.summary, "Import 2 codes");
    assert_eq!(read.warnings, Vec::<String>::new(), "there is nothing else in it");
    other.apply(&read);
    assert_eq!(book(&other.session), book(&desk.session));
    let sets = "<Sets><Set guid='1' name='Feelings'><MemberCode targetGUID='2'/></Set><Set name='Places'/></Sets>";
    let codes = "<Codes><Code guid='2' name='A'/></Codes>";
    let told = "2 sets left out, since codes are in no sets here: \"Feelings\", \"Places\"";
    let book = path(&folder, "book.qdc");
    std::fs::write(&book, format!("<CodeBook>{codes}{sets}</CodeBook>")).unwrap();
    assert_eq!(other.plan("tool_import_codebook", json!({"file": book})).warnings, [told]);
    let project = format!("<Project><CodeBook>{codes}</CodeBook>{sets}</Project>");
    std::fs::write(&book, archive("project.qde", project.as_bytes())).unwrap();
    let read = other.plan("tool_import_codebook", json!({"file": book}));
    assert_eq!((read.changes.len(), read.warnings), (1, vec![told.to_owned()]));
}

/// Files that are no codebooks, and the messages about them.
// tidy: table
fn hostile() -> Vec<(Vec<u8>, &'static str)> {
    let codes = |inner: &str| format!("<CodeBook>\n<Codes>{inner}</Codes></CodeBook>").into_bytes();
    let deep = "<Code name='a'>".repeat(200);
    let laughs = "<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;&b;'>]>\n<CodeBook/>";
    let attributes: String = (0..300_000).map(|n| format!(" a{n}='1'")).collect();
    vec![
        (laughs.into(), "line 1: it has a document type"),
        (
            codes("<Code name='a'><Description>&lol;</Description></Code>"),
            "line 2: it uses the entity &lol;",
        ),
        (codes("<Code name='&lol;'/>"), "line 2: it is not well-formed"),
        (codes(&deep), "lie more than 64 deep"),
        (codes("<Code guid='1'/>"), "line 2: a code has no name"),
        (codes(&format!("<Code name='{}'/>", "x".repeat(201))), "longer than 200 characters"),
        (codes(&"<Code name='a'/>".repeat(20_001)), "more than 20000 codes"),
        (codes(&format!("<Code{attributes}/>")), "a code has no name"),
        (codes(""), "it holds no codes"),
        (
            codes("<Code name='a'><Description>").into_iter().chain([b'x'; 70_000]).collect(),
            "line 2",
        ),
        (
            b"<CodeBook><Codes><Code name='a'>".to_vec(),
            "line 1: it is not well-formed: it ends in the middle",
        ),
        (
            b"<CodeBook>\n\n<Codes><Code name='a\xff'/></Codes></CodeBook>".to_vec(),
            "line 3: the text is not UTF-8",
        ),
        ("<html><body/></html>".into(), "its root is <html>, not <CodeBook> or <Project>"),
        ("<a".into(), "line 1: it is not well-formed"),
        (Vec::new(), "it holds no codes"),
        (vec![b'x'; 10_000_001], "has more than 10 MB"),
        (codes(&"<x/>".repeat(10)), "it holds no codes"),
        (
            format!("<CodeBook><Sets>{}</Sets></CodeBook>", "<Set/>".repeat(20_001)).into(),
            "more than 20000 sets",
        ),
        (b"PK\x03\x04 and no more".to_vec(), "is an archive, but no REFI-QDA project"),
        (archive("other.xml", b"<CodeBook/>"), "project.qde is not in it"),
        (archive("project.qde", b"<Project>\n<Code"), "line 2: it is not well-formed"),
        (archive("project.qde", b"<Project><Sources/></Project>"), "it holds no codes"),
        (archive("project.qde", &vec![b' '; 100_000_001]), "has more than 100 MB"),
    ]
}

#[test]
fn hostile_files_are_refused_in_one_line() {
    let (desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    let file = path(&folder, "hostile.qdc");
    for (bytes, why) in hostile() {
        std::fs::write(&file, &bytes).unwrap();
        let refusal = desk.refusal("tool_import_codebook", json!({"file": file}));
        assert!(refusal.contains(why), "{why}: {refusal}");
        assert!(!refusal.contains('\n') && refusal.len() < 400, "{refusal}");
    }
    let none = desk.refusal("tool_import_codebook", json!({"file": path(&folder, "none.qdc")}));
    assert!(none.contains("cannot be read"), "{none}");
    let folder = desk.refusal("tool_import_codebook", json!({"file": folder.path()}));
    assert!(folder.contains("it is no file"), "{folder}");
}

#[cfg(unix)]
#[test]
fn a_pipe_and_a_device_are_no_codebooks() {
    let (desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    let pipe = path(&folder, "pipe.qdc");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for file in [pipe.as_str(), "/dev/zero"] {
        let refusal = desk.refusal("tool_import_codebook", json!({"file": file}));
        assert!(refusal.contains(&format!("{file} cannot be read: it is no file")), "{refusal}");
    }
}

#[test]
fn a_project_takes_the_next_free_name_where_it_is_asked_to() {
    let (mut desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    spoken(&mut desk, "talk.wav", &["Ann: The rent took it."]);
    code(&mut desk, "Rent");
    let file = path(&folder, "talk.qdpx");
    std::fs::write(&file, "of somebody else").unwrap();
    std::fs::write(path(&folder, "talk-2.qdpx"), "another").unwrap();
    assert!(desk.refusal("tool_export_project", json!({"path": file})).contains("exists already"));
    let told = run(&mut desk, "tool_export_project", json!({"path": file, "or_next_free": true}));
    assert!(told.ends_with("talk-3.qdpx"), "{told}");
    assert_eq!(std::fs::read(&file).unwrap(), b"of somebody else");
    let mut other = Desk::new(crate::all());
    let read = json!({"file": path(&folder, "talk-3.qdpx")});
    assert_eq!(run(&mut other, "tool_import_codebook", read), "Import 1 code");
}

#[test]
fn nothing_to_write_and_wrong_endings_are_refused() {
    let mut desk = Desk::new(crate::all());
    let empty = desk.refusal("tool_export_codebook", json!({"path": "x.qdc"}));
    assert!(empty.contains("the codebook is empty"), "{empty}");
    code(&mut desk, "X");
    assert!(desk.refusal("tool_export_codebook", json!({"path": "x.xml"})).contains("end in .qdc"));
    assert!(desk.refusal("tool_export_project", json!({"path": "x.qdc"})).contains("end in .qdpx"));
}

proptest! {
    #[test]
    fn no_bytes_are_too_much_for_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        drop(read::codebook(&bytes));
    }

    #[test]
    fn no_bent_codebook_is_too_much_for_the_reader(at in 0usize..120, byte in any::<u8>()) {
        let mut bytes = b"<CodeBook><Codes><Code name='a &amp; b' color='#fff'><Description>x &lt; y</Description></Code></Codes></CodeBook>".to_vec();
        let at = at % bytes.len();
        bytes[at] = byte;
        drop(read::codebook(&bytes));
    }

    #[test]
    fn any_tree_of_codes_comes_back(names in prop::collection::vec("[^\\p{C}/]{1,12}", 1..12), parents in prop::collection::vec(any::<prop::sample::Index>(), 12)) {
        let mut desk = Desk::new(crate::all());
        let mut ids = Vec::new();
        for (index, name) in names.iter().enumerate() {
            if name.trim().is_empty() {
                continue;
            }
            let id = deskhand_session::CodeId::new(index as u64 + 1);
            let mut code = deskhand_session::Code::new(name.split_whitespace().collect::<Vec<_>>().join(" "));
            code.parent = (!ids.is_empty()).then(|| ids[parents[index].index(ids.len())]);
            ids.push(id);
            desk.session.codes.insert(id, code);
        }
        let xml = super::write::codebook(&desk.session).unwrap();
        if ids.is_empty() {
            return Ok(());
        }
        let codes = read::codebook(&xml).unwrap().codes;
        prop_assert_eq!(codes.len(), ids.len());
        let mut written: Vec<String> = desk.session.codes.values().map(|code| code.name.clone()).collect();
        let mut found: Vec<String> = codes.iter().map(|read| read.code.name.clone()).collect();
        written.sort();
        found.sort();
        prop_assert_eq!(found, written);
    }
}
