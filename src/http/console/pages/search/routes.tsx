import { findAnything } from "../../../../domain/desk/search/find-anything.ts";
import { plainSearch } from "../../../pages/ungrouped.ts";
import { page, part } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import { type ConsoleRoute, staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { Found, FoundPage } from "./found.tsx";

const LONGEST = 100;

/** Search results, below the box or as a page. Sent as a form, because it may be a card's code. */
export const searchRoutes: readonly ConsoleRoute[] = [
  staffPage("/console/search", (visit) => {
    const q = cut(visit.query.get("q"));
    if (visit.isPart) return below(visit, q);
    const { search } = visit.view.words;
    const title = q === "" ? search.title : search.found(q);
    return page(
      visit,
      <Frame visit={visit} title={title} place={null}>
        <FoundPage visit={visit} q={q} title={title} found={searchFor(visit, q)} />
      </Frame>,
    );
  }),
  staffForm("/console/search", (visit, { q }) => below(visit, cut(typeof q === "string" ? q : null))),
];

const cut = (text: string | null) =>
  plainSearch(text ?? "")
    .slice(0, LONGEST)
    .trim();

const searchFor = ({ db, by, now }: StaffVisit, q: string) => findAnything(db, by, { q }, { now });

function below(visit: StaffVisit, q: string): Response {
  const found = searchFor(visit, q);
  return part(visit, q === "" ? <></> : <Found visit={visit} q={q} found={found} />);
}
