#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tools/contract/catalogue.h"
#include "tools/files/downloads/downloads.h"

// What pages downloaded, as resources: bridle://download/{id}, for the caller whose tab it was [wire.resources].
namespace bridle {

// A resource is read whole into memory and sent as base64; larger files are named by their path alone
// [why.download-resources].
inline constexpr std::size_t kDownloadResourceBytes = 10 * 1024 * 1024;

// Adds the template and, in resources/list, each file that is there. The store tells the catalogue of each that
// arrives: the catalogue, and the server that it tells, outlive the store's close(). A read waits for the disk alone.
void add_download_resources(Catalogue& catalogue, const std::shared_ptr<DownloadStore>& store);

// The resource of a download that is done, for the result that tells of it.
Content download_link(const DownloadStore::Download& download);

// By the name's extension; application/octet-stream for what isn't known.
std::string mime_type_of(const std::string& filename);
// The usual extension of a type, with its dot; .bin of what isn't known.
std::string extension_of(const std::string& mime_type);

}  // namespace bridle
