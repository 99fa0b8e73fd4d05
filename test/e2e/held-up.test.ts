import { expect, test } from "bun:test";
import { lateLoginsIn } from "../../src/cli/buffers.ts";
import { checkLateLogins } from "../../src/domain/machine/check/buffers.ts";
import { Appliance, radiusAt } from "../support/appliance.ts";
import { NAS_SECRET } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";
import { eventually } from "../support/radius-server.ts";

const LOGINS = 200;
const login = { name: "nobody", password: "x" };

test("a server that stood still answers who asks now, drops logins that are too old and says so, and books all reports", async () => {
  await using appliance = new Appliance();
  await appliance.load({
    isps: [{ id: 1, name: "Northlink" }],
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
  });
  const at = await appliance.serve();
  const { host, port, acctPort } = radiusAt(at);
  const client = new RadiusClient({ host, port, acctPort, secret: NAS_SECRET });
  expect(await client.access(login)).toMatchObject({ code: "Access-Reject" });

  const metrics = async () => (await fetch(`http://${at.http}/metrics`)).text();
  const late = async () =>
    Number(/^gatehouse_radius_dropped_total\{.*reason="late"\} (\d+)$/m.exec(await metrics())?.[1] ?? 0);
  const socket = await Bun.udpSocket({ hostname: "127.0.0.1" });
  let dropped = 0;
  // the kernel begins to stamp what comes some time after it is asked to, on a busy machine after seconds
  for (let round = 0; dropped <= LOGINS && round < 10; round++) {
    process.kill(appliance.pid, "SIGSTOP");
    const old = Array.from({ length: LOGINS }, () => client.prepareAccess(login).datagram);
    for (let tries = 0; tries < 3; tries++) for (const datagram of old) socket.send(datagram, port, host);
    const reports = Array.from({ length: 50 }, (_, i) =>
      client.accounting(
        "Start",
        [
          ["User-Name", "nobody"],
          ["Acct-Session-Id", `held-${round}-${i}`],
        ],
        60_000,
      ),
    );
    await Bun.sleep(2000);
    process.kill(appliance.pid, "SIGCONT");

    // as a router does, which asks again
    const asked = client.prepareAccess(login);
    let answer = await client.exchange(asked, 300);
    for (let tries = 0; !answer && tries < 100; tries++) answer = await client.exchange(asked, 300);
    expect(answer).toMatchObject({ code: "Access-Reject", faults: [] });
    expect((await Promise.all(reports)).map((reply) => reply?.code)).toEqual(
      Array(50).fill("Accounting-Response"),
    );
    // what threads count they post every second
    for (let tries = 0; dropped <= LOGINS && tries < 30; tries++) {
      await Bun.sleep(100);
      dropped = await late();
    }
  }
  expect(dropped).toBeGreaterThan(LOGINS);
  expect(await metrics()).toContain("\ngatehouse_radius_late_timestamp_seconds 1");
  expect(await eventually(() => appliance.log.includes("logins of NAS core (127.0.0.1) are dropped"))).toBe(
    true,
  );
  const [found] = checkLateLogins(lateLoginsIn(await metrics()), Math.floor(Date.now() / 1000));
  expect(found).toMatchObject({
    severity: "warning",
    about: { kind: "radius_late", values: { logins: dropped } },
  });
  socket.close();
  await client.close();
});
