import { insertCertificate } from "../support/radsec-client.ts";
import { insertConfigs } from "../support/router-config.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import type { Routers } from "../../src/domain/service/control/routers.ts";
import { flagNames } from "../../src/domain/machine/imports/data-set/roles.ts";
import type { Description } from "../../src/http/describe.ts";
import type { Managed } from "../../src/http/operation.ts";
import { type Sent, temporaryApp } from "../support/http.ts";
import { NOW, templateStore, type TemporaryStore, undone } from "../support/store.ts";
import { LIVE_PATH } from "../../src/http/console/guard.ts";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { PNG } from "../support/logos.ts";
import {
  callers,
  emptyWallet,
  fillTenants,
  insertBulk,
  insertArrived,
  insertCards,
  insertFinding,
  insertMove,
  insertOutage,
  insertFeed,
  insertKey,
  insertWebhook,
  openSession,
  refuseLogin,
  stateOf,
  type Tenants,
  withTenants,
} from "../support/tenants.ts";
import { knownCard } from "../support/redeem-cards.ts";
import { addMessages, webChannel } from "../support/messages.ts";
import { fillMoney } from "../support/money.ts";

type Answered = 200 | 400 | 401 | 403 | 404 | 422;

interface Row {
  operation: string;
  sent: Sent;
  /** What accounts of the ISP are answered where that is not 200. */
  isp?: Answered;
  /** What is asked for in the path of a GET. */
  query?: string;
  /** What staff of the subscriber's branch are answered where that is not 200. */
  branch?: Answered;
  /** What the operator of the box is answered where that is not 200. */
  operator?: Answered;
  /** What the subscriber's reseller is answered where that is not 200. */
  reseller?: Answered;
  /** What others of the same ISP, of another one, of another branch and another reseller are answered. */
  otherTenant: Answered;
  otherBranch: Answered;
  otherReseller: Answered;
}

const ROUTES = join(import.meta.dir, "../../src/http/routes");
const SUBSCRIBER = "/api/v1/subscriber";
const ROLE = "/api/v1/role";
const RECEIVE = "/api/v1/payment/receive";
const NAS = "/api/v1/nas";
const STAFF = "/api/v1/staff";
const SETTING = "/api/v1/setting";
const MONEY = "/api/v1/";
/** Of a refill card of ISP 1. */
const CODE = "KNOWNCARD";

/** Roles belong to an ISP, not to a branch or a reseller, who read them and change none. */
const ofRoles = { otherTenant: 404, otherBranch: 200, otherReseller: 200 } as const;
const wholeIsps = { branch: 403, reseller: 403, otherBranch: 403, otherReseller: 403 } as const;
const rolesChange = { otherTenant: 404, ...wholeIsps } as const;
/** Accounts of the same branch or more manage each other; a reseller none. */
const ofStaff = { otherTenant: 404, otherBranch: 404, reseller: 403, otherReseller: 403 } as const;
const ofSubscribers = { otherTenant: 404, otherBranch: 404, otherReseller: 404 } as const;
/** What is sold there is no top-up, of which those who may sell one hear. */
const noTopUp = { ...ofSubscribers, isp: 422, branch: 422, reseller: 422, operator: 422 } as const;
const theirs = { otherTenant: 200, otherBranch: 200, otherReseller: 200 } as const;
const notTheirs = { otherTenant: 403, otherBranch: 403, otherReseller: 403 } as const;

/** Everybody has a till of their own, but Resellers; the account of the whole box one in each ISP, which it names. */
const ownTill = { ...theirs, reseller: 403, otherReseller: 403, operator: 400 } as const;

const profile = {
  isp_id: 1,
  branch_id: 11,
  name: "New",
  username: "new",
  password: "pw-new",
  package_id: 1,
  connection_type_id: 1,
  salesperson_id: 2,
  nas_id: 1,
  nic_number: "N-new",
  mobile_number: "M-new",
};
const mac_address = "AA:BB:CC:DD:EE:FF";

/** Of what an ISP has: its branches read it and change none of it. */
const ofIsp = ofRoles;
const ispChange = rolesChange;
const ofHooks = rolesChange;
const newOfIsp = { ...ispChange, otherTenant: 403 } as const;
const operators = { isp: 403, ...notTheirs } as const;

/** The calls of a kind of place, of its row 1 but for a branch, and of one that nothing refers to. */
function placeRows(kind: string, id: number): Row[] {
  const path = `/api/v1/${kind}`;
  const isIsp = kind === "isp";
  const theirBranch = kind === "branch" ? ({ otherBranch: 404 } as const) : {};
  const rules = <T extends object>(others: T) => (isIsp ? operators : others);
  return [
    { operation: `GET ${path}/list`, sent: {}, ...theirs, ...(isIsp && operators) },
    { operation: `GET ${path}/get/${id}`, sent: {}, ...rules({ ...ofIsp, ...theirBranch }) },
    { operation: `POST ${path}/create`, sent: { form: { isp_id: 1, name: "A" } }, ...rules(newOfIsp) },
    { operation: `POST ${path}/update`, sent: { form: { id, name: "A" } }, ...rules(ispChange) },
    { operation: `DELETE ${path}/delete/6`, sent: {}, ...rules(ispChange) },
  ];
}

const aPackage = { name: "A", price: 1, billing_type: "prepaid", duration: 1, duration_unit: "day" };
const aBatch = { isp_id: 1, branch_id: 11, kind: "access", package_id: 1, quantity: 1, price: 1 };
/** Of a batch of branch 11, which no reseller holds. */
const ofCards = { ...ofSubscribers, reseller: 404 } as const;
const PACKAGE = "/api/v1/package";
const POOL = "/api/v1/address_pool";
const SOURCE = "/api/v1/payment_source";
const INCOMING = "/api/v1/incoming_payment";
const bankFile = {
  isp_id: 1,
  name: "a.csv",
  content: "Day,Sum,Text\n2030-01-15,5,x\n",
  date_column: "Day",
  amount_column: "Sum",
  text_column: "Text",
};
const arriving = {
  external_id: "T-7",
  provider: "desk",
  amount: 1,
  currency: "USD",
  reference: "0012",
  paid_at: "2030-01-15 12:00:00",
};

