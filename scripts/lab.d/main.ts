import { parseArgs } from "node:util";
import { CannotBoot } from "./debian.ts";
import { parseArguments } from "../usage.ts";

const HELP = `scripts/lab booted|ppp|fence|chr|container|clients|sync|words [options]

  scripts/lab booted     installs the release archive in a booted Debian and tries what an administrator and the years do with it
  scripts/lab ppp        dials in to a Linux access server by PPPoE, and holds the books against its interfaces
  scripts/lab fence      tries to get out of the walled garden past the rules of a set-up, and holds lines full to see who waits
  scripts/lab chr IMAGE...
                         boots images of MikroTik's CHR (raw or qcow2, yours), and tries on each what Gatehouse does at a router
  scripts/lab container  tries the images of scripts/release --container: podman, qemu, memory

  scripts/lab clients    generates clients in TypeScript, Python and Go of the API's document, compiles and walks them, and has
                         schemathesis call everything; the clients stay in dist/clients

  scripts/lab sync       keeps a copy of the books by the API while the server is used, stopped and killed and a webhook is off for half of
                         the time, and holds it against them
  scripts/lab words [LANGUAGE...]
                         opens every page of the console in each of its languages, or in those, on a phone and at a desk: nothing is too
                         wide or cut off, no key is shown, no English is left

  --archive FILE   booted: an archive that is there, instead of making one of this checkout
  --stand-in       chr: a process that answers as a router does, in place of images; says what needs a real one
  --no-kvm         chr: boots images without KVM, where a machine has one that cannot run them
  --minutes N      sync: for how long; 60 where it is left out
  --share PERCENT  sync: of a core that it takes at the most, where others work on the machine; all that it gets where it is left out
  --short          booted: the steps that every CI run takes; before a release it is the whole of them. chr: what a test takes of it;
                   clients: the three clients alone
  --markdown FILE  write the table as README.md beside the labs has it
`;

/** This machine cannot boot a system; nothing was tried. */
const NOT_TRIED = 3;

/** Each is loaded where it is asked for: together they are most of the product. */
const labs = {
  booted: async () => (await import("./booted.ts")).booted,
  ppp: async () => (await import("./ppp.ts")).ppp,
  fence: async () => (await import("./fence.ts")).fence,
  chr: async () => (await import("./chr.ts")).chr,
  container: async () => (await import("./container.ts")).container,
  clients: async () => (await import("./clients.ts")).clients,
  sync: async () => (await import("./sync.ts")).sync,
  words: async () => (await import("./words.ts")).words,
};

const isLab = (name: string | undefined): name is keyof typeof labs =>
  name !== undefined && Object.hasOwn(labs, name);

async function main(): Promise<number> {
  const { values, positionals } = parseArguments(HELP, () =>
    parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean" },
        archive: { type: "string" },
        short: { type: "boolean" },
        "stand-in": { type: "boolean" },
        "no-kvm": { type: "boolean" },
        minutes: { type: "string" },
        share: { type: "string" },
        markdown: { type: "string" },
      },
    }),
  );
  const [lab, ...named] = positionals;
  const areNumbers = [values.minutes, values.share].every((given = "1") => Number(given) > 0);
  if (values.help || !areNumbers || !isLab(lab) || (lab !== "chr" && lab !== "words" && named.length > 0)) {
    process[values.help ? "stdout" : "stderr"].write(HELP);
    return values.help ? 0 : 2;
  }
  try {
    const log = (line: string) => process.stderr.write(`lab: ${line}\n`);
    const run = await labs[lab]();
    const { table, faults } = await run({
      archive: values.archive,
      images: named,
      languages: named,
      isStandIn: values["stand-in"] ?? false,
      isTranslated: values["no-kvm"] ?? false,
      isShort: values.short ?? false,
      minutes: Number(values.minutes ?? 60),
      share: Number(values.share ?? Infinity) / 100,
      log,
    });
    process.stdout.write(table);
    if (values.markdown) await Bun.write(values.markdown, table);
    return faults.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CannotBoot)) throw error;
    process.stderr.write(`lab: NOT TRIED HERE: ${error.message}\n`);
    return NOT_TRIED;
  }
}

process.exitCode = await main();
