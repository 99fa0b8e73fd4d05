import { type BoxesOverview, boxesOverview } from "../../../../domain/machine/access-boxes/overview.ts";
import type { Standing } from "../../../../domain/service/box-standing/standing.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { listFaults } from "./words.ts";
import { ACCESS_BOXES, accessBoxHref } from "../../parts/hrefs.ts";

/** Seconds without a report of the NATS link, which sends one each 10. */
const LINK_SILENT = 60;

export function showBoxes(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { accessBoxes: words } = view.words;
  const overview = boxesOverview(db, by, { now });
  const buttons = (
    <>
      <Button href={`${ACCESS_BOXES}/server`} icon="key">
        {words.server}
      </Button>
      {addButton(visit)}
    </>
  );
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="accessBoxes"
      actions={overview.boxes.length > 0 ? buttons : undefined}
    >
      <Boxes visit={visit} overview={overview} />
    </SettingsFrame>,
  );
}

interface Props {
  visit: StaffVisit;
  overview: BoxesOverview;
}

/** Loads itself again every 10 seconds. */
function Boxes({ visit, overview }: Props) {
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
      {overview.boxes.length > 0 && <All visit={visit} overview={overview} />}
      <AccessBoxes visit={visit} rows={overview.boxes} />
    </div>
  );
}

export const AccessBoxes = list<Standing>((visit) => {
  const { view } = visit;
  const { accessBoxes: words, settings } = view.words;
  const count = (value: number | undefined) => (value === undefined ? "–" : view.format.number(value));
  return {
    name: settings.tabs.accessBoxes,
    columns: [
      { title: words.box, cell: (box) => <a href={accessBoxHref(box)}>{box.name}</a>, narrow: "lead" },
      { title: words.state, cell: (box) => <State visit={visit} box={box} /> },
      { title: words.sessions, cell: ({ report }) => count(report?.sessions), end: true, narrow: "low" },
      { title: words.toTell, cell: ({ report }) => count(report?.waiting), end: true, narrow: "low" },
      {
        title: words.version,
        cell: ({ report }) => report?.version ?? "–",
        narrow: "low",
        kind: "soft-text",
      },
    ],
    empty: { icon: "wifi", title: words.none, text: words.noneText, first: addButton(visit) },
  };
});

const addButton = ({ view }: StaffVisit) => (
  <Button href={`${ACCESS_BOXES}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
    {view.words.accessBoxes.new}
  </Button>
);

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
  const faults = listFaults(visit, box).map(([short]) => short);
  return (
    <span class={faults.length === 0 ? "dotted" : "dotted warn-text"}>
      <Dot state={faults.length === 0 ? "online" : "half"} />{" "}
      {faults.join(view.words.list.comma) || states.heard}
    </span>
  );
}

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
    return verdict("bad", words.cutOff(cutOff.join(view.words.list.comma), cutOff.length), words.cutOffText);
  if (boxes.some((box) => box.state === "new" || listFaults(visit, box).length > 0))
    return verdict("warn", words.look, words.lookText);
  const waits = link.waiting > 0 ? ` ${words.waitingText(link.waiting)}` : "";
  return verdict("good", words.all(boxes.length), `${words.allText}${waits}`);
}
