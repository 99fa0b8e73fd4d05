import { DomainError, type ErrorKind } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import type { Nas } from "../../../../domain/goods/nas/find.ts";
import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import {
  mendDifference,
  type MendDifference,
  mendFindings,
} from "../../../../domain/service/router-watch/mend.ts";
import { findingsById, type RouterFinding } from "../../../../domain/service/router-watch/findings.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { page } from "../../answers.tsx";
import { told, attempt } from "../../attempt.ts";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { routerHref } from "../../parts/hrefs.ts";
import { readRouterId } from "./state.ts";

/** Ids of findings in an address. */
const idsIn = (text: string) =>
  text
    .split(",")
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
    .slice(0, 500);

const mendTools = ({ needs: { clock, arrivals, nasTools } }: StaffVisit) => ({ clock, arrivals, nasTools });

/** Codes that the page shows; others are no page of these findings. */
const saidThere: ReadonlySet<ErrorKind> = new Set(["refused", "router_failed", "conflict"]);

interface View {
  readonly router: Nas;
  readonly findings: readonly RouterFinding[];
  readonly difference: MendDifference | null;
  readonly fault?: { readonly title: string; readonly text: string } | undefined;
  /** Our account may only read, so another signs in. */
  readonly asksLogin?: boolean;
}

/** Reads the router and shows the difference. */
export async function mendPage(visit: StaffVisit): Promise<Response> {
  permit(visit.by, "mendDifference");
  const nasId = readRouterId(visit);
  const ids = idsIn(visit.query.get("findings") ?? "");
  const { router } = nasWithSources(visit.db, visit.by, nasId);
  const findings = findingsById(visit.db, { nasId, ids });
  const asksLogin = visit.query.get("login") === "1";
  const { routerWatch: words } = visit.view.words;
  const difference = await attempt(visit, () =>
    mendDifference(visit.db, visit.by, { nasId, ids }, mendTools(visit)),
  );
  if (difference instanceof DomainError) {
    if (!saidThere.has(difference.kind)) throw difference;
    const fault = { title: words.notLooked(router.name), text: difference.message };
    return shownPage(visit, { router, findings, difference: null, fault, asksLogin });
  }
  return shownPage(visit, { router, findings, difference, asksLogin });
}

function shownPage(visit: StaffVisit, text: View, status = 200): Response {
  const { routerWatch: words } = visit.view.words;
  const { router, findings, difference, fault } = text;
  const title = words.mendTitle(router.name);
  return page(
    visit,
    <Frame
      visit={visit}
      title={title}
      place="routers"
      back={{ href: routerHref(router.id), label: router.name }}
    >
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      <div class="stack router-form">
        {fault && (
          <Note kind="bad">
            {fault.title}. {fault.text}
          </Note>
        )}
        {findings.slice(0, 10).map((finding) => (
          <p>
            <strong>{visit.view.words.routerWatch.watchWords(finding).title}.</strong>{" "}
            {visit.view.words.routerWatch.watchWords(finding).cost}
          </p>
        ))}
        {difference && <Change visit={visit} difference={difference} />}
        <MendForm visit={visit} shown={text} />
      </div>
    </Frame>,
    { status },
  );
}

function Change({ visit, difference }: { visit: StaffVisit; difference: MendDifference }) {
  const { routerWatch: words, routerSetup } = visit.view.words;
  const titles = { add: routerSetup.added, set: routerSetup.changed, remove: routerSetup.removed };
  if (difference.changes.length === 0) return <p>{words.mendGone}</p>;
  return (
    <Card title={words.mendChanges} lead={words.mendLead}>
      <ul class="setup-changes">
        {difference.changes.map((change) => (
          <li>
            <strong>
              {titles[change.kind]}: {visit.view.words.routerSetup.changePlace(change)}
            </strong>{" "}
            <span class="hint mono">{change.menu}</span>
            <p>{visit.view.words.routerSetup.changeValues(change)}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function MendForm({ visit, shown: text }: { visit: StaffVisit; shown: View }) {
  const { routerWatch: words, routerSetup, frame } = visit.view.words;
  const { router, findings, difference, asksLogin } = text;
  const code = { autocapitalize: "none", spellcheck: "false", autocomplete: "off" };
  return (
    <form class="stack" method="post" action={routerHref(router.id, "/mend")}>
      <FormToken value={visit.formToken} />
      <input type="hidden" name="findings" value={findings.map(({ id }) => id).join(",")} />
      <input type="hidden" name="digest" value={difference?.digest ?? ""} />
      {asksLogin && (
        <Card title={words.mendNeeds} lead={words.mendNeedsText}>
          <div class="fields">
            <Field
              name="username"
              label={routerSetup.username}
              value="admin"
              attributes={{ ...code, maxlength: 64 }}
            />
            <Field
              name="password"
              type="password"
              label={routerSetup.password}
              attributes={{ ...code, maxlength: 128 }}
            />
          </div>
        </Card>
      )}
      <div class="actions">
        <Button kind="solid" size="large" asking={frame.asking(router.name)}>
          {difference && difference.changes.length > 0 ? words.mendYes : words.look}
        </Button>
        <Button href={routerHref(router.id)} size="large">
          {routerSetup.no}
        </Button>
      </div>
    </form>
  );
}

const needsMore = (text: string) => /permission/i.test(text);

/** Applies the difference and reads the router again. */
export async function mendNow(visit: StaffVisit, input: Input): Promise<Response> {
  permit(visit.by, "mendFindings");
  const { db, by, needs, sessionKey, view } = visit;
  const { routerWatch: words, routerSetup } = view.words;
  const nasId = readRouterId(visit);
  const ids = idsIn(readTextField(input, "findings", 5000));
  const digest = readTextField(input, "digest", 64);
  const { router } = nasWithSources(db, by, nasId);
  const findings = findingsById(db, { nasId, ids });
  const username = readTextField(input, "username", 64).trim();
  const login = username === "" ? undefined : { username, password: readTextField(input, "password", 128) };
  const here = routerHref(nasId, `/mend?findings=${ids.join(",")}`);
  if (digest === "") return seeOther(here);
  const done = await attempt(visit, () =>
    mendFindings(db, by, { nasId, ids, login, digest }, mendTools(visit)),
  );
  if (done instanceof DomainError) {
    if (!saidThere.has(done.kind)) throw done;
    const fault = { title: words.notLooked(router.name), text: done.message };
    const asksLogin = needsMore(done.message) || login !== undefined;
    return shownPage(visit, { router, findings, difference: null, fault, asksLogin }, 422);
  }
  const { difference, outcome } = done;
  if (outcome.kind === "other") {
    const fault = { title: routerSetup.other, text: routerSetup.otherText };
    return shownPage(visit, { router, findings, difference, fault, asksLogin: login !== undefined }, 409);
  }
  if (outcome.kind !== "done") {
    const fault = {
      title: routerSetup[outcome.kind],
      text: visit.view.words.routerSetup
        .failureInWords(outcome, (reason) => told(visit.view, reason))
        .join(" "),
    };
    const asksLogin = needsMore(outcome.reason.toString()) || login !== undefined;
    return shownPage(visit, { router, findings, difference, fault, asksLogin }, 422);
  }
  needs.notes.add(sessionKey, { kind: "good", title: words.mended(router.name), text: words.mendedText });
  return seeOther(`${routerHref(nasId)}#findings`);
}
