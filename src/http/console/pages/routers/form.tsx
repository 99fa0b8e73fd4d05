import { newSecret } from "../../made-password.ts";
import type { Child } from "hono/jsx";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { Nas } from "../../../../domain/goods/nas/find.ts";
import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import { addNas, nasRecord, updateNas } from "../../../../domain/goods/nas/nas.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { Values } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { newGroups, settingGroups } from "./fields.tsx";
import { readRouterId } from "./state.ts";
import { routerHref, ROUTERS } from "../../parts/hrefs.ts";

const makeFrame = (visit: StaffVisit, title: string) => (children: Child) => (
  <Frame visit={visit} title={title} place="routers">
    <div class="stack router-form">
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      {children}
    </div>
  </Frame>
);

/** Generates a secret where none was typed. */
const add = form({
  path: `${ROUTERS}/new`,
  permit: "addNas",
  of: ({ query }) => query.get("address")?.slice(0, 45) ?? "",
  content: (visit, address) => {
    const { addTitle: title, submit } = visit.view.words.routers.form;
    return {
      title,
      submit,
      back: ROUTERS,
      groups: newGroups({ visit, stored: { address } }),
      frame: makeFrame(visit, title),
    };
  },
  once: (done: Added) => done,
  save: ({ db, by, now }, _, { secret = "", ...values }): Added => {
    const sent = { isp_id: undefined, ...values, radsec: values["radsec"] === "1" };
    const { id, radsec } = addNas(db, by, { ...sent, secret: secret || newSecret() }, { now });
    return { id, radsec };
  },
  done: (_, { id, radsec }) => seeOther(routerHref(id, radsec === 1 ? "/radsec" : "/setup")),
});

interface Added {
  readonly id: number;
  readonly radsec: number;
}

function toStored(router: Nas): Values {
  const { routeros, ...record } = nasRecord(router);
  const { host = "", port = "", username = "", tls = false, tls_fingerprint: print } = routeros ?? {};
  const api = { host, port, username, tls, tls_fingerprint: print ?? "" };
  const named = Object.entries(api).map(([name, value]) => [`routeros_${name}`, value] as const);
  return Object.fromEntries(
    [...Object.entries(record), ...named].map(([name, value]) => [
      name,
      typeof value === "boolean" ? (value ? "1" : "0") : String(value),
    ]),
  );
}

const truths = new Set([
  "radsec",
  "swap_octets",
  "dhcp",
  "shaper_leases",
  "coa_event_timestamp",
  "routeros_tls",
]);
/** Fields that stay as they are where they are empty. */
const kept = new Set(["secret", "shaper", "dual_stack", "routeros_password", "routeros_port"]);

/** An empty API field is a change only where there was one. */
function toChanges(values: Values, { routerosHost }: Nas): Input {
  const hasApi = values["routeros_host"] !== "";
  const sent = Object.entries(values).flatMap(([name, value]) =>
    (value === "" && kept.has(name)) || (!hasApi && name.startsWith("routeros_"))
      ? []
      : [[name, truths.has(name) ? value === "1" : value] as const],
  );
  return { ...Object.fromEntries(sent), ...(!hasApi && routerosHost !== null && { routeros: null }) };
}

const edit = form({
  path: `${ROUTERS}/:id/edit`,
  permit: "updateNas",
  of: ({ db, by, ...visit }) => nasWithSources(db, by, readRouterId(visit)).router,
  content: (visit, router) => {
    const { form: words } = visit.view.words.routers;
    const title = words.title(router.name);
    return {
      title,
      submit: words.save,
      back: routerHref(router.id),
      groups: settingGroups({ visit, stored: toStored(router) }),
      frame: makeFrame(visit, title),
    };
  },
  save: ({ db, by, now }, router, values) =>
    updateNas(db, by, { nasId: router.id, input: toChanges(values, router) }, { now }),
  done: ({ view: { words } }, changed, { id, radsec }) => {
    const { form: output } = words.routers;
    const { ends } = words.radsec;
    const text =
      changed.radsec === 0 ? output.savedText : changed.routerosHost === null ? ends.none : ends.api;
    const isNew = changed.radsec === 1 && radsec === 0;
    return { title: output.saved(changed.name), text, to: routerHref(id, isNew ? "/radsec" : "") };
  },
});

export const routerForms = [...add, ...edit];
