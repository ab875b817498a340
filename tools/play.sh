#!/bin/sh
# play.sh MAP ASSETS SECONDS [ARG...] runs bin/arena: in a window where there is a
# display, otherwise for SECONDS under a virtual framebuffer with a bot at the
# local player's controls, leaving out/play.png and a summary. JOIN=host:port in
# the environment joins that server instead of starting one.
set -eu
map=$1 assets=$2 seconds=$3
shift 3
set -- -plugins bin "$@"
if [ -n "${JOIN:-}" ]; then
	set -- -join "$JOIN" "$@"
else
	set -- -map "$map" "$@"
fi
[ -n "$assets" ] && set -- -assets "$assets" "$@"
if [ -n "${DISPLAY:-}" ]; then
	exec bin/arena "$@"
fi
mkdir -p out
exec xvfb-run -a -s '-screen 0 1280x720x24 -noreset' bin/arena -autoplay -seconds "$seconds" -screenshot out/play.png "$@"
