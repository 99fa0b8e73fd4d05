import { setting } from "../../../../domain/core/settings/settings.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import {
  routerFindings,
  type RouterFinding,
  type RouterReading,
} from "../../../../domain/service/router-watch/findings.ts";
import { hideFinding, showFinding } from "../../../../domain/service/router-watch/hide.ts";
import { watchRouters } from "../../../../domain/service/router-watch/watch.ts";
import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import { updateNas } from "../../../../domain/goods/nas/nas.ts";
import { pathId } from "../../../form.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Icon } from "../../../pages/icons.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { flash } from "../../answers.tsx";
import { attempt } from "../../attempt.ts";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { Command, Terminal } from "../../parts/terminal.tsx";
import type { RouterProps } from "./router.tsx";
import { ROUTERS, routerHref } from "../../parts/hrefs.ts";
import { readRouterId } from "./state.ts";

/** Findings of a kind that are shown at first. */
const LISTED = 3;

const manages = ({ by }: StaffVisit) => may(by, "nas_manage") && seesWholeIsp(by.scope);

export function WatchCard({ visit, seen: { router } }: RouterProps) {
  const { routerWatch: words } = visit.view.words;
  if (router.kind !== "mikrotik" || !may(visit.by, "nas_view")) return null;
  const known = routerFindings(visit.db, visit.by, { nasId: router.id });
  const [reading] = known.readings;
  const text = known.findings.filter(({ hidden }) => hidden === null);
  const meant = known.findings.filter(({ hidden }) => hidden !== null);
  const hasApi = router.routerosUsername !== null;
  return (
    <Card title={words.title} lead={words.lead} id="findings">
      <p>{standing(visit, { hasApi, reading, found: text.length })}</p>
      {reading && reading.failure !== null && manages(visit) && (
        <p>
          {words.failedNext}{" "}
          <a href={routerHref(router.id, "/api-setup")}>{visit.view.words.routerSetup.title(router.name)}</a>
        </p>
      )}
      {reading && <Unlooked reading={reading} visit={visit} />}
      {text.length > 0 && <Found visit={visit} nasId={router.id} findings={text} />}
      <Others reading={reading} visit={visit} />
      {hasApi && manages(visit) && <LookAgain visit={visit} name={router.name} nasId={router.id} />}
      {meant.length > 0 && <Meant visit={visit} nasId={router.id} findings={meant} />}
    </Card>
  );
}

function standing(
  visit: StaffVisit,
  { hasApi, reading, found }: { hasApi: boolean; reading: RouterReading | undefined; found: number },
): string {
  const { routerWatch: words } = visit.view.words;
  if (!hasApi) return words.noApi;
  if (!reading) return setting(visit.db, "watch_minutes") === 0 ? words.off : words.never;
  const at = (time: number) => visit.view.format.timeNear(time, visit.now);
  if (reading.failure !== null) return words.failed(at(reading.triedAt), reading.failure, found);
  const read = words.read(at(reading.readAt ?? reading.triedAt));
  return found === 0 ? `${words.none} ${read}` : read;
}

function Unlooked({ visit, reading }: { visit: StaffVisit; reading: RouterReading }) {
  const { routerWatch: words } = visit.view.words;
  const reasons = Map.groupBy(reading.unlooked, ({ reason }) => reason);
  return (
    <>
      {[...reasons].map(([reason, kinds]) => (
        <p class="hint">
          {words.unlooked(kinds.length)}: {reason}
        </p>
      ))}
    </>
  );
}

function Others({ visit, reading }: { visit: StaffVisit; reading: RouterReading | undefined }) {
  const { routerWatch: words } = visit.view.words;
  const others = reading?.others;
  const text = others && words.others(others.ppp, others.hotspot, others.bypassed);
  return text ? <p class="hint">{text}</p> : null;
}

interface FindingsProps {
  visit: StaffVisit;
  nasId: number;
  findings: readonly RouterFinding[];
}

