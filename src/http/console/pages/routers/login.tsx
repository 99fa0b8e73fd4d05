import { LOGIN_TEST, ROUTERS } from "../../parts/hrefs.ts";
import { isReason } from "../../../../domain/service/access/outcomes.ts";
import {
  type LoginAnswer,
  type LoginMethod,
  loginMethods,
  tryLogin,
} from "../../../../domain/service/access/try-login.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { subscriberByUsername } from "../../../../domain/goods/subscribers/find.ts";
import { attempt } from "../../attempt.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { drawer } from "../../answers.tsx";
import { type StaffVisit, staffForm, staffPage } from "../../guard.ts";
import { DrawerForm } from "../../drawer-form.tsx";

interface LoginState {
  username?: string;
  method?: LoginMethod;
  fault?: string;
  tried?: {
    readonly subscriberId: number;
    readonly username: string;
    readonly answer: LoginAnswer | undefined;
  };
}

/** Tests a login as a router would send it. */
function loginDrawer(
  visit: StaffVisit,
  { username = "", method = "pap", fault, tried }: LoginState,
): Response {
  permit(visit.by, "tryLogin");
  const { login } = visit.view.words.routers;
  const code = { spellcheck: "false", autocapitalize: "none", autocomplete: "off" };
  const back = may(visit.by, "nas_view") ? ROUTERS : "/console/logins";
  return drawer(visit, {
    title: login.title,
    lead: login.lead,
    place: "routers",
    back,
    status: fault === undefined ? 200 : 422,
    children: (
      <DrawerForm action={LOGIN_TEST} visit={visit}>
        <div class="drawer-body">
          {tried && <Outcome visit={visit} {...tried} />}
          <Field
            name="username"
            id="test-username"
            label={login.who}
            help={login.whoHelp}
            value={username}
            fault={fault}
            required
            attributes={{ ...code, maxlength: 253 }}
          />
          <Select
            name="method"
            id="test-method"
            label={login.method}
            value={method}
            options={loginMethods.map((value) => ({ value, label: login.methods[value] }))}
          />
          <Field
            name="password"
            id="test-password"
            type="password"
            label={login.password}
            help={login.passwordHelp}
            attributes={{ ...code, autocomplete: "new-password", maxlength: 128 }}
          />
        </div>
        <div class="drawer-foot">
          <Button kind="solid" size="large" asking={login.asking}>
            {tried ? login.again : login.submit}
          </Button>
        </div>
      </DrawerForm>
    ),
  });
}

function Outcome({
  visit,
  username,
  subscriberId,
  answer,
}: { visit: StaffVisit } & NonNullable<LoginState["tried"]>) {
  const { login, verdict } = visit.view.words.routers;
  const common = { label: verdict };
  if (!answer)
    return <Verdict {...common} tone="warn" icon="alert" title={login.silent} text={login.silentText} />;
  const { accepted, isProven, reason, attributes } = answer;
  const { reasons } = visit.view.words.logins;
  const words = reason !== null && isReason(reason) ? `${reasons[reason]}.` : "";
  return (
    <>
      <Verdict
        {...common}
        tone={accepted && isProven ? "good" : "bad"}
        icon={accepted && isProven ? "check" : "close"}
        title={accepted ? login.accepted(username) : login.rejected(username)}
        text={
          <>
            {isProven ? words : login.unproven}{" "}
            {!accepted && <a href={`/console/subscribers/${subscriberId}`}>{login.diagnosis}</a>}
          </>
        }
      />
      {accepted && attributes.length > 0 && (
        <>
          <p class="label">{login.told}</p>
          <dl class="facts mono">
            {attributes
              .filter(({ name }) => name !== "Class")
              .map(({ name, value }) => (
                <div>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
        </>
      )}
    </>
  );
}

async function ask(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, view, needs, now } = visit;
  permit(by, "tryLogin");
  const username = readTextField(input, "username", 253).trim();
  const method = loginMethods.find((one) => one === input["method"]) ?? "pap";
  const password = readTextField(input, "password", 128);
  const subscriber = await attempt(visit, async () => subscriberByUsername(db, by.scope, username));
  if (subscriber instanceof DomainError) {
    const fault = view.words.routers.login.nobody(username);
    return loginDrawer(visit, { username, method, fault });
  }
  const login = { subscriberId: subscriber.id, method, ...(password !== "" && { password }) };
  const tried = await attempt(visit, async () => {
    // guessing passwords here is limited as at a sign-in
    if (password !== "") needs.passwordTests.take(`${by.staffId}`, "");
    return tryLogin(db, by, login, { ask: needs.askLogin, now });
  });
  if (tried instanceof DomainError) {
    if (tried.kind !== "too_soon") throw tried;
    const fault = view.words.routers.login.tooMany(tried.retryAfter ?? 60);
    return loginDrawer(visit, { username, method, fault });
  }
  return loginDrawer(visit, { username, method, tried: { ...tried, subscriberId: subscriber.id } });
}

export const loginTestRoutes = [
  staffPage(LOGIN_TEST, (visit) =>
    loginDrawer(visit, { username: visit.query.get("username")?.slice(0, 253) ?? "" }),
  ),
  staffForm(LOGIN_TEST, ask),
];
