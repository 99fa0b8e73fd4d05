import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withDescendants } from "../../../scripts/bench.d/processes.ts";
import { radiusAt } from "../../support/appliance.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import { Visitor } from "../console/visitor.ts";
import { Notes } from "../notes.ts";
import { ADMIN, loginOf, openTarget, SECRET, type Target } from "../target.ts";
import type { Extent, Outcome, Trial } from "../trial.ts";
import { type HostileFile, hostileFiles } from "./hostile-files.ts";

/** Megabytes that the process that reads may have, and that the server may grow by meanwhile. */
const MOST = 150;
const MOST_GROWTH = 128;
/** Megabytes of one upload. */
const LIMIT = 3000;

const BUSY = new Set(["waiting", "looking", "reading"]);

/** Of /proc/PID/status, in megabytes; 0 of a process that is gone. */
function memoryOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** Looks at the memory of the server and of what it begins, and has a subscriber log in again and again. */
class Watch {
  reader = 0;
  server = 0;
  slowest = 0;
  logins = 0;
  unanswered = 0;
  readonly #timer: Timer;
  readonly #work: Promise<void>;
  #isOver = false;

  constructor({ appliance: { pid }, addresses }: Target) {
    this.#timer = setInterval(() => {
      this.server = Math.max(this.server, memoryOf(pid, "VmRSS"));
      for (const one of withDescendants([pid]))
        if (one !== pid) this.reader = Math.max(this.reader, memoryOf(one, "VmHWM"));
    }, 50);
    this.#work = this.#logIn(new RadiusClient({ ...radiusAt(addresses), secret: SECRET, timeout: 5000 }));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#work;
  }

  async #logIn(client: RadiusClient): Promise<void> {
    const { username: name, password } = loginOf(1);
    while (!this.#isOver) {
      const began = performance.now();
      const reply = await client.access({ name, password, method: "pap" });
      this.slowest = Math.max(this.slowest, performance.now() - began);
      this.logins++;
      if (reply?.code !== "Access-Accept") this.unanswered++;
      await Bun.sleep(10);
    }
    await client.close();
  }
}

/** The form of an upload, as a browser sends it. */
function formOf(token: string, pieces: Iterable<Uint8Array>) {
  const boundary = "----hostile";
  const part = (head: string) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`);
  const all = function* () {
    yield part('name="form_token"');
    yield Buffer.from(`${token}\r\n`);
    yield part('name="files"; filename="dump.sql"\r\nContent-Type: application/octet-stream');
    yield* pieces;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  };
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: streamOf(all()),
  };
}

const streamOf = (pieces: Iterator<Uint8Array>) =>
  new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const { done, value } = pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );

async function upload(visitor: Visitor, target: Target, pieces: Iterable<Uint8Array>) {
  const { headers, body } = formOf(await visitor.token(), pieces);
  const path = "/console/settings/import/upload/freeradius";
  const response = await fetch(`http://127.0.0.1:${target.lan}${path}`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { ...headers, cookie: visitor.cookie },
  });
  await response.text();
  return {
    status: response.status,
    id: response.headers.get("location")?.split("/").at(-1)?.split("?")[0] ?? "",
  };
}

/** How a run ended. */
async function ended({ dataFolder }: Target, id: string): Promise<{ state: string; problem: string | null }> {
  for (;;) {
    const run = JSON.parse(readFileSync(join(dataFolder, "uploads", id, "run.json"), "utf8"));
    if (!BUSY.has(run.state)) return run;
    await Bun.sleep(100);
  }
}

async function bringIn(
  target: Target,
  notes: Notes,
  visitor: Visitor,
  { what, pieces, becomes }: HostileFile,
) {
  const watch = new Watch(target);
  const before = memoryOf(target.appliance.pid, "VmRSS");
  const began = performance.now();
  const { status, id } = await upload(visitor, target, pieces());
  const arrived = performance.now();
  notes.expect(status === 303, `${what}: the upload was answered ${status}`);
  if (status !== 303) return watch.end();
  const { state, problem } = await ended(target, id);
  const seconds = [arrived - began, performance.now() - arrived].map((ms) => (ms / 1000).toFixed(1));
  await watch.end();
  const isRight = becomes === "tried" ? state === "tried" : becomes.test(problem ?? "");
  notes.expect(isRight, `${what}: ${state}, ${problem}`);
  notes.expect(watch.reader <= MOST, `${what}: the process that read took ${watch.reader.toFixed(0)} MB`);
  const growth = watch.server - before;
  notes.expect(growth <= MOST_GROWTH, `${what}: the server grew by ${growth.toFixed(0)} MB`);
  notes.expect(watch.unanswered === 0, `${what}: ${watch.unanswered} logins got no answer`);
  const left = readdirSync(join(target.dataFolder, "uploads", id)).filter((name) =>
    name.startsWith("scratch"),
  );
  notes.expect(left.length === 0, `${what}: left ${left.join()}`);
  notes.figure(
    `an upload of ${what}: arrived and read in, memory of the process that reads, of the server more than before, slowest of the logins meanwhile`,
    `${seconds.join(" and ")} s, ${watch.reader.toFixed(0)} MB, ${growth.toFixed(0)} MB, ${watch.slowest.toFixed(0)} ms of ${watch.logins}`,
  );
}

async function run({ isShort, log: note }: Extent): Promise<Outcome> {
  const notes = new Notes();
  await using target = await openTarget({ GATEHOUSE_UPLOAD_LIMIT_MB: String(isShort ? 60 : LIMIT) });
  const visitor = new Visitor({ origin: `http://127.0.0.1:${target.lan}` });
  await visitor.signIn(ADMIN.username, ADMIN.password);
  for (const file of hostileFiles(isShort ? 0.0005 : 1)) {
    note(file.what);
    await bringIn(target, notes, visitor, file);
  }
  note("an upload without an end");
  const endless = function* () {
    const piece = Buffer.alloc(2 ** 20, "x");
    for (;;) yield piece;
  };
  const status = await upload(visitor, target, endless()).then(
    (answer) => answer.status,
    () => 0, // the connection was closed while it sent
  );
  notes.expect(
    status === 0 || (status >= 400 && status < 500),
    `an upload without an end was answered ${status}`,
  );
  const code = await target.appliance.stop();
  notes.expect(code === 0, `the server ended with ${code}`);
  return notes.outcome;
}

/** Files of other systems that would take a server its memory: it reads them in another process, which has a limit. */
export const imports: Trial = { name: "imports", run };
