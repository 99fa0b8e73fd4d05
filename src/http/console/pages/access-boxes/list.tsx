import { type BoxesOverview, boxesOverview } from "../../../../domain/machine/access-boxes/overview.ts";
import type { Standing } from "../../../../domain/service/box-standing/standing.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../settings/head.tsx";
import { ACCESS_BOXES, boxHref, faultsOf } from "./shown.ts";

/** Seconds after which the link to NATS has not said how it stands: it does each 10. */
const LINK_SILENT = 60;

/** The boxes that answer routers for these books, and how they stand. */
export function showBoxes(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { accessBoxes: words } = view.words;
  const overview = boxesOverview(db, by, { now });
  const add = (
    <Button href={`${ACCESS_BOXES}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
      {words.new}
    </Button>
  );
  if (overview.boxes.length === 0)
    return page(
      visit,
      <SettingsFrame visit={visit} current="accessBoxes">
        <section class="card">
          <Empty icon="wifi" title={words.none} text={words.noneText}>
            {add}
          </Empty>
        </section>
      </SettingsFrame>,
    );
  const buttons = (
    <>
      <Button href={`${ACCESS_BOXES}/server`} icon="key">
        {words.server}
      </Button>
      {add}
    </>
  );
  return page(
    visit,
    <SettingsFrame visit={visit} current="accessBoxes" actions={buttons}>
      <Boxes visit={visit} overview={overview} />
    </SettingsFrame>,
  );
}

interface Props {
  visit: StaffVisit;
  overview: BoxesOverview;
}

/** What is looked at again every 10 seconds while the page is open. */
function Boxes({ visit, overview }: Props) {
  const { accessBoxes: words } = visit.view.words;
  return (
    <div
      id="access-boxes"
      class="stack"
      hx-get={ACCESS_BOXES}
      hx-trigger="every 10s"
      hx-target="this"
      hx-select="#access-boxes"
      hx-swap="outerMorph"
    >
      <All visit={visit} overview={overview} />
      <Table
        caption={visit.view.words.settings.tabs.accessBoxes}
        columns={[
          { title: words.box },
          { title: words.state },
          { title: words.sessions, end: true, low: true },
          { title: words.toTell, end: true, low: true },
          { title: words.version, low: true },
        ]}
        kind="short-rows"
      >
        {overview.boxes.map((box) => (
          <Row visit={visit} box={box} />
        ))}
      </Table>
    </div>
  );
}

function Row({ visit, box }: { visit: StaffVisit; box: Standing }) {
  const { format } = visit.view;
  const { report } = box;
  const count = (said: number | undefined) => (said === undefined ? "–" : format.number(said));
  return (
    <tr>
      <td class="lead">
        <a href={boxHref(box)}>{box.name}</a>
      </td>
      <td>
        <State visit={visit} box={box} />
      </td>
      <td class="end low">{count(report?.sessions)}</td>
      <td class="end low">{count(report?.waiting)}</td>
      <td class="low soft-text">{report?.version ?? "–"}</td>
    </tr>
  );
}

/** A dot and the same in words. */
function State({ visit, box }: { visit: StaffVisit; box: Standing }) {
  const { view, now } = visit;
  const { states } = view.words.accessBoxes;
  if (box.state === "new")
    return (
      <span class="dotted">
        <Dot state="offline" /> {states.new}
      </span>
    );
  if (box.state === "cut_off")
    return (
      <span class="dotted bad-text">
        <Dot state="refused" /> {states.cutOff(view.format.timeNear(box.heardAt ?? now, now))}
      </span>
    );
  const faults = faultsOf(visit, box).map(([short]) => short);
  return (
    <span class={faults.length === 0 ? "dotted" : "dotted warn-text"}>
      <Dot state={faults.length === 0 ? "online" : "half"} /> {faults.join(", ") || states.heard}
    </span>
  );
}

/** All of them in one sentence, the worst first. */
function All({ visit, overview: { boxes, link } }: Props) {
  const { view, now } = visit;
  const { accessBoxes: words } = view.words;
  const verdict = (tone: "good" | "warn" | "bad", title: string, text: string) => (
    <Verdict
      tone={tone}
      icon={tone === "good" ? "check" : "alert"}
      label={words.label}
      title={title}
      text={text}
    />
  );
  if (!link || now - link.at > LINK_SILENT) return verdict("warn", words.notRunning, words.notRunningText);
  if (!link.isConnected)
    return verdict("bad", words.away(view.format.timeNear(link.since, now)), words.awayText);
  const cutOff = boxes.filter(({ state }) => state === "cut_off").map(({ name }) => name);
  if (cutOff.length > 0)
    return verdict("bad", words.cutOff(cutOff.join(", "), cutOff.length), words.cutOffText);
  if (boxes.some((box) => box.state === "new" || faultsOf(visit, box).length > 0))
    return verdict("warn", words.look, words.lookText);
  const waits =
    link.waiting > 0 ? ` ${words.waitingText(link.waiting, view.format.number(link.waiting))}` : "";
  return verdict("good", words.all(boxes.length), `${words.allText}${waits}`);
}