function logo(): FormData {
  const form = new FormData();
  form.set("logo", new Blob([PNG]), "logo.png");
  return form;
}

const acknowledge = async () => ({ kind: "acknowledged" }) as const;

const nobody = async () => ({ kind: "listed", users: [] }) as const;
const acknowledging: Routers = {
  disconnect: acknowledge,
  changeRate: acknowledge,
  changeTimeout: acknowledge,
  find: nobody,
};

const REPORT = "/api/v1/report";
const ofEverybody = [
  ...["sales", "tax", "collections", "owed", "debtors", "resellers", "concessions", "cards", "card_stock"],
  ...["expiring", "renewals", "growth", "traffic", "top_users"],
];
/** What routers count is of the whole ISP. */
const ofRouters = ["online", "logins"];

/** Every operation of HTTP Basic, on subscriber 1 and role 4 of ISP 1. */
const rows: Row[] = [
  { operation: `GET ${ROLE}/list`, sent: {}, ...theirs },
  { operation: `GET ${ROLE}/get/4`, sent: {}, ...ofRoles },
  {
    operation: `POST ${ROLE}/create`,
    sent: { form: { name: "A", isp_id: 1 } },
    ...rolesChange,
    otherTenant: 403,
  },
  { operation: `POST ${ROLE}/update`, sent: { form: { code: 4, name: "A" } }, ...rolesChange },
  { operation: `DELETE ${ROLE}/delete/4`, sent: {}, ...rolesChange },
  { operation: `GET ${ROLE}/permissions/4`, sent: {}, ...ofRoles },
  {
    operation: `POST ${ROLE}/permissions_update`,
    sent: { form: { role_code: 4, role_view: 1 } },
    ...rolesChange,
  },
  {
    operation: "POST /api/v1/activation/activate",
    sent: { form: { user_id: 1, package_id: 1 } },
    ...ofSubscribers,
  },
  { operation: "POST /api/v1/activation/disconnect", sent: { form: { user_id: 1 } }, ...ofSubscribers },
  { operation: "POST /api/v1/activation/apply", sent: { form: { user_id: 1 } }, ...ofSubscribers },
  {
    operation: "POST /api/v1/activation/top_up",
    sent: { form: { user_id: 1, package_id: 1 } },
    ...noTopUp,
  },
  {
    operation: "GET /api/v1/activation/top_up_quote",
    sent: {},
    query: "?user_id=1&package_id=1",
    ...noTopUp,
  },
  {
    operation: "GET /api/v1/activation/quote",
    sent: {},
    query: "?user_id=1&package_id=1",
    ...ofSubscribers,
  },
  {
    operation: "POST /api/v1/activation/extend",
    sent: { form: { user_id: 1, hours: 1, reason: "A" } },
    ...ofSubscribers,
  },
  { operation: "GET /api/v1/activation/renewals", sent: {}, ...theirs },
  { operation: `POST ${SUBSCRIBER}/freeze`, sent: { form: { user_id: 1 } }, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/thaw`, sent: { form: { user_id: 1 } }, ...ofSubscribers },
  {
    operation: "POST /api/v1/invoice/void",
    sent: { form: { invoice_id: 1, reason: "A" } },
    ...ofSubscribers,
  },
  { operation: "POST /api/v1/session/end", sent: { form: { session_id: "S1" } }, ...ofSubscribers },
  { operation: "GET /api/v1/session/list", sent: {}, ...theirs },
  { operation: "GET /api/v1/session/changes", sent: {}, ...theirs },
  { operation: `GET ${SUBSCRIBER}/changes`, sent: {}, ...theirs },
  { operation: `GET ${MONEY}payment/changes`, sent: {}, ...theirs },
  { operation: `GET ${MONEY}invoice/changes`, sent: {}, ...theirs },
  { operation: `GET ${MONEY}event/list`, sent: {}, ...theirs },
  { operation: "GET /api/v1/login/list", sent: {}, ...theirs },
  { operation: "GET /api/v1/outage/list", sent: {}, ...theirs },
  { operation: "GET /api/v1/outage/get/1", sent: {}, ...ofSubscribers },
  { operation: `GET ${SUBSCRIBER}/sessions/1`, sent: {}, ...ofSubscribers },
  { operation: `GET ${SUBSCRIBER}/logins/1`, sent: {}, ...ofSubscribers },
  { operation: "GET /api/v1/session/who?address=10.0.0.7", sent: {}, ...theirs },
  { operation: `GET ${SUBSCRIBER}/list`, sent: {}, ...theirs },
  { operation: `GET ${SUBSCRIBER}/get/1`, sent: {}, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/create`, sent: { form: profile }, ...notTheirs },
  {
    operation: `POST ${SUBSCRIBER}/update`,
    sent: { form: { username: "user1", name: "A" } },
    ...ofSubscribers,
  },
  { operation: `GET ${SUBSCRIBER}/usage/1`, sent: {}, ...ofSubscribers },
  { operation: `GET ${SUBSCRIBER}/notes/1`, sent: {}, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/note`, sent: { form: { user_id: 1, note: "A" } }, ...ofSubscribers },
  {
    operation: `POST ${SUBSCRIBER}/reset_password`,
    sent: { form: { user_id: 1, new_password: "pw" } },
    ...ofSubscribers,
  },
  {
    operation: `POST ${SUBSCRIBER}/mac_lock`,
    sent: { form: { user_id: 1, mac_address } },
    ...ofSubscribers,
  },
  { operation: `GET ${SUBSCRIBER}/search?q=user`, sent: {}, ...theirs },
  { operation: `GET ${SUBSCRIBER}/box?box_number=B-1`, sent: {}, ...theirs },
  { operation: `GET ${SUBSCRIBER}/why/1`, sent: {}, ...ofSubscribers },
  { operation: `GET ${SUBSCRIBER}/statement/1`, sent: {}, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/enable`, sent: { form: { user_id: 1 } }, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/disable`, sent: { form: { user_id: 1 } }, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/archive`, sent: { form: { user_id: 1 } }, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/restore`, sent: { form: { user_id: 1 } }, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/note_add`, sent: { form: { user_id: 1, note: "A" } }, ...ofSubscribers },
  {
    operation: `POST ${SUBSCRIBER}/portal_password`,
    sent: { form: { user_id: 1, portal_password: "sunny-day-7" } },
    ...ofSubscribers,
  },
  {
    operation: `POST ${SUBSCRIBER}/plant`,
    sent: { form: { user_id: 1, box_number: "B-2" } },
    ...ofSubscribers,
  },
  { operation: `POST ${SUBSCRIBER}/take_device`, sent: { form: { user_id: 1 } }, ...ofSubscribers },
  { operation: `POST ${SUBSCRIBER}/mac_unlock`, sent: { form: { user_id: 1 } }, ...ofSubscribers },
  {
    operation: `POST ${SUBSCRIBER}/change_mac`,
    sent: { form: { user_id: 1, mac_address } },
    ...ofSubscribers,
  },
  ...placeRows("isp", 1),
  ...placeRows("branch", 11),
  ...placeRows("city", 1),
  ...placeRows("area", 1),
  ...placeRows("subarea", 1),
  { operation: "GET /api/v1/choice/list", sent: {}, ...theirs },
  { operation: `GET ${PACKAGE}/list`, sent: {}, ...theirs },
  { operation: `GET ${PACKAGE}/get/1`, sent: {}, ...ofIsp },
  { operation: `POST ${PACKAGE}/create`, sent: { form: { isp_id: 1, ...aPackage } }, ...newOfIsp },
  { operation: `POST ${PACKAGE}/update`, sent: { form: { id: 1, name: "A" } }, ...ispChange },
  { operation: `POST ${PACKAGE}/enable`, sent: { form: { id: 1 } }, ...ispChange },
  { operation: `POST ${PACKAGE}/disable`, sent: { form: { id: 1 } }, ...ispChange },
  { operation: `DELETE ${PACKAGE}/delete/6`, sent: {}, ...ispChange },
  { operation: "POST /api/v1/bulk/preview", sent: { form: { user_id: 1 } }, ...theirs },
  {
    operation: "POST /api/v1/bulk/start",
    sent: {
      form: { operation: "router", ids: 1, nas_id: 1 },
      headers: { "idempotency-key": "one" },
    },
    ...ofSubscribers,
  },
  { operation: "GET /api/v1/bulk/get/1", sent: {}, ...ofSubscribers, branch: 404 },
  { operation: "GET /api/v1/bulk/rows/1", sent: {}, ...ofSubscribers, branch: 404 },
  { operation: "GET /api/v1/bulk/list", sent: {}, ...theirs },
  { operation: `POST ${PACKAGE}/apply`, sent: { form: { id: 1, dry_run: 1 } }, ...ofIsp },
  { operation: `GET ${POOL}/list`, sent: {}, ...theirs },
  { operation: `GET ${POOL}/get/1`, sent: {}, ...ofIsp },
  { operation: `GET ${POOL}/addresses/1`, sent: {}, ...ofIsp },
  {
    operation: `POST ${POOL}/create`,
    sent: { form: { isp_id: 1, name: "flats", range: "10.30.0.0/24" } },
    ...newOfIsp,
  },
  { operation: `POST ${POOL}/update`, sent: { form: { id: 1, name: "A" } }, ...ispChange },
  { operation: `DELETE ${POOL}/delete/6`, sent: {}, ...ispChange },
  { operation: `GET ${NAS}/list`, sent: {}, ...theirs },
  { operation: `GET ${NAS}/get/1`, sent: {}, ...ofRoles },
  {
    operation: `POST ${NAS}/create`,
    sent: { form: { isp_id: 1, name: "edge", address: "10.9.9.9", secret: "hush" } },
    ...wholeIsps,
    otherTenant: 403,
  },
  { operation: `POST ${NAS}/update`, sent: { form: { id: 1, name: "new" } }, ...rolesChange },
  { operation: `DELETE ${NAS}/delete/1?detach=1`, sent: {}, ...rolesChange },
  { operation: `POST ${NAS}/test`, sent: { form: { id: 1 } }, ...rolesChange },
  { operation: `POST ${NAS}/script`, sent: { form: { id: 1 } }, ...rolesChange },
  {
    operation: `POST ${NAS}/setup`,
    sent: { form: { id: 1, username: "admin", password: "x" } },
    ...rolesChange,
  },
  { operation: `GET ${NAS}/findings`, sent: {}, ...ofRoles, query: "?nas_id=1" },
  { operation: `POST ${NAS}/watch`, sent: { form: { id: 1 } }, ...rolesChange },
  { operation: `POST ${NAS}/mend`, sent: { form: { id: 1, findings: 1 } }, ...rolesChange },
  {
    operation: `POST ${NAS}/finding/hide`,
    sent: { form: { nas_id: 1, id: 1, reason: "ours" } },
    ...rolesChange,
  },
  { operation: `POST ${NAS}/finding/show`, sent: { form: { nas_id: 1, id: 1 } }, ...rolesChange },
  { operation: `GET ${NAS}/radsec/list/1`, sent: {}, ...ofRoles },
  {
    operation: `POST ${NAS}/radsec/issue`,
    sent: { form: { id: 1, server: "10.0.0.254" } },
    ...rolesChange,
  },
  {
    operation: `POST ${NAS}/radsec/revoke`,
    sent: { form: { id: 1, certificate_id: 1 } },
    ...rolesChange,
  },
  { operation: `GET ${NAS}/config/list/1`, sent: {}, ...ofRoles },
  { operation: `POST ${NAS}/config/save`, sent: { form: { id: 1 } }, ...rolesChange },
  { operation: `POST ${NAS}/config/read`, sent: { form: { id: 1, copy: 1 } }, ...rolesChange },
  { operation: `GET ${NAS}/config/diff/1`, sent: {}, ...rolesChange },
  { operation: `GET ${STAFF}/list`, sent: {}, ...theirs },
  { operation: `GET ${STAFF}/get/4`, sent: {}, ...ofSubscribers, reseller: 404 },
  {
    operation: `POST ${STAFF}/create`,
    sent: {
      form: {
        isp_id: 1,
        branch_id: 11,
        name: "New",
        username: "new",
        password: "secret-1",
        profile_type: 2,
      },
    },
    ...notTheirs,
    reseller: 403,
  },
  { operation: `POST ${STAFF}/update`, sent: { form: { id: 4, name: "A" } }, ...ofStaff },
  { operation: `POST ${STAFF}/password`, sent: { form: { id: 4, password: "secret-2" } }, ...ofStaff },
  { operation: `POST ${STAFF}/enable`, sent: { form: { id: 4 } }, ...ofStaff },
  // nobody disables the own account, and 4 is the branch's
  { operation: `POST ${STAFF}/disable`, sent: { form: { id: 4 } }, ...ofStaff, branch: 400 },
  { operation: `GET ${SETTING}/list`, sent: {}, ...theirs },
  {
    operation: `POST ${SETTING}/set`,
    sent: { form: { key: "portal_name", value: "North", isp_id: 1 } },
    ...rolesChange,
  },
  {
    operation: `POST ${SETTING}/logo`,
    sent: { body: logo() },
    ...wholeIsps,
    otherTenant: 200, // its own
  },
  { operation: "GET /api/v1/audit/list", sent: {}, ...wholeIsps, otherTenant: 200 },
  { operation: "GET /api/v1/api_key/list", sent: {}, ...theirs },
  { operation: "GET /api/v1/api_key/get/50", sent: {}, ...ofCards },
  { operation: "GET /api/v1/api_key/requests/50", sent: {}, ...ofCards },
  {
    operation: "POST /api/v1/api_key/create",
    sent: { form: { isp_id: 1, branch_id: 11, name: "new", role_code: 2 } },
    ...notTheirs,
    reseller: 403,
  },
  { operation: "POST /api/v1/api_key/update/50", sent: { form: { name: "other" } }, ...ofCards },
  { operation: "POST /api/v1/api_key/rotate/50", sent: {}, ...ofCards },
  { operation: "POST /api/v1/api_key/revoke/50", sent: {}, ...ofCards },
  { operation: "GET /api/v1/feed/list", sent: {}, ...theirs },
  { operation: "GET /api/v1/feed/get/1", sent: {}, ...ofIsp },
  {
    operation: "POST /api/v1/feed/create",
    sent: { form: { isp_id: 1, name: "new", address: "10.0.0.21", secret: "hush" } },
    ...newOfIsp,
  },
  { operation: "POST /api/v1/feed/update/1", sent: { form: { port: 18130 } }, ...ispChange },
  { operation: "POST /api/v1/feed/enable/1", sent: { form: { enabled: 0 } }, ...ispChange },
  { operation: "DELETE /api/v1/feed/delete/1", sent: {}, ...ispChange },
  { operation: "GET /api/v1/webhook/list", sent: {}, ...wholeIsps, otherTenant: 200 },
  { operation: "GET /api/v1/webhook/get/1", sent: {}, ...ofHooks },
  {
    operation: "POST /api/v1/webhook/create",
    sent: { form: { isp_id: 1, url: "https://receiver.example/", types: "*" } },
    ...ofHooks,
    otherTenant: 403,
  },
  { operation: "POST /api/v1/webhook/update/1", sent: { form: { note: "A" } }, ...ofHooks },
  { operation: "POST /api/v1/webhook/enable/1", sent: { form: { enabled: 0 } }, ...ofHooks },
  { operation: "POST /api/v1/webhook/rotate/1", sent: { form: {} }, ...ofHooks },
  { operation: "POST /api/v1/webhook/secret/1", sent: { form: {} }, ...ofHooks },
  { operation: "DELETE /api/v1/webhook/delete/1", sent: {}, ...ofHooks },
  { operation: "POST /api/v1/webhook/test/1", sent: { form: {} }, ...ofHooks },
  { operation: "GET /api/v1/webhook/deliveries", sent: {}, ...wholeIsps, otherTenant: 200 },
  { operation: "GET /api/v1/webhook/delivery/1", sent: {}, ...ofHooks },
  { operation: "POST /api/v1/webhook/replay/1", sent: { form: {} }, ...ofHooks },
  { operation: "POST /api/v1/webhook/resend/1", sent: { form: { from: "2030-01-01" } }, ...ofHooks },
  { operation: "GET /api/v1/move/list", sent: {}, ...wholeIsps, otherTenant: 200 },
  { operation: "GET /api/v1/move/get/1", sent: {}, ...wholeIsps, otherTenant: 404 },
  {
    operation: `POST ${MONEY}card/preview`,
    sent: { form: { user_id: 1, code: CODE } },
    ...ofSubscribers,
  },
  {
    operation: `POST ${MONEY}card/redeem`,
    sent: { form: { user_id: 1, code: CODE } },
    ...ofSubscribers,
  },
  {
    operation: `POST ${MONEY}payment/take`,
    sent: { form: { user_id: 1, amount: 1, method: "cash" } },
    ...ofSubscribers,
    reseller: 422,
  },
  { operation: `GET ${MONEY}payment/list`, sent: {}, ...theirs },
  { operation: `GET ${MONEY}payment/get/1`, sent: {}, ...ofSubscribers },
  {
    operation: `POST ${MONEY}payment/reverse`,
    sent: { form: { id: 1, reason: "A" } },
    ...ofSubscribers,
    reseller: 403,
  },
  {
    operation: `POST ${MONEY}payment/refund`,
    sent: { form: { user_id: 1, amount: 1, method: "cash" } },
    ...ofSubscribers,
  },
  { operation: `GET ${MONEY}wallet/entries?user_id=1`, sent: {}, ...ofSubscribers },
  {
    operation: `POST ${MONEY}wallet/adjust`,
    sent: { form: { user_id: 1, amount: 1, direction: "down", reason: "A" } },
    ...ofSubscribers,
    reseller: 403,
  },
  { operation: `GET ${MONEY}card_batch/list`, sent: {}, ...theirs },
  { operation: `GET ${MONEY}card_batch/get/1`, sent: {}, ...ofCards },
  { operation: `POST ${MONEY}card_batch/create`, sent: { form: aBatch }, ...notTheirs, reseller: 403 },
  { operation: `POST ${MONEY}card_batch/void`, sent: { form: { id: 1, reason: "A" } }, ...ofCards },
  {
    operation: `POST ${MONEY}card_batch/sell`,
    sent: { form: { id: 1, first_serial: 1, last_serial: 1, method: "cash" } },
    ...ofCards,
  },
  { operation: `GET ${MONEY}card/list`, sent: {}, ...theirs },
  { operation: `GET ${MONEY}card/get/1`, sent: {}, ...ofCards },
  { operation: `POST ${MONEY}card/find`, sent: { form: { code: "0001-001" } }, ...ofCards },
  { operation: `POST ${MONEY}card/sell`, sent: { form: { id: 1, method: "cash" } }, ...ofCards },
  { operation: `POST ${MONEY}card/void`, sent: { form: { id: 1, reason: "A" } }, ...ofCards },
  { operation: `POST ${MONEY}card/unlock`, sent: { form: { id: 2 } }, ...ofCards },
  { operation: `POST ${MONEY}card/reprint`, sent: { form: { id: 1 } }, ...ofCards },
  { operation: `GET ${MONEY}closing/open`, sent: {}, ...ownTill },
  { operation: `POST ${MONEY}closing/close`, sent: { form: { counted: 0 } }, ...ownTill },
  { operation: `GET ${MONEY}closing/list`, sent: {}, ...theirs },
  {
    operation: `POST ${MONEY}closing/confirm`,
    sent: { form: { id: 1 } },
    ...ofSubscribers,
    branch: 403,
    reseller: 404,
  },
  { operation: `GET ${MONEY}invoice/list`, sent: {}, ...theirs },
  { operation: `GET ${MONEY}invoice/get/1`, sent: {}, ...ofSubscribers },
  { operation: `GET ${SOURCE}/list`, sent: {}, ...wholeIsps, otherTenant: 200 },
  { operation: `GET ${SOURCE}/get/1`, sent: {}, ...rolesChange },
  {
    operation: `POST ${SOURCE}/create`,
    sent: { form: { isp_id: 1, kind: "signed", name: "desk", method: "online" } },
    ...newOfIsp,
  },
  { operation: `POST ${SOURCE}/update/1`, sent: { form: { method: "bank" } }, ...rolesChange },
  { operation: `POST ${SOURCE}/rotate/1`, sent: { form: {} }, ...rolesChange },
  { operation: `POST ${SOURCE}/enable/1`, sent: { form: { enabled: 0 } }, ...rolesChange },
  { operation: `DELETE ${SOURCE}/delete/1`, sent: {}, ...rolesChange },
  { operation: `GET ${INCOMING}/list`, sent: {}, ...wholeIsps, otherTenant: 200 },
  { operation: `GET ${INCOMING}/get/1`, sent: {}, ...rolesChange },
  { operation: `POST ${INCOMING}/assign/1`, sent: { form: { user_id: 1 } }, ...rolesChange },
  { operation: `POST ${INCOMING}/assign_many`, sent: { form: { ids: "1" } }, ...wholeIsps, otherTenant: 200 },
  { operation: `POST ${INCOMING}/bank_preview`, sent: { form: bankFile }, ...newOfIsp },
  { operation: `POST ${INCOMING}/bank_file`, sent: { form: bankFile }, ...newOfIsp },
  { operation: `POST ${INCOMING}/raw/1`, sent: { form: {} }, ...rolesChange },
  { operation: `POST ${INCOMING}/dismiss/1`, sent: { form: { reason: "A" } }, ...rolesChange },
  {
    operation: `POST ${MONEY}payment/receive`,
    sent: { form: { ...arriving, isp_id: 1 } },
    ...newOfIsp,
  },
];
const MESSAGES = "/api/v1/message";
const CHANNEL = "/api/v1/channel";
/** Messages are the whole ISP's, also to look at. */
const ofMessages = { otherTenant: 404, ...wholeIsps } as const;
const anyMessages = { otherTenant: 200, ...wholeIsps } as const;
const newMessages = { otherTenant: 403, ...wholeIsps } as const;
const aText = { isp_id: 1, name: "A", language: "en", body: "Hello {{name}}" };
const aLetter = { user_id: 1, channel_id: 2, body: "Hello {{name}}" };
const aRule = {
  isp_id: 1,
  name: "A",
  on: "expiry",
  audience: "subscriber",
  channel_id: 1,
  template: "thanks",
};
rows.push(
  { operation: `GET ${CHANNEL}/list`, sent: {}, ...anyMessages },
  { operation: `GET ${CHANNEL}/presets`, sent: {}, ...theirs },
  { operation: `GET ${CHANNEL}/get/1`, sent: {}, ...ofMessages },
  { operation: `POST ${CHANNEL}/create`, sent: { form: webChannel }, ...newMessages },
  { operation: `POST ${CHANNEL}/update/1`, sent: { form: { name: "A" } }, ...ofMessages },
  { operation: `POST ${CHANNEL}/secret/1`, sent: { form: { name: "key", value: "A" } }, ...ofMessages },
  { operation: `POST ${CHANNEL}/enable/1`, sent: { form: { enabled: 0 } }, ...ofMessages },
  { operation: `DELETE ${CHANNEL}/delete/2`, sent: {}, ...ofMessages },
  { operation: `POST ${CHANNEL}/test/2`, sent: { form: { to: "ann@x.example" } }, ...ofMessages },
  { operation: `GET ${MESSAGES}_template/list`, sent: {}, ...anyMessages },
  { operation: `GET ${MESSAGES}_template/get/1`, sent: {}, ...ofMessages },
  { operation: `GET ${MESSAGES}_template/fields`, sent: {}, ...theirs },
  { operation: `POST ${MESSAGES}_template/save`, sent: { form: aText }, ...newMessages },
  { operation: `DELETE ${MESSAGES}_template/delete/2`, sent: {}, ...ofMessages },
  { operation: `POST ${MESSAGES}_template/ready`, sent: { form: { isp_id: 1 } }, ...newMessages },
  {
    operation: `POST ${MESSAGES}_template/preview`,
    sent: { form: { language: "en", body: "{{name}}", user_id: 1 } },
    ...ofMessages,
  },
  { operation: `GET ${MESSAGES}_rule/list`, sent: {}, ...anyMessages },
  { operation: `GET ${MESSAGES}_rule/get/1`, sent: {}, ...ofMessages },
  { operation: `POST ${MESSAGES}_rule/create`, sent: { form: aRule }, ...newMessages },
  { operation: `POST ${MESSAGES}_rule/update/1`, sent: { form: { name: "A" } }, ...ofMessages },
  { operation: `DELETE ${MESSAGES}_rule/delete/1`, sent: {}, ...ofMessages },
  { operation: `GET ${MESSAGES}/choices`, sent: {}, ...theirs },
  { operation: `POST ${MESSAGES}/preview`, sent: { form: aLetter }, ...ofSubscribers },
  { operation: `POST ${MESSAGES}/send`, sent: { form: aLetter }, ...ofSubscribers },
  { operation: `GET ${MESSAGES}/list`, sent: {}, ...anyMessages },
  { operation: `GET ${MESSAGES}/get/1`, sent: {}, ...ofMessages },
  { operation: `POST ${MESSAGES}/again/1`, sent: {}, ...ofMessages },
  { operation: `POST ${MESSAGES}/cancel/1`, sent: {}, ...ofMessages },
  { operation: `GET ${MESSAGES}/count?state=waiting&channel_id=1`, sent: {}, ...ofMessages },
  { operation: `POST ${MESSAGES}/again_many`, sent: { form: { channel_id: 1 } }, ...ofMessages },
  { operation: `POST ${MESSAGES}/cancel_many`, sent: { form: { rule_id: 1 } }, ...ofMessages },
);
for (const name of ofEverybody) rows.push({ operation: `GET ${REPORT}/${name}`, sent: {}, ...theirs });
for (const name of ofRouters)
  rows.push({
    operation: `GET ${REPORT}/${name}`,
    sent: {},
    ...notTheirs,
    branch: 403,
    reseller: 403,
    otherTenant: 200,
  });

