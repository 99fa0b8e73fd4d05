import { FakeNas } from "../../support/fake-nas.ts";
import type { RadiusClient } from "../../support/radius-client.ts";
import { type Answer, Box } from "../box.ts";
import {
  activeUntil,
  anIsp,
  differs,
  faultOfLogin,
  faultOfTimes,
  login,
  neverActive,
  report,
  ROUTER,
  format,
  type Tell,
} from "./support.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONE = "Europe/Berlin";
const START = Date.UTC(2030, 2, 5, 12) / 1000;
/** A box that has run for some minutes no longer takes a leap for a clock that is being set at its start. */
const SETTLED = 15 * MINUTE;

const UNTIL = START + 10 * DAY;
/** Runs out within an hour, and long after the leap. */
const SOON = START + SETTLED + 45 * MINUTE;
const PAST = START - 30 * MINUTE;
const NEW = [10, 11, 12, 13];
const NAMES = [20, 21, 22, 23];

interface Scene {
  readonly box: Box;
  readonly router: RadiusClient;
  readonly nas: FakeNas;
  readonly tell: Tell;
  readonly leap: number;
  readonly bearer: Record<string, string>;
  octets: number;
  turn: number;
}

/** The clock of a running box leaps, comes back, and leaps for good. */
export async function leapScene(leap: number, tell: Tell): Promise<void> {
  using nas = await FakeNas.start();
  await using box = await Box.open({
    now: START,
    zone: ZONE,
    data: anIsp(nas.port, [
      activeUntil(1, format(UNTIL, ZONE)),
      activeUntil(2, format(PAST, ZONE)),
      activeUntil(3, format(SOON, ZONE)),
      ...NEW.map(neverActive),
      ...NAMES.map((id) => activeUntil(id, format(UNTIL, ZONE))),
    ]),
  });
  const router = box.router(ROUTER);
  await box.pass(SETTLED);
  for (const id of [1, 3]) await report(router, "Start", id);
  const bearer = { authorization: `Bearer ${await staffToken(box)}` };
  const scene: Scene = { box, router, nas, tell, leap, bearer, octets: 0, turn: 0 };

  await lookAt(scene, "before it", START + SETTLED);
  box.clocks.leap(leap);
  await lookAt(scene, "right after it", START + SETTLED);
  await box.pass(MINUTE);
  await lookAt(scene, "a minute after it", START + SETTLED + MINUTE);
  box.clocks.leap(-leap);
  await box.pass(MINUTE);
  await lookAt(scene, "after it was taken back", START + SETTLED + 2 * MINUTE);
  await leapForGood(scene);
}

async function staffToken(box: Box): Promise<string> {
  const { body } = await box.call("POST", "/api/v1/users/login", { email: "ada", password: "secret-1" }, {});
  const { data } = body;
  return typeof data === "object" && data !== null && "token" in data ? String(data.token) : "";
}

/** Everything is as it should be at `now`, whatever the wall clock says. */
async function lookAt(scene: Scene, when: string, now: number): Promise<void> {
  const { box, router, nas, bearer } = scene;
  const tell: Tell = (fault) => scene.tell(fault && `${when}: ${fault}`);
  tell(faultOfLogin("an active subscriber", await login(router, 1), { left: UNTIL - now }));
  tell(faultOfLogin("an expired one", await login(router, 2), { rejected: "expired" }));
  tell(faultOfLogin("one with minutes left", await login(router, 3), { left: SOON - now }));
  await lookAtUsage(scene, tell, now);
  await lookAtActivation(scene, tell, now);
  await lookAtLimiter(scene, tell);
  const { status } = await box.call("GET", "/api/v1/users/profile", undefined, bearer);
  tell(differs("a staff token's status", status, 200));
  for (const [id, state, until] of [
    [1, "active", UNTIL],
    [2, "expired", PAST],
    [3, "active", SOON],
  ] as const) {
    const { body } = await box.call("GET", `/api/v1/subscriber/get/${id}`);
    tell(differs(`the state of user${id}`, body["profile_status"], state));
    tell(differs(`the end of user${id}`, body["current_expiration_date"], format(until, ZONE)));
  }
  tell(differs("requests to the router", nas.requests.length, 0));
  tell(faultOfTimes(box));
  scene.turn++;
}

/** What is used belongs to the day that it is, and the session stays open. */
async function lookAtUsage(scene: Scene, tell: Tell, now: number): Promise<void> {
  const { box, router } = scene;
  scene.octets += 1000;
  const time = now - START - SETTLED + 1;
  await report(router, "Interim-Update", 1, { time, octets: scene.octets });
  const days = box.rows("SELECT day, input_octets FROM usage_days WHERE subscriber_id = 1");
  tell(differs("the usage by day", days, [{ day: 20300305, input_octets: scene.octets }]));
  const open = box.rows("SELECT subscriber_id AS id FROM sessions WHERE stopped_at IS NULL ORDER BY 1");
  tell(differs("who is online", open, [{ id: 1 }, { id: 3 }]));
}

