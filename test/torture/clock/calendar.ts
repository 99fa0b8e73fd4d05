import { FakeNas } from "../../support/fake-nas.ts";
import { Box } from "../box.ts";
import {
  anIsp,
  differs,
  faultOfLogin,
  faultOfTimes,
  login,
  neverActive,
  report,
  ROUTER,
  format,
  type Tell,
} from "./support.ts";

const HOUR = 3600;

/** What is sold at a moment, one subscriber a package: when each ends, and how many seconds that is. */
interface Sale {
  readonly package: "month" | "day" | "24 hours" | "year";
  /** The ends of the first period and of the renewals that follow at once. */
  readonly until: readonly string[];
  readonly seconds: number;
}

interface Calendar {
  readonly name: string;
  readonly zone: string;
  /** UTC. */
  readonly now: string;
  readonly sales: readonly Sale[];
  /** A session of six hours that begins so many seconds after `now`, and the local dates that it was used on. */
  readonly session: { readonly after: number; readonly days: Readonly<Record<number, number>> };
}

const packages = { month: 1, day: 2, "24 hours": 3, year: 4 } as const;

/** Written out by hand, from a calendar on the wall. */
const calendars: readonly Calendar[] = [
  {
    name: "summer time begins",
    zone: "Europe/Berlin",
    now: "2028-03-25T11:00:00Z",
    sales: [
      { package: "24 hours", until: ["2028-03-26 13:00:00", "2028-03-27 13:00:00"], seconds: 24 * HOUR },
      { package: "day", until: ["2028-03-26 12:00:00", "2028-03-27 12:00:00"], seconds: 23 * HOUR },
      {
        package: "month",
        until: ["2028-04-25 12:00:00", "2028-05-25 12:00:00"],
        seconds: (31 * 24 - 1) * HOUR,
      },
    ],
    session: { after: 10 * HOUR, days: { 20280325: 2, 20280326: 4 } },
  },
  {
    name: "summer time ends",
    zone: "Europe/Berlin",
    now: "2028-10-28T10:00:00Z",
    sales: [
      { package: "24 hours", until: ["2028-10-29 11:00:00", "2028-10-30 11:00:00"], seconds: 24 * HOUR },
      { package: "day", until: ["2028-10-29 12:00:00", "2028-10-30 12:00:00"], seconds: 25 * HOUR },
      {
        package: "month",
        until: ["2028-11-28 12:00:00", "2028-12-28 12:00:00"],
        seconds: (31 * 24 + 1) * HOUR,
      },
    ],
    session: { after: 34 * HOUR, days: { 20281029: 3, 20281030: 3 } },
  },
  {
    name: "the leap day",
    zone: "Asia/Kathmandu",
    now: "2028-02-29T06:15:00Z",
    sales: [
      { package: "month", until: ["2028-03-29 12:00:00", "2028-04-29 12:00:00"], seconds: 29 * 24 * HOUR },
      { package: "day", until: ["2028-03-01 12:00:00", "2028-03-02 12:00:00"], seconds: 24 * HOUR },
      { package: "year", until: ["2029-02-28 12:00:00", "2030-02-28 12:00:00"], seconds: 365 * 24 * HOUR },
    ],
    session: { after: 9 * HOUR, days: { 20280229: 3, 20280301: 3 } },
  },
  {
    name: "the end of January in a leap year",
    zone: "UTC",
    now: "2028-01-31T12:00:00Z",
    sales: [
      { package: "month", until: ["2028-02-29 12:00:00", "2028-03-31 12:00:00"], seconds: 29 * 24 * HOUR },
      { package: "day", until: ["2028-02-01 12:00:00", "2028-02-02 12:00:00"], seconds: 24 * HOUR },
    ],
    session: { after: 8 * HOUR, days: { 20280131: 4, 20280201: 2 } },
  },
  {
    name: "the end of January in another year",
    zone: "UTC",
    now: "2027-01-31T12:00:00Z",
    sales: [
      { package: "month", until: ["2027-02-28 12:00:00", "2027-03-31 12:00:00"], seconds: 28 * 24 * HOUR },
    ],
    session: { after: 8 * HOUR, days: { 20270131: 4, 20270201: 2 } },
  },
  {
    name: "an hour that does not exist",
    zone: "Europe/Berlin",
    now: "2028-03-25T01:30:00Z",
    sales: [{ package: "day", until: ["2028-03-26 03:30:00", "2028-03-27 02:30:00"], seconds: 24 * HOUR }],
    session: { after: 17.5 * HOUR, days: { 20280325: 4, 20280326: 2 } },
  },
];

