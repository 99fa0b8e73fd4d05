import { environment } from "./config/env.ts"; // first: it sets NODE_ENV before Elysia reads it
import { run } from "./cli/run.ts";

process.exitCode = await run(process.argv.slice(2), environment(), process);
