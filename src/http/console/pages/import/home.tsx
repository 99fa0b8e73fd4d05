import type { Run } from "../../../../domain/machine/imports/runs/run.ts";
import type { MoveRecord } from "../../../../domain/machine/imports/moves.ts";
import { sources } from "../../../../domain/machine/imports/sources.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { movePath, newPath, runPath } from "./addresses.ts";
import { actorName } from "../../parts/phrases.ts";

interface HomeProps {
  visit: StaffVisit;
  runs: readonly Run[];
  moves: readonly MoveRecord[];
}

/** Where subscribers can come from, what is under way, and what was brought in before. */
export function ImportHome({ visit, runs, moves }: HomeProps) {
  const { home } = visit.view.words.importing;
  const open = runs.filter(isOpen);
  const names = Object.keys(sources);
  return (
    <SettingsFrame visit={visit} current="import">
      <p class="lead">{home.lead}</p>
      {open.length > 0 && <Runs visit={visit} runs={open} />}
      <Card title={home.choose}>
        <ul class="import-sources">
          {names.map((name) => (
            <li>
              <a href={newPath(name)}>
                <strong>{sourceName(visit, name)}</strong>
                <span class="hint">
                  {visit.view.words.importing.sources[name]?.lead ?? sources[name]?.files}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </Card>
      <Moves visit={visit} moves={moves} />
    </SettingsFrame>
  );
}

/** What people call a kind of system. */
export function sourceName({ view }: Pick<StaffVisit, "view">, source: string): string {
  return view.words.importing.sources[source]?.name ?? sources[source]?.title ?? source;
}

/** What waits for somebody, and what was brought in of which new passwords are to be fetched. */
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
  const { format, words, now } = visit.view;
  const { home } = words.importing;
  if (moves.length === 0)
    return (
      <div class="card">
        <Empty icon="people" title={home.nothing} text={home.nothingText} />
      </div>
    );
  const columns = [
    { title: home.source },
    { title: home.when },
    { title: home.who, low: true },
    { title: home.brought, end: true },
    { title: home.changed, end: true, low: true },
    { title: home.state },
  ];
  return (
    <Card title={home.before}>
      <Table caption={home.before} columns={columns}>
        {moves.map(({ id, source, actor, startedAt, undoneAt, report }) => (
          <tr>
            <td>
              <a href={movePath(id)}>{sourceName(visit, source)}</a>
            </td>
            <td>{format.timeNear(startedAt, now)}</td>
            <td class="low">{actor}</td>
            <td class="end">{format.number(report.counts.subscribers.new)}</td>
            <td class="end low">{format.number(report.counts.subscribers.changed)}</td>
            <td>{undoneAt === null ? home.stands : <Chip>{home.undone}</Chip>}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
