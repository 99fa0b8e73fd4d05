import { writePatiently } from "../../../../../db/open.ts";
import { addAccessBox, type Joining } from "../../../../domain/machine/access-boxes/boxes.ts";
import { joinLine } from "../../../../domain/machine/access-boxes/joining.ts";
import { boxesOverview } from "../../../../domain/machine/access-boxes/overview.ts";
import type { Scope } from "../../../../domain/service/box-standing/box-scope.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { Terminal } from "../../parts/terminal.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { ACCESS_BOXES } from "../../parts/hrefs.ts";

/** `1` is an ISP, `1.11` a branch of it, empty everybody. Throws `invalid`. */
function parseScope(whose: string): Scope | null {
  if (whose === "") return null;
  const [isp = 0, branch] = whose.split(".").map(Number);
  if (!Number.isSafeInteger(isp) || (branch !== undefined && !Number.isSafeInteger(branch)))
    throw new DomainError("invalid", phrase`choose whose subscribers the box has`);
  return branch === undefined ? { isps: [isp] } : { branches: [{ isp, branch }] };
}

export const boxForm = form({
  path: `${ACCESS_BOXES}/new`,
  of: ({ db, by, now }) => boxesOverview(db, by, { now }).places,
  content: (visit, places) => {
    const { accessBoxes: words } = visit.view.words;
    const title = words.newTitle;
    const shape = { pattern: "[a-z][a-z0-9\\-]*" };
    const options = places.map(({ isp, branch, ispName, branchName }) => ({
      value: branch === null ? String(isp) : `${isp}.${branch}`,
      label: branchName === null ? ispName : words.branch(ispName, branchName),
    }));
    return {
      title,
      back: ACCESS_BOXES,
      submit: words.make,
      groups: [
        {
          title: words.which,
          lead: words.lead,
          fields: [
            {
              name: "name",
              label: words.name,
              help: words.nameHelp,
              required: true,
              max: 31,
              attributes: shape,
            },
            {
              name: "whose",
              label: words.whose,
              help: words.whoseHelp,
              options: [{ value: "", label: words.everybody }, ...options],
            },
          ],
        },
      ],
      frame: (children) => (
        <SettingsFrame visit={visit} current="accessBoxes" title={title} children={children} />
      ),
    };
  },
  save: async ({ db, by, now, needs }, _, { name = "", whose = "" }) => {
    const makeNkey = await needs.nats.nkeyMaker();
    return writePatiently(db, (tx) =>
      addAccessBox(tx, by, { name, scope: parseScope(whose) }, { now, makeNkey }),
    );
  },
  done: joinPage,
});

/** Shows the join line of a box, which cannot be read again. */
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
        <ol class="stack listed">
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
