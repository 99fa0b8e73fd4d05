import type { Child } from "hono/jsx";
import type { BackupOverview, BackupView } from "../../../../domain/machine/backup/overview.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { isOperator } from "../../../../domain/core/actor/permissions.ts";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { State } from "./state.tsx";
import { Work } from "./work.tsx";
import { BACKUPS } from "../../parts/hrefs.ts";
import { HowTo } from "./how-to.tsx";

export function BackupsPage({ visit, of, children }: Part & { children: Child }) {
  return (
    <SettingsFrame visit={visit} current="backups">
      <div class="split">
        <div>
          <State visit={visit} of={of} />
          <Work visit={visit} />
          {of.backups.length > 0 && <List visit={visit} of={of} />}
          <HowTo visit={visit} of={of} />
        </div>
        <div>
          <Schedule visit={visit} of={of} />
          {isOperator(visit.by) && (
            <Card title={visit.view.words.backups.passphrase} id="passphrase">
              {children}
            </Card>
          )}
        </div>
      </div>
    </SettingsFrame>
  );
}

interface Part {
  visit: StaffVisit;
  of: BackupOverview;
}

function List({ visit, of: { backups, keep, more } }: Part) {
  const { words } = visit.view;
  const { backups: b } = words;
  return (
    <Card title={b.list} lead={b.listLead(keep)}>
      <Backups visit={visit} rows={backups} />
      {more > 0 && <p class="hint">{b.more(more)}</p>}
    </Card>
  );
}

export const Backups = list<BackupView>((visit) => {
  const { words, format } = visit.view;
  const { backups: b } = words;
  return {
    name: b.list,
    kind: "two-lines",
    columns: [
      {
        title: b.madeAt,
        narrow: "lead",
        cell: ({ at, name }) => (
          <>
            <span class="name">{format.near(at, visit.now)}</span>
            <br />
            <span class="hint breaks">{name}</span>
          </>
        ),
      },
      { title: b.size, end: true, cell: ({ bytes }) => format.bytes(bytes) },
      { title: b.state, cell: (backup) => <Proof view={visit.view} backup={backup} now={visit.now} /> },
      {
        title: b.key,
        cell: ({ holdsKey }) =>
          holdsKey === null ? "–" : holdsKey ? b.held : <span class="warn-text">{b.apart}</span>,
      },
      {
        title: <span class="unseen">{b.actions}</span>,
        end: true,
        cell: ({ name }) => <Ways visit={visit} name={name} />,
      },
    ],
    empty: b.none,
  };
});

function Ways({ visit: { view, by }, name }: { visit: StaffVisit; name: string }) {
  const { backups: b } = view.words;
  const named = encodeURIComponent(name);
  const [tryIt, download] = [`${BACKUPS}/try?name=${named}`, `${BACKUPS}/download?name=${named}`];
  return (
    <span class="row ends">
      <a class="button small" href={tryIt} aria-label={b.tryOf(name)} {...drawerLink(tryIt)}>
        {b.tryOne}
      </a>
      {isOperator(by) && (
        <a class="button small" href={download} aria-label={b.downloadOf(name)} {...drawerLink(download)}>
          {b.download}
        </a>
      )}
    </span>
  );
}

function Proof({
  view: { words, format },
  backup,
  now,
}: {
  view: StaffVisit["view"];
  backup: BackupView;
  now: number;
}) {
  const { backups: b } = words;
  const { trial, holdsKey } = backup;
  if (trial) {
    const when = format.near(trial.at, now);
    if (trial.fault !== null) return <Chip tone="bad">{b.failedAt(when)}</Chip>;
    return <Chip tone="good">{trial.byPassphrase ? b.provenElsewhere(when) : b.provenAt(when)}</Chip>;
  }
  return holdsKey === null ? (
    <Chip tone="bad">{b.unreadable}</Chip>
  ) : (
    <span class="soft-text">{b.verified}</span>
  );
}

function Schedule({ visit: { view, by }, of }: Part) {
  const { words, format } = view;
  const { backups: b } = words;
  const change = (key: string, value: string, label: string) => {
    const href = `/console/settings/set/${key}`;
    return (
      <span class="band breaks">
        <bdi>{value}</bdi>
        {isOperator(by) && (
          <a href={href} aria-label={`${b.change}${words.list.colon}${label}`} {...drawerLink(href)}>
            {b.change}
          </a>
        )}
      </span>
    );
  };
  return (
    <Card title={b.settings}>
      <Facts
        facts={[
          [b.every, change("backup_every_hours", b.hours(of.everyHours, of.everyHours), b.every)],
          [b.keep, change("backup_keep", format.number(of.keep), b.keep)],
          [
            b.proves,
            change("backup_try_days", of.tryDays === 0 ? b.provesNever : b.days(of.tryDays), b.proves),
          ],
          [b.folder, change("backup_folder", of.folder, b.folder)],
          [
            b.passphraseState,
            of.holdKey ? b.passphraseHeld : <span class="warn-text">{b.passphraseMissing}</span>,
          ],
        ]}
      />
      {!isOperator(by) && <p class="hint card-foot">{b.operators}</p>}
    </Card>
  );
}
