import { expect, test } from "bun:test";
import { aSubscriber } from "../support/isp.ts";
import { runs } from "../support/runs.ts";
import { eventually, startTestRadius } from "../support/radius-server.ts";
import { certifiedRouter, RadsecClient } from "../support/radsec-client.ts";

const CONNECTIONS = runs(300, 1000).numRuns;
/** Handshakes at once, as routers that come back after a cut of power do it. */
const AT_ONCE = 50;

test("hundreds of connections at once, each of which is answered beside those that stall, send garbage or have a wrong certificate, while UDP goes on", async () => {
  await using radius = await startTestRadius(
    {
      subscribers: [1, 2].map((id) =>
        aSubscriber(id, { nas_id: id, current_expiration_date: "2030-01-01 00:00:00" }),
      ),
      nas: [
        { id: 1, isp_id: 1, name: "core", address: "10.99.0.1", secret: "testing123" },
        { id: 2, isp_id: 1, name: "near", address: "127.0.0.1", secret: "testing123" },
      ],
    },
    { radsec: true },
  );
  const files = await certifiedRouter(radius.db, 1);
  const expired = await certifiedRouter(radius.db, 1, {
    now: Math.floor(Date.now() / 1000) - 3 * 365 * 86_400,
  });
  await using elsewhere = await startTestRadius({}, { radsec: true });
  const foreign = await certifiedRouter(elsewhere.db, 1);
  await eventually(() => radius.server.radsec() !== undefined);
  const port = radius.server.radsec()?.endpoint.port ?? 0;
  const login = { name: "user1", password: "pw-1" };
  const open: RadsecClient[] = [];
  try {
    while (open.length < CONNECTIONS)
      open.push(
        ...(await Promise.all(Array.from({ length: AT_ONCE }, () => RadsecClient.open(port, files)))),
      );
    expect(await eventually(() => radius.server.radsec()?.connections.get(1) === CONNECTIONS)).toBe(true);
    const [stalled, garbage, ...good] = open;
    if (!stalled || !garbage) throw new Error("there are none");
    stalled.stall();
    const flood = stalled.radius.prepareAccess(login).datagram;
    for (let i = 0; i < 2000; i++) stalled.write(flood);
    garbage.write(Buffer.alloc(4096, 0x47));
    const strangers = [foreign, expired].map(async (text) => {
      const router = await RadsecClient.open(port, { ...text, authority: files.authority }).catch(
        () => undefined,
      );
      await router?.closed;
      await router?.close();
    });
    const udp = radius.client();
    const requests = good.map((router) => router.exchange(router.radius.prepareAccess(login), 30_000));
    expect((await udp.access({ name: "user2", password: "pw-2" }))?.code).toBe("Access-Accept");
    const codes = (await Promise.all(requests)).map((reply) => reply?.code);
    expect(codes.filter((code) => code === "Access-Accept").length).toBe(CONNECTIONS - 2);
    expect(good.some(({ isClosed }) => isClosed)).toBe(false);
    await Promise.all([garbage.closed, ...strangers]);
  } finally {
    await Promise.all(open.map((router) => router.close()));
  }
  expect(await eventually(() => (radius.server.radsec()?.connections.size ?? 0) === 0)).toBe(true);
});
