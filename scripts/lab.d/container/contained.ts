import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ran } from "../debian.ts";

/** Ports of this machine that the container has while it is tried. */
export const ports = { http: 18_080, auth: 18_812, acct: 18_813, radsec: 12_083 };
const ENVIRONMENT = {
  GATEHOUSE_HTTP_LISTEN: `127.0.0.1:${ports.http}`,
  GATEHOUSE_RADIUS_AUTH_LISTEN: `127.0.0.1:${ports.auth}`,
  GATEHOUSE_RADIUS_ACCT_LISTEN: `127.0.0.1:${ports.acct}`,
  GATEHOUSE_RADSEC_LISTEN: `127.0.0.1:${ports.radsec}`,
};
const USER = "65532";

/** Milliseconds; emulation is slow. */
const PATIENCE = 120_000;

/** The program in an image, by whichever way it runs. */
export interface Contained extends AsyncDisposable {
  /** Begins to serve, and returns when it answers: what it has printed so far. */
  start(): Promise<string>;
  /** Ends it in order; how many seconds that took. */
  stop(): Promise<number>;
  /** A command of gatehouse inside that has to succeed; what it printed. */
  gatehouse(command: string[], stdin?: string): Promise<string>;
  /** The process of the server, as this machine sees it. */
  pid(): Promise<number>;
}

export async function ran(command: string[], stdin = "", env?: Record<string, string>): Promise<Ran> {
  const child = Bun.spawn(command, {
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
    ...(env && { env }),
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}

/** What a command printed. Throws what it said when it fails. */
export async function done(command: string[], stdin = "", env?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await ran(command, stdin, env);
  if (code !== 0)
    throw new Error(`${command.slice(0, 4).join(" ")} ended with ${code}: ${(stderr + stdout).trim()}`);
  return stdout.trim();
}

async function untilServing(whatIsWrong: () => Promise<string | undefined>): Promise<void> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${ports.http}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    const wrong = await whatIsWrong();
    if (wrong !== undefined || performance.now() > end)
      throw new Error(`it does not serve: ${wrong ?? "no answer"}`);
    await Bun.sleep(200);
  }
}

/** In a container of podman with a volume of its own. */
export class PodmanContainer implements Contained {
  readonly #name = `gatehouse-lab-${process.pid}`;
  readonly #image: string;

  constructor(image: string) {
    this.#image = image;
  }

  async start(): Promise<string> {
    const exists = (await ran(["podman", "container", "exists", this.#name])).code === 0;
    if (exists) await done([...podman, "start", this.#name]);
    else
      await done([
        ...[
          ...podman,
          "run",
          "--detach",
          "--name",
          this.#name,
          "--network",
          "host",
          "--volume",
          `${this.#name}:/data`,
        ],
        ...["--ulimit", "nofile=10000:10000", "--ulimit", "nproc=4000:4000"], // podman's own may be more than we may give
        ...Object.entries(ENVIRONMENT).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
        this.#image,
      ]);
    const logs = async () => {
      const { stdout, stderr } = await ran(["podman", "logs", this.#name]);
      return stdout + stderr;
    };
    await untilServing(async () => ((await this.#isRunning()) ? undefined : logs()));
    return logs();
  }

  async stop(): Promise<number> {
    const began = performance.now();
    await done([...podman, "stop", "--time", "30", this.#name]);
    return (performance.now() - began) / 1000;
  }

  gatehouse(command: string[], stdin = ""): Promise<string> {
    return done([...podman, "exec", "--interactive", this.#name, "gatehouse", ...command], stdin);
  }

  /** What the health check of the image says. */
  async health(): Promise<number> {
    return (await ran([...podman, "healthcheck", "run", this.#name])).code;
  }

  async pid(): Promise<number> {
    return Number(await done(["podman", "inspect", "--format", "{{.State.Pid}}", this.#name]));
  }

  async #isRunning(): Promise<boolean> {
    return (
      (await ran(["podman", "inspect", "--format", "{{.State.Running}}", this.#name])).stdout.trim() ===
      "true"
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await ran([...podman, "rm", "--force", this.#name]);
    await ran([...podman, "volume", "rm", "--force", this.#name]);
  }
}

/** runc is content with the control groups of old machines too. */
const podman = Bun.which("runc") === null ? ["podman"] : ["podman", "--runtime", "runc"];

/** The root of an image for arm64, under qemu's user-mode emulation. */
export class EmulatedRoot implements Contained {
  readonly root = mkdtempSync(join(tmpdir(), "gatehouse-arm64-"));
  #server: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;

  /** From the layer of an archive. */
  static async of(archive: string, layer: string): Promise<EmulatedRoot> {
    const made = new EmulatedRoot();
    chmodSync(made.root, 0o755); // it is / inside, which everybody enters
    await done([
      "sh",
      "-c",
      'tar xOf "$1" "$2" | tar xpf - -C "$3" --numeric-owner',
      "sh",
      archive,
      layer,
      made.root,
    ]);
    for (const folder of ["proc", "dev"]) mkdirSync(join(made.root, folder));
    await done(["cp", "/usr/bin/qemu-aarch64-static", join(made.root, "qemu")]);
    return made;
  }

  #command(command: string[]): string[] {
    const inside = `mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot --userspec=${USER}:${USER} "$0" /qemu /usr/local/bin/gatehouse "$@"`;
    return ["unshare", "--mount", "sh", "-c", inside, this.root, ...command];
  }

  get #env(): Record<string, string> {
    return { ...ENVIRONMENT, PATH: process.env["PATH"] ?? "", GATEHOUSE_DATA_DIR: "/data" };
  }

  async start(): Promise<string> {
    const server = Bun.spawn(this.#command(["serve", "--init"]), {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      env: this.#env,
    });
    this.#server = server;
    let output = "";
    const listen = async (stream: ReadableStream<Uint8Array>) => {
      for await (const chunk of stream) output += Buffer.from(chunk).toString();
    };
    void listen(server.stdout);
    void listen(server.stderr);
    await untilServing(async () => (server.exitCode === null ? undefined : output));
    return output;
  }

  async stop(): Promise<number> {
    const began = performance.now();
    this.#server?.kill();
    await this.#server?.exited;
    return (performance.now() - began) / 1000;
  }

  gatehouse(command: string[], stdin = ""): Promise<string> {
    return done(this.#command(command), stdin, this.#env);
  }

  async pid(): Promise<number> {
    return this.#server?.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}