function Found({ visit, nasId, findings }: FindingsProps) {
  const { routerWatch: words } = visit.view.words;
  const kinds = [...Map.groupBy(findings, ({ kind }) => kind).values()];
  const all = findings.filter(({ isMendable }) => isMendable);
  const hasSeveral = new Set(all.map(({ kind }) => kind)).size > 1;
  return (
    <ul class="arrived watch-findings">
      {hasSeveral && manages(visit) && (
        <li class="line">
          <Button href={mendHref(nasId, all)}>{words.mendEverything(all.length)}</Button>
        </li>
      )}
      {kinds.map((found) => {
        const rest = found.slice(LISTED);
        const fixed = found.filter(({ isMendable }) => isMendable);
        return (
          <>
            {found.slice(0, LISTED).map((finding) => (
              <One visit={visit} nasId={nasId} finding={finding} />
            ))}
            {fixed.length > 1 && manages(visit) && (
              <li class="line">
                <Button href={mendHref(nasId, fixed)}>{words.mendAll(fixed.length)}</Button>
              </li>
            )}
            {rest.length > 0 && (
              <li class="line">
                <details>
                  <summary>{words.more(rest.length)}</summary>
                  <ul class="arrived watch-findings">
                    {rest.map((finding) => (
                      <One visit={visit} nasId={nasId} finding={finding} />
                    ))}
                  </ul>
                </details>
              </li>
            )}
          </>
        );
      })}
    </ul>
  );
}

export const mendHref = (nasId: number, findings: readonly { readonly id: number }[]) =>
  routerHref(nasId, `/mend?findings=${findings.map(({ id }) => id).join(",")}`);

function One({ visit, nasId, finding }: { visit: StaffVisit; nasId: number; finding: RouterFinding }) {
  const { routerWatch: words } = visit.view.words;
  const { id, level, foundAt, countedAt, commands, isMendable } = finding;
  const { title, cost, todo } = visit.view.words.routerWatch.watchWords(finding);
  const tone = level === "error" ? "wrong" : "poor";
  const hide = routerHref(nasId, `/findings/${id}/hide`);
  const choose = routerHref(nasId, "/dual-stack");
  return (
    <li class={tone}>
      <span class={`arrived-mark ${tone}`}>
        <Icon name="alert" />
      </span>
      <div class="arrived-body">
        <h3>
          {title}
          <span class="unseen"> ({words.levels[level]})</span>
        </h3>
        <p>
          {cost}{" "}
          <span class="hint">
            {countedAt === null ? words.pending : words.since(visit.view.format.timeNear(foundAt, visit.now))}
          </span>
        </p>
        {todo !== undefined && <p>{todo}</p>}
        {commands.length > 0 && (
          <details class="router-more">
            <summary>{words.command}</summary>
            <Terminal id={`finding-${id}`} label={words.command} visit={visit}>
              {commands.map((command) => (
                <Command text={command} />
              ))}
            </Terminal>
          </details>
        )}
        {manages(visit) && (
          <div class="actions">
            {isMendable && <Button href={mendHref(nasId, [finding])}>{words.mend}</Button>}
            {finding.kind === "two_queues" && (
              <Button href={choose} drawer>
                {words.choose}
              </Button>
            )}
            <a href={hide} {...drawerLink(hide)}>
              {words.hide}
            </a>
          </div>
        )}
      </div>
    </li>
  );
}

