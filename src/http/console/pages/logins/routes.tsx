import { findMaker } from "../../../../domain/goods/devices/maker.ts";
import { type Decision, decisions } from "../../../../domain/service/access/decisions.ts";
import { forStaff } from "../../../../domain/service/access/outcomes.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import { file } from "../../../list.ts";
import { page, part } from "../../answers.tsx";
import { told } from "../../attempt.ts";
import { type StaffVisit, staffPage } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { type LoginsQuery, loginsQuery } from "./query.ts";
import { LOGINS } from "../../parts/hrefs.ts";
import { LoginList, LoginSide, LoginsPage } from "./page.tsx";

export const loginsRoutes = [
  staffPage(LOGINS, (visit) => {
    const query = loginsQuery(visit.query);
    if (!visit.isPart) return page(visit, <LoginsPage visit={visit} query={query} />);
    const isSide = visit.query.get("part") === "side";
    return part(
      visit,
      isSide ? <LoginSide visit={visit} query={query} /> : <LoginList visit={visit} query={query} />,
    );
  }),
  staffPage(`${LOGINS}.csv`, (visit) => csv(visit, loginsQuery(visit.query))),
];

const COLUMNS = [
  ...[
    "time",
    "username",
    "subscriber_id",
    "name",
    "accepted",
    "reason",
    "words",
    "router",
    "mac_address",
    "maker",
  ],
  ...["package", "address", "like"],
];
const CSV_ROWS = 500;

function csv({ db, by, view }: StaffVisit, query: LoginsQuery): Response {
  function* pages() {
    let before: number | null = query.before ?? Number.MAX_SAFE_INTEGER;
    while (before !== null) {
      const { rows, older } = decisions(db, by, query, { limit: CSV_ROWS, before });
      if (rows.length > 0) yield rows.map((row) => toRecord(view, row));
      before = older;
    }
  }
  return file("logins", COLUMNS, pages());
}

function toRecord(view: ConsoleView, decision: Decision) {
  return {
    time: formatTime(decision.at),
    username: decision.username,
    subscriber_id: decision.subscriberId,
    name: decision.name,
    accepted: decision.accepted,
    reason: decision.reason,
    words: told(view, forStaff(decision.reason)),
    router: decision.nasName ?? decision.nasAddress,
    mac_address: decision.mac,
    maker: decision.mac === null ? null : findMaker(decision.mac),
    package: decision.packageName,
    address: decision.framedIp,
    like: decision.like?.username ?? null,
  };
}
