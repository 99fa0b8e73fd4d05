import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { program, shortLived } from "../support/appliance.ts";
import { diskFolder } from "../support/disk.ts";
import { freePort } from "../support/free-port.ts";

const checkout = join(import.meta.dir, "../..");
const archivePath = process.env["GATEHOUSE_TEST_ARCHIVE"];
const archive = archivePath ?? join(checkout, `dist/release/gatehouse-${version}-linux-x64.tar.gz`);
const PASSPHRASE = "correct horse battery";

/** A throw-away root in which the installer works, with a systemctl that only starts and stops. */
class Box implements AsyncDisposable {
  readonly root = mkdtempSync(join(diskFolder(), "gatehouse-box-"));
  readonly data = join(this.root, "var/lib/gatehouse");
  readonly program = join(this.root, "usr/local/lib/gatehouse/gatehouse");
  readonly #path = join(this.root, "stubs");

  constructor() {
    mkdirSync(this.#path);
    symlinkSync(join(checkout, "test/support/systemctl"), join(this.#path, "systemctl"));
  }

  async run(command: string[], stdin = "") {
    const child = Bun.spawn(command, {
      env: {
        PATH: `${this.#path}:${process.env["PATH"]}`,
        DESTDIR: this.root,
        TZ: "UTC",
        ...shortLived,
      },
      stdin: new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  }

  /** Installs an archive, or an unpacked one, with free ports in the environment file that is already there. */
  async install(from: string, options: string[] = [], stdin = "") {
    const env = join(this.root, "etc/gatehouse/gatehouse.env");
    if (!existsSync(env)) {
      mkdirSync(join(this.root, "etc/gatehouse"), { recursive: true });
      const [http, auth, acct] = [freePort(), freePort(), freePort()];
      writeFileSync(
        env,
        `# mine\nGATEHOUSE_DATA_DIR=${this.data}\nGATEHOUSE_HTTP_LISTEN=127.0.0.1:${http}\n` +
          `GATEHOUSE_RADIUS_AUTH_LISTEN=127.0.0.1:${auth}\nGATEHOUSE_RADIUS_ACCT_LISTEN=127.0.0.1:${acct}\n`,
      );
    }
    const command = from.endsWith(".gz")
      ? [join(checkout, "scripts/install"), from]
      : [join(from, "install")];
    return this.run([...command, ...options], stdin);
  }

  /** The installed command, as an administrator types it. */
  async gatehouse(argv: string, stdin = "", env: Record<string, string> = {}) {
    const child = Bun.spawn([join(this.root, "usr/local/bin/gatehouse"), ...argv.split(" ")], {
      env: { PATH: process.env["PATH"] ?? "", ...shortLived, ...env },
      stdin: new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    return { code, stdout: stdout.trim(), stderr };
  }

  async [Symbol.asyncDispose]() {
    await this.run([join(this.#path, "systemctl"), "stop", "gatehouse"]);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The archive again, with another program in it: a script that has the real one as "$real". */
async function archiveWith(folder: string, script: string): Promise<string> {
  const tree = join(folder, "gatehouse-other");
  mkdirSync(tree);
  for (const part of ["systemd", "install"])
    cpSync(join(unpacked, part), join(tree, part), { recursive: true });
  writeFileSync(join(tree, "gatehouse"), `#!/bin/sh\nreal=${unpacked}/gatehouse\n${script}\n`);
  chmodSync(join(tree, "gatehouse"), 0o755);
  await Bun.$`tar czf ${join(folder, "new.tar.gz")} -C ${folder} gatehouse-other`.quiet();
  return join(folder, "new.tar.gz");
}

/** The archive, unpacked once for all. */
const unpackedIn = mkdtempSync(join(diskFolder(), "gatehouse-unpacked-"));
const unpacked = join(unpackedIn, `gatehouse-${version}-linux-x64`);
/** The same, as an archive and unpacked, with a program that stands for the real one: nobody unpacks and copies 166 MB of it. */
const light = join(unpackedIn, "new.tar.gz");
const lightUnpacked = join(unpackedIn, "gatehouse-other");
/** What is in it, as it was unpacked. */
let files: string[] = [];
/** One that serves, for the tests that leave it as it is. */
let standing: InstalledBox;
/** What systemctl was asked for by its installation. */
let answer = "";
afterAll(async () => {
  await standing[Symbol.asyncDispose]();
  rmSync(unpackedIn, { recursive: true });
});

beforeAll(async () => {
  if (archivePath === undefined) {
    const made = await Bun.$`scripts/release x64`
      .cwd(checkout)
      .env({ ...process.env, RELEASE_EXECUTABLE: program })
      .quiet()
      .nothrow();
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  }
  files = (await Bun.$`tar xzvf ${archive} -C ${unpackedIn}`.quiet().text()).split("\n");
  await archiveWith(unpackedIn, 'exec "$real" "$@"');
  standing = await installedBox(unpacked);
  answer = readFileSync(join(standing.box.root, "systemctl.log"), "utf8");
});

test("the release says its version and commit, and its checksum is right", async () => {
  const text = readFileSync(join(unpacked, "VERSION"), "utf8");
  expect(text).toContain(`version=${version}\n`);
  expect(text).toMatch(/^commit=[0-9a-f]{12}/m);
  expect(await Bun.$`sha256sum --check SHA256SUMS`.cwd(join(archive, "..")).text()).toContain(
    "x64.tar.gz: OK",
  );
  for (const file of [
    "gatehouse",
    "install",
    "uninstall",
    "README.md",
    "LICENSE",
    "THIRD-PARTY-NOTICES",
    "example-isp.json",
    "systemd/gatehouse.service",
  ])
    expect(files).toContain(`gatehouse-${version}-linux-x64/${file}`);
});

type InstalledBox = Awaited<ReturnType<typeof installedBox>>;

/** A box that serves; its first Admin's password. */
async function installedBox(from = lightUnpacked) {
  const box = new Box();
  const { code, stdout, stderr } = await box.install(from);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const password = /password: (\S+)/.exec(stdout)?.[1] ?? "";
  const environment = readFileSync(join(box.root, "etc/gatehouse/gatehouse.env"), "utf8");
  const http = /GATEHOUSE_HTTP_LISTEN=(.*)/.exec(environment)?.[1];
  const signsIn = async () => {
    const response = await fetch(`http://${http}/api/v1/users/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "operator", password }),
    });
    return response.status;
  };
  return { box, signsIn, [Symbol.asyncDispose]: () => box[Symbol.asyncDispose]() };
}

function scratchFolder() {
  const path = mkdtempSync(join(diskFolder(), "gatehouse-archives-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

test("install makes the first Admin, enables the service and leaves it serving", async () => {
  const { box, signsIn } = standing;
  expect(await signsIn()).toBe(200);
  expect(await box.gatehouse("check --serving")).toMatchObject({ code: 0 });
  expect(await box.gatehouse("check")).toMatchObject({ code: 0 });
  expect(answer).toBe(
    "enable gatehouse\ndaemon-reload\nstart gatehouse\ndaemon-reload\ntry-restart gatehouse-access\n",
  );
  expect(readFileSync(join(box.root, "etc/systemd/system/gatehouse.service"), "utf8")).toBe(
    readFileSync(join(checkout, "systemd/gatehouse.service"), "utf8"),
  );
});

test("an access box beside the books has a unit and a command of its own, switched off", async () => {
  const { box } = standing;
  const at = (path: string) => join(box.root, path);
  const unit = readFileSync(at("etc/systemd/system/gatehouse-access.service"), "utf8");
  expect(unit).toMatch(/^ExecStart=.*gatehouse serve --access$/m);
  expect(unit).toMatch(/^EnvironmentFile=-\/etc\/gatehouse\/gatehouse-access\.env$/m);
  expect(unit).toMatch(/^StateDirectory=gatehouse-access$/m);
  expect(unit).toMatch(/^WorkingDirectory=\/var\/lib\/gatehouse-access$/m);
  const child = Bun.spawn([at("usr/local/bin/gatehouse-access"), "box", "join"], {
    stdin: new Blob(["nothing"]),
    stderr: "pipe",
  });
  expect(await child.stderr.text()).toContain("that is no line of `gatehouse box add`");
  expect(existsSync(at("var/lib/gatehouse-access"))).toBe(true);
});

test("a box is installed, upgraded and uninstalled", async () => {
  await using installed = await installedBox();
  await keepsAllInAnUpgrade(installed);
  await goesBackWhereItDoesNotServe(installed);
  await keepsTheDataUninstalled(installed);
});

/** An upgrade keeps data and configuration, and leaves a verified backup. */
async function keepsAllInAnUpgrade({ box, signsIn }: InstalledBox): Promise<void> {
  await box.gatehouse("settings set currency EUR");
  expect(await box.install(archive)).toMatchObject({ code: 0 });
  expect(await box.gatehouse("settings get currency")).toMatchObject({ code: 0, stdout: "EUR" });
  expect(await signsIn()).toBe(200);
  expect(readFileSync(join(box.root, "etc/gatehouse/gatehouse.env"), "utf8")).toStartWith("# mine\n");
  expect(readdirSync(join(box.data, "backups"))).toEqual([expect.stringMatching(/^before-upgrade-.*\.db$/)]);
  expect(existsSync(`${box.data}-before-upgrade`)).toBe(false);
}

/** One that ruins the books and does not serve goes back to the old program and books. */
async function goesBackWhereItDoesNotServe({ box, signsIn }: InstalledBox): Promise<void> {
  using scratch = scratchFolder();
  const bad = await archiveWith(
    scratch.path,
    `case $1 in serve) "$real" settings set currency XXX; exit 1 ;; *) exec "$real" "$@" ;; esac`,
  );
  const outcome = await box.install(bad);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain("the old version serves again; what the new one left is in");
  expect(readFileSync(box.program).subarray(1, 4).toString()).toBe("ELF");
  expect(await box.gatehouse("settings get currency")).toMatchObject({ stdout: "EUR" });
  expect(await signsIn()).toBe(200);
  const failed = readdirSync(box.data).find((name) => name.startsWith("failed-upgrade-")) ?? "";
  expect(readdirSync(join(box.data, failed))).toContain("gatehouse.db");
}

/**
 * Uninstalling keeps the data, and with --purge it does not, nor what an upgrade that was cut short could not bring back, which outlives the
 * next one.
 */
async function keepsTheDataUninstalled({ box, signsIn }: InstalledBox): Promise<void> {
  const uninstall = join(checkout, "scripts/uninstall");
  expect(await box.run([uninstall])).toMatchObject({ code: 0 });
  expect(existsSync(box.program)).toBe(false);
  expect(existsSync(join(box.data, "gatehouse.db"))).toBe(true);
  expect(await box.install(lightUnpacked)).toMatchObject({ code: 0 });
  expect(await signsIn()).toBe(200);

  mkdirSync(`${box.data}-before-upgrade`);
  writeFileSync(join(`${box.data}-before-upgrade`, "gatehouse.db-wal"), "the last payments");
  const { code, stdout } = await box.install(light);
  expect(code).toBe(0);
  expect(await signsIn()).toBe(200);
  const left = /cut short; what it kept is in (\S+),/.exec(stdout)?.[1] ?? "nothing";
  expect(readFileSync(join(left, "gatehouse.db-wal"), "utf8")).toBe("the last payments");
  expect(existsSync(`${box.data}-before-upgrade`)).toBe(false);
  expect(await box.run([uninstall, "--purge"])).toMatchObject({ code: 0 });
  expect(existsSync(left)).toBe(false);
  expect(existsSync(box.data)).toBe(false);
  expect(existsSync(join(box.root, "etc/systemd/system/gatehouse-access.service"))).toBe(false);
}

test("an older archive is refused in words before anything is touched", async () => {
  const { box } = standing;
  using scratch = scratchFolder();
  const older = await archiveWith(
    scratch.path,
    '[ "$1" = version ] && { echo "gatehouse 0.0.9, commit abc, Bun 1.2"; exit; }; exec "$real" "$@"',
  );
  const { code, stderr } = await box.install(older);
  expect(code).toBe(1);
  expect(stderr).toContain(`this archive is gatehouse 0.0.9, older than ${version}`);
  expect(stderr).toContain("Back to the version before");
  expect((await box.gatehouse("version")).stdout).toContain(version);
  expect(existsSync(join(box.root, "var/lib/gatehouse-before-upgrade"))).toBe(false);
  expect((await box.gatehouse("check --serving")).code).toBe(0);
});

test("what does not run here is refused before anything is touched", async () => {
  const { box, signsIn } = standing;
  using scratch = scratchFolder();
  const foreign = await archiveWith(scratch.path, `echo "wrong architecture"; exit 126`);
  expect(await box.install(foreign)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("(wrong architecture)"),
  });
  const half = join(scratch.path, "half.tar.gz");
  writeFileSync(half, readFileSync(archive).subarray(0, 1_000_000));
  expect(await box.install(half)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not a whole archive"),
  });
  expect(await signsIn()).toBe(200);
});

test("a new box begins with the backup of the old one", async () => {
  const { box } = standing;
  using scratch = scratchFolder();
  await box.gatehouse("settings set currency EUR");
  const copy = join(scratch.path, "last-night.db");
  await box.gatehouse(`backup ${copy} --passphrase-stdin`, PASSPHRASE);
  await using next = new Box();
  const outcome = await next.install(lightUnpacked, ["--restore", copy, "--passphrase-stdin"], PASSPHRASE);
  expect(outcome.code).toBe(0);
  expect(await next.gatehouse("settings get currency")).toMatchObject({ stdout: "EUR" });
  expect(await next.gatehouse("staff list")).toMatchObject({ stdout: expect.stringContaining("operator") });
  expect(await next.gatehouse("check --serving")).toMatchObject({ code: 0 });
  expect(readdirSync(next.data)).not.toContain("restoring");
});

/** The line that a box joins with, of books of their own: those that stand are backed up by another test, as they are without boxes. */
async function joinOf(scratch: string): Promise<string> {
  const books = { GATEHOUSE_DATA_DIR: join(scratch, "books") };
  expect(await standing.box.gatehouse("init", "", books)).toMatchObject({ code: 0 });
  return JSON.parse((await standing.box.gatehouse("box add tower-1 --json", "", books)).stdout).join;
}

test("an access box is installed without an Admin, joins, and is started by what is printed", async () => {
  using scratch = scratchFolder();
  const line = await joinOf(scratch.path);
  await using box = new Box();
  expect((await box.install(light, ["--access", "--restore", "x.db"])).stderr).toContain(
    "no books to restore",
  );
  const { code, stdout } = await box.install(light, ["--access"]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/next: .*box join; systemctl enable --now gatehouse$/m),
  ]);
  expect(stdout).not.toContain("password");
  expect(existsSync(join(box.data, "gatehouse.db"))).toBe(false);
  const env = join(box.root, "etc/gatehouse/gatehouse.env");
  expect(readFileSync(env, "utf8")).toContain("\nGATEHOUSE_ROLE=access\n");
  appendFileSync(env, "GATEHOUSE_NATS_URL=nats://127.0.0.1:1\n");
  const joined = await box.gatehouse("box join", line);
  expect([joined.code, joined.stdout]).toEqual([0, expect.stringContaining("is the box tower-1")]);
  expect(readdirSync(box.data).filter((name) => name.startsWith("replaced-"))).toEqual([]);
  expect((await box.install(light, ["--access"])).stderr).toContain("installed already");
});

test("a machine that was installed as ever joins too: its first Admin is moved aside; books of an ISP are not", async () => {
  using scratch = scratchFolder();
  const line = await joinOf(scratch.path);
  await using box = new Box();
  await box.install(light);
  const running = await box.gatehouse("box join", line);
  expect([running.code, running.stderr]).toEqual([1, expect.stringContaining("stop it first")]);
  await box.run(["systemctl", "stop", "gatehouse"]);
  const joined = await box.gatehouse("box join", line);
  expect([joined.code, joined.stdout]).toEqual([
    0,
    expect.stringMatching(/an Admin without an ISP, is in .*replaced-/),
  ]);
  const kept = readdirSync(box.data).find((name) => name.startsWith("replaced-")) ?? "";
  expect(readdirSync(join(box.data, kept)).toSorted()).toEqual(
    expect.arrayContaining(["gatehouse.db", "secret.key"]),
  );
  const books = { GATEHOUSE_DATA_DIR: join(box.data, kept) };
  const example = (await standing.box.gatehouse("import --example")).stdout;
  expect((await box.gatehouse("import -", example, books)).code).toBe(0);
  const refused = await box.gatehouse("box join", line, books);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("gatehouse-access box join")]);
});
