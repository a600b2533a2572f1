// What this server offers: tools, prompts and resources, each with the code that serves it.
#pragma once

#include <functional>
#include <mrtr.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class Subscriptions;

using Json = nlohmann::ordered_json;

/// Sends a notification on the response stream of the request; does nothing if the response is no stream.
using Notify = std::function<void(std::string_view method, const Json &params)>;

/// One request being served, as a handler sees it.
struct Call {
    const mrtr::Exchange &exchange;
    Json arguments;                ///< an object, `{}` if none were given
    std::optional<Json> progress_token;
    std::string target;            ///< name of the tool or prompt, or the resource's URI
    Notify notify;
    Subscriptions &subscriptions;
};

/// Gives the text of the result: a complete one, or what the exchange says is still missing.
using Handler = std::function<std::string(Call &)>;

struct Tool {
    std::string name, description;
    std::string input_schema;  ///< JSON text
    Handler run;
    /// What to do about asks that the client cannot answer.
    mrtr::Gate gate = mrtr::Gate::refuse;
    /// Reports progress, so its response is a stream if the client gave a token for it.
    bool streams = false;
};

struct Prompt {
    std::string name, description;
    Json arguments;  ///< list of {name, description, required}
    Handler get;
};

struct Resource {
    std::string uri, name, description, mime_type;
    Handler read;
};

/// A family of resources: any URI of the form `prefix` + id + `suffix`.
struct Template {
    std::string prefix, suffix, parameter, name, description, mime_type;
    Handler read;
    bool matches(std::string_view uri) const;
    std::string id(std::string_view uri) const;
};

class Registry {
public:
    std::vector<Tool> tools;
    std::vector<Prompt> prompts;
    std::vector<Resource> resources;
    std::vector<Template> templates;

    const Tool *tool(std::string_view name) const;
    const Prompt *prompt(std::string_view name) const;
    /// The code that reads a resource, listed or by template.
    const Handler *reader(std::string_view uri) const;
};

void add_basic_tools(Registry &);
void add_mrtr_tools(Registry &);
void add_book_trip(Registry &);
void add_prompts(Registry &);
void add_resources(Registry &);

/// Everything above.
Registry make_registry();

/// The text of a complete result: `members` plus its `resultType`.
std::string complete(Json members);
/// A complete tool result of one text.
std::string text_result(std::string_view text);
/// A tool that ran and failed.
std::string tool_error(std::string_view text);
/// A parsed JSON text that was checked before, such as the content of an answer.
Json parsed(std::string_view text);
