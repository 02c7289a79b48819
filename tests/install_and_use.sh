#!/usr/bin/env bash
# install_and_use.sh BUILD SOURCE: installs the engine into a folder of its own, builds the example against nothing but that, runs it.
set -eu
build=$1 source=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cmake --install "$build" --prefix "$place/prefix" --component development >/dev/null
cmake -G Ninja -S "$source/examples/step_time" -B "$place/build" -DCMAKE_PREFIX_PATH="$place/prefix" >/dev/null
cmake --build "$place/build" >/dev/null
out=$("$place/build/step_time" "$source/presets/scenarios/dgx-h100-llama-70b.trainyard.json")
echo "$out"
[[ $out =~ ^"Llama 3.1 70B on 16 DGX H100: "[0-9]+\.[0-9]+" s per step"$ ]]
# A schedule that nobody names must be in the library, too.
sed 's/"1f1b"/"zb-h1"/' "$source/presets/scenarios/dgx-h100-llama-70b.trainyard.json" | "$place/build/step_time" >/dev/null
# Bad input ends with a sentence and status 1.
if "$place/build/step_time" /nowhere.json 2>"$place/errors"; then exit 1; fi
grep -q nowhere.json "$place/errors"
# The headers do not reach outside the installed folder: the example's objects name no file of the source tree.
! grep -rqF "$source/core" "$place/build" --include=*.d
