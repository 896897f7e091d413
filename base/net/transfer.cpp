#include "base/net/transfer.h"

#include <curl/curl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "base/concurrency/wake_fd.h"
#include "base/text/codecs.h"
#include "base/text/text.h"

namespace bridle::net {
namespace {

using Easy = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Multi = std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)>;
using List = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;
using Kind = TransferError::Kind;

[[noreturn]] void throw_unusable() { throw TransferError(Kind::unreachable, "libcurl can't be used on this system"); }

// libcurl's own start-up, once a process.
void init_curl() {
  static const bool kReady = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!kReady) throw_unusable();
}

std::string part(CURLU* url, CURLUPart what, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, what, &text, flags) != CURLUE_OK) return {};
  std::string out(text);
  curl_free(text);
  return out;
}

Easy make_easy(const std::string& url, Millis connect, bool through_proxy) {
  init_curl();
  Easy easy(curl_easy_init(), curl_easy_cleanup);
  if (!easy) throw_unusable();
  curl_easy_setopt(easy.get(), CURLOPT_URL, url.c_str());
  if (const auto parts = parse_url(url); !through_proxy || !parts || is_loopback(*parts)) {
    curl_easy_setopt(easy.get(), CURLOPT_PROXY, "");
  }
  curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  // A name that is being looked up would hold an abort until the resolver answers.
  curl_easy_setopt(easy.get(), CURLOPT_QUICK_EXIT, 1L);
#endif
  curl_easy_setopt(easy.get(), CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect.count()));
  return easy;
}

TransferError error_of(CURLcode code, const std::string& details) {
  const std::string words = details.empty() ? curl_easy_strerror(code) : details;
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return {Kind::timeout, words};
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {Kind::cut, words};
    default:
      return {Kind::unreachable, words};
  }
}