describe.each(rows)("$operation", ({ operation, sent, query = "", ...others }) => {
  const [method = "", path = ""] = operation.split(" ");
  const table: [caller: string, basic: string | undefined, status: Answered][] = [
    ["an Admin", callers.admin, others.isp ?? 200],
    ["the operator of the box", callers.operator, others.operator ?? 200],
    ["the reseller with every flag", callers.reseller, others.reseller ?? others.isp ?? 200],
    ["the branch's staff with every flag", callers.branch, others.branch ?? others.isp ?? 200],
    ["nobody", undefined, 401],
    ["a wrong password", "ada:wrong", 401],
    ["an unknown account", "eve:secret-1", 401],
    ["a disabled Admin", callers.disabled, 403],
    ["staff without the flag", callers.noFlag, 403],
    ["an Admin of another tenant", callers.otherTenant, others.otherTenant],
    ["staff of another branch", callers.otherBranch, others.otherBranch],
    ["another reseller", callers.otherReseller, others.otherReseller],
  ];
  const prepare = ({ db, clock }: Tenants) => {
    if (/\/(message|channel)/.test(path)) addMessages(db, clock.now);
    if (path.includes("/card/")) knownCard(db, CODE);
    if (path.endsWith("/archive")) emptyWallet(db);
    if (path.endsWith("/thaw"))
      db.$client.run("UPDATE services SET frozen_at = ? WHERE subscriber_id = 1", [clock.now]);
  };
  const changes = method !== "GET";

  test("answers each caller, and who is refused or only reads changes nothing", async () => {
    const app = await sharedApp();
    await undone(app.db, async () => {
      prepare(app);
      const before = stateOf(app);
      for (const [caller, basic, expected] of table)
        await undone(app.db, async () => {
          const written = writtenBy(app);
          const { status, body } = await app.call(method, path + query, {
            ...sent,
            ...(basic !== undefined && { basic }),
          });
          expect({ caller, status, body }).toEqual({ caller, status: expected, body: expect.anything() });
          if (expected !== 200) expect(body).toMatchObject({ error: expect.any(String) });
          const mayChange = changes && expected === 200;
          if (!mayChange && writtenBy(app) !== written)
            expect({ caller, state: stateOf(app) }).toEqual({ caller, state: before });
        });
    });
  });
});

