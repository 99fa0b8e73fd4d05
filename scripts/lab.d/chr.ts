import { type Claim, NotHere } from "./chr/claim.ts";
import { claims } from "./chr/claims.ts";
import { ChrLab } from "./chr/chr-lab.ts";
import { imageMachine, type Machine, standIn } from "./chr/machine.ts";
import { BOOKS, HOUSE, WORLD } from "./chr/place.ts";
import { CannotBoot } from "./debian.ts";
import type { Outcome } from "./run-steps.ts";

/** The versions that the stand-in is of: an old one, and one whose properties are all there. */
const VERSIONS = ["6.49.18 (long-term)", "7.21 (stable)"];
const NEEDED = "needs a CHR";

interface Options {
  /** Disk images of CHR, raw or qcow2. */
  readonly images: readonly string[];
  /** A process that answers as a router does, in place of images. */
  readonly isStandIn: boolean;
  /** Without KVM, though the machine has it. */
  readonly isTranslated: boolean;
  readonly isShort: boolean;
  readonly log: (line: string) => void;
}

/** What a router showed of each claim, in the order of the claims. */
interface Column {
  readonly head: string;
  readonly cells: readonly string[];
}

/** Each claim at each router: a fault of one ends none of the others. `table` is Markdown. */
export async function chr({ images, isStandIn, isTranslated, isShort, log }: Options): Promise<Outcome> {
  if (!isStandIn && images.length === 0)
    throw new CannotBoot(
      "no image of a CHR was named, and none is fetched; name the .img or .qcow2 of MikroTik's download page, or try the lab itself with --stand-in",
    );
  await takePlace();
  const tried = claims.filter((one) => !isShort || one.isInShort);
  const faults: string[] = [];
  const columns: Column[] = [];
  const starts = isStandIn
    ? VERSIONS.slice(isShort ? 1 : 0).map((version) => () => standIn(version))
    : images.map((image) => () => imageMachine(image, { isTranslated }));
  for (const start of starts) {
    await using machine = start();
    await using lab = await ChrLab.start(machine, isShort);
    const head = `${lab.version}${machine.isReal ? "" : ", stand-in"}`;
    const cells: string[] = [];
    for (const claim of tried) {
      const seen = await runClaim(claim, lab, machine).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        faults.push(`${head}: ${claim.what}: ${reason}`);
        log(`FAULT: ${claim.what}: ${reason}\n${lab.lately()}`);
        return `**fault**: ${reason.split("\n")[0]?.slice(0, 200)}`;
      });
      cells.push(seen);
      log(`${head}: ${claim.what}: ${seen}`);
    }
    columns.push({ head, cells });
  }
  return { table: formatTable(tried, columns), faults };
}

/** What only a RouterOS can show is tried at the stand-in as far as that goes, and does not count there. */
async function runClaim(claim: Claim, lab: ChrLab, { isReal }: Machine): Promise<string> {
  if (!isReal && claim.by === "lines") return NEEDED;
  try {
    const seen = await claim.run(lab);
    return isReal || claim.by === "api" ? seen : NEEDED;
  } catch (error) {
    if (error instanceof NotHere) return `not here: ${error.message}`;
    throw error;
  }
}

function formatTable(tried: readonly Claim[], columns: readonly Column[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const rows = [
    ["claim", ...columns.map(({ head }) => head)],
    ["---", ...columns.map(() => "---")],
    ...tried.map(({ what }, index) => [what, ...columns.map(({ cells }) => cells[index] ?? "")]),
  ];
  return rows.map((row) => `| ${row.map(cell).join(" | ")} |\n`).join("");
}

/** Gives the loopback interface the lab's addresses, in a network that only the lab is in. */
async function takePlace(): Promise<void> {
  const { stdout } = await Bun.$`ip -o link`.quiet();
  if (stdout.toString().trim().split("\n").length !== 1)
    throw new CannotBoot("this network is not the lab's alone; start it by scripts/lab chr");
  await Bun.$`ip link set lo up`.quiet();
  for (const address of [BOOKS, HOUSE, WORLD]) await Bun.$`ip address add ${address}/32 dev lo`.quiet();
}
