import { join } from "node:path";
import { Appliance, portOf, program } from "../../test/support/appliance.ts";
import { dataSet } from "./data-set.ts";
import { mortal } from "./endings.ts";
import type { Target } from "./target.ts";

export interface Product extends Target {
  readonly http: string;
  readonly folder: string;
  /** Seconds from the start of the program to its ready line. */
  readonly readyAfter: number;
}

/** An executable, and what it is called in tables. */
export interface Build {
  readonly name: string;
  readonly executable: string;
}

/**
 * The compiled product with so many active subscribers; `prepare` sees the data folder before it serves, `values` are
 * those of each subscriber that are not the usual ones, `routers` are beside the one on loopback, `accessThreads` by the machine unless
 * said otherwise.
 */
export async function startGatehouse(
  subscribers: number,
  prepare: (dataFolder: string) => void = () => {},
  values: Readonly<Record<string, unknown>> = {},
  { name, executable }: Build = { name: "gatehouse", executable: program },
  { routers = 0, accessThreads }: { routers?: number; accessThreads?: number } = {},
): Promise<Product> {
  const appliance = new Appliance({
    GATEHOUSE_LOG_LEVEL: "error",
    ...(accessThreads !== undefined && { GATEHOUSE_LOGIN_THREADS: String(accessThreads) }),
  });
  appliance.command = mortal([executable]);
  const stop = () => appliance[Symbol.asyncDispose]();
  try {
    const file = join(appliance.folder, "isp.json");
    await Bun.write(file, dataSet(subscribers, values, routers));
    const imported = await appliance.run(["import", file]);
    if (imported.code !== 0) throw new Error(`the import failed: ${imported.stderr}`);
    prepare(join(appliance.folder, "data"));
    const began = performance.now();
    const addresses = await appliance.serve();
    return {
      name,
      port: portOf(addresses.radius_auth),
      acctPort: portOf(addresses.radius_acct),
      http: `http://${addresses.http}`,
      folder: join(appliance.folder, "data"),
      pids: [appliance.pid],
      readyAfter: (performance.now() - began) / 1000,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
