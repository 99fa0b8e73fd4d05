import {
  commandsFor,
  type Commands,
  type ExtraPart,
  extraParts,
} from "../../../../domain/goods/router-setup/commands.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { firstWords } from "../../../../domain/goods/nas/first-words.ts";
import { testNas } from "../../../../domain/goods/nas/test.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { attempt } from "../../attempt.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { page, part, flash } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Arrived, type ArrivedProps, hasArrived, isSettled } from "./arrived.tsx";
import { CommandCard } from "../../parts/terminal.tsx";
import { formatClockOrDay, listChecks } from "./findings.ts";
import { readRouterId } from "./state.ts";
import { routerHref, ROUTERS } from "../../parts/hrefs.ts";

export async function setupPage(visit: StaffVisit): Promise<Response> {
  const context = await readContext(visit);
  if (visit.isPart) return part(visit, <Setup {...context} />);
  const { steps } = visit.view.words.routers;
  return page(
    visit,
    <Frame
      visit={visit}
      title={steps.title}
      place="routers"
      back={{ href: ROUTERS, label: visit.view.words.routers.back }}
    >
      <Setup {...context} />
    </Frame>,
  );
}

interface SetupContext extends ArrivedProps {
  nasId: number;
  commands: Commands | DomainError;
  extras: readonly ExtraPart[];
}

async function readContext(visit: StaffVisit): Promise<SetupContext> {
  permit(visit.by, "commandsFor");
  const nasId = readRouterId(visit);
  const extras = readExtras(visit.query);
  const { words, commands } = await readFor(visit, { nasId, extras });
  const test = visit.needs.routerTests.of(nasId);
  const secret = commands instanceof DomainError ? null : commands.secret;
  const { view, now } = visit;
  const findings = listChecks({ view, now, words, test, secret });
  return {
    visit,
    nasId,
    words,
    findings,
    test,
    commands,
    extras,
    manages: may(visit.by, "nas_manage") && seesWholeIsp(visit.by.scope),
  };
}

export async function readFor(
  visit: StaffVisit,
  { nasId, extras = [] }: { nasId: number; extras?: readonly ExtraPart[] },
) {
  const { db, by, now, needs } = visit;
  const words = firstWords(db, by, { nasId }, { now, arrivals: needs.arrivals });
  const commands = await attempt(visit, () =>
    commandsFor(
      db,
      by,
      { router: words.router, extras, isInUse: words.provenAt !== null },
      { now, findPlace: (router, lists) => needs.nasTools.findPlace(router, lists, undefined) },
    ),
  );
  return { words, commands };
}

function readExtras(query: URLSearchParams): ExtraPart[] {
  const extras = (query.get("also") ?? "").split(",");
  return extraParts.filter((part) => extras.includes(part));
}

/** Loads itself again at every arrival. */
function Setup(context: SetupContext) {
  const { visit, nasId, words, commands, extras } = context;
  const { routers } = visit.view.words;
  const here = routerHref(nasId, "/setup");
  return (
    <div
      id="router-setup"
      class="stack"
      data-live="routers logins sessions"
      data-every="1"
      hx-get={extras.length === 0 ? here : `${here}?also=${extras.join(",")}`}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      <header class="page-head">
        <h1>{words.provenAt === null ? routers.steps.title : routers.steps.again}</h1>
        <Chip>
          <bdi>{words.router.name}</bdi>
        </Chip>
        <span class="hint">{words.router.address}</span>
        <div class="actions">
          <Button href={routerHref(nasId, "/api-setup")} icon="renew">
            {visit.view.words.routerSetup.action}
          </Button>
          <Button href={routerHref(nasId)} kind="quiet">
            {routers.steps.later}
          </Button>
        </div>
      </header>
      <Steps {...context} />
      <div class="setup-columns">
        <section class="card">
          <header class="card-head">
            <h2>{words.router.kind === "mikrotik" ? routers.commands.title : routers.commands.titleOther}</h2>
          </header>
          {commands instanceof DomainError ? (
            <>
              <Note kind="bad">
                {routers.commands.failed} {commands.message}
              </Note>
              {extras.length > 0 && <Button href={here}>{routers.commands.region}</Button>}
            </>
          ) : (
            <>
              {extras.includes("walled") && !commands.sections.some(({ part }) => part === "walled") && (
                <Note kind="wait">{routers.commands.noWall}</Note>
              )}
              <CommandCard visit={visit} nasId={nasId} commands={commands} extras={extras} chipsTo={here} />
            </>
          )}
        </section>
        <section class="card">
          <Arrived {...context} />
        </section>
      </div>
    </div>
  );
}

