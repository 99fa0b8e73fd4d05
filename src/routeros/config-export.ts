import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { MOST_CONFIG, type ReadConfig } from "../domain/goods/router-config/read.ts";
import type { RouterosClient } from "./client.ts";
import { readMenus } from "./config-menus.ts";
import { RouterosError } from "./fault.ts";

const COMMAND = 10_000;
/** Milliseconds for a large configuration on a busy router; each hanging menu takes seconds of it. */
const EXPORT = 120_000;
/** Our file, without RouterOS' extension: the next export overwrites what is left of it. */
const NAME = "gatehouse-config";
const FILE = `${NAME}.rsc`;
/** The largest chunk of a file that RouterOS 7 returns. */
const CHUNK = 32_768;
/** Looks for the file, which appears a moment later where a router writes to memory first. */
const LOOKS = 20;
const BETWEEN = 250;

export interface ConfigTools {
  /** Opens another connection. Rejects with a RouterosError. */
  readonly open: () => Promise<RouterosClient>;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/**
 * Reads a router's configuration without secrets: an export into a file that is read and removed; when refused, or not of the
 * length the router says, menu by menu. Rejects with a RouterosError, and `refused` when it is longer than we keep.
 */
export async function readConfig({ open, pause }: ConfigTools): Promise<ReadConfig> {
  let client = await open();
  try {
    const [resource] = await client.command("/system/resource/print", [], COMMAND);
    const version = (resource?.["version"] ?? "").replace(/ \(.*$/, "");
    const exported = await readExport(client, { version, pause });
    if (client.fault) client = await open();
    const stays = exported.isMade ? await removeFile(client) : null;
    if ("size" in exported) throw tooLong(exported.size);
    const note = [exported.refused, stays].filter((one) => one !== null).join("; ") || null;
    if (exported.text !== null) return { text: exported.text, source: "export", version, note };
    return { text: `${exportHead(version)}${await readMenus(client)}`, source: "menus", version, note };
  } finally {
    client.close();
  }
}

/** The first line of an export differs each time too, with its date. */
const exportHead = (version: string) => `# read menu by menu from RouterOS ${version}\n`;

/** `isMade`: the file may exist. */
type Exported = { isMade: boolean } & (
  | { text: string; refused: null }
  | { text: null; refused: string }
  | { text: null; refused: null; size: number }
);

async function readExport(
  client: RouterosClient,
  { version, pause }: { version: string; pause: ConfigTools["pause"] },
): Promise<Exported> {
  let isMade = false;
  try {
    // from 7 on secrets are hidden by default, and the option does not exist
    const hides = version.startsWith("6.") ? ["=hide-sensitive="] : [];
    await client.command("/export", [...hides, `=file=${NAME}`], EXPORT);
    isMade = true;
    const size = await awaitSize(client, pause);
    if (size === undefined) return refused("it exported its configuration and has no such file", isMade);
    if (size > MOST_CONFIG) return { text: null, refused: null, isMade, size };
    const text = await readContents(client, size);
    // a truncated file looks complete
    if (Buffer.byteLength(text) !== size && Buffer.byteLength(text, "latin1") !== size)
      return refused(`of the ${size} bytes of its export it handed over ${Buffer.byteLength(text)}`, isMade);
    return { text: text.replaceAll("\r\n", "\n"), refused: null, isMade };
  } catch (error) {
    if (!(error instanceof RouterosError)) throw error;
    // a router that hung up may have written the file all the same
    return refused(error.message, isMade || error.code !== "trap");
  }
}

const tooLong = (size: number) =>
  new DomainError(
    "refused",
    phrase`its configuration has ${size} bytes, and no more than ${MOST_CONFIG} are kept; look what makes it so long, as an address list of other people's addresses does`,
  );

const refused = (reason: string, isMade: boolean): Exported => ({ text: null, refused: reason, isMade });

async function awaitSize(client: RouterosClient, pause: ConfigTools["pause"]): Promise<number | undefined> {
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await pause(BETWEEN);
    const [file] = await client.command(
      "/file/print",
      ["=.proplist=.id,name,size", `?name=${FILE}`],
      COMMAND,
    );
    const size = Number(file?.["size"] ?? 0);
    if (size > 0) return size;
  }
  return undefined;
}

/** The file's text by `/file/read`, for any length; older versions have `contents`, for short files. */
async function readContents(client: RouterosClient, size: number): Promise<string> {
  const chunks: string[] = [];
  try {
    for (let offset = 0; offset < size; offset += CHUNK) {
      const words = [`=file=${FILE}`, `=offset=${offset}`, `=chunk-size=${Math.min(CHUNK, size - offset)}`];
      const rows = await client.command("/file/read", words, COMMAND);
      chunks.push(rows.map((row) => row["data"] ?? "").join(""));
    }
    return chunks.join("");
  } catch (error) {
    if (!(error instanceof RouterosError) || !error.message.startsWith("no such command")) throw error;
    const [file] = await client.command("/file/print", ["=.proplist=contents", `?name=${FILE}`], COMMAND);
    return file?.["contents"] ?? "";
  }
}

/** Why our file is still there; null: it is gone. */
async function removeFile(client: RouterosClient): Promise<string | null> {
  try {
    const files = await client.command("/file/print", ["=.proplist=.id,name", `?name=${FILE}`], COMMAND);
    for (const { [".id"]: id } of files)
      if (id !== undefined) await client.command("/file/remove", [`=.id=${id}`], COMMAND);
    return null;
  } catch (error) {
    if (!(error instanceof RouterosError) || client.fault) throw error;
    return `its file ${FILE} stays there: ${error.message}`;
  }
}
