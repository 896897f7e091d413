#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/text/json.h"

// What a run says to a language model and hears from it, whichever API carries it [agent.models].
namespace bridle::agent {

// A tool as the model is told of it.
struct ToolOffer {
  std::string name{};
  std::string description{};
  Json input_schema = Json::object();
};

// A tool call that the model makes.
struct ModelCall {
  std::string id{};  // the API's; its result names it
  std::string name{};
  Json arguments = Json::object();
  std::string broken{};  // why the arguments can't be read; "" when they can
};

struct Picture {
  std::string data{};  // base64
  std::string mime_type{};
};

struct CallResult {
  std::string id{};
  std::string text{};
  bool is_error = false;
  std::vector<Picture> pictures{};  // for a model that takes them
};

// One turn of the conversation.
struct Message {
  enum class Role { user, model, results };
  Role role = Role::user;
  std::string text{};                 // of user and model
  std::vector<ModelCall> calls{};     // of the model
  std::vector<CallResult> results{};  // of its calls, each once, in their order
};

struct Conversation {
  std::string system{};
  std::vector<ToolOffer> tools{};
  std::vector<Message> messages{};
};

// Tokens, as the API counts them; 0 where it doesn't say.
struct Usage {
  long input = 0;  // those that were cached among them
  long output = 0;
  long cached = 0;

  Usage& operator+=(const Usage& other) {
    input += other.input;
    output += other.output;
    cached += other.cached;
    return *this;
  }
  long total() const { return input + output; }
};

struct ModelAnswer {
  std::string text{};
  std::vector<ModelCall> calls{};
  Usage usage{};
};

// The model can't be asked; what() says in whole sentences why and what to do, and holds no key.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A seam: an API over HTTP, the client's own model, or a test's script.
class Model {
 public:
  virtual ~Model() = default;
  // Waits for the model's whole answer. An abort closes the transfer [agent.models.abort]. Throws Aborted, ModelError.
  virtual ModelAnswer ask(const CallContext& ctx, const Conversation& conversation) = 0;
  // For people: the model's name, and where it is.
  virtual std::string name() const = 0;
  // Whether it can be shown pictures [agent.models.pictures].
  virtual bool takes_pictures() const { return false; }
};

// The arguments that a model wrote as JSON text; `broken` is set where they are none. Empty text stands for no
// arguments.
void read_arguments(const std::string& text, ModelCall& call);

}  // namespace bridle::agent
