import { ADMIN, type Target } from "../target.ts";
import type { Notes } from "../notes.ts";
import { basic, RawConnection } from "../raw-http.ts";
import type { Extent } from "../trial.ts";

type Length = Pick<Extent, "isShort">;

/** What the public listener must not serve, whoever asks. */
const HIDDEN = [
  "/metrics",
  "/healthz",
  "/healthz/detail",
  "/openapi.json",
  "/docs",
  "/api/auth-login",
  "/api/v1/users/login",
  "/api/v1/users/profile",
  "/api/v1/subscriber/list",
  "/api/v1/subscriber/get/1",
  "/api/v1/role/list",
  "/api/v1/activation/activate",
];
const FILES = ["gatehouse.db", "secret.key", "etc/passwd", "proc/self/environ"];

/** The ways to write a path so that a check and a router disagree about it. */
function spellings(path: string): string[] {
  const bare = path.slice(1);
  const encoded = [...bare].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
  return [
    path,
    `/${path}`,
    `//isp.example${path}`,
    `${path}/`,
    `${path}//`,
    `${path}/.`,
    `${path}%00`,
    `${path}%20`,
    `${path};a=b`,
    `${path}?portal`,
    `${path}#/portal`,
    path.toUpperCase(),
    `/${encoded}`,
    path.replaceAll("/", "%2f"),
    path.replaceAll("/", "\\"),
    `/./${bare}`,
    `/portal/..${path}`,
    `/portal/../${bare}`,
    `/portal/%2e%2e${path}`,
    `/portal/..%2f${bare}`,
    `/portal/%252e%252e%252f${bare}`,
    `/portal/assets/../..${path}`,
    `/portal/assets/..%2f..%2f${bare}`,
    `/api/v1/subscriber/login/../../../..${path}`,
    `/api/v1/subscriber/login;${path}`,
    `http://127.0.0.1${path}`,
    `http://isp.example/portal/..${path}`,
  ];
}

function fileSpellings(file: string): string[] {
  return [
    "../../../scripts/",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "..\\",
    "..%5c",
    "....//",
    "%c0%ae%c0%ae/",
    "..%00/",
  ].flatMap((up) =>
    ["/portal/assets/", "/portal/brand/1/", "/portal/brand/", "/docs/", "/"].map(
      (base) => `${base}${up.repeat(6)}${file}`,
    ),
  );
}

/** Everything that stands only in answers that the public must not get. */
const INNER = /# HELP|"openapi"|"nic_number"|"permissions"|root:.*:0:0|SQLite format|"status":"ok"|PATH=/;

/** The public listener, with the Admin's own password, by every spelling of what it hides. */
export async function attackPaths(target: Target, notes: Notes, { isShort }: Length): Promise<void> {
  const targets = [...HIDDEN.flatMap(spellings), ...FILES.flatMap(fileSpellings)];
  const headers = {
    ...basic(ADMIN.username, ADMIN.password),
    "x-original-url": "/metrics",
    "x-rewrite-url": "/metrics",
    "x-forwarded-host": "127.0.0.1",
    "x-http-method-override": "GET",
  };
  let requests = 0;
  for (const method of ["GET", "POST"]) {
    let connection = await RawConnection.open({ port: target.public, from: "127.6.0.1" });
    for (const [i, path] of targets.entries()) {
      if (isShort && method === "POST" && i % 4 !== 0) continue;
      const answer = await connection.ask({ method, target: path, headers });
      requests += 1;
      if (!answer) {
        connection[Symbol.dispose]();
        connection = await RawConnection.open({ port: target.public, from: "127.6.0.1" });
        continue;
      }
      const isRefused = answer.status >= 400 && answer.status < 500;
      notes.expect(isRefused, `the public listener answered ${method} ${path} with ${answer.status}`);
      notes.expect(!INNER.test(answer.body), `the public listener gave inner things for ${method} ${path}`);
    }
    connection[Symbol.dispose]();
  }
  await escapeOnTheLan(target, notes, { isShort });
  notes.figure(
    "spellings of hidden paths and of files at the public listener, with the Admin's password, served",
    `0 of ${requests}`,
  );
}

/** Files of the machine are nowhere. */
async function escapeOnTheLan(target: Target, notes: Notes, { isShort }: Length): Promise<void> {
  for (const [i, path] of FILES.flatMap(fileSpellings).entries()) {
    if (isShort && i % 4 !== 0) continue; // each spelling for one of the files
    using connection = await RawConnection.open({ port: target.lan, from: "127.6.0.1" });
    const answer = await connection.ask({ target: path });
    notes.expect(
      !answer || !/root:.*:0:0|SQLite format|PATH=/.test(answer.body),
      `the LAN listener gave a file for ${path}`,
    );
  }
}

/** Requests that two servers could understand differently, or that one cannot hold: each is refused and ends, all are survived. */
export async function attackFraming(target: Target, notes: Notes, { isShort }: Length): Promise<void> {
  const login = "POST /api/v1/subscriber/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  const raw: Record<string, string> = {
    "a length and chunks": `${login}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /portal HTTP/1.1\r\nHost: x\r\n\r\n`,
    "two lengths": `${login}Content-Length: 0\r\nContent-Length: 40\r\n\r\nGET /portal/x HTTP/1.1\r\nHost: x\r\n\r\n`,
    "a negative length": `${login}Content-Length: -1\r\n\r\n`,
    "a length that is none": `${login}Content-Length: 0x10\r\n\r\n`,
    "a chunk that is none": `${login}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
    "a chunk of 2^64 bytes": `${login}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n`,
    "ten gigabytes": `${login}Content-Length: 10000000000\r\n\r\n{`,
    "a header of a megabyte": `GET /portal HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(1 << 20)}\r\n\r\n`,
    "a hundred thousand headers": `GET /portal HTTP/1.1\r\nHost: x\r\n${"A: b\r\n".repeat(100_000)}\r\n`,
    "a target of a megabyte": `GET /${"a".repeat(1 << 20)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    "a header with a NUL": "GET /portal/x HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n",
    "bytes that are no HTTP": "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
    "HTTP/0.9": "GET /metrics\r\n\r\n",
    "HTTP/2 without asking": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  };
  for (const [name, text] of Object.entries(raw)) {
    using connection = await RawConnection.open({ port: target.public, from: "127.6.0.2" });
    connection.socket.write(Buffer.from(text, "latin1"));
    const answer = await connection.answer("GET", isShort ? 500 : 2000);
    notes.expect(!answer || answer.status >= 400, `${name} got ${answer?.status}`);
    notes.expect(!answer || answer.status < 500 || answer.status === 505, `${name} got ${answer?.status}`);
    notes.expect(!answer || !INNER.test(answer.body), `${name} got inner things`);
    const second = await connection.answer("GET", 50);
    notes.expect(!second || second.status >= 400, `a request smuggled behind ${name} got ${second?.status}`);
  }
  notes.figure(
    "malformed, smuggled and oversized requests that were served",
    `0 of ${Object.keys(raw).length}`,
  );
}
