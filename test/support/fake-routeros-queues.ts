import type { FakeConfig, Menu } from "./fake-routeros-config.ts";
import type { FakeRow } from "./fake-routeros.ts";

export function queueMenus(): Readonly<Record<string, Menu>> {
  const profile = ["name", "queue-type", "rate-limit", "comment"];
  return {
    "/queue/type": { takes: ["name", "kind", "pfifo-limit", "cake-bandwidth", "cake-nat"] },
    "/queue/simple": {
      takes: ["name", "target", "max-limit", "queue", "dynamic", "comment", "disabled"],
      ordered: true,
    },
    "/ip/hotspot/user/profile": { takes: [...profile, "shared-users"] },
  };
}

/** Queues of a router before its set-up. */
export function queueRows(version: string): Readonly<Record<string, FakeRow[]>> {
  const usual = queueTypeAs(version, "default-small");
  return {
    "/queue/type": [
      { ".id": "*0", name: "default", kind: "pfifo", "pfifo-limit": "50" },
      { ".id": "*9", name: "default-small", kind: "pfifo", "pfifo-limit": "10" },
    ],
    "/ip/hotspot/user/profile": [{ ".id": "*0", name: "default", "queue-type": usual }],
  };
}

/** As a version prints it: one for each direction from 7.19 on. */
export function queueTypeAs(version: string, type: string): string {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  const isApart = major > 7 || (major === 7 && minor >= 19);
  return isApart && !type.includes("/") ? `${type}/${type}` : type;
}

/** A DHCP line: its lease, and for IPv6 its prefix and DUID. */
export interface LeasedLine {
  readonly mac: string;
  readonly ip: string;
  readonly prefix?: string;
  readonly duid?: string;
  readonly rate?: string;
}

/**
 * Replaces the queues that its servers make: one for both families where both servers allow that and the DUID comes from the
 * lease's MAC, else one each at the whole rate; none of a server that is off.
 */
export function makeLeaseQueues(config: FakeConfig, lines: readonly LeasedLine[]): void {
  const servers = ["/ip/dhcp-server", "/ipv6/dhcp-server"].map((menu) =>
    config.rows(menu).find((row) => row["disabled"] !== "true"),
  );
  const mayShare = servers.every((row) => row && row["allow-dual-stack-queue"] !== "false");
  const [four, six] = servers;
  const rows = config.rows("/queue/simple");
  rows.splice(0, rows.length, ...rows.filter((row) => row["dynamic"] !== "true"));
  const queue = (of: string, target: string, rate = "20M/20M") =>
    config.have("/queue/simple", {
      name: `dhcp-ds<${of}>`,
      target,
      dynamic: "true",
      "max-limit": rate,
      queue: "default-small/default-small",
    });
  for (const { mac, ip, prefix, duid = "", rate } of lines) {
    const isOne =
      mayShare && duid.replaceAll(/[:-]/g, "").toUpperCase().endsWith(mac.replaceAll(":", "").toUpperCase());
    if (four) queue(mac, isOne && prefix ? `${ip}/32,${prefix}` : `${ip}/32`, rate);
    if (six && prefix && !isOne) queue(duid, prefix, rate);
  }
}

/** Whether a kind of queue has a property: what others have stays with it, and is not shown. */
export function isOfKind({ kind }: FakeRow, name: string): boolean {
  const [, family] = /^(pfifo|cake)-/.exec(name) ?? [];
  return family === undefined || family === kind;
}

/** A kind of queue as it is shown. */
export const kindOf = (row: FakeRow): FakeRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => isOfKind(row, name)));

const builtin = ["default", "default-small", "hotspot-default", "wireless-default"];

/** The property of queues that names what this router does not have: a kind that came with 7.1, or a queue that is not there. */
export function unknownQueueIn(
  version: string,
  types: readonly FakeRow[],
  { kind = "", "queue-type": type = "default" }: FakeRow,
): string | undefined {
  const isOld = /^(?:6\.|7\.0)/.test(version);
  if (isOld && ["fq-codel", "cake"].includes(kind)) return "kind";
  const known = new Set([...builtin, ...types.map(({ name }) => name)]);
  return type.split("/").every((one) => known.has(one)) ? undefined : "queue-type";
}
