import { nameServer } from "../../../test/support/name-server.ts";
import { WORLD } from "./place.ts";

/** Bytes of the file that it serves: some seconds at the rate of a free licence. */
export const FILE = 400_000;
/** Names that its name server knows: twice as many as a line of the garden may ask for at once. */
export const NAMES: readonly string[] = Array.from({ length: 60 }, (_, number) => `n${number}.world.example`);

/** Somebody else's server, with pages and names: what arrives there came past the walled garden. */
export class World implements Disposable {
  /** Requests for pages so far. */
  pages = 0;
  readonly #http: Bun.Server<undefined>;
  readonly #names: Awaited<ReturnType<typeof nameServer>>;

  private constructor(names: Awaited<ReturnType<typeof nameServer>>) {
    this.#names = names;
    this.#http = Bun.serve({
      hostname: WORLD,
      port: 80,
      fetch: ({ url }) => {
        this.pages++;
        return new Response(url.endsWith("/file") ? Buffer.alloc(FILE) : "the world");
      },
    });
  }

  static async start(): Promise<World> {
    return new World(
      await nameServer(Object.fromEntries(NAMES.map((name) => [name, [[WORLD]]])), { host: WORLD, port: 53 }),
    );
  }

  [Symbol.dispose](): void {
    void this.#http.stop(true);
    this.#names[Symbol.dispose]();
  }
}
