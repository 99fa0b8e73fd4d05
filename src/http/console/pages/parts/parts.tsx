import type { Child } from "hono/jsx";
import { Note } from "../../../pages/note.tsx";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip, Count, Dot, Key } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Check, Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { Figure } from "../../../pages/parts/figure.tsx";
import { Menu } from "../../../pages/parts/menu.tsx";
import { PillField, PillSelect } from "../../../pages/parts/pill.tsx";
import { Qr } from "../../../pages/parts/qr.tsx";
import { Swatch } from "../../../pages/parts/swatch.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { Segments, Tabs } from "../../../pages/parts/tabs.tsx";
import { Toast } from "../../../pages/parts/toast.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { Charts } from "./charts.tsx";
import { LiveChip, PauseButton } from "../../live/parts.tsx";
import { Device } from "../../parts/device.tsx";
import type { ConsoleWords } from "../../../words/console.ts";

export function Parts({ words }: { words: ConsoleWords }) {
  return (
    <div class="stack">
      <h1>Parts</h1>
      <Colours />
      <Buttons />
      <Chips />
      <Fields />
      <Rows />
      <Verdicts />
      <Messages />
      <Card title="Code" lead="black on white in both schemes, with a quiet zone of four modules">
        <Qr text="https://my.isp.example/portal" label="The address of the portal as a code" />
      </Card>
      <Charts />
      <Card title="Live" lead="follows what happens, or holds it">
        <div class="filters">
          <LiveChip live="Live, every 10 s" paused="Paused" />
          <PauseButton label="Pause" space="Space" />
          <a class="filter" href="/console/parts">
            A filter
          </a>
          <a class="filter chosen" href="/console/parts" aria-current="true">
            A filter that is chosen
          </a>
          <Device words={words} mac="E0:19:1D:5B:C2:08" />
        </div>
      </Card>
      <Card title="Empty" lead="says what belongs here, and how to make the first">
        <Empty icon="chat" title="No message yet" text="Reminders before the expiry go from here.">
          <Button kind="solid">Set up a way</Button>
          <Button>Write one</Button>
        </Empty>
      </Card>
    </div>
  );
}

const tokens = [
  ...[
    "page",
    "card",
    "sunken",
    "line",
    "line-2",
    "ink",
    "soft",
    "up",
    "accent",
    "solid",
    "good",
    "warn",
    "bad",
  ],
  ...["tint", "mark", "dot", "amber", "red", "s2", "s3", "s4", "s5", "bad-w", "warn-w", "good-w"],
];

