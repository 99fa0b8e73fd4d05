import { expect, test } from "bun:test";
import { toldText } from "../../src/http/console/pages/import/told.tsx";
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
    'column "Expiry": "next month" is no date that can be read',
    'column "Expiry": "next month" is no date that can be read',
  ],
])("%s", (told, shown) => {
  using store = temporaryStore();
  const request = new Request("http://localhost/", { headers: { "accept-language": "en-US" } });
  expect(toldText(consoleViewFor(store.db, { request, now: NOW }), told)).toBe(shown);
});
