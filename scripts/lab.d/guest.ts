import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CannotBoot, newSystem, type Ran } from "./debian.ts";

/** What a small box has beside systemd: an administrator's tools, radclient as the router, and nats-server. */
const PACKAGES = "systemd,systemd-sysv,dbus,iproute2,procps,freeradius-utils,curl,openssl,tzdata,nats-server";
/** Seconds. */
const PATIENCE = { boot: 90, command: 120, end: 30 };

/** A Debian system of its own under a real systemd, booted in a container without a network, as root of this machine. */
export class Guest implements AsyncDisposable {
  readonly root: string;
  #container: Bun.Subprocess | undefined;
  /** The process that is number 1 inside. */
  #leader = 0;

  private constructor(root: string) {
    this.root = root;
  }

  /** A new system, not booted yet. `cache` keeps the archive of the empty one for the next time. */
  static async make(cache: string): Promise<Guest> {
    return new Guest(await newSystem(cache, PACKAGES));
  }

  async boot(): Promise<void> {
    this.#container = Bun.spawn(
      [
        ...["systemd-nspawn", "--quiet", "--boot", `--directory=${this.root}`, "--private-network"],
        ...["--register=no", "--keep-unit", "--console=read-only", "--link-journal=no", "--timezone=off"],
      ],
      { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    );
    const end = performance.now() + PATIENCE.boot * 1000;
    let state = "";
    while (performance.now() < end) {
      if (this.#container.exitCode !== null) {
        const output = await new Response(this.#container.stderr as ReadableStream).text();
        throw new CannotBoot(`systemd-nspawn ended with ${this.#container.exitCode}: ${output.trim()}`);
      }
      this.#leader = findChild(this.#container.pid);
      if (this.#leader > 0) {
        state = (await this.run("systemctl is-system-running")).stdout.trim();
        if (state === "running" || state === "degraded") return;
      }
      await Bun.sleep(200);
    }
    throw new CannotBoot(`it did not boot in ${PATIENCE.boot} s; its systemd says: ${state || "nothing"}`);
  }

  /** A shell command as root inside, without the environment of this machine. */
  async run(command: string, { stdin = "", seconds = PATIENCE.command } = {}): Promise<Ran> {
    const inside = [
      "nsenter",
      `--target=${this.#leader}`,
      "--mount",
      "--uts",
      "--ipc",
      "--net",
      "--pid",
      "--root",
      "--wd",
    ];
    const environment = [
      "env",
      "-i",
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      "HOME=/root",
    ];
    const child = Bun.spawn(["timeout", String(seconds), ...inside, ...environment, "sh", "-c", command], {
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

  /** Stops and boots it again, as `reboot` does. */
  async reboot(): Promise<void> {
    await this.run("systemctl reboot");
    await this.#ended();
    await this.boot();
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text, { mode });
  }

  async #ended(): Promise<void> {
    const container = this.#container;
    if (!container || container.exitCode !== null) return;
    const ended = container.exited.then(() => true);
    if (await Promise.race([ended, Bun.sleep(PATIENCE.end * 1000).then(() => false)])) return;
    const leader = findChild(container.pid);
    if (leader > 0) process.kill(leader, "SIGKILL");
    container.kill("SIGKILL");
    await container.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#leader > 0 && this.#container?.exitCode === null)
      await this.run("systemctl poweroff", { seconds: 10 });
    await this.#ended();
    rmSync(this.root, { recursive: true, force: true });
  }
}

function findChild(pid: number): number {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[0] ?? 0) : 0;
}
