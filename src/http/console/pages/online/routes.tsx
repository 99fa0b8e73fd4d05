import type { Input } from "../../../../domain/core/fields/fields.ts";
import { makerOf } from "../../../../domain/goods/devices/maker.ts";
import { type OnlineLine, onlineLines } from "../../../../domain/service/sessions/online.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import { file } from "../../../list.ts";
import { page, part, said } from "../../answers.tsx";
import { type StaffVisit, staffForm, staffPage } from "../../guard.ts";
import { type AskedOnline, askedOnline, PATH } from "./asked.ts";
import { endAll, endAllDrawer } from "./end-all.tsx";
import { endOne, endSome, saidOfOne, saidOfSome } from "./ending.ts";
import { OnlineBoard, OnlinePage } from "./page.tsx";
import { filterOf, readOnline } from "./read.ts";

/** Who is online, and ending it. */
export const onlineRoutes = [
  staffPage(PATH, (visit) => {
    const asked = askedOnline(visit.query);
    if (!visit.isPart) return page(visit, <OnlinePage visit={visit} asked={asked} />);
    return part(visit, <OnlineBoard visit={visit} asked={asked} shown={readOnline(visit, asked)} />);
  }),
  staffPage(`${PATH}.csv`, (visit) => csv(visit, askedOnline(visit.query))),
  staffForm(`${PATH}/end`, async (visit, input) => {
    const ended = await endOne(visit, Number(input["id"]));
    return said(visit, saidOfOne(visit, ended), PATH);
  }),
  staffForm(`${PATH}/end-chosen`, async (visit, input) => {
    const ids = chosen(input);
    const { nothing, nothingText } = visit.view.words.online.said;
    if (ids.length === 0) return said(visit, { kind: "wait", title: nothing, text: nothingText }, PATH);
    return said(visit, saidOfSome(visit, await endSome(visit, ids)), PATH);
  }),
  staffPage(`${PATH}/end-all`, (visit) =>
    endAllDrawer(visit, { nasId: Number(visit.query.get("router") ?? 0) }),
  ),
  staffForm(`${PATH}/end-all`, endAll),
];

/** By the names of their boxes. */
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

/** All that match, as a file. */
function csv(visit: StaffVisit, asked: AskedOnline): Response {
  const { db, by, now } = visit;
  const filter = filterOf(visit, asked);
  const { order, ascending } = asked;
  function* pages() {
    for (let offset = 0; ; offset += CSV_ROWS) {
      const paging = { limit: CSV_ROWS, offset, order, ascending, known: 0 };
      const { rows } = onlineLines(db, by, filter, paging, { now });
      yield rows.map(recordOf);
      if (rows.length < CSV_ROWS) return;
    }
  }
  return file("online", COLUMNS, pages());
}

function recordOf(line: OnlineLine) {
  return {
    name: line.name,
    username: line.username,
    subscriber_id: line.subscriberId,
    router: line.nasName ?? line.nasAddress,
    address: line.framedIp,
    mac_address: line.mac,
    maker: line.mac === null ? null : makerOf(line.mac),
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
