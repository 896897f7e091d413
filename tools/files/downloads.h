#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/call_context.h"
#include "base/sync.h"
#include "tools/files/output_folder.h"

namespace bridle {

class ToolScope;

// Keeps what pages download, for all sessions. The browser writes each file into a staging folder below the output
// folder; a whole file is moved from there to a safe, unique name, so that the output folder never shows half a file
// [why.hidden-download-folder]. A cancelled download leaves no file. Any thread; began() and progress() never block, as
// they come from the reader thread.
class DownloadStore {
 public:
  explicit DownloadStore(std::shared_ptr<OutputFolder> files) : files_(std::move(files)) {}
  ~DownloadStore() { close(); }
  // Call after the browser's end: moves the files that are whole and removes the staging folder with all others.
  // Idempotent.
  void close();
  DownloadStore(const DownloadStore&) = delete;
  DownloadStore& operator=(const DownloadStore&) = delete;

  enum class State { running, done, cancelled, failed };
  struct Download {
    std::string guid{};
    std::string tab{};   // bridle's id
    std::string name{};  // as the server or the page suggested it: foreign text
    std::string url{};
    std::weak_ptr<const ToolScope> owner{};  // whose tab it was; it is nobody's after that one's end
    const ToolScope* owner_address = nullptr;
    bool listed = true;  // false: its owner is shared, and only who knows the tab is told of it
    std::string id{};    // set by began(): names it in a URI, and can't be guessed
    State state = State::running;
    std::uint64_t received = 0;  // bytes
    std::uint64_t total = 0;     // bytes; 0: unknown
    std::string path{};          // when done: the file
    std::string error{};         // when failed
    bool over() const { return state != State::running; }
    // Compares addresses and doesn't lock the weak_ptr: the owner must not be destroyed here, under this store's lock.
    bool is_for(const ToolScope* who) const { return who != nullptr && owner_address == who && !owner.expired(); }
  };

  // The folder for the browser to write into, absolute; made when first asked for. Throws ToolError.
  std::string staging();

  void began(Download download);
  // `state` as CDP spells it: inProgress, completed, canceled.
  void progress(const std::string& guid, const std::string& state, double received, double total);

  // The caller's downloads that are there as files, oldest first; and one of them by its id, listed or not.
  std::vector<Download> kept(const ToolScope* owner) const;
  std::optional<Download> find(const std::string& id, const ToolScope* owner) const;
  // Called for each download that is done, on the store's own thread and with no lock held. Set before the first
  // began().
  std::function<void(const Download&)> on_kept{};

  // What the next result of that tab should tell: each running download every time, and each end once.
  std::vector<Download> take_news(const std::string& tab);
  // Waits until the newest download of `tab` that began after `mark` is over; returns it as it is then, or at ctx's
  // deadline. An end that this returns is no longer news. Throws Aborted.
  std::optional<Download> await_newest(const CallContext& ctx, const std::string& tab, std::uint64_t mark);
  // How many downloads have begun: a mark to compare with.
  std::uint64_t mark() const;
  std::vector<Download> running(const std::string& tab) const;

 private:
  struct Entry {
    std::uint64_t number = 0;
    Download download{};
    bool whole = false;  // the browser has it; it is being moved
    bool told = false;   // its end was
  };
  void move_loop(const std::stop_token& stop);
  void finish(const std::string& guid);
  void forget_oldest_locked() REQUIRES(mutex_);

  const std::shared_ptr<OutputFolder> files_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::string staging_ GUARDED_BY(mutex_);
  std::uint64_t begun_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, Entry> entries_ GUARDED_BY(mutex_);  // by guid
  std::deque<std::string> to_move_ GUARDED_BY(mutex_);
  std::jthread mover_ GUARDED_BY(mutex_);  // started by the first download
};

// "kept as /path (12345 bytes)", "under way: 3 of 10 bytes", ...: the end of a sentence about one.
std::string describe(const DownloadStore::Download& download);

}  // namespace bridle
