import type { PlaceNode } from "../../../../domain/people/places/tree.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list, type ListColumn } from "../../parts/list.tsx";
import { pageIn } from "../../parts/pager.tsx";
import { changesPlaces, flat, newHref, PLACES, type Row } from "./place-links.ts";

export const LIMIT = 200;

/** A page of rows, below the parents of its first. */
function cutPage(rows: readonly Row[], from: number): readonly Row[] {
  const visible = rows.slice(from, from + LIMIT);
  const above: Row[] = [];
  let depth = visible[0]?.depth ?? 0;
  for (const row of rows.slice(0, from).reverse()) {
    if (row.depth >= depth) continue;
    above.unshift(row);
    depth = row.depth;
  }
  return [...above, ...visible];
}

interface TreeProps {
  visit: StaffVisit;
  nodes: readonly PlaceNode[];
  text: string;
  ispId: number;
}

/** Cities, areas and subareas, with a filter. */
export function Tree({ visit, nodes, text: search, ispId }: TreeProps) {
  const { view, by, query } = visit;
  const words = view.words.team.places;
  const rows = flat(nodes);
  const from = (pageIn(query, { total: rows.length, limit: LIMIT }) - 1) * LIMIT;
  const shown = cutPage(rows, from).map(({ node, depth }) => ({ node, depth, ispId }));
  return (
    <Card
      title={words.tree}
      aside={
        <form class="row at-end" action={PLACES} method="get" role="search">
          {by.scope.ispId === null && <input type="hidden" name="isp" value={String(ispId)} />}
          <Field
            name="q"
            type="search"
            label={words.filter}
            value={search}
            attributes={{ maxlength: 100, autocomplete: "off" }}
          />
          <Button size="small" icon="search">
            {view.words.team.find}
          </Button>
        </form>
      }
    >
      {rows.length === 0 ? (
        <p class="hint">{search === "" ? words.noneText : words.noneFound(search)}</p>
      ) : (
        <Places visit={visit} rows={shown} total={rows.length} limit={LIMIT} />
      )}
    </Card>
  );
}

interface PlaceRow extends Row {
  readonly ispId: number;
}

export const Places = list<PlaceRow>((visit) => {
  const { places } = visit.view.words.team;
  const columns: ListColumn<PlaceRow>[] = [
    {
      title: places.place,
      narrow: "lead",
      kind: ({ depth }) => `depth-${depth}`,
      cell: ({ node: { kind, id, name } }) =>
        id === null ? (
          <em class="soft-text">{places.lost[kind === "area" ? "area" : "city"]}</em>
        ) : (
          <bdi class="place-name">{name}</bdi>
        ),
    },
    { title: places.lives, end: true, cell: ({ node }) => <ResidentCount visit={visit} node={node} /> },
  ];
  const tools: ListColumn<PlaceRow> = {
    title: <span class="unseen">{places.edit}</span>,
    end: true,
    cell: (row) => row.node.id !== null && <Tools visit={visit} row={row} id={row.node.id} />,
  };
  return {
    name: places.tree,
    kind: "place-tree",
    columns: changesPlaces(visit) ? [...columns, tools] : columns,
    empty: places.noneText,
  };
});

function Tools({ visit, row: { node, ispId }, id }: { visit: StaffVisit; row: PlaceRow; id: number }) {
  const { places } = visit.view.words.team;
  const below = node.kind === "city" ? "area" : node.kind === "area" ? "subarea" : null;
  return (
    <>
      {below && (
        <Button
          href={newHref(ispId, below, id)}
          kind="quiet"
          size="small"
          icon="plus"
          drawer
          label={places.addIn(places.kinds[below], visit.view.format.name(node.name))}
        />
      )}
      <PlaceTools visit={visit} node={node} />
    </>
  );
}

export function PlaceTools({
  visit: { view },
  node: { kind, id, name },
}: {
  visit: StaffVisit;
  node: PlaceNode;
}) {
  const words = view.words.team.places;
  const named = view.format.name(name);
  const href = `${PLACES}/${kind}/${id}`;
  return (
    <>
      <Button href={href} kind="quiet" size="small" icon="edit" drawer label={words.editOf(named)} />
      <Button
        href={`${href}/remove`}
        kind="quiet"
        size="small"
        icon="close"
        drawer
        label={words.removeOf(named)}
      />
    </>
  );
}

export function ResidentCount({
  visit: { view, by },
  node: { kind, id, subscribers },
}: {
  visit: StaffVisit;
  node: PlaceNode;
}) {
  if (subscribers === null) return null;
  const text = view.format.number(subscribers);
  if (kind === "isp" || subscribers === 0 || !may(by, "subscriber_view")) return <>{text}</>;
  return (
    <a href={`/console/subscribers?${kind}=${id}`} aria-label={view.words.team.subscribers(subscribers)}>
      {text}
    </a>
  );
}
