import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { Appliance, radiusAt } from "../support/appliance.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";

// Two routers of one network: one is updated, sends Message-Authenticators, and is downgraded again.

const appliance = new Appliance();
let updated: RadiusClient;
let neighbour: RadiusClient;

beforeAll(async () => {
  const active = { current_expiration_date: formatTime(systemClock() + DAY) };
  const data = {
    isps: [{ id: 1, name: "Northlink" }],
    staff: [{ id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
    nas: [{ id: 1, isp_id: 1, name: "field", address: "127.0.3.0/24", secret: NAS_SECRET, mppe: "required" }],
    packages: [aPackage(1, { simultaneous_use: 9 })],
    subscribers: [aSubscriber(1, active)],
  };
  await appliance.load(data);
  const at = { ...radiusAt(await appliance.serve()), secret: NAS_SECRET };
  updated = new RadiusClient({ ...at, localAddress: "127.0.3.1" });
  neighbour = new RadiusClient({ ...at, localAddress: "127.0.3.2" });
});
afterAll(async () => {
  await Promise.all([updated.close(), neighbour.close()]);
  await appliance[Symbol.asyncDispose]();
});

const signed = { name: "user1", password: "pw-1", method: "mschapv2" } as const;
const plain = { ...signed, messageAuthenticator: false };
const outputOf = async (...args: string[]) => (await appliance.run(args)).stdout;

test("what is dropped since a downgrade is seen by why, check and nas list, and nas set lets it in at once", async () => {
  expect(await updated.access(plain)).toMatchObject({ code: "Access-Accept", faults: [] });
  expect(await updated.access(signed)).toMatchObject({
    code: "Access-Accept",
    faults: [],
    attributes: { "MS-MPPE-Encryption-Policy": [2], "MS-MPPE-Encryption-Types": [6] },
  });
  expect(await updated.access(plain, 200)).toBeNull();
  expect(await neighbour.access(plain)).toMatchObject({ code: "Access-Accept", faults: [] });

  let why = "";
  const isKnown = async () => {
    why = await outputOf("why", "user1");
    return why.includes("have been dropped since");
  };
  for (let tries = 0; tries < 300 && !(await isKnown()); tries++) await Bun.sleep(100);
  expect(why).toMatch(
    /! requests of 127\.0\.3\.1 \(field\) without Message-Authenticator have been dropped since [-\d]+ [:\d]+, the last at [-\d]+ [:\d]+, because it sent one before;/,
  );
  const remedy = /gatehouse (nas set field --forget-message-authenticator 127\.0\.3\.1)/.exec(why)?.[1] ?? "";
  expect(await outputOf("check")).toContain(remedy);
  expect(await outputOf("nas", "list")).toContain("auto: seen of 1");

  expect(await appliance.run(remedy.split(" "))).toMatchObject({ code: 0 });
  expect(await updated.access(plain)).toMatchObject({ code: "Access-Accept", faults: [] });
  expect(await outputOf("check")).not.toContain("have been dropped since");
});
