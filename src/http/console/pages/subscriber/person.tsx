import type { Child } from "hono/jsx";
import { diagnose } from "../../../../domain/desk/diagnosis/diagnosis.ts";
import { MOST } from "../../../../domain/desk/subscriber-page/head.ts";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import { Back } from "../../../pages/parts/back.tsx";
import { Key } from "../../../pages/parts/chip.tsx";
import { Tabs } from "../../../pages/parts/tabs.tsx";
import { Header } from "./header.tsx";
import type { Found, PageContext } from "./context.ts";

export type Tab = "overview" | "sessions" | "logins" | "money" | "changes";

interface Props {
  context: PageContext;
  tab: Tab;
  found?: Found;
  children: Child;
}

/** The page of a subscriber. Everything is read at one moment, so that parts agree. */
export function personPage({ context, tab, found, children }: Props): Response {
  const { visit, head } = context;
  const { subscriber } = head;
  const { diagnosis } = found ?? diagnose(visit.db, visit.by, head, { now: visit.now });
  return page(
    visit,
    <Frame visit={visit} title={subscriber.name} place="subscribers">
      <div
        id="person"
        class="person"
        data-live="sessions logins money"
        data-every="2"
        hx-get={visit.query.size === 0 ? visit.path : `${visit.path}?${visit.query}`}
        hx-select="#person"
        hx-target="this"
        hx-swap="outerMorph"
        hx-trigger="refresh"
      >
        <Way context={context} />
        <Header context={context} diagnosis={diagnosis} />
        <PersonTabs context={context} tab={tab} />
        {children}
      </div>
    </Frame>,
  );
}

/** Links to the list, and by script to its next and previous row. */
function Way({ context: { visit, base } }: { context: PageContext }) {
  const { subscriber: words } = visit.view.words;
  return (
    <p class="way" data-way={base}>
      <Back href="/console/subscribers">{words.back}</Back>
      <span class="hint" data-place={words.place("{at}", "{of}")} />
      <span class="row push hint">
        <a class="plain" href={base} data-key="j" hidden>
          <Key>J</Key> {words.next}
        </a>
        <a class="plain" href={base} data-key="k" hidden>
          <Key>K</Key> {words.previous}
        </a>
      </span>
    </p>
  );
}

function PersonTabs({ context: { visit, head, base }, tab }: { context: PageContext; tab: Tab }) {
  const { tabs } = visit.view.words.subscriber;
  const { counts } = head;
  const format = visit.view.format;
  const count = (n: number | null) =>
    n === null ? undefined : n >= MOST ? `${format.number(MOST)}+` : format.number(n);
  const seen: [Tab, number | null][] = [
    ["sessions", counts.sessions],
    ["logins", counts.logins],
    ["money", counts.money],
    ["changes", counts.changes],
  ];
  return (
    <Tabs
      label={tabs.label}
      tabs={[
        { href: base, label: tabs.overview, current: tab === "overview" },
        ...seen
          .filter(([, n]) => n !== null)
          .map(([name, n]) => ({
            href: `${base}/${name}`,
            label: tabs[name],
            count: count(n),
            current: tab === name,
          })),
      ]}
    />
  );
}
