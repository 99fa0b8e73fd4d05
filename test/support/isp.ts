import { type Db, openStore } from "../../db/open.ts";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { operator } from "../../src/domain/core/actor/operator.ts";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { SECRET_1_HASH } from "./people.ts";
import { makeStore, NOW, type TemporaryStore, templateStore, undoneStores } from "./store.ts";

export const DAY = 86_400;
export const by = operator("root", "cli");

type Row = Record<string, unknown>;

/** A package of ISP 1: prepaid, 15.00 a month, 10M/20M, unless said otherwise. */
export function aPackage(id: number, values: Row = {}): Row {
  return {
    id,
    isp_id: 1,
    name: `Home ${id}`,
    price: "15.00",
    billing_type: "prepaid",
    duration: 1,
    duration_unit: "month",
    rate_limit: "10M/20M",
    ...values,
  };
}

/** A subscriber `user<id>` of ISP 1 with the password `pw-<id>`, 100.00 in the wallet, active for ten days more. */
export function aSubscriber(id: number, values: Row = {}): Row {
  return {
    id,
    isp_id: 1,
    name: `User ${id}`,
    username: `user${id}`,
    password: `pw-${id}`,
    package_id: 1,
    connection_type_id: 1,
    salesperson_id: 1,
    nas_id: 1,
    nic_number: `N${id}`,
    mobile_number: `M${id}`,
    balance: "100.00",
    current_expiration_date: formatTime(NOW + 10 * DAY),
    ...values,
  };
}

/** A subscriber that was never activated. */
export function newSubscriber(id: number, values: Row = {}): Row {
  const { current_expiration_date: _, ...never } = aSubscriber(id, values);
  return never;
}

export const NAS_SECRET = "testing123";

const staff = { isp_id: 1, branch_id: 0, password_hash: SECRET_1_HASH, status: 1 };
/** The Admin and the Reseller of ISP 1; both have the password `secret-1`. */
export const ada = {
  ...staff,
  id: 1,
  name: "Ada",
  username: "ada",
  email: "ada@isp.example",
  profile_type: 1,
};
export const rex = {
  ...staff,
  id: 2,
  name: "Rex",
  username: "rex",
  email: "rex@isp.example",
  profile_type: 3,
};

interface DataSet extends Row {
  subscribers?: Row[];
  packages?: Row[];
}

/** ISP 1 with an Admin (id 1), a Reseller (id 2), a NAS at 127.0.0.1 and package 1; ISP 2 with its own NAS; and more. */
export async function loadIsp(
  db: Db,
  { subscribers = [], packages = [], ...more }: DataSet = {},
): Promise<void> {
  await importDataSet(
    db,
    by,
    {
      isps: [
        { id: 1, name: "Northlink", branches: [{ id: 11, name: "Centre" }] },
        { id: 2, name: "Southlink" },
      ],
      staff: [ada, rex],
      nas: [
        { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET },
        { id: 2, isp_id: 2, name: "south", address: "127.0.0.2", secret: NAS_SECRET },
      ],
      ...more,
      packages: [aPackage(1), ...packages],
      subscribers,
    },
    { now: NOW },
  );
}

const stores = new Map<string, () => Promise<TemporaryStore>>();

/** A store of `loadIsp`, copied for equal data. */
export function ispStore(data: DataSet = {}): Promise<TemporaryStore> {
  const key = JSON.stringify(data);
  const copy = stores.get(key) ?? templateStore((db) => loadIsp(db, data));
  stores.set(key, copy);
  return copy();
}

/** `ispStore` of `undoneStores`. */
export const undoneIspStores = (): typeof ispStore => undoneStores(ispStore);

/** Turns a folder into the store of an appliance with an imported data set. */
export async function makeStoreOf(dataSet: object, folder: string, now = systemClock()): Promise<void> {
  makeStore(folder);
  const db = openStore(folder, { now });
  await importDataSet(db, by, dataSet, { now });
  db.$client.close();
}
