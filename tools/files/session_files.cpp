#include "tools/files/session_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "base/fd.h"
#include "base/text/named_secrets.h"
#include "base/text/random.h"
#include "base/text/text.h"
#include "tools/files/file_system.h"
#include "tools/files/partial_file.h"

namespace fs = std::filesystem;

namespace bridle {
namespace {

constexpr std::size_t kNameBytes = 200;  // of a reserved file; most file systems take 255
constexpr std::size_t kSecretBytes = 12;

// "20261122-161003-Zk3...": in the order of time in a listing, and not to be guessed by another session
// [why.session-folders].
std::string new_folder_name() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 32> text{};
  const auto length = std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S-", &local);
  return std::string(text.data(), length) + random_token(kSecretBytes);
}

// A file name without folders, control characters and what other systems refuse; never hidden, never an option of a
// command, never empty.
std::string harmless_name(const std::string& suggested) {
  std::string name = suggested.substr(suggested.find_last_of("/\\") + 1);
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || std::strchr("<>:\"|?*", c) != nullptr) c = '_';
  }
  name.erase(0, name.find_first_not_of(". -"));
  name.erase(name.find_last_not_of(". ") + 1);
  if (name.size() > kNameBytes) {
    const auto dot = name.rfind('.');
    const auto ending = dot != std::string::npos && name.size() - dot <= 16 ? name.substr(dot) : std::string();
    name = std::string(first_bytes(name, kNameBytes - ending.size())) + ending;
  }
  return name.empty() ? "file" : name;
}

// Programs read hidden files unasked (.git/hooks/pre-commit, .envrc), and take a name that begins with a dash for an
// option.
void check_parts(const std::string& filename, const fs::path& below) {
  for (const auto& part : below) {
    const auto& name = part.native();
    const bool control = std::any_of(name.begin(), name.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte < 0x20 || byte == 0x7f;
    });
    const char* what = name.starts_with(".")   ? "begins with a dot: hidden files are not written"
                       : name.starts_with("-") ? "begins with a dash: a command would take it for an option"
                       : control               ? "holds a control character"
                                               : nullptr;
    if (what != nullptr) {
      throw ToolError("filename " + quoted_path(filename) + " can't be used: " + quoted_path(name) + " " + what +
                      ". Give another name, such as page.md.");
    }
  }
}

}  // namespace

SessionFiles::SessionFiles(std::shared_ptr<const OutputFolder> output)
    : output_(std::move(output)), name_(new_folder_name()) {}

// rmdir() leaves a folder that holds something.
SessionFiles::~SessionFiles() { ::rmdir(path().c_str()); }

fs::path SessionFiles::ensure() const {
  const auto folder = output_->ensure() / name_;
  struct stat info {};
  // Neither a link nor somebody else's folder may stand in its place.
  const bool there = ::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST;
  const int error = errno;
  if (!there || ::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::geteuid()) {
    throw ToolError("The session's folder " + quoted_path(folder.string()) +
                    " can't be made: " + (there ? "something else has its name" : file_error(error)) +
                    ". Start bridle with another --output-dir.");
  }
  hold();
  return folder;
}

// Made anew where somebody removed it, empty, between its making and this.
void SessionFiles::hold() const {
  const MutexLock lock(mutex_);
  constexpr int kTries = 3;
  for (int i = 0; i < kTries && !hold_; ++i) {
    hold_ = hold_session_folder(path());
    if (!hold_) ::mkdir(path().c_str(), 0700);
  }
}

fs::path SessionFiles::resolve(const std::string& filename) const {
  if (filename.empty()) throw ToolError("filename is empty: name a file, such as page.md.");
  if (filename.find('\0') != std::string::npos) throw ToolError("filename holds a zero byte: it names no file.");
  const auto root = ensure();
  const auto as_given = path();
  const auto outside = [&] {
    return ToolError("filename " + quoted_path(filename) + " lies outside of this session's output folder " +
                     root.string() + ". Give a name or a path below it.");
  };
  // Judged as written first: what climbs out isn't even looked at.
  const auto wanted = (fs::path(filename).is_absolute() ? fs::path(filename) : root / filename).lexically_normal();
  if (!is_below(wanted, root) && !is_below(wanted, as_given)) throw outside();
  if (!wanted.has_filename() || wanted == root || wanted == as_given)
    throw ToolError("filename " + quoted_path(filename) + " names a folder: name a file in it.");
  const auto below = wanted.lexically_relative(is_below(wanted, root) ? root : as_given);
  check_parts(filename, below);
  std::error_code error;
  const auto real = fs::weakly_canonical(root / below, error);
  if (error) throw ToolError("filename " + quoted_path(filename) + " can't be used: " + error.message() + ".");
  // A path that is still a symlink here leads to nothing that exists.
  if (!is_below(real, root) || fs::is_symlink(real, error)) throw outside();
  if (fs::is_directory(real, error))
    throw ToolError("filename " + quoted_path(filename) + " names a folder: name a file in it.");
  make_folders(real.parent_path());
  return real;
}

