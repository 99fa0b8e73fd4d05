import type { Architecture } from "./debian-packages.ts";
import { type TarEntry, tarParts } from "./tar.ts";

/** The user of the program inside, who owns /data. */
export const USER = 65_532;
const PROGRAM = "/usr/local/bin/gatehouse";

/** A router has little memory: no second compiler, whose code takes more than its speed is worth here, and nothing kept that is free. */
const SPARING = ["BUN_JSC_useDFGJIT=0", "MIMALLOC_PURGE_DELAY=0"];

/** What the image is made of. */
export interface ImageParts {
  readonly architecture: Architecture;
  readonly version: string;
  readonly commit: string;
  /** When the commit was made, in UTC seconds. */
  readonly time: number;
  readonly executable: Uint8Array;
  /** Files and links of the C library, certificates and licences. */
  readonly system: readonly TarEntry[];
}

/** How long it is between two health checks, until it is ill, and so on, in nanoseconds as Docker's configuration has it. */
const SECOND = 1_000_000_000;

/**
 * The parts of a tar file that is an OCI image layout (index.json) and what `docker save` makes (manifest.json) in one, with one layer
 * that is not compressed, because RouterOS reads the latter. The same parts make the same bytes.
 */
export function imageArchive(parts: ImageParts): Uint8Array[] {
  const { architecture, version, commit, time } = parts;
  const layer = Buffer.concat(tarParts(buildRoot(parts), time));
  const created = new Date(time * 1000).toISOString();
  const labels = {
    "org.opencontainers.image.title": "Gatehouse",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.revision": commit,
    "org.opencontainers.image.created": created,
    "org.opencontainers.image.licenses": "MIT",
  };
  const config = json({
    created,
    architecture,
    ...(architecture === "arm64" && { variant: "v8" }),
    os: "linux",
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { "1812/udp": {}, "1813/udp": {}, "2083/tcp": {}, "8080/tcp": {} },
      Env: [
        "PATH=/usr/local/bin",
        "GATEHOUSE_DATA_DIR=/data",
        "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
        ...SPARING,
      ],
      Entrypoint: [PROGRAM],
      Cmd: ["serve", "--init"],
      Healthcheck: {
        Test: ["CMD", PROGRAM, "check", "--serving"],
        Interval: 60 * SECOND,
        Timeout: 20 * SECOND,
        StartPeriod: 60 * SECOND,
        Retries: 3,
      },
      Volumes: { "/data": {} },
      WorkingDir: "/data",
      Labels: labels,
      StopSignal: "SIGTERM",
    },
    rootfs: { type: "layers", diff_ids: [digest(layer)] },
    history: [{ created, created_by: "scripts/release --container" }],
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: blob("application/vnd.oci.image.config.v1+json", config),
    layers: [blob("application/vnd.oci.image.layer.v1.tar", layer)],
    annotations: labels,
  });
  const index = json({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [
      {
        ...blob("application/vnd.oci.image.manifest.v1+json", manifest),
        platform: { architecture, os: "linux", ...(architecture === "arm64" && { variant: "v8" }) },
        annotations: { "org.opencontainers.image.ref.name": `gatehouse:${version}` },
      },
    ],
  });
  const saved = json([
    { Config: blobPath(config), RepoTags: [`gatehouse:${version}`], Layers: [blobPath(layer)] },
  ]);
  const entries = [
    file("manifest.json", saved),
    file("oci-layout", json({ imageLayoutVersion: "1.0.0" })),
    file("index.json", index),
    folder("blobs"),
    folder("blobs/sha256"),
    ...[config, manifest, layer].map((bytes) => file(blobPath(bytes), bytes)),
  ];
  return tarParts(entries, time);
}

/** What the program sees as its file system. */
function buildRoot({ executable, system }: ImageParts): TarEntry[] {
  const own = [
    file(
      "etc/passwd",
      text(`root:x:0:0:root:/:/sbin/nologin\ngatehouse:x:${USER}:${USER}::/data:/sbin/nologin\n`),
    ),
    file("etc/group", text(`root:x:0:\ngatehouse:x:${USER}:\n`)),
    file("etc/nsswitch.conf", text("hosts: files dns\n")),
    file(PROGRAM.slice(1), executable, 0o755),
    { ...folder("data"), mode: 0o700, owner: USER },
    { ...folder("tmp"), mode: 0o1777 },
  ];
  const entries = new Map([...system, ...own].map((entry) => [entry.path, entry]));
  for (const { path } of [...entries.values()])
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1))
      if (!entries.has(path.slice(0, at))) entries.set(path.slice(0, at), folder(path.slice(0, at)));
  return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A file of an image, everybody's to read. */
export function file(path: string, bytes: Uint8Array, mode = 0o644): TarEntry {
  return { path, content: { kind: "file", bytes }, mode };
}

function folder(path: string): TarEntry {
  return { path, content: { kind: "folder" }, mode: 0o755 };
}

const text = (words: string) => Buffer.from(words);
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const hash = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const digest = (bytes: Uint8Array) => `sha256:${hash(bytes)}`;
const blobPath = (bytes: Uint8Array) => `blobs/sha256/${hash(bytes)}`;
const blob = (mediaType: string, bytes: Uint8Array) => ({
  mediaType,
  digest: digest(bytes),
  size: bytes.length,
});