let store: Promise<TemporaryStore> | undefined;
const shared = () => (store ??= filledTenants());

let sharing: Tenants | undefined;
let turn = 0;
/** Of nine tests, because it counts ten who fail to sign in. */
async function sharedApp(): Promise<Tenants> {
  if (turn++ % 9 === 0 || !sharing) sharing = temporaryApp({ routers: acknowledging }, await shared());
  return sharing;
}

afterAll(async () => (await store)?.[Symbol.dispose]());

/** Rows that its connection has ever written: what stands still says that nothing was changed. */
function writtenBy({ db }: Tenants): number | undefined {
  return db.$client.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n;
}

test("who may tell of payments alone is refused every other operation, and every page of the console as before", async () => {
  using app = await withTenants();
  insertArrived(app.db, app.clock.now);
  addMessages(app.db, app.clock.now);
  const cookie = await consoleSessionOf(app, callers.noFlag);
  const pages = consoleRoutes.filter(({ method, path }) => method === "GET" && path !== LIVE_PATH);
  const answer = async () => {
    const answers: [string, number][] = [];
    for (const { path } of pages) {
      const url = `http://localhost${path.replaceAll(/:\w+/g, "1")}`;
      const { status, body } = await app.app.handle(new Request(url, { headers: { cookie } }));
      await body?.cancel();
      answers.push([path, status]);
    }
    return answers;
  };
  const before = await answer();
  await app.call("POST", `${ROLE}/permissions_update`, {
    basic: callers.admin,
    form: { role_code: 2, api_access: 1, payment_receive: 1 },
  });
  const state = stateOf(app);
  const open: string[] = [];
  for (const { operation, sent, query = "" } of rows) {
    const [method = "", path = ""] = operation.split(" ");
    if (path === RECEIVE) continue;
    const { status } = await app.call(method, path + query, { ...sent, basic: callers.noFlag });
    if (status !== 403) open.push(`${operation}: ${status}`);
  }
  expect(open).toEqual([]);
  expect(await answer()).toEqual(before);
  expect(stateOf(app)).toEqual(state);
});

