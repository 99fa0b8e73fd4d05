import type { Child } from "hono/jsx";
import { Icon, type IconName } from "../icons.tsx";

interface VerdictProps {
  tone: "good" | "warn" | "bad" | "quiet";
  icon: IconName;
  /** "What is the matter". */
  label: string;
  title: string;
  /** A sentence or two. */
  text: Child;
  /** Its main button, and others. */
  actions?: Child;
  /** What the button does. */
  hint?: Child;
  /** The evidence. */
  children?: Child;
}

/** Diagnosis, reason and fix. */
export function Verdict({ tone, icon, label, title, text, actions, hint, children }: VerdictProps) {
  return (
    <section class={`card verdict ${tone}`}>
      <div class="verdict-body">
        <span>
          <Icon name={icon} />
        </span>
        <div>
          <p class="verdict-label">{label}</p>
          <h2>{title}</h2>
          <p>{text}</p>
          {actions && <div class="actions">{actions}</div>}
          {hint !== undefined && <p class="hint">{hint}</p>}
        </div>
      </div>
      {children}
    </section>
  );
}
