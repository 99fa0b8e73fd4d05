import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { PlaceKind } from "../../../../domain/people/places/kinds.ts";
import { deletePlace } from "../../../../domain/people/places/places.ts";
import { placeInUse } from "../../../../domain/people/places/tree.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { attempt } from "../../attempt.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { formDrawer } from "./form.tsx";
import { PLACES } from "./place-links.ts";
import { STAFF } from "./staff-list.tsx";
import { named, listHref } from "./place-forms.tsx";

/** What stands in the way of removing it, with the ways to clear it; else the button. */
export function askRemoval(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const { kind, place } = named(visit);
  const { uses, archived } = placeInUse(db, by, kind, { id: place.id });
  const words = view.words.team.places;
  const free = uses.length === 0;
  return formDrawer(visit, {
    title: words.removeOf(place.name),
    action: `${PLACES}/${kind}/${place.id}/remove`,
    back: listHref(visit, place.ispId),
    danger: true,
    ...(free && { submit: words.remove }),
    children: free ? (
      <p>{words.empty(view.format.name(place.name))}</p>
    ) : (
      <section class="in-the-way">
        <p class="strong">{words.inTheWay}</p>
        <ul>
          {uses.map((use) => (
            <li>
              <InTheWay visit={visit} kind={kind} id={place.id} use={use} archived={archived} />
            </li>
          ))}
        </ul>
      </section>
    ),
  });
}

interface InTheWayProps {
  visit: StaffVisit;
  kind: PlaceKind;
  id: number;
  use: { readonly table: string; readonly rows: string; readonly count: number };
  archived: number;
}

function InTheWay({ visit: { view, by }, kind, id, use: { table, rows, count }, archived }: InTheWayProps) {
  const { team } = view.words;
  const words = team.places;
  const said = view.format.number(count);
  if (table === "areas" || table === "subareas") return <p>{words.uses[table](said)}</p>;
  if (table === "staff")
    return (
      <>
        <p>{words.uses.staff(said)}</p>
        {kind === "branch" && may(by, "staff_view") && (
          <div class="actions">
            <Button href={`${STAFF}?branch=${id}`} size="small">
              {words.see}
            </Button>
          </div>
        )}
      </>
    );
  if (table !== "subscribers" || kind === "isp") return <p>{words.uses.others(rows, said)}</p>;
  const present = count - archived;
  const movable =
    (kind === "area" || kind === "subarea") && may(by, "subscriber_bulk") && may(by, "subscriber_edit");
  return (
    <>
      {present > 0 && (
        <>
          <p>{words.live(present, view.format.number(present))}</p>
          <div class="actions">
            <Button href={`/console/subscribers?${kind}=${id}`} size="small">
              {words.see}
            </Button>
            {movable && (
              <Button
                href={`/console/subscribers/bulk?operation=area&all=1&${kind}=${id}`}
                size="small"
                icon="swap"
              >
                {words.move}
              </Button>
            )}
          </div>
        </>
      )}
      {archived > 0 && <p class="hint">{words.archived(view.format.number(archived))}</p>}
    </>
  );
}

export async function removePlace(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const { kind, place } = named(visit);
  const done = await attempt(visit, async () => deletePlace(db, by, kind, { id: place.id }, { now }));
  if (done instanceof DomainError) {
    if (done.code !== "refused") throw done;
    return askRemoval(visit);
  }
  const words = view.words.team.places;
  return said(
    visit,
    { kind: "good", title: words.removed(view.format.name(place.name)), text: words.removedText },
    listHref(visit, kind === "isp" ? 0 : place.ispId),
  );
}
