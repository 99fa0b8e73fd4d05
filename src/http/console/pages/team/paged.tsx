import type { StaffVisit } from "../../guard.ts";
import { pageAsked, PageLinks } from "../../page-links.tsx";

interface PagesProps {
  visit: StaffVisit;
  total: number;
  limit: number;
  path: string;
}

/** Below a long list: what of it is shown, and the ways to the rest; nothing where all of it is. */
export function Pages({ visit: { query, view }, total, limit, path }: PagesProps) {
  if (total <= limit) return null;
  const { format, words } = view;
  const current = pageAsked(query);
  const from = (current - 1) * limit;
  const said = (n: number) => format.number(Math.min(n, total));
  const href = (to: number) => {
    const changed = new URLSearchParams(query);
    changed.set("page", String(to));
    return `${path}?${String(changed)}`;
  };
  return (
    <div class="pages">
      <span>{words.team.range(said(from + 1), said(from + limit), format.number(total))}</span>
      <PageLinks view={view} href={href} page={current} pages={Math.ceil(total / limit)} />
    </div>
  );
}
