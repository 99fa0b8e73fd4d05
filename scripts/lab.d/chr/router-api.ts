import { RouterosClient, type Row } from "../../../src/routeros/client.ts";
import { CannotBoot } from "../debian.ts";
import { ADMIN, API_PORT } from "./place.ts";

const CONNECT = 5000;
/** What fetches a file at 1 Mbit/s takes some seconds. */
const COMMAND = 60_000;

/** A router by its API, as its Admin: what the lab does at it, and sees of it, beside Gatehouse. */
export class RouterApi implements Disposable {
  readonly #host: string;
  #client: RouterosClient;

  private constructor(host: string, client: RouterosClient) {
    this.#host = host;
    this.#client = client;
  }

  /** Signs in to one that may still boot, as its admin without a password, who gets one. `ended` says why it will never answer. */
  static async atFirst(
    host: string,
    { patience, ended }: { patience: number; ended: () => string | undefined },
  ): Promise<RouterApi> {
    const end = performance.now() + patience;
    for (;;) {
      try {
        const open = { host, port: API_PORT, tls: false, fingerprint: null };
        const first = await RouterosClient.open({ ...open, ...ADMIN, password: "" }, CONNECT);
        const [admin] = await first.command("/user/print", [`?name=${ADMIN.username}`], COMMAND);
        await first.command(
          "/user/set",
          [`=.id=${admin?.[".id"] ?? ""}`, `=password=${ADMIN.password}`],
          COMMAND,
        );
        first.close();
        return new RouterApi(host, await RouterosClient.open({ ...open, ...ADMIN }, CONNECT));
      } catch (error) {
        const why = ended();
        if (why !== undefined) throw new CannotBoot(why);
        if (performance.now() > end)
          throw new CannotBoot(
            `the API at ${host} did not let its admin in within ${patience / 1000} s: ${String(error)}`,
          );
        await Bun.sleep(250);
      }
    }
  }

  async run(path: string, ...words: string[]): Promise<Row[]> {
    if (this.#client.fault) {
      const open = { host: this.#host, port: API_PORT, tls: false, fingerprint: null };
      this.#client = await RouterosClient.open({ ...open, ...ADMIN }, CONNECT);
    }
    return this.#client.command(path, words, COMMAND);
  }

  /** The rows of a menu that have these values; null where its version has no such menu. */
  async print(menu: string, only: Readonly<Record<string, string>> = {}): Promise<Row[] | null> {
    try {
      return await this.run(
        `${menu}/print`,
        ...Object.entries(only).map(([name, value]) => `?${name}=${value}`),
      );
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("no such command")) return null;
      throw error;
    }
  }

  /** Adds a row; its `.id`. */
  async add(menu: string, values: Readonly<Record<string, string>>): Promise<string> {
    const [row] = await this.run(
      `${menu}/add`,
      ...Object.entries(values).map(([name, value]) => `=${name}=${value}`),
    );
    return row?.["ret"] ?? "";
  }

  async remove(menu: string, only: Readonly<Record<string, string>>): Promise<void> {
    for (const { ".id": id = "" } of (await this.print(menu, only)) ?? [])
      await this.run(`${menu}/remove`, `=.id=${id}`);
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}
