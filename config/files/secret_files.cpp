// Files whose content nobody else may know or choose: the token's, and the secrets'.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "base/fd.h"
#include "base/limits.h"
#include "base/text/text.h"
#include "config/files/dotenv.h"
#include "config/options.h"

namespace bridle {
namespace {

constexpr std::size_t kShortestToken = 16;

struct SecretFile {
  const char* option;
  const char* holds;  // what others could change
};
constexpr SecretFile kTokenFile{"--token-file", "the token"};
constexpr SecretFile kSecretsFile{"--secrets", "the secrets"};

// Who can write the token can drive the browser, and who can write the secrets decides what is typed. So nobody else
// may own the file, write it, or put another file or link in its place.
void check_writers(const SecretFile& kind, const std::string& path, int file) {
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error(std::string(kind.option) + ": " + path + " " + why);
  };
  const std::string holds = kind.holds;
  const auto is_ours = [](const struct stat& one) { return one.st_uid == ::geteuid() || one.st_uid == 0; };
  struct stat content {};
  struct stat link {};
  if (::fstat(file, &content) != 0 || ::lstat(path.c_str(), &link) != 0) refuse("can't be read");
  if (!is_ours(content) || !is_ours(link)) {
    refuse("belongs to another user, who could change " + holds + "; make it yours with chown");
  }
  if ((content.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    refuse("can be written by others, who could change " + holds + "; forbid it with chmod go-w");
  }
  std::error_code ignored;
  for (auto folder = std::filesystem::weakly_canonical(path, ignored).parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    struct stat place {};
    const bool open_to_all = ::stat(folder.c_str(), &place) == 0 && (place.st_mode & S_IWOTH) != 0;
    if (open_to_all && (place.st_mode & S_ISVTX) == 0) {
      refuse("can be replaced by others, as everybody may write into " + folder.string() + "; put it elsewhere");
    }
    if (folder == folder.root_path()) break;
  }
}

// The file's text, as far as `most` bytes and one more.
std::string read_checked(const SecretFile& kind, const std::string& path, std::size_t most) {
  // Opened first, so that what is looked at is what is read.
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) throw std::runtime_error(std::string(kind.option) + ": can't read " + path);
  check_writers(kind, path, file.get());
  std::string text(most + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const auto got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0) throw std::runtime_error(std::string(kind.option) + ": can't read " + path);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

}  // namespace

std::string read_token_file(const std::string& path) {
  const std::string text = read_checked(kTokenFile, path, 4096);
  const std::string token(trimmed(std::string_view(text).substr(0, text.find('\n')), " \t\r"));
  if (token.empty()) throw std::runtime_error("--token-file: " + path + " holds no token in its first line");
  const std::string remedy = "; make one with: openssl rand -hex 32";
  if (token.size() < kShortestToken) {
    throw std::runtime_error("--token-file: the token in " + path + " is too easy to guess, as it has less than " +
                             std::to_string(kShortestToken) + " characters" + remedy);
  }
  if (std::any_of(token.begin(), token.end(), [](char c) { return c <= ' ' || c > '~'; })) {
    throw std::runtime_error("--token-file: the token in " + path +
                             " has a blank or another character that no Authorization header can carry" + remedy);
  }
  return token;
}

Secrets read_secrets_file(const std::string& path, SecretPlaces& places) {
  const std::string text = read_checked(kSecretsFile, path, limits::kSecretsFile);
  const std::string where = "--secrets: " + path + " ";
  if (text.size() > limits::kSecretsFile) throw std::runtime_error(where + "is larger than 256 KiB");
  try {
    auto secrets = parse_dotenv(text, &places);
    std::erase_if(secrets, [](const auto& secret) { return secret.second.empty(); });
    for (const auto& [name, value] : secrets) check_secret(name, value);
    if (secrets.empty()) throw std::invalid_argument("holds no line NAME=VALUE");
    return secrets;
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(where + error.what());
  }
}

}  // namespace bridle
