import { expect, test } from "bun:test";
import { checkSetup } from "../../../src/domain/machine/check/check.ts";
import { SPARE_SESSIONS } from "../../../src/domain/service/accounting/holder-limit.ts";
import { aSubscriber, by } from "../../support/isp.ts";
import { TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

const subscribers = [aSubscriber(1), aSubscriber(2)];

function session(i: number, username = "user1") {
  return [
    ["User-Name", username],
    ["Acct-Session-Id", `flood-${username}-${i}`],
    [
      "Calling-Station-Id",
      `02:00:00:00:${(i >> 8).toString(16).padStart(2, "0")}:${(i & 255).toString(16).padStart(2, "0")}`,
    ],
    ["Framed-IP-Address", `10.9.${i >> 8}.${i & 255}`],
  ] as const;
}

const openOf = ({ db }: TestHandlers) =>
  db.$client
    .query<{ session: string }, []>(
      "SELECT acct_session_id AS session FROM sessions WHERE stopped_at IS NULL ORDER BY id",
    )
    .all()
    .map((row) => row.session);

test("open sessions of a subscriber are bounded: those heard of longest ago are closed as lost, and told", async () => {
  await using handlers = await TestHandlers.open({ subscribers });
  const most = 2 * 1 + SPARE_SESSIONS;
  await handlers.account("Start", session(700, "user2"));
  for (let i = 0; i < most + 30; i++) {
    handlers.clock.now = NOW + i;
    await handlers.account("Start", session(i));
    const ofUser1 = openOf(handlers).length - 1;
    expect(ofUser1).toBeLessThanOrEqual(most);
    // what is closed makes room for a few, so that a flood is not looked through at each Start
    expect(ofUser1).toBeGreaterThanOrEqual(Math.min(i + 1, most - 6));
  }
  const open = openOf(handlers);
  expect(open).toContain("flood-user2-700");
  expect(open).toContain(`flood-user1-${most + 29}`);
  expect(open).not.toContain("flood-user1-0");
  const lost = handlers.db.$client
    .query("SELECT count(*) AS n FROM sessions WHERE closed_by = 'lost' AND stopped_at = updated_at")
    .get();
  expect(lost).toEqual({ n: most + 31 - open.length });
  expect(checkSetup(handlers.db, by, { now: NOW })).toContainEqual(
    expect.objectContaining({ subject: "sessions", message: expect.stringContaining("sessions of user1") }),
  );

  // one that turns out to go on is open again, and counts
  await handlers.account("Interim-Update", [...session(0), ["Acct-Session-Time", 500]]);
  expect(openOf(handlers)).toContain("flood-user1-0");
  for (let i = 100; i < 100 + most; i++) await handlers.account("Start", session(i));
  expect(openOf(handlers).length - 1).toBeLessThanOrEqual(most);
});
