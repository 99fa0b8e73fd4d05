import type { Child } from "hono/jsx";
import type { StaffVisit } from "../guard.ts";
import { TabbedFrame } from "./tabbed-frame.tsx";

/** Pages in the order of tabs. Who may see one may see all; changes are checked by each. */
export const messagePages = {
  outbox: "/console/messages",
  rules: "/console/messages/rules",
  texts: "/console/messages/texts",
  channels: "/console/messages/channels",
} as const;

interface MessagesFrameProps {
  visit: StaffVisit;
  current: keyof typeof messagePages;
  title?: string;
  actions?: Child;
  scripts?: readonly string[];
  children: Child;
}

export function MessagesFrame({ current, ...props }: MessagesFrameProps) {
  const { messages } = props.visit.view.words;
  const names = Object.keys(messagePages) as (keyof typeof messagePages)[]; // the keys of a constant
  const tabs = names.map((name) => ({
    href: messagePages[name],
    label: messages.tabs[name],
    current: name === current,
  }));
  return <TabbedFrame {...props} place="messages" tabs={tabs} named={messages.titles[current]} />;
}
