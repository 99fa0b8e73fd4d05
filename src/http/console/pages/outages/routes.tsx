import { isReason } from "../../../../domain/service/access/outcomes.ts";
import { tryLogin } from "../../../../domain/service/access/try-login.ts";
import { explainWhy } from "../../../../domain/service/access/why.ts";
import { boxPage } from "../../../../domain/service/boxes/box.ts";
import { listBoxes } from "../../../../domain/service/boxes/list.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { id as idField, type Input } from "../../../../domain/core/fields/fields.ts";
import { type Need, needsSomeone } from "../../../../domain/machine/check/needs-someone.ts";
import { listOutages, outageById } from "../../../../domain/service/outages/find.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { subscriberById } from "../../../../domain/goods/subscribers/find.ts";
import { takeDevice } from "../../../../domain/desk/subscriber-page/take-device.ts";
import { lineColumns, lineToJson } from "../../../../wire/outage.ts";
import { file } from "../../../list.ts";
import { attemptNow } from "../../attempt.ts";
import { page, flash } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import { type StaffVisit, staffForm, staffPage } from "../../guard.ts";
import { Box } from "./box.tsx";
import { pageCounted, readPage, ROWS } from "../../parts/pager.tsx";
import { BoxList } from "./box-list.tsx";
import { FindingsPage } from "./findings.tsx";
import { OutagePage, Outages } from "./outage.tsx";
import { outageTitle } from "../../parts/outage-words.ts";
import { boxHref } from "../../parts/hrefs.ts";

export const outageRoutes = [
  staffPage("/console/boxes", boxesPage),
  staffPage("/console/boxes/:number", (visit) => {
    const boxNumber = readBoxNumber(visit);
    const box = boxPage(visit.db, visit.by, { boxNumber }, { now: visit.now });
    return page(
      visit,
      <Frame visit={visit} title={boxNumber} place="boxes">
        <Box visit={visit} box={box} />
      </Frame>,
    );
  }),
  staffForm("/console/boxes/:number/take", takeNewDevice),
  staffForm("/console/boxes/:number/test", testLogin),
  staffPage("/console/outages", outagesPage),
  staffPage("/console/outages/:id", (visit) => {
    const outage = outageById(visit.db, visit.by, readId(visit.params["id"]));
    return page(
      visit,
      <Frame
        {...{ visit, title: outageTitle(outage, visit.view), place: "boxes" }}
        back={{ href: "/console/outages", label: visit.view.words.outages.all }}
      >
        <OutagePage visit={visit} outage={outage} />
      </Frame>,
    );
  }),
  staffPage("/console/outages/:id/lines.csv", ({ db, by, params }) => {
    const { id, members } = outageById(db, by, readId(params["id"]));
    return file(`outage-${id}`, lineColumns, [members.map(lineToJson)].values());
  }),
  staffPage("/console/findings", findingsPage),
];

/** 0 for what is no number, which nothing has. */
function readId(value: unknown): number {
  return idField.read(value) ?? 0;
}

/** Decodes the path. */
function readBoxNumber({ params }: StaffVisit): string {
  const text = params["number"] ?? "";
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a number with a % that was not encoded
  }
}

function boxesPage(visit: StaffVisit): Response {
  const { db, by, now, query } = visit;
  const q = query.get("q")?.trim() ?? "";
  const found = pageCounted(query, ROWS, (paging) => listBoxes(db, by, { q, ...paging }, { now }));
  return page(
    visit,
    <Frame visit={visit} title={visit.view.words.boxes.title} place="boxes">
      <BoxList visit={visit} found={found} />
    </Frame>,
  );
}

function outagesPage(visit: StaffVisit): Response {
  const { db, by, query } = visit;
  const boxNumber = query.get("box") ?? undefined;
  const { rows, last } = readPage(query, (paging) => listOutages(db, by, { boxNumber }, paging));
  return page(
    visit,
    <Frame visit={visit} title={visit.view.words.outages.title} place="boxes">
      <div class="page-head">
        <h1>{visit.view.words.outages.title}</h1>
      </div>
      <div class="stack">
        <Outages visit={visit} rows={rows} last={last} />
      </div>
    </Frame>,
  );
}

function findingsPage(visit: StaffVisit): Response {
  const { db, by, now } = visit;
  const seesLines = may(by, "session_view");
  const needs = needsSomeone(db, by, { findings: visit.needs.findings() }, { now });
  const of = <K extends Need["kind"]>(kind: K) =>
    needs.find((need): need is Extract<Need, { kind: K }> => need.kind === kind);
  const found = {
    devices: seesLines ? (of("devices")?.devices ?? []) : undefined,
    renewals: may(by, "wallet_view") ? (of("renewals")?.renewals ?? []) : undefined,
    houses: seesLines ? (of("houses")?.names ?? []) : undefined,
    typing: seesLines ? (of("typing")?.mistakes ?? []) : undefined,
  };
  return page(
    visit,
    <Frame visit={visit} title={visit.view.words.findings.page.title} place="today">
      <FindingsPage visit={visit} needs={needs} found={found} />
    </Frame>,
  );
}

/** Locks the line to the device that was refused last. */
function takeNewDevice(visit: StaffVisit, input: Input): Response {
  const { db, by, now, view } = visit;
  const { boxes } = view.words;
  const back = boxHref(readBoxNumber(visit));
  const subscriberId = readId(input["user_id"]);
  const taken = attemptNow(visit, () => takeDevice(db, by, { subscriberId }, { now }));
  if (taken instanceof DomainError)
    return flash(visit, { kind: "bad", title: boxes.notTaken, text: taken.message }, back);
  const { name } = subscriberById(db, by.scope, subscriberId);
  return flash(visit, { kind: "good", title: boxes.taken(name), text: boxes.takenText(taken.mac) }, back);
}

async function testLogin(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view, needs } = visit;
  const { boxes } = view.words;
  const subscriberId = readId(input["user_id"]);
  const back = boxHref(readBoxNumber(visit));
  const { sentence, remedy, explanation } = explainWhy(db, by, subscriberId, { now });
  const advice = remedy === null ? undefined : boxes.testRemedy(remedy);
  const login = { subscriberId, method: "pap" } as const;
  const tried = may(by, "session_view")
    ? await tryLogin(db, by, login, { ask: needs.askLogin, now })
    : undefined;
  if (!tried?.answer) {
    const kind = explanation.online ? "good" : "wait";
    return flash(visit, { kind, title: sentence, text: advice }, back);
  }
  const { accepted, reason } = tried.answer;
  const { reasons } = view.words.logins;
  const outcome = reason !== null && isReason(reason) ? reasons[reason].toLowerCase() : "";
  const title = accepted ? boxes.testAccepted : boxes.testRejected(outcome);
  const text = [sentence, advice].filter(Boolean).join(" ");
  return flash(visit, { kind: accepted ? "good" : "bad", title, text }, back);
}
