import type { Ran } from "./debian.ts";
import type { Guest } from "./guest.ts";
import type { StepOf } from "./run-steps.ts";

/** Which line a packet is about: the same device at the same port of the router. */
export const LINE = "NAS-Port = 1, NAS-Port-Type = Ethernet, Calling-Station-Id = 02:00:00:00:00:01";

/** Milliseconds that the service may take for what it does by itself. */
const PATIENCE = 30_000;

export type Step = StepOf<Installed>;

/** Gatehouse on a booted system, as its administrator, its router and its browsers see it. */
export class Installed {
  readonly guest: Guest;
  /** Where the release archive lies inside. */
  readonly archive: string;

  constructor(guest: Guest, archive: string) {
    this.guest = guest;
    this.archive = archive;
  }

  /** A command as root that has to succeed; what it printed. */
  async root(command: string, stdin = ""): Promise<string> {
    const { code, stdout, stderr } = await this.guest.run(command, { stdin });
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${(stderr + stdout).trim()}`);
    return stdout.trim();
  }

  attempt(command: string, stdin = ""): Promise<Ran> {
    return this.guest.run(command, { stdin });
  }

  /** What the unit says of a property, such as MainPID. */
  async unit(property: string): Promise<string> {
    return this.root(`systemctl show --property=${property} --value gatehouse`);
  }

  /** What radclient got for a subscriber's right password: Access-Accept, Access-Reject or nothing. */
  async login(username: string, password: string): Promise<string> {
    const request = `User-Name = "${username}", User-Password = "${password}", ${LINE}, Message-Authenticator = 0x00`;
    const { stdout } = await this.attempt("radclient -x -r 3 -t 2 127.0.0.1:1812 auth testing123", request);
    return /Received (\S+)/.exec(stdout)?.[1] ?? "nothing";
  }

  async requireLogin(username = "sam", password = "pw-sam"): Promise<void> {
    const got = await this.login(username, password);
    if (got !== "Access-Accept") throw new Error(`a login was answered with ${got}`);
  }

  /** Waits for a condition, because the service or systemd brings it about. */
  async until(what: string, isSo: () => Promise<boolean>, patience = PATIENCE): Promise<void> {
    const end = performance.now() + patience;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`${what} did not come in ${patience / 1000} s`);
      await Bun.sleep(100);
    }
  }

  async untilServing(): Promise<void> {
    await this.until(
      "an answer of the service",
      async () => (await this.attempt("gatehouse check --serving")).code === 0,
    );
  }

  /** The end of the service's log. */
  async journal(): Promise<string> {
    return (
      await this.attempt(
        "journalctl --unit=gatehouse --unit=gatehouse-access --no-pager --lines=40; systemctl status gatehouse --no-pager",
      )
    ).stdout;
  }
}
