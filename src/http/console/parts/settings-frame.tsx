import type { Child } from "hono/jsx";
import type { StaffVisit } from "../guard.ts";
import { openTo, type SettingsPage, settingsPages } from "./settings-pages.ts";
import { TabbedFrame } from "./tabbed-frame.tsx";

interface SettingsFrameProps {
  visit: StaffVisit;
  current: SettingsPage;
  title?: string;
  actions?: Child;
  scripts?: readonly string[];
  children: Child;
}

export function SettingsFrame({ current, ...props }: SettingsFrameProps) {
  const { tabs: named } = props.visit.view.words.settings;
  const tabs = openTo(props.visit).map((name) => ({
    href: settingsPages[name].href,
    label: named[name],
    current: name === current,
  }));
  return <TabbedFrame {...props} place="settings" tabs={tabs} named={named[current]} />;
}
