#!/bin/sh
# Runs every fuzz target in turn: those that read packets for FUZZTIME (10m), the
# others for FUZZOTHER (2m). FUZZ narrows them to names that match; PARALLEL is how
# many workers each has. Stops at the first failure, whose input go test has put
# into testdata/fuzz.
set -eu
cd "$(dirname "$0")/.."
: "${GO:=go}" "${FUZZTIME:=10m}" "${FUZZOTHER:=2m}" "${FUZZ:=.}" "${PARALLEL:=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}"

# $1 folder, $2 target, $3 how long
run() {
	printf '%-24s %-14s %5s  ' "$1" "$2" "$3"
	out=$($GO test "./$1" -run '^$' -fuzz "^$2\$" -fuzztime "$3" -fuzzminimizetime 20x -parallel "$PARALLEL" 2>&1) || {
		echo "FAILED"
		echo "$out"
		exit 1
	}
	echo "$out" | sed -n 's/^fuzz: elapsed: .*, execs: \([0-9]*\) .*(total: \([0-9]*\))$/\1 executions, \2 inputs/p' | tail -n 1
}

grep -rl --include='*_test.go' '^func Fuzz' engine examples game net plugins render tools 2>/dev/null | sort | while read -r file; do
	dir=$(dirname "$file")
	for name in $(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(.*/\1/p' "$file"); do
		echo "$dir $name" | grep -q -e "$FUZZ" || continue
		case "$dir $name" in
		"net/handshake FuzzText") run "$dir" "$name" "$FUZZOTHER" ;; # what people hand around
		net/*|"engine/server FuzzPacket"|"engine/scenario "*) run "$dir" "$name" "$FUZZTIME" ;;
		*) run "$dir" "$name" "$FUZZOTHER" ;;
		esac
	done
done