void SessionFiles::check_room(std::uintmax_t bytes) const {
  const auto& limits = output_->limits();
  const auto refuse = [&](std::uintmax_t limit, const fs::path& folder, const char* whose, const char* option) {
    throw ToolError("This file of " + in_bytes(bytes) + " can't be kept: " + whose + " (" + folder.string() +
                    ") may hold " + in_bytes(limit) + " (" + option + "). Remove what is no longer needed.");
  };
  if (used() + bytes > limits.session) refuse(limits.session, path(), "this session's folder", "--output-max-session");
  output_->make_room(bytes);
  if (output_->used() + bytes > limits.whole)
    refuse(limits.whole, output_->path(), "the output folder", "--output-max-size");
}

SessionFiles::Pieces::Pieces(const SessionFiles& files, const fs::path& wanted)
    : files_(files), wanted_(wanted), file_(wanted) {}

void SessionFiles::Pieces::write(const CallContext& ctx, std::string_view piece) {
  constexpr std::size_t kUnchecked = 4 * 1024 * 1024;  // counting walks the folders
  unchecked_ += piece.size();
  if (unchecked_ >= kUnchecked) {
    files_.check_room(unchecked_);
    unchecked_ = 0;
  }
  file_.write(ctx, piece);
}

SessionFiles::Written SessionFiles::Pieces::keep(const CallContext& ctx) {
  files_.check_room(0);
  ctx.signal.throw_if_aborted();
  auto path = file_.keep();
  const bool renamed = path != wanted_;
  return {.path = std::move(path), .renamed = renamed};
}

std::unique_ptr<SessionFiles::Pieces> SessionFiles::begin(const CallContext& ctx, const std::string& filename) const {
  ctx.signal.throw_if_aborted();
  const auto wanted = resolve(file_name_without_secrets(filename));
  check_room(0);
  return std::unique_ptr<Pieces>(new Pieces(*this, wanted));
}

SessionFiles::Written SessionFiles::write(const CallContext& ctx, const std::string& filename,
                                          std::string_view content) const {
  ctx.signal.throw_if_aborted();
  const auto wanted = resolve(file_name_without_secrets(filename));
  check_room(content.size());
  PartialFile file(wanted);
  file.write(ctx, content);
  ctx.signal.throw_if_aborted();
  auto path = file.keep();
  const bool renamed = path != wanted;
  return {.path = std::move(path), .renamed = renamed};
}

fs::path SessionFiles::reserve(const std::string& suggested) const {
  return claim_name(ensure() / harmless_name(file_name_without_secrets(suggested)));
}

void SessionFiles::append(const fs::path& file, std::string_view text) const {
  check_room(text.size());
  append_to_file(file, text);
}

fs::path SessionFiles::upload(const std::string& path, const char* done,
                              const std::function<Folders()>& further) const {
  if (path.empty() || path.find('\0') != std::string::npos) throw ToolError("paths holds an empty or invalid path.");
  std::error_code error;
  const auto real_or_given = [&error](const fs::path& folder) {
    auto real = fs::weakly_canonical(folder, error);
    return error ? folder : real;
  };
  const auto own = real_or_given(this->path());
  const auto output = real_or_given(output_->path());
  std::vector<fs::path> allowed{own};
  for (const auto& folder : output_->upload_folders()) allowed.push_back(real_or_given(folder));
  const auto wanted = fs::path(path).is_absolute() ? fs::path(path) : own / path;
  const auto real = fs::weakly_canonical(wanted, error);
  // A shared folder that happens to hold the output folder doesn't share the other sessions' files with it. These lie
  // in folders of their own, so what lies beside those folders was put there by somebody else.
  const bool others =
      is_below(real, output) && (real.parent_path() != output || real.filename().native().starts_with('.'));
  const auto is_allowed = [&] {
    return !error && std::any_of(allowed.begin(), allowed.end(), [&](const auto& folder) {
      return is_below(real, folder) && (folder == own || is_below(folder, output) || !others);
    });
  };
  if (!is_allowed() && further != nullptr && !error) {
    for (auto& folder : further()) allowed.push_back(std::move(folder));
  }
  if (!is_allowed()) {
    // Before anything is said of the file: whether it exists outside is nobody's business.
    std::string folders;
    for (const auto& folder : allowed) folders += (folders.empty() ? "" : ", ") + folder.string();
    const auto* why = ": it lies outside of the allowed folders (";
    const auto* way = "). Put it there, or have bridle started with --allowed-upload-dirs.";
    if (!error && others) {
      why =
          ": it lies in the output folder, where only a session's own files are open to it, and what is allowed apart "
          "from that is (";
      way =
          "). Copy it there, or have bridle started with --allowed-upload-dirs naming the folder itself that it lies "
          "in.";
    }
    throw ToolError(quoted_path(path) + " may not be " + done + why + folders + way);
  }
  const auto status = fs::status(real, error);
  if (error || !fs::exists(status)) throw ToolError("There is no file " + quoted_path(path) + " to be " + done + ".");
  if (!fs::is_regular_file(status))
    throw ToolError(quoted_path(path) + " is no regular file: name the files to upload.");
  if (::access(real.c_str(), R_OK) != 0)
    throw ToolError(quoted_path(path) + " can't be read: " + std::strerror(errno) + ".");
  return real;
}

std::uintmax_t SessionFiles::used() const { return bytes_below(path()); }

std::string saved_words(const SessionFiles::Written& file) {
  return "Saved to " + file.path.string() + (file.renamed ? ", as the name that was asked for is taken" : "");
}

}  // namespace bridle
