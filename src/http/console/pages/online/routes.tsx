import type { Input } from "../../../../domain/core/fields/fields.ts";
import { findMaker } from "../../../../domain/goods/devices/maker.ts";
import { type OnlineLine, onlineLines } from "../../../../domain/service/sessions/online.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import { file } from "../../../list.ts";
import { page, part, flash } from "../../answers.tsx";
import { type StaffVisit, staffForm, staffPage } from "../../guard.ts";
import { type OnlineQuery, onlineQuery } from "./query.ts";
import { ONLINE } from "../../parts/hrefs.ts";
import { endAllForm } from "./end-all.tsx";
import { endOne, endSome, flashOne, flashSome } from "./ending.ts";
import { OnlineBoard, OnlinePage } from "./page.tsx";
import { readFilter, readOnline } from "./read.ts";

export const onlineRoutes = [
  staffPage(ONLINE, (visit) => {
    const query = onlineQuery(visit.query);
    if (!visit.isPart) return page(visit, <OnlinePage visit={visit} query={query} />);
    return part(visit, <OnlineBoard visit={visit} query={query} board={readOnline(visit, query)} />);
  }),
  staffPage(`${ONLINE}.csv`, (visit) => csv(visit, onlineQuery(visit.query))),
  staffForm(`${ONLINE}/end`, async (visit, input) => {
    const ended = await endOne(visit, Number(input["id"]));
    return flash(visit, flashOne(visit, ended), ONLINE);
  }),
  staffForm(`${ONLINE}/end-chosen`, async (visit, input) => {
    const ids = chosen(input);
    const { nothing, nothingText } = visit.view.words.online.said;
    if (ids.length === 0) return flash(visit, { kind: "wait", title: nothing, text: nothingText }, ONLINE);
    return flash(visit, flashSome(visit, await endSome(visit, ids)), ONLINE);
  }),
  ...endAllForm,
];

function chosen(input: Input): number[] {
  return Object.keys(input).flatMap((name) => {
    const [, id] = /^session_([1-9]\d{0,14})$/.exec(name) ?? [];
    return id === undefined ? [] : [Number(id)];
  });
}

const COLUMNS = [
  ...["name", "username", "subscriber_id", "router", "address", "mac_address", "maker", "package"],
  ...["started_at", "reported_at", "input_octets", "output_octets", "down_bits_s", "up_bits_s", "pay_page"],
];
const CSV_ROWS = 500;

function csv(visit: StaffVisit, query: OnlineQuery): Response {
  const { db, by, now } = visit;
  const filter = readFilter(visit, query);
  const { order, ascending } = query;
  function* pages() {
    for (let offset = 0; ; offset += CSV_ROWS) {
      const paging = { limit: CSV_ROWS, offset, order, ascending, known: 0 };
      const { rows } = onlineLines(db, by, filter, paging, { now });
      yield rows.map(toRecord);
      if (rows.length < CSV_ROWS) return;
    }
  }
  return file("online", COLUMNS, pages());
}

function toRecord(line: OnlineLine) {
  return {
    name: line.name,
    username: line.username,
    subscriber_id: line.subscriberId,
    router: line.nasName ?? line.nasAddress,
    address: line.framedIp,
    mac_address: line.mac,
    maker: line.mac === null ? null : findMaker(line.mac),
    package: line.packageName,
    started_at: formatTime(line.startedAt),
    reported_at: formatTime(line.updatedAt),
    input_octets: line.inputOctets,
    output_octets: line.outputOctets,
    down_bits_s: line.rateOutput,
    up_bits_s: line.rateInput,
    pay_page: line.isConfined ? 1 : 0,
  };
}
