import { findAnything } from "../../../../domain/search/find-anything.ts";
import { page, part } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import { staffPage } from "../../guard.ts";
import { Found, FoundPage } from "./found.tsx";

/** Characters that are looked for at the most. */
const LONGEST = 100;

/** What the one box finds: below it where there is a script, else on a page of its own. */
export const searchRoutes = [
  staffPage("/console/search", (visit) => {
    const { db, by, now, query, view } = visit;
    const q = (query.get("q") ?? "").slice(0, LONGEST).trim();
    const found = findAnything(db, by, { q }, { now });
    if (visit.isPart) return part(visit, q === "" ? <></> : <Found visit={visit} q={q} found={found} />);
    const { search } = view.words;
    const title = q === "" ? search.title : search.found(q);
    return page(
      visit,
      <Frame visit={visit} title={title} place={null}>
        <FoundPage visit={visit} q={q} title={title} found={found} />
      </Frame>,
    );
  }),
];
