import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { type Commands, commandsFor } from "../../../../domain/goods/router-setup/commands.ts";
import type { Nas } from "../../../../domain/goods/nas/find.ts";
import { nasOfId } from "../../../../domain/goods/nas/list.ts";
import { issueRadsec, revokeRadsec, takeBundle } from "../../../../domain/goods/radsec/certificate.ts";
import { serverAddresses } from "../../../../domain/goods/radsec/keys.ts";
import { bundleName, currentOf, radsecOf, renewalFault } from "../../../../domain/goods/radsec/list.ts";
import type { RadsecCertificate } from "../../../../domain/goods/radsec/list.ts";
import { importCommand, requireServerAddress } from "../../../../domain/goods/radsec/rules.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { textOf } from "../../../pages/text-of.ts";
import { drawer, page, said } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Command, Terminal } from "./commands.tsx";
import { RadsecList } from "./radsec-list.tsx";
import { hrefOf, idOf } from "./state.ts";

/** What somebody typed as our address, and why no certificate was made for it. */
interface Refused {
  readonly server: string;
  readonly fault: string;
}

/** What a router asks by RadSec with, and how it gets that. */
export async function radsecPage(visit: StaffVisit, refused?: Refused): Promise<Response> {
  permit(visit.by, "issueRadsec");
  const { db, by, view } = visit;
  const nasId = idOf(visit);
  const { router } = nasOfId(db, by, nasId);
  const certificates = radsecOf(db, by, nasId);
  const { radsec } = view.words;
  const server = refused?.server ?? serverAddresses(db)[0] ?? (await placeOf(visit, router));
  return page(
    visit,
    <Frame
      visit={visit}
      title={radsec.title(router.name)}
      place="routers"
      back={{ href: hrefOf(nasId), label: router.name }}
    >
      <header class="page-head">
        <h1>{radsec.title(router.name)}</h1>
        <span class="hint mono">{router.address}</span>
      </header>
      <div class="stack">
        <Standing visit={visit} router={router} certificates={certificates} />
        <div class="columns">
          <RadsecList visit={visit} nasId={nasId} certificates={certificates} />
          <Card
            title={certificates.length === 0 ? radsec.make.title : radsec.make.again}
            {...(certificates.length > 0 && { lead: radsec.make.lead })}
          >
            <form class="stack" method="post" action={hrefOf(nasId, "/radsec")}>
              <FormToken value={visit.formToken} />
              <Field
                name="server"
                label={radsec.make.server}
                help={radsec.make.serverHelp}
                fault={refused?.fault}
                value={server}
                required
                attributes={{
                  maxlength: 253,
                  spellcheck: "false",
                  autocapitalize: "none",
                  autocomplete: "off",
                }}
              />
              <Ends visit={visit} router={router} />
              <Button kind="solid" icon="shield">
                {radsec.make.submit}
              </Button>
            </form>
          </Card>
        </div>
      </div>
    </Frame>,
    { status: refused ? 422 : 200 },
  );
}

/** Where the router reaches us, as far as it can be said. */
async function placeOf(visit: StaffVisit, router: Nas): Promise<string> {
  const place = await attempt(visit, () => visit.needs.nasTools.placeOf(router, [], undefined));
  return place instanceof DomainError ? "" : place.server;
}

/** More than an address can have, so that one that is too long is refused and not lost. */
const MOST_TYPED = 1000;

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
  const current = currentOf(certificates, now);
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

/** How sessions end at such a router. */
function Ends({ visit, router }: { visit: StaffVisit; router: Nas }) {
  const { ends } = visit.view.words.radsec;
  if (router.routerosHost !== null) return <p class="hint">{ends.api}</p>;
  return (
    <p class="hint">
      {ends.none} <a href={hrefOf(router.id, "/edit")}>{ends.link}</a>
    </p>
  );
}

