import type { Db } from "../../../db/open.ts";
import type { Outcome } from "../trial.ts";
import type { Truth } from "./days.ts";

interface FoundOutage {
  readonly id: number;
  readonly kind: string;
  readonly nasId: number | null;
  readonly areaId: number | null;
  readonly boxNumber: string | null;
  readonly beganAt: number;
  readonly foundAt: number;
  readonly endedAt: number | null;
  readonly lines: number;
}

/** Lines of an outage that nobody may miss. */
const MISSED = 10;
/** Seconds within which it has to be found; a router within one of its own intervals, for it is its reports that are missed. */
const WITHIN = 90;
const LOOKS = 60;
/** Seconds within which it has to be over when it is. */
const OVER_WITHIN = 1800;
const DAY = 86_400;
const MONTH = 30 * DAY;

/** What was told against what was. */
export function judge(
  { $client }: Db,
  {
    truths,
    days,
    now,
    lines,
    records,
  }: { truths: readonly Truth[]; days: number; now: number; lines: number; records: number },
): Outcome {
  const outages = $client
    .query<FoundOutage, []>(
      `SELECT id, kind, nas_id AS nasId, area_id AS areaId, box_number AS boxNumber, began_at AS beganAt, found_at AS foundAt,
         ended_at AS endedAt, lines FROM outages ORDER BY id`,
    )
    .all();
  const faults: string[] = [];
  const delays: number[] = [];
  const due = truths.filter(({ isSlight, lines: gone }) => !isSlight && gone >= MISSED);
  for (const truth of due) {
    const found = outages.find((one) => isOf(one, truth));
    if (!found) faults.push(`missed: ${words(truth)}`);
    else {
      delays.push(found.foundAt - truth.from);
      faults.push(...faultsOf(found, truth, now));
    }
  }
  const alarms = outages.filter((one) => !truths.some((truth) => isOf(one, truth)));
  const worst = worstMonth(alarms);
  if (worst.length > 1)
    faults.push(
      `more than one false alarm in a month: ${worst.map((one) => JSON.stringify(one)).join(", ")}`,
    );
  delays.sort((a, b) => a - b);
  return {
    figures: [
      {
        what: `${days} days of ${lines} lines, with ${due.length} outages of ten lines and more among what happens anyway`,
        figure: `${records} accounting records; ${delays.length} found, half of them within ${delays[delays.length >> 1] ?? 0} s, all within ${delays.at(-1) ?? 0} s; ${alarms.length} false alarms, at most ${worst.length} in a month`,
      },
    ],
    faults,
  };
}

function isOf(outages: FoundOutage, truth: Truth): boolean {
  const isThen = outages.beganAt >= truth.from - 1200 && outages.beganAt <= truth.until;
  const isThere =
    outages.kind === truth.kind &&
    (truth.kind === "router"
      ? outages.nasId === truth.router
      : truth.kind === "area"
        ? outages.areaId === truth.area
        : outages.boxNumber === truth.box);
  return isThen && isThere;
}

function faultsOf(outages: FoundOutage, truth: Truth, now: number): string[] {
  const faults: string[] = [];
  const delay = outages.foundAt - truth.from;
  if (delay > (truth.interim === null ? WITHIN : truth.interim + LOOKS))
    faults.push(`found after ${delay} s only: ${words(truth)}`);
  const isLate =
    outages.endedAt === null ? now > truth.until + OVER_WITHIN : outages.endedAt > truth.until + OVER_WITHIN;
  if (isLate) faults.push(`told as open long after it was over: ${words(truth)}, ${JSON.stringify(outages)}`);
  if (outages.endedAt !== null && outages.endedAt < truth.until - 60)
    faults.push(`told as over before it was: ${words(truth)}, ${JSON.stringify(outages)}`);
  return faults;
}

/** The most of them within thirty days. */
function worstMonth(alarms: readonly FoundOutage[]): readonly FoundOutage[] {
  return alarms
    .map((first) =>
      alarms.filter(({ beganAt }) => beganAt >= first.beganAt && beganAt < first.beganAt + MONTH),
    )
    .reduce((most, some) => (some.length > most.length ? some : most), []);
}

const words = ({ kind, router, area, box, from, until, lines }: Truth) =>
  `${kind} ${router ?? area ?? box}, ${lines} lines, from ${new Date(from * 1000).toISOString()} for ${until - from} s`;
