import { must } from "../run-steps.ts";
import { type AccessLab, type Line, type Octets, type Session, type Step } from "./access-lab.ts";
import { portSession } from "./port-session.ts";
import { FIXED, type House, houses, inSeconds, makePassword, subscriber } from "./isp.ts";

/** What a modem says when it was not let in. */
const REFUSED = /authentication failed|E=691/i;
const PAP = "refuse-chap refuse-mschap refuse-mschap-v2 refuse-eap";
const CHAP = "refuse-pap refuse-mschap refuse-mschap-v2 refuse-eap";
const MSCHAP = "refuse-pap refuse-chap refuse-mschap refuse-eap require-mppe-128";

export const steps: readonly Step[] = [
  {
    what: "a line whose access server will die dials in",
    run: async (lab) => {
      const line = await lab.dial("killed", makePassword("killed"), PAP);
      await lab.traffic(line);
      const { input, output } = await lab.counters(line);
      return `up as ${line.interface}, ${input} and ${output} bytes`;
    },
  },
  billed("PAP", "pap", PAP, "PAP"),
  billed("CHAP (MD5)", "chap", CHAP, "CHAP"),
  billed("MS-CHAPv2 with MPPE of 128 bits", "mschap", MSCHAP, "MPPE 128-bit stateless compression enabled"),
  {
    what: "a wrong password",
    run: async (lab) => {
      for (const options of [PAP, CHAP, MSCHAP]) {
        const { code, output } = await lab.tryDial("plain", "wrong", options);
        must(code !== 0 && REFUSED.test(output), `${options}: pppd ended with ${code}: ${output}`);
      }
      must((await lab.session(houses.plain)) === undefined, "there is a session");
      return "pppd is refused with PAP, CHAP and MS-CHAPv2, and no session is in the books";
    },
  },
  {
    what: "a subscriber who has expired",
    run: async (lab) => {
      const { code, output } = await lab.tryDial("expired", makePassword("expired"), PAP);
      must(code !== 0 && REFUSED.test(output), `pppd ended with ${code}: ${output}`);
      const why = await lab.gatehouse("logins --user expired");
      must(/expired/.test(why), `the decision is: ${why}`);
      const message = /Remote message: (.+)/.exec(output)?.[1]?.replace(/\^J$/, ""); // the access server's client ends it with a line feed
      must(message !== undefined, `the subscriber was told nothing: ${output}`);
      return `refused, and the modem was told "${message}"`;
    },
  },
  {
    what: "what the Accept said, as pppd's radattr.so wrote it",
    run: async (lab) => {
      const line = await lab.dial("plain", makePassword("plain"), PAP);
      const output = await lab.root(`cat /var/run/radattr.${line.interface}`);
      await lab.hangUp(line);
      const rate = /^Mikrotik-Rate-Limit (.+)$/m.exec(output)?.[1];
      const interim = /^Acct-Interim-Interval (.+)$/m.exec(output)?.[1];
      must(rate === "10M/20M" && interim === "60", `it wrote: ${output}`);
      return `rate limit ${rate}, updates every ${interim} s`;
    },
  },
  {
    what: "a static address",
    run: async (lab) => {
      const line = await lab.dial("fixed", makePassword("fixed"), PAP);
      must(line.address === FIXED, `the house's interface has ${line.address}`);
      const seen = await balanced(lab, line, "fixed");
      must(seen.session.ip === FIXED, `the books say ${seen.session.ip}`);
      return `${FIXED} on both interfaces and in the books; ${seen.words}`;
    },
  },
  {
    what: "Session-Timeout: the paid time ends while the line is up",
    run: async (lab) => {
      await lab.gatehouse("import -", JSON.stringify({ subscribers: [subscriber("brief", inSeconds(75))] }));
      const line = await lab.dial("brief", makePassword("brief"), PAP);
      await lab.traffic(line);
      const counted = await lab.counters(line);
      await lab.untilGone(line, 120_000);
      const session = await lab.stopped(houses.brief);
      must(session.terminate_cause === "Session-Timeout", `it ended by ${session.terminate_cause}`);
      requireSame(session, counted);
      return `pppd cut it after ${session.session_time} s (Session-Timeout); ${words(counted)}`;
    },
  },
  {
    what: "Gatehouse is restarted while the line is up",
    run: async (lab) => {
      const line = await lab.dial("restart", makePassword("restart"), CHAP);
      await lab.traffic(line);
      await lab.stop();
      await lab.traffic(line);
      await lab.serve();
      const { words: output } = await balanced(lab, line, "restart");
      must((await lab.sessions(houses.restart)).length === 1, "there is more than one session");
      return `traffic before, while and after; one session, ${output}`;
    },
  },
  {
    what: "Gatehouse is away when the line ends",
    run: async (lab) => {
      const line = await lab.dial("away", makePassword("away"), PAP);
      await lab.traffic(line);
      const counted = await lab.counters(line);
      await lab.stop();
      const before = await lab.refusedDatagrams();
      await lab.root(`kill $(head -n 1 /run/ppp-${line.house}.pid)`);
      await lab.until("a Stop that nobody takes", async () => (await lab.refusedDatagrams()) > before);
      await lab.serve();
      const session = await lab.stopped(houses.away);
      requireSame(session, counted);
      return `pppd sends its Stop again until it is taken; ${words(counted)}`;
    },
  },
  {
    what: "the house's modem dies without a word",
    run: async (lab) => {
      const line = await lab.dial("cable", makePassword("cable"), CHAP);
      await lab.traffic(line);
      const counted = await lab.counters(line);
      await lab.root(`ip -n ${line.house} link set eth0 down`);
      await lab.untilGone(line);
      const session = await lab.stopped(houses.cable);
      requireSame(session, counted);
      return `the access server misses its echoes and sends a Stop (${session.terminate_cause}); ${words(counted)}`;
    },
  },
  {
    what: "the pppd of an access server is killed (SIGKILL): no Stop ever comes",
    run: async (lab) => {
      const line = await lab.findLine("killed");
      const counted = await lab.counters(line);
      await lab.until(
        "an update that has all of it",
        async () => {
          const session = await lab.session(houses.killed);
          return session?.input_octets === counted.input && session.output_octets === counted.output;
        },
        130_000,
      );
      const mac = await lab.root("ip netns exec killed cat /sys/class/net/eth0/address");
      await lab.root(`pkill -KILL -f '^pppd.*${mac}'`);
      const session = await lab.stopped(houses.killed, 240_000);
      must(session.terminate_cause === "lost", `it ended by ${session.terminate_cause}`);
      requireSame(session, counted);
      return `closed as lost when its updates were missing; ${words(counted)}, as of its last update`;
    },
  },
  portSession, // last: hostapd begins with an Accounting-On, which ends every session of its address
];

