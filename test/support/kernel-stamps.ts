import { bindPort, ServerSocket } from "../../src/os/server-socket.ts";

/** Milliseconds that datagrams are left at a port, and of which a stamp has to tell most. */
const LEFT = 50;

let stamping: Promise<void> | undefined;

/** Resolves when the kernel stamps what comes, as it does from some time after the first socket of the machine asked for it. */
export function kernelStamps(): Promise<void> {
  return (stamping ??= untilStamped());
}

/** Its port stays open to the end of the process, or the kernel might stop again. */
async function untilStamped(): Promise<void> {
  const bound = bindPort({ host: "127.0.0.1", port: 0 });
  const socket = new ServerSocket(bound, { longest: 64, failed: () => {} });
  const sender = await Bun.udpSocket({ hostname: "127.0.0.1" });
  for (let waited = 0; waited < LEFT / 2;) {
    // as many as one call takes, for of fewer it is not looked at
    for (let i = 0; i < 64; i++) sender.send("x", bound.endpoint.port, "127.0.0.1");
    await Bun.sleep(LEFT);
    socket.receive(0);
    waited = socket.waited(0);
  }
  sender.close();
}