// One transfer under way: what libcurl's callbacks are given. They may not throw through C, so what the caller's
// callbacks throw is kept until the transfer has been taken down.
class Transfer {
 public:
  Transfer(const Request& request, const std::function<void(const Head&)>& on_head,
           const std::function<void(std::string_view)>& on_body)
      : request_(request),
        on_head_(on_head),
        on_body_(on_body),
        easy_(make_easy(request.url, request.connect, request.through_proxy)),
        multi_(curl_multi_init(), curl_multi_cleanup),
        headers_(nullptr, curl_slist_free_all) {
    if (!multi_) throw_unusable();
    for (const auto& header : request.headers) add_header(header);
    set(CURLOPT_ERRORBUFFER, details_.data());
    set(CURLOPT_HEADERFUNCTION, &Transfer::take_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &Transfer::take_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_PREREQFUNCTION, &Transfer::on_connected);
    set(CURLOPT_PREREQDATA, this);
    if (!request.method.empty()) set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    if (request.body) {
      append("Expect:");  // left out: libcurl's own 100-continue costs a second with servers that don't know it
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body->size()));
      set(CURLOPT_POSTFIELDS, request.body->data());
    }
    set(CURLOPT_HTTPHEADER, headers_.get());
    curl_multi_add_handle(multi_.get(), easy_.get());
  }
  ~Transfer() { curl_multi_remove_handle(multi_.get(), easy_.get()); }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  Head run(const CallContext& ctx) {
    // curl_multi_wakeup only writes to a pipe, so that an abort's callback may call it.
    const AbortCallback on_abort(ctx.signal, [multi = multi_.get()] { curl_multi_wakeup(multi); });
    due_ = Deadline::after(request_.connect + request_.first_byte);
    for (;;) {
      ctx.signal.throw_if_aborted();
      int running = 0;
      const auto step = curl_multi_perform(multi_.get(), &running);
      ctx.signal.throw_if_aborted();
      if (failure_) std::rethrow_exception(failure_);
      if (too_large_) throw TransferError(Kind::too_large, "its answer is too large");
      if (step != CURLM_OK) throw TransferError(Kind::unreachable, curl_multi_strerror(step));
      if (running == 0) return finish();
      const auto due = due_.earlier(ctx.deadline);
      if (due.expired()) throw TransferError(Kind::timeout, words_of_timeout(ctx));
      const auto wait = std::min(due.remaining(), Millis(60'000));
      curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(wait.count()), nullptr);
    }
  }

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(easy_.get(), option, value);
  }

  void add_header(const std::string& header) {
    // curl takes a header that has nothing behind its colon for one to leave out, and "Name;" for one without a value.
    const auto bare = trimmed(header);
    const bool valueless = bare.ends_with(':') && bare.find(':') == bare.size() - 1;
    append(valueless ? std::string(bare.substr(0, bare.size() - 1)) + ";" : header);
  }

  // A line as curl takes it.
  void append(const std::string& line) {
    auto* longer = curl_slist_append(headers_.get(), line.c_str());
    if (longer == nullptr) throw_unusable();
    static_cast<void>(headers_.release());
    headers_.reset(longer);
  }

  std::string words_of_timeout(const CallContext& ctx) const {
    if (ctx.deadline.expired()) return "the time for it was over";
    const auto seconds = [](Millis time) { return std::to_string((time.count() + 500) / 1000) + " s"; };
    if (head_told_) return "it sent nothing for " + seconds(request_.idle);
    return "it began no answer within " + seconds(request_.first_byte);
  }

  Head finish() {
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(multi_.get(), &left);
    const CURLcode code = message == nullptr ? CURLE_GOT_NOTHING : message->data.result;
    if (code != CURLE_OK) throw error_of(code, details_.data());
    return std::move(head_);
  }

  // The time for the first byte begins with the request, whatever the connection has left of its own.
  static int on_connected(void* self, char*, char*, int, int) {
    auto& transfer = *static_cast<Transfer*>(self);
    transfer.due_ = Deadline::after(transfer.request_.first_byte);
    return CURL_PREREQFUNC_OK;
  }

  static std::size_t take_header(char* data, std::size_t, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->guarded(
        size, [&](Transfer& transfer) { transfer.on_header_line(trimmed(std::string_view(data, size), "\r\n")); });
  }

  static std::size_t take_body(char* data, std::size_t, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->guarded(size, [&](Transfer& transfer) {
      transfer.received_ += size;
      transfer.too_large_ = transfer.received_ > transfer.request_.largest;
      if (!transfer.too_large_) transfer.on_body_(std::string_view(data, size));
    });
  }

  // What the callback returns to libcurl: another number than `size` ends the transfer.
  template <typename Work>
  std::size_t guarded(std::size_t size, const Work& work) noexcept {
    try {
      due_ = Deadline::after(request_.idle);
      work(*this);
      return too_large_ ? CURL_WRITEFUNC_ERROR : size;
    } catch (...) {
      failure_ = std::current_exception();
      return CURL_WRITEFUNC_ERROR;
    }
  }

  // The status line, a header, or the blank line that ends the head. A 1xx head is followed by another.
  void on_header_line(std::string_view line) {
    if (head_told_) return;  // a trailer
    if (line.starts_with("HTTP/")) {
      head_ = {};
    } else if (!line.empty()) {
      head_.headers.emplace_back(line);
    } else {
      long status = 0;
      curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
      if (status < 200) return;
      head_.status = static_cast<int>(status);
      head_told_ = true;
      on_head_(head_);
    }
  }

  const Request& request_;
  const std::function<void(const Head&)>& on_head_;
  const std::function<void(std::string_view)>& on_body_;
  const Easy easy_;
  const Multi multi_;
  List headers_;
  std::array<char, CURL_ERROR_SIZE> details_{};
  Head head_{};
  bool head_told_ = false;
  std::size_t received_ = 0;
  bool too_large_ = false;
  std::exception_ptr failure_{};
  Deadline due_ = Deadline::none();
};

int stop_on_abort(void* signal, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const AbortSignal*>(signal)->aborted() ? 1 : 0;
}

}  // namespace

std::string UrlParts::authorization() const {
  return user.empty() ? std::string() : "Basic " + base64(user + ":" + password);
}

