import { volume } from "../../core/fields/volume.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Seconds } from "../../core/time/time.ts";
import { cutText } from "./clean.ts";
import { type Counts, noCounts } from "./move.ts";
import type { ImportedPackage } from "./import-packages.ts";
import type { ReportedCards } from "./import-vouchers.ts";
import { type NoticeKind, noticeHeadings, type Notices, type Notice } from "./notices.ts";

const KEPT = 50;

export interface ReportedPackage {
  readonly name: string;
  readonly key: string;
  readonly from: string;
  readonly holders: number;
  readonly terms: string;
  readonly price: string | null;
}

export interface NoticeGroup {
  readonly kind: NoticeKind;
  readonly heading: string;
  readonly count: number;
  readonly rows: readonly Notice[];
}

/** The report, which is stored as JSON. */
export interface MoveReport {
  readonly source: string;
  readonly files: readonly string[];
  readonly zone: string;
  readonly at: Seconds;
  readonly isDryRun: boolean;
  readonly counts: Readonly<Record<"packages" | "routers" | "subscribers" | "sessions" | "vouchers", Counts>>;
  readonly places: Readonly<Record<"branch" | "city" | "area" | "subarea", number>>;
  readonly packages: readonly ReportedPackage[];
  readonly told: readonly NoticeGroup[];
  /** Absent in reports older than cards. */
  readonly cards?: readonly ReportedCards[];
  readonly passwords: number;
  readonly afterwards: readonly string[];
  readonly undecided?: string;
}

/** Replaces an unreadable report. */
export function damagedReport(source: string, at: Seconds): MoveReport {
  const text = "was damaged in the store, and is lost; what was brought in is not";
  return {
    source,
    files: [],
    zone: "",
    at,
    isDryRun: false,
    afterwards: [],
    packages: [],
    passwords: 0,
    counts: {
      packages: noCounts(),
      routers: noCounts(),
      subscribers: noCounts(),
      sessions: noCounts(),
      vouchers: noCounts(),
    },
    places: { branch: 0, city: 0, area: 0, subarea: 0 },
    told: [
      {
        kind: "note",
        heading: noticeHeadings.note,
        count: 1,
        rows: [{ kind: "note", at: null, who: "this report", text }],
      },
    ],
  };
}

export function groupNotices(notices: Notices): NoticeGroup[] {
  return (Object.keys(noticeHeadings) as NoticeKind[]).flatMap((kind) => {
    const count = notices.count(kind);
    if (count === 0) return [];
    return [{ kind, heading: noticeHeadings[kind], count, rows: [...notices.each(kind).take(KEPT)] }];
  });
}

export function reportPackages(
  packages: Iterable<ImportedPackage>,
  holders: ReadonlyMap<string, number>,
): ReportedPackage[] {
  return [...packages].map(({ key, name, from, values }) => {
    const { price } = values;
    return {
      name,
      key: cutText(key, 120),
      from: cutText(from, 150),
      holders: holders.get(key) ?? 0,
      terms: termsText(values),
      price: typeof price === "number" ? formatAmount(price) : null,
    };
  });
}

const MOST_AT_ONCE = 1000;

function termsText(values: ImportedPackage["values"]): string {
  const quota = Number(values["data_quota_bytes"] ?? 0);
  const several = Number(values["simultaneous_use"] ?? 1);
  const length = Number(values["duration"] ?? 1);
  const unit = String(values["duration_unit"] ?? "month");
  const after = values["quota_exceeded"];
  const parts = [
    values["rate_limit"],
    quota > 0 ? `${volume(quota)}${after === "reject" || !after ? "" : `, then ${after}`}` : null,
    several >= MOST_AT_ONCE ? "any number at once" : several > 1 ? `${several} at once` : null,
    values["framed_pool"] && `pool ${values["framed_pool"]}`,
    values["address_list"] && `address list ${values["address_list"]}`,
    `${length} ${unit}${length === 1 ? "" : "s"}`,
  ];
  return parts.filter((part) => part !== null && part !== "" && part !== undefined).join(", ");
}

/** All notices: file, line and reason, never a password. */
export function noticeRows(notices: readonly Notice[]): string[][] {
  return [
    ["kind", "heading", "file", "line", "who", "what"],
    ...notices.map(({ kind, at, who, text }) => [
      ...[kind, noticeHeadings[kind], at?.file ?? "", at ? String(at.line) : "", who, text],
    ]),
  ];
}
