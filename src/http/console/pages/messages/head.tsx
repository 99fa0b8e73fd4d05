import type { Child } from "hono/jsx";
import { Tabs } from "../../../pages/parts/tabs.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";

/** The pages of messages, in the order of their tabs. Who may see one may see all; what changes them is asked on each. */
export const messagePages = {
  outbox: "/console/messages",
  rules: "/console/messages/rules",
  texts: "/console/messages/texts",
  channels: "/console/messages/channels",
} as const;

interface MessagesFrameProps {
  visit: StaffVisit;
  current: keyof typeof messagePages;
  /** Instead of the name of the tab. */
  title?: string;
  /** At the end of the head. */
  actions?: Child;
  /** Paths of scripts of this page alone. */
  scripts?: readonly string[];
  children: Child;
}

/** A page of messages: its title, and the ways to the others. */
export function MessagesFrame({
  visit,
  current,
  title,
  actions,
  scripts = [],
  children,
}: MessagesFrameProps) {
  const { messages, places } = visit.view.words;
  const head = title ?? messages.titles[current];
  const names = Object.keys(messagePages) as (keyof typeof messagePages)[]; // the keys of a constant
  return (
    <Frame visit={visit} title={`${head} · ${places.messages}`} place="messages" scripts={scripts}>
      <div class="page-head">
        <h1>{head}</h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      <Tabs
        label={places.messages}
        tabs={names.map((name) => ({
          href: messagePages[name],
          label: messages.tabs[name],
          current: name === current,
        }))}
      />
      <div class="stack">{children}</div>
    </Frame>
  );
}
