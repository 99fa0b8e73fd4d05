import { type Addresses, Appliance } from "../../support/appliance.ts";
import { endless } from "../../support/endless-answers.ts";
import { FakeRouteros } from "../../support/fake-routeros.ts";
import { aPackage, aSubscriber } from "../../support/isp.ts";
import { usedBy } from "../../../scripts/bench.d/processes.ts";
import type { Dice } from "../mutate.ts";
import { type Notes, format } from "../notes.ts";

interface Share {
  readonly until: number;
  readonly isShort: boolean;
}

const ADMIN = { username: "ada", password: "ada-5-Kestrel" };
/** Bytes of memory that the server may have meanwhile; its unit has a gigabyte (MemoryMax). */
const MOST_MEMORY = 900e6;
const KINDS = Object.keys(endless) as (keyof typeof endless)[];
/**
 * Routers whose answers never end, all of them asked at once and again by the real executable: every command ends in words,
 * the memory stays bounded, the API goes on.
 */
export async function floodFromRouters(notes: Notes, _: Dice, { until, isShort }: Share): Promise<void> {
  await using routers = new AsyncDisposableStack();
  const ports: number[] = [];
  const each = isShort ? 1 : 3; // routers of each kind
  for (let i = 0; i < KINDS.length * each; i++) {
    const answer = endless[KINDS[i % KINDS.length] ?? "rows"];
    const router = routers.use(await FakeRouteros.start({ faults: { "/ppp/active/print": answer } }));
    ports.push(router.port);
  }
  await using appliance = new Appliance();
  const imported = await appliance.run(["import", "-"], JSON.stringify(isp(ports)));
  if (imported.code !== 0) throw new Error(`the import failed: ${imported.stderr}`);
  const at = await appliance.serve();
  const idle = usedBy([appliance.pid]).memory;

  const watch = { memory: idle, wait: 0, isOver: false };
  const watching = watchServer(appliance.pid, at, watch);
  let requests = 0;
  do {
    const answers = await Promise.all(ports.map((_port, i) => disconnect(at, i + 1)));
    requests += answers.length;
    for (const [i, { status, error }] of answers.entries())
      notes.expect(
        status === 502,
        `${KINDS[i % KINDS.length]} without an end were answered ${status} ${error}`,
      );
  } while (performance.now() < until);
  watch.isOver = true;
  await watching;
  const grown = watch.memory - idle;
  notes.expect(
    watch.memory < MOST_MEMORY,
    `answers without an end took ${megabytes(grown)} MB of memory, ${megabytes(watch.memory)} MB in all`,
  );
  notes.figure(
    `commands to ${ports.length} routers whose answers have no end, each ended in words`,
    `${format(requests)}; ${megabytes(grown)} MB of memory at the most, a page of the API within ${Math.round(watch.wait)} ms`,
  );
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);

/** The most memory, and the longest wait for a page, until it is over. */
async function watchServer(
  pid: number,
  { http }: Addresses,
  watch: { memory: number; wait: number; isOver: boolean },
): Promise<void> {
  while (!watch.isOver) {
    const began = performance.now();
    await (await fetch(`http://${http}/healthz`)).text();
    watch.wait = Math.max(watch.wait, performance.now() - began);
    watch.memory = Math.max(watch.memory, usedBy([pid]).memory);
    await Bun.sleep(20);
  }
}

async function disconnect({ http }: Addresses, id: number): Promise<{ status: number; error: string }> {
  const response = await fetch(`http://${http}/api/v1/activation/disconnect`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}` },
    body: new URLSearchParams({ user_id: String(id) }),
  });
  return { status: response.status, error: await response.text() };
}

/** A subscriber of the router's own for each of them. */
function isp(ports: readonly number[]): unknown {
  return {
    isps: [{ id: 1, name: "Northlink" }],
    staff: [{ ...ADMIN, id: 1, isp_id: 1, branch_id: 0, name: "Ada", profile_type: 1, status: 1 }],
    nas: ports.map((port, i) => ({
      id: i + 1,
      isp_id: 1,
      name: `router${i + 1}`,
      address: `127.0.1.${i + 1}`,
      secret: "testing123",
      routeros: { host: "127.0.0.1", port, username: "api", password: "secret" },
    })),
    packages: [aPackage(1)],
    subscribers: ports.map((_port, i) => aSubscriber(i + 1, { connection_type_id: 3, nas_id: i + 1 })),
  };
}
