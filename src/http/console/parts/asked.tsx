import { Icon } from "../../pages/icons.tsx";
import type { StaffVisit } from "../guard.ts";

export const ASKED = "/console/asked";

/** The way to what assistants ask for, where they do. */
export function AskedLink({ visit }: { visit: StaffVisit }) {
  const { view, path, asked } = visit;
  const count = asked().length;
  if (count === 0) return null;
  return (
    <ul>
      <li>
        <a href={ASKED} {...(path === ASKED && { "aria-current": "page" as const })}>
          <Icon name="check" />
          <span>{view.words.asked.place}</span>
          <span class="tab-count">{view.format.number(count)}</span>
        </a>
      </li>
    </ul>
  );
}
