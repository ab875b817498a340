#!/bin/sh
# realmaps.sh [PACKAGE...] fetches Debian packages that hold real maps, by default
# openarena-oacmp1 (33 MB: 13 compiled maps with their sources), and unpacks them
# into assets/realmaps/PACKAGE without installing anything. What is there already
# is kept. The data is GPL and is never committed; `assets/` is ignored by git.
#
# Others of use: openarena-data (shader scripts of the common textures),
# openarena-081-textures, openarena-081-maps.
set -eu

[ "$#" -gt 0 ] || set -- openarena-oacmp1
root=$(cd "$(dirname "$0")/.." && pwd)
dest=$root/assets/realmaps

for tool in apt-get dpkg-deb; do
	command -v "$tool" >/dev/null 2>&1 || { echo "realmaps: $tool is missing: this needs Debian or a relative of it" >&2; exit 1; }
done

mkdir -p "$dest"
for package in "$@"; do
	case $package in
	*[!a-z0-9.+-]* | "" | -*) echo "realmaps: $package is no package name" >&2; exit 2 ;;
	esac
	if [ -d "$dest/$package" ]; then
		echo "realmaps: $package is there already"
		continue
	fi
	tmp=$(mktemp -d "$dest/.fetch.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT INT TERM
	if ! (cd "$tmp" && apt-get download -qq "$package" 2>err); then
		cat "$tmp/err" >&2
		echo "realmaps: $package could not be fetched. If its name is not known: sudo apt-get update" >&2
		exit 1
	fi
	dpkg-deb -x "$tmp"/*.deb "$tmp/x"
	mv "$tmp/x" "$dest/$package"
	rm -rf "$tmp"
	trap - EXIT INT TERM
	echo "realmaps: $package is in assets/realmaps/$package"
done
