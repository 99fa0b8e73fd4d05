import { expect, test } from "bun:test";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { applyService } from "../../../../src/domain/service/control/apply.ts";
import { importDataSet } from "../../../../src/domain/machine/imports/data-set/import.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, aSubscriber, by } from "../../../support/isp.ts";
import { TestHandlers } from "../../../support/radius-handlers.ts";
import { NOW } from "../../../support/store.ts";

const routers = new RecordedRouters();
const apply = (handlers: TestHandlers) =>
  applyService(handlers.db, by, { subscriberId: 1 }, { clock: () => handlers.clock.now, routers });

/** Logs user1 in, and has its router tell of the session with the Class of the Accept. */
async function dialIn(handlers: TestHandlers, status: "Start" | "Interim-Update" = "Start"): Promise<void> {
  const sessionClass = handlers.login({ name: "user1", password: "pw-1" })?.attributes["Class"]?.[0];
  if (!Buffer.isBuffer(sessionClass)) throw new Error("no Class");
  await handlers.account(status, [
    ["User-Name", "user1"],
    ["Acct-Session-Id", "81000001"],
    ["Framed-IP-Address", "10.0.0.7"],
    ["Class", sessionClass],
  ]);
}

test.each(["Start", "Interim-Update"] as const)(
  "an import changes the pool of a package while a session is open (%s): the session has to dial in again",
  async (status) => {
    const slow = aPackage(3, { framed_pool: "slow" });
    await using handlers = await TestHandlers.open({
      packages: [slow],
      subscribers: [aSubscriber(1, { package_id: 3 })],
    });
    await dialIn(handlers, status);
    await importDataSet(handlers.db, by, { packages: [{ ...slow, framed_pool: "fast" }] }, { now: NOW });
    activate(handlers.db, by, { subscriberId: 1, packageId: 3 }, { now: NOW });
    expect(await apply(handlers)).toBe("reconnected");
    expect(routers.take()).toEqual(["disconnect 81000001"]);
  },
);
