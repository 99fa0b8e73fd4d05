import type { Child } from "hono/jsx";
import type { StaffVisit } from "../guard.ts";
import { TabbedFrame } from "./tabbed-frame.tsx";

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
  actions?: Child;
  /** Paths of scripts of this page alone. */
  scripts?: readonly string[];
  children: Child;
}

/** A page of messages: its title, and the ways to the others. */
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
