import { searchSubscribers } from "../../../../domain/desk/search/search.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { drawer, part } from "../../answers.tsx";
import { Hit } from "../../parts/hit.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";

/** Characters that a search needs. */
const ENOUGH = 2;

/** Searches for the payer; leads to the desk. */
export function findPayer(visit: StaffVisit): Response {
  const { by, query, view, request } = visit;
  permit(by, "takePayment");
  const search = query.get("q")?.trim() ?? "";
  const { pay } = view.words;
  const found = <Found visit={visit} search={search} />;
  if (visit.isPart && request.headers.get("hx-target")?.includes("pay-found")) return part(visit, found);
  return drawer(visit, {
    title: pay.title,
    lead: pay.whose,
    place: null,
    back: "/console",
    children: (
      <form class="drawer-body" action="/console/pay" method="get">
        <Field
          name="q"
          id="pay-q"
          label={pay.search}
          value={search}
          type="search"
          attributes={{
            autofocus: true,
            autocomplete: "off",
            maxlength: 100,
            "hx-get": "/console/pay",
            "hx-trigger": "input changed delay:80ms",
            "hx-target": "#pay-found",
            "hx-swap": "innerHTML",
            "hx-sync": "this:replace",
          }}
        />
        <noscript>
          <Button>{pay.searchNow}</Button>
        </noscript>
        <div id="pay-found" aria-live="polite">
          {found}
        </div>
      </form>
    ),
  });
}

function Found({ visit: { db, by, now, view }, search }: { visit: StaffVisit; search: string }) {
  const { pay } = view.words;
  if (search.length < ENOUGH) return <p class="hint">{pay.searchHint}</p>;
  const hits = searchSubscribers(db, by, { q: search }, { now }).filter(({ archived }) => !archived);
  if (hits.length === 0) return <p class="hint">{pay.nobody}</p>;
  return (
    <ul class="pay-hits">
      {hits.map((person) => (
        <Hit href={`/console/subscribers/${person.id}/pay`} person={person} />
      ))}
    </ul>
  );
}
