import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { aPackage, aSubscriber, NAS_SECRET, newSubscriber } from "../../support/isp.ts";
import type { AccountingStatus, RadiusClient, Reply } from "../../support/radius-client.ts";
import type { Box } from "../box.ts";

/** A check that was made: what is wrong, or undefined. */
export type Tell = (fault: string | undefined) => void;

/** What RouterOS takes at the most. */
const LONGEST_TIMEOUT = 21_474_720;

export const ROUTER = "127.0.0.1";

/** `Y-m-d H:i:s` in a zone, by another way than the product's. */
export function format(seconds: number, zone: string): string {
  return new Date(seconds * 1000).toLocaleString("sv-SE", { timeZone: zone });
}

/** Packages 1 to 4: a month, a day, 24 hours, a year; the subscribers that are given. */
export function anIsp(coaPort: number, subscribers: Record<string, unknown>[]): Record<string, unknown> {
  return {
    nas: [{ id: 1, isp_id: 1, name: "core", address: ROUTER, secret: NAS_SECRET, coa_port: coaPort }],
    packages: [
      aPackage(1),
      aPackage(2, { duration_unit: "day" }),
      aPackage(3, { duration: 24, duration_unit: "hour" }),
      aPackage(4, { duration: 12 }),
    ],
    subscribers,
  };
}

export const activeUntil = (id: number, until: string) =>
  aSubscriber(id, { current_expiration_date: until, balance: "1000.00" });
export const neverActive = (id: number) => newSubscriber(id, { balance: "1000.00" });

export function login(router: RadiusClient, id: number): Promise<Reply | null> {
  return router.access({
    name: `user${id}`,
    password: `pw-${id}`,
    attributes: [
      ["Service-Type", "Framed-User"],
      ["Framed-Protocol", "PPP"],
      ["Calling-Station-Id", macOf(id)],
    ],
  });
}

const macOf = (id: number) =>
  `02:00:00:00:${(id >> 8).toString(16).padStart(2, "0")}:${(id & 255).toString(16).padStart(2, "0")}`;

/** One record of the only session of a subscriber. */
export function report(
  router: RadiusClient,
  status: AccountingStatus,
  id: number,
  { time = 0, octets = 0 }: { time?: number; octets?: number } = {},
): Promise<Reply | null> {
  const counters: NamedAttribute[] = [
    ["Acct-Session-Time", time],
    ["Acct-Input-Octets", octets],
    ["Acct-Output-Octets", 0],
  ];
  return router.accounting(status, [
    ["User-Name", `user${id}`],
    ["Acct-Session-Id", `8100${id.toString(16).padStart(4, "0")}`],
    ["NAS-Port", id],
    ["NAS-Port-Id", "bridge1"],
    ["Calling-Station-Id", macOf(id)],
    ["Framed-IP-Address", `10.0.${id >> 8}.${id & 255}`],
    ...(status === "Start" ? [] : counters),
  ]);
}

/** What is wrong with the answer to a login: another code than expected, or a Session-Timeout that is far off. */
export function faultOfLogin(
  who: string,
  reply: Reply | null,
  expected: { left: number } | { rejected: string },
): string | undefined {
  if (!reply) return `${who} got no answer`;
  if (reply.faults.length > 0) return `the answer to ${who} is wrong: ${reply.faults.join(", ")}`;
  const words = String(reply.attributes["Reply-Message"]?.[0] ?? "");
  if ("rejected" in expected)
    return reply.code === "Access-Reject" && words.includes(expected.rejected)
      ? undefined
      : `${who} got ${reply.code} ${words} in place of a reject that says "${expected.rejected}"`;
  if (reply.code !== "Access-Accept") return `${who} got ${reply.code} ${words} in place of an accept`;
  const left = Number(reply.attributes["Session-Timeout"]?.[0]);
  const shouldBe = Math.min(expected.left, LONGEST_TIMEOUT);
  // the clocks of the trial stand still but for the time that the trial itself takes
  return Math.abs(left - shouldBe) <= 60
    ? undefined
    : `${who} may stay for ${left} s in place of ${shouldBe} s`;
}

export function differs(what: string, is: unknown, shouldBe: unknown): string | undefined {
  return Bun.deepEquals(is, shouldBe)
    ? undefined
    : `${what} is ${JSON.stringify(is)} in place of ${JSON.stringify(shouldBe)}`;
}

/** Times that no row may have, whatever the clock did. */
export function faultOfTimes(box: Box): string | undefined {
  const [found] = box.rows<Record<string, unknown>>(
    `SELECT * FROM sessions WHERE session_time < 0 OR started_at < 0 OR updated_at < started_at
       OR stopped_at < started_at OR input_octets < 0 OR output_octets < 0`,
  );
  return found && `a session has a time that cannot be: ${JSON.stringify(found)}`;
}
