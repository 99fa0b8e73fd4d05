import { randomUUID } from "node:crypto";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { readResolvers } from "../../../../domain/core/settings/garden-settings.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { Nas } from "../../../../domain/goods/nas/find.ts";
import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import type { SetupChoices } from "../../../../domain/goods/router-setup/garden/found.ts";
import { parseChoices } from "../../../../domain/goods/router-setup/memory.ts";
import { type NamedPlace, placeAt, placesNamed } from "../../../../domain/goods/router-setup/places.ts";
import { proveSetup, type RouterTry, tryFromRouter } from "../../../../domain/goods/router-setup/prove.ts";
import {
  setupDifference,
  type SetupRequest,
  setUpRouter,
} from "../../../../domain/goods/router-setup/setup.ts";
import { watchAfterSetup } from "../../../../domain/service/router-watch/after-setup.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Check, Field } from "../../../pages/parts/field.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { page, part } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SetupRunParts } from "./api-setup-run.tsx";
import type { SetupRun } from "./setup-runs.ts";
import { readRouterId } from "./state.ts";
import { routerHref } from "../../parts/hrefs.ts";

const HERE = "/api-setup";
const PATIENCE = 1500;

interface ApiValues {
  readonly username: string;
  readonly port: string;
  readonly isTls: boolean;
  readonly hotspotName: string;
  readonly server: string;
  readonly dns: string;
  readonly disablesFastTrack: boolean;
  readonly shutsIpv6: boolean;
  readonly isTriedOnly: boolean;
}

interface Failed {
  readonly mode: SetupRequest["mode"];
  readonly values: ApiValues;
  /** Absent: the port is wrong. */
  readonly reason?: string;
}

/** Login, difference, progress, result. */
export function apiSetupPage(visit: StaffVisit, failed?: Failed): Response {
  permit(visit.by, "setupDifference");
  const nasId = readRouterId(visit);
  const { router } = nasWithSources(visit.db, visit.by, nasId);
  const run = failed ? undefined : visit.needs.setupRuns.of(visit.sessionKey, nasId);
  if (run?.phase.kind === "broken") {
    visit.needs.setupRuns.forget(visit.sessionKey);
    throw run.phase.error;
  }
  if (visit.isPart && run) return part(visit, <SetupRunParts visit={visit} run={run} name={router.name} />);
  const { routerSetup: words } = visit.view.words;
  const mode = failed?.mode ?? run?.mode ?? readMode(visit.query.get("mode"));
  const title = mode === "setup" ? words.title(router.name) : words.removeTitle(router.name);
  return page(
    visit,
    <Frame visit={visit} title={title} place="routers" back={{ href: routerHref(nasId), label: router.name }}>
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      {run ? (
        <SetupRunParts visit={visit} run={run} name={router.name} />
      ) : (
        <LoginForm visit={visit} router={router} mode={mode} failed={failed} />
      )}
    </Frame>,
    { status: failed ? 422 : 200 },
  );
}

const readMode = (text: string | null): SetupRequest["mode"] => (text === "remove" ? "remove" : "setup");

const choices = [
  { name: "disable_fasttrack", key: "disablesFastTrack" },
  { name: "shut_ipv6", key: "shutsIpv6" },
  { name: "only_tried", key: "isTriedOnly" },
] as const;

function choicesTyped({
  resolvers = [],
  disablesFastTrack = false,
  shutsIpv6 = false,
  isTriedOnly = false,
}: SetupChoices) {
  return { dns: resolvers.join(","), disablesFastTrack, shutsIpv6, isTriedOnly };
}

interface LoginProps {
  visit: StaffVisit;
  router: Nas;
  mode: SetupRequest["mode"];
  failed: Failed | undefined;
}

