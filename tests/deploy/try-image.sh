#!/bin/bash
# Builds the image with Debian's mmdebstrap and buildah, and runs the game in it: `npm run test:image`, as root on Debian.
#
# Two steps differ from a build on a machine with a container engine. Both base images are made here from Debian's
# packages and the checkout's Node, and the packages of the checkout take the place of `npm ci`.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
for tool in mmdebstrap buildah unshare setpriv; do
  command -v $tool >/dev/null || { echo "Not tried: $tool is not installed (apt-get install mmdebstrap buildah)."; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo 'Not tried: this needs root.'; exit 0; }

work=$(mktemp -d /tmp/cotton-farm-image-XXXXXX)
export BUILDAH_ISOLATION=chroot CONTAINERS_STORAGE_CONF=$work/storage.conf
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/store"\nrunroot = "%s/run"\n' "$work" "$work" > "$work/storage.conf"
game=
cleanup() {
  [ -z "$game" ] || kill -KILL "$game" 2>/dev/null || true
  buildah umount --all >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap cleanup EXIT

echo '── base images'
mmdebstrap --mode=root --variant=minbase bookworm "$work/debian" http://deb.debian.org/debian >/dev/null 2>&1
base=$(buildah from scratch)
buildah add -q "$base" "$work/debian" / >/dev/null
buildah commit -q "$base" docker.io/library/debian:bookworm-slim >/dev/null
folder=$(buildah mount "$base")
mkdir -p "$folder/usr/local/lib/node_modules"
cp "$root/node_modules/node/bin/node" "$folder/usr/local/bin/node"
cp -r "$(dirname "$(dirname "$(realpath "$(command -v npm)")")")" "$folder/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder/usr/local/bin/npm"
buildah commit -q --rm "$base" docker.io/library/node:24-bookworm-slim >/dev/null
rm -rf "$work/debian"

echo '── buildah build'
mkdir "$work/context"
(cd "$root" && git ls-files -z | xargs -0 cp --parents -t "$work/context")
cp -r "$root/node_modules" "$work/context/node_modules"
grep -v '^node_modules$' "$root/.dockerignore" > "$work/ignored"
sed 's/^RUN npm ci$/COPY node_modules node_modules/' "$root/deploy/container/Containerfile" > "$work/Containerfile"
buildah build -q --pull=never --format docker --ignorefile "$work/ignored" -f "$work/Containerfile" -t cotton-farm \
  "$work/context" > "$work/build.log" 2>&1 || { tail -20 "$work/build.log"; exit 1; }
rm -rf "$work/context"
buildah inspect --type image cotton-farm > "$work/image.json"
read_config() { node -p "JSON.parse(require('fs').readFileSync('$work/image.json', 'utf8')).Docker.config.$1"; }
[ "$(read_config User)" = 10001:10001 ]

echo '── run, read-only, as 10001'
folder=$(buildah mount "$(buildah from --pull=never localhost/cotton-farm)")
mkdir -p "$work/data" && chown 10001:10001 "$work/data" && chmod 700 "$work/data"
port=$(cd "$root" && node -e "import('#server/processes/ports.ts').then(async ({ findFreePort }) => console.log(await findFreePort()))")
cat > "$work/enter.sh" <<ENTER
set -e
mount --make-rprivate /
mount --bind "$folder" "$folder" && mount -o remount,ro,bind "$folder"
mount -t proc proc "$folder/proc"
mount --rbind /dev "$folder/dev"
mount -t tmpfs tmpfs "$folder/tmp"
mount --bind "$work/data" "$folder/data"
for place in /app /etc /usr /var; do
  if chroot "$folder" touch "\$place/x" 2>/dev/null; then echo "\$place can be written"; exit 1; fi
done
cd "$folder"
exec chroot . setpriv --reuid 10001 --regid 10001 --clear-groups --bounding-set -all --no-new-privs \
  env -i PATH=/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin DATA_DIR=/data HOST=127.0.0.1 PORT=$port \
  CHAIN_RPC_PORT=0 sh -c 'cd /app && exec node server/main.ts all'
ENTER
unshare --mount --pid --fork --kill-child=TERM bash "$work/enter.sh" > "$work/game.log" 2>&1 &
game=$!
for _ in $(seq 120); do
  grep -q 'is ready' "$work/game.log" && break
  kill -0 "$game" 2>/dev/null || break
  sleep 1
done
cat "$work/game.log"
grep -q 'is ready' "$work/game.log"
main=$(pgrep -P "$game")
nsenter --target "$main" --mount --root setpriv --reuid 10001 --regid 10001 --clear-groups \
  env -i PATH=/app/node_modules/.bin:/usr/bin:/bin PORT="$port" \
  sh -c 'cd / && exec node -e "$1"' sh "$(read_config 'Healthcheck.Test[4]')"
echo 'healthcheck: passed'
curl -fsS "http://127.0.0.1:$port/" | grep -q '<title>'
echo 'web app: served'
grep '^Uid' "/proc/$main/status"
grep ' / ' "/proc/$main/mounts" | tail -1
kill -TERM "$main"
wait "$game"
echo 'SIGTERM: exit code 0'
game=
du -sh --exclude=proc --exclude=dev "$folder" | cut -f1
