import { writePatiently } from "../../../../../db/open.ts";
import { addAccessBox, type Joining } from "../../../../domain/machine/access-boxes/boxes.ts";
import { joinLine } from "../../../../domain/machine/access-boxes/joining.ts";
import { boxesOverview } from "../../../../domain/machine/access-boxes/overview.ts";
import type { Scope } from "../../../../domain/service/box-standing/box-scope.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Terminal } from "../routers/commands.tsx";
import { SettingsFrame } from "../settings/head.tsx";
import { typedIn } from "../team/form.tsx";
import { ACCESS_BOXES } from "./shown.ts";

interface Edited {
  readonly name: string;
  readonly whose: string;
  readonly refused?: DomainError;
}

export function newBox(visit: StaffVisit): Response {
  return form(visit, { name: "", whose: "" });
}

export async function create(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, needs } = visit;
  const [name, whose] = [typedIn(input, "name").trim(), typedIn(input, "whose")];
  const makeNkey = await needs.nats.nkeyMaker();
  const done = await attempt(visit, () =>
    writePatiently(db, (tx) => addAccessBox(tx, by, { name, scope: scopeOf(whose) }, { now, makeNkey })),
  );
  return done instanceof DomainError ? form(visit, { name, whose, refused: done }) : joinPage(visit, done);
}

/** `1` is an ISP, `1.11` one of its branches, nothing everybody. Throws `invalid`. */
function scopeOf(whose: string): Scope | null {
  if (whose === "") return null;
  const [isp = 0, branch] = whose.split(".").map(Number);
  if (!Number.isSafeInteger(isp) || (branch !== undefined && !Number.isSafeInteger(branch)))
    throw new DomainError("invalid", "choose whose subscribers the box has");
  return branch === undefined ? { isps: [isp] } : { branches: [{ isp, branch }] };
}

function form(visit: StaffVisit, { name, whose, refused }: Edited): Response {
  const { db, by, now, view, formToken } = visit;
  const { accessBoxes: words } = view.words;
  const { places } = boxesOverview(db, by, { now });
  // a name that is none, or is another's
  const isOfName = refused?.code === "conflict" || refused?.code === "invalid";
  const fault = refused && isOfName ? words.notAdded(refused.message) : undefined;
  return page(
    visit,
    <SettingsFrame visit={visit} current="accessBoxes" title={words.newTitle}>
      <form class="stack box-form" method="post" action={`${ACCESS_BOXES}/new`}>
        <FormToken value={formToken} />
        {refused && fault === undefined && <Note kind="bad">{words.notAdded(refused.message)}</Note>}
        <Card title={words.which} lead={words.lead}>
          <div class="box-fields">
            <Field
              name="name"
              label={words.name}
              help={words.nameHelp}
              fault={fault}
              value={name}
              required
              attributes={{ maxlength: 31, autocomplete: "off", pattern: "[a-z][a-z0-9\\-]*" }}
            />
            <Select
              name="whose"
              label={words.whose}
              help={words.whoseHelp}
              value={whose}
              options={[
                { value: "", label: words.everybody },
                ...places.map(({ isp, branch, ispName, branchName }) => ({
                  value: branch === null ? String(isp) : `${isp}.${branch}`,
                  label: branchName === null ? ispName : words.branch(ispName, branchName),
                })),
              ]}
            />
          </div>
        </Card>
        <div class="actions">
          <Button kind="solid" size="large">
            {words.make}
          </Button>
          <Button href={ACCESS_BOXES} size="large">
            {words.back}
          </Button>
        </div>
      </form>
    </SettingsFrame>,
    { status: refused ? 422 : 200 },
  );
}

/** The line that a box joins with, which is nowhere to be read again, and what to do with it. */
function joinPage(visit: StaffVisit, joining: Joining): Response {
  const { accessBoxes: words } = visit.view.words;
  const { step } = words;
  const env = "GATEHOUSE_NATS_URL=tls://NATS-ADDRESS:4222\nGATEHOUSE_NATS_CA=/etc/gatehouse/nats-ca.crt";
  return page(
    visit,
    <SettingsFrame visit={visit} current="accessBoxes" title={words.joinTitle(joining.name)}>
      <p class="sentence">{words.joinText}</p>
      <Card title={words.join}>
        <Terminal id="join" label={words.join} visit={visit}>
          {joinLine(joining)}
        </Terminal>
      </Card>
      <Card title={words.steps}>
        <ol class="box-steps">
          <li>
            <p>
              {step.server}: <a href={`${ACCESS_BOXES}/server`}>{step.serverLink}</a>
            </p>
            <Terminal id="step-server" label={step.server} visit={visit}>
              {"gatehouse box server >nats-server.conf\nsystemctl reload nats-server"}
            </Terminal>
          </li>
          <li>
            <p>{step.books}</p>
            <Terminal id="step-books" label={step.books} visit={visit}>
              {`${env}\n\nsystemctl restart gatehouse`}
            </Terminal>
          </li>
          <li>
            <p>{step.box}</p>
            <Terminal id="step-box" label={step.box} visit={visit}>
              {`./install --access\n\n${env}\n\ngatehouse box join\nsystemctl enable --now gatehouse`}
            </Terminal>
          </li>
          <li>
            <p>{step.routers}</p>
            <Terminal id="step-routers" label={step.routers} visit={visit}>
              {"gatehouse nas script ROUTER --server NEAREST-BOX,NEXT-BOX"}
            </Terminal>
          </li>
        </ol>
      </Card>
      <div class="actions">
        <Button href={ACCESS_BOXES} kind="solid" size="large">
          {words.done}
        </Button>
      </div>
    </SettingsFrame>,
  );
}

/** What nats-server has to be told of these books and their boxes. */
export async function showServer(visit: StaffVisit): Promise<Response> {
  const { accessBoxes: words } = visit.view.words;
  const text = await visit.needs.nats.serverConfig(visit.by);
  return page(
    visit,
    <SettingsFrame visit={visit} current="accessBoxes" title={words.serverTitle}>
      <p class="sentence">{words.serverLead}</p>
      <Card title={words.serverFile}>
        <Terminal id="nats-server" label={words.serverFile} visit={visit}>
          {text}
        </Terminal>
        <p class="hint">{words.serverAfter}</p>
      </Card>
    </SettingsFrame>,
  );
}
