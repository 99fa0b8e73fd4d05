import { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLogin, SECRET } from "./data-set.ts";
import { mortal } from "./endings.ts";
import { hasPostgres, startPostgres } from "./postgres.ts";
import type { Target } from "./target.ts";

const PROGRAM = "/usr/sbin/freeradius";
const LIBRARIES = "/usr/lib/freeradius";
const STOCK = "/etc/freeradius/3.0/mods-config/sql/main";

const RATE_LIMIT = "10M/20M";
const SESSION_TIMEOUT = "864000";

export type Kind = "files" | "sqlite" | "postgresql";

/** Which FreeRADIUS can be measured here. */
export function installedKinds(): Kind[] {
  if (!existsSync(PROGRAM)) return [];
  const has = (module: string) => existsSync(join(LIBRARIES, module)) && existsSync(STOCK);
  return [
    "files",
    ...(has("rlm_sql_sqlite.so") ? (["sqlite"] as const) : []),
    ...(has("rlm_sql_postgresql.so") && hasPostgres() ? (["postgresql"] as const) : []),
  ];
}

/**
 * A FreeRADIUS with so many subscribers, who are told a speed and a timeout as ours are. It runs the modules that the work
 * needs and no others; schema, queries, thread and connection pools and durability are those of the Debian packages.
 */