function LoginForm({ visit, router, mode, failed }: LoginProps) {
  const { routerSetup: words } = visit.view.words;
  const values = failed?.values ?? {
    username: "admin",
    port: "",
    hotspotName: "",
    server: "",
    isTls: router.routerosTls === 1,
    ...choicesTyped(parseChoices(router)),
  };
  const code = { autocapitalize: "none", spellcheck: "false", autocomplete: "off" };
  const isRemoval = mode === "remove";
  return (
    <form class="router-form stack" method="post" action={routerHref(router.id, HERE)}>
      <FormToken value={visit.formToken} />
      <input type="hidden" name="mode" value={mode} />
      {failed?.reason !== undefined && (
        <Note kind="bad">
          {words.notReached}: {failed.reason}
        </Note>
      )}
      <p>{words.lead}</p>
      <Card title={words.login}>
        <div class="fields">
          <Field
            name="username"
            label={words.username}
            help={words.usernameHelp}
            value={values.username}
            required
            attributes={{ ...code, maxlength: 64 }}
          />
          <Field
            name="password"
            type="password"
            label={words.password}
            attributes={{ ...code, maxlength: 128 }}
          />
          <Field
            name="port"
            label={words.port}
            help={words.portHelp}
            fault={failed && parsePort(values.port) === null ? words.portFault : undefined}
            value={values.port}
            attributes={{ inputmode: "numeric", maxlength: 5 }}
          />
          {!isRemoval && (
            <Field
              name="server"
              label={words.server}
              help={words.serverHelp}
              value={values.server}
              attributes={{ ...code, maxlength: 400 }}
            />
          )}
          {!isRemoval && (
            <Field
              name="hotspot_name"
              label={words.hotspotName}
              help={words.hotspotNameHelp}
              value={values.hotspotName}
              attributes={{ ...code, maxlength: 253 }}
            />
          )}
        </div>
        <Check name="tls" label={words.tls} checked={values.isTls} />
      </Card>
      {!isRemoval && (
        <Card title={words.choices}>
          <div class="fields">
            <Field
              name="dns"
              label={words.dns}
              help={words.dnsHelp}
              value={values.dns}
              attributes={{ ...code, maxlength: 40 }}
            />
          </div>
          <div class="stack">
            {choices.map(({ name, key }) => (
              <div>
                <Check name={name} label={words[key]} help={words[`${key}Help`]} checked={values[key]} />
              </div>
            ))}
          </div>
        </Card>
      )}
      <div class="actions">
        <Button kind="solid" size="large">
          {words.look}
        </Button>
        <Button href={routerHref(router.id, "/setup")} size="large">
          {words.paste}
        </Button>
        <Button
          href={routerHref(router.id, isRemoval ? HERE : `${HERE}?mode=remove`)}
          kind="quiet"
          size="large"
        >
          {isRemoval ? words.setupLink : words.removeLink}
        </Button>
      </div>
    </form>
  );
}

/** Reads the difference; the login stays in memory until the answer. */
export async function lookAtRouter(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, needs, sessionKey } = visit;
  const nasId = readRouterId(visit);
  const values: ApiValues = {
    username: readTextField(input, "username", 64).trim(),
    port: readTextField(input, "port", 100).trim(),
    isTls: input["tls"] === "1",
    hotspotName: readTextField(input, "hotspot_name", 253).trim(),
    server: readTextField(input, "server", 400).trim(),
    dns: readTextField(input, "dns", 40).trim(),
    disablesFastTrack: input["disable_fasttrack"] === "1",
    shutsIpv6: input["shut_ipv6"] === "1",
    isTriedOnly: input["only_tried"] === "1",
  };
  const mode = readMode(readTextField(input, "mode", 6));
  const port = parsePort(values.port);
  if (port === null) return apiSetupPage(visit, { mode, values });
  const resolvers = values.dns === "" ? [] : readResolvers(values.dns);
  if (resolvers === null)
    return apiSetupPage(visit, { mode, values, reason: visit.view.words.routerSetup.noDns(values.dns) });
  const request: SetupRequest = {
    // removing has no choices
    ...(mode === "setup" && {
      choices: {
        resolvers,
        disablesFastTrack: values.disablesFastTrack,
        shutsIpv6: values.shutsIpv6,
        isTriedOnly: values.isTriedOnly,
      },
    }),
    nasId,
    mode,
    hotspotName: values.hotspotName || undefined,
    login: {
      username: values.username,
      password: readTextField(input, "password", 128),
      port,
      tls: values.isTls,
    },
  };
  const places = placesNamed(values.server);
  if (typeof places === "string")
    return apiSetupPage(visit, { mode, values, reason: visit.view.words.routerSetup.noServer(places) });
  const difference = await attempt(visit, () => setupDifference(db, by, request, setupTools(visit, places)));
  if (difference instanceof DomainError) {
    if (difference.kind !== "refused" && difference.kind !== "router_failed") throw difference;
    return apiSetupPage(visit, { mode, values, reason: difference.message });
  }
  const phase = { kind: "asked", request, places, isOther: false } as const;
  needs.setupRuns.keep(sessionKey, { nasId, mode, begun: randomUUID(), difference, phase });
  return seeOther(routerHref(nasId, HERE));
}

