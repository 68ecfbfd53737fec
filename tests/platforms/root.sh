# Sourced by scripts that need an empty Debian 12. Needs root, debootstrap and a mirror.

# needs_root: ends the script as skipped if it does not run as root.
needs_root() {
    if ((EUID != 0)); then echo "skipped: it needs root" && exit 77; fi
    install_missing debootstrap
}

# empty_root <folder>: unpacks an empty Debian 12, which is stored in build/platforms.
empty_root() {
    local kept=build/platforms/bookworm.tar
    if [[ ! -s $kept ]]; then
        mkdir -p build/platforms
        local made
        made=$(mktemp -d)
        debootstrap --variant=minbase bookworm "$made" http://deb.debian.org/debian >"$kept.log" 2>&1 || { cat "$kept.log" && return 1; }
        tar -C "$made" --exclude=./proc/* --exclude=./sys/* --exclude=./dev/* -cf "$kept.part" . && mv "$kept.part" "$kept"
        rm -rf "$made"
    fi
    mkdir -p "$1"
    chmod 755 "$1" # apt downloads as another user
    tar -C "$1" -xf "$kept"
    mkdir -p "$1/dev" "$1/proc" "$1/sys"
    local device
    for device in null zero full random urandom tty; do cp -a "/dev/$device" "$1/dev/"; done
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    # Prevents the start of services, and speeds up dpkg.
    printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d" && chmod +x "$1/usr/sbin/policy-rc.d"
    echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/fast"
}

# in_root <folder> <script>: runs the script in that root, in /. If it fails, prints its last lines.
in_root() {
    local root=$1
    printf 'set -eux\nexport DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8\n%s\n' "$2" >"$root/follow.sh"
    chroot "$root" /bin/bash -c "cd / && bash /follow.sh" >"$root/log" 2>&1 </dev/null || { tail -n 40 "$root/log" && return 1; }
}
