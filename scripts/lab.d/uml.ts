import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CannotBoot, newSystem, type Ran } from "./debian.ts";

/** Seconds. */
const PATIENCE = { boot: 60, command: 60, end: 15 };
/** Where Debian's package has the modules of its kernel. */
const MODULES = "/usr/lib/uml/modules";

/** Process number 1 inside: it gets the kernel ready, then runs commands whose numbers it reads from its console, side by side. */
const INIT = `#!/bin/sh
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TZ=UTC
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t tmpfs tmp /tmp; mount -t tmpfs run /run
mkdir -p /dev/pts; mount -t devpts pts /dev/pts
ip link set lo up
for module in ppp_generic ppp_async ppp_synctty pppoe ppp_mppe veth bridge dummy af_packet; do modprobe $module 2>/dev/null; done
echo up >/lab/up
while read -r number; do
  { sh /lab/$number.sh </lab/$number.in >/lab/$number.out 2>/lab/$number.err; echo $? >/lab/$number.new; mv /lab/$number.new /lab/$number.code; } &
done
sync
echo o >/proc/sysrq-trigger
sleep 10
`;

/** A Debian system under a kernel of its own that runs as a process of this machine (User-Mode Linux), without a network outside. */
export class UmlGuest implements AsyncDisposable {
  readonly root: string;
  #kernel: Bun.Subprocess<"pipe", "pipe", "ignore"> | undefined;
  #console = "";
  #commands = 0;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(cache: string, packages: string): Promise<UmlGuest> {
    if (!existsSync(MODULES)) throw new CannotBoot(`there is no ${MODULES}`);
    const root = await newSystem(cache, packages);
    cpSync(MODULES, join(root, "lib/modules"), { recursive: true });
    mkdirSync(join(root, "lab"));
    writeFileSync(join(root, "sbin/lab-init"), INIT, { mode: 0o755 });
    return new UmlGuest(root);
  }

  async boot(): Promise<void> {
    const kernel = Bun.spawn(
      [
        ...["linux.uml", "mem=1G", "root=/dev/root", "rootfstype=hostfs", `rootflags=${this.root}`, "rw"],
        ...["init=/sbin/lab-init", `uml_dir=${this.root}/lab/`, "con=null", "con0=fd:0,fd:1", "quiet"],
      ],
      {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "ignore",
        env: { PATH: process.env["PATH"] ?? "" },
        detached: true,
      },
    );
    this.#kernel = kernel;
    void this.#listen(kernel.stdout);
    const end = performance.now() + PATIENCE.boot * 1000;
    while (!existsSync(join(this.root, "lab/up"))) {
      if (kernel.exitCode !== null)
        throw new CannotBoot(`the kernel ended with ${kernel.exitCode}: ${this.#console.trim().slice(-500)}`);
      if (performance.now() > end)
        throw new CannotBoot(`it did not boot in ${PATIENCE.boot} s: ${this.#console.trim().slice(-500)}`);
      await Bun.sleep(50);
    }
  }

  /** A shell command as root inside. Throws when it takes longer than `seconds`. */
  async run(command: string, { stdin = "", seconds = PATIENCE.command } = {}): Promise<Ran> {
    const number = ++this.#commands;
    const file = (kind: string) => join(this.root, "lab", `${number}.${kind}`);
    writeFileSync(file("sh"), command);
    writeFileSync(file("in"), stdin);
    this.#kernel?.stdin.write(`${number}\n`);
    await this.#kernel?.stdin.flush();
    const end = performance.now() + seconds * 1000;
    while (!existsSync(file("code"))) {
      if (performance.now() > end) throw new Error(`${command} did not end in ${seconds} s`);
      if (this.#kernel?.exitCode !== null) throw new Error(`the guest is gone: ${this.#console.slice(-500)}`);
      await Bun.sleep(20);
    }
    const read = (kind: string) => readFileSync(file(kind), "utf8");
    return { code: Number(read("code")), stdout: read("out"), stderr: read("err") };
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text, { mode });
  }

  copyIn(file: string, path: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    copyFileSync(file, join(this.root, path));
  }

  // read to its end: a console that nobody reads stops the guest
  async #listen(console: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of console)
      this.#console = (this.#console + Buffer.from(chunk).toString()).slice(-20_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const kernel = this.#kernel;
    if (kernel && kernel.exitCode === null) {
      await kernel.stdin.end(); // its init ends with it
      const ended = kernel.exited.then(() => true);
      if (!(await Promise.race([ended, Bun.sleep(PATIENCE.end * 1000).then(() => false)])))
        process.kill(-kernel.pid, "SIGKILL"); // the kernel and the processes inside, which are processes here
      await kernel.exited;
    }
    rmSync(this.root, { recursive: true, force: true });
  }
}
