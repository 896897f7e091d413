#include "tools/files/output_folder.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/errors.h"
#include "base/fd.h"
#include "base/log.h"

namespace fs = std::filesystem;

namespace bridle {
namespace {

constexpr std::size_t kNameBytes = 200;  // of a reserved file; most file systems take 255
constexpr int kNumbersTried = 1000;

// The XDG Base Directory Specification: a relative XDG_CACHE_HOME is to be ignored.
fs::path cache_home() {
  if (const char* named = std::getenv("XDG_CACHE_HOME"); named != nullptr && named[0] == '/') return named;
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') return fs::path(home) / ".cache";
  if (const passwd* user = ::getpwuid(::getuid()); user != nullptr && user->pw_dir != nullptr)
    return fs::path(user->pw_dir) / ".cache";
  return fs::temp_directory_path() / ("bridle-" + std::to_string(::getuid()));
}

fs::path absolute_folder(const std::string& folder) {
  return (folder.empty() ? cache_home() / "bridle" / "output" : fs::absolute(folder)).lexically_normal();
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [at, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  // "/a/b/" ends with an empty part.
  return at == folder.end() || (at->empty() && std::next(at) == folder.end());
}

std::string quoted(const std::string& path) { return "\"" + loggable(path, 300) + "\""; }

// mkdir -p with mode 0700 for what isn't there.
void make_folders(const fs::path& folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0) return;
  if (errno == ENOENT && folder.has_parent_path() && folder.parent_path() != folder) {
    make_folders(folder.parent_path());
    if (::mkdir(folder.c_str(), 0700) == 0) return;
  }
  const int error = errno;
  std::error_code ignored;
  if (error == EEXIST && fs::is_directory(folder, ignored)) return;
  throw ToolError("The folder " + quoted(folder.string()) + " can't be made: " +
                  std::strerror(error == EEXIST ? ENOTDIR : error) + ". Start bridle with another --output-dir.");
}

// A file that is only seen once it is whole.
class PartialFile {
 public:
  explicit PartialFile(const fs::path& wanted) {
    static std::atomic<unsigned> next{0};
    path_ = wanted.parent_path() / (".bridle-" + std::to_string(::getpid()) + "-" + std::to_string(next++) + ".part");
    fd_.reset(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd_) fail(wanted, errno);
    wanted_ = wanted;
  }
  ~PartialFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void write(const CallContext& ctx, std::string_view content) {
    constexpr std::size_t kSlice = 1024 * 1024;  // between two looks at the signal
    while (!content.empty()) {
      ctx.signal.throw_if_aborted();
      const auto written = ::write(fd_.get(), content.data(), std::min(content.size(), kSlice));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(wanted_, errno);
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void keep() {
    const int closed = ::close(fd_.release());
    if (closed != 0) fail(wanted_, errno);
    if (::rename(path_.c_str(), wanted_.c_str()) != 0) fail(wanted_, errno);
    path_.clear();
  }

 private:
  [[noreturn]] static void fail(const fs::path& wanted, int error) {
    throw ToolError(quoted(wanted.string()) + " can't be written: " + std::strerror(error) + ".");
  }

  fs::path path_;
  fs::path wanted_;
  Fd fd_;
};

// A file name without folders, control characters and what other systems refuse; never hidden, never empty.
std::string harmless_name(const std::string& suggested) {
  std::string name = suggested.substr(suggested.find_last_of("/\\") + 1);
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || std::strchr("<>:\"|?*", c) != nullptr) c = '_';
  }
  name.erase(0, name.find_first_not_of(". "));
  name.erase(name.find_last_not_of(". ") + 1);
  if (name.size() > kNameBytes) {
    const auto dot = name.rfind('.');
    const auto ending = dot != std::string::npos && name.size() - dot <= 16 ? name.substr(dot) : std::string();
    std::size_t end = kNameBytes - ending.size();
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
    name = name.substr(0, end) + ending;
  }
  return name.empty() ? "file" : name;
}

}  // namespace

OutputFolder::OutputFolder(const std::string& folder, const std::vector<std::string>& upload_folders)
    : folder_(absolute_folder(folder)), upload_folders_([&] {
        std::vector<fs::path> paths;
        for (const auto& path : upload_folders) {
          if (!path.empty()) paths.push_back(fs::absolute(path).lexically_normal());
        }
        return paths;
      }()) {}

fs::path OutputFolder::ensure() const {
  make_folders(folder_);
  std::error_code error;
  auto path = fs::canonical(folder_, error);
  if (error || !fs::is_directory(path, error))
    throw ToolError("The output folder " + quoted(folder_.string()) +
                    " is no folder. Start bridle with another --output-dir.");
  return path;
}

fs::path OutputFolder::resolve(const std::string& filename) const {
  if (filename.empty()) throw ToolError("filename is empty: name a file, such as page.md.");
  if (filename.find('\0') != std::string::npos) throw ToolError("filename holds a zero byte: it names no file.");
  const auto root = ensure();
  const auto outside = [&] {
    return ToolError("filename " + quoted(filename) + " lies outside of the output folder " + root.string() +
                     ". Give a name or a path below it.");
  };
  // Judged as written first: what climbs out isn't even looked at.
  const auto wanted = (fs::path(filename).is_absolute() ? fs::path(filename) : root / filename).lexically_normal();
  if (!is_below(wanted, root) && !is_below(wanted, folder_)) throw outside();
  if (!wanted.has_filename() || wanted == root || wanted == folder_)
    throw ToolError("filename " + quoted(filename) + " names a folder: name a file in it.");
  const auto from_root = is_below(wanted, root) ? wanted : root / wanted.lexically_relative(folder_);
  std::error_code error;
  const auto real = fs::weakly_canonical(from_root, error);
  if (error) throw ToolError("filename " + quoted(filename) + " can't be used: " + error.message() + ".");
  // A path that is still a symlink here leads to nothing that exists.
  if (!is_below(real, root) || fs::is_symlink(real, error)) throw outside();
  if (fs::is_directory(real, error))
    throw ToolError("filename " + quoted(filename) + " names a folder: name a file in it.");
  make_folders(real.parent_path());
  return real;
}

fs::path OutputFolder::write(const CallContext& ctx, const std::string& filename, std::string_view content) const {
  ctx.signal.throw_if_aborted();
  const auto path = resolve(filename);
  PartialFile file(path);
  file.write(ctx, content);
  ctx.signal.throw_if_aborted();
  file.keep();
  return path;
}

fs::path OutputFolder::reserve(const std::string& suggested) const {
  const auto root = ensure();
  const fs::path name = harmless_name(suggested);
  for (int number = 0; number < kNumbersTried; ++number) {
    const auto path =
        root / (number == 0 ? name.string()
                            : name.stem().string() + " (" + std::to_string(number) + ")" + name.extension().string());
    const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (fd) return path;
    if (errno != EEXIST) throw ToolError(quoted(path.string()) + " can't be written: " + std::strerror(errno) + ".");
  }
  throw ToolError("The output folder " + root.string() + " holds " + std::to_string(kNumbersTried) +
                  " files named like " + quoted(name.string()) + ". Remove some.");
}

fs::path OutputFolder::upload(const std::string& path) const {
  if (path.empty() || path.find('\0') != std::string::npos) throw ToolError("paths holds an empty or invalid path.");
  std::error_code error;
  const auto root = fs::weakly_canonical(folder_, error);
  std::vector<fs::path> allowed{error ? folder_ : root};
  for (const auto& folder : upload_folders_) {
    auto real = fs::weakly_canonical(folder, error);
    allowed.push_back(error ? folder : std::move(real));
  }
  const auto wanted = fs::path(path).is_absolute() ? fs::path(path) : allowed.front() / path;
  const auto real = fs::weakly_canonical(wanted, error);
  const bool below =
      !error && std::any_of(allowed.begin(), allowed.end(), [&](const auto& folder) { return is_below(real, folder); });
  if (!below) {
    // Before anything is said of the file: whether it exists outside is nobody's business.
    std::string folders;
    for (const auto& folder : allowed) folders += (folders.empty() ? "" : ", ") + folder.string();
    throw ToolError(quoted(path) + " may not be uploaded: it lies outside of the allowed folders (" + folders +
                    "). Put it there, or have bridle started with --allowed-upload-dirs.");
  }
  const auto status = fs::status(real, error);
  if (error || !fs::exists(status)) throw ToolError("There is no file " + quoted(path) + " to upload.");
  if (!fs::is_regular_file(status)) throw ToolError(quoted(path) + " is no regular file: name the files to upload.");
  if (::access(real.c_str(), R_OK) != 0)
    throw ToolError(quoted(path) + " can't be read: " + std::strerror(errno) + ".");
  return real;
}

}  // namespace bridle
