import type { Child } from "hono/jsx";
import { Action, type ButtonKind } from "../../../pages/parts/button.tsx";
import type { IconName } from "../../../pages/icons.tsx";
import type { Shown } from "./shown.ts";

interface Props {
  shown: Shown;
  /** What follows the path of the page. */
  to: string;
  icon?: IconName;
  kind?: ButtonKind;
  size?: "small" | "large";
  disabled?: boolean;
  dataKey?: string;
  showKey?: string;
  fields?: Readonly<Record<string, string | number>>;
  children: Child;
}

/** A form that is one button, of this subscriber. */
export function FormAction({ shown: { base, visit }, to, children, ...button }: Props) {
  return (
    <Action
      action={`${base}/${to}`}
      formToken={visit.formToken}
      {...(to === "disconnect" && { asking: visit.view.words.frame.askingRouter })}
      {...button}
    >
      {children}
    </Action>
  );
}
