#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "tools/files/downloads/download_staging.h"
#include "tools/files/session_files.h"

namespace bridle {

class ToolScope;

// Where the downloads of one browser context arrive, and whose they are.
struct DownloadRoom {
  std::weak_ptr<const ToolScope> owner{};  // they are nobody's after that one's end
  const ToolScope* owner_address = nullptr;
  bool listed = true;                     // false: the owner is shared, and only who knows the tab is told of them
  std::shared_ptr<SessionFiles> files{};  // where whole ones go
  // Ends a download in the browser, by its guid. Any thread; never waits; may be empty.
  std::function<void(const std::string& guid)> cancel{};
  std::optional<OsUser> writer{};  // the user that the browser is, if it isn't ours
  // Set by DownloadStore::open(): where the browser writes them, each under its guid.
  DownloadStaging::Place place{};
};

// Keeps what pages download, for all sessions. The browser writes each file into a hidden folder of its context's
// below the output folder; a whole file is moved from there to a safe, unique name in its session's folder, so that
// nobody sees half a file [why.hidden-download-folder]. What is refused, over a limit or broken off leaves no file, and
// neither does a download that the browser tells nobody of [why.downloads-watched]. What a browser of another user
// wrote is copied, not moved [security.root.files]. Any thread; began() and progress() never block, as they come from
// the reader thread: the store's own thread looks at the disk.
class DownloadStore {
 public:
  explicit DownloadStore(std::shared_ptr<OutputFolder> output) : output_(std::move(output)) {}
  ~DownloadStore() { close(); }
  // Call after the browser's end: moves the files that are whole and removes the hidden folders with all others.
  // Idempotent.
  void close();
  DownloadStore(const DownloadStore&) = delete;
  DownloadStore& operator=(const DownloadStore&) = delete;

  enum class State {
    running,
    done,
    cancelled,  // by its caller, the page, the browser or the network
    failed,     // it could not be kept
    refused     // by us, before or while it ran
  };
  struct Download {
    std::string guid{};
    std::string tab{};   // bridle's id; "" when the browser didn't tell
    std::string name{};  // as the server or the page suggested it: foreign text
    std::string url{};
    // What the store adds, the first six from the room.
    std::weak_ptr<const ToolScope> owner{};
    const ToolScope* owner_address = nullptr;
    bool listed = true;
    std::shared_ptr<SessionFiles> files{};
    std::string folder{};            // where the browser writes it
    std::optional<OsUser> writer{};  // and as whom, if as another user
    std::string id{};                // names it in a URI, and can't be guessed
    State state = State::running;
    std::uint64_t received = 0;  // bytes
    std::uint64_t total = 0;     // bytes; 0: unknown
    std::string path{};          // when done: the file
    std::string error{};         // when failed or refused: why

    bool over() const { return state != State::running; }
    // Compares addresses and doesn't lock the weak_ptr: the owner must not be destroyed here, under this store's lock.
    bool is_for(const ToolScope* who) const { return who != nullptr && owner_address == who && !owner.expired(); }
  };

  // Gives the room its place. `shared`: the one that all rooms have which say so, as they belong to the browser's one
  // default context. The room is over with the last pointer to it. Throws ToolError.
  std::shared_ptr<DownloadRoom> open(DownloadRoom room, bool shared = false);

  // A download has begun. `refusal`: why it may not, "" if it may as far as the caller can tell; it then still has to
  // keep within the limits [tool.downloads.limits].
  void began(const std::shared_ptr<DownloadRoom>& room, Download download, std::string refusal = {});
  // `state` as CDP spells it: inProgress, completed, canceled.
  void progress(const std::string& guid, const std::string& state, double received, double total);

  // The caller's downloads that are there as files, oldest first; and one of them by its id, listed or not.
  std::vector<Download> kept(const ToolScope* owner) const;
  std::optional<Download> find(const std::string& id, const ToolScope* owner) const;
  // Called for each download that is done, on the store's own thread and with no lock held. Set before the first
  // open().
  std::function<void(const Download&)> on_kept{};

