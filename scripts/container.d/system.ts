import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Architecture, type DebianPackage, debianPackages } from "./debian-packages.ts";
import { file } from "./image.ts";
import type { TarEntry } from "./tar.ts";

/** Of the C library: the loader, what the program is linked with, and what looks names up. */
const LIBRARIES = /^(ld-linux-.*|lib(c|m|dl|pthread|rt|resolv|nss_dns|nss_files))\.so\.\d+$/;

/** The files of Debian's packages that the program needs. `cache` keeps what was downloaded. */
export async function systemFiles(architecture: Architecture, cache: string): Promise<TarEntry[]> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-container-"));
  try {
    for (const wantedPackage of debianPackages[architecture]) {
      const archive = await download(wantedPackage, cache);
      await Bun.$`dpkg-deb --extract ${archive} ${folder}`.quiet();
    }
    const entries = filesBelow(folder);
    const certificates = entries
      .filter((path) => path.startsWith("usr/share/ca-certificates/mozilla/") && path.endsWith(".crt"))
      .map((path) => readFileSync(join(folder, path), "utf8").trimEnd() + "\n");
    return [
      ...entries
        .filter((path) => /^lib(64)?\//.test(path) && LIBRARIES.test(basename(path)))
        .map((path) => readEntry(folder, path)),
      ...entries
        .filter((path) => /^usr\/share\/doc\/(libc6|ca-certificates)\/copyright$/.test(path))
        .map((path) => readEntry(folder, path)),
      file("etc/ssl/certs/ca-certificates.crt", Buffer.from(certificates.join(""))),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By apt, which knows this machine's way to the archive, and checks the SHA-256. Throws what it says where that fails. */
async function download({ url, sha256 }: DebianPackage, cache: string): Promise<string> {
  const path = join(cache, basename(url));
  if (existsSync(path) && new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex") === sha256)
    return path;
  const { exitCode, stderr, stdout } =
    await Bun.$`/usr/lib/apt/apt-helper download-file ${url} ${path} SHA256:${sha256}`.quiet().nothrow();
  if (exitCode === 0) return path;
  throw new Error(
    `${url} could not be fetched (when Debian has a newer one, name that in scripts/container.d/debian-packages.ts): ${(stderr.toString() + stdout.toString()).trim()}`,
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !lstatSync(join(folder, path)).isDirectory())
    .sort();
}

function readEntry(folder: string, path: string): TarEntry {
  const whole = join(folder, path);
  const stat = lstatSync(whole);
  if (stat.isSymbolicLink()) return { path, content: { kind: "link", to: readlinkSync(whole) }, mode: 0o777 };
  return file(path, readFileSync(whole), stat.mode & 0o111 ? 0o755 : 0o644);
}
