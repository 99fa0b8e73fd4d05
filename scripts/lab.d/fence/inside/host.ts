/* bun host.ts NAME ADDRESS...: a host that says its name to whoever reaches it, on every port of these; `net` on those of names too. */
import { createServer } from "node:net";
import { createSocket } from "node:dgram";

const [name = "", ...addresses] = process.argv.slice(2);
const greeting = `who:${name} `;
/** To who wants a flow held open something is said so often, whether he says anything or not. */
const PUSH = 100;
const HELD = 60_000;

const names = name === "net" ? [53] : [];
const tcp = [...names, 22, 80, 443, 853, 1080, 1194, 3128, 8080, 8081, 8291, 8728];
const udp = [...names, 443, 500, 853, 1194, 4500, 51_820];

for (const address of addresses) {
  for (const port of tcp) {
    const server = createServer((socket) => {
      socket.write(greeting);
      const timer = setInterval(() => socket.write(greeting), PUSH);
      const end = () => clearInterval(timer);
      setTimeout(() => socket.destroy(), HELD);
      socket.on("error", end).on("close", end).resume();
    });
    server.listen(port, address);
  }
  for (const port of udp) {
    const held = new Set<string>();
    const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
    socket.on("message", (message, peer) => {
      const answer = () => socket.send(greeting, peer.port, peer.address);
      answer();
      if (message.toString() !== "hold" || held.has(`${peer.address} ${peer.port}`)) return;
      held.add(`${peer.address} ${peer.port}`);
      const timer = setInterval(answer, PUSH);
      setTimeout(() => clearInterval(timer), HELD);
    });
    socket.on("error", () => {}).bind(port, address);
  }
}
