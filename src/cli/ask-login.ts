import type { Db } from "../../db/open.ts";
import { newestDecision } from "../domain/service/access/auth-log.ts";
import type { AskLogin } from "../domain/service/access/try-login.ts";
import { operator } from "../domain/core/actor/operator.ts";
import type { Endpoint } from "../os/client-socket.ts";
import { testLogin } from "../radius/client/test-login.ts";
import { ownSecret } from "../radius/server/clients.ts";
import { loopbackFor, loginAttributes, reasonSince, replyAttributes } from "./login-request.ts";

export function loginAsker(db: Db, server: Endpoint): AskLogin {
  const by = operator("gatehouse", "system");
  return async ({ username, password, method, kind, mac }) => {
    const before = newestDecision(db, by, username)?.id ?? 0;
    const answer = await testLogin({
      server: loopbackFor(server),
      secret: ownSecret(db.vault),
      username,
      password,
      method,
      attributes: loginAttributes({ kind, mac }),
    });
    return (
      answer && {
        accepted: answer.code === "Access-Accept",
        isProven: answer.isProven,
        reason: (await reasonSince(db, by, username, before)) ?? null,
        attributes: replyAttributes(answer),
      }
    );
  };
}
