//! Stock widgets of egui in the windows: what a person sees is drawn by the kit.

use super::tool_names::TESTS;
use super::tree::{Tree, TreeFile};
use super::violation::Violation;

/// Where the views are, and the building blocks that may use stock widgets.
const VIEWS: &str = "plugin/editor/src/";
const KIT: &str = "plugin/editor/src/kit/";
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

/// Each view that holds one.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let counted = tree.rust().filter(|file| is_view(file)).map(|file| (file, widgets_in(file)));
    let message = |count| format!("stock widgets ({count}): draw them with the kit");
    let found = counted.filter(|(_, count)| *count > 0);
    found.map(|(file, count)| Violation::new(&file.path, 0, message(count))).collect()
}

fn is_view(file: &TreeFile) -> bool {
    let is_test = TESTS.iter().any(|part| file.path.contains(part));
    file.path.starts_with(VIEWS) && !file.path.starts_with(KIT) && !is_test
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
    fn stock_widgets_in_a_view_are_caught() {
        let tests = "#[cfg(test)]\nmod tests { fn b() { ui.button(\"b\") } }\n";
        let text = format!("{CHECKED}{tests}");
        let files = [
            ("plugin/editor/src/words/a.rs", text.as_str()),
            ("plugin/editor/src/words/b.rs", tests),
            ("plugin/editor/src/words/tests.rs", CHECKED),
            ("plugin/editor/src/kit/a.rs", CHECKED),
            ("plugin/shell/src/a.rs", CHECKED),
        ];
        let found = check(&Tree::planted(&files));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].message.contains("(3)"), "{found:?}");
    }
}
