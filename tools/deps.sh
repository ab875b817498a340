#!/bin/sh
# deps.sh GROUP... installs the Debian packages that a make target needs and that
# are missing: with apt when this user may, otherwise it prints the one line to
# run and stops.
#
# Groups: build (window and OpenGL headers), show (virtual display and software
# OpenGL, wanted only where there is no display), test (what the tests use
# besides), maps (fetching real maps).
set -eu

want=""
for group in "$@"; do
	case $group in
	build) want="$want gcc libc6-dev pkg-config libgl1-mesa-dev libx11-dev libxrandr-dev libxinerama-dev libxcursor-dev libxi-dev libxxf86vm-dev libgl1-mesa-dri" ;;
	show) want="$want xvfb xauth libgl1-mesa-dri" ;;
	test) want="$want xvfb xauth libgl1-mesa-dri xdotool qemu-user procps python3 python3-grpcio python3-protobuf" ;;
	maps) want="$want ca-certificates" ;;
	*) echo "deps.sh: unknown group $group (build, show, test, maps)" >&2; exit 2 ;;
	esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "deps: this is no Debian system; the packages wanted are:$want" >&2
	exit 0
fi

missing=""
for p in $want; do
	dpkg-query -W -f='${Status}\n' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0

as=""
if [ "$(id -u)" != 0 ]; then
	if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
		as="sudo -n"
	else
		echo "deps: packages are missing. Run this line, then try again:" >&2
		echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
		exit 1
	fi
fi
echo "deps: installing$missing"
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
$as apt-get update -qq
# shellcheck disable=SC2086
$as apt-get install -y -qq --no-install-recommends $missing >/dev/null