/** Undefined: empty; null: no port. */
function parsePort(text: string): number | undefined | null {
  if (text === "") return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : null;
}

const setupTools = ({ needs, now }: StaffVisit, places: readonly NamedPlace[]) => ({
  now,
  findPlace: placeAt(needs.nasTools.findPlace, places),
  open: needs.nasTools.open,
  ownAddress: needs.nasTools.ownAddress,
});

/** Applies the difference; the page shows the progress. */
export async function makeItSo(visit: StaffVisit): Promise<Response> {
  permit(visit.by, "setUpRouter");
  const nasId = readRouterId(visit);
  const { needs, sessionKey, view } = visit;
  const { setupRuns: runs } = needs;
  const run = runs.of(sessionKey, nasId);
  const here = routerHref(nasId, HERE);
  if (run?.phase.kind !== "asked") {
    const { over, overText } = view.words.routerSetup;
    if (!run) needs.notes.add(sessionKey, { kind: "bad", title: over, text: overText });
    return seeOther(here);
  }
  const { request, places } = run.phase;
  runs.advance(sessionKey, run, { kind: "running", done: 0, all: run.difference.changes.length });
  const work = carry(visit, run, { request, places }).catch((error: unknown) => {
    if (error instanceof DomainError)
      runs.advance(sessionKey, run, { kind: "refused", reason: error.phrases.message });
    else runs.advance(sessionKey, run, { kind: "broken", error });
  });
  await Promise.race([work, Bun.sleep(PATIENCE)]);
  return seeOther(here);
}

async function carry(
  visit: StaffVisit,
  run: SetupRun,
  { request, places }: { request: SetupRequest; places: readonly NamedPlace[] },
): Promise<void> {
  const { db, by, needs, sessionKey, now: since } = visit;
  const { setupRuns: runs, nasTools, clock, arrivals } = needs;
  const { nasId } = run;
  let login: RouterTry | undefined;
  const { outcome, difference, connections } = await setUpRouter(
    db,
    by,
    { ...request, digest: run.difference.digest },
    {
      ...setupTools(visit, places),
      tell: (done, all) => runs.advance(sessionKey, run, { kind: "running", done, all }),
      after: async (menus) => {
        runs.advance(sessionKey, run, { kind: "proving" });
        if (request.mode !== "setup") return;
        login = await tryFromRouter(menus);
        await watchAfterSetup(db, by, { nasId, menus }, { clock, arrivals, nasTools });
      },
    },
  );
  if (outcome.kind === "other")
    return runs.advance(sessionKey, run, { kind: "asked", request, places, isOther: true }, difference);
  const proof = login
    ? await proveSetup(
        db,
        by,
        { nasId, login, since, isChanged: difference.changes.length > 0 },
        { clock, arrivals, ask: nasTools.ask, pause: Bun.sleep },
      )
    : [];
  runs.advance(sessionKey, run, { kind: "ended", outcome, proof, ...(connections && { connections }) });
}

export function leaveSetup(visit: StaffVisit): Response {
  const nasId = readRouterId(visit);
  visit.needs.setupRuns.forget(visit.sessionKey);
  return seeOther(routerHref(nasId));
}
