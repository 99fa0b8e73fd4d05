import type { Row } from "./translate.ts";

/** What of a row says nothing of how its packets wait. */
const silent = new Set([".id", "name", "kind", "comment", "disabled"]);

/** What `tc` is told of a kind of queue, as a row of /queue/type has it. Throws for what it does not know. */
export function queueWords(row: Row): string[] {
  const kind = kinds[row["kind"] ?? ""];
  if (!kind) throw new Error(`nobody knows the queue ${row["kind"]}`);
  const settings = Object.entries(row).filter(([name]) => !silent.has(name));
  const words = settings.flatMap(([name, value]) => {
    const said = kind.settings[name]?.(value);
    if (!said) throw new Error(`nobody knows what ${name}=${value} of ${kind.name} is`);
    return said;
  });
  return [kind.name, ...words];
}

interface Kind {
  readonly name: string;
  readonly settings: Readonly<Record<string, (value: string) => string[]>>;
}

const kinds: Readonly<Record<string, Kind>> = {
  pfifo: { name: "pfifo", settings: { "pfifo-limit": (packets) => ["limit", packets] } },
  "fq-codel": { name: "fq_codel", settings: {} },
  cake: {
    name: "cake",
    settings: {
      // none of its own: the queue that it is in keeps the rate
      "cake-bandwidth": (rate) => (rate === "0" ? ["unlimited"] : ["bandwidth", rate]),
      "cake-nat": (is) => [is === "yes" || is === "true" ? "nat" : "nonat"],
    },
  },
};

/** The type of queue that a router's PPP profile gives to lines. */
export function lineQueue(readRows: (menu: string) => readonly Row[]): Row {
  const profile = readRows("/ppp/profile").find((row) => row["name"] === "default");
  const name = profile?.["queue-type"]?.split("/")[0];
  const type = readRows("/queue/type").find((row) => row["name"] === name);
  if (!type) throw new Error(`there is no queue ${name}`);
  return type;
}