export const calendarScenes = calendars.map((calendar) => ({
  name: calendar.name,
  play: (tell: Tell) => play(calendar, tell),
}));

async function play(calendar: Calendar, tell: Tell): Promise<void> {
  const { zone, sales } = calendar;
  using nas = await FakeNas.start();
  await using box = await Box.open({
    now: Date.parse(calendar.now) / 1000,
    zone,
    data: anIsp(
      nas.port,
      sales.map((_, index) => neverActive(index + 1)),
    ),
  });
  await sell(box, calendar, tell);
  await stayOnline(box, calendar, tell);
  tell(faultOfTimes(box));
  tell(differs("requests to the router", nas.requests.length, 0));
}

/** Each package once, and again two minutes later, which goes on from the end of the first. */
async function sell(box: Box, { sales }: Calendar, tell: Tell): Promise<void> {
  const router = box.router(ROUTER);
  for (const turn of [0, 1]) {
    for (const [index, sale] of sales.entries()) {
      const fields = { user_id: String(index + 1), package_id: String(packages[sale.package]) };
      const { body } = await box.call("POST", "/api/v1/activation/activate", fields);
      tell(
        differs(`${sale.package}: the end of period ${turn + 1}`, body["new_expiration"], sale.until[turn]),
      );
      if (turn > 0) continue;
      tell(faultOfLogin(`${sale.package}: a login`, await login(router, index + 1), { left: sale.seconds }));
      const periods = box.rows(
        "SELECT period_end - period_start AS s FROM invoices WHERE subscriber_id = ?",
        index + 1,
      );
      tell(differs(`${sale.package}: the period of the invoice`, periods, [{ s: sale.seconds }]));
    }
    if (turn === 0) await box.pass(120);
  }
}

/** Six hours online with an update every quarter of an hour, each of which has used a thousand octets. */
async function stayOnline(box: Box, { zone, session, now }: Calendar, tell: Tell): Promise<void> {
  const router = box.router(ROUTER);
  const start = Date.parse(now) / 1000 + session.after;
  await box.pass(start - box.now);
  await report(router, "Start", 1);
  for (let quarter = 1; quarter <= 24; quarter++) {
    await box.pass(HOUR / 4);
    const status = quarter === 24 ? "Stop" : "Interim-Update";
    await report(router, status, 1, { time: (quarter * HOUR) / 4, octets: quarter * 1000 });
  }
  const [row] = box.rows<{ started: number; stopped: number; time: number }>(
    "SELECT started_at AS started, stopped_at AS stopped, session_time AS time FROM sessions",
  );
  tell(differs("the session", row, { started: start, stopped: start + 6 * HOUR, time: 6 * HOUR }));
  const { body } = await box.call("GET", "/api/v1/subscriber/usage/1");
  tell(differs("whether it is online after it", body["online"], false));
  const used = box.rows<{ day: number; input: number }>(
    "SELECT day, input_octets AS input FROM usage_days ORDER BY day",
  );
  const hours = Object.entries(session.days);
  // what is used up to midnight is reported by the update at midnight, which is of the next day
  const [first, second] = hours.map(([day, count], index) => ({
    day: Number(day),
    input: count * 4000 + (index === 0 ? -1000 : 1000),
  }));
  tell(differs(`what was used by day until ${format(box.now, zone)}`, used, [first, second]));
}