/** What gives or takes money, paid time or cards: who has none of these changes none of them, whatever else they may do. */
const moneyFlags = [
  ...[
    "payment_take",
    "payment_reverse",
    "payment_refund",
    "payment_receive",
    "payment_match",
    "wallet_adjust",
  ],
  ...["subscriber_activate", "subscriber_extend", "subscriber_status", "invoice_void"],
  ...["card_make", "card_sell", "card_void"],
];

test("every flag but those of money together changes no wallet, no paid time and no card", async () => {
  using app = temporaryApp({ routers: acknowledging }, await filledTenants());
  const { db } = app;
  addMessages(db, app.clock.now);
  db.$client.run(`DELETE FROM role_permissions WHERE flag IN ('${moneyFlags.join("', '")}')`);
  // of the whole ISP, as an Admin is
  db.$client.run(
    "UPDATE staff SET branch_id = (SELECT branch_id FROM staff WHERE id = 1) WHERE username = 'mia'",
  );
  const worth = () =>
    JSON.stringify([
      db.$client.query("SELECT * FROM ledger_entries ORDER BY id").all(),
      db.$client.query("SELECT * FROM wallets WHERE balance <> 0").all(),
      db.$client
        .query("SELECT subscriber_id, package_id, expires_at, frozen_at FROM services ORDER BY 1")
        .all(),
      db.$client.query("SELECT id, state, sold_at, ends_at, voided_at FROM cards ORDER BY id").all(),
      db.$client.query("SELECT * FROM payments ORDER BY id").all(),
    ]);
  const before = worth();
  // whoever signs is nobody's account: a secret that was made here is tried at once
  const richer: string[] = [];
  for (const { operation, sent, query = "" } of rows)
    await undone(db, async () => {
      const [method = "", path = ""] = operation.split(" ");
      const { status } = await app.call(method, path + query, { ...sent, basic: callers.branch });
      if (worth() !== before) richer.push(`${operation}: ${status}`);
    });
  expect(richer).toEqual([]);
  for (const path of ["create", "rotate/1", "update/1"]) {
    const form = { isp_id: 1, kind: "signed", name: "own", method: "online" };
    const { status } = await app.call("POST", `${SOURCE}/${path}`, { form, basic: callers.branch });
    expect([path, status]).toEqual([path, 403]);
  }
});

