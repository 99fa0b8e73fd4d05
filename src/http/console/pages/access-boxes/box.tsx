import { accessBox, type BoxKnows } from "../../../../domain/access-boxes/overview.ts";
import { removeAccessBox } from "../../../../domain/access-boxes/boxes.ts";
import { CLOCKS_APART, type Standing } from "../../../../domain/access-boxes/standing.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { pathId } from "../../../form.ts";
import { page, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../settings/head.tsx";
import { formDrawer } from "../team/form.tsx";
import { ACCESS_BOXES, boxHref, faultsOf } from "./shown.ts";

/** The box of the address. Throws `not_found`, `forbidden`. */
function boxOf({ db, by, now, params }: StaffVisit) {
  return accessBox(db, by, { id: pathId("access box", params["id"] ?? null) }, { now });
}

/** One box: how it stands, what it says of itself, and what its thief would have. */
export function showBox(visit: StaffVisit): Response {
  const { accessBoxes: words } = visit.view.words;
  const { box, knows, places } = boxOf(visit);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="accessBoxes"
      title={box.name}
      actions={
        <Button href={`${boxHref(box)}/remove`} kind="danger" drawer>
          {words.remove}
        </Button>
      }
    >
      <State visit={visit} box={box} />
      <div class="columns">
        <div>
          <Said visit={visit} box={box} places={places} />
        </div>
        <div>
          <Card title={words.knows.title}>
            <p>{words.knows.text}</p>
            <Knows visit={visit} box={box} knows={knows} />
          </Card>
        </div>
      </div>
    </SettingsFrame>,
  );
}

interface BoxProps {
  visit: StaffVisit;
  box: Standing;
}

function State({ visit, box }: BoxProps) {
  const { view, now } = visit;
  const { label, of } = view.words.accessBoxes;
  const heardAt = box.heardAt ?? now;
  if (box.state === "new")
    return <Verdict tone="quiet" icon="wifi" label={label} title={of.new} text={of.newText} />;
  if (box.state === "cut_off")
    return (
      <Verdict
        tone="bad"
        icon="alert"
        label={label}
        title={of.cutOff(view.format.timeNear(heardAt, now))}
        text={of.cutOffText}
      />
    );
  const faults = faultsOf(visit, box).map(([, long]) => long);
  const isWell = faults.length === 0;
  return (
    <Verdict
      tone={isWell ? "good" : "warn"}
      icon={isWell ? "check" : "alert"}
      label={label}
      title={of.heard}
      text={isWell ? of.heardText(view.format.duration(Math.max(0, now - heardAt))) : faults.join(" ")}
    />
  );
}

function Said({ visit: { view, now }, box, places }: BoxProps & { places: readonly string[] }) {
  const { format } = view;
  const { facts } = view.words.accessBoxes;
  const { report, ahead } = box;
  const heardAt = box.heardAt ?? now;
  const at = (ago: number | null) => (ago === null ? facts.never : format.timeNear(heardAt - ago, now));
  const whose = places.length === 0 ? facts.everybody : format.name(places.join(", "));
  return (
    <Card title={facts.title}>
      <Facts
        facts={[
          ...(report
            ? ([
                [facts.sessions, format.number(report.sessions)],
                [facts.login, at(report.loginAgo)],
                [facts.accounting, at(report.accountingAgo)],
                [facts.toTell, report.waiting === 0 ? facts.nothing : format.number(report.waiting)],
                [
                  facts.clock,
                  Math.abs(ahead) > CLOCKS_APART
                    ? facts.apart(format.number(Math.abs(ahead)))
                    : facts.together,
                ],
                [facts.disk, facts.of(format.bytes(report.disk.free), format.bytes(report.disk.total))],
                [facts.up, format.duration(report.uptime)],
                [facts.version, report.version],
              ] as const)
            : []),
          [facts.whose, whose],
          [facts.added, format.time(box.createdAt)],
        ]}
      />
    </Card>
  );
}

function Knows({ visit: { view }, box: { report }, knows }: BoxProps & { knows: BoxKnows }) {
  const { format } = view;
  const { knows: words } = view.words.accessBoxes;
  const { routers, subscribers, cards } = knows;
  const key = report === null ? words.unknown : report.isKeyInFile ? words.byItself : words.notByItself;
  return (
    <>
      <ul class="box-knows">
        <li>
          <a href="/console/routers">{words.routers(routers.length, format.number(routers.length))}</a>
        </li>
        <li>
          <a href="/console/subscribers">{words.subscribers(subscribers, format.number(subscribers))}</a>
        </li>
        {cards > 0 && (
          <li>
            <a href="/console/cards">{words.cards(cards, format.number(cards))}</a>
          </li>
        )}
      </ul>
      <p class="hint">{key}</p>
    </>
  );
}

export function askRemoval(visit: StaffVisit): Response {
  const { accessBoxes: words } = visit.view.words;
  const { box, knows } = boxOf(visit);
  return formDrawer(visit, {
    title: words.removeTitle(box.name),
    ...{ action: `${boxHref(box)}/remove`, back: boxHref(box), danger: true, leaves: true },
    submit: words.remove,
    children: (
      <>
        <p>{words.removeText}</p>
        <p>{words.removeStolen}</p>
        <Knows visit={visit} box={box} knows={knows} />
      </>
    ),
  });
}

export function remove(visit: StaffVisit): Response {
  const { db, by, now } = visit;
  const { accessBoxes: words } = visit.view.words;
  const { box } = boxOf(visit);
  removeAccessBox(db, by, { name: box.name }, { now });
  return said(visit, { kind: "good", title: words.removed(box.name), text: words.removedText }, ACCESS_BOXES);
}
