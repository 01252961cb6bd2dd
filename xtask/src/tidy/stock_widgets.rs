//! Stock widgets of egui in the windows. What a person sees is drawn by the kit, so these numbers only fall.

use super::tool_names::TESTS;
use super::tree::{Tree, TreeFile};
use super::violation::Violation;

/// Where the views are, and the building blocks that may use stock widgets.
const VIEWS: &str = "plugin/editor/src/";
const KIT: &str = "plugin/editor/src/kit/";
/// Parts of the views with the stock widgets that each may still hold. All others may hold none.
const MOST: &[(&str, usize)] = &[("card", 1), ("inserts", 1), ("windows", 1), ("words", 18)];
/// Calls that draw one, or a menu that does not look like the kit's.
const CALLS: [&str; 17] = [
    "ui.button(",
    "ui.checkbox(",
    "ui.collapsing(",
    "ui.hyperlink",
    "ui.link(",
    "ui.menu_button(",
    "ui.radio(",
    "ui.radio_value(",
    "ui.selectable_label(",
    "ui.selectable_value(",
    "ui.separator()",
    "ui.small_button(",
    "ui.spinner()",
    "ui.text_edit_",
    "ui.toggle_value(",
    ".context_menu(",
    "Popup::menu(",
];
/// Types that are one.
const TYPES: [&str; 11] = [
    "Button",
    "Checkbox",
    "CollapsingHeader",
    "ComboBox",
    "DragValue",
    "ProgressBar",
    "RadioButton",
    "Separator",
    "Slider",
    "Spinner",
    "Window",
];
const THIS_FILE: &str = "xtask/src/tidy/stock_widgets.rs";

/// Parts of the views with more stock widgets than they may hold, or fewer.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    check_against(tree, MOST)
}

fn check_against(tree: &Tree, most: &[(&str, usize)]) -> Vec<Violation> {
    let part_of = |path: &str| {
        let known = most.iter().find(|(part, _)| path[VIEWS.len()..].starts_with(*part));
        known.map_or("", |(part, _)| *part)
    };
    let all = std::iter::once(("", 0)).chain(most.iter().copied());
    all.filter_map(|(part, most)| {
        let files = tree.rust().filter(|file| is_view(file) && part_of(&file.path) == part);
        let found: Vec<(&TreeFile, usize)> =
            files.map(|file| (file, widgets_in(file))).filter(|(_, count)| *count > 0).collect();
        of_part(part, most, &found)
    })
    .collect()
}

fn is_view(file: &TreeFile) -> bool {
    let is_test = TESTS.iter().any(|part| file.path.contains(part));
    file.path.starts_with(VIEWS) && !file.path.starts_with(KIT) && !is_test
}

fn of_part(part: &str, most: usize, found: &[(&TreeFile, usize)]) -> Option<Violation> {
    let count: usize = found.iter().map(|(_, count)| count).sum();
    let message = match count {
        more if more > most => {
            let files = found.iter().map(|(file, count)| format!("{} ({count})", file.path));
            format!(
                "{more} stock widgets, at most {most} are allowed; draw them with the kit: {}",
                files.collect::<Vec<_>>().join(", ")
            )
        }
        fewer if fewer < most => {
            format!("{fewer} stock widgets: lower its number in {THIS_FILE} from {most}")
        }
        _ => return None,
    };
    Some(Violation::new(&format!("{VIEWS}{part}"), 0, message))
}

/// The calls and the imported types of a file outside of its tests.
fn widgets_in(file: &TreeFile) -> usize {
    let program = file.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let calls: usize = CALLS.iter().map(|call| program.matches(call).count()).sum();
    let imports = program.split("use egui::{").skip(1);
    let imported = imports.filter_map(|rest| rest.split("};").next());
    let names = imported.flat_map(|list| list.split([',', '{', '}'])).map(str::trim);
    let named = names.filter(|name| TYPES.contains(name)).count();
    let is_of = |rest: &&str| {
        let ends =
            |name: &&str| rest.strip_prefix(*name).is_some_and(|rest| rest.starts_with([':', ';']));
        TYPES.iter().any(ends)
    };
    calls + named + program.split("egui::").skip(1).filter(is_of).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKED: &str = "use egui::{Button, Ui};\nfn a(ui: &mut Ui) { ui.checkbox(&mut on, \"On\"); \
                           egui::ComboBox::new(\"a\", \"b\"); Role::Button }\n";

    #[test]
    fn a_stock_widget_more_or_less_than_there_may_be_is_caught() {
        let tests = "#[cfg(test)]\nmod tests { fn b() { ui.button(\"b\") } }\n";
        let text = format!("{CHECKED}{tests}");
        let files = [
            ("plugin/editor/src/words/a.rs", text.as_str()),
            ("plugin/editor/src/words/tests.rs", CHECKED),
            ("plugin/editor/src/kit/a.rs", CHECKED),
            ("plugin/shell/src/a.rs", CHECKED),
        ];
        let tree = Tree::planted(&files);
        let found = |most: &[(&str, usize)]| check_against(&tree, most).len();
        assert_eq!([2, 3, 4].map(|most| found(&[("words", most)])), [1, 0, 1]);
        assert_eq!(found(&[]), 1, "a part that is not listed holds none");
    }
}
