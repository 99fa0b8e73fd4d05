import type { Child } from "hono/jsx";
import { Action, type ButtonKind } from "../../../pages/parts/button.tsx";
import type { IconName } from "../../../pages/icons.tsx";
import type { PageContext } from "./context.ts";

interface Props {
  context: PageContext;
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

export function FormAction({ context: { base, visit }, to, children, ...button }: Props) {
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
