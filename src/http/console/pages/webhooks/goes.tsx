import type { Endpoint } from "../../../../domain/around/webhooks/endpoints.ts";
import type { EndpointHealth } from "../../../../domain/around/webhooks/health.ts";
import { Action } from "../../../pages/parts/button.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { lastFault } from "./words.ts";
import { hookHref } from "../../parts/hrefs.ts";

interface Props {
  visit: StaffVisit;
  endpoint: Endpoint;
  health: EndpointHealth;
}

export function Goes({ visit, endpoint, health }: Props) {
  const { view, now } = visit;
  const { goes } = view.words.webhooks;
  const { format } = view;
  const { retried, failed } = health;
  const fault = lastFault(view, health);
  if (endpoint.disabledAt !== null) return <Off visit={visit} endpoint={endpoint} />;
  if (retried > 0)
    return (
      <Verdict
        tone="warn"
        icon="alert"
        label={goes.label}
        title={goes.retriedTitle(retried)}
        text={goes.retried(fault, format.timeNear(Math.max(health.nextAt ?? now, now), now))}
        {...slowHint(visit, endpoint)}
      />
    );
  if (failed > 0 && fault !== "")
    return (
      <Verdict
        tone="bad"
        icon="alert"
        label={goes.label}
        title={goes.failedTitle(failed)}
        text={goes.failed(fault)}
      />
    );
  return <p class="sentence">{calm(visit, health)}</p>;
}

function Off({ visit, endpoint }: Omit<Props, "health">) {
  const { view, now, formToken } = visit;
  const { webhooks } = view.words;
  const { goes } = webhooks;
  const { disabledAt, disabledReason } = endpoint;
  const at = view.format.timeNear(disabledAt ?? now, now);
  return (
    <Verdict
      tone={disabledReason === null ? "quiet" : "bad"}
      icon="power"
      label={goes.label}
      title={goes.offTitle}
      text={disabledReason === null ? goes.offAsked(at) : goes.offReason(disabledReason, at)}
      actions={
        <Action action={`${hookHref(endpoint)}/enable`} formToken={formToken} kind="solid" icon="check">
          {webhooks.enable}
        </Action>
      }
    />
  );
}

function slowHint({ view, now }: StaffVisit, { slowUntil }: Endpoint) {
  if (slowUntil === null || slowUntil <= now) return {};
  return { hint: view.words.webhooks.goes.slow(view.format.timeNear(slowUntil, now)) };
}

function calm({ view, now }: StaffVisit, { delivered, failed, fresh, last }: EndpointHealth): string {
  const { goes } = view.words.webhooks;
  const parts = [
    failed > 0 ? goes.wellAgain(failed) : delivered > 0 ? goes.good(delivered) : "",
    last === null ? "" : goes.lastAt(view.format.timeNear(last.at, now)),
    fresh > 0 ? goes.waiting(fresh) : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? goes.nothing : parts.join(" ");
}
