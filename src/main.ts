import { environment } from "./config/env.ts"; // first: it sets NODE_ENV before Elysia reads it
import { run } from "./cli/run.ts";

// whoever read the output has left (`gatehouse export | head`): nobody to tell, and no reason to stop serving
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});
process.exitCode = await run(process.argv.slice(2), environment(), process);
