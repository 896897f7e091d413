# shellcheck shell=bash disable=SC2034
# What ./run and ./test share: Debian packages, and builds that a second process waits for. Sourced, not run. Whatever
# is said goes to stderr.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(build-essential g++ cmake ninja-build pkg-config libcpp-httplib-dev nlohmann-json3-dev
  libcurl4-openssl-dev libssl-dev libwslay-dev libspdlog-dev libcli11-dev chromium)

say() { printf '%s\n' "$*" >&2; }
die() {
  say "${0##*/}: $*"
  exit 1
}

# Those of the named Debian packages that aren't installed.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  local package
  for package in "$@"; do
    grep -qx "installed $package" <<<"$installed" || printf '%s\n' "$package"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs those of the named Debian packages that are missing.
need_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "This is no Debian: I assume that these are installed by other means: $*"
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    die "these packages are missing, and there is neither root nor sudo to install them. As root:
  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "Installing from Debian: ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get)
  as_root "${apt[@]}" -qq update </dev/null >&2 || die "apt-get update failed"
  as_root "${apt[@]}" -qq -y --no-install-recommends install "${missing[@]}" </dev/null >&2 ||
    die "apt-get could not install: ${missing[*]}"
}

# As many compilers as there are processors, and a GiB of memory for each.
jobs() {
  local processors gib
  processors=$(nproc)
  gib=$(awk '/^MemAvailable:/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo "$processors")
  [ "$gib" -ge 1 ] || gib=1
  echo $((processors < gib ? processors : gib))
}

# build_tree FOLDER "TARGET..." [cmake argument...]: configures the folder where that hasn't been done (ninja does it
# again when a CMakeLists.txt changes), and builds the targets. A second process waits for the first.
build_tree() (
  folder=$1 targets=$2
  shift 2
  mkdir -p "$folder"
  exec 9>"$folder/.lock"
  flock 9
  if [ ! -e "$folder/build.ninja" ]; then
    # What cmake says matters only when it fails.
    # Sixteen sources at a time: their headers are parsed and their templates instantiated once, which is most of the time.
    said=$(cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 "$@" </dev/null 2>&1) || {
      say "$said"
      rm -f "$folder/CMakeCache.txt"
      return 1
    }
  fi
  # Up to date is not worth a word. The sed takes the terminal away from ninja, so the first build does without.
  # shellcheck disable=SC2086
  if [ -n "${brief_build:-}" ]; then
    ninja -C "$folder" -j "$(jobs)" $targets </dev/null 2>&1 |
      sed -u '/^ninja: no work to do/d; /^ninja: Entering/d; /Re-checking globbed/d' >&2
  else
    ninja -C "$folder" -j "$(jobs)" $targets </dev/null >&2
  fi
)
