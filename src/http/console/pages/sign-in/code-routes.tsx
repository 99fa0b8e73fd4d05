import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { passSecondFactor } from "../../../../domain/people/staff/second-factor.ts";
import { attempt } from "../../attempt.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { page, part } from "../../answers.tsx";
import { countCode } from "../../count-code.ts";
import { staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { ownPath, readKept } from "../../kept.ts";
import { consoleCookie } from "../../session-cookie.ts";
import { CODE, CodePage, CodePart, type CodeProps } from "./code.tsx";
import { goOn, signedInAgain } from "./go-on.tsx";

export const codeRoutes = [
  staffPage(CODE, (visit) => {
    const { query, lacks } = visit;
    const onward = ownPath(query.get("then") ?? "");
    if (lacks !== "code") return seeOther(onward || "/console");
    return page(visit, <CodePage {...codeProps(visit, { onward })} />);
  }),
  staffForm(CODE, (visit, input) => giveCode(visit, input, { above: false })),
  staffForm("/console/sign-in/again/code", (visit, input) => giveCode(visit, input, { above: true })),
];

function codeProps(visit: StaffVisit, props: Partial<CodeProps>): CodeProps {
  const { view, formToken, request } = visit;
  const host = request.headers.get("host") ?? "";
  return { view, formToken, host, onward: "", recovery: false, ...props };
}

async function giveCode(visit: StaffVisit, input: Input, { above }: { above: boolean }): Promise<Response> {
  const { needs, db, request, secure, source, now, lacks, view } = visit;
  const onward = ownPath(readTextField(input, "then", 1000));
  if (lacks !== "code") return seeOther(onward || "/console");
  const kept = readKept(input["kept"]);
  const again = (props: Partial<CodeProps>, status = 200) => {
    const all = codeProps(visit, { onward, kept, ...props });
    return above
      ? part(visit, <CodePart {...all} />, { status })
      : page(visit, <CodePage {...all} />, { status });
  };
  const show = readTextField(input, "show", 10);
  if (show !== "") return again({ recovery: show === "recovery" });
  const recovery = "recovery_code" in input;
  const proof = recovery
    ? { recoveryCode: readTextField(input, "recovery_code", 40) }
    : { code: readTextField(input, "code", 20) };
  const id = consoleCookie.read(request, secure);
  const outcome = await attempt(visit, () =>
    countCode(visit, { recovery }, () => passSecondFactor(db, { id, source, now, ...proof })),
  );
  if (outcome instanceof DomainError) {
    const words = view.words.signIn;
    const { kind, retryAfter = 1 } = outcome;
    const isTooSoon = kind === "too_soon";
    const wrong = recovery ? words.wrongRecovery : words.wrongCode;
    const problem = isTooSoon ? words.tooMany(retryAfter) : wrong;
    return again({ recovery, problem }, isTooSoon ? 429 : 401);
  }
  const opened = { id: outcome, secure };
  const incoming = { request, server: null, params: {} };
  return above ? signedInAgain(needs, incoming, opened) : goOn(needs, incoming, { ...opened, onward, kept });
}
