import type { Child } from "hono/jsx";

export interface Tab {
  readonly href: string;
  readonly label: Child;
  readonly count?: string | undefined;
  readonly current: boolean;
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return <Links kind="tabs" label={label} tabs={tabs} />;
}

/** Tabs; `drawer`: within a panel. */
export function Segments({
  label,
  tabs,
  drawer = false,
}: {
  label: string;
  tabs: readonly Tab[];
  drawer?: boolean;
}) {
  return <Links kind="segments" label={label} tabs={tabs} drawer={drawer} />;
}

interface LinksProps {
  kind: string;
  label: string;
  tabs: readonly Tab[];
  drawer?: boolean;
}

function Links({ kind, label, tabs, drawer = false }: LinksProps) {
  const opens = (href: string) =>
    drawer && { "hx-get": href, "hx-target": "#drawer", "hx-swap": "innerHTML" };
  return (
    <nav class={kind} aria-label={label}>
      {tabs.map(({ href, label: text, count, current }) => (
        <a href={href} {...opens(href)} {...(current && { "aria-current": "page" as const })}>
          {text}
          {count !== undefined && <span class="tab-count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