function Colours() {
  return (
    <Card title="Colours" lead="text needs 4.5 : 1, lines and marks 3 : 1">
      <ul class="grid">
        {tokens.map((name) => (
          <li class="row">
            <Swatch fill={`var(--${name})`} size={28} />
            <span class="mono">{name}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Row({ children }: { children: Child }) {
  return <div class="actions">{children}</div>;
}

function Buttons() {
  return (
    <Card title="Buttons" lead="one solid button on a page: the next best step">
      <div class="stack">
        <Row>
          <Button kind="solid" icon="renew">
            Renew
          </Button>
          <Button kind="solid" size="large" showKey="Enter">
            Pay and renew
          </Button>
          <Button icon="swap">Package</Button>
          <Button kind="danger" icon="power">
            Disconnect
          </Button>
          <Button icon="power" disabled>
            Disconnect
          </Button>
          <Button kind="solid" disabled>
            Asking Hill-3
          </Button>
          <Button kind="quiet">Cancel</Button>
          <Button size="small">Take</Button>
          <Button icon="more" label="More" />
          <Button href="/console/parts" icon="forward">
            A link
          </Button>
        </Row>
        <Row>
          <Key>/</Key>
          <Key>G</Key>
          <Key>Esc</Key>
        </Row>
      </div>
    </Card>
  );
}

function Chips() {
  const views = [
    { href: "/console/parts", label: "24 h", current: true },
    { href: "/console/parts?d=30", label: "30 d", current: false },
  ];
  const tabs = [
    { href: "/console/parts", label: "Overview", current: true },
    { href: "/console/parts?t=1", label: "Sessions", count: "214", current: false },
  ];
  return (
    <Card title="Chips, dots, filters, tabs" lead="colour never alone: shape and word too">
      <div class="stack">
        <Row>
          <Chip tone="good">Active</Chip>
          <Chip tone="warn">Expires today</Chip>
          <Chip tone="bad">Expired</Chip>
          <Chip>Disabled</Chip>
          <Count>18</Count>
        </Row>
        <Row>
          {(["online", "offline", "half", "refused"] as const).map((state) => (
            <span class="dotted">
              <Dot state={state} />
              {state}
            </span>
          ))}
        </Row>
        <Row>
          <Menu label="Status" value="any">
            <a href="/console/parts">Active</a>
          </Menu>
          <Menu label="Area" value="Quayside" chosen>
            <a href="/console/parts">Quayside</a>
          </Menu>
          <Segments label="Time" tabs={views} />
        </Row>
        <Row>
          <PillField name="day" label="From" value="2030-01-01" />
          <PillSelect name="beside" label="Beside" options={[{ value: 1, label: "December, same days" }]} />
          <PillSelect name="by" label="By" options={[{ value: 1, label: "package" }]} chosen />
          <PillField name="until" label="To" value="2020-01-01" fault="must not be before from" />
        </Row>
        <Tabs label="Tabs" tabs={tabs} />
        <ShareBar share={0.4} label="40 %" />
        <ShareBar share={0.95} tone="warn" label="95 %" />
        <ShareBar share={0.6} series="s2" label="60 %" />
      </div>
    </Card>
  );
}

function Fields() {
  return (
    <Card title="Fields" lead="the label above, help below, the fault in words">
      <div class="fields">
        <Field name="phone" label="Phone" value="+1 555 0142" help="However it is spaced." />
        <Field name="amount" label="Amount" value="28.00" prefix="US$" />
        <Field name="login" label="Username" value="jmwangi" fault="Taken by Joseph Mwangi. Free: jmwangi2" />
        <Select
          name="package"
          label="Package"
          options={[{ value: 1, label: "Family 30" }]}
          help="30 / 10 Mbit/s"
        />
        <TextArea name="note" label="Note" value="Gate code 4471." />
        <Check name="print" label="Print the receipt" checked />
      </div>
    </Card>
  );
}

function Rows() {
  const columns = [
    { title: "Name", href: "/console/parts", sorted: "ascending" as const },
    { title: "Status" },
    { title: "Balance", end: true },
    { title: "Line", low: true },
  ];
  return (
    <>
      <div class="figures">
        <Figure label="Online now" value="1,203" hint="+32 on yesterday" href="/console/parts" />
        <Figure label="Taken today" unit="US$" value="1,284.00" hint="58 payments" href="/console/parts" />
        <Figure label="Owed" unit="US$" value="2,316.50" hint="by 143" href="/console/parts" tone="bad" />
      </div>
      <Table caption="Examples" columns={columns}>
        <tr>
          <td>
            <a href="/console/parts">Amara Okafor</a>
          </td>
          <td>Active</td>
          <td class="end">35.50</td>
          <td class="low">
            <span class="dotted">
              <Dot state="online" /> since 07:00
            </span>
          </td>
        </tr>
        <tr class="chosen">
          <td>
            <a href="/console/parts">Leila Haddad</a>
          </td>
          <td>
            <Chip tone="bad">Expired</Chip>
          </td>
          <td class="end bad-text">−6.00</td>
          <td class="low">
            <span class="dotted">
              <Dot state="half" /> pay page
            </span>
          </td>
        </tr>
      </Table>
      <Card title="Facts">
        <Facts
          facts={[
            ["Area", "Quayside"],
            ["Router", "Tower-1, PPPoE"],
          ]}
        />
      </Card>
    </>
  );
}

function Verdicts() {
  return (
    <>
      {(["bad", "warn", "good", "quiet"] as const).map((tone) => (
        <Verdict
          tone={tone}
          icon={tone === "bad" ? "lock" : tone === "warn" ? "money" : "check"}
          label="What is the matter"
          title="Refused: there is a new router at this line"
          text="The password is right. The line is locked to another device."
          actions={tone === "bad" && <Button kind="solid">Unlock, take the new one</Button>}
          hint="Nothing is charged."
        />
      ))}
    </>
  );
}

function Messages() {
  return (
    <Card title="Messages" lead="what the router said, not what we sent">
      <div class="stack">
        <Toast
          flash={{ kind: "good", title: "Tower-1 ended the session.", text: "Disconnect-ACK after 41 ms." }}
          close="Close"
        />
        <Toast
          flash={{ kind: "wait", title: "Asking Hill-3", text: "for 30/10 Mbit/s, second try." }}
          close="Close"
        />
        <Toast
          flash={{
            kind: "bad",
            title: "Market-4 did not answer.",
            text: "The session stands.",
            links: [{ href: "/console/parts", label: "Try again" }],
          }}
          close="Close"
        />
        <Note kind="wait">The certificate ends in 12 days.</Note>
        <Note kind="good">Nobody is cut off by this.</Note>
      </div>
    </Card>
  );
}
