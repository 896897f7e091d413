#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "browser/cdp/connection.h"
#include "browser/tab/tab.h"

namespace bridle {

// What one session has of a browser: where its tabs are opened, and how it ends. Immutable; shared by the session and
// the browser's directory of tabs. Four kinds, by whose cookies and storage its tabs use:
//
//   OwnContext       a BrowserContext of the browser, made for this session alone
//   IsolatedContext  the same, beside a session's own; its tabs' ids are handles that can't be guessed
//   SharedContext    the session's part of a kept profile (--user-data-dir), which all sessions share
//   AttachedContext  the session's part of a browser of somebody else's (--cdp-endpoint)
class BrowserContext {
 public:
  virtual ~BrowserContext() = default;
  BrowserContext(const BrowserContext&) = delete;
  BrowserContext& operator=(const BrowserContext&) = delete;

  // The browser's id of the context, or a name of ours for a part of a context that sessions share. Unique either way.
  const std::string& id() const { return id_; }
  // Whether the browser's events name this context with each of its tabs. Where they don't, a tab belongs to the
  // session that opened it [why.shared-profile-owners].
  virtual bool named_by_events() const = 0;
  // The parameters of a command that is meant for this context.
  virtual Json address(Json params) const = 0;
  // Closes what the session had in the browser; `tabs` are its tabs. Posts commands, never waits.
  virtual void dispose(CdpConnection& connection, const std::vector<std::shared_ptr<Tab>>& tabs) const = 0;
  virtual bool has_secret_tab_ids() const { return false; }
  // Whether a tab that nobody asked for belongs to this session if it is the only session.
  virtual bool takes_tabs_without_opener() const { return false; }

 protected:
  explicit BrowserContext(std::string id) : id_(std::move(id)) {}

 private:
  const std::string id_;
};

class OwnContext : public BrowserContext {
 public:
  explicit OwnContext(std::string browser_context_id) : BrowserContext(std::move(browser_context_id)) {}
  bool named_by_events() const override { return true; }
  Json address(Json params) const override;
  void dispose(CdpConnection& connection, const std::vector<std::shared_ptr<Tab>>& tabs) const override;
};

class IsolatedContext final : public OwnContext {
 public:
  using OwnContext::OwnContext;
  bool has_secret_tab_ids() const override { return true; }
};

class SharedContext final : public BrowserContext {
 public:
  SharedContext();
  bool named_by_events() const override { return false; }
  Json address(Json params) const override { return params; }
  void dispose(CdpConnection& connection, const std::vector<std::shared_ptr<Tab>>& tabs) const override;
  // Opened without an opener, by a page (noopener) or by the person at the window.
  bool takes_tabs_without_opener() const override { return true; }
};

class AttachedContext final : public BrowserContext {
 public:
  AttachedContext();
  bool named_by_events() const override { return false; }
  Json address(Json params) const override { return params; }
  // Foreign tabs are let go of and stay open.
  void dispose(CdpConnection& connection, const std::vector<std::shared_ptr<Tab>>& tabs) const override;
};

}  // namespace bridle
