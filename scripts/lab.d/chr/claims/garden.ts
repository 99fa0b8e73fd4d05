import { must } from "../../run-steps.ts";
import type { Claim } from "../claim.ts";
import type { ChrLab } from "../chr-lab.ts";
import { House } from "../house.ts";
import { EXPIRED, PAID, subscriber } from "../isp.ts";
import { WORLD } from "../place.ts";
import { NAMES } from "../world.ts";

/** Seconds after its end within which what a line had open has to be over. */
const OLD = 5;
/** Who expires while its line is up: after so many seconds. */
const BRIEF = { username: "brief", seconds: 60 };

/** Packets that rules counted which have these values. */
async function countPackets(
  { router }: ChrLab,
  menu: string,
  only: Readonly<Record<string, string>>,
): Promise<number> {
  const rules = (await router.print(menu, only)) ?? [];
  if (rules.length === 0) throw new Error(`${menu} has no rule of ${JSON.stringify(only)}`);
  return rules.reduce((sum, rule) => sum + Number(rule["packets"] ?? 0), 0);
}

/** Whether nothing of a house reaches the world. */
async function requireShut({ world }: ChrLab, house: House): Promise<void> {
  const before = world.pages;
  await house.fetch(`http://${WORLD}/`);
  must(world.pages === before, "a page of the world was reached");
  const answered = await house.ping(WORLD, 5);
  must(answered === 0, `the world answered ${answered} of 5 pings`);
}

export const gardenClaims: readonly Claim[] = [
  {
    what: "by packets: who has paid reaches the world, who has expired the portal in its place",
    by: "lines",
    run: async (lab) => {
      const house = await House.of(lab);
      await house.line(PAID);
      must((await house.fetch(`http://${WORLD}/`)) === "the world", "who has paid does not reach it");
      await house.hangUp();
      await house.line(EXPIRED);
      const sent = { action: "dst-nat", protocol: "tcp", comment: "gatehouse" };
      const before = await countPackets(lab, "/ip/firewall/nat", sent);
      await requireShut(lab, house);
      const after = await countPackets(lab, "/ip/firewall/nat", sent);
      await house.hangUp();
      must(after > before, "its page was not sent to the portal");
      return "no page and no ping of who has expired arrives; the page was sent to the portal";
    },
  },
  {
    what: "by packets: FastTrack takes no connection of a line",
    by: "lines",
    run: async (lab) => {
      const house = await House.of(lab);
      const address = await house.line(PAID);
      must((await house.fetch(`http://${WORLD}/file`, "none")) !== undefined, "the file did not come");
      const rows = (await lab.router.print("/ip/firewall/connection")) ?? [];
      const own = rows.filter((row) => row["src-address"]?.startsWith(`${address}:`));
      await house.hangUp();
      must(own.length > 0, "the router tracked no connection of the line");
      const taken = own.filter((row) => row["fasttrack"] === "true");
      must(taken.length === 0, `it took ${taken.length} of ${own.length}`);
      return `none of the ${own.length} of a line`;
    },
  },
  {
    what: "by packets: names of the garden, whatever server is asked, and no more than 30 at once",
    by: "lines",
    run: async (lab) => {
      const house = await House.of(lab);
      await house.line(EXPIRED);
      must(await house.asks(NAMES[0] ?? "", WORLD), "a name was not answered");
      const over = { action: "drop", protocol: "udp", "dst-port": "53", comment: "gatehouse" };
      const before = await countPackets(lab, "/ip/firewall/filter", over);
      const answers = await Promise.all(NAMES.map((name) => house.asks(name, WORLD)));
      const dropped = (await countPackets(lab, "/ip/firewall/filter", over)) - before;
      await house.hangUp();
      must(dropped > 0, `of ${NAMES.length} questions at once none was dropped`);
      return `${answers.filter(Boolean).length} of ${NAMES.length} at once, ${dropped} packets dropped`;
    },
  },
  {
    what: `by packets: who expires while the line is up has nothing left after ${OLD} s`,
    by: "lines",
    run: async (lab) => {
      const { username, seconds } = BRIEF;
      const subscribers = [subscriber(4, username, seconds)];
      await lab.gatehouse(["import", "-"], JSON.stringify({ subscribers }));
      const house = await House.of(lab);
      await house.line(username);
      must((await house.ping(WORLD, 5)) > 0, "the world does not answer while it is paid");
      await lab.until(
        "the line in the garden",
        async () =>
          ((await lab.router.print("/ip/firewall/address-list", { list: "expired" })) ?? []).length > 0,
        (seconds + 120) * 1000,
      );
      await Bun.sleep(OLD * 1000);
      await lab.until("the line, or its next one", async () => house.readAddress("line"));
      await requireShut(lab, house);
      await house.hangUp();
      return "it was up, went into the garden, and nothing of it arrives any more";
    },
  },
];