/** Makes a certificate, and shows its password and the commands; both are nowhere afterwards. */
export async function makeRadsec(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, needs, view } = visit;
  const { make } = view.words.radsec;
  const nasId = idOf(visit);
  const { router } = nasOfId(db, by, nasId);
  const typed = textOf(input, "server", MOST_TYPED).trim();
  const named = await attempt(visit, async () => requireServerAddress(typed));
  if (named instanceof DomainError) {
    return radsecPage(visit, { server: typed, fault: make.serverFault });
  }
  const issued = await attempt(visit, async () => ({
    server: named,
    ...(await issueRadsec(db, by, { nasId, server: named, keep: true }, { now })),
  }));
  if (issued instanceof DomainError)
    return said(visit, { kind: "bad", title: make.failed, text: issued.message }, hrefOf(nasId, "/radsec"));
  const { certificate, password, server } = issued;
  const commands = await attempt(visit, () =>
    commandsFor(
      db,
      by,
      { nasId, extras: [], isInUse: true },
      { now, placeOf: (one) => needs.nasTools.placeOf(one, [], server) },
    ),
  );
  return madePage(visit, { router, certificate, password, server, commands });
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
          <Button href={hrefOf(router.id, "/setup")}>{made.done}</Button>
        </div>
      </header>
      <div class="stack">
        <Card title={made.file} lead={made.fileText}>
          <form method="post" action={hrefOf(router.id, `/radsec/${certificate.id}/file`)}>
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

/** The file, once. */
export async function radsecFile(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const nasId = idOf(visit);
  const taken = await attempt(visit, async () =>
    takeBundle(db, by, { nasId, certificateId: certificateId(visit) }, { now }),
  );
  if (taken instanceof DomainError) {
    if (taken.code !== "refused") throw taken;
    const title = view.words.radsec.taken;
    return said(visit, { kind: "bad", title, text: taken.message }, hrefOf(nasId, "/radsec"));
  }
  return new Response(new Uint8Array(taken.bundle), {
    headers: {
      "content-type": "application/x-pkcs12",
      "content-disposition": `attachment; filename="${taken.name}"`,
      "cache-control": "no-store",
    },
  });
}

/** Asks before somebody is put out. */
export function revokePage(visit: StaffVisit): Response {
  permit(visit.by, "revokeRadsec");
  const { db, by, now, view } = visit;
  const nasId = idOf(visit);
  const id = certificateId(visit);
  const { router } = nasOfId(db, by, nasId);
  const { revoke } = view.words.radsec;
  const all = radsecOf(db, by, nasId);
  if (!all.some((one) => one.id === id)) throw new DomainError("not_found", `there is no certificate ${id}`);
  const others = all.filter((one) => one.id !== id);
  return drawer(visit, {
    ...{ title: revoke.title, place: "routers", back: hrefOf(nasId, "/radsec") },
    lead: <bdi>{router.name}</bdi>,
    children: (
      <form method="post" action={hrefOf(nasId, `/radsec/${id}/revoke`)}>
        <FormToken value={visit.formToken} />
        <div class="drawer-body">
          <p>{revoke.text}</p>
          {!currentOf(others, now) && <p>{revoke.last}</p>}
        </div>
        <div class="drawer-foot">
          <Button kind="danger" size="large">
            {revoke.confirm}
          </Button>
        </div>
      </form>
    ),
  });
}

export async function revokeCertificate(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view, needs, sessionKey } = visit;
  const nasId = idOf(visit);
  const { revoke } = view.words.radsec;
  const back = hrefOf(nasId, "/radsec");
  const revoked = await attempt(visit, async () =>
    revokeRadsec(db, by, { nasId, certificateId: certificateId(visit) }, { now }),
  );
  if (revoked instanceof DomainError)
    return said(visit, { kind: "bad", title: revoke.failed, text: revoked.message }, back);
  needs.notes.add(sessionKey, { kind: "good", title: revoke.done(revoked.id) });
  return seeOther(back);
}
