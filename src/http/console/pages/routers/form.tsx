import { randomInt } from "node:crypto";
import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { Nas } from "../../../../domain/goods/nas/find.ts";
import { nasOfId } from "../../../../domain/goods/nas/list.ts";
import { addNas, nasRecord, updateNas } from "../../../../domain/goods/nas/nas.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { textOf } from "../../../pages/text-of.ts";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { type Filled, Filling, NewFields, SettingFields } from "./fields.tsx";
import { hrefOf, idOf, PATH } from "./state.ts";

/** Without letters that are taken for others where somebody has to type it. */
const LETTERS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789";

/** A secret that nobody guesses: 92 bits, in groups that can be read out. */
export function newSecret(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join("");
  return Array.from({ length: 4 }, group).join("-");
}

/** More than any field takes, so that what is too long is refused and not left out. */
const MOST_TYPED = 1000;

interface Failed {
  readonly typed: Filled;
  readonly faults: FieldErrors;
  readonly problem: string | undefined;
}

/** The form for a new router. */
export function newPage(visit: StaffVisit, failed?: Failed): Response {
  permit(visit.by, "addNas");
  const { form } = visit.view.words.routers;
  const typed = failed?.typed ?? { address: visit.query.get("address")?.slice(0, 45) ?? "" };
  return page(
    visit,
    <Frame visit={visit} title={form.addTitle} place="routers">
      <RouterForm visit={visit} title={form.addTitle} action={`${PATH}/new`} back={PATH} failed={failed}>
        <p class="hint">{form.lead}</p>
        <NewFields fill={new Filling(visit, typed, failed?.faults)} visit={visit} />
        <Foot visit={visit} submit={form.submit} back={PATH} />
      </RouterForm>
    </Frame>,
    { status: failed ? 422 : 200 },
  );
}

/** Adds a router with a secret of its own, and leads to its commands. */
export async function addRouter(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now } = visit;
  const secret = textOf(input, "secret", MOST_TYPED);
  const values = {
    isp_id: input["isp_id"],
    ...{ name: input["name"], address: input["address"], secret: secret === "" ? newSecret() : secret },
    kind: input["kind"],
    ...(input["radsec"] === "1" && { radsec: true }),
  };
  const added = await attempt(visit, async () => addNas(db, by, values, { now }));
  if (!(added instanceof DomainError))
    return seeOther(hrefOf(added.id, added.radsec === 1 ? "/radsec" : "/setup"));
  return newPage(
    visit,
    failedOf(visit, added, {
      ...{ name: textOf(input, "name", 64), address: textOf(input, "address", 45), secret },
      ...{ kind: textOf(input, "kind", 20), radsec: String(input["radsec"] === "1") },
      isp_id: textOf(input, "isp_id", 15),
    }),
  );
}

/** What was typed, but for secrets: those are asked for again, for without them others would be kept or made. */
function failedOf({ view }: StaffVisit, error: DomainError, typed: Filled): Failed {
  const { code, fields, message } = error;
  if (!["invalid", "refused", "conflict"].includes(code)) throw error;
  const { secretAgain } = view.words.routers.form;
  const again = [...secrets].filter((name) => typed[name]).map((name) => [name, [secretAgain]]);
  return {
    typed: Object.fromEntries(Object.entries(typed).filter(([name]) => !secrets.has(name))),
    faults: { ...Object.fromEntries(again), ...fields },
    problem: fields ? undefined : message,
  };
}

/** The form of a router that is there. */
export function editPage(visit: StaffVisit, failed?: Failed): Response {
  permit(visit.by, "updateNas");
  const { router } = nasOfId(visit.db, visit.by, idOf(visit));
  const { form } = visit.view.words.routers;
  const title = form.title(router.name);
  const typed = failed?.typed ?? storedOf(router);
  return page(
    visit,
    <Frame visit={visit} title={title} place="routers">
      <RouterForm
        visit={visit}
        title={title}
        action={hrefOf(router.id, "/edit")}
        back={hrefOf(router.id)}
        failed={failed}
      >
        <SettingFields fill={new Filling(visit, typed, failed?.faults)} />
        <Foot visit={visit} submit={form.save} back={hrefOf(router.id)} />
      </RouterForm>
    </Frame>,
    { status: failed ? 422 : 200 },
  );
}

