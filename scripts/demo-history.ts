import { openStore, write } from "../db/open.ts";
import { noteGarden } from "../src/domain/goods/router-setup/garden.ts";
import { sumDays } from "../src/domain/money/sums/days.ts";
import { operator } from "../src/domain/core/actor/operator.ts";
import { planCards } from "./demo.d/cards.ts";
import { Deeds } from "./demo.d/deeds.ts";
import { writeLines } from "./demo.d/lines.ts";
import { sortLogins } from "./demo.d/logins.ts";
import { planArrived, planMessages, writeOutbox } from "./demo.d/messages.ts";
import { dateSubscribers, planMoney } from "./demo.d/money.ts";
import { routers } from "./demo.d/people.ts";

/*
 * Gives the demo ISP of a data folder the last 60 days: payments and activations by the operations that staff have, so that
 * books and sums are as they would be; sessions, logins and usage as accounting would have left them. demo-history.ts FOLDER,
 * at DEMO_NOW as scripts/demo-isp.ts
 */

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: scripts/demo-history.ts FOLDER");
const now = Math.floor(Number(process.env["DEMO_NOW"] ?? Date.now() / 1000));
const db = openStore(folder, { now });
db.$client.run("PRAGMA synchronous = OFF"); // whoever is interrupted begins anew
write(db, (tx) => {
  const deeds = new Deeds(now);
  planMoney(tx, deeds, now);
  planCards(tx, deeds, now);
  planMessages(tx, deeds, now);
  planArrived(tx, deeds, now);
  deeds.run();
  dateSubscribers(tx, now);
  for (const { id } of routers) noteGarden(tx, { id, ispId: 1, kind: "mikrotik" }); // they were set up long ago
  writeLines(tx.$client, now);
  writeOutbox(tx, now);
  sortLogins(tx.$client);
});
await sumDays(db, operator("gatehouse", "system"), { now });
db.$client.close();
