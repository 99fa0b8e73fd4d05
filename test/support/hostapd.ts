import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Hostapd {
  readonly dasPort: number;
  readonly stop: () => Promise<void>;
}

/** Whether this machine may make the network interface that hostapd guards: root does, in most containers too. */
export const canRunHostapd = process.getuid?.() === 0 && makesInterfaces();

/**
 * Starts a real hostapd (the access server of Linux switches and access points) with its RFC 5176 server on loopback. It
 * requires an Event-Timestamp; no session exists.
 */
export async function startHostapd(secret: string): Promise<Hostapd> {
  if (Bun.which("hostapd") === null)
    throw new Error("hostapd is not installed, and this test needs it: apt-get install hostapd");
  // it takes the port whatever the system answers, so one that is free is looked for first
  const probe = await Bun.udpSocket({ hostname: "127.0.0.1" });
  const dasPort = probe.port;
  probe.close();
  const dir = await mkdtemp(join(tmpdir(), "gatehouse-hostapd-"));
  const name = `gh${process.pid}`;
  await Bun.$`ip link add ${name}a type veth peer name ${name}b && ip link set ${name}a up`.quiet();
  const file = join(dir, "hostapd.conf");
  await writeFile(file, configuration(`${name}a`, dasPort, secret), { mode: 0o600 });
  const child = Bun.spawn(["hostapd", file], { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  const stop = async () => {
    child.kill();
    await child.exited;
    await Bun.$`ip link del ${name}a`.quiet().nothrow();
    await rm(dir, { recursive: true, force: true });
  };
  let text = "";
  const enabled = Promise.withResolvers<boolean>();
  // read to its end: a pipe that nobody reads ends the program
  const read = async () => {
    for await (const chunk of child.stdout) {
      text += Buffer.from(chunk).toString();
      if (text.includes("AP-ENABLED")) enabled.resolve(true);
    }
    enabled.resolve(false);
  };
  void read();
  if (await enabled.promise) return { dasPort, stop };
  await stop();
  throw new Error(`hostapd did not start:\n${text}`);
}

function configuration(name: string, dasPort: number, secret: string): string {
  return `interface=${name}
driver=wired
ieee8021x=1
own_ip_addr=127.0.0.1
auth_server_addr=127.0.0.1
auth_server_port=9
auth_server_shared_secret=${secret}
radius_das_port=${dasPort}
radius_das_client=127.0.0.1 ${secret}
radius_das_require_event_timestamp=1
`;
}

function makesInterfaces(): boolean {
  const name = `gh${process.pid}t`;
  if (Bun.spawnSync(["ip", "link", "add", name, "type", "veth"]).exitCode !== 0) return false;
  return Bun.spawnSync(["ip", "link", "del", name]).exitCode === 0;
}