/** Findings accepted by staff. */
function Meant({ visit, nasId, findings }: FindingsProps) {
  const { routerWatch: words } = visit.view.words;
  return (
    <details class="router-more after">
      <summary>{words.hiddenTitle}</summary>
      <ul class="setup-changes">
        {findings.map((finding) => {
          const { id, hidden } = finding;
          const action = routerHref(nasId, `/findings/${id}/show`);
          return (
            <li>
              <strong>{visit.view.words.routerWatch.watchWords(finding).title}</strong>
              {hidden && (
                <p class="hint">
                  {words.hiddenBy(hidden.by, visit.view.format.timeNear(hidden.at, visit.now), hidden.reason)}
                </p>
              )}
              {manages(visit) && (
                <Action action={action} formToken={visit.formToken} size="small">
                  {words.show}
                </Action>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function LookAgain({ visit, nasId, name }: { visit: StaffVisit; nasId: number; name: string }) {
  const { routerWatch: words, frame } = visit.view.words;
  const action = routerHref(nasId, "/look");
  return (
    <form
      class="actions router-test"
      method="post"
      action={action}
      hx-post={action}
      hx-target="#toasts"
      hx-swap="beforeend"
    >
      <FormToken value={visit.formToken} />
      <Button icon="renew" asking={frame.asking(name)}>
        {words.look}
      </Button>
    </form>
  );
}

export async function lookAtOne(visit: StaffVisit): Promise<Response> {
  const { db, by, needs, view } = visit;
  const { clock, arrivals, nasTools } = needs;
  const { routerWatch: words } = view.words;
  const nasId = readRouterId(visit);
  const { router } = nasWithSources(db, by, nasId);
  const back = `${routerHref(nasId)}#findings`;
  const looked = await attempt(visit, () => watchRouters(db, by, { nasId }, { clock, arrivals, nasTools }));
  if (looked instanceof DomainError)
    return flash(visit, { kind: "bad", title: words.notLooked(router.name), text: looked.message }, back);
  const [one] = looked;
  if (one?.kind === "failed")
    return flash(visit, { kind: "bad", title: words.notLooked(router.name), text: one.reason }, back);
  const { findings } = routerFindings(db, by, { nasId });
  const count = findings.filter(({ hidden }) => hidden === null).length;
  return flash(
    visit,
    { kind: count === 0 ? "good" : "wait", title: words.looked(router.name), text: words.lookedText(count) },
    back,
  );
}

const readFindingId = ({ params }: Pick<StaffVisit, "params">) =>
  pathId("finding", params["finding"] ?? null);

/** Accepts a finding, with a reason. */
export const meantSo = form({
  path: `${ROUTERS}/:id/findings/:finding/hide`,
  permit: "hideFinding",
  of: (visit) => {
    const { router } = nasWithSources(visit.db, visit.by, readRouterId(visit));
    const id = readFindingId(visit);
    const { findings } = routerFindings(visit.db, visit.by, { nasId: router.id });
    const finding = findings.find((one) => one.id === id);
    if (!finding)
      throw new DomainError("not_found", phrase`there is no finding ${id} at ${router.name} any more`);
    return { router, finding };
  },
  content: ({ view }, { router, finding }) => {
    const { routerWatch: words } = view.words;
    return {
      title: words.hideTitle,
      lead: words.watchWords(finding).title,
      place: "routers",
      back: routerHref(router.id),
      submit: words.hide,
      text: <p>{words.hideText}</p>,
      fields: [
        {
          name: "reason",
          label: words.reason,
          help: words.reasonHelp,
          required: true,
          attributes: { maxlength: 300 },
        },
      ],
    };
  },
  save: ({ db, by, now }, { router, finding }, { reason }) =>
    hideFinding(db, by, { nasId: router.id, id: finding.id, input: { reason } }, { now }),
  done: ({ view }, _, { router }) => ({
    title: view.words.routerWatch.hidden(router.name),
    to: routerHref(router.id),
  }),
});

export const dualStackChoice = form({
  path: `${ROUTERS}/:id/dual-stack`,
  permit: "updateNas",
  of: ({ db, by, ...visit }) => nasWithSources(db, by, readRouterId(visit)).router,
  content: ({ view }, router) => {
    const { routerWatch: words, routers } = view.words;
    return {
      title: words.chooseTitle,
      place: "routers",
      back: routerHref(router.id),
      submit: routers.form.save,
      text: <p>{words.chooseText(router.name)}</p>,
      fields: [
        {
          name: "dual_stack",
          label: words.chooseLabel,
          value: router.dualStack,
          options: Object.entries(routers.fact.dualStacks).map(([value, label]) => ({ value, label })),
        },
      ],
    };
  },
  save: async ({ db, by, now, needs }, router, { dual_stack }) => {
    const changed = updateNas(db, by, { nasId: router.id, input: { dual_stack } }, { now });
    const { clock, arrivals, nasTools } = needs;
    await watchRouters(db, by, { nasId: router.id }, { clock, arrivals, nasTools });
    return changed;
  },
  done: ({ view }, { id, name }) => ({
    title: view.words.routerWatch.chosen(name),
    to: `${routerHref(id)}#findings`,
  }),
});

/** Shows an accepted finding again. */
export async function showAgain(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const nasId = readRouterId(visit);
  const done = await attempt(visit, async () =>
    showFinding(db, by, { nasId, id: readFindingId(visit) }, { now }),
  );
  const { routerWatch: words } = view.words;
  if (done instanceof DomainError)
    return flash(visit, { kind: "bad", title: words.notShown, text: done.message }, routerHref(nasId));
  return flash(
    visit,
    { kind: "good", title: words.shown, text: visit.view.words.routerWatch.watchWords(done).title },
    routerHref(nasId),
  );
}
