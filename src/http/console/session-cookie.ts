import { CONSOLE_SESSION_LIFE } from "../../domain/people/staff/console-sessions.ts";
import { IdCookie } from "../pages/cookies.ts";

/**
 * Of a member of staff who is signed in; no page of another site sends it along. It outlives its session, so that a form that is sent
 * after the end is known to be from a page of it.
 */
export const consoleCookie = new IdCookie("gatehouse_console", {
  sameSite: "strict",
  maxAge: 2 * CONSOLE_SESSION_LIFE,
});
