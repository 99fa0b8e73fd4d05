import { FakeNas } from "../../support/fake-nas.ts";
import { Box } from "../box.ts";
import type { Extent } from "../trial.ts";
import {
  activeUntil,
  anIsp,
  differs,
  faultOfLogin,
  faultOfTimes,
  login,
  report,
  ROUTER,
  format,
  type Tell,
} from "./support.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const START = Date.UTC(2030, 0, 15, 21) / 1000;
const UNTIL = START + 10 * DAY;
const PAST = START - HOUR;
const ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"];

/** The box moves from zone to zone: who was sold how long, and who is online, does not. */
export async function zoneScene(tellAll: Tell, { isShort }: Pick<Extent, "isShort">): Promise<void> {
  const zones = isShort ? [ZONES.at(0) ?? "", ZONES.at(-1) ?? ""] : ZONES;
  using nas = await FakeNas.start();
  const [home = ""] = zones;
  await using box = await Box.open({
    now: START,
    zone: home,
    data: anIsp(nas.port, [activeUntil(1, format(UNTIL, home)), activeUntil(2, format(PAST, home))]),
  });
  await report(box.router(ROUTER), "Start", 1);
  for (const [turn, zone] of zones.entries()) {
    const tell: Tell = (fault) => tellAll(fault && `in ${zone}: ${fault}`);
    if (turn > 0) await box.moveTo(zone);
    await box.pass(120);
    const router = box.router(ROUTER);
    tell(faultOfLogin("an active subscriber", await login(router, 1), { left: UNTIL - box.now }));
    tell(faultOfLogin("an expired one", await login(router, 2), { rejected: "expired" }));
    for (const [id, until] of [
      [1, UNTIL],
      [2, PAST],
    ] as const) {
      const { body } = await box.call("GET", `/api/v1/subscriber/get/${id}`);
      tell(differs(`the end of user${id}`, body["current_expiration_date"], format(until, zone)));
    }
    const time = box.now - START;
    await report(router, "Interim-Update", 1, { time, octets: time });
    const [session] = box.rows(
      "SELECT started_at, session_time, stopped_at, input_octets FROM sessions WHERE subscriber_id = 1",
    );
    const open = { started_at: START, session_time: time, stopped_at: null, input_octets: time };
    tell(differs("the open session", session, open));
    tell(faultOfTimes(box));
  }
  tellAll(differs("requests to the router", nas.requests.length, 0));
  const renewed = await box.call("POST", "/api/v1/activation/activate", { user_id: "1", package_id: "3" });
  // another package counts from now
  tellAll(
    differs("a day of 24 hours", renewed.body["new_expiration"], format(box.now + DAY, zones.at(-1) ?? "")),
  );
}