std::optional<UrlParts> parse_url(const std::string& text) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), curl_url_cleanup);
  if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK) return std::nullopt;
  UrlParts parts;
  parts.scheme = part(url.get(), CURLUPART_SCHEME);
  parts.host = part(url.get(), CURLUPART_HOST);
  if (parts.host.empty()) return std::nullopt;
  parts.host_and_port = parts.host;
  if (const auto port = part(url.get(), CURLUPART_PORT); !port.empty()) parts.host_and_port += ":" + port;
  parts.target = part(url.get(), CURLUPART_PATH);
  if (parts.target.empty()) parts.target = "/";
  if (const auto query = part(url.get(), CURLUPART_QUERY); !query.empty()) parts.target += "?" + query;
  parts.user = part(url.get(), CURLUPART_USER, CURLU_URLDECODE);
  parts.password = part(url.get(), CURLUPART_PASSWORD, CURLU_URLDECODE);
  return parts;
}

std::optional<std::int64_t> parse_date(const std::string& text) {
  const auto seconds = curl_getdate(text.c_str(), nullptr);
  return seconds < 0 ? std::nullopt : std::optional<std::int64_t>(seconds);
}

bool is_loopback(const UrlParts& url) {
  return url.host == "[::1]" || equals_ignoring_case(url.host, "localhost") ||
         (url.host.starts_with("127.") && url.host.find_first_not_of("0123456789.") == std::string::npos);
}

std::string_view Head::header(std::string_view name) const {
  for (std::string_view line : headers) {
    const auto key = take_until(line, ':');
    if (equals_ignoring_case(key, name)) return trimmed(line, " \t");
  }
  return {};
}

Head transfer(const CallContext& ctx, const Request& request, const std::function<void(const Head&)>& on_head,
              const std::function<void(std::string_view)>& on_body) {
  Transfer under_way(request, on_head, on_body);
  return under_way.run(ctx);
}

Answer fetch(const CallContext& ctx, const Request& request) {
  Answer answer;
  answer.head = transfer(
      ctx, request, [](const Head&) {}, [&](std::string_view piece) { answer.body += piece; });
  return answer;
}

struct Connection::Handle {
  explicit Handle(Easy made) : easy(std::move(made)) {}
  const Easy easy;
  curl_socket_t socket = -1;
};

Connection::Connection(const CallContext& ctx, const std::string& url, Millis connect)
    : handle_(std::make_unique<Handle>(make_easy(url, connect, false))) {
  CURL* easy = handle_->easy.get();
  curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  // The socket is the caller's after this: HTTP/2 must not be agreed on.
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, stop_on_abort);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, &ctx.signal);
  const CURLcode code = curl_easy_perform(easy);
  ctx.signal.throw_if_aborted();
  if (code != CURLE_OK) throw error_of(code, {});
  curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &handle_->socket);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L);  // the signal doesn't outlive this call
}

Connection::~Connection() = default;

int Connection::socket() const { return static_cast<int>(handle_->socket); }

long Connection::send(std::string_view bytes) {
  std::size_t sent = 0;
  const CURLcode code = curl_easy_send(handle_->easy.get(), bytes.data(), bytes.size(), &sent);
  if (code == CURLE_AGAIN) return 0;
  return code == CURLE_OK ? static_cast<long>(sent) : -1;
}

long Connection::receive(char* into, std::size_t size) {
  std::size_t got = 0;
  const CURLcode code = curl_easy_recv(handle_->easy.get(), into, size, &got);
  if (code == CURLE_AGAIN) return 0;
  return code == CURLE_OK && got > 0 ? static_cast<long>(got) : -1;
}

bool Connection::await(const CallContext& ctx, short events) const {
  const WakeFd aborted;
  const AbortCallback on_abort(ctx.signal, [&aborted] { aborted.wake(); });
  std::array<pollfd, 2> fds{pollfd{socket(), events, 0}, pollfd{aborted.get(), POLLIN, 0}};
  const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(ctx.deadline.remaining().count()));
  ctx.signal.throw_if_aborted();
  return ready > 0;
}

}  // namespace bridle::net
