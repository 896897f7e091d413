#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/json.h"

namespace bridle {

// The values that the person who starts bridle gives by name (--secrets): a client types them by their names, and
// whatever is told shows `<secret>NAME</secret>` in their place [tool.secrets.named]. They are the process's: set once,
// before other threads start; then any thread. Without any, each function returns after one look.

void set_named_secrets(const std::map<std::string, std::string>& secrets);
bool has_named_secrets() noexcept;

// What is to be typed: the value for its bare name, and values for {{NAME}} within a text.
std::string with_named_secrets(std::string text);
// The names of the secrets that it would put in.
std::vector<std::string> named_secrets_in(const std::string& text);
// `<secret>NAME</secret>` where the text is the name of one secret and nothing else; "" where it isn't.
std::string shown_for_named_secret(const std::string& text);

// Hides values in a text: as they are, as JSON has them (escaped once or twice), as URLs and forms have them, as HTML
// has them, in base64, and the beginning of one that was cut ("abc…").
void hide_named_secrets(std::string& text);
// The same for a file's content; bytes that are no text stay as they are.
std::string without_named_secrets(std::string content);
// The same in all strings of a value, names too.
void hide_named_secrets(Json& value);
// The same in the JSON text of a message or a result, but for bytes in base64 ("blob", "data"), where only base64 is
// looked for: a short value would stand there by chance.
void hide_named_secrets_in_message(std::string& json);
// A file's name, which shows `(NAME)`.
std::string file_name_without_secrets(std::string name);

}  // namespace bridle
