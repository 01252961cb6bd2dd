//! Compares results with the expectations of a file.

use serde_json::Value;
use std::path::Path;

/// How far numbers may differ: levels are rounded to 0.01, and the last digit may fall either way.
const NUMBERS: f64 = 0.021;

/// Whether what is found is written instead of compared.
pub fn is_blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// Compares `found` with the JSON in `file`, or writes it there with `BLESS=1`.
///
/// # Errors
/// The first difference, and the whole of `found`.
pub fn with_file(file: &Path, found: &Value) -> Result<(), String> {
    if is_blessing() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let text = serde_json::to_string_pretty(found).unwrap() + "\n";
        std::fs::write(file, text).unwrap();
        return Ok(());
    }
    let text = std::fs::read_to_string(file)
        .map_err(|_| format!("{} is missing; BLESS=1 writes it", file.display()))?;
    let expected: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    match difference("", &expected, found) {
        None => Ok(()),
        Some(what) => {
            let name = file.file_name().unwrap_or_default().display();
            Err(format!("{name}{what}\n  found {found}\n  BLESS=1 writes what was found"))
        }
    }
}

/// The first place where two values differ.
fn difference(at: &str, expected: &Value, found: &Value) -> Option<String> {
    match (expected, found) {
        (Value::Number(a), Value::Number(b)) => {
            let off = (a.as_f64()? - b.as_f64()?).abs();
            let is_integer = a.is_i64() && b.is_i64();
            let same = if is_integer { off == 0.0 } else { off <= NUMBERS };
            (!same).then(|| format!("{at}: expected {a}, found {b}"))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.find_map(|(n, (a, b))| difference(&format!("{at}/{n}"), a, b))
        }
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            let mut pairs = a.iter().zip(b.values());
            pairs.find_map(|((key, a), b)| difference(&format!("{at}/{key}"), a, b))
        }
        (a, b) if a == b => None,
        (a, b) => Some(format!("{at}: expected {a}, found {b}")),
    }
}

#[test]
fn what_is_not_there_yet_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("expected/plan.json");
    let told = with_file(&file, &Value::Null);
    // Whoever blesses all has it written.
    assert_eq!(told.is_err(), !is_blessing(), "{told:?}");
}

#[test]
fn numbers_may_differ_in_their_last_digit_and_nothing_else_may() {
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let same = |a: &str, b: &str| difference("", &json(a), &json(b)).is_none();
    assert!(same(r#"{"a":[1.0,"x"]}"#, r#"{"a":[1.01,"x"]}"#));
    assert!(!same("[1.0]", "[1.1]"));
    assert!(!same("[48000]", "[48001]"));
    assert!(!same(r#"{"a":1}"#, r#"{"b":1}"#));
    assert!(!same("[1]", "[1,2]"));
}
