import { Gauge, type Registry } from "prom-client";
import type { Db } from "../../db/open.ts";
import { primaryLinkState } from "../domain/machine/access-boxes/link-state.ts";
import type { OwnStanding } from "../domain/machine/access-boxes/own-standing.ts";
import { type Standing, standings } from "../domain/service/box-standing/standing.ts";
import type { Clock } from "../domain/core/time/time.ts";

/** The state of each access box and how far its data lags, on the primary. Absent without access boxes. */
export function accessBoxGauges(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  const ofBoxes = (name: string, help: string, value: (box: Standing, now: number) => number | undefined) =>
    registry.registerMetric(
      new Gauge({
        name: `gatehouse_boxes_${name}`,
        help,
        labelNames: ["box"],
        registers: [],
        collect() {
          this.reset();
          const now = clock();
          for (const box of standings(db, now)) {
            const is = value(box, now);
            if (is !== undefined) this.set({ box: box.name }, is);
          }
        },
      }),
    );
  ofBoxes("cut_off", "1 while an access box is not heard", ({ state }) => (state === "cut_off" ? 1 : 0));
  ofBoxes("silence_seconds", "Time since an access box was heard; absent: never", ({ heardAt }, now) =>
    heardAt === null ? undefined : Math.max(0, now - heardAt),
  );
  ofBoxes("clock_difference_seconds", "How far the books' clock is ahead of that of an access box", (box) =>
    box.report?.at === undefined ? undefined : box.ahead,
  );
  ofBoxes(
    "journal_waiting",
    "Rows of its journal that an access box had to tell",
    (box) => box.report?.waiting,
  );
  ofBoxes("journal_age_seconds", "How long the oldest of them had waited", (box) => box.report?.waitingFor);
  ofBoxes("disk_free_bytes", "Bytes left on the disk of an access box", (box) => box.report?.disk?.free);
  ofBoxes("sessions_open", "Open sessions that came through an access box", (box) => box.report?.sessions);
  ofBoxes("rows_refused", "Rows that an access box told of what is not its own", (box) => box.refused);
  ofLink(registry, { db, clock });
}

function ofLink(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  type Link = NonNullable<ReturnType<typeof primaryLinkState>>;
  const gauge = (name: string, help: string, value: (link: Link, now: number) => number) =>
    registry.registerMetric(
      new Gauge({
        name: `gatehouse_boxes_${name}`,
        help,
        registers: [],
        collect() {
          const link = primaryLinkState(db);
          if (link) this.set(value(link, clock()));
          else this.remove();
        },
      }),
    );
  gauge("connected", "1 while the books are connected to NATS", ({ isConnected }) => (isConnected ? 1 : 0));
  gauge("marks_waiting", "Changes that access boxes have not been told", ({ waiting }) => waiting);
  gauge("publish_seconds", "Time that the last changes took until NATS had them", ({ lag }) => lag / 1000);
  gauge(
    "behind_seconds",
    "For how long changes have always waited; 0: all was told a moment ago",
    ({ behindSince }, now) => (behindSince === null ? 0 : Math.max(0, now - behindSince)),
  );
}

/** Gauges of an access box: its link to the primary. */
export function ownBoxGauges(registry: Registry, standing: () => OwnStanding): void {
  const gauge = (name: string, help: string, value: (own: OwnStanding) => number | null) =>
    registry.registerMetric(
      new Gauge({
        name: `gatehouse_box_${name}`,
        help,
        registers: [],
        collect() {
          const is = value(standing());
          if (is === null) this.remove();
          else this.set(is);
        },
      }),
    );
  gauge("cut_off", "1 while this access box does not hear its books", ({ isCutOff }) => (isCutOff ? 1 : 0));
  gauge("complete", "1 when it has read all that the books published", ({ isComplete }) =>
    isComplete ? 1 : 0,
  );
  gauge("beat_age_seconds", "Time since the books' last beat; absent: none yet", ({ beatAge }) => beatAge);
  gauge("clock_difference_seconds", "How far the books' clock is ahead", ({ ahead }) => ahead);
  gauge("journal_waiting", "Rows of the journal that the books do not have", (own) => own.report.waiting);
  gauge("journal_age_seconds", "How long the oldest of them has waited", (own) => own.report.waitingFor);
  gauge(
    "decisions_dropped",
    "Login decisions dropped since the program began: too many waited",
    (own) => own.dropped,
  );
  gauge("disk_free_bytes", "Bytes left on the disk of the data folder", (own) => own.report.disk.free);
  gauge("sessions_open", "Open sessions that its routers told it", (own) => own.report.sessions);
}
