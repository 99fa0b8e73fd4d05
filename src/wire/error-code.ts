import { Type } from "@sinclair/typebox";
import { refusals } from "../domain/core/errors/codes.ts";

interface Row {
  readonly means: string;
  readonly next?: string;
}

const rows = Object.entries<Row>(refusals).map(
  ([code, { means, next }]) => `- \`${code}\`: ${means}${next === undefined ? "" : ` ${next}`}`,
);

/** The error code. An open string, not an enum, so that generated clients accept codes added later. */
export const errorCode = Type.String({
  title: "ErrorCode",
  description: `What was refused, for programs: once said, a code stays what it is, and there may be more of them.\n\n${rows.join("\n")}`,
});
