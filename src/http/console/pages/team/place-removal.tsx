import type { PlaceKind } from "../../../../domain/people/places/kinds.ts";
import { deletePlace } from "../../../../domain/people/places/places.ts";
import { placeInUse } from "../../../../domain/people/places/tree.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { STAFF } from "../../parts/hrefs.ts";
import { listHref, named, PLACE } from "./place-forms.tsx";

/** What keeps it from being removed, with links; else the button. */
export const placeRemoval = form({
  path: `${PLACE}/remove`,
  of: named,
  content: (visit, { kind, place }) => {
    const { db, by, view } = visit;
    const { uses, archived } = placeInUse(db, by, kind, place);
    const words = view.words.team.places;
    const isFree = uses.length === 0;
    return {
      title: words.removeOf(place.name),
      back: listHref(visit, place.ispId),
      danger: true,
      ...(isFree && { submit: words.remove }),
      text: isFree ? (
        <p>{words.empty(view.format.name(place.name))}</p>
      ) : (
        <section class="stack near">
          <p class="strong">{words.inTheWay}</p>
          <ul class="stack near">
            {uses.map((use) => (
              <li>
                <InTheWay visit={visit} kind={kind} id={place.id} use={use} archived={archived} />
              </li>
            ))}
          </ul>
        </section>
      ),
    };
  },
  save: ({ db, by, now }, { kind, place }) => deletePlace(db, by, kind, { id: place.id }, { now }),
  done: (visit, _, { kind, place }) => {
    const words = visit.view.words.team.places;
    const title = words.removed(visit.view.format.name(place.name));
    return { title, text: words.removedText, to: listHref(visit, kind === "isp" ? 0 : place.ispId) };
  },
});

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
  const text = view.format.number(count);
  if (table === "areas" || table === "subareas") return <p>{words.uses[table](text)}</p>;
  if (table === "staff")
    return (
      <>
        <p>{words.uses.staff(text)}</p>
        {kind === "branch" && may(by, "staff_view") && (
          <div class="actions">
            <Button href={`${STAFF}?branch=${id}`} size="small">
              {words.see}
            </Button>
          </div>
        )}
      </>
    );
  if (table !== "subscribers" || kind === "isp") return <p>{words.uses.others(rows, text)}</p>;
  const present = count - archived;
  const movable =
    (kind === "area" || kind === "subarea") && may(by, "subscriber_bulk") && may(by, "subscriber_edit");
  return (
    <>
      {present > 0 && (
        <>
          <p>{words.live(present)}</p>
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
      {archived > 0 && <p class="hint">{words.archived(archived)}</p>}
    </>
  );
}
