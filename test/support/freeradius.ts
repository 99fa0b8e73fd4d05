import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = "/usr/sbin/freeradius";

export interface FreeRadius {
  port: number;
  acctPort: number;
  coaPort: number;
  /** Waits 5 seconds at the most. */
  logged: (text: string) => Promise<boolean>;
  stop: () => Promise<void>;
}

/**
 * Starts a real FreeRADIUS on loopback: `users` is its users file, `secret` that of 127.0.0.0/8. It acknowledges accounting,
 * and CoA and Disconnect unless User-Name is `gone` (Error-Cause 503) or `forbidden` (501).
 */
export async function startFreeRadius(users: string, secret: string): Promise<FreeRadius> {
  return launch(users, (dir, ports) => server(dir, secret, ports));
}

/** Starts a real FreeRADIUS whose users are in SQLite (rlm_sql). */
export async function startFreeRadiusSql(database: string, secret: string): Promise<FreeRadius> {
  return launch("", (dir, ports) => sqlServer(dir, secret, ports, database));
}

export interface HomeServer {
  port: number;
  acctPort: number;
  secret: string;
}

/** Starts a real FreeRADIUS as a proxy: it passes requests of 127.0.0.0/8 on with a Proxy-State of its own. */
export async function startFreeRadiusProxy(home: HomeServer, secret: string): Promise<FreeRadius> {
  return launch("", (dir, ports) => proxy(dir, secret, ports, udpHomes(home)));
}

/** The home server of a proxy that speaks RadSec with a router's files. */
export interface TlsHome {
  port: number;
  certificate: string;
  key: string;
  authority: string;
}

/** Starts a FreeRADIUS proxy that speaks RadSec: one home server for both kinds, checked by Status-Server. */
export async function startFreeRadiusTlsProxy(home: TlsHome, secret: string): Promise<FreeRadius> {
  return launch("", (dir, ports) => proxy(dir, secret, ports, tlsHomes(home)));
}

type Ports = Record<"port" | "acctPort" | "coaPort", number>;
type Configure = (dir: string, ports: Ports) => string;

async function launch(users: string, configure: Configure): Promise<FreeRadius> {
  if (!existsSync(PROGRAM)) {
    throw new Error(`${PROGRAM} is not installed, and these tests need it: apt-get install freeradius`);
  }
  // A port that was free may be taken before FreeRADIUS binds it.
  for (let tries = 1; ; tries++) {
    const started = await start(users, configure, await freePorts(3));
    if (typeof started !== "string") return started;
    if (tries === 5 || !/in use|binding/i.test(started))
      throw new Error(`FreeRADIUS did not start:\n${started}`);
  }
}

async function start(
  users: string,
  configure: Configure,
  ports: readonly number[],
): Promise<FreeRadius | string> {
  const [port = 0, acctPort = 0, coaPort = 0] = ports;
  const dir = await mkdtemp(join(tmpdir(), "gatehouse-freeradius-"));
  await mkdir(join(dir, "run"));
  await writeFile(join(dir, "users"), users);
  await writeFile(join(dir, "dictionary"), "");
  await writeFile(join(dir, "radiusd.conf"), configure(dir, { port, acctPort, coaPort }), {
    mode: 0o600,
  });

  const child = Bun.spawn([PROGRAM, "-X", "-d", dir, "-n", "radiusd"], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let log = "";
  const ready = Promise.withResolvers<boolean>();
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      log += decoder.decode(chunk, { stream: true });
      if (log.includes("Ready to process requests")) ready.resolve(true);
    }
  };
  const output = Promise.all([read(child.stdout), read(child.stderr), child.exited]);
  const stop = async () => {
    child.kill("SIGKILL");
    await output;
    await rm(dir, { recursive: true, force: true });
  };
  const logged = async (text: string) => {
    for (let tries = 0; tries < 3000 && !log.includes(text); tries++) await Bun.sleep(10);
    return log.includes(text);
  };
  void output.then(() => ready.resolve(false));
  if (await ready.promise) return { port, acctPort, coaPort, logged, stop };
  await stop();
  return log;
}

async function freePorts(count: number): Promise<number[]> {
  const sockets = await Promise.all(
    Array.from({ length: count }, () => Bun.udpSocket({ hostname: "127.0.0.1" })),
  );
  const ports = sockets.map((socket) => socket.port);
  for (const socket of sockets) socket.close();
  return ports;
}

function common(dir: string, secret: string): string {
  return `
name = gatehouse-test
prefix = /usr
libdir = /usr/lib/freeradius
raddbdir = ${dir}
logdir = ${dir}/run
run_dir = ${dir}/run
pidfile = ${dir}/run/pid
max_request_time = 20
security {
  reject_delay = 0
  status_server = yes
}
client loopback {
  ipaddr = 127.0.0.0/8
  secret = ${JSON.stringify(secret)}
  require_message_authenticator = no
}
`;
}

