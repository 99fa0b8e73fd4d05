import { CONSOLE_SESSION_LIFE } from "../../domain/people/staff/console-sessions.ts";
import { IdCookie } from "../pages/cookies.ts";

/** SameSite. It outlives its session, so that a form sent later is known to be from a page of it. */
export const consoleCookie = new IdCookie("gatehouse_console", {
  sameSite: "strict",
  maxAge: 2 * CONSOLE_SESSION_LIFE,
});