/** The tenants with one of everything that a call could be about. */
const filledTenants = templateStore(async (db) => {
  await fillTenants(db);
  const world = { db, clock: { now: NOW } };
  openSession(world, 1);
  insertCertificate(db, NOW, 1);
  insertConfigs(db, 1, NOW);
  addUnused(world);
  insertBulk(world);
  insertMove(world);
  insertFeed(world);
  insertKey(world);
  insertWebhook(world);
  insertCards(db, NOW);
  insertFinding(db);
  insertOutage(db, 1, 1, 1);
  refuseLogin(db);
  fillMoney(db, NOW);
  insertArrived(db, NOW);
});

function addUnused({ db: { $client } }: Pick<Tenants, "db">): void {
  $client.run("INSERT INTO isps (id, name) VALUES (6, 'Spare')");
  for (const table of ["branches", "cities", "areas", "subareas"])
    $client.run(`INSERT INTO ${table} (id, isp_id, name) VALUES (6, 1, 'Spare')`);
  $client.run(
    `INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at)
     VALUES (6, 1, 'Spare', 100, 'prepaid', 1, 'day', 0)`,
  );
  $client.run(
    `INSERT INTO address_pools (id, isp_id, name, range, created_at) VALUES (6, 1, 'spare', '10.29.0.1-10.29.0.9', 0)`,
  );
}

