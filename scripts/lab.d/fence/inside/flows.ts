/* bun flows.ts SECONDS: holds the flows of standard input open for so long, and prints when each was last heard of. */
import { connect } from "node:net";
import { createSocket } from "node:dgram";
import type { Attempt } from "./attempts.ts";

/** What came of a flow: how often its other end was heard, and when the last time, in milliseconds since 1970. */
export interface Heard {
  readonly times: number;
  readonly last: number;
}

const EVERY = 100;

function hold({ protocol, to, port }: Attempt): { heard: { times: number; last: number } } {
  const heard = { times: 0, last: 0 };
  const hear = () => {
    heard.times++;
    heard.last = Date.now();
  };
  if (protocol === "tcp") {
    const socket = connect({ host: to, port });
    socket.on("data", hear).on("error", () => {});
    setInterval(() => socket.write("x"), EVERY);
  } else {
    const socket = createSocket(to.includes(":") ? "udp6" : "udp4");
    socket.on("message", hear).on("error", () => {});
    setInterval(() => socket.send("hold", port, to, () => {}), EVERY);
  }
  return { heard };
}

const seconds = Number(process.argv[2]);
const attempts: Attempt[] = await Bun.stdin.json();
const flows = attempts.map(hold);
await Bun.sleep(seconds * 1000);
process.stdout.write(JSON.stringify(flows.map(({ heard }): Heard => heard)), () => process.exit(0));
