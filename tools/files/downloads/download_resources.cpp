#include "tools/files/downloads/download_resources.h"

#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/text/codecs.h"
#include "base/text/log.h"
#include "base/text/secrets.h"
#include "base/text/text.h"

namespace bridle {
namespace {

namespace fs = std::filesystem;

// Of several extensions the first is the usual one.
constexpr std::pair<std::string_view, std::string_view> kMimeTypes[] = {
    {".pdf", "application/pdf"},
    {".csv", "text/csv"},
    {".txt", "text/plain"},
    {".md", "text/markdown"},
    {".html", "text/html"},
    {".htm", "text/html"},
    {".json", "application/json"},
    {".xml", "application/xml"},
    {".zip", "application/zip"},
    {".gz", "application/gzip"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".jpeg", "image/jpeg"},
    {".gif", "image/gif"},
    {".webp", "image/webp"},
    {".svg", "image/svg+xml"},
    {".mp3", "audio/mpeg"},
    {".mp4", "video/mp4"},
    {".ics", "text/calendar"},
    {".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
};

constexpr const char* kPrefix = "bridle://download/";
constexpr const char* kTemplate = "bridle://download/{id}";
constexpr std::size_t kUrlShown = 200;

std::string in_megabytes(std::size_t bytes) { return std::to_string(bytes / (1024 * 1024)) + " MiB"; }

// The file's own name: the store made it harmless.
std::string name_of(const DownloadStore::Download& download) { return fs::path(download.path).filename().string(); }

Resource as_resource(const DownloadStore::Download& download) {
  const auto name = name_of(download);
  std::string description =
      "Downloaded from " + loggable(hide_in_url(download.url), kUrlShown) + ", kept as " + download.path;
  if (download.received > kDownloadResourceBytes) {
    description += "; too large to be read as a resource (more than " + in_megabytes(kDownloadResourceBytes) + ")";
  }
  return {.uri = kPrefix + download.id,
          .name = name,
          .title = "Download",
          .description = std::move(description),
          .mime_type = mime_type_of(name),
          .size = static_cast<long>(download.received)};
}

std::string content_of(const CallContext& ctx, const fs::path& path, const std::string& name) {
  std::ifstream file(path, std::ios::binary);
  std::string content;
  std::array<char, 256 * 1024> part{};
  while (file) {
    ctx.signal.throw_if_aborted();
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    content.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (content.size() > kDownloadResourceBytes) {
      throw ToolError(name + " has more than the " + in_megabytes(kDownloadResourceBytes) +
                      " that a resource may have. Read the file itself: " + path.string());
    }
  }
  if (file.bad()) throw ToolError(name + " could not be read from " + path.string() + ".");
  return content;
}

std::vector<Content> read_download(ToolContext& ctx, const DownloadStore& store, const std::string& uri,
                                   const std::string& id) {
  const auto download = store.find(id, ctx.scope.get());
  if (!download) {
    throw ResourceNotFound("There is no such download. resources/list names those of your tabs that are kept.");
  }
  const auto name = name_of(*download);
  fs::path path;
  try {
    path = download->files->upload(download->path);  // judged anew: what lies there may have changed
  } catch (const ToolError&) {
    throw ResourceNotFound(name + " is no longer where it was kept (" + download->path + ").");
  }
  return {{.kind = Content::Kind::resource,
           .data = base64(content_of(ctx.call, path, name)),
           .mime_type = mime_type_of(name),
           .uri = uri}};
}

}  // namespace

void add_download_resources(Catalogue& catalogue, const std::shared_ptr<DownloadStore>& store) {
  catalogue.add(ResourceTemplate{
      .uri_template = kTemplate,
      .name = "download",
      .title = "Download",
      .description = "A file that a page of yours downloaded, up to " + in_megabytes(kDownloadResourceBytes) +
                     "; resources/list has the ids",
      .read = [store](ToolContext& ctx, const std::string& uri,
                      const UriVariables& variables) { return read_download(ctx, *store, uri, variables.at("id")); },
      .list =
          [store](ToolScope& scope) {
            std::vector<Resource> all;
            for (const auto& download : store->kept(&scope)) {
              if (download.listed) all.push_back(as_resource(download));
            }
            return all;
          }});
  catalogue.resources_change = true;
  store->on_kept = [&catalogue](const DownloadStore::Download& download) {
    if (download.listed && catalogue.list_changed) catalogue.list_changed("resources", download.owner_address);
  };
}

Content download_link(const DownloadStore::Download& download) {
  const auto name = name_of(download);
  return {.kind = Content::Kind::resource_link,
          .mime_type = mime_type_of(name),
          .uri = kPrefix + download.id,
          .name = name,
          .size = static_cast<long>(download.received)};
}

std::string mime_type_of(const std::string& filename) {
  const std::string extension = lower(fs::path(filename).extension().string());
  for (const auto& [known, type] : kMimeTypes) {
    if (extension == known) return std::string(type);
  }
  return "application/octet-stream";
}

std::string extension_of(const std::string& mime_type) {
  for (const auto& [extension, known] : kMimeTypes) {
    if (mime_type == known) return std::string(extension);
  }
  return ".bin";
}

}  // namespace bridle
