let next = 10_000 + ((process.pid * 37) % 20_000);

/**
 * An unused loopback port below the system's ephemeral range, so that no socket takes it before its server does, or after a
 * kill. Each process of tests begins at another one.
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
