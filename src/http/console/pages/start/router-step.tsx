import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Arrived } from "../routers/arrived.tsx";
import { CommandCard } from "../../parts/terminal.tsx";
import { listChecks } from "../routers/findings.ts";
import { readFor } from "../routers/setup.tsx";
import { routerHref } from "../../parts/hrefs.ts";

const LAST_SEEN = "/console/start/heard";

export type FirstRouter = Awaited<ReturnType<typeof firstRouter>>;

export async function firstRouter(visit: StaffVisit, nasId: number) {
  const { words, commands } = await readFor(visit, { nasId });
  const secret = commands instanceof DomainError ? null : commands.secret;
  const { view, now } = visit;
  const all = listChecks({ view, now, words, test: undefined, secret });
  // its CoA answer and clock can wait
  const findings = all.filter(({ step }) => step !== "coa" && step !== "clock");
  return { words, commands, findings };
}

export function RouterStep({ visit, router }: { visit: StaffVisit; router: FirstRouter }) {
  const { words, commands, findings } = router;
  const { start } = visit.view.words;
  const nasId = words.router.id;
  return (
    <div
      id="start-router"
      class="stack"
      data-live="routers logins sessions"
      data-every="1"
      hx-get={LAST_SEEN}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      <p>{start.router.done(words.router.name, words.router.address)}</p>
      {commands instanceof DomainError ? (
        <Note kind="bad">{commands.message}</Note>
      ) : (
        <CommandCard visit={visit} nasId={nasId} commands={commands} extras={[]} />
      )}
      <Arrived visit={visit} words={words} findings={findings} test={undefined} manages={false} />
      <div class="actions">
        <Button href="/console/start" kind="solid">
          {start.router.next}
        </Button>
        <Button href={routerHref(nasId, "/setup")}>{start.router.whole}</Button>
      </div>
    </div>
  );
}
