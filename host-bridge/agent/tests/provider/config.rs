//! The configuration: what can be written, and what each mistake says.

use deskhand_agent::provider::{
    Chosen, Config, Environment, KeySource, Provider, ProviderConfig, Reach, path,
};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const WHOLE: &str = "
default = \"claude\"
[providers.claude]
kind = \"anthropic\"
model = \"some-claude\"
[providers.here]
kind = \"openai\"
base_url = \"http://localhost:11434/v1/\"
model = \"qwen3\"
max_tokens = 1000
turn_budget = 5
token_budget = 9
[providers.filed]
kind = \"openai\"
model = \"m\"
base_url = \"https://api.example.com/v1\"
api_key_file = \"~/keys/one\"
[providers.planner]
kind = \"offline\"
[policy]
deny = [\"tool_render\"]
";

fn nothing(_: &str) -> Option<OsString> {
    None
}

fn home(name: &str) -> Option<OsString> {
    (name == "HOME").then(|| "/h".into())
}

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("c.toml"), &home).map_err(|error| error.to_string())
}

fn open(text: &str, name: &str, reach: Reach, environment: Environment<'_>) -> String {
    let config = Config::parse(text, Path::new("c.toml"), environment).unwrap();
    let name = Some(name).filter(|name| !name.is_empty());
    match Provider::open(&config, name, reach, environment) {
        Ok(Chosen::Offline) => "offline".to_owned(),
        Ok(Chosen::Model(provider)) => format!("{} at {}", provider.model(), provider.host()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn all_that_can_be_written() {
    let config = parse(WHOLE).unwrap();
    assert_eq!(config.default.as_deref(), Some("claude"));
    assert_eq!(config.policy["deny"].as_array().unwrap().len(), 1);
    let ProviderConfig::OpenAi(here) = &config.providers["here"] else { panic!("{config:?}") };
    assert_eq!((here.max_tokens, here.budget.turns, here.budget.tokens), (1_000, 5, 9));
    let ProviderConfig::OpenAi(filed) = &config.providers["filed"] else { panic!("{config:?}") };
    assert_eq!(filed.key, KeySource::File("/h/keys/one".into()));
    let ProviderConfig::Anthropic(claude) = &config.providers["claude"] else { panic!() };
    assert_eq!(claude.base_url.as_str(), "https://api.anthropic.com/");
    assert_eq!((claude.max_tokens, claude.budget.turns), (8_192, 30));
}

#[test]
fn mistakes_are_named_with_their_line() {
    let said: Vec<String> = [
        "defualt = \"x\"",
        "[polcy]",
        "[providers.a]\nkind = \"anthropic\"\nmodle = \"x\"",
        "[providers.a]\nkind = \"anthropic\"\nmodel = \"x\"\ntemperature = 3",
        "[providers.a]\nmodel = \"x\"",
        "[providers.a]\nkind = \"ollama\"",
        "[providers.a]\nkind = \"openai\"",
        "[providers.a]\nkind = \"openai\"\nmodel = 3",
        "[providers.a]\nkind = \"openai\"\nmodel = \"x\"\nmax_tokens = 0",
        "[providers.a]\nkind = \"openai\"\nmodel = \"x\"\nmax_tokens = 5000000000",
        "[providers.a]\nkind = \"openai\"\nmodel = \"x\"\nbase_url = \"http://example.com/v1\"",
        "[providers.a]\nkind = \"openai\"\nmodel = \"x\"\napi_key_env = \"sk-canary-1\"",
        "[providers.a]\nkind = \"openai\"\nmodel = \"x\"\napi_key_env = \"A\"\napi_key_file = \"b\"",
        "providers = 3",
        "default = \"a\ndefault",
        "default = \"a\"\ndefault = \"b\"",
    ]
    .iter()
    .map(|text| parse(text).unwrap_err())
    .collect();
    let said = said.join("\n");
    assert!(!said.contains("canary"), "{said}");
    insta::assert_snapshot!(said);
}

#[test]
fn who_answers() {
    let keys = |name: &str| (name == "ANTHROPIC_API_KEY").then(|| "sk-1".into());
    let said = [
        open("", "", Reach::Anywhere, &nothing),
        open("", "offline", Reach::LocalOnly, &nothing),
        open("", "claude", Reach::Anywhere, &nothing),
        open(WHOLE, "gpt", Reach::Anywhere, &nothing),
        open(WHOLE, "planner", Reach::LocalOnly, &nothing),
        open(WHOLE, "", Reach::Anywhere, &keys),
        open(WHOLE, "", Reach::LocalOnly, &keys),
        open(WHOLE, "", Reach::Anywhere, &nothing),
        open(WHOLE, "", Reach::Anywhere, &|_| Some(" ".into())),
        open(WHOLE, "here", Reach::LocalOnly, &nothing),
    ];
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn the_vendors_key_goes_to_the_vendor_only() {
    let elsewhere =
        "[providers.a]\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"https://example.com\"";
    let keys = |_: &str| Some("sk-canary-0000000000".into());
    let said = open(elsewhere, "a", Reach::Anywhere, &keys);
    assert!(said.starts_with("provider a (example.com): no key: "), "{said}");
}

#[test]
fn where_it_stands() {
    let set = |pairs: &'static [(&str, &str)]| {
        path(&move |name| pairs.iter().find(|(key, _)| *key == name).map(|(_, path)| path.into()))
    };
    assert_eq!(set(&[("DESKHAND_CONFIG", "x.toml"), ("HOME", "/h")]), PathBuf::from("x.toml"));
    assert_eq!(set(&[("DESKHAND_CONFIG", ""), ("HOME", "/h")]), set(&[("HOME", "/h")]));
    if cfg!(unix) {
        let config = |folder: &str| PathBuf::from(folder).join("deskhand/config.toml");
        assert_eq!(set(&[("XDG_CONFIG_HOME", "/x"), ("HOME", "/h")]), config("/x"));
        assert_eq!(set(&[("XDG_CONFIG_HOME", "x"), ("HOME", "/h")]), config("/h/.config"));
    }
}

#[test]
fn it_is_read_again_as_it_is_now() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    let nothing = |_: &str| None;
    let config = Config::parse("default = \"offline\"", &file, &nothing).unwrap();
    assert_eq!(config.again(&nothing).unwrap(), config);
    std::fs::write(&file, "[providers.planner]\nkind = \"offline\"").unwrap();
    assert_eq!(config.again(&nothing).unwrap().providers.len(), 1);
    std::fs::write(&file, "defualt = 1").unwrap();
    assert!(config.again(&nothing).unwrap_err().to_string().contains("did you mean"));
}

#[test]
fn a_file_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deskhand/config.toml");
    let xdg = |name: &str| (name == "XDG_CONFIG_HOME").then(|| folder.path().into());
    assert_eq!(Config::load(&xdg).unwrap(), Config { path: file.clone(), ..Config::default() });
    let named = |name: &str| (name == "DESKHAND_CONFIG").then(|| file.clone().into());
    let said = Config::load(&named).unwrap_err().to_string();
    assert!(
        said.starts_with("DESKHAND_CONFIG names ") && said.contains("does not exist"),
        "{said}"
    );
    std::fs::create_dir(folder.path().join("deskhand")).unwrap();
    std::fs::write(&file, WHOLE).unwrap();
    assert_eq!(Config::load(&named).unwrap().providers.len(), 4);
    std::fs::write(&file, [0xff, 0xfe]).unwrap();
    assert!(Config::load(&named).unwrap_err().to_string().contains("cannot be read"));
}

#[cfg(unix)]
#[test]
fn a_key_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    let config = folder.path().join("c.toml");
    let text = "[providers.a]\nkind = \"anthropic\"\nmodel = \"m\"\napi_key_file = \"key\"";
    let open = || {
        let config = Config::parse(text, &config, &nothing).unwrap();
        match Provider::open(&config, Some("a"), Reach::Anywhere, &nothing) {
            Ok(Chosen::Model(provider)) => format!("{provider:?}"),
            Ok(Chosen::Offline) => "offline".to_owned(),
            Err(error) => error.to_string().replace(&*folder.path().to_string_lossy(), "DIR"),
        }
    };
    let write = |text: &str, mode| {
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let mut said = vec![open()];
    write("sk-canary-0123456789\n", 0o640);
    said.push(open());
    write("two words", 0o600);
    said.push(open());
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    said.push(open());
    std::fs::remove_dir(&file).unwrap();
    write("sk-canary-0123456789\n", 0o600);
    let shown = open();
    assert!(shown.contains("[key] for api.anthropic.com"), "{shown}");
    said.push("opens".to_owned());
    let said = said.join("\n");
    assert!(!said.contains("canary") && !shown.contains("canary"), "{said}{shown}");
    insta::assert_snapshot!(said);
}
