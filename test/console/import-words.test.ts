import { expect, test } from "bun:test";
import { toldText } from "../../src/http/console/pages/import/notices.tsx";
import { consoleViewFor } from "../../src/http/console/view.ts";
import { NOW, temporaryStore } from "../support/store.ts";

/* The report of an import as its page says it. */

test.each([
  [
    'Columns were read so: "Telephone" as mobile_number, "Ends" as expires_at (by a part of its name), "Mail" as email',
    'Columns were read so: "Telephone" as Mobile number, "Ends" as Expiry (by a part of its name), "Mail" as E-mail',
  ],
  [
    "was here before: duration is 1 there, 30 here; duration_unit is month there, day here",
    "was here before: Length of a period is 1 there, 30 here; Unit of the length is month there, day here",
  ],
  ["mobile_number is 1 there, 2 here", "Mobile number is 1 there, 2 here"],
  ["ends here on 2030-02-15 12:00:00", "ends here on Feb 15, 2030, 12:00"],
  ["has another password here", "has another password here"],
  [
    "rate_limit is 2500k/10M there, 0/0 here; price is 5.00 there, 6.00 here",
    "Rate, both ways is 2.5 Mbit/s up, 10 Mbit/s down there, no limit here; Price is 5.00 there, 6.00 here",
  ],
  [
    "1M/2M 2M/4M 1M/1M 8 8 256k/512k, 50.0 GB, then 512k/1M, 2 at once, 1 month",
    "1 Mbit/s up, 2 Mbit/s down, with bursts, 50.0 GB, then 512 kbit/s up, 1 Mbit/s down, 2 at once, 1 month",
  ],
  ["another package is called 10M/20M already", "another package is called 10M/20M already"],
  [
    'column "Expiry": "next month" is no date that can be read',
    'column "Expiry": "next month" is no date that can be read',
  ],
])("%s", (notices, expected) => {
  using store = temporaryStore();
  const request = new Request("http://localhost/", { headers: { "accept-language": "en-US" } });
  expect(toldText(consoleViewFor(store.db, { request, now: NOW }), notices)).toBe(expected);
});
