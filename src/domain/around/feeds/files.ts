import type { Db } from "../../../../db/open.ts";
import { type Actor, requireOwnIsp, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { readRate } from "../../goods/packages/rate-limit.ts";
import { type FairTerms, termsInForce } from "../../service/fair-use/terms.ts";
import type { Capacity } from "./capacity.ts";

const COLUMNS = [
  ...[
    "Circuit ID",
    "Circuit Name",
    "Device ID",
    "Device Name",
    "Parent Node",
    "Parent Node ID",
    "Anchor Node ID",
  ],
  ...["MAC", "IPv4", "IPv6", "Download Min Mbps", "Upload Min Mbps", "Download Max Mbps", "Upload Max Mbps"],
  "Comment",
] as const;

/** Mbit/s. */
const LEAST = { min: 1, max: 2 };
const UNBOUNDED = 10_000;

interface Line extends FairTerms {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly boxNumber: string | null;
  readonly ip: string | null;
  readonly prefix: string | null;
}

/** Lines without a rate are in neither file. */
export interface ShaperFiles {
  readonly devices: string;
  readonly network: string;
  readonly lines: number;
  readonly withoutRate: number;
}

export function shaperFiles(
  db: Db,
  by: Actor,
  { ispId, withNames = false }: { ispId: number; withNames?: boolean },
  { now }: { now: Seconds },
): ShaperFiles {
  permit(by, "shaperFiles");
  requireWholeIsp(by, "shapers");
  requireOwnIsp(by, ispId);
  const boxes = capacities(db, ispId);
  const lines = listLines(db, ispId);
  const circuits = lines.flatMap((line) => buildCircuits(line, { boxes, withNames, now }));
  const rows = [COLUMNS, ...circuits].map((cells) => cells.map(cell).join(","));
  const nodes = [...boxes].map(([number, { down, up }]) => [
    nodeName(number),
    {
      downloadBandwidthMbps: down,
      uploadBandwidthMbps: up,
      type: "AP",
      id: `gatehouse-box-${nodeName(number)}`,
    },
  ]);
  return {
    devices: rows.map((row) => `${row}\n`).join(""),
    network: `${JSON.stringify(Object.fromEntries(nodes), null, 2)}\n`,
    lines: circuits.length,
    withoutRate: lines.length - circuits.length,
  };
}

function capacities({ $client }: Db, ispId: number): Map<string, Capacity> {
  const rows = $client
    .query<Capacity & { boxNumber: string }, [number]>(
      "SELECT box_number AS boxNumber, down, up FROM box_capacities WHERE isp_id = ? ORDER BY box_number",
    )
    .all(ispId);
  return new Map(rows.map(({ boxNumber, down, up }) => [boxNumber, { down, up }]));
}

function listLines({ $client }: Db, ispId: number): Line[] {
  return $client
    .query<Line, [number]>(
      `SELECT s.id, s.username, s.name, s.box_number AS boxNumber, coalesce(s.static_ip, s.pool_ip) AS ip,
         coalesce(s.delegated_ipv6_prefix, s.pool_prefix, s.framed_ipv6_prefix) AS prefix,
         v.rate_limit AS rateLimit, v.quota_total AS quotaTotal, v.quota_used AS quotaUsed, v.quota_exceeded AS quotaExceeded,
         v.tiers, v.fair_window AS fairWindow, v.hours, v.window_start AS windowStart, v.extra_bytes AS extraBytes,
         v.rolling_bytes AS rollingBytes
       FROM subscribers s JOIN services v ON v.subscriber_id = s.id
       WHERE s.isp_id = ? AND s.archived_at IS NULL AND s.status = 1 ORDER BY s.id`,
    )
    .all(ispId);
}

function buildCircuits(
  line: Line,
  { boxes, withNames, now }: { boxes: ReadonlyMap<string, Capacity>; withNames: boolean; now: Seconds },
): (string | number)[][] {
  const rate = readRate(termsInForce(line, now).rate)?.rate;
  if (!rate) return [];
  const id = `gatehouse-${line.id}`;
  const label = withNames ? line.name : id;
  const isKnown = line.boxNumber !== null && boxes.has(line.boxNumber);
  const parent = isKnown ? nodeName(line.boxNumber ?? "") : "";
  const most = (bits: number) => Math.max(LEAST.max, bits === 0 ? UNBOUNDED : Math.round(bits / 1e4) / 100);
  return [
    [
      ...[id, label, id, label, parent, isKnown ? `gatehouse-box-${parent}` : "", ""],
      ...[
        line.username,
        line.ip ?? "",
        line.prefix ?? "",
        LEAST.min,
        LEAST.min,
        most(rate.down),
        most(rate.up),
        "",
      ],
    ],
  ];
}

/** LibreQoS forbids #. */
const nodeName = (boxNumber: string) => boxNumber.replaceAll("#", "-");

function cell(value: string | number): string {
  const text = String(value).replaceAll(/[\r\n]+/g, " ");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