/** A month that is sold now begins now; the next sale has to wait for two minutes, and no longer. */
async function lookAtActivation({ box, turn }: Scene, tell: Tell, now: number): Promise<void> {
  const user = String(NEW[turn]);
  const activate = () => box.call("POST", "/api/v1/activation/activate", { user_id: user, package_id: "1" });
  const sold = await activate();
  tell(differs("the status of an activation", sold.status, 200));
  const until = Date.parse(`${String(sold.body["new_expiration"]).replace(" ", "T")}Z`);
  const expected = Date.parse(`${format(now, ZONE).replace(" ", "T").replace("-03-", "-04-")}Z`);
  const isThen = Math.abs(until - expected) <= 60_000;
  tell(isThen ? undefined : `a month sold at ${format(now, ZONE)} ends at ${sold.body["new_expiration"]}`);
  tell(faultOfPause("a second activation", await activate(), 120));
  const [invoice] = box.rows<{ at: number }>(
    "SELECT created_at AS at FROM invoices WHERE subscriber_id = ?",
    user,
  );
  const isDated = invoice && Math.abs(invoice.at - now) <= 60;
  tell(isDated ? undefined : `an invoice of ${format(now, ZONE)} is dated ${invoice?.at}`);
}

/** Five logins a minute, and not one less for what the clock does. */
async function lookAtLimiter({ box, turn }: Scene, tell: Tell): Promise<void> {
  const attempt = (password: string) =>
    box.call("POST", "/api/v1/subscriber/login", { username: `user${NAMES[turn]}`, password }, {});
  for (let i = 0; i < 4; i++) await attempt("wrong");
  tell(differs("the status of a fifth login", (await attempt(`pw-${NAMES[turn]}`)).status, 200));
  tell(faultOfPause("a sixth login", await attempt(`pw-${NAMES[turn]}`), 60));
}

function faultOfPause(what: string, { status, headers }: Answer, longest: number): string | undefined {
  const pause = Number(headers.get("retry-after"));
  return status === 429 && pause >= 1 && pause <= longest
    ? undefined
    : `${what} is answered with ${status} and Retry-After ${headers.get("retry-after")}`;
}

/** The clock leaps and stays there: after an hour it counts, and still nobody is locked out and no time is negative. */
async function leapForGood({ box, router, tell, leap, nas }: Scene): Promise<void> {
  box.clocks.leap(leap);
  // a thread counts the hour from when it looked for the first time, which on a busy machine is some of these steps later
  for (let minutes = 5; minutes <= 100; minutes += 5) {
    await box.pass(5 * MINUTE);
    await router.status("auth"); // no login: its thread has to notice the time by itself
    await report(router, "Interim-Update", 1, { time: minutes * MINUTE + HOUR, octets: 1e6 + minutes });
  }
  const now = START + SETTLED + 102 * MINUTE + leap;
  const expected = now < UNTIL ? { left: UNTIL - now } : { rejected: "expired" };
  tell(faultOfLogin("when it had stood for an hour: a subscriber", await login(router, 1), expected));
  const { status } = await box.call("POST", "/api/v1/activation/activate", { user_id: "2", package_id: "2" });
  tell(differs("when it had stood for an hour: the status of an activation", status, 200));
  const user = { username: `user${NAMES[0]}`, password: `pw-${NAMES[0]}` };
  const signedIn = await box.call("POST", "/api/v1/subscriber/login", user, {});
  tell(differs("when it had stood for an hour: the status of a login", signedIn.status, 200));
  if (leap < DAY) await stopAll(box, router, tell);
  tell(faultOfTimes(box));
  const wrong = nas.requests.some(({ attributes }) =>
    attributes.some(([type, value]) => type === 1 && value === NAME_1),
  );
  tell(wrong && leap < DAY ? "a subscriber with days left was disconnected" : undefined);
}

const NAME_1 = Buffer.from("user1").toString("hex");

async function stopAll(box: Box, router: RadiusClient, tell: Tell): Promise<void> {
  await report(router, "Stop", 1, { time: 3 * HOUR, octets: 2e6 });
  const [session] = box.rows<{ time: number; input: number; closed: string }>(
    "SELECT session_time AS time, input_octets AS input, closed_by AS closed FROM sessions WHERE subscriber_id = 1",
  );
  tell(differs("the session at its end", session, { time: 3 * HOUR, input: 2e6, closed: "stop" }));
}
