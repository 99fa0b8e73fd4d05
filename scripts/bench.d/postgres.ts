import { readdirSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mortal } from "./endings.ts";

export interface Postgres {
  /** Where its socket is; it listens on no port. */
  readonly folder: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

export function hasPostgres(): boolean {
  return programs() !== undefined;
}

/** A PostgreSQL of its own with Debian's defaults and a database `radius` of a user `radius`, into which it runs `sql`. */
export async function startPostgres(sql: string): Promise<Postgres> {
  const bin = programs() ?? "";
  const folder = await mkdtemp(join(tmpdir(), "postgresql-"));
  const owner = process.getuid?.() === 0 ? "postgres" : undefined;
  if (owner) await chown(folder, await readId("-u"), await readId("-g"));
  const data = join(folder, "data");
  // PostgreSQL refuses to run as root
  const as = (args: string[]) =>
    owner
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...mortal(args)]
      : mortal(args);
  let server: Bun.Subprocess | undefined;
  const stop = async () => {
    server?.kill("SIGINT");
    await server?.exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await run(
      as([`${bin}/initdb`, "-D", data, "-U", "radius", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]),
    );
    server = Bun.spawn(
      as([
        `${bin}/postgres`,
        "-D",
        data,
        "-c",
        "listen_addresses=",
        "-c",
        `unix_socket_directories=${folder}`,
      ]),
      { cwd: folder, stdout: "ignore", stderr: "ignore" },
    );
    const psql = [`${bin}/psql`, "-h", folder, "-U", "radius", "-q", "-v", "ON_ERROR_STOP=1"];
    for (let tries = 0; !(await accepts(bin, folder)); tries++) {
      if (tries === 100 || server.exitCode !== null) throw new Error("PostgreSQL did not start");
      await Bun.sleep(100);
    }
    await run([...psql, "-d", "postgres", "-c", "CREATE DATABASE radius"]);
    await run([...psql, "-d", "radius", "-f", "-"], sql);
    return { folder, pid: server.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Debian keeps a version's programs in a folder of its own; the newest is taken. */
function programs(): string | undefined {
  const root = "/usr/lib/postgresql";
  try {
    const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a));
    return newest === undefined ? undefined : join(root, newest, "bin");
  } catch {
    return undefined;
  }
}

async function accepts(bin: string, folder: string): Promise<boolean> {
  const child = Bun.spawn([`${bin}/pg_isready`, "-q", "-h", folder], { stdout: "ignore", stderr: "ignore" });
  return (await child.exited) === 0;
}

async function readId(flag: "-u" | "-g"): Promise<number> {
  return Number(await Bun.spawn(["id", flag, "postgres"], { stdout: "pipe" }).stdout.text());
}

async function run(command: string[], stdin = ""): Promise<void> {
  const child = Bun.spawn(command, { cwd: "/", stdin: new Blob([stdin]), stdout: "ignore", stderr: "pipe" });
  const [code, errors] = await Promise.all([child.exited, child.stderr.text()]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${errors}`);
}
