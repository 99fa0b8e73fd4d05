import { consoleRoutes } from "../../src/http/console/routes.ts";
import { COLUMNS, TRIED, WORKING } from "./console-world.ts";
import { NOW } from "./store.ts";
import { callers } from "./tenants.ts";

const parameters: Record<string, string> = {
  ...Object.fromEntries(
    ["", "/entries.csv", "/top-up", "/pay-out", "/correct"].map((end) => [
      `/console/money/wallets/:id${end} id`,
      "2",
    ]),
  ),
  "/console/boxes/:number number": "B-1",
  "/console/settings/import/new/:source source": "csv",
  ...Object.fromEntries(
    ["", "/told.csv"].map((end) => [`/console/settings/import/runs/:id${end} id`, TRIED]),
  ),
  ...Object.fromEntries(
    ["", "/edit", "/rotate", "/revoke"].map((end) => [`/console/settings/keys/:id${end} id`, "50"]),
  ),
  "/console/help/:page page": "take-payments",
  kind: "city",
  preset: "paystack",
  "/console/messages/channels/new/:preset preset": "twilio",
  "/console/settings/set/:key key": "auto_renew_lead",
  "/console/settings/group/:group group": "money",
};

const backup = `gatehouse-${new Date(NOW * 1000).toISOString().slice(0, 19).replaceAll(":", "")}Z.db`;

/** Further queries of a path; every page is also opened without one. */
const also: readonly string[] = [
  "/console/online?router=1&package=1&area=1&pay=1&houses=1&sort=-up",
  ...[
    "/console/reports/sales?per=month&by=salesperson&beside=before&sort=-difference",
    "/console/reports/owed?by=area",
  ],
  "/console/reports/traffic?group=package&per=month",
  "/console/reports/online?group=nas&resolution=minute",
  ...["a4-10&from=1&to=3&template=1", "a4-48&from=1", "roll-58&from=1", "roll-80&to=2"].map(
    (query) => `/console/cards/batches/1/print?sheet=${query}`,
  ),
  ...["", "&state=waiting", "&state=failed"].map((state) => `/console/settings/webhooks/1?${state}`),
  ...["signed", "own", "mpesa_c2b"].map((preset) => `/console/settings/payment-sources/new/${preset}`),
  ...["smtp", "own", "sms_get"].map((preset) => `/console/messages/channels/new/${preset}`),
  ...["?view=all", "/1?q=user1", "/1/assign?to=1"].map((query) => `/console/money/arrived${query}`),
  ...[
    "?state=failed&channel=1",
    "?state=waiting&rule=1&user=1",
    "/3",
    "/4",
    "/again?channel=1",
    "/cancel?rule=1",
  ].map((query) => `/console/messages${query}`),
  "/console/subscribers/1?kind=messages",
  "/console/trail?entity=subscriber&entity_id=1&from=2020-01-01&to=2031-01-01",
  "/console/logins?outcome=rejected&reason=mac_locked&router=1&who=user1&kind=pppoe",
  ...["/console/subscribers?status=active,expired&line=online&sort=-balance", "/console/search?q=user"],
  ...["/console/routers?show=look&q=co", "/console/routers/1?span=month"],
  ...["/console/routers/1/setup?also=hotspot,walled", "/console/routers/test-login?username=user1"],
  "/console/subscribers/bulk?operation=extend&id=1&id=2",
  ...["id=1&id=2", "outage=1"].map((whom) => `/console/subscribers/bulk?operation=message&${whom}`),
  "/console/subscribers?branch=11&city=1&subarea=1",
  ...["/console/settings/places?q=block", "/console/settings/staff?q=a&kind=2&role=1&status=1"],
  ...["/console/settings/places/area/1", "/console/settings/places/branch/11/remove"],
  ...["/console/settings/staff/2", "/console/settings/staff/4/may", "/console/settings/roles/2"],
  "/console/subscribers/bulk?operation=area&all=1&status=active",
  ...[COLUMNS, WORKING].map((id) => `/console/settings/import/runs/${id}`),
  ...[
    "/console/settings?q=pay",
    "/console/settings?q=nothing+like+it",
    "/console/settings/set/payment_methods",
  ],
  ...["home", "expired", "walled"].map(
    (page) => `/console/settings/branding/preview?page=${page}&scheme=dark`,
  ),
  ...["?kind=access&package=1&reseller=none&show=open", "?reseller=2", "?kind=package"].map(
    (query) => `/console/cards${query}`,
  ),
  ...["refill", "package", "access&package_id=2"].map((kind) => `/console/cards/new?kind=${kind}`),
  ...[
    "1?standing=active",
    "1?standing=new&page=2",
    "1/cards.csv?standing=sold",
    "1/sell?from=7&to=9",
    "1/receipt?paper=a4",
    "2",
    "2/void",
  ].map((batch) => `/console/cards/batches/${batch}`),
  ...["2", "3", "4", "5", "6", "13", "14", "3/void", "14/sell"].map((card) => `/console/cards/${card}`),
  "/console/search?q=C-000003",
  ...["/console/packages/1?kind=cisco", "/console/routers/77/setup"],
  ...["2", "3"].map((box) => `/console/settings/access-boxes/${box}`),
  ...["try", "download"].map((work) => `/console/settings/backups/${work}?name=${backup}`),
];

export const pages: readonly string[] = [
  ...consoleRoutes
    .filter(({ method, path }) => method === "GET" && !isNoPage(path))
    .map(({ path }) =>
      path.replaceAll(
        /:(\w+)/g,
        (_, name: string) => parameters[`${path} ${name}`] ?? parameters[name] ?? "1",
      ),
    ),
  ...also,
];

export const adminOf = (path: string) =>
  /^\/console\/(start|settings\/(access-boxes|backups|appliance|languages))/.test(path)
    ? callers.operator
    : callers.admin;

/** What is read by the hour, and pictures. */
function isNoPage(path: string): boolean {
  return path === "/console/live" || path === "/console/help/pictures/:language/:name";
}
