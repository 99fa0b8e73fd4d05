import { CONSOLE_SESSION_LIFE } from "../../domain/staff/console-sessions.ts";
import { IdCookie } from "../pages/cookies.ts";

/** Of a member of staff who is signed in; no page of another site sends it along. */
export const consoleCookie = new IdCookie("gatehouse_console", {
  sameSite: "strict",
  maxAge: CONSOLE_SESSION_LIFE,
});
