/* bun attempts.ts: tries what standard input says, all at once, and prints for each who answered, or null. */
import { connect } from "node:net";
import { createSocket } from "node:dgram";
import { query, TXT } from "./names.ts";

/** What somebody tries to reach. At port 53 a name is asked for, whose answer says who answered. */
export interface Attempt {
  readonly protocol: "tcp" | "udp";
  readonly to: string;
  readonly port: number;
}

/** Milliseconds for an answer, and between two tries by UDP. */
const PATIENCE = 3000;
const AGAIN = 700;

const whose = (said: Buffer) => /who:(\w+)/.exec(said.toString("latin1"))?.[1] ?? null;

function request({ protocol, port }: Attempt): Buffer {
  if (port !== 53) return Buffer.from("hello");
  const message = query("who.lab", TXT, { id: 7, largest: 512 });
  return protocol === "udp" ? message : Buffer.concat([Buffer.of(0, message.length), message]);
}

function byTcp(attempt: Attempt): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: attempt.to, port: attempt.port });
    let said: Buffer = Buffer.alloc(0);
    const end = (who: string | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(who);
    };
    const timer = setTimeout(() => end(null), PATIENCE);
    socket.on("connect", () => socket.write(request(attempt)));
    socket.on("data", (chunk: Buffer) => {
      said = Buffer.concat([said, chunk]);
      if (whose(said)) end(whose(said));
    });
    socket.on("error", () => end(null)).on("close", () => end(null));
  });
}

function byUdp(attempt: Attempt): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(attempt.to.includes(":") ? "udp6" : "udp4");
    const send = () => socket.send(request(attempt), attempt.port, attempt.to, () => {});
    const again = setInterval(send, AGAIN);
    const end = (who: string | null) => {
      clearTimeout(timer);
      clearInterval(again);
      socket.close();
      resolve(who);
    };
    const timer = setTimeout(() => end(null), PATIENCE);
    socket.on("message", (said) => end(whose(said)));
    // what a router rejects is told so; it tries again all the same
    socket.on("error", () => {});
    socket.bind(0, send);
  });
}

if (import.meta.main) {
  const attempts: Attempt[] = await Bun.stdin.json();
  const answers = attempts.map((one) => (one.protocol === "tcp" ? byTcp(one) : byUdp(one)));
  process.stdout.write(JSON.stringify(await Promise.all(answers)));
}
