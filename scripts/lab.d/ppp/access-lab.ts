import type { Ran } from "../debian.ts";
import type { StepOf } from "../run-steps.ts";
import { address, files, lineScript, NETWORK, port } from "./access-server.ts";
import type { UmlGuest } from "../uml.ts";

export type Step = StepOf<AccessLab>;

/** Milliseconds that anything may take that a machine under load does by itself. */
const PATIENCE = 60_000;

/** Bytes of a line as the access server counts them: `input` came from the subscriber. */
export interface Octets {
  readonly input: number;
  readonly output: number;
}

/** A subscriber's line that is up. */
export interface Line {
  readonly house: string;
  /** The interface that pppd made at the access server. */
  readonly interface: string;
  readonly address: string;
}

export interface Session {
  readonly id: number;
  readonly ip: string | null;
  readonly stop_time: string | null;
  readonly terminate_cause: string | null;
  readonly session_time: number;
  readonly input_octets: number;
  readonly output_octets: number;
}

/** An access server under Linux that asks a Gatehouse, with houses that dial in. */
export class AccessLab {
  readonly #guest: UmlGuest;
  readonly #houses = new Set<string>();

  constructor(guest: UmlGuest) {
    this.#guest = guest;
  }

  /** Copies the executable in, and begins with a store that has the ISP of `data`. */
  async start(executable: string, data: object): Promise<void> {
    this.#guest.copyIn(executable, "usr/local/bin/gatehouse");
    for (const [path, text] of Object.entries(files)) this.#guest.write(path, text, 0o700);
    await this.#guest.boot();
    await this.root(NETWORK);
    await this.gatehouse("import -", JSON.stringify(data));
    await this.serve();
  }

  attempt(command: string, stdin = ""): Promise<Ran> {
    return this.#guest.run(command, { stdin });
  }

  /** A command inside that has to succeed; what it printed. */
  async root(command: string, stdin = ""): Promise<string> {
    const { code, stdout, stderr } = await this.attempt(command, stdin);
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${(stderr + stdout).trim()}`);
    return stdout.trim();
  }

  gatehouse(what: string, stdin = ""): Promise<string> {
    return this.root(`GATEHOUSE_DATA_DIR=/tmp/gatehouse ip netns exec box gatehouse ${what}`, stdin);
  }

  /** Starts the server, and waits for its answers. */
  async serve(): Promise<void> {
    await this.root(
      "GATEHOUSE_DATA_DIR=/tmp/gatehouse ip netns exec box gatehouse serve >>/tmp/gatehouse.log 2>&1 </dev/null & echo $! >/tmp/gatehouse.pid",
    );
    await this.until("the server's answer", async () => (await this.#call("/healthz")).code === 0);
  }

  /** Ends the server in order. */
  async stop(): Promise<void> {
    await this.root("kill $(cat /tmp/gatehouse.pid)");
    await this.until(
      "the server's end",
      async () => (await this.attempt("kill -0 $(cat /tmp/gatehouse.pid)")).code !== 0,
    );
  }

  async api<T>(path: string): Promise<T> {
    const { code, stdout, stderr } = await this.#call(path);
    if (code !== 0) throw new Error(`${path}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as T;
  }

