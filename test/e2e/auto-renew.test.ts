import { expect, test } from "bun:test";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { Appliance, radiusAt } from "../support/appliance.ts";
import { FakeNas } from "../support/fake-nas.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";

const DISCONNECT_REQUEST = 40;
const ROUTER = "127.0.0.10";

/** Milliseconds that money has from its commit to the renewal. */
const AT_ONCE = 60_000;

test("money that arrives at the command line renews at the server, which lets the session out of the walled garden; a kill makes it no second time", async () => {
  const { promise: disconnected, resolve } = Promise.withResolvers<number>();
  using nas = await FakeNas.start(
    ({ code }) => {
      resolve(code);
      return {};
    },
    { address: ROUTER, secret: NAS_SECRET },
  );
  await using appliance = new Appliance();
  const expired = {
    current_expiration_date: formatTime(systemClock() - DAY),
    balance: "0.00",
    auto_renew: 1,
  };
  const dataSet = {
    isps: [{ id: 1, name: "Northlink" }],
    staff: [{ id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
    nas: [{ id: 1, isp_id: 1, name: "core", address: ROUTER, secret: NAS_SECRET, coa_port: nas.port }],
    packages: [aPackage(1, { expired_pool: "garden" })],
    subscribers: [aSubscriber(1, expired)],
  };
  await appliance.load(dataSet);
  const at = await appliance.serve();
  const router = new RadiusClient({ ...radiusAt(at), secret: NAS_SECRET, localAddress: ROUTER });
  await router.accounting("Start", [
    ["User-Name", "user1"],
    ["Acct-Session-Id", "81000001"],
  ]);
  await router.close();
  const text = async (): Promise<{ profile_status: string; balance: number }> =>
    JSON.parse((await appliance.run(["subscriber", "show", "user1", "--json"])).stdout);
  expect(await text()).toMatchObject({ profile_status: "expired", balance: 0 });

  expect(await appliance.run(["subscriber", "credit", "user1", "45.00"])).toMatchObject({ code: 0 });
  expect(await Promise.race([disconnected, Bun.sleep(AT_ONCE)])).toBe(DISCONNECT_REQUEST);
  expect(await text()).toMatchObject({ profile_status: "active", balance: 30 });

  await appliance.stop("SIGKILL");
  await appliance.serve();
  await Bun.sleep(1500);
  expect(await text()).toMatchObject({ profile_status: "active", balance: 30 });
  expect(await appliance.stop()).toBe(0);
});