describe("whose a new row is, where the operator of the box names no ISP", () => {
  const naming = rows.filter(
    ({ operation, sent }) =>
      operation.startsWith("POST") && sent.form?.["isp_id"] === 1 && !operation.endsWith("/isp/create"),
  );
  /** What may be the whole box's, or has to be named by the contract. */
  const others = new Set([
    `${SUBSCRIBER}/create`,
    `${SETTING}/set`,
    "/api/v1/webhook/create",
    "/api/v1/channel/create",
  ]);
  const unnamed = (form: Sent["form"]) =>
    Object.fromEntries(Object.entries(form ?? {}).filter(([name]) => name !== "isp_id"));
  const worlds: Partial<Record<"several" | "only", Tenants>> = {};
  beforeAll(async () => {
    worlds.several = temporaryApp({}, await filledTenants());
    worlds.only = temporaryApp({}, await filledTenants());
    for (const { db, clock } of Object.values(worlds)) addMessages(db, clock.now);
    worlds.only.db.$client.run("PRAGMA foreign_keys = OFF");
    worlds.only.db.$client.run("DELETE FROM isps WHERE id <> 1");
  });
  afterAll(() => Object.values(worlds).forEach((world) => world[Symbol.dispose]()));
  test.each(naming.map(({ operation, sent }) => [operation, sent] as const))(
    "%s",
    async (operation, sent) => {
      const path = operation.replace("POST ", "");
      const answers: Record<string, number> = {};
      for (const [name, app] of Object.entries(worlds))
        await undone(app.db, async () => {
          const form = unnamed(sent.form);
          answers[name] = (await app.call("POST", path, { ...sent, form, basic: callers.operator })).status;
        });
      if (path === `${SUBSCRIBER}/create`) return expect(answers).toEqual({ several: 400, only: 400 });
      expect(answers).toEqual({ several: others.has(path) ? 200 : 400, only: 200 });
    },
  );
});

