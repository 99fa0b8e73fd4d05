import type { RouterAnswer, Routers } from "../../src/domain/service/control/routers.ts";

/** Routers that note what they are asked, as `disconnect a`, `rate a 5M/5M` or `timeout a 3600` by session id, and answer as they are told. */
export class RecordedRouters implements Routers {
  readonly requests: string[] = [];
  answer: RouterAnswer | ((requests: string) => RouterAnswer) = { kind: "acknowledged" };
  /** What an answer waits for. */
  until: Promise<unknown> | undefined;

  readonly disconnect: Routers["disconnect"] = async (_, session) =>
    this.#ask(`disconnect ${session?.acctSessionId ?? "-"}`);

  readonly changeRate: Routers["changeRate"] = async (_, session, { rateLimit, added, totalLimit }) =>
    this.#ask(
      `rate ${session.acctSessionId} ${rateLimit}${added === undefined ? "" : ` beside ${added}`}${totalLimit === undefined ? "" : ` limit ${totalLimit}`}`,
    );

  readonly changeTimeout: Routers["changeTimeout"] = async (_, session, seconds) =>
    this.#ask(`timeout ${session.acctSessionId} ${seconds}`);

  readonly find: Routers["find"] = async () => ({ kind: "listed", users: [] });

  /** What was asked since the last time. */
  take(): string[] {
    return this.requests.splice(0);
  }

  async #ask(what: string): Promise<RouterAnswer> {
    this.requests.push(what);
    await this.until;
    return typeof this.answer === "function" ? this.answer(what) : this.answer;
  }
}
