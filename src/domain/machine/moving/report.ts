import { volume } from "../../core/fields/volume.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { cutText } from "./clean.ts";
import { type Counts, noCounts } from "./move.ts";
import type { TakenPackage } from "./take-packages.ts";
import type { ReportedCards } from "./take-vouchers.ts";
import { type Telling, tellings, Tellings, type Told } from "./told.ts";

/** Tellings of a kind that are kept with the report; the file of CSV has all. */
const KEPT = 50;

/** A package that subscribers came with. */
export interface ReportedPackage {
  readonly name: string;
  /** What it is called there, and where that stands. */
  readonly key: string;
  readonly from: string;
  readonly holders: number;
  readonly terms: string;
  /** "15.00"; null: not known. */
  readonly price: string | null;
}

export interface ReportedTelling {
  readonly kind: Telling;
  readonly heading: string;
  readonly count: number;
  /** The first ones. */
  readonly rows: readonly Told[];
}

/** What one run came to, as JSON keeps it. */
export interface MoveReport {
  readonly source: string;
  readonly files: readonly string[];
  readonly zone: string;
  readonly at: Seconds;
  readonly isDryRun: boolean;
  readonly counts: Readonly<Record<"packages" | "routers" | "subscribers" | "sessions" | "vouchers", Counts>>;
  /** How many places were made, by their kind. */
  readonly places: Readonly<Record<"branch" | "city" | "area" | "subarea", number>>;
  readonly packages: readonly ReportedPackage[];
  readonly told: readonly ReportedTelling[];
  /** Batches of cards that the codes of prepaid cards became; reports of before there were cards have none. */
  readonly cards?: readonly ReportedCards[];
  /** Passwords that were made, to be handed out. */
  readonly passwords: number;
  /** What is to be done at the system before, on the evening of the move. */
  readonly afterwards: readonly string[];
  /** What has to be said before anybody is brought in, and how; absent: nothing. */
  readonly undecided?: string;
}

/** In place of one that cannot be read any more. */
export function damagedReport(source: string, at: Seconds): MoveReport {
  const told = new Tellings();
  told.add("note", null, "this report", "was damaged in the store, and is lost; what was brought in is not");
  return {
    ...{ source, files: [], zone: "", at, isDryRun: false, afterwards: [], packages: [], passwords: 0 },
    counts: {
      ...{ packages: noCounts(), routers: noCounts(), subscribers: noCounts() },
      ...{ sessions: noCounts(), vouchers: noCounts() },
    },
    places: { branch: 0, city: 0, area: 0, subarea: 0 },
    told: groupTold(told),
  };
}

/** What was told, by its kinds in their order. */
export function groupTold(told: Tellings): ReportedTelling[] {
  const byKind = Map.groupBy(told.rows, ({ kind }) => kind);
  return (Object.keys(tellings) as Telling[]).flatMap((kind) => {
    const count = told.count(kind);
    const rows = (byKind.get(kind) ?? []).slice(0, KEPT);
    return count === 0 ? [] : [{ kind, heading: tellings[kind], count, rows }];
  });
}

export function reportPackages(
  packages: Iterable<TakenPackage>,
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

/** Devices at once that stand for no limit. */
const MOST_AT_ONCE = 1000;

/** "10M/20M, 50.0 GB, then 1M/1M, 2 at once, 1 month". */
function termsText(values: TakenPackage["values"]): string {
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

/** The rows of the file that has everything that was told: with file, line and reason, never a password. */
export function toldRows(told: Tellings): string[][] {
  return [
    ["kind", "heading", "file", "line", "who", "what"],
    ...told.rows.map(({ kind, at, who, text }) => [
      ...[kind, tellings[kind], at?.file ?? "", at ? String(at.line) : "", who, text],
    ]),
  ];
}

/** When it was, as people read it. */
export const reportedAt = ({ at }: MoveReport) => formatTime(at);
