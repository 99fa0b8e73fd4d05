import { FakeNas } from "../../../test/support/fake-nas.ts";
import { FakeConfig } from "../../../test/support/fake-routeros-config.ts";
import { FakeRouteros } from "../../../test/support/fake-routeros.ts";
import { exporting, exportOf } from "../../../test/support/router-config.ts";
import { API_PORT, BOOKS, COA_PORT, SECRET } from "./place.ts";

/* A router that is none: what the tests know of RouterOS' menus, as a process that speaks its API and ends with its standard input. */

const [version = ""] = process.argv.slice(2);
const config = new FakeConfig(version);
for (const admin of config.rows("/user")) admin["password"] = ""; // as it is on the first boot
exporting(config, {
  get text() {
    return exportOf(config);
  },
});
config.commands["/radius/monitor"] = () => [
  ["!re", "=requests=0", "=accepts=0", "=rejects=0", "=timeouts=0", "=bad-replies=0"],
  ["!done"],
];

await FakeRouteros.start({
  config,
  at: { host: BOOKS, port: API_PORT },
  clock: () => {
    const now = new Date().toISOString();
    return { date: now.slice(0, 10), time: now.slice(11, 19), "gmt-offset": "+00:00" };
  },
});
/** It knows no session that it could end, which a router says by Error-Cause 503. */
await FakeNas.start(
  () => {
    const isOn = config.rows("/radius/incoming")[0]?.["accept"] === "true";
    return isOn ? { answer: "nak", errorCause: 503 } : { answer: "silence" };
  },
  { address: BOOKS, port: COA_PORT, secret: SECRET },
);
await Bun.stdin.bytes();
process.exit();
