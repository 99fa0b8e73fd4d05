import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianPackages } from "../../scripts/container.d/debian-packages.ts";
import { file, imageArchive, type ImageParts, USER } from "../../scripts/container.d/image.ts";
import { tarParts } from "../../scripts/container.d/tar.ts";

const parts: ImageParts = {
  architecture: "arm64",
  version: "1.2.3",
  commit: "abcdef012345",
  time: 1_893_456_000,
  executable: Buffer.from("an executable"),
  system: [
    file("lib/aarch64-linux-gnu/libc.so.6", Buffer.from("a library"), 0o755),
    { path: "lib/ld.so", content: { kind: "link", to: "aarch64-linux-gnu/ld.so" }, mode: 0o777 },
  ],
};
const archiveOf = (parts: ImageParts) => Buffer.concat(imageArchive(parts));

/** The image in a folder, as tar unpacks it; `layer` is that of its own. */
async function unpacked(archive: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-image-"));
  await Bun.$`tar --extract --directory ${folder} < ${archive}`.quiet();
  return {
    json: (path: string) => Bun.file(join(folder, path)).json(),
    hash: async (path: string) =>
      new Bun.CryptoHasher("sha256").update(await Bun.file(join(folder, path)).bytes()).digest("hex"),
    list: (path: string) =>
      Bun.$`tar --list --verbose --numeric-owner --utc --full-time --file ${join(folder, path)}`.text(),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test("the same parts make the same image, others another one", () => {
  expect(archiveOf(parts).equals(archiveOf({ ...parts }))).toBe(true);
  expect(archiveOf({ ...parts, commit: "000000000000" }).equals(archiveOf(parts))).toBe(false);
});

test("an image is an OCI layout and what docker save makes, of the same blobs, each named by its SHA-256", async () => {
  using image = await unpacked(archiveOf(parts));
  expect(await image.json("oci-layout")).toEqual({ imageLayoutVersion: "1.0.0" });
  const [entry] = (await image.json("index.json")).manifests;
  expect(entry.platform).toEqual({ architecture: "arm64", os: "linux", variant: "v8" });
  const blob = (digest: string) => `blobs/sha256/${digest.replace("sha256:", "")}`;
  const manifest = await image.json(blob(entry.digest));
  const [saved] = await image.json("manifest.json");
  expect(saved).toEqual({
    Config: blob(manifest.config.digest),
    RepoTags: ["gatehouse:1.2.3"],
    Layers: [blob(manifest.layers[0].digest)],
  });
  for (const { digest } of [entry, manifest.config, ...manifest.layers])
    expect(`sha256:${await image.hash(blob(digest))}`).toBe(digest);
  const { config, rootfs, created } = await image.json(saved.Config);
  expect(rootfs.diff_ids).toEqual([manifest.layers[0].digest]); // it is not compressed
  expect(created).toBe("2030-01-01T00:00:00.000Z");
  expect(config).toMatchObject({
    User: `${USER}:${USER}`,
    Cmd: ["serve", "--init"],
    Volumes: { "/data": {} },
    Env: expect.arrayContaining(["GATEHOUSE_DATA_DIR=/data", "BUN_JSC_useDFGJIT=0"]),
    Healthcheck: { Test: ["CMD", "/usr/local/bin/gatehouse", "check", "--serving"] },
  });
  const listed = (await image.list(saved.Layers[0])).trim().split("\n");
  expect(listed.map((line) => line.split(/\s+/).toSpliced(2, 1).join(" "))).toEqual([
    "drwx------ 65532/65532 2030-01-01 00:00:00 data/",
    "drwxr-xr-x 0/0 2030-01-01 00:00:00 etc/",
    "-rw-r--r-- 0/0 2030-01-01 00:00:00 etc/group",
    "-rw-r--r-- 0/0 2030-01-01 00:00:00 etc/nsswitch.conf",
    "-rw-r--r-- 0/0 2030-01-01 00:00:00 etc/passwd",
    "drwxr-xr-x 0/0 2030-01-01 00:00:00 lib/",
    "drwxr-xr-x 0/0 2030-01-01 00:00:00 lib/aarch64-linux-gnu/",
    "-rwxr-xr-x 0/0 2030-01-01 00:00:00 lib/aarch64-linux-gnu/libc.so.6",
    "lrwxrwxrwx 0/0 2030-01-01 00:00:00 lib/ld.so -> aarch64-linux-gnu/ld.so",
    "drwxrwxrwt 0/0 2030-01-01 00:00:00 tmp/",
    "drwxr-xr-x 0/0 2030-01-01 00:00:00 usr/",
    "drwxr-xr-x 0/0 2030-01-01 00:00:00 usr/local/",
    "drwxr-xr-x 0/0 2030-01-01 00:00:00 usr/local/bin/",
    "-rwxr-xr-x 0/0 2030-01-01 00:00:00 usr/local/bin/gatehouse",
  ]);
});

test.skipIf(Bun.which("podman") === null)("podman reads an image", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-podman-"));
  const podman = [
    "podman",
    "--root",
    `${folder}/root`,
    "--runroot",
    `${folder}/run`,
    "--storage-driver",
    "vfs",
  ];
  try {
    await Bun.write(join(folder, "image.tar"), archiveOf({ ...parts, architecture: "amd64" }));
    expect(await Bun.$`${podman} load --quiet --input ${folder}/image.tar`.text()).toContain(
      "localhost/gatehouse:1.2.3",
    );
    const [image] = await Bun.$`${podman} image inspect gatehouse:1.2.3`.json();
    expect(image).toMatchObject({ Architecture: "amd64", User: `${USER}:${USER}` });
    expect(image.Config.Cmd).toEqual(["serve", "--init"]);
  } finally {
    await Bun.$`${podman} system reset --force`.quiet().nothrow();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a name that a tar file cannot have is refused", () => {
  expect(() => tarParts([file("a".repeat(101), Buffer.of())], 0)).toThrow("is too long for a tar file");
});

test("what comes from Debian is named for both architectures, with its checksum", () => {
  for (const [architecture, packages] of Object.entries(debianPackages)) {
    expect(packages.map(({ name }) => name)).toEqual(["libc6", "ca-certificates"]);
    for (const { url, sha256 } of packages) {
      expect(url).toMatch(new RegExp(`_(${architecture}|all)\\.deb$`));
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  }
});
