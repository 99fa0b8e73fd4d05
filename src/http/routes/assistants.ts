import type { AnyElysia } from "elysia";
import type { Logger } from "pino";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import { Assistant } from "../assistants/assistant.ts";
import { readRaw } from "../body.ts";
import { clientAddress } from "../client-address.ts";
import { refuseOtherSites } from "../cross-site.ts";
import { HttpRefusal } from "../errors.ts";
import type { Management } from "../operation.ts";

const PATH = "/mcp";
/** Bytes of a message: a call is short. */
const LIMIT = 64 * 1024;
const hook = { parse: "none", detail: { hide: true } } as const;

/** The Model Context Protocol for whoever has an API key; of pages of other sites nothing is taken. */
export function addAssistants(app: AnyElysia, needs: Management & { readonly log: Logger }): void {
  const { credentials, trusted, keyCalls, clock, log } = needs;
  const failed = (error: unknown) => log.error({ err: error }, "a tool of an assistant failed");
  app.post(
    PATH,
    async ({ request, server }) => {
      refuseOtherSites(request, server, trusted);
      const address = clientAddress(request, server, trusted);
      let isKey = false;
      const actor = await credentials.actor(request.headers.get("authorization"), address, (key) => {
        isKey = true;
        keyCalls.begin(request, { ...key, address, at: clock() });
      });
      if (!isKey)
        throw new DomainError("unauthenticated", phrase`an assistant needs an API key: send it as a Bearer`, {
          code: "wrong_credentials",
        });
      const body = parsed(await readRaw(request, LIMIT));
      const { answerHttp } = await import("../assistants/server.ts");
      return answerHttp(new Assistant({ ...needs, failed }, () => actor), request, { body, version: "1" });
    },
    hook,
  );
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new HttpRefusal(400, "the body is no JSON", { cause });
  }
}