  // What the next result of that tab should tell: each running download every time, and each end once; also those of
  // `owner` that no tab is known to have begun. `more`: how many were refused beyond those.
  struct News {
    std::vector<Download> downloads{};
    std::size_t more = 0;
  };
  News take_news(const std::string& tab, const ToolScope* owner = nullptr);
  // Waits until the newest download of `tab` that began after `mark` is over; returns it as it is then, or at ctx's
  // deadline. An end that this returns is no longer news. Throws Aborted.
  std::optional<Download> await_newest(const CallContext& ctx, const std::string& tab, std::uint64_t mark);
  // Waits until no download of `tab` has all its bytes and is not yet kept, which takes the browser and the store a
  // moment; until ctx's deadline at most. Bytes of an unknown number may be all of them: such a download is waited for
  // too, but in one call only. Throws Aborted.
  void await_whole(const CallContext& ctx, const std::string& tab);
  // How many downloads have begun: a mark to compare with.
  std::uint64_t mark() const;
  std::vector<Download> running(const std::string& tab) const;

 private:
  struct Entry {
    std::uint64_t number = 0;
    Download download{};
    std::weak_ptr<DownloadRoom> room{};
    std::uint64_t most_received = 0;  // the browser counts anew when it tries again, and when it gives up
    bool whole = false;               // the browser has it; it is being moved
    bool told = false;                // its end was
    bool waited_for = false;          // to no avail, as all of its bytes might have come
  };
  using FileName = std::pair<std::string, std::string>;  // a room's folder, a guid
  // Downloads to be ended in the browser, with no lock held.
  using Cancels = std::vector<std::pair<std::shared_ptr<DownloadRoom>, std::string>>;
  static void cancel_all(const Cancels& cancels);

  // The store's own thread (download_work.cpp).
  void work_loop(const std::stop_token& stop, const std::shared_ptr<DownloadStaging>& staging);
  bool do_chore();
  void finish(const std::string& guid);
  std::string keep_file(Download& download) const;
  void end_broken(const std::string& guid);
  void measure();
  void expect_file(const FileName& file);
  void remove_stray(const FileName& file);

  void wake_locked() REQUIRES(mutex_);
  std::string over_limit_locked(const Entry& entry) const REQUIRES(mutex_);
  std::string too_many_locked(const ToolScope* owner) const REQUIRES(mutex_);
  bool is_flood_locked(const Download& download) const REQUIRES(mutex_);
  void refuse_locked(Entry& entry, std::string why, Cancels& cancels) REQUIRES(mutex_);
  void end_locked(Entry& entry, State state, std::string error) REQUIRES(mutex_);
  void forget_oldest_locked(const ToolScope* owner) REQUIRES(mutex_);

  const std::shared_ptr<OutputFolder> output_;
  Mutex opening_;  // held while folders are made, before mutex_
  mutable Mutex mutex_;
  CondVar changed_;
  std::shared_ptr<DownloadStaging> staging_ GUARDED_BY(mutex_);  // made with the first room
  bool closed_ GUARDED_BY(mutex_) = false;
  std::uint64_t begun_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, Entry> entries_ GUARDED_BY(mutex_);        // by guid
  std::map<std::string, std::size_t> refused_ GUARDED_BY(mutex_);  // by tab, beyond those in entries_
  std::map<std::string, std::vector<std::weak_ptr<DownloadRoom>>> rooms_ GUARDED_BY(mutex_);  // by folder
  // What the folders hold, as last measured; what is under way comes on top.
  std::map<const SessionFiles*, std::uintmax_t> session_bytes_ GUARDED_BY(mutex_);
  std::uintmax_t whole_bytes_ GUARDED_BY(mutex_) = 0;

  // What the store's thread has to do.
  std::deque<std::string> to_move_ GUARDED_BY(mutex_);
  std::deque<std::string> broken_ GUARDED_BY(mutex_);
  bool measure_ GUARDED_BY(mutex_) = false;
  std::map<FileName, Clock::time_point> strays_ GUARDED_BY(mutex_);  // files to look at, and when
  std::jthread worker_ GUARDED_BY(mutex_);                           // started by the first room
};

// "kept as /path (12345 bytes)", "under way: 3 of 10 bytes", ...: the end of a sentence about one.
std::string describe(const DownloadStore::Download& download);

}  // namespace bridle
