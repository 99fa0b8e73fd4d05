import type { Child } from "hono/jsx";
import { Icon, type IconName } from "../icons.tsx";

interface MenuProps {
  /** What is chosen among: "Status". */
  label: Child;
  value?: Child;
  icon?: IconName;
  chosen?: boolean;
  /** Before anybody has pressed it: what stands in it is wrong. */
  open?: boolean;
  /** A name for who does not see the icon. */
  title?: string;
  children: Child;
}

/** A chip or button that opens a panel, without a script too. */
export function Menu({ label, value, icon, chosen = false, open = false, title, children }: MenuProps) {
  return (
    <details class={chosen ? "menu chosen" : "menu"} open={open}>
      <summary {...(title !== undefined && { "aria-label": title })}>
        {icon && <Icon name={icon} />}
        {label} {value !== undefined && <strong>{value}</strong>}
        {!icon && <Icon name="down" />}
      </summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
