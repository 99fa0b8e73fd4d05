import { hostileDatagrams, type UdpOrder } from "./hostile-udp.ts";
import { hostileLogins, type LoginOrder } from "./hostile-logins.ts";

// A process of its own, so that an attack does not slow down the honest client that is measured meanwhile.
// Takes its order as JSON by standard input, prints what came of it as JSON.

export type Order = ({ kind: "udp" } & UdpOrder) | ({ kind: "logins" } & LoginOrder);

const order: Order = await Bun.stdin.json();
const outcome = order.kind === "udp" ? await hostileDatagrams(order) : await hostileLogins(order);
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exit(0);
