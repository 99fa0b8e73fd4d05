import type { Child } from "hono/jsx";
import { type Tab, Tabs } from "../../pages/parts/tabs.tsx";
import { Frame } from "../frame.tsx";
import type { StaffVisit } from "../guard.ts";

interface TabbedFrameProps {
  visit: StaffVisit;
  place: "messages" | "money" | "settings";
  tabs: readonly (Tab & { readonly label: string })[];
  named: string;
  /** The title of a page below a tab. */
  title?: string | undefined;
  actions?: Child;
  scripts?: readonly string[];
  children: Child;
}

export function TabbedFrame(props: TabbedFrameProps) {
  const { visit, place, tabs, named, title, actions, scripts = [], children } = props;
  const label = visit.view.words.places[place];
  const head = title ?? named;
  const on = title === undefined ? undefined : tabs.find(({ current }) => current);
  return (
    <Frame
      visit={visit}
      place={place}
      scripts={scripts}
      title={`${head} · ${label}`}
      {...(on && { back: on })}
    >
      <div class="page-head">
        <h1>{head}</h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      <Tabs label={label} tabs={tabs} />
      <div class="stack">{children}</div>
    </Frame>
  );
}
