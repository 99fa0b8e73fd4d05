import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The zone of the times that the old systems stored without one. */
const ZONE = "Asia/Amman";
const PATH = `/usr/lib/postgresql/17/bin:/usr/lib/postgresql/16/bin:/usr/lib/postgresql/15/bin:/usr/sbin:${process.env["PATH"] ?? ""}`;

export interface DumpServer {
  readonly load: (database: string, sql: string) => Promise<void>;
  readonly dump: (database: string, ...options: readonly string[]) => Promise<Uint8Array>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Whether both servers are installed. */
export function hasServers(): boolean {
  return ["mariadbd", "mariadb-install-db", "mariadb-dump", "initdb", "postgres", "pg_dump"].every(
    (program) => Bun.which(program, { PATH }) !== null,
  );
}

/** Drops to the system's user when we are root, which the servers refuse to be. */
function as(user: string, command: readonly string[]): string[] {
  return process.getuid?.() === 0
    ? ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups", ...command]
    : [...command];
}

async function run(command: readonly string[], input = ""): Promise<Uint8Array> {
  const child = Bun.spawn([...command], {
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH, LC_ALL: "C.UTF-8", PGTZ: ZONE, TZ: "UTC" },
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(" ")} failed: ${errors}`);
  return output;
}

function folderFor(user: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gatehouse-${user}-`));
  chmodSync(folder, 0o755);
  if (process.getuid?.() === 0) Bun.spawnSync(["chown", user, folder]);
  return folder;
}

async function started(command: readonly string[], isReady: () => Promise<unknown>): Promise<Bun.Subprocess> {
  const server = Bun.spawn([...command], {
    stdout: "ignore",
    stderr: "ignore",
    env: { PATH, LC_ALL: "C.UTF-8", TZ: "UTC" },
  });
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      await isReady();
      return server;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > until) {
        server.kill();
        throw error;
      }
      await Bun.sleep(50);
    }
  }
}

export async function startMariadb(): Promise<DumpServer> {
  const folder = folderFor("mysql");
  const socket = join(folder, "socket");
  const data = join(folder, "data");
  await run(
    as("mysql", [
      "mariadb-install-db",
      "--no-defaults",
      `--datadir=${data}`,
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
    ]),
  );
  const client = (program: string, ...options: readonly string[]): string[] => [
    program,
    "--no-defaults",
    `--socket=${socket}`,
    "--user=root",
    ...options,
  ];
  const options = [
    "--no-defaults",
    `--datadir=${data}`,
    `--socket=${socket}`,
    "--skip-networking",
    "--innodb-flush-log-at-trx-commit=0",
    "--default-time-zone=+00:00",
    "--log-error=/dev/null",
  ];
  const server = await started(as("mysql", ["mariadbd", ...options]), () =>
    run(client("mariadb", "--execute=SELECT 1")),
  );
  return {
    load: async (database, sql) => {
      const head = `CREATE DATABASE \`${database}\` DEFAULT CHARACTER SET utf8mb4;\nUSE \`${database}\`;\nSET SESSION sql_mode='NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO';\n`;
      await run(client("mariadb", "--default-character-set=utf8mb4"), head + sql);
    },
    dump: (database, ...cell) => run([...client("mariadb-dump", ...cell), database]),
    [Symbol.asyncDispose]: () => stopped(server, folder),
  };
}

export async function startPostgres(): Promise<DumpServer> {
  const folder = folderFor("postgres");
  const data = join(folder, "data");
  await run(
    as("postgres", [
      "initdb",
      `--pgdata=${data}`,
      "--username=postgres",
      "--auth=trust",
      "--encoding=UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
    ]),
  );
  const client = (program: string, ...options: readonly string[]): string[] => [
    program,
    `--host=${folder}`,
    "--username=postgres",
    ...options,
  ];
  const settings = [
    `unix_socket_directories=${folder}`,
    "listen_addresses=",
    "fsync=off",
    `timezone=${ZONE}`,
  ];
  const command = as("postgres", ["postgres", "-D", data, ...settings.flatMap((setting) => ["-c", setting])]);
  const server = await started(command, () => run(client("psql", "--command=SELECT 1", "postgres")));
  return {
    load: async (database, sql) => {
      await run(client("createdb", database));
      await run(client("psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", database), sql);
    },
    dump: (database, ...cell) => run([...client("pg_dump", ...cell), database]),
    [Symbol.asyncDispose]: () => stopped(server, folder),
  };
}

async function stopped(server: Bun.Subprocess, folder: string): Promise<void> {
  server.kill("SIGTERM");
  await server.exited;
  rmSync(folder, { recursive: true, force: true });
}
