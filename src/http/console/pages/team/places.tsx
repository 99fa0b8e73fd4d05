import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { PlaceKind } from "../../../../domain/people/places/kinds.ts";
import { type PlaceTree, placeTree } from "../../../../domain/people/places/tree.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { chooseIsp } from "../../isp-field.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { changesPlaces, flat, newHref } from "./place-links.ts";
import { Branches, Isps } from "./place-lists.tsx";
import { Tree } from "./place-tree.tsx";

/** The actor's own ISP, the operator's choice, else the last used. Throws `not_found`. */
export function chosenIspId(visit: StaffVisit): number {
  const { by, query } = visit;
  if (by.scope.ispId !== null) return by.scope.ispId;
  const requested = query.get("isp") ?? "";
  if (/^[1-9]\d{0,14}$/.test(requested)) return Number(requested);
  const ispId = chooseIsp(visit);
  if (ispId === undefined) throw new DomainError("not_found", phrase`there is no ISP`);
  return ispId;
}

export function showPlaces(visit: StaffVisit): Response {
  const { db, by, query, view } = visit;
  if (chooseIsp(visit) === undefined) return seeOther("/console/start"); // where the first is made
  const ispId = chosenIspId(visit);
  const search = (query.get("q") ?? "").trim().slice(0, 100);
  const tree = placeTree(db, by, { ispId, text: search });
  const words = view.words.team.places;
  const isEmpty = search === "" && tree.cities.length === 0 && tree.branches.length === 0;
  const changes = changesPlaces(visit);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="places"
      actions={
        changes &&
        !isEmpty && (
          <Button href={newHref(ispId, "city")} kind="solid" icon="plus" drawer dataKey="n">
            {words.add.city}
          </Button>
        )
      }
    >
      <p class="sentence">
        {words.lead} {search === "" && !isEmpty && countsSentence(visit, tree)}
      </p>
      {!changes && may(by, "place_manage") && <p class="hint">{words.readOnly}</p>}
      {tree.isps.length > 0 && <Isps visit={visit} isps={tree.isps} current={ispId} />}
      {isEmpty ? (
        <section class="card">
          <Empty icon="pin" title={words.none} text={words.noneText}>
            {changes && (
              <>
                <Button href={newHref(ispId, "city")} kind="solid" size="large" icon="plus" drawer>
                  {words.add.city}
                </Button>
                <Button href={newHref(ispId, "branch")} size="large" icon="plus" drawer>
                  {words.add.branch}
                </Button>
              </>
            )}
          </Empty>
        </section>
      ) : (
        <div class="split">
          <div>
            <Tree visit={visit} nodes={tree.cities} text={search} ispId={ispId} />
          </div>
          <div>
            <Branches visit={visit} branches={tree.branches} ispId={ispId} />
          </div>
        </div>
      )}
    </SettingsFrame>,
  );
}

function countsSentence({ view }: StaffVisit, { cities }: PlaceTree): string {
  const all = flat(cities).map(({ node }) => node);
  const count = (kind: PlaceKind) => all.filter((node) => node.kind === kind && node.id !== null).length;
  return view.words.team.places.sentence(count("city"), count("area"), count("subarea"));
}
