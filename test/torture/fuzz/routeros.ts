import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { RouterosClient } from "../../../src/routeros/client.ts";
import { RouterosError } from "../../../src/routeros/fault.ts";
import { encodeSentence, SentenceReader } from "../../../src/routeros/framing.ts";
import { guarded } from "./radius.ts";
import { type Dice, mutateBytes } from "../mutate.ts";
import type { Notes } from "../notes.ts";

/** What routers answer, by the manual: rows, ends, traps, nothing found, good-bye; short and long words. */
const SENTENCES = [
  ["!done", ".tag=1"],
  ["!re", "=.id=*1", "=name=sam", "=caller-id=02:00:00:00:00:01", "=address=10.0.0.7", ".tag=1"],
  ["!re", "=.id=*80", `=comment=${"x".repeat(200)}`, "=a==b", ".tag=2"],
  ["!trap", "=category=2", "=message=no such item", ".tag=1"],
  ["!fatal", "session terminated on request"],
  ["!empty", ".tag=1"],
  ["!done", "=ret=0123456789abcdef0123456789abcdef"],
  ["!re", `=script=${"y".repeat(20_000)}`],
].map(encodeSentence);

/** Changed sentences to the reader, in any segments: always the same sentences, or the same refusal. */
export async function fuzzRouteros(notes: Notes, dice: Dice, { until }: { until: number }): Promise<void> {
  let rounds = 0;
  for (; performance.now() < until; rounds++) {
    const stream = streamOf(dice);
    const found = await guarded(async () => compare(stream, dice));
    if (found !== undefined)
      notes.fault(`a RouterOS stream: ${found}: ${stream.toString("hex").slice(0, 2000)}`);
    if (rounds % 500 === 0) await Bun.sleep(0);
  }
  notes.figure(
    "changed RouterOS streams, each read the same in any segments",
    rounds.toLocaleString("en-US"),
  );
}

function streamOf(dice: Dice): Buffer {
  const bytes = Buffer.concat(Array.from({ length: 1 + dice.below(5) }, () => dice.one(SENTENCES)));
  return dice.below(5) === 0 ? bytes : mutateBytes(bytes, dice.one(SENTENCES), dice);
}

/** The sentences of a stream cut at these places, and whether it was refused. */
function read(stream: Buffer, sizes: () => number): string {
  const reader = new SentenceReader();
  const events: string[][] = [];
  try {
    for (let at = 0; at < stream.length;) {
      const size = sizes();
      events.push(...reader.push(stream.subarray(at, at + size)));
      at += size;
    }
  } catch (error) {
    if (!(error instanceof RouterosError)) throw error;
    return "refused";
  }
  return JSON.stringify(events);
}

export function compare(stream: Buffer, dice: Dice): string | undefined {
  const whole = read(stream, () => stream.length);
  const bytewise = read(stream, () => 1);
  const cut = read(stream, () => 1 + dice.below(40));
  return whole === bytewise && whole === cut ? undefined : "it reads differently in other segments";
}

/** A router that answers with changed sentences: every command ends, with rows or with a fault of the router. */
export async function fuzzRouter(notes: Notes, dice: Dice, { until }: { until: number }): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let isFirst = true;
    socket.on("data", () => {
      // most get past the login
      socket.write(isFirst && dice.below(4) > 0 ? encodeSentence(["!done", ".tag=1"]) : streamOf(dice));
      isFirst = false;
      if (dice.below(6) === 0) socket.end();
    });
  });
  const port = await listening(server);
  let rounds = 0;
  try {
    for (; performance.now() < until; rounds += 8) {
      const found = await Promise.all(Array.from({ length: 8 }, () => guarded(() => ask(port))));
      for (const one of found) if (one !== undefined) notes.fault(`a hostile router: ${one}`);
    }
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
  notes.figure(
    "commands to a router that answers with changed sentences, each ended in time",
    rounds.toLocaleString("en-US"),
  );
}

async function ask(port: number): Promise<string | undefined> {
  const target = { host: "127.0.0.1", port, tls: false, fingerprint: null, username: "api", password: "x" };
  const began = performance.now();
  try {
    const client = await RouterosClient.open(target, 100);
    try {
      await client.command("/ppp/active/print", ["=.proplist=.id,name"], 100);
    } finally {
      client.close();
    }
  } catch (error) {
    if (!(error instanceof RouterosError)) throw error;
  }
  const took = performance.now() - began;
  return took > 20_000 ? `a command ended after ${Math.round(took)} ms instead of 200` : undefined;
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
