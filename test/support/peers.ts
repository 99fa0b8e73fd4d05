import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PeerOutput {
  output: string;
  ok: boolean;
}

/** Port and seconds to wait for an answer: long, because a busy machine is no failure. */
interface PeerOptions {
  readonly secret: string;
  readonly host?: string;
  readonly seconds?: number;
}

/** `command`: auth, acct, status or auto; `attributes` in radclient's notation. */
export async function radclient(
  port: number,
  command: string,
  attributes: string,
  { secret, host = "127.0.0.1", seconds = 20 }: PeerOptions,
): Promise<PeerOutput> {
  const server = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const args = ["-x", "-r", "1", "-t", String(seconds), server, command, secret];
  return run("radclient", "freeradius-utils", args, `${attributes}\n`);
}

/** Runs wpa_supplicant's eapol_test once: a real EAP peer behind a real RADIUS client. */
export async function eapolTest(port: number, network: string, secret: string): Promise<PeerOutput> {
  const dir = await mkdtemp(join(tmpdir(), "gatehouse-eapol-"));
  try {
    const configuration = join(dir, "eapol.conf");
    await writeFile(configuration, `network={\n${network}\n}\n`);
    const args = [
      "-c",
      configuration,
      "-a",
      "127.0.0.1",
      "-p",
      String(port),
      "-s",
      secret,
      "-r",
      "0",
      "-t",
      "30",
    ];
    return await run("eapol_test", "eapoltest", args, "");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function run(
  program: string,
  debian: string,
  args: readonly string[],
  input: string,
): Promise<PeerOutput> {
  if (Bun.which(program) === null) {
    throw new Error(`${program} is not installed, and this test needs it: apt-get install ${debian}`);
  }
  const child = Bun.spawn([program, ...args], { stdin: Buffer.from(input), stdout: "pipe", stderr: "pipe" });
  const [out, err, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { output: out + err, ok: status === 0 };
}
