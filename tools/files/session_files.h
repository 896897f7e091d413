#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "tools/files/output_folder.h"
#include "tools/files/partial_file.h"

namespace bridle {

// The files of one session: a folder of its own in the output folder, named by the time of the session's beginning and
// by what nobody can guess. What its tools write and its pages download lies there; of all that lies in the output
// folder, the session may name nothing else [tool.files] [tool.uploads]. Every path is resolved, symlinks too, before
// it is judged. The folder is made by the first write, and is kept with its files when the session ends; an empty one
// goes with it. Any thread.
class SessionFiles {
 public:
  explicit SessionFiles(std::shared_ptr<const OutputFolder> output);
  ~SessionFiles();
  SessionFiles(const SessionFiles&) = delete;
  SessionFiles& operator=(const SessionFiles&) = delete;

  // The session's folder, absolute, its symlinks resolved; made with mode 0700 when it isn't there. Throws ToolError.
  std::filesystem::path ensure() const;
  // Where it is or will be.
  std::filesystem::path path() const { return output_->path() / name_; }
  const OutputFolder& output() const { return *output_; }

  // Writes a file whole or not at all, with mode 0600, and never over another one: a name that is taken gets a number.
  // `filename` is a path below the folder, or an absolute one into it; the folders on its way are made. Hidden names
  // are refused, because programs read them unasked (.git/hooks, .envrc). After an abort nothing is left. Throws
  // ToolError, Aborted.
  struct Written {
    std::filesystem::path path{};
    bool renamed = false;  // another file had the name
  };
  Written write(const CallContext& ctx, const std::string& filename, std::string_view content) const;
  // The same in pieces, for what is too large to be held: dropped before keep(), nothing is left. It must not outlive
  // the session's files. One thread at a time.
  class Pieces {
   public:
    void write(const CallContext& ctx, std::string_view piece);
    Written keep(const CallContext& ctx);

   private:
    friend class SessionFiles;
    Pieces(const SessionFiles& files, const std::filesystem::path& wanted);

    const SessionFiles& files_;
    const std::filesystem::path wanted_;
    PartialFile file_;
    std::size_t unchecked_ = 0;  // bytes since the room was looked at
  };
  std::unique_ptr<Pieces> begin(const CallContext& ctx, const std::string& filename) const;
  // Adds to a file that reserve() has made. Throws ToolError.
  void append(const std::filesystem::path& file, std::string_view text) const;
  // Throws what write() would throw for this name, for a file that is written later.
  void check_name(const std::string& filename) const { resolve(filename); }
  // Reserves a name for a file that comes from elsewhere, such as a download: the last part of `suggested`, made
  // harmless, with a number if that name is taken. When it returns an empty file has this name; rename the real one
  // over it. Throws ToolError.
  std::filesystem::path reserve(const std::string& suggested) const;

  // The regular file behind a path to upload, symlinks resolved; relative paths count from the session's folder. Throws
  // ToolError when the path isn't there, is no file, or lies outside the allowed folders, which the words then name.
  // `done`: what is to be done with it, for these words. `further`: asked for more allowed folders where the path lies
  // outside of those that are known.
  using Folders = std::vector<std::filesystem::path>;
  std::filesystem::path upload(const std::string& path, const char* done = "uploaded",
                               const std::function<Folders()>& further = nullptr) const;

  // The bytes of all its files. Walks the folder.
  std::uintmax_t used() const;

 private:
  std::filesystem::path resolve(const std::string& filename) const;
  void check_room(std::uintmax_t bytes) const;

  void hold() const EXCLUDES(mutex_);

  const std::shared_ptr<const OutputFolder> output_;
  const std::string name_;
  mutable Mutex mutex_;
  mutable Fd hold_ GUARDED_BY(mutex_);  // from its first file on: see OutputFolder::make_room()
};

// "Saved to PATH", and whether it had to be another name than the one that was asked for.
std::string saved_words(const SessionFiles::Written& file);

}  // namespace bridle