  #call(path: string): Promise<Ran> {
    return this.attempt(
      `ip netns exec box curl -sS --fail-with-body -m 20 -u ada:secret-ada 'http://127.0.0.1:8080${path}'`,
    );
  }

  /** Dials in from a house; throws what pppd said when the line does not come up. */
  async dial(house: string, password: string, options = ""): Promise<Line> {
    const { code, output } = await this.tryDial(house, password, options);
    if (code !== 0) throw new Error(`pppd of ${house} ended with ${code}:\n${output}`);
    return this.findLine(house);
  }

  /** The line of a house that is up. */
  async findLine(house: string): Promise<Line> {
    const at = await this.root(`ip netns exec ${house} ip -o -4 addr show dev ppp0`);
    const own = /inet (\S+)/.exec(at)?.[1] ?? "";
    const served = await this.root(`ip -o -4 addr show | grep 'peer ${own}/32'`);
    const name = /^\d+: (\S+)/.exec(served)?.[1] ?? "";
    return { house, interface: name, address: own };
  }

  /** How pppd of a house ended, or 0 with the line up. A house has the name of its subscriber. */
  async tryDial(house: string, password: string, options = ""): Promise<{ code: number; output: string }> {
    const server = options.includes("mppe") ? "encrypting" : "plain";
    if (!this.#houses.has(house)) await this.root(lineScript(house));
    this.#houses.add(house);
    const { code } = await this.attempt(
      `rm -f /tmp/${house}.log; ip netns exec ${house} pppd plugin rp-pppoe.so nic-eth0 rp_pppoe_ac ${server} user ${house} password ${password} linkname ${house} ` +
        `noauth updetach noipdefault nodefaultroute novj noipv6 lcp-echo-interval 0 logfile /tmp/${house}.log ${options} >/dev/null 2>&1 </dev/null`,
    );
    return { code, output: (await this.attempt(`cat /tmp/${house}.log`)).stdout };
  }

  /** Moves 3 MB up and 5 MB down, by TCP. */
  async traffic({ house }: Line): Promise<void> {
    await this.root(
      `ip netns exec ${house} nc -N -w 20 ${address.gateway} ${port.sink} </tmp/three && ` +
        `ip netns exec ${house} curl -sS -m 60 -o /dev/null http://${address.gateway}:${port.source}/five`,
    );
  }

  /** What the access server's interface counted since the line came up, when nothing moves any more. */
  async counters({ interface: name }: Line): Promise<Octets> {
    let seen: number[] = [];
    await this.until(`an end of the traffic of ${name}`, async () => {
      const before = seen;
      const counted = await this.root(
        `cd /sys/class/net/${name}/statistics && cat rx_bytes tx_bytes /tmp/counted.${name}`,
      );
      seen = counted.split("\n").map(Number);
      return seen.every((bytes, at) => bytes === before[at]);
    });
    const [received = 0, sent = 0, receivedBefore = NaN, sentBefore = NaN] = seen;
    return { input: received - receivedBefore, output: sent - sentBefore };
  }

  /** The house ends its line in order, and the access server notices. */
  async hangUp(line: Line): Promise<void> {
    await this.root(`kill $(head -n 1 /run/ppp-${line.house}.pid)`);
    await this.untilGone(line);
  }

  async untilGone({ interface: name, address: own }: Line, patience = PATIENCE): Promise<void> {
    await this.until(
      `the end of ${name}`,
      async () =>
        (await this.attempt(`ip -o -4 addr show dev ${name} 2>/dev/null | grep -q 'peer ${own}/'`)).code !==
        0,
      patience,
    );
  }

  /** The sessions of a subscriber by the API, the newest first. */
  sessions(subscriberId: number): Promise<Session[]> {
    return this.api(`/api/v1/subscriber/sessions/${subscriberId}`);
  }

  /** What the API says was used since the last activation. */
  usage(subscriberId: number): Promise<{ readonly data_quota: { readonly used_bytes: number } }> {
    return this.api(`/api/v1/subscriber/usage/${subscriberId}`);
  }

  async session(subscriberId: number): Promise<Session | undefined> {
    return (await this.sessions(subscriberId))[0];
  }

  /** The session that has a Stop, as soon as it does. */
  async stopped(subscriberId: number, patience = PATIENCE): Promise<Session> {
    let seen: Session | undefined;
    await this.until(
      "the Stop in the books",
      async () => {
        seen = await this.session(subscriberId);
        return seen?.stop_time !== null && seen !== undefined;
      },
      patience,
    );
    if (!seen) throw new Error("there is no session");
    return seen;
  }

  /** How often the access server has been told that nobody listens where it sent a datagram (Icmp InDestUnreachs). */
  async refusedDatagrams(): Promise<number> {
    const [names = "", values = ""] = (await this.root("grep ^Icmp: /proc/net/snmp")).split("\n");
    return Number(values.split(" ")[names.split(" ").indexOf("InDestUnreachs")]);
  }

  /** Waits for a condition, because programs bring it about by themselves. */
  async until(what: string, isSo: () => Promise<boolean>, patience = PATIENCE): Promise<void> {
    const end = performance.now() + patience;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`${what} did not come in ${patience / 1000} s`);
      await Bun.sleep(200);
    }
  }

  /** The end of what the access server and Gatehouse said. */
  async lately(): Promise<string> {
    return (await this.attempt("tail -n 60 /tmp/access-server.log; tail -n 15 /tmp/gatehouse.log")).stdout;
  }
}
