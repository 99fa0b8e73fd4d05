import { DomainError } from "../../../src/domain/core/errors/errors.ts";
import { ada, aPackage, aSubscriber, newSubscriber } from "../../support/isp.ts";
import { Store } from "../../domain/machine/imports/data-set/store.ts";
import { guarded } from "./radius.ts";
import { type Dice, mutateJson } from "../mutate.ts";
import type { Notes } from "../notes.ts";

/** A data set that uses every section and nearly every field. */
export const DATA_SET = {
  settings: { disconnect_enabled: true, currency: "USD", session_days: 180 },
  isps: [
    { id: 1, name: "Northlink", branches: [{ id: 11, name: "Centre" }] },
    { id: 2, name: "Southlink" },
  ],
  cities: [{ id: 1, isp_id: 1, name: "Riverton" }],
  areas: [{ id: 1, isp_id: 1, city_id: 1, name: "East" }],
  subareas: [{ id: 1, isp_id: 1, area_id: 1, name: "Block 4" }],
  permission_flags: ["ticket_view"],
  roles: [{ code: 1, isp_id: 1, name: "Support", permissions: { api_access: 1, subscriber_view: 1 } }],
  staff: [{ ...ada, phone: "100", role_code: null, balance: "0.00" }],
  nas: [
    {
      id: 1,
      isp_id: 1,
      name: "core",
      address: "127.0.0.1",
      secret: "testing123",
      require_message_authenticator: "auto",
      swap_octets: false,
      coa_port: 3799,
      disconnect_method: "auto",
      mppe: "allowed",
      routeros: {
        host: "127.0.0.1",
        port: 8728,
        username: "api",
        password: "x",
        tls: false,
        tls_fingerprint: null,
      },
    },
  ],
  packages: [
    aPackage(1, {
      data_quota_bytes: 1000,
      framed_pool: "p",
      simultaneous_use: 1,
      reseller_price: null,
      status: 1,
    }),
  ],
  subscribers: [
    aSubscriber(1, {
      branch_id: 11,
      city_id: 1,
      area_id: 1,
      subarea_id: 1,
      email: "one@isp.example",
      static_ip: "10.0.0.9",
    }),
    newSubscriber(2, {
      mac_address: "02:00:00:00:00:01",
      mac_lock: 1,
      global_note: "x",
      staff_notes: [{ note: "y", added_by: 1 }],
    }),
  ],
};

/** Changed data sets: taken as a whole or refused with the places of the faults, and what is taken comes out again. */
export async function fuzzImport(notes: Notes, dice: Dice, { until }: { until: number }): Promise<void> {
  const unchanged = await guarded(() => roundTrip(DATA_SET));
  notes.expect(unchanged === undefined, `the data set as it is: ${unchanged}`);
  using store = new Store();
  const before = JSON.stringify(store.dump());
  const tally = { taken: 0, refused: 0 };
  for (let rounds = 0; performance.now() < until; rounds++) {
    const data = mutateJson(DATA_SET, dice);
    const found = await guarded(() => tryOut(store, data, tally));
    if (found !== undefined) notes.fault(`a data set: ${found}: ${JSON.stringify(data).slice(0, 3000)}`);
    if (rounds % 50 === 0) await Bun.sleep(0);
  }
  notes.expect(
    JSON.stringify(store.dump()) === before,
    "an import that was only tried, or refused, wrote something",
  );
  const { taken, refused } = tally;
  notes.figure(
    "changed data sets imported as a whole, or refused with their faults",
    [taken, refused].map((n) => n.toLocaleString("en-US")).join(" and "),
  );
}

async function tryOut(
  store: Store,
  data: unknown,
  tally: { taken: number; refused: number },
): Promise<string | undefined> {
  if (JSON.stringify(data).includes('"password":"') && hasNewStaffPassword(data)) return undefined; // argon2 for each would be all there is
  try {
    await store.import(data, { dryRun: true });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    tally.refused += 1;
    if (error.kind !== "invalid") return `refused as ${error.kind}`;
    const pointers = Object.keys(error.fields ?? {});
    return pointers.every((pointer) => pointer === "" || pointer.startsWith("/")) && pointers.length > 0
      ? undefined
      : `faults without a place: ${pointers.join()}`;
  }
  tally.taken += 1;
  return tally.taken % 20 === 1 ? roundTrip(data) : undefined;
}

function hasNewStaffPassword(data: unknown): boolean {
  const staff: unknown = Object(data)["staff"];
  return Array.isArray(staff) && staff.some((one) => typeof Object(one)["password"] === "string");
}

/** What was taken is written, is whole, and comes back from its own export without a change. */
export async function roundTrip(data: unknown): Promise<string | undefined> {
  using store = new Store();
  await store.import(data);
  const broken = store.rows("PRAGMA foreign_key_check").length;
  if (broken > 0) return `${broken} references point nowhere after it`;
  using second = new Store();
  await second.import(store.export());
  return second.content() === store.content()
    ? undefined
    : "its export says something else after another import";
}