interface Served {
  method: string;
  path: string;
  hooks: { detail: Description };
}

test("the table has every operation of HTTP Basic", async () => {
  using app = await withTenants();
  const routes: Served[] = app.app.routes;
  const managed = routes
    .filter(({ hooks }) => typeof hooks.detail.access === "object")
    .map(({ method, path }) => `${method} ${path}`);
  const tested = rows.map(({ operation }) =>
    operation.replace(/\?.*/, "").replace(/\/\d+$/, operation.includes(ROLE) ? "/:code" : "/:id"),
  );
  expect(tested.sort()).toEqual(managed.sort());
});

test("every operation that a file of routes declares is served", async () => {
  using app = await withTenants();
  const routes: Served[] = app.app.routes;
  const served = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const declared = new Set<string>();
  for (const file of new Glob("*.ts").scanSync(ROUTES))
    for (const [name, value] of Object.entries<unknown>(await import(join(ROUTES, file))))
      if (name.endsWith("Operations"))
        for (const { method, path } of value as Managed[]) declared.add(`${method} ${path}`);
  expect(declared.size).toBe(rows.length);
  expect([...declared].filter((operation) => !served.has(operation))).toEqual([]);
});

test("every flag that an operation of HTTP Basic needs can be set in a role", async () => {
  using app = await withTenants();
  const routes: Served[] = app.app.routes;
  const needed = routes.flatMap(({ hooks: { detail } }) =>
    typeof detail.access === "object" ? [detail.access.flag] : [],
  );
  expect(needed.length).toBeGreaterThan(10);
  expect(new Set(needed).difference(new Set(flagNames(app.db)))).toEqual(new Set());
});

describe("lists show what the caller sees", () => {
  const ids = (body: unknown) => (Array.isArray(body) ? body.map(({ id }) => id) : body);
  test.each([
    ["an Admin", callers.admin, [1, 2]],
    ["the operator", callers.operator, [1, 2, 9]],
    ["a reseller", callers.reseller, [1]],
    ["another reseller", callers.otherReseller, []],
    ["a branch", callers.branch, [1]],
    ["another branch", callers.otherBranch, [2]],
    ["another tenant", callers.otherTenant, [9]],
  ])("%s", async (_caller, basic, expected) => {
    using app = await withTenants();
    const answer = await app.call("GET", `${SUBSCRIBER}/list`, { basic });
    expect(ids(answer.body)).toEqual(expected);
    expect(answer.headers.get("x-total-count")).toBe(String(expected.length));
  });

  test.each([
    ["isp_id=1", [1, 2]],
    ["isp_id=2", [9]],
    ["isp_id=0", [1, 2, 9]],
    ["isp_id=", [1, 2, 9]],
    ["branch_id=12", [2]],
    ["isp_id=2&branch_id=12", []],
    ["isp_id=3", []],
  ])("the operator narrows with %s", async (query, expected) => {
    using app = await withTenants();
    const { body } = await app.call("GET", `${SUBSCRIBER}/list?${query}`, { basic: callers.operator });
    expect(ids(body)).toEqual(expected);
  });

  test.each([
    ["isp_id=2", callers.admin, []],
    ["branch_id=12", callers.branch, []],
    ["branch_id=11", callers.admin, [1]],
  ])("narrowing never widens: %s", async (query, basic, expected) => {
    using app = await withTenants();
    expect(ids((await app.call("GET", `${SUBSCRIBER}/list?${query}`, { basic })).body)).toEqual(expected);
  });
});
