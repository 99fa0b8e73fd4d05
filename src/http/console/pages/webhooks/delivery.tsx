import { timestamp } from "../../../../domain/core/events/announce.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { type Attempt, type Delivery, deliveryById } from "../../../../domain/around/webhooks/deliveries.ts";
import { pathId } from "../../../form.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { FormToken } from "../../../pages/document.tsx";
import { drawer } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Terminal } from "../../parts/terminal.tsx";
import { readHook } from "./words.ts";
import { hookHref } from "../../parts/hrefs.ts";

export function showDelivery(visit: StaffVisit): Response {
  const { db, by, view, now, params, formToken } = visit;
  permit(by, "deliveryById");
  const endpoint = readHook(visit);
  const id = pathId("delivery", params["delivery"] ?? null);
  const { delivery, attempts, data } = deliveryById(db, by, { id });
  if (delivery.endpointId !== endpoint.id)
    throw new DomainError("not_found", phrase`there is no delivery ${id}`);
  const { delivery: words } = view.words.webhooks;
  const back = hookHref(endpoint);
  const Title = visit.isPart ? "h3" : "h2"; // below the title of the drawer, or of the page
  const isOff = endpoint.disabledAt !== null;
  return drawer(visit, {
    title: delivery.type,
    lead: words.lead(view.format.timeNear(delivery.at, now)),
    place: "settings",
    back,
    children: (
      <>
        <div class="drawer-body">
          <p>{stateWords(visit, delivery)}</p>
          <section>
            <Title>{words.attempts}</Title>
            <Attempts visit={visit} attempts={attempts} />
          </section>
          <section>
            <Title>{words.sent}</Title>
            <Terminal id="sent" label={words.sent} visit={visit}>
              {buildBody(delivery, data)}
            </Terminal>
            <p class="hint">
              {words.id} <bdi class="mono">{delivery.uid}</bdi>
            </p>
          </section>
        </div>
        <form class="drawer-foot" method="post" action={`${back}/deliveries/${id}/again`}>
          <FormToken value={formToken} />
          <Button kind={delivery.state === "failed" ? "solid" : "outline"} size="large" disabled={isOff}>
            {words.again}
          </Button>
          <p class="hint">{isOff ? words.off : words.againHint}</p>
        </form>
      </>
    ),
  });
}

function buildBody({ type, at }: Delivery, data: string): string {
  const content: unknown = JSON.parse(data);
  return JSON.stringify({ type, timestamp: timestamp(at), data: content }, null, 2);
}

function stateWords({ view, now }: StaffVisit, { state, attempts, nextAt, endedAt }: Delivery): string {
  const { delivery: words } = view.words.webhooks;
  const near = (at: number | null) => view.format.timeNear(at ?? now, now);
  switch (state) {
    case "delivered":
      return words.deliveredText(near(endedAt));
    case "failed":
      return words.failedText(near(endedAt));
    case "cancelled":
      return words.cancelledText(near(endedAt));
    case "waiting":
      return attempts === 0 ? words.waitingText(near(nextAt)) : words.againText(near(nextAt));
  }
}

function Attempts({ visit: { view, now }, attempts }: { visit: StaffVisit; attempts: readonly Attempt[] }) {
  const { delivery: words } = view.words.webhooks;
  const { format } = view;
  if (attempts.length === 0) return <p class="hint">{words.noAttempts}</p>;
  return (
    <ol class="stack near">
      {attempts.map(({ at, milliseconds, status, error, answer }) => (
        <li>
          <p>
            <span class="soft-text">{format.timeNear(at, now)}</span>{" "}
            <span class={isGood(status) ? "" : "bad-text"}>
              {status === null
                ? words.failedWith(error ?? "", milliseconds)
                : words.answered(status, milliseconds)}
              {status !== null && error !== null && `: ${error}`}
            </span>
          </p>
          {answer !== null && answer !== "" && (
            <details>
              <summary>{words.answer}</summary>
              <pre class="mono quoted">{answer}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

const isGood = (status: number | null) => status !== null && status >= 200 && status < 300;
