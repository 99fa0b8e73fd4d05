import type { Run } from "../../../../domain/machine/imports/runs/run.ts";
import type { MoveRecord } from "../../../../domain/machine/imports/moves.ts";
import { sources } from "../../../../domain/machine/imports/sources.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list, PLAIN } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { movePath, newPath, runPath } from "./addresses.ts";
import { actorName } from "../../parts/phrases.ts";

interface HomeProps {
  visit: StaffVisit;
  runs: readonly Run[];
  moves: readonly MoveRecord[];
}

export function ImportHome({ visit, runs, moves }: HomeProps) {
  const { home } = visit.view.words.importing;
  const open = runs.filter(isOpen);
  const names = Object.keys(sources);
  return (
    <SettingsFrame visit={visit} current="import">
      <p class="lead">{home.lead}</p>
      {open.length > 0 && <Runs visit={visit} runs={open} />}
      <Card title={home.choose}>
        <ul class="grid card-links">
          {names.map((name) => (
            <li class="card">
              <h3>
                <a href={newPath(name)}>{sourceName(visit, name)}</a>
              </h3>
              <p class="hint">{visit.view.words.importing.sources[name]?.lead ?? sources[name]?.files}</p>
            </li>
          ))}
        </ul>
      </Card>
      <Moves visit={visit} moves={moves} />
    </SettingsFrame>
  );
}

export function sourceName({ view }: Pick<StaffVisit, "view">, source: string): string {
  return view.words.importing.sources[source]?.name ?? sources[source]?.title ?? source;
}

/** Whether a run is unfinished, or has new passwords to fetch. */
const isOpen = ({ state, passwords }: Run) => state !== "moved" || passwords > 0;

function Runs({ visit, runs }: Pick<HomeProps, "visit" | "runs">) {
  const { view } = visit;
  const { home, state } = view.words.importing;
  return (
    <Card title={home.open}>
      <ul class="rows import-open">
        {runs.map((run) => (
          <li>
            <a href={runPath(run.id)}>{sourceName(visit, run.source)}</a>
            <Chip tone={run.state === "failed" ? "bad" : run.state === "moved" ? "good" : "quiet"}>
              {state[run.state]}
            </Chip>
            <span class="soft-text">
              {home.openRow(actorName(view.words, run.actor), view.format.timeNear(run.createdAt, view.now))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Moves({ visit, moves }: Pick<HomeProps, "visit" | "moves">) {
  const made = <Made visit={visit} rows={moves} />;
  return moves.length === 0 ? made : <Card title={visit.view.words.importing.home.before}>{made}</Card>;
}

export const Made = list<MoveRecord>((visit) => {
  const { format, words, now } = visit.view;
  const { home } = words.importing;
  return {
    name: home.before,
    call: "listMoves",
    kind: PLAIN,
    columns: [
      {
        title: home.source,
        narrow: "lead",
        cell: ({ id, source }) => <a href={movePath(id)}>{sourceName(visit, source)}</a>,
      },
      { title: home.when, cell: ({ startedAt }) => format.timeNear(startedAt, now) },
      { title: home.who, narrow: "low", cell: ({ actor }) => actor },
      { title: home.brought, end: true, cell: ({ report }) => format.number(report.counts.subscribers.new) },
      {
        title: home.changed,
        end: true,
        narrow: "low",
        cell: ({ report }) => format.number(report.counts.subscribers.changed),
      },
      {
        title: home.state,
        cell: ({ undoneAt }) => (undoneAt === null ? home.stands : <Chip>{home.undone}</Chip>),
      },
    ],
    empty: { icon: "people", title: home.nothing, text: home.nothingText },
  };
});
