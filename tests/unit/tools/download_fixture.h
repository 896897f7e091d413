#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tools/contract/tool.h"
#include "tools/files/downloads/downloads.h"

// A store of downloads, and who downloads into it.
namespace bridle::testing {

namespace fs = std::filesystem;

struct Folder {
  std::string path = [] {
    std::string pattern = "/tmp/bridle-store-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    return pattern;
  }();
  OutputLimits limits{};
  std::shared_ptr<OutputFolder> output =
      std::make_shared<OutputFolder>(path + "/out", std::vector<std::string>{}, limits);
  explicit Folder(OutputLimits given = {}) : limits(given) {}
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
  // The paths of all files in the output folder, below it, and of nothing else.
  std::set<std::string> all_files() const {
    std::set<std::string> found;
    std::error_code ec;
    for (const auto& entry : fs::recursive_directory_iterator(path + "/out", ec)) {
      if (entry.is_regular_file(ec)) found.insert(entry.path().string());
    }
    return found;
  }
};

// A session's part of a store.
struct Downloader : ToolScope, std::enable_shared_from_this<Downloader> {
  Json tabs() const override { return Json::array(); }
};

struct Place {
  std::shared_ptr<Downloader> client = std::make_shared<Downloader>();
  struct Cancelled {  // by the store's thread too
    Mutex mutex{};
    std::vector<std::string> guids{};
  };
  std::shared_ptr<Cancelled> cancelled = std::make_shared<Cancelled>();
  std::shared_ptr<DownloadRoom> room;

  Place(DownloadStore& store, const Folder& folder, bool shared = false)
      : room(store.open({.owner = client,
                         .owner_address = client.get(),
                         .files = std::make_shared<SessionFiles>(folder.output),
                         .cancel =
                             [cancelled = cancelled](const std::string& guid) {
                               const MutexLock lock(cancelled->mutex);
                               cancelled->guids.push_back(guid);
                             }},
                        shared)) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  std::vector<std::string> all_cancelled() {
    const MutexLock lock(cancelled->mutex);
    return cancelled->guids;
  }
  std::string folder() const { return room->place.folder; }
};

inline DownloadStore::Download download(const std::string& guid, const std::string& name,
                                        const std::string& tab = "t1") {
  return {.guid = guid, .tab = tab, .name = name, .url = "http://x/" + name};
}

// As the browser does: the file first, then the event.
inline void complete(DownloadStore& store, const Place& place, const std::string& guid, const std::string& content) {
  std::ofstream(place.folder() + "/" + guid) << content;
  store.progress(guid, "completed", static_cast<double>(content.size()), static_cast<double>(content.size()));
}

inline std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace bridle::testing
