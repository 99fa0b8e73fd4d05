import type { Child } from "hono/jsx";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase, verbatim } from "../../../../domain/core/errors/phrase.ts";
import { type Commands, commandsFor } from "../../../../domain/goods/router-setup/commands.ts";
import type { Nas } from "../../../../domain/goods/nas/find.ts";
import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import { issueRadsec, revokeRadsec, takeBundle } from "../../../../domain/goods/radsec/certificate.ts";
import { serverAddresses } from "../../../../domain/goods/radsec/keys.ts";
import {
  bundleName,
  listCertificates,
  findCurrent,
  renewalFault,
  type RadsecCertificate,
} from "../../../../domain/goods/radsec/list.ts";
import { importCommand, requireServerAddress } from "../../../../domain/goods/radsec/rules.ts";
import { pathId } from "../../../form.ts";
import { attempt, attemptNow } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page, flash } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { Command, Terminal } from "../../parts/terminal.tsx";
import { RadsecList } from "./radsec-list.tsx";
import { readRouterId } from "./state.ts";
import { routerHref, ROUTERS } from "../../parts/hrefs.ts";

/** Certificates, and the address that the router probably dials. */
async function readRadsec(visit: StaffVisit) {
  const { db, by } = visit;
  const { router } = nasWithSources(db, by, readRouterId(visit));
  const server = serverAddresses(db)[0] ?? (await findPlace(visit, router));
  return { router, server, certificates: listCertificates(db, router.id) };
}

/** Issues a certificate: its password and commands are shown once. */
export const issue = form({
  path: `${ROUTERS}/:id/radsec`,
  on: `${ROUTERS}/:id/radsec`,
  permit: "issueRadsec",
  of: readRadsec,
  content: (visit, { router, server, certificates }) => {
    const { make, title } = visit.view.words.radsec;
    return {
      title: title(router.name),
      back: routerHref(router.id),
      submit: make.submit,
      fields: [
        {
          name: "server",
          label: make.server,
          help: make.serverHelp,
          value: server,
          required: true,
          max: 253,
          attributes: { spellcheck: "false", autocapitalize: "none" },
        },
      ],
      beside: <Ends visit={visit} router={router} />,
      notDone: (why) => `${make.failed} ${why}`,
      frame: (children) => (
        <RadsecPage visit={visit} router={router} certificates={certificates}>
          {children}
        </RadsecPage>
      ),
    };
  },
  save: async (visit, { router }, { server: entered = "" }) => {
    const { db, by, now } = visit;
    const server = serverIn(visit, entered);
    return { server, ...(await issueRadsec(db, by, { nasId: router.id, server, keep: true }, { now })) };
  },
  done: async (visit, { certificate, password, server }, { router }) => {
    const { db, by, now, needs } = visit;
    const query = { router: router.id, extras: [], isInUse: true };
    const findPlace = (one: Nas) => needs.nasTools.findPlace(one, [], server);
    const commands = await attempt(visit, () => commandsFor(db, by, query, { now, findPlace }));
    return madePage(visit, { router, certificate, password, server, commands });
  },
});

function serverIn(visit: StaffVisit, entered: string): string {
  const server = attemptNow(visit, () => requireServerAddress(entered));
  if (typeof server === "string") return server;
  const serverFault = verbatim(visit.view.words.radsec.make.serverFault);
  throw new DomainError("invalid", serverFault, { fields: { server: [serverFault] } });
}

function RadsecPage({ visit, router, certificates, children }: Props & { children: Child }) {
  const { radsec } = visit.view.words;
  const title = radsec.title(router.name);
  return (
    <Frame
      visit={visit}
      title={title}
      place="routers"
      back={{ href: routerHref(router.id), label: router.name }}
    >
      <header class="page-head">
        <h1>{title}</h1>
        <span class="hint mono">{router.address}</span>
      </header>
      <div class="stack">
        <Standing visit={visit} router={router} certificates={certificates} />
        <div class="split">
          <RadsecList visit={visit} certificates={certificates} />
          <Card
            title={certificates.length === 0 ? radsec.make.title : radsec.make.again}
            {...(certificates.length > 0 && { lead: radsec.make.lead })}
          >
            {children}
          </Card>
        </div>
      </div>
    </Frame>
  );
}

/** The address at which the router probably reaches us. */
async function findPlace(visit: StaffVisit, router: Nas): Promise<string> {
  const place = await attempt(visit, () => visit.needs.nasTools.findPlace(router, [], undefined));
  return place instanceof DomainError ? "" : place.server;
}

interface Props {
  visit: StaffVisit;
  router: Nas;
  certificates: readonly RadsecCertificate[];
}