function udpHomes(home: HomeServer): string {
  return `
home_server home_auth {
  ${homeServer("auth", home.port, home.secret)}
}
home_server home_acct {
  ${homeServer("acct", home.acctPort, home.secret)}
}
home_server_pool home_auth_pool {
  home_server = home_auth
}
home_server_pool home_acct_pool {
  home_server = home_acct
}`;
}

function tlsHomes({ port, certificate, key, authority }: TlsHome): string {
  return `
home_server home {
  type = auth+acct
  ipaddr = 127.0.0.1
  port = ${port}
  proto = tcp
  secret = radsec
  response_window = 20
  status_check = status-server
  check_interval = 6
  num_answers_to_alive = 3
  tls {
    certificate_file = ${certificate}
    private_key_file = ${key}
    ca_file = ${authority}
    fragment_size = 8192
    tls_min_version = "1.2"
  }
}
home_server_pool home_auth_pool {
  home_server = home
}
home_server_pool home_acct_pool {
  home_server = home
}`;
}

function proxy(dir: string, secret: string, ports: Ports, homes: string): string {
  return `
${common(dir, secret)}
proxy_requests = yes
${homes}
realm home {
  auth_pool = home_auth_pool
  acct_pool = home_acct_pool
  nostrip
}
server default {
  ${listen("auth", ports.port)}
  ${listen("acct", ports.acctPort)}
  authorize {
    update control {
      Proxy-To-Realm := "home"
    }
  }
  preacct {
    update control {
      Proxy-To-Realm := "home"
    }
  }
}
`;
}

function homeServer(type: string, port: number, secret: string): string {
  return `type = ${type}
  ipaddr = 127.0.0.1
  port = ${port}
  secret = ${JSON.stringify(secret)}
  response_window = 20
  status_check = none`;
}

function server(dir: string, secret: string, ports: Ports): string {
  return `
${common(dir, secret)}
proxy_requests = no
modules {
  always reject {
    rcode = reject
  }
  always ok {
    rcode = ok
  }
  pap {
  }
  chap {
  }
  mschap {
  }
  files {
    usersfile = ${dir}/users
  }
}
server default {
  ${listen("auth", ports.port)}
  ${listen("acct", ports.acctPort)}
  ${listen("coa", ports.coaPort)}
  authorize {
    chap
    mschap
    files
    pap
    # What FreeRADIUS answers to Status-Server by default has no Message-Authenticator.
    Autz-Type Status-Server {
      update reply {
        Message-Authenticator := 0x00
      }
      ok
    }
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
  accounting {
    ok
  }
  recv-coa {
    if (&User-Name == "gone") {
      update reply {
        Error-Cause := Session-Context-Not-Found
      }
      reject
    }
    if (&User-Name == "forbidden") {
      update reply {
        Error-Cause := Administratively-Prohibited
      }
      reject
    }
    ok
  }
}
`;
}

/** With the queries that FreeRADIUS 3 has for SQLite. */
function sqlServer(dir: string, secret: string, ports: Ports, database: string): string {
  const query = (columns: string, table: string, owner: string, name: string) =>
    `"SELECT ${columns} FROM ${table} WHERE ${owner} = '%{${name}}' ORDER BY id"`;
  return `
${common(dir, secret)}
proxy_requests = no
modules {
  always reject {
    rcode = reject
  }
  pap {
  }
  expiration {
  }
  sql {
    dialect = "sqlite"
    driver = "rlm_sql_sqlite"
    sqlite {
      filename = ${JSON.stringify(database)}
    }
    read_groups = yes
    group_attribute = "SQL-Group"
    sql_user_name = "%{User-Name}"
    group_membership_query = "SELECT groupname FROM radusergroup WHERE username = '%{SQL-User-Name}' ORDER BY priority"
    authorize_check_query = ${query("id, username, attribute, value, op", "radcheck", "username", "SQL-User-Name")}
    authorize_reply_query = ${query("id, username, attribute, value, op", "radreply", "username", "SQL-User-Name")}
    authorize_group_check_query = ${query("id, groupname, attribute, value, op", "radgroupcheck", "groupname", "SQL-Group")}
    authorize_group_reply_query = ${query("id, groupname, attribute, value, op", "radgroupreply", "groupname", "SQL-Group")}
    pool {
      start = 1
      min = 1
      max = 2
    }
  }
}
server default {
  ${listen("auth", ports.port)}
  authorize {
    sql
    expiration
    pap
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
  }
}
`;
}

function listen(type: string, port: number): string {
  return `listen {
    type = ${type}
    ipaddr = 127.0.0.1
    port = ${port}
  }`;
}
