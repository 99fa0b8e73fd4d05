import { FakeNas } from "../../support/fake-nas.ts";
import { ada, aPackage, aSubscriber, NAS_SECRET, newSubscriber, rex } from "../../support/isp.ts";
import { Box } from "../box.ts";
import { Calendar } from "./calendar.ts";
import { fairWords, type TopUp } from "./fair.ts";
import { GARDEN_RATE, INTERIM } from "./grants.ts";
import { Model, type Package, type Period, type Subscriber } from "./model.ts";
import { answer, between, type Device, pick, Router, type World } from "./world.ts";

const ZONE = "Europe/Berlin";
const GB = 1_000_000_000;
/** Summer time begins three weeks later. */
const START = Date.UTC(2030, 2, 9, 23) / 1000;
const DAY = 86_400;

const plain = {
  resellerPrice: null,
  isPrepaid: true,
  quota: 0,
  slower: null,
  list: null,
  gardenPool: null,
  gardenList: null,
  atOnce: 1,
};
const gardenByPool: Package = {
  ...plain,
  id: 4,
  price: 2000,
  resellerPrice: 1200,
  duration: 1,
  unit: "month",
  rate: "30M/60M",
  quota: 150 * GB,
  gardenPool: "garden",
};
const gardenByList: Package = {
  ...plain,
  id: 5,
  price: 199,
  isPrepaid: false,
  resellerPrice: 150,
  duration: 1,
  unit: "day",
  rate: "2M/2M",
  list: "vip",
  gardenList: "expired",
  atOnce: 2,
};
const packages: readonly Package[] = [
  { ...plain, id: 1, price: 1500, duration: 1, unit: "month", rate: "10M/20M" },
  { ...plain, id: 2, price: 300, duration: 2, unit: "day", rate: "5M/10M", quota: 20 * GB },
  {
    ...plain,
    id: 3,
    price: 250,
    isPrepaid: false,
    duration: 36,
    unit: "hour",
    rate: "20M/40M",
    quota: 15 * GB,
    slower: "1M/1M",
    atOnce: 2,
  },
  gardenByPool,
  gardenByList,
];

/** What a fifth of them has, and no other. */
const fairPackage: Package = {
  ...plain,
  id: 6,
  price: 400,
  duration: 5,
  unit: "day",
  rate: "40M/40M",
  atOnce: 2,
  fair: {
    tiers: [
      { after: 3 * GB, rate: "8M/8M" },
      { after: 9 * GB, rate: "1M/1M" },
    ],
    night: "80M/80M",
    weekend: "25M/25M",
  },
};
/** On top of that. */
const topUps: readonly TopUp[] = [
  { id: 7, price: 150, octets: 2 * GB, days: 0, stays: true },
  { id: 8, price: 100, octets: 3 * GB, days: 0, stays: false },
  { id: 9, price: 120, octets: 0, days: 2, stays: false },
];
const isFair = (id: number) => id % 5 === 0;

/** Those that every run begins with: two in the walled garden, and one who is topped up. */
const firstOnes: Readonly<Record<number, { sold: Package; until: number }>> = {
  1: { sold: gardenByPool, until: START - DAY },
  2: { sold: gardenByList, until: START - DAY },
  5: { sold: fairPackage, until: START + 3 * DAY },
};

