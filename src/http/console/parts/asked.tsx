import { type Proposal, waitingProposals } from "../../../domain/around/proposals/proposals.ts";
import { callNamed, isOpen } from "../../assistants/tools.ts";
import { Icon } from "../../pages/icons.tsx";
import type { StaffVisit } from "../guard.ts";

export const ASKED = "/console/asked";

/** Of a request, whose sidebar and page have the same. */
const known = new WeakMap<Request, readonly Proposal[]>();

/** What waits for a press that the reader may make. */
export function askedOf({ db, by, now, request }: StaffVisit): readonly Proposal[] {
  const before = known.get(request);
  if (before) return before;
  const found = waitingProposals(db, by.scope, { now }).filter(({ call }) => {
    const managed = callNamed(call);
    return managed !== undefined && isOpen(by, managed);
  });
  known.set(request, found);
  return found;
}

/** The way to what assistants ask for, where they do. */
export function AskedLink({ visit }: { visit: StaffVisit }) {
  const { view, path } = visit;
  const count = askedOf(visit).length;
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
