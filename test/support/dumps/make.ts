import { makeDumps } from "./variants.ts";

/** Makes the dumps beside this file anew with the installed servers. */
await makeDumps(async (file, bytes) => {
  await Bun.write(new URL(file, import.meta.url), bytes);
  process.stdout.write(`${file}, ${bytes.length} bytes\n`);
});
