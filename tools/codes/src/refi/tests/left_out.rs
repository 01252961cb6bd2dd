//! Content that the files cannot hold, or that is not read, is reported by number and name.

use super::{archive, archive_of, path, run};
use crate::testing::{code, spoken};
use deskhand_toolkit::testing::Desk;
use serde_json::json;

#[test]
fn a_codebook_says_which_memos_it_does_not_hold() {
    let (mut desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    for name in ["Money", "Rent", "Mood"] {
        code(&mut desk, name);
    }
    let file = path(&folder, "plain.qdc");
    let plain = desk.plan("tool_export_codebook", json!({"path": file}));
    assert_eq!(plain.warnings, Vec::<String>::new());
    run(&mut desk, "cmd_set_memo", json!({"target": "Money", "text": "Not salaries"}));
    run(&mut desk, "cmd_set_memo", json!({"target": "Rent", "text": "Monthly"}));
    let file = path(&folder, "noted.qdc");
    let noted = desk.plan("tool_export_codebook", json!({"path": file}));
    let told = "2 memos left out, a .qdc file holds none, tool_export_project writes them: \"Money\", \"Rent\"";
    assert_eq!(noted.warnings, [told]);
}

#[test]
fn memos_on_codes_come_back_out_of_a_project_and_the_rest_is_told_of() {
    let (mut desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    spoken(&mut desk, "talk.wav", &["Ann: The rent took it."]);
    code(&mut desk, "Money");
    run(&mut desk, "cmd_set_code", json!({"name": "Rent", "parent": "Money"}));
    run(&mut desk, "tool_code_exact", json!({"code": "Rent", "text": "rent"}));
    let memo = "Monthly,\nnot \"yearly\" & <more>";
    run(&mut desk, "cmd_set_memo", json!({"target": "Rent", "text": memo}));
    run(&mut desk, "cmd_set_memo", json!({"target": "talk.wav", "text": "Second visit"}));
    let file = path(&folder, "all.qdpx");
    let written = desk.plan("tool_export_project", json!({"path": file}));
    let told = "1 recording is named in it and not copied; put it next to the file: \"talk.wav\"";
    assert_eq!(written.warnings, [told]);
    let mut other = Desk::new(crate::all());
    let read = other.plan("tool_import_codebook", json!({"file": file}));
    assert_eq!(read.summary, "Import 2 codes and 1 memo");
    let left = [
        "1 note left out, only plain ones on codes that are made here become memos: \"talk.wav\"",
        "the codes of a project are read; left out: 1 source with 1 coding, \"talk.wav\"",
    ];
    assert_eq!(read.warnings, left);
    assert_eq!(read.answer.as_ref().unwrap()["memos"], 1);
    other.apply(&read);
    let memos: Vec<&String> = other.session.memos.values().collect();
    assert_eq!(memos, [memo]);
    let again = other.plan("tool_import_codebook", json!({"file": file}));
    assert_eq!((again.changes.len(), again.warnings), (0, left.map(str::to_owned).to_vec()));
}

#[test]
fn notes_of_other_programs_are_read_and_what_is_no_memo_is_named() {
    let (desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    let long = "x".repeat(70_000);
    let codes = "<Code guid='1' name='A'><NoteRef targetGUID='{AB}'/><NoteRef targetGUID='cd'/></Code>\
                 <Code guid='2' name='B'><NoteRef targetGUID='ef'/><NoteRef targetGUID='99'/></Code>\
                 <Code guid='3' name='a'><NoteRef targetGUID='ab'/></Code>";
    let notes = format!(
        "<Note guid='ab' name='One'><Description>no</Description><PlainTextContent>First</PlainTextContent></Note>\
         <Note guid='CD' name='Two'><PlainTextContent>Sec&#111;nd</PlainTextContent></Note>\
         <Note guid='ef' name='Long'><PlainTextContent>{long}</PlainTextContent></Note>\
         <Note guid='99' name='Apart' plainTextPath='internal://99.txt'/>"
    );
    let sources = "<TextSource name='s'><PlainTextSelection><Coding><CodeRef targetGUID='1'/></Coding>\
                   </PlainTextSelection></TextSource><PDFSource name='t'/>";
    let project = format!(
        "<Project><CodeBook><Codes>{codes}</Codes></CodeBook><Sources>{sources}</Sources><Notes>{notes}</Notes></Project>"
    );
    let file = path(&folder, "other.qdpx");
    std::fs::write(&file, archive("project.qde", project.as_bytes())).unwrap();
    let read = desk.plan("tool_import_codebook", json!({"file": file}));
    assert_eq!(read.summary, "Import 2 codes and 1 memo; 1 here already stay as they are");
    let deskhand_session::Change::SetMemo(edit) = &read.changes[2].change else { panic!() };
    assert_eq!(edit.after.as_deref(), Some("First\n\nSecond"));
    assert_eq!(read.changes[2].needs, [read.changes[0].id.clone()]);
    let left = [
        "2 notes left out, only plain ones on codes that are made here become memos: \"Apart\", \"Long\"",
        "the codes of a project are read; left out: 2 sources with 1 coding, \"s\", \"t\"",
    ];
    assert_eq!(read.warnings, left);
}

/// A project of six codes with a note each, whose words are in files; one note is on no code.
fn noted_in_files() -> String {
    let files = ["In", "Deep", "Long", "Latin", "Far", "Up", "Unused"];
    let paths = [
        "internal://in.txt",
        "internal://Sub/deep.txt",
        "internal://long.txt",
        "internal://latin.txt",
        "relative:///in.txt",
        "internal://../project.qde",
        "internal://in.txt",
    ];
    let notes = files
        .iter()
        .zip(paths)
        .map(|(name, path)| format!("<Note guid='{name}' name='{name}' plainTextPath='{path}'/>"));
    let codes = files.iter().take(6).map(|name| {
        format!("<Code guid='c{name}' name='{name}'><NoteRef targetGUID='{name}'/></Code>")
    });
    let (notes, codes) = (notes.collect::<String>(), codes.collect::<String>());
    format!("<Project><CodeBook><Codes>{codes}</Codes></CodeBook><Notes>{notes}</Notes></Project>")
}

#[test]
fn notes_in_files_of_the_archive_are_read_and_others_are_named() {
    let (desk, folder) = (Desk::new(crate::all()), tempfile::tempdir().unwrap());
    let project = noted_in_files();
    let long = vec![b'x'; 65_537];
    let bytes = archive_of(&[
        ("project.qde", project.as_bytes()),
        ("sources/in.txt", "\u{feff}Not salaries,\r\nbut rent\n".as_bytes()),
        ("Sources/Sub/deep.txt", b"Deep".as_slice()),
        ("sources/long.txt", long.as_slice()),
        ("sources/latin.txt", b"\xe4".as_slice()),
    ]);
    let file = path(&folder, "notes.qdpx");
    std::fs::write(&file, bytes).unwrap();
    let read = desk.plan("tool_import_codebook", json!({"file": file}));
    assert_eq!(read.summary, "Import 6 codes and 2 memos");
    let memo = |change: &deskhand_session::Change| match change {
        deskhand_session::Change::SetMemo(edit) => edit.after.clone(),
        _ => None,
    };
    let memos: Vec<String> =
        read.changes.iter().filter_map(|planned| memo(&planned.change)).collect();
    assert_eq!(memos, ["Not salaries,\nbut rent", "Deep"]);
    let left = "5 notes left out, only plain ones on codes that are made here become memos: \
                \"Far\", \"Latin\", \"Long\" and 2 more";
    assert_eq!(read.warnings, [left]);
}
