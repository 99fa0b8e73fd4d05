import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseArguments, wrongUsage } from "../usage.ts";
import { architectures } from "./debian-packages.ts";
import { imageArchive } from "./image.ts";
import { systemFiles } from "./system.ts";

const HELP = `scripts/release --container calls this for each architecture:

  --arch amd64|arm64 --executable FILE --version VERSION --commit COMMIT --time SECONDS --out FILE
`;

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArguments(HELP, () =>
    parseArgs({
      options: { arch: text, executable: text, version: text, commit: text, time: text, out: text },
    }),
  );
  const architecture = architectures.find((name) => name === values.arch);
  const { executable, version, commit, out } = values;
  const time = Number(values.time);
  if (!architecture || !executable || !version || !commit || !out || !Number.isSafeInteger(time))
    return wrongUsage("an option is missing", HELP);
  const parts = imageArchive({
    architecture,
    version,
    commit,
    time,
    executable: readFileSync(executable),
    system: await systemFiles(architecture, join(import.meta.dir, "../../dist/debian")),
  });
  await Bun.write(out, new Blob(parts));
}

await main();
