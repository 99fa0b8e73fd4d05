import { faultOf, historyOf, startSession } from "../traffic.ts";
import { type Device, note, pick, type World } from "../world.ts";
import type { Card } from "./terms.ts";

const METHODS = ["pap", "chap", "mschap", "mschapv2"] as const;

/** A guest tries a code, its own or somebody else's, written as people do; the answer must be what the model says. */
export async function logInByCard(world: World, device: Device): Promise<void> {
  const { box, model, draw, faults, counts } = world;
  const card = cardFor(world, device);
  if (!card) return;
  device.card = card;
  device.username = pick(draw, namesOf(card));
  const { router, mac, username } = device;
  const method = pick(draw, METHODS);
  const isRight = draw() >= 0.04;
  const verdict = model.cardLogin({ card, isRight, mac, router: router.address }, box.now);
  const reply = await router.client.access({
    name: username,
    password: isRight ? pick(draw, passwordsOf(card, username, method)) : "wrong",
    method,
    attributes: [
      ["Service-Type", "Login-User"],
      ["NAS-Port-Type", "Wireless-802.11"],
      ["Calling-Station-Id", mac],
      ["NAS-Port-Id", `port${device.number}`],
    ],
  });
  counts.cardLogins++;
  const verdictText = "reject" in verdict ? verdict.reject : "accepted";
  note(world, card.name, `login of ${mac} at ${router.address} by ${method}: ${verdictText}`);
  const fault = faultOf(verdict, reply);
  if (fault) faults.push(`${fault}; ${historyOf(world, card.name)}`);
  if ("reject" in verdict || !verdict.grant || reply?.code !== "Access-Accept") return;
  await written(world, card);
  if (draw() < 0.1) return; // the guest walks away
  const sessionClass = router.echoesClass ? reply.attributes["Class"]?.[0] : undefined;
  await startSession(world, device, verdict.grant, {
    sessionClass: Buffer.isBuffer(sessionClass) ? sessionClass : undefined,
    timeout: Number(reply.attributes["Session-Timeout"]?.[0]),
  });
}

/** The first use and the lock follow the Accept, which waits for nobody. */
async function written({ box, faults }: World, card: Card): Promise<void> {
  const state = () =>
    JSON.stringify(
      box.rows("SELECT first_used_at AS at, locked_mac AS mac FROM cards WHERE id = ?", card.id)[0],
    );
  const shouldBe = JSON.stringify({ at: card.firstUsedAt, mac: card.lockedTo });
  const isDone = await box.eventually(() => state() === shouldBe, state);
  if (!isDone) faults.push(`the first use of ${card.name} is ${state()} in place of ${shouldBe}`);
}

/** Mostly the one that it has while that is good, else another; now and then one that opens nothing. */
function cardFor({ model, draw, box, devices }: World, { card }: Device): Card | undefined {
  const { all } = model.cards;
  const isGood = (one: Card) => one.batch.kind === "access" && !model.cards.isOver(one, box.now);
  const luck = draw();
  if (luck < 0.04 && all.length > 0) return pick(draw, all);
  const others = devices.flatMap((one) => (one.card && isGood(one.card) ? [one.card] : []));
  if (luck < 0.14 && others.length > 0) return pick(draw, others);
  if (card && (isGood(card) || luck < 0.3)) return card;
  const fresh = all.filter(
    (one) => isGood(one) && (one.state === "sold" || (one.state === "new" && !one.batch.needsSale)),
  );
  return fresh.length > 0 ? pick(draw, fresh) : undefined;
}

const grouped = (code: string) => (code.match(/.{1,4}/g) ?? []).join("-");

/** How people and pages write a code as a name. */
function namesOf({ code }: Card): string[] {
  const small = code.toLowerCase();
  return [
    code,
    code,
    small,
    grouped(code),
    grouped(small),
    `hotspot\\${small}`,
    `${code}@wifi`,
    ` ${small} `,
  ];
}

/** What proves it: any writing where it comes in clear, else those that can be tried. */
function passwordsOf({ code }: Card, name: string, method: (typeof METHODS)[number]): string[] {
  const tried = [code, code.toLowerCase(), "", ...(name.includes("\\") || name.includes("@") ? [] : [name])];
  return method === "pap" ? [...tried, `${grouped(code.toLowerCase())} `, code.split("").join(" ")] : tried;
}