export async function startFreeRadius(kind: Kind, subscribers: number): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
  let child: Bun.Subprocess | undefined;
  const stop = async () => {
    child?.kill("SIGTERM");
    const killer = setTimeout(() => child?.kill("SIGKILL"), 5000);
    await child?.exited;
    clearTimeout(killer);
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await mkdir(join(folder, "run"));
    await writeFile(join(folder, "dictionary"), "");
    if (kind === "files") await writeFile(join(folder, "users"), usersFile(subscribers));
    if (kind === "sqlite") fillSqlite(join(folder, "radius.db"), subscribers);
    if (kind === "postgresql") {
      const schema = readFileSync(join(STOCK, "postgresql/schema.sql"), "utf8");
      postgres = await startPostgres(schema + makeRows(subscribers) + "ANALYZE;\n");
    }
    const [port = 0, acctPort = 0] = await freePorts(2);
    const configuration = configure(kind, { folder, port, acctPort, postgres: postgres?.folder ?? "" });
    await writeFile(join(folder, "radiusd.conf"), configuration, { mode: 0o600 });
    child = Bun.spawn(mortal([PROGRAM, "-f", "-d", folder, "-n", "radiusd"]), {
      stdout: "ignore",
      stderr: "ignore",
    });
    const log = join(folder, "run/radius.log");
    for (
      let tries = 0;
      !existsSync(log) || !readFileSync(log, "utf8").includes("Ready to process");
      tries++
    ) {
      if (tries === 200 || child.exitCode !== null)
        throw new Error(
          `FreeRADIUS did not start: ${existsSync(log) ? readFileSync(log, "utf8") : "no log"}`,
        );
      await Bun.sleep(100);
    }
    return {
      name: `freeradius-${kind}`,
      port,
      acctPort: kind === "files" ? null : acctPort,
      pids: [child.pid, ...(postgres ? [postgres.pid] : [])],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function usersFile(subscribers: number): string {
  return Array.from({ length: subscribers }, (_, index) => {
    const { username, password } = makeLogin(index + 1);
    return `${username} Cleartext-Password := "${password}"
\tMikrotik-Rate-Limit = "${RATE_LIMIT}", Session-Timeout = ${SESSION_TIMEOUT}
`;
  }).join("");
}

/** The same as rows of the stock schema. */
function makeRows(subscribers: number): string {
  const check: string[] = [];
  const reply: string[] = [];
  for (let id = 1; id <= subscribers; id++) {
    const { username, password } = makeLogin(id);
    check.push(`('${username}','Cleartext-Password',':=','${password}')`);
    reply.push(`('${username}','Mikrotik-Rate-Limit','=','${RATE_LIMIT}')`);
    reply.push(`('${username}','Session-Timeout','=','${SESSION_TIMEOUT}')`);
  }
  return `
INSERT INTO radcheck (username, attribute, op, value) VALUES ${check.join(",")};
INSERT INTO radreply (username, attribute, op, value) VALUES ${reply.join(",")};
`;
}

function fillSqlite(path: string, subscribers: number): void {
  const db = new Database(path);
  db.run(readFileSync(join(STOCK, "sqlite/schema.sql"), "utf8"));
  db.run(makeRows(subscribers));
  db.close();
}

interface Configured {
  folder: string;
  port: number;
  acctPort: number;
  /** Folder of PostgreSQL's socket. */
  postgres: string;
}

function configure(kind: Kind, { folder, port, acctPort, postgres }: Configured): string {
  const users = kind === "files" ? "files" : "sql";
  const books = kind === "files" ? "ok" : "sql";
  const connection =
    kind === "sqlite"
      ? `sqlite { filename = "${folder}/radius.db"\n busy_timeout = 200 }\n radius_db = "radius"`
      : `postgresql { send_application_name = yes }\n radius_db = "host=${postgres} dbname=radius user=radius"`;
  const sql = `
  sql {
    dialect = "${kind}"
    driver = "rlm_sql_${kind}"
    ${connection}
    acct_table1 = "radacct"
    acct_table2 = "radacct"
    postauth_table = "radpostauth"
    authcheck_table = "radcheck"
    groupcheck_table = "radgroupcheck"
    authreply_table = "radreply"
    groupreply_table = "radgroupreply"
    usergroup_table = "radusergroup"
    delete_stale_sessions = yes
    pool {
      start = \${thread[pool].start_servers}
      min = \${thread[pool].min_spare_servers}
      max = \${thread[pool].max_servers}
      spare = \${thread[pool].max_spare_servers}
      uses = 0
      retry_delay = 30
      lifetime = 0
      idle_timeout = 60
    }
    client_table = "nas"
    group_attribute = "SQL-Group"
    $INCLUDE ${STOCK}/${kind}/queries.conf
  }`;
  return `
name = gatehouse-bench
prefix = /usr
libdir = ${LIBRARIES}
raddbdir = ${folder}
modconfdir = ${folder}
logdir = ${folder}/run
run_dir = ${folder}/run
pidfile = ${folder}/run/pid
max_request_time = 30
cleanup_delay = 5
max_requests = 16384
log {
  destination = files
  file = ${folder}/run/radius.log
}
security {
  reject_delay = 1
  status_server = yes
}
proxy_requests = no
thread pool {
  start_servers = 5
  max_servers = 32
  min_spare_servers = 3
  max_spare_servers = 10
  max_requests_per_server = 0
}
client loopback {
  ipaddr = 127.0.0.1
  secret = ${SECRET}
  require_message_authenticator = no
}
modules {
  always ok {
    rcode = ok
  }
  pap {
  }
  chap {
  }
  mschap {
  }
  expr {
  }
  ${kind === "files" ? `files {\n usersfile = ${folder}/users\n }` : sql}
}
server default {
  listen {
    type = auth
    ipaddr = 127.0.0.1
    port = ${port}
  }
  listen {
    type = acct
    ipaddr = 127.0.0.1
    port = ${acctPort}
  }
  authorize {
    chap
    mschap
    ${users}
    pap
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
    Auth-Type CHAP {
      chap
    }
    Auth-Type MS-CHAP {
      mschap
    }
  }
  preacct {
    ${kind === "files" ? "ok" : "acct_unique"}
  }
  accounting {
    ${books}
  }
}
${kind === "files" ? "" : "policy {\n  $INCLUDE /etc/freeradius/3.0/policy.d/accounting\n}\n"}`;
}

/** Ports that were free a moment ago. */
async function freePorts(count: number): Promise<number[]> {
  const sockets = await Promise.all(
    Array.from({ length: count }, () => Bun.udpSocket({ hostname: "127.0.0.1" })),
  );
  const ports = sockets.map((socket) => socket.port);
  for (const socket of sockets) socket.close();
  return ports;
}
