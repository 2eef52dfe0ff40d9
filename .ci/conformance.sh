#!/usr/bin/env bash
# Judges a bank with several shards side by side and draws one verdict from what they saw.
# SHARDS says how many (3); the bank and the credentials are named as for `npm run conformance`.
# FAIL_ON, KNOWN and BASELINE, if they are set, hold for the gate.
# Without BASE_URL nothing is judged, unless `--embedded` says that it is the embedded bank which is meant.
# Ends with the exit status of the gate: 0 passed, 1 findings, 2 inconclusive or configuration, 3 the suite broke.
set -uo pipefail
cd "$(dirname "$0")/.."

if [ -z "${BASE_URL:-}" ] && [ "${1:-}" != --embedded ]; then
  echo 'BASE_URL is not set: name the bank to judge, or say --embedded to judge the reference bank of the suite.' >&2
  exit 2
fi
shards=${SHARDS:-3}
export SEED=${SEED:-$(($(date +%s) % 2147483647))}
blobs=$(mktemp -d)
trap 'rm -rf "$blobs"' EXIT

pids=()
# A job that is cancelled leaves no shard behind that sends on; each of them writes what it saw until then.
trap '[ "${#pids[@]}" -eq 0 ] || kill "${pids[@]}" 2>/dev/null; wait' INT TERM
for shard in $(seq "$shards"); do
  PLAYWRIGHT_BLOB_OUTPUT_FILE="$blobs/report-$shard.zip" REPORT_DIR="$blobs/$shard" \
    node_modules/.bin/playwright test --project=conformance --shard="$shard/$shards" --reporter=blob &
  pids+=($!)
done
broken=0
for pid in "${pids[@]}"; do
  wait "$pid"
  case $? in 0) ;; 2) [ "$broken" -eq 3 ] || broken=2 ;; *) broken=3 ;; esac
done

mkdir "$blobs/all"
if ! mv "$blobs"/report-*.zip "$blobs/all" 2>/dev/null; then
  echo 'No shard came to its end, so there is nothing to merge: see above why.' >&2
  exit 3
fi
node_modules/.bin/playwright merge-reports --config=playwright.config.ts "$blobs/all"
gate=$?
if [ "$gate" -eq 0 ]; then exit "$broken"; fi
exit "$gate"
