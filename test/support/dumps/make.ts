import { makeDumps } from "./variants.ts";

/** Makes the dumps that stand beside this file anew, with the servers that are installed. */
await makeDumps(async (file, bytes) => {
  await Bun.write(new URL(file, import.meta.url), bytes);
  process.stdout.write(`${file}, ${bytes.length} bytes\n`);
});
