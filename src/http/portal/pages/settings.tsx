import type { Subscriber } from "../../../domain/goods/subscribers/find.ts";
import { FormToken } from "../../pages/document.tsx";
import { Notifications, type PushCardProps } from "./notifications.tsx";
import { Shell, type View } from "../layout.tsx";
import { Languages } from "../language.tsx";
import { languages } from "../../words/languages.ts";
import { Note } from "../../pages/note.tsx";

interface SettingsProps {
  view: View;
  formToken: string;
  subscriber: Subscriber;
  request: Request;
  problem?: string | undefined;
  done?: string | undefined;
  /** Where the ISP sends notifications. */
  push: PushCardProps | undefined;
}

export function SettingsPage({ view, formToken, subscriber, request, problem, done, push }: SettingsProps) {
  const { settings: words } = view.words;
  const { name, username, mobileNumber, email } = subscriber;
  return (
    <Shell view={view} title={words.title} place="settings" formToken={formToken}>
      <h1>{words.title}</h1>
      {done !== undefined && problem === undefined && <Note kind="good">{done}</Note>}
      <div class="columns">
        <section class="card">
          <h2>{words.account}</h2>
          <dl class="pairs">
            <Pair label={words.name} value={name} />
            <Pair label={words.username} value={username} />
            {mobileNumber !== null && <Pair label={words.mobile} value={mobileNumber} />}
            {email !== null && <Pair label={words.email} value={email} />}
          </dl>
        </section>
        <section class="card" id="password">
          <h2>{words.password}</h2>
          <p class="hint">{words.passwordLead}</p>
          {problem !== undefined && <Note kind="bad">{problem}</Note>}
          <form method="post" action="/portal/settings/password" class="stack">
            <FormToken value={formToken} />
            <input
              class="none"
              name="username"
              value={username}
              autocomplete="username"
              readonly
              tabindex={-1}
              aria-hidden="true"
            />
            <Password id="current" label={words.current} autocomplete="current-password" />
            <Password id="chosen" label={words.chosen} autocomplete="new-password" hint={words.rule} />
            <Password id="again" label={words.again} autocomplete="new-password" />
            <button class="button solid" type="submit">
              {words.save}
            </button>
          </form>
        </section>
        <Messages view={view} formToken={formToken} subscriber={subscriber} />
        {push && <Notifications view={view} formToken={formToken} push={push} />}
        <section class="card">
          <h2>{words.devices}</h2>
          <p class="hint">{words.devicesLead}</p>
          <form method="post" action="/portal/sign-out-everywhere" class="stack">
            <FormToken value={formToken} />
            <button class="button" type="submit">
              {words.everywhere}
            </button>
          </form>
        </section>
        <section class="card">
          <h2>{view.words.language}</h2>
          <Languages view={view} request={request} />
        </section>
      </div>
    </Shell>
  );
}

function Messages({
  view,
  formToken,
  subscriber: { language, messagesOff },
}: Pick<SettingsProps, "view" | "formToken" | "subscriber">) {
  const { settings: words } = view.words;
  return (
    <section class="card" id="messages">
      <h2>{words.messages}</h2>
      <p class="hint">{words.messagesLead}</p>
      <form method="post" action="/portal/settings/messages" class="stack">
        <FormToken value={formToken} />
        <div class="field">
          <label for="language">{words.messagesLanguage}</label>
          <select id="language" name="language">
            <option value="" selected={language === null}>
              {words.messagesAuto}
            </option>
            {languages.map(({ tag, name }) => (
              <option value={tag} lang={tag} selected={tag === language}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label class="tick">
            <input
              type="checkbox"
              name="wanted"
              value="1"
              checked={messagesOff === 0}
              aria-describedby="messages-hint"
            />
            <span>{words.messagesOn}</span>
          </label>
          <p class="hint" id="messages-hint">
            {words.messagesHint}
          </p>
        </div>
        <button class="button" type="submit">
          {words.messagesSave}
        </button>
      </form>
    </section>
  );
}

function Pair({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

interface PasswordProps {
  id: string;
  label: string;
  autocomplete: "current-password" | "new-password";
  hint?: string;
}

function Password({ id, label, autocomplete, hint }: PasswordProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={id}
        type="password"
        dir="ltr"
        autocomplete={autocomplete}
        maxLength={1000}
        required
        {...(hint !== undefined && { "aria-describedby": `${id}-hint` })}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
