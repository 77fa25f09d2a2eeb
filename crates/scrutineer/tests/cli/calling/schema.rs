//! Validates JSON against a JSON Schema.

use serde_json::Value;

/// The reason why a value does not conform to a schema; `None` if it does. Supports only the part of JSON Schema that
/// this repository uses.
pub fn misfit(whole: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    let object = schema.as_object().expect("a schema");
    if let Some(Value::String(name)) = object.get("$ref") {
        let definition = &whole["$defs"][name.trim_start_matches("#/$defs/")];
        return misfit(whole, definition, value, at);
    }
    if let Some(Value::Array(choices)) = object.get("anyOf") {
        let mut misfits = choices
            .iter()
            .map(|choice| misfit(whole, choice, value, at));
        return misfits
            .all(|m| m.is_some())
            .then(|| format!("{at}: none of the choices"));
    }
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    };
    let fits = match &object["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().any(|name| is(name.as_str().expect("a type"))),
        other => panic!("unknown type {other}"),
    };
    if !fits {
        return Some(format!("{at}: {value} is not {}", object["type"]));
    }
    if let Some(Value::Array(allowed)) = object.get("enum")
        && !allowed.contains(value)
    {
        return Some(format!("{at}: {value} is not one of {allowed:?}"));
    }
    if let (Some(items), Value::Array(values)) = (object.get("items"), value) {
        let mut values = values.iter().enumerate();
        return values.find_map(|(i, v)| misfit(whole, items, v, &format!("{at}[{i}]")));
    }
    let Value::Object(fields) = value else {
        return None;
    };
    for name in object
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let name = name.as_str().expect("a name");
        if !fields.contains_key(name) {
            return Some(format!("{at}: {name} is missing"));
        }
    }
    let known = object.get("properties");
    fields.iter().find_map(
        |(name, field)| match known.and_then(|known| known.get(name)) {
            Some(schema) => misfit(whole, schema, field, &format!("{at}.{name}")),
            None if object.get("additionalProperties") == Some(&Value::Bool(false)) => {
                Some(format!("{at}: {name} is unknown"))
            }
            None => None,
        },
    )
}
