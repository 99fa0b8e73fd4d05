import { Type } from "@sinclair/typebox";
import { refusals } from "../domain/core/errors/codes.ts";

interface Row {
  readonly means: string;
  readonly next?: string;
}

const rows = Object.entries<Row>(refusals).map(
  ([code, { means, next }]) => `- \`${code}\`: ${means}${next === undefined ? "" : ` ${next}`}`,
);

/** The code of a refusal. No list of values for a client to be made of: there may be more of them, and none goes. */
export const errorCode = Type.String({
  title: "ErrorCode",
  description: `What was refused, for programs: once said, a code stays what it is, and there may be more of them.\n\n${rows.join("\n")}`,
});
