import type { PlaceNode } from "../../../../domain/people/places/tree.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import type { StaffVisit } from "../../guard.ts";
import { changesPlaces, newHref, PLACES } from "./place-links.ts";
import { ResidentCount, LIMIT, PlaceTools } from "./place-tree.tsx";

interface BranchesProps {
  visit: StaffVisit;
  branches: readonly PlaceNode[];
  ispId: number;
}

export function Branches({ visit, branches, ispId }: BranchesProps) {
  const words = visit.view.words.team.places;
  const changes = changesPlaces(visit);
  return (
    <Card
      title={words.branches}
      lead={words.branchesHint}
      aside={
        changes && (
          <Button href={newHref(ispId, "branch")} size="small" icon="plus" drawer>
            {words.add.branch}
          </Button>
        )
      }
    >
      {branches.length === 0 ? (
        <p class="hint">{words.noBranches}</p>
      ) : (
        <ul class="rows">
          {branches.map((node) => (
            <PlaceLine visit={visit} node={node} changes={changes} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function PlaceLine({ visit, node, changes }: { visit: StaffVisit; node: PlaceNode; changes: boolean }) {
  return (
    <li>
      <bdi class="place-name">{node.name}</bdi>
      <span class="at-end">
        <ResidentCount visit={visit} node={node} />
      </span>
      {changes && <PlaceTools visit={visit} node={node} />}
    </li>
  );
}

export function Isps({
  visit,
  isps,
  current,
}: {
  visit: StaffVisit;
  isps: readonly PlaceNode[];
  current: number;
}) {
  const words = visit.view.words.team.places;
  const changes = changesPlaces(visit);
  return (
    <Card
      title={words.isps}
      lead={words.ispsHint}
      aside={
        changes && (
          <Button href={newHref(current, "isp")} size="small" icon="plus" drawer>
            {words.add.isp}
          </Button>
        )
      }
    >
      <ul class="rows">
        {isps.slice(0, LIMIT).map((node) => (
          <PlaceLine visit={visit} node={node} changes={changes} />
        ))}
      </ul>
      {isps.length > 1 && (
        <Segments
          label={words.ofIsp}
          tabs={isps.slice(0, LIMIT).map(({ id, name }) => ({
            href: `${PLACES}?isp=${id}`,
            label: <bdi>{name}</bdi>,
            current: id === current,
          }))}
        />
      )}
    </Card>
  );
}
