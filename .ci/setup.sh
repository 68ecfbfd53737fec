# Sourced by tests/run.sh and samples/run.sh: installs what is missing, and configures build folders.

if command -v apt-get >/dev/null; then
    # Prefer Debian's tools: a meson or python3 from pip or pyenv may be broken.
    PATH=/usr/bin:$PATH
fi

as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# install_missing <package>...
install_missing() {
    command -v apt-get >/dev/null || return 0 # not Debian: meson reports missing packages
    local package missing=()
    for package; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    echo "== installing ${missing[*]}" >&2
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq -y --no-install-recommends "${missing[@]}" </dev/null >/dev/null
}

# configure <folder> <c++ compiler> <meson option>...: does nothing if the folder is already configured like this.
configure() {
    local folder=$1 compiler=$2 wanted="$PWD: $*"
    shift 2
    [[ -f $folder/build.ninja && $(cat "$folder/configured_as" 2>/dev/null) == "$wanted" ]] && return
    rm -rf "$folder"
    mkdir -p "$folder"
    CXX=$compiler meson setup "$folder" "$@" >"$folder/setup.log" || { cat "$folder/setup.log" && return 1; }
    echo "$wanted" >"$folder/configured_as"
}

# build <folder> [target]...
build() {
    ninja --quiet -C "$@" | sed '/^ninja: no work to do/d'
}

basic_packages=(g++ meson ninja-build pkg-config cmake libfmt-dev)
