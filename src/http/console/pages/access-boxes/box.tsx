import type { NodeKnowledge } from "../../../../domain/machine/access-boxes/knows.ts";
import { accessBox } from "../../../../domain/machine/access-boxes/overview.ts";
import { removeAccessBox } from "../../../../domain/machine/access-boxes/boxes.ts";
import { CLOCKS_APART, type Standing } from "../../../../domain/service/box-standing/standing.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { pathId } from "../../../form.ts";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { listFaults } from "./words.ts";
import { ACCESS_BOXES, accessBoxHref } from "../../parts/hrefs.ts";

/** Throws `not_found`, `forbidden`. */
function readBox(visit: StaffVisit) {
  const { db, by, now } = visit;
  return accessBox(db, by, { id: readId(visit) }, { now });
}

const readId = ({ params }: StaffVisit) => pathId("access box", params["id"] ?? null);

export function showBox(visit: StaffVisit): Response {
  const { accessBoxes: words } = visit.view.words;
  const { box, knows, places } = readBox(visit);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="accessBoxes"
      title={box.name}
      actions={
        <Button href={`${accessBoxHref(box)}/remove`} kind="danger" drawer>
          {words.remove}
        </Button>
      }
    >
      <State visit={visit} box={box} />
      <div class="split">
        <div>
          <Stated visit={visit} box={box} places={places} />
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
  const faults = listFaults(visit, box).map(([, long]) => long);
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

/** Facts of the box's last report; missing ones are left out. */
function listFacts({ view: { format, words }, now }: StaffVisit, { heardAt, report, ahead }: Standing) {
  const { facts } = words.accessBoxes;
  if (!report) return [];
  const at = (ago: number | null) =>
    ago === null ? facts.never : format.timeNear((heardAt ?? now) - ago, now);
  const tell = <T,>(title: string, value: T | undefined, format: (fact: T) => string) =>
    value === undefined ? [] : [[title, format(value)] as const];
  return [
    ...tell(facts.sessions, report.sessions, (open) => format.number(open)),
    ...tell(facts.login, report.loginAgo, at),
    ...tell(facts.accounting, report.accountingAgo, at),
    ...tell(facts.toTell, report.waiting, (rows) => (rows === 0 ? facts.nothing : format.number(rows))),
    ...tell(facts.clock, report.at, () =>
      Math.abs(ahead) > CLOCKS_APART ? facts.apart(Math.abs(ahead)) : facts.together,
    ),
    ...tell(facts.disk, report.disk, ({ free, total }) => facts.of(format.bytes(free), format.bytes(total))),
    ...tell(facts.up, report.uptime, (uptime) => format.duration(uptime)),
    ...tell(facts.version, report.version, (version) => version),
  ];
}

function Stated({ visit, box, places }: BoxProps & { places: readonly string[] }) {
  const { format } = visit.view;
  const { facts } = visit.view.words.accessBoxes;
  const whose = places.length === 0 ? facts.everybody : format.name(places.join(visit.view.words.list.comma));
  return (
    <Card title={facts.title}>
      <Facts
        facts={[...listFacts(visit, box), [facts.whose, whose], [facts.added, format.time(box.createdAt)]]}
      />
    </Card>
  );
}

function Knows({ visit: { view }, box: { report }, knows }: BoxProps & { knows: NodeKnowledge }) {
  const { format } = view;
  const { knows: words } = view.words.accessBoxes;
  const { routers, apiAccounts, subscribers, cards, sharedUntil } = knows;
  const { isKeyInFile } = report ?? {};
  const key = isKeyInFile === undefined ? words.unknown : isKeyInFile ? words.byItself : words.notByItself;
  return (
    <>
      <ul class="stack close listed">
        <li>
          <a href="/console/routers">{words.routers(routers.length)}</a>
        </li>
        <li>
          <a href="/console/subscribers">{words.subscribers(subscribers)}</a>
        </li>
        {cards > 0 && (
          <li>
            <a href="/console/cards">{words.cards(cards)}</a>
          </li>
        )}
        {apiAccounts > 0 && <li>{words.apiAccounts(apiAccounts)}</li>}
      </ul>
      {sharedUntil !== null && (
        <p>{sharedUntil === "now" ? words.shared : words.sharedUntil(format.time(sharedUntil))}</p>
      )}
      <p class="hint">{key}</p>
    </>
  );
}

export const boxRemoval = form({
  path: `${ACCESS_BOXES}/:id/remove`,
  of: readBox,
  content: (visit, { box, knows }) => {
    const { accessBoxes: words } = visit.view.words;
    return {
      title: words.removeTitle(box.name),
      back: accessBoxHref(box),
      submit: words.remove,
      danger: true,
      leaves: true,
      text: (
        <>
          <p>{words.removeText}</p>
          <p>{words.removeStolen}</p>
          <Knows visit={visit} box={box} knows={knows} />
        </>
      ),
    };
  },
  save: ({ db, by, now }, { box: { id } }) => removeAccessBox(db, by, { id }, { now }),
  done: ({ view: { words } }, { name }) => ({
    title: words.accessBoxes.removed(name),
    text: words.accessBoxes.removedText,
    to: ACCESS_BOXES,
  }),
});
