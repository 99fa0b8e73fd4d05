import type { Child } from "hono/jsx";
import { Icon, type IconName } from "../icons.tsx";

interface EmptyProps {
  icon: IconName;
  title: string;
  text: Child;
  children?: Child;
}

export function Empty({ icon, title, text, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-mark">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {children !== undefined && <div class="actions">{children}</div>}
    </div>
  );
}
