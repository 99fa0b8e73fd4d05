import { bearer } from "@elysiajs/bearer";
import { Elysia } from "elysia";

/** The plugin always reads query and body too; a parameter with a random name is one that nobody can send. */
const nowhere = crypto.randomUUID();

/** The token of an Authorization header; empty: it has none. */
export const tokenIn = (authorization: string | null | undefined): string =>
  /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";

/**
 * `bearer`: the token of the Authorization header, and of nothing else. The plugin compares the scheme with case and takes
 * "Bearerx" for one, so the header reaches it in one writing or not at all (RFC 6750 2.1; RFC 9110 11.1: without case).
 */
export const bearerToken = new Elysia({ name: "bearer-token" })
  .derive({ as: "global" }, ({ headers }) => {
    const token = tokenIn(headers["authorization"]);
    if (token === "") delete headers["authorization"];
    else headers["authorization"] = `Bearer ${token}`;
    return {};
  })
  .use(bearer({ extract: { query: nowhere, body: nowhere, header: "Bearer" } }));
