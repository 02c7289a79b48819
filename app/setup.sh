# Sourced by app/run and tests/run: the packages that a build needs, and their installation.

# Debian names; this is the only list.
packages=(
    build-essential cmake ninja-build ccache
    libexpected-dev libfmt-dev libeigen3-dev libtbb-dev libmuparser-dev    # core
    nlohmann-json3-dev libtomlplusplus-dev libyaml-cpp-dev libpugixml-dev zlib1g-dev  # files
    libcli11-dev                                                           # command line
    qt6-l10n-tools                                                         # German: lrelease, lupdate
    qt6-base-dev qt6-svg-dev libqcustomplot-dev libgl-dev                  # window
    libvalijson-dev                                                        # tests, besides Qt Test
)

# Installs what is missing; without rights or apt it lists it and fails.
install_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        printf 'This system has no dpkg. Needed, under their Debian names:\n  %s\n' "${packages[*]}"
        command -v cmake >/dev/null 2>&1 || return 1
        return 0  # perhaps they are there under other names; CMake says what is not
    fi
    local missing=() package
    for package in "${packages[@]}"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            printf 'Missing, and there is no sudo to install them:\n  apt-get install %s\n' "${missing[*]}"
            return 1
        fi
        as_root=(sudo)
    fi
    printf 'Installing: %s\n' "${missing[*]}"
    "${as_root[@]}" apt-get update -q </dev/null || return 1
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" </dev/null
}
