import type { RouterAnswer, Routers } from "../../src/domain/service/control/routers.ts";

export class RecordedRouters implements Routers {
  readonly requests: string[] = [];
  answer: RouterAnswer | ((requests: string) => RouterAnswer) = { kind: "acknowledged" };
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

  take(): string[] {
    return this.requests.splice(0);
  }

  async #ask(what: string): Promise<RouterAnswer> {
    this.requests.push(what);
    await this.until;
    return typeof this.answer === "function" ? this.answer(what) : this.answer;
  }
}