/** What a router has, as the fields of the form. */
function storedOf(router: Nas): Filled {
  const { routeros, ...record } = nasRecord(router);
  return {
    name: record.name,
    address: record.address,
    require_message_authenticator: record.require_message_authenticator,
    swap_octets: String(record.swap_octets),
    kind: record.kind,
    mppe: record.mppe,
    radsec: String(record.radsec),
    dhcp: String(record.dhcp),
    disconnect_method: record.disconnect_method,
    coa_port: String(record.coa_port),
    coa_event_timestamp: String(record.coa_event_timestamp),
    routeros_host: routeros?.host ?? "",
    routeros_port: String(routeros?.port ?? ""),
    routeros_username: routeros?.username ?? "",
    routeros_tls: String(routeros?.tls === true),
    routeros_tls_fingerprint: routeros?.tls_fingerprint ?? "",
  };
}

const texts = [
  ...[
    "name",
    "address",
    "kind",
    "secret",
    "require_message_authenticator",
    "mppe",
    "disconnect_method",
    "coa_port",
  ],
  ...["routeros_host", "routeros_port", "routeros_username", "routeros_password", "routeros_tls_fingerprint"],
];
const truths = ["radsec", "swap_octets", "dhcp", "coa_event_timestamp", "routeros_tls"];
/** What is left as it is where it is sent empty. */
const kept = new Set(["secret", "routeros_password", "routeros_port"]);
const secrets = new Set(["secret", "routeros_password"]);

export async function editRouter(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, needs, sessionKey } = visit;
  const nasId = idOf(visit);
  const { router } = nasOfId(db, by, nasId);
  const typed: Record<string, string> = {};
  for (const name of texts) typed[name] = textOf(input, name, MOST_TYPED).trim();
  for (const name of truths) typed[name] = String(input[name] === "1");
  const sent = Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => value !== "" || !kept.has(name)),
  );
  const hasApi = typed["routeros_host"] !== "";
  const values = Object.fromEntries(
    Object.entries(sent).filter(([name]) => hasApi || !name.startsWith("routeros_")),
  );
  // none is said only where there was one
  const changes = hasApi || router.routerosHost === null ? values : { ...values, routeros: null };
  const changed = await attempt(visit, async () => updateNas(db, by, { nasId, input: changes }, { now }));
  if (changed instanceof DomainError) return editPage(visit, failedOf(visit, changed, typed));
  const { form } = visit.view.words.routers;
  const { ends } = visit.view.words.radsec;
  const isNew = changed.radsec === 1 && router.radsec === 0;
  const text = changed.radsec === 0 ? form.savedText : changed.routerosHost === null ? ends.none : ends.api;
  needs.notes.add(sessionKey, { kind: "good", title: form.saved(changed.name), text });
  return seeOther(hrefOf(nasId, isNew ? "/radsec" : ""));
}

interface RouterFormProps {
  visit: StaffVisit;
  title: string;
  action: string;
  back: string;
  failed: Failed | undefined;
  children: unknown;
}

function RouterForm({ visit, title, action, failed, children }: RouterFormProps) {
  return (
    <form class="router-form stack" method="post" action={action}>
      <FormToken value={visit.formToken} />
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      {failed?.problem !== undefined && <Note kind="bad">{failed.problem}</Note>}
      {children}
    </form>
  );
}

function Foot({ visit, submit, back }: { visit: StaffVisit; submit: string; back: string }) {
  return (
    <div class="actions">
      <Button kind="solid" size="large">
        {submit}
      </Button>
      <Button href={back} size="large">
        {visit.view.words.frame.close}
      </Button>
    </div>
  );
}
