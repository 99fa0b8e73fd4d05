import type { RouterHeard as Heard, SetupFacts } from "../../../../domain/setup/facts.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import type { StaffVisit } from "../../guard.ts";

interface RouterProps {
  visit: StaffVisit;
  router: SetupFacts["router"];
}

/** What was heard of the first router, which asks for itself again. */
export function RouterHeard({ visit, router }: RouterProps) {
  if (!router) return null;
  const { accountedAt } = router.heard;
  const again =
    accountedAt === null
      ? {
          "hx-get": "/console/start/heard",
          "hx-trigger": "every 3s",
          "hx-swap": "outerHTML",
          "hx-target": "this",
        }
      : {};
  return (
    <p class="start-heard" role="status" {...again}>
      <span class={accountedAt === null ? "dot offline" : "dot"} aria-hidden="true" />
      {sentence(visit, router.heard)}
    </p>
  );
}

function sentence({ view, now }: StaffVisit, { askedAt, accountedAt, dropped }: Heard): string {
  const words = view.words.start.router;
  const time = (at: number) => view.format.timeNear(at, now);
  if (accountedAt !== null) return words.heard(time(accountedAt));
  if (dropped !== null) return dropped;
  return askedAt === null ? words.silent : words.asked(time(askedAt));
}

/** The commands for the router, to be pasted into it. */
export function RouterCommands({ visit, router, script }: RouterProps & { script: readonly string[] }) {
  const words = visit.view.words.start.router;
  return (
    <>
      <p>{words.commands}</p>
      <pre class="commands mono" tabindex={0}>
        {script.join("\n")}
      </pre>
      <RouterHeard visit={visit} router={router} />
      <div class="actions">
        <Button href="/console/start" kind="solid">
          {words.next}
        </Button>
      </div>
    </>
  );
}

/** A router that is there already: its commands again. */
export function RouterAgain({ visit, router }: RouterProps) {
  const words = visit.view.words.start.router;
  return (
    <>
      <p>{router && words.done(router.name, router.address)}</p>
      <RouterHeard visit={visit} router={router} />
      <form method="post" action="/console/start/script" class="actions">
        <FormToken value={visit.formToken} />
        <Button>{words.show}</Button>
        <Button href="/console/start?step=router">{words.look}</Button>
      </form>
    </>
  );
}