/** Dials in, moves traffic, hangs up, and compares. `proof` is in what pppd said when it is the way in that it should be. */
function billed(way: string, house: House, options: string, proof: string): Step {
  return {
    what: way,
    run: async (lab) => {
      const line = await lab.dial(house, makePassword(house), options);
      const output = (await lab.attempt(`cat /tmp/${house}.log`)).stdout;
      must(output.includes(proof), `it was not by ${way}: ${output}`);
      const seen = await balanced(lab, line, house);
      return seen.words;
    },
  };
}

/** Moves traffic, hangs up and holds session and usage against the interface. */
async function balanced(
  lab: AccessLab,
  line: Line,
  house: House,
): Promise<{ session: Session; words: string }> {
  await lab.traffic(line);
  const counted = await lab.counters(line);
  await lab.hangUp(line);
  const session = await lab.stopped(houses[house]);
  requireSame(session, counted);
  const { used_bytes: used } = (await lab.usage(houses[house])).data_quota;
  must(used === counted.input + counted.output, `the usage of the period is ${used} bytes`);
  return { session, words: words(counted) };
}

function requireSame({ input_octets: input, output_octets: output }: Session, counted: Octets): void {
  must(
    input === counted.input && output === counted.output,
    `the interface counted ${counted.input} and ${counted.output} bytes, the books ${input} and ${output}`,
  );
  must(input > 3_000_000 && output > 5_000_000, `only ${input} and ${output} bytes moved`);
}

const words = ({ input, output }: Octets): string =>
  `${input} bytes up and ${output} down, in the books to the byte`;
