# Sourced by tests/platforms/run.sh: functions that prepare builds for other processors and systems. Only compilers and emulators are installed into
# the system. Libraries are unpacked from Debian packages into a folder under build/.

# private_apt <folder> <debian architecture> <argument>...: runs apt-get with its own package lists, so those of the system do not change.
private_apt() {
    local state=$1 architecture=$2
    shift 2
    apt-get -qq -o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State="$state" -o Dir::State::status="$state/status" \
        -o Dir::Cache="$state/cache" -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" -o APT::Sandbox::User="" "$@"
}

# debian_release: prints the code name, for example bookworm
debian_release() { (source /etc/os-release && echo "${VERSION_CODENAME:-bookworm}"); }

# unpack <folder> <debian architecture> <package>...: unpacks packages into <folder>/root, if that is not done yet. `source:<package>` unpacks the
# source of a package into <folder>/<package>.
unpack() {
    local folder architecture=$2 package names
    folder=$(realpath -m "$1")
    shift 2
    [[ $(cat "$folder/unpacked" 2>/dev/null) == "$*" ]] && return
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/root"
    touch "$folder/status"
    printf '%s http://deb.debian.org/debian %s main\n' deb "$(debian_release)" deb-src "$(debian_release)" >"$folder/sources.list"
    private_apt "$folder" "$architecture" update || return 1
    for package; do
        if [[ $package == source:* ]]; then
            package=${package#source:}
            (cd "$folder" && private_apt "$folder" "$architecture" source --download-only "$package") || return 1
            mkdir -p "$folder/$package"
            tar -xf "$folder/$package"_*.orig.tar.* -C "$folder/$package" --strip-components=1 || return 1
        else
            (cd "$folder" && private_apt "$folder" "$architecture" download "$package") || return 1
            dpkg-deb -x "$folder/${package}"_*.deb "$folder/root" || return 1
        fi
    done
    echo "$*" >"$folder/unpacked"
}

# describe <folder> <package> <version> <compiler flags> <linker flags>: writes a file for pkg-config
describe() {
    mkdir -p "$1/pkgconfig"
    printf 'Name: %s\nDescription: unpacked for a test\nVersion: %s\nCflags: %s\nLibs: %s\n' "$2" "$3" "$4" "$5" >"$1/pkgconfig/$2.pc"
}

# headers_only <folder>: creates links in <folder>/include to the header-only libraries of this system, and describes them for pkg-config.
headers_only() {
    local folder=$1 name
    mkdir -p "$folder/include"
    for name in doctest nlohmann CLI; do ln -sfn "/usr/include/$name" "$folder/include/$name"; done
    describe "$folder" doctest 2.4.9 "-I$folder/include" ""
    describe "$folder" nlohmann_json 3.11 "-I$folder/include" ""
    describe "$folder" CLI11 2.1.2 "-I$folder/include" ""
}

# with_headers_only <folder>: also uses fmt and pugixml as header-only libraries. The source of pugixml must be unpacked in <folder>/pugixml.
with_headers_only() {
    headers_only "$1"
    ln -sfn /usr/include/fmt "$1/include/fmt"
    describe "$1" fmt 9.1.0 "-DFMT_HEADER_ONLY -I$1/include" ""
    describe "$1" pugixml 1.13 "-DPUGIXML_HEADER_ONLY -I$1/pugixml/src" ""
}

# with_unpacked <folder> <folder of libraries>: also describes fmt, pugixml and tbb in <folder>/root
with_unpacked() {
    headers_only "$1"
    describe "$1" fmt 9.1.0 "-isystem $1/root/usr/include" "-L$2 -lfmt"
    describe "$1" pugixml 1.13 "-isystem $1/root/usr/include" "-L$2 -lpugixml"
    describe "$1" tbb 2021.8 "-isystem $1/root/usr/include" "-L$2 -ltbb"
}

# in_quotes <word>...: prints the elements of a meson list: 'a', 'b',
in_quotes() { printf "'%s', " "$@"; }

# cross_file <file> <system> <family> <triplet of the compiler> <suffix of its C++ compiler> <folder with pkgconfig/> <linker argument, or "">
# <command that runs its programs>...
cross_file() {
    local file=$1 system=$2 family=$3 triplet=$4 suffix=$5 folder=$6 link=$7
    shift 7
    mkdir -p "${file%/*}"
    cat >"$file" <<END
[binaries]
cpp = [$(in_quotes $ccache"$triplet-g++$suffix")]
ar = '$triplet-ar'
strip = '$triplet-strip'
pkgconfig = 'pkg-config'
exe_wrapper = [$(in_quotes "$@")]

[built-in options]
cpp_link_args = [${link:+$(in_quotes "$link")}]

[properties]
pkg_config_libdir = '$folder/pkgconfig'
needs_exe_wrapper = true

[host_machine]
system = '$system'
cpu_family = '$family'
cpu = '$family'
endian = 'little'
END
}