function Steps({ visit, nasId, words, findings }: SetupContext) {
  const { view } = visit;
  const { steps } = view.words.routers;
  const { lastSeen, router } = words;
  const arrived = findings.filter(({ state }) => hasArrived(state)).length;
  const settled = isSettled(findings);
  const all = [
    { isDone: true, title: steps.name, text: `${router.name}${view.words.list.comma}${router.address}` },
    {
      isDone: lastSeen !== null,
      title: steps.commands,
      text: lastSeen === null ? steps.paste : steps.pasted(formatClockOrDay(view, lastSeen.first, visit.now)),
    },
    { isDone: settled, title: steps.wait, text: steps.arrived(arrived, findings.length) },
  ];
  const current = all.findIndex(({ isDone }) => !isDone);
  return (
    <div class="card setup-steps">
      <ol aria-label={steps.list}>
        {all.map(({ isDone, title, text }, index) => (
          <li {...(index === current && { "aria-current": "step" as const })}>
            <span class={isDone ? "arrived-mark done" : "arrived-mark step"} aria-hidden="true">
              {isDone ? <Icon name="check" /> : index + 1}
            </span>
            <span>
              <strong>{title}</strong>
              <span class="hint">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      <Button href={routerHref(nasId)} kind={settled ? "solid" : "outline"} disabled={!settled}>
        {steps.done}
      </Button>
    </div>
  );
}

/** Tests CoA; concurrent callers share the answer. */
export async function askNow(visit: StaffVisit, nasId: number, address?: string): Promise<void> {
  const { db, by, needs } = visit;
  const { routerTests: tests, nasTools, clock } = needs;
  permit(by, "testNas");
  if (tests.of(nasId)?.steps === null) return;
  tests.begin(nasId, clock());
  try {
    const steps = await attempt(visit, () => testNas(db, by, { nasId, address }, { ask: nasTools.ask }));
    if (steps instanceof DomainError) {
      if (steps.kind !== "refused" && steps.kind !== "invalid") throw steps;
      tests.end(nasId, clock(), { refusal: steps.message });
    } else tests.end(nasId, clock(), { steps });
  } catch (error) {
    tests.forget(nasId);
    throw error;
  }
}

/** Asks the router; the page shows the answer, to a script its part alone. */
export async function askForSetup(visit: StaffVisit): Promise<Response> {
  const { db, by, now, needs } = visit;
  const nasId = readRouterId(visit);
  const { addresses, router } = firstWords(db, by, { nasId }, { now, arrivals: needs.arrivals });
  await askNow(visit, nasId, router.address.includes("/") ? addresses.at(-1) : undefined);
  if (!visit.isPart) return seeOther(routerHref(nasId, "/setup"));
  const later = { ...visit, now: needs.clock(), path: routerHref(nasId, "/setup") };
  return part(later, <Setup {...await readContext(later)} />);
}

/** Skips the CoA test. */
export function leaveCoa(visit: StaffVisit): Response {
  const { arrived } = visit.view.words.routers;
  permit(visit.by, "testNas");
  const nasId = readRouterId(visit);
  firstWords(visit.db, visit.by, { nasId }, { now: visit.now, arrivals: visit.needs.arrivals }); // it is there
  visit.needs.routerTests.leave(nasId, visit.now);
  return flash(
    visit,
    { kind: "good", title: `${arrived.coaLeft}.`, text: arrived.coaLeftText },
    routerHref(nasId, "/setup"),
  );
}
