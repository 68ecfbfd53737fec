# Sourced by tests/run.sh --platforms [platform]...: runs the tests with other compilers, standard libraries, processors and systems. Each platform
# installs the packages that it needs. If that fails, it is skipped with the reason. HSM_PLATFORM_OPTIONS are additional options for meson.
# HSM_CCACHE=1 compiles through ccache.
source tests/platforms/foreign.sh

ccache=
if [[ ${HSM_CCACHE-} ]]; then ccache="ccache "; fi
foreign=$PWD/build/foreign
# Without optimization, compiling takes a third of the time. long_programs compiles ops at each optimization level.
platform_options=(-Doptimization=0 -Ddebug=false ${HSM_PLATFORM_OPTIONS-})
constant_charts=0
skip=structure # these tests check sources, or start the compiler themselves

# skip_platform <name> <why>
skip_platform() {
    echo "== $1"
    echo "skipped: $2"
    runs+=("$1")
    mkdir -p "build/$1/meson-logs"
    printf '{"name": "%s", "result": "SKIP", "stdout": "skipped: %s"}\n' "$1" "$2" >"build/$1/meson-logs/testlog.json"
}

# can_install <platform> <package>...: installs packages. If that fails, the platform is skipped.
can_install() {
    local name=$1
    shift
    install_missing "$@" && return
    skip_platform "$name" "$* cannot be installed here"
    return 1
}

# can_unpack <platform> <folder> <architecture> <package>...: unpacks packages. If that fails, the platform is skipped.
can_unpack() {
    local name=$1 log=build/$1.unpack.log
    shift
    mkdir -p build
    unpack "$@" >"$log" 2>&1 && return
    tail -n 3 "$log"
    skip_platform "$name" "Debian packages cannot be unpacked into $1"
    return 1
}

# Emulated tests take more than ten times as long.
run_emulated() { HSM_EMULATED=1 HSM_CHARTS=50 HSM_OPERATIONS=20000 options="--timeout-multiplier=20" run_suite "$@"; }

platform_portable() { run_suite portable "${ccache}g++" "${platform_options[@]}" -Dportable=true --werror; }

platform_shared() {
    run_suite shared "${ccache}g++" "${platform_options[@]}" -Ddefault_library=shared --werror
    run_script shared_symbols shared_symbols tests/platforms/shared_symbols.sh build/shared/hsm build/shared/meson-private
    run_script shared_cmake shared_cmake tests/platforms/shared_cmake.sh "${ccache}g++"
}

platform_assertions() { run_script assertions assertions tests/platforms/assertions.sh "${ccache}g++"; }

platform_clang19() {
    can_install clang19 clang-19 || return 0
    run_suite clang19 "${ccache}clang++-19" "${platform_options[@]}" --werror
}

# libc++ 19 is unpacked, because installing it would replace older versions. Other libraries of Debian are built with libstdc++, so their sources are
# compiled into hsm.
platform_libc++() {
    can_install libc++ clang-19 || return 0
    local folder=$foreign/libc++
    can_unpack libc++ "$folder" amd64 libc++-19-dev libc++1-19 libc++abi-19-dev libc++abi1-19 libunwind-19 source:pugixml || return 0
    local headers=$folder/root/usr/lib/llvm-19/include/c++/v1 libraries=$folder/root/usr/lib/x86_64-linux-gnu
    with_headers_only "$folder"
    cat >"$foreign/libc++.txt" <<END
[binaries]
cpp = [$(in_quotes ${ccache}clang++-19)]
pkgconfig = 'pkg-config'

[built-in options]
cpp_args = ['-nostdinc++', '-isystem', '$headers']
cpp_link_args = ['-nostdlib++', '-L$libraries', '-Wl,-rpath,$libraries', '-l:libc++.so.1', '-l:libc++abi.so.1']

[properties]
pkg_config_libdir = '$folder/pkgconfig'
END
    run_suite libc++ clang++-19 --native-file "$foreign/libc++.txt" "${platform_options[@]}" -Dtbb=disabled
}

platform_aarch64() {
    can_install aarch64 g++-aarch64-linux-gnu qemu-user || return 0
    local folder=$foreign/arm64
    can_unpack aarch64 "$folder" arm64 libfmt-dev libfmt9 libpugixml-dev libpugixml1v5 libtbb-dev libtbb12 libtbbmalloc2 || return 0
    local libraries=$folder/root/usr/lib/aarch64-linux-gnu
    with_unpacked "$folder" "$libraries"
    cross_file "$foreign/arm64.txt" linux aarch64 aarch64-linux-gnu "" "$folder" "-Wl,-rpath-link,$libraries" \
        qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$libraries"
    run_emulated aarch64 g++ --cross-file "$foreign/arm64.txt" "${platform_options[@]}"
}

platform_mingw() {
    can_install mingw g++-mingw-w64-x86-64-posix wine wine64 || return 0
    local folder=$foreign/mingw
    can_unpack mingw "$folder" amd64 source:pugixml || return 0
    with_headers_only "$folder"
    cross_file "$foreign/mingw.txt" windows x86_64 x86_64-w64-mingw32 -posix "$folder" -static \
        env "WINEPREFIX=$folder/wine" WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= wine
    run_emulated mingw g++ --cross-file "$foreign/mingw.txt" "${platform_options[@]}"
}

# The processor is not supported: compiling a header must print the reason.
platform_i386() {
    can_install i386 g++-i686-linux-gnu || return 0
    run_script i386 refused tests/platforms/refused.sh i686-linux-gnu-g++ "hsm: hsm requires a 64-bit processor"
}

# Runs in a root of Debian 13, which contains g++ 13.
platform_g++13() {
    local result=0 log=build/g++13.log
    echo "== g++13"
    mkdir -p build
    rm -rf build/g++13
    tests/platforms/next_debian.sh build/g++13 g++-13 >"$log" 2>&1 || result=$?
    if ((result == 77)); then
        skip_platform g++13 "a root of Debian 13 cannot be created: $(tail -n 1 "$log" | tr -d '"\\')"
        return
    fi
    runs+=(g++13)
    ((result == 0)) || { status=1 && tail -n 40 "$log"; }
    [[ -s build/g++13/meson-logs/testlog.json ]] || { mkdir -p build/g++13/meson-logs && echo '{"name": "build", "result": "FAIL"}' >build/g++13/meson-logs/testlog.json; }
}

platform_consumers() { run_script consumers consumers tests/platforms/consumers.sh && tail -n 12 build/consumers.log; }

platforms=(portable shared assertions clang19 libc++ aarch64 mingw i386 g++13 consumers)

run_platforms() {
    local name chosen=("$@")
    ((${#chosen[@]})) || chosen=("${platforms[@]}")
    for name in "${chosen[@]}"; do
        declare -F "platform_$name" >/dev/null || { echo "unknown platform $name; the platforms are: ${platforms[*]}" && return 1; }
    done
    for name in "${chosen[@]}"; do "platform_$name"; done
}
