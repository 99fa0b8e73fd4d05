import type { Child } from "hono/jsx";
import { Icon, type IconName } from "../icons.tsx";

interface MenuProps {
  label: Child;
  value?: Child;
  icon?: IconName;
  chosen?: boolean;
  /** Open from the start, for a fault. */
  open?: boolean;
  /** The panel ends where the chip does. */
  atEnd?: boolean;
  /** For screen readers. */
  title?: string;
  children: Child;
}

/** A chip with a panel, without scripts too. */
export function Menu({
  label,
  value,
  icon,
  chosen = false,
  open = false,
  atEnd,
  title,
  children,
}: MenuProps) {
  const kind = ["menu", chosen && "chosen", atEnd && "at-end"].filter(Boolean).join(" ");
  return (
    <details class={kind} open={open}>
      <summary {...(title !== undefined && { "aria-label": title })}>
        {icon && <Icon name={icon} />}
        {label} {value !== undefined && <strong>{value}</strong>}
        {!icon && <Icon name="down" />}
      </summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
