import { Notes } from "../notes.ts";
import { drawing, type Extent, type Outcome, type Trial } from "../trial.ts";
import { cutOff } from "./cut-off.ts";
import { illBoxes } from "./ill.ts";
import { killParts } from "./kills.ts";
import { losePrimary } from "./lost-books.ts";
import { Network } from "./network.ts";
import { changesAnswered, costOfBoxes } from "./rates.ts";

/** Books, two access boxes and their nats-server, each of which dies, stands still, or is not reached. */
export const boxes: Trial = { name: "boxes", run };

async function run({ isShort, isLong, seed, log }: Extent): Promise<Outcome> {
  const notes = new Notes();
  const subscribers = isShort ? 60 : 2000;
  const blows = isShort ? { count: 1, workers: 3, pace: 20 } : { count: 50, workers: 8, pace: 0 };
  const lost = isShort ? { count: 1, tills: 1, life: 500 } : { count: 20, tills: 4, life: 3000 };
  {
    await using network = await Network.open(subscribers);
    if (!(await network.until(() => network.isPublished()))) {
      notes.fault("boxes never heard of the subscribers");
      return notes.outcome;
    }
    await changesAnswered(network, notes, isShort ? 0.3 : 20, !isShort);
    await killParts(network, notes, { ...blows, draw: drawing(seed), subscribers, log });
    await cutOff(network, notes, {
      seconds: isShort ? 1 : isLong ? 3600 : 60,
      rate: isShort ? 100 : 500,
      subscribers,
    });
    const logged = [network.primary, ...network.boxes].flatMap(({ name, appliance }) =>
      appliance.log
        .split("\n")
        .filter((line) => /"level":(?:50|60)/.test(line))
        .map((line) => `${name}: ${line}`),
    );
    for (const line of logged.slice(0, 5)) log(line);
    notes.expect(logged.length === 0, "a server logged an error of its own");
    if (isShort) await losePrimary(notes, { ...lost, network, draw: drawing(seed + 1), log });
  }
  if (isShort) return notes.outcome;
  await illBoxes(notes);
  await losePrimary(notes, { ...lost, draw: drawing(seed + 1), log });
  await costOfBoxes(notes, { subscribers: 50_000, rounds: 7, log });
  return notes.outcome;
}