/** An ISP with so many subscribers at four routers, and a model that knows the same. */
export async function openWorld(count: number, draw: () => number): Promise<World & AsyncDisposable> {
  const calendar = new Calendar(ZONE);
  const model = new Model(calendar);
  const stack = new AsyncDisposableStack();
  try {
    const addresses = [1, 2, 3, 4].map((host) => `127.0.10.${host}`);
    const fakes = await Promise.all(addresses.map((address) => FakeNas.start({}, { address })));
    for (const fake of fakes) stack.use(fake);
    const subscribers = Array.from({ length: count }, (_, index) => aCustomer(index + 1, draw));
    const data = {
      ...fixed,
      nas: fakes.map((fake, index) => aNas(index + 1, fake)),
      subscribers: rowsOf(subscribers, model, draw, calendar),
    };
    const box = stack.use(await Box.open({ now: START, zone: ZONE, data }));
    const routers = fakes.map(
      (fake, index) => new Router(fake.address, index % 2 === 0, fake, box.router(fake.address)),
    );
    const counts = {
      records: 0,
      logins: 0,
      sales: 0,
      credits: 0,
      reboots: 0,
      ended: 0,
      slowed: 0,
      lost: 0,
      cardLogins: 0,
      cardSales: 0,
      redeemed: 0,
      voided: 0,
      rates: 0,
      topUps: 0,
    };
    const world = {
      box,
      model,
      routers,
      subscribers,
      packages,
      fairPackage,
      topUps,
      draw,
      counts,
      devices: withGuests(devicesOf(subscribers, routers, draw), Math.ceil(count / 3), routers, draw),
      calendar,
      addDuration: (from: number | Period, sold: Package) => calendar.add(from, sold),
      late: [],
      faults: [],
      history: new Map<string, string[]>(),
      applied: 0,
      isStuck: false,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
    for (const router of routers) router.nas.behaviour = (request) => answer(world, router, request);
    return world;
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

const fixed = {
  // a reseller who sells cards by its own program
  staff: [ada, { ...rex, role_code: 1 }],
  roles: [{ code: 1, isp_id: 1, name: "Shop", permissions: { api_access: 1, card_view: 1, card_sell: 1 } }],
  settings: {
    acct_interim_interval: INTERIM,
    garden_rate: GARDEN_RATE,
    disconnect_confirm: 0,
    max_coa_wait: 10, // all routers answer, however busy the machine is
    backup_every_hours: 0,
    // nothing is forgotten, however long it goes on
    session_days: 36_500,
    usage_days: 36_500,
    audit_days: 36_500,
  },
  packages: [
    ...topUps.map(({ id, price, octets, days, stays }) =>
      aPackage(id, {
        price: (price / 100).toFixed(2),
        top_up_bytes: octets,
        top_up_days: days,
        top_up_rolls: stays ? 1 : 0,
      }),
    ),
    ...[...packages, fairPackage].map((one) =>
      aPackage(one.id, {
        price: (one.price / 100).toFixed(2),
        reseller_price: one.resellerPrice === null ? null : (one.resellerPrice / 100).toFixed(2),
        billing_type: one.isPrepaid ? "prepaid" : "postpaid",
        duration: one.duration,
        duration_unit: one.unit,
        rate_limit: one.rate,
        data_quota_bytes: one.quota,
        quota_exceeded: one.slower ?? "reject",
        address_list: one.list,
        expired_pool: one.gardenPool,
        expired_address_list: one.gardenList,
        simultaneous_use: one.atOnce,
        ...(one.fair && fairWords(one.fair)),
      }),
    ),
  ],
};

function aNas(id: number, { address, port }: FakeNas): Record<string, unknown> {
  return {
    id,
    isp_id: 1,
    name: `router${id}`,
    address,
    secret: NAS_SECRET,
    coa_port: port,
    disconnect_method: "coa",
  };
}

function aCustomer(id: number, draw: () => number): Subscriber {
  const staticIp = draw() < 0.1 ? `10.99.0.${id}` : null;
  return {
    id,
    password: `pw-${id}`,
    staticIp,
    salesperson: draw() < 0.4 ? 2 : 1,
    isEnabled: true,
    service: undefined,
  };
}

/** The import rows; whoever arrives active gets the service that activation would have written. */
function rowsOf(subscribers: readonly Subscriber[], model: Model, draw: () => number, calendar: Calendar) {
  return subscribers.map((subscriber) => {
    const { id, staticIp, salesperson } = subscriber;
    const drawn = pick(draw, packages);
    const first = firstOnes[id];
    const sold = first?.sold ?? (isFair(id) ? fairPackage : drawn);
    const opening = between(draw, 0, 10_000);
    if (opening > 0) model.wallets.book(`subscriber ${id}`, opening, "opening", START);
    const values = {
      package_id: sold.id,
      salesperson_id: salesperson,
      static_ip: staticIp,
      balance: (opening / 100).toFixed(2),
    };
    if (draw() < 0.2 && !first) return newSubscriber(id, values);
    const until = first?.until ?? START + between(draw, -2 * DAY, 20 * DAY);
    const never = Number.NEGATIVE_INFINITY;
    const history = { activatedAt: never, soldAt: never, used: 0, crossedAt: null };
    // whoever arrives active has not been counted by a calendar yet
    const day = sold.fair && { date: calendar.date(START), free: 0, extra: 0, staying: 0 };
    subscriber.service = { sold, until, due: null, ...history, ...(day && { day }) };
    return aSubscriber(id, { ...values, current_expiration_date: calendar.format(until) });
  });
}

function devicesOf(
  subscribers: readonly Subscriber[],
  routers: readonly Router[],
  draw: () => number,
): Device[] {
  const owners = subscribers.flatMap((one) => (one.staticIp === null && draw() < 0.3 ? [one, one] : [one]));
  return owners.map((subscriber, index) => {
    const number = index + 1;
    const name = `user${subscriber.id}`;
    const hex = number.toString(16).toUpperCase().padStart(4, "0");
    return {
      number,
      subscriber,
      card: undefined,
      mac: `02:00:00:00:${hex.slice(0, 2)}:${hex.slice(2)}`,
      username: pick(draw, [name, name, name.toUpperCase(), `isp\\${name}`]),
      // some fill a counter of 32 bits within hours
      appetite: pick(draw, [2e7, 2e8, 1e9, 4e9]),
      router: pick(draw, routers),
      live: undefined,
    };
  });
}

/** And as many phones of people who have no line. */
function withGuests(
  devices: readonly Device[],
  count: number,
  routers: readonly Router[],
  draw: () => number,
): Device[] {
  const guests = Array.from({ length: count }, (_, index) => ({
    number: devices.length + index + 1,
    subscriber: undefined,
    card: undefined,
    username: "",
    mac: `02:AA:00:00:00:${(index + 1).toString(16).toUpperCase().padStart(2, "0")}`,
    appetite: pick(draw, [1e7, 1e8, 5e8]),
    router: pick(draw, routers),
    live: undefined,
  }));
  return [...devices, ...guests];
}