function Standing({ visit, router, certificates }: Props) {
  const { view, now } = visit;
  const { radsec } = view.words;
  const date = (at: number) => view.format.date(at);
  if (router.radsec === 0)
    return (
      <Verdict
        tone="quiet"
        icon="shield"
        label={radsec.verdict}
        title={radsec.off(router.name)}
        text={radsec.offText}
      />
    );
  const current = findCurrent(certificates, now);
  if (current && renewalFault(certificates, now) === undefined)
    return (
      <Verdict
        tone="good"
        icon="check"
        label={radsec.verdict}
        title={radsec.good(router.name, date(current.notAfter))}
        text={radsec.goodText}
      />
    );
  const why = current
    ? radsec.soon(date(current.notAfter))
    : certificates.length > 0
      ? radsec.gone
      : radsec.none;
  return (
    <Verdict
      tone={current ? "warn" : "bad"}
      icon="alert"
      label={radsec.verdict}
      title={radsec.bad(router.name)}
      text={why}
    />
  );
}

function Ends({ visit, router }: { visit: StaffVisit; router: Nas }) {
  const { ends } = visit.view.words.radsec;
  if (router.routerosHost !== null) return <p class="hint">{ends.api}</p>;
  return (
    <p class="hint">
      {ends.none} <a href={routerHref(router.id, "/edit")}>{ends.link}</a>
    </p>
  );
}

interface Made {
  router: Nas;
  certificate: RadsecCertificate;
  password: string;
  server: string;
  commands: Commands | DomainError;
}

function madePage(visit: StaffVisit, { router, certificate, password, server, commands }: Made): Response {
  const { made } = visit.view.words.radsec;
  const file = bundleName(certificate);
  const sections = commands instanceof DomainError ? [] : commands.sections;
  const lines = sections.flatMap((one) => one.commands);
  return page(
    visit,
    <Frame visit={visit} title={made.title(router.name)} place="routers">
      <header class="page-head">
        <h1>{made.title(router.name)}</h1>
        <span class="hint">{made.lead}</span>
        <div class="actions">
          <Button href={routerHref(router.id, "/setup")}>{made.done}</Button>
        </div>
      </header>
      <div class="stack">
        <Card title={made.file} lead={made.fileText}>
          <form method="post" action={routerHref(router.id, `/radsec/${certificate.id}/file`)}>
            <FormToken value={visit.formToken} />
            <Button kind="solid" icon="download">
              {made.download(file)}
            </Button>
          </form>
          <p class="card-foot">
            {made.password}: <strong class="mono">{password}</strong>
          </p>
        </Card>
        <Card title={made.upload} lead={made.uploadText}>
          <p class="mono">{file}</p>
        </Card>
        <Card title={made.paste} lead={made.pasteText}>
          {commands instanceof DomainError && (
            <Note kind="bad">
              {made.noCommands} {commands.message}
            </Note>
          )}
          <Terminal id={`radsec-${router.id}`} label={made.paste} visit={visit}>
            {[importCommand(certificate, password), ...lines].map((text) => (
              <Command text={text} marks={[password, server]} />
            ))}
          </Terminal>
        </Card>
      </div>
    </Frame>,
  );
}

const certificateId = ({ params }: StaffVisit) => pathId("certificate", params["certificate"] ?? null);

export async function radsecFile(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const nasId = readRouterId(visit);
  const taken = await attempt(visit, async () =>
    takeBundle(db, by, { nasId, certificateId: certificateId(visit) }, { now }),
  );
  if (taken instanceof DomainError) {
    if (taken.kind !== "refused") throw taken;
    const title = view.words.radsec.taken;
    return flash(visit, { kind: "bad", title, text: taken.message }, routerHref(nasId, "/radsec"));
  }
  return new Response(new Uint8Array(taken.bundle), {
    headers: {
      "content-type": "application/x-pkcs12",
      "content-disposition": `attachment; filename="${taken.name}"`,
      "cache-control": "no-store",
    },
  });
}

/** Warns that open sessions may end. */
export const revocation = form({
  path: `${ROUTERS}/:id/radsec/:certificate/revoke`,
  permit: "revokeRadsec",
  of: (visit) => {
    const { router } = nasWithSources(visit.db, visit.by, readRouterId(visit));
    return { router, id: certificateId(visit), all: listCertificates(visit.db, router.id) };
  },
  content: ({ now, view }, { router, id, all }) => {
    const { revoke } = view.words.radsec;
    if (!all.some((one) => one.id === id))
      throw new DomainError("not_found", phrase`there is no certificate ${id}`);
    const others = all.filter((one) => one.id !== id);
    return {
      title: revoke.title,
      lead: <bdi>{router.name}</bdi>,
      place: "routers",
      back: routerHref(router.id, "/radsec"),
      submit: revoke.confirm,
      danger: true,
      leaves: true,
      text: (
        <>
          <p>{revoke.text}</p>
          {!findCurrent(others, now) && <p>{revoke.last}</p>}
        </>
      ),
    };
  },
  save: ({ db, by, now }, { router, id }) =>
    revokeRadsec(db, by, { nasId: router.id, certificateId: id }, { now }),
  done: ({ view: { words } }, { id }) => words.radsec.revoke.done(id),
});
