let next = 10_000 + ((process.pid * 37) % 20_000);

/**
 * A port of loopback where nobody listens, for what is told its port: below those that the system gives by itself, so that no other socket of
 * this machine takes it before it is listened at, or again after a kill. Each process of tests begins at another one.
 */
export function freePort(): number {
  for (;;) {
    const port = next++;
    if (next >= 32_000) next = 10_000;
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // somebody listens there
    }
  }
}
