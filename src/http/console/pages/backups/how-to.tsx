import { basename } from "node:path";
import type { BackupOverview } from "../../../../domain/machine/backup/overview.ts";
import type { StaffVisit } from "../../guard.ts";
import { Card } from "../../../pages/parts/card.tsx";

export function HowTo({ visit: { view }, of }: { visit: StaffVisit; of: BackupOverview }) {
  const { backups: b } = view.words;
  const file = of.backups[0]?.file ?? `${of.folder}/gatehouse-….db`;
  const { stop, restore, start, unpack, install, routers } = b.restoreSteps;
  const { unpackApart, installApart, restoreApart } = b.restoreSteps;
  const { natsInstall, natsRestore, natsRecover } = b.restoreSteps;
  const name = basename(file);
  const holdsKey = of.backups[0]?.holdsKey ?? of.holdKey;
  const startAgain = "sudo systemctl start gatehouse && gatehouse check";
  const moved = "/var/lib/gatehouse/moved";
  return (
    <Card title={b.restore}>
      <div class="stack how-to">
        <Steps
          title={b.restoreHere}
          steps={[
            [stop, "sudo systemctl stop gatehouse"],
            [restore, `sudo gatehouse restore ${file}`],
            [start, startAgain],
          ]}
        />
        <Steps
          title={b.restoreElsewhere}
          steps={[
            ...(holdsKey
              ? ([
                  [unpack, null],
                  [install, `sudo ./install --restore ${name}`],
                ] as const)
              : ([
                  [unpackApart, null],
                  [installApart, "sudo ./install && sudo systemctl stop gatehouse"],
                  [
                    restoreApart,
                    `sudo install -o gatehouse -m 600 ${name} ${moved}.db\nsudo install -o gatehouse -m 600 secret.key ${moved}.key\nsudo gatehouse restore ${moved}.db --key ${moved}.key`,
                  ],
                  [start, startAgain],
                ] as const)),
            [routers, null],
          ]}
        />
        {of.nats?.last && (
          <Steps
            title={b.restoreFromNats}
            steps={[
              [natsInstall, "sudo ./install && sudo systemctl stop gatehouse"],
              [natsRestore, `sudo gatehouse restore --from-nats${of.holdKey ? "" : ` --key ${moved}.key`}`],
              [natsRecover, "sudo gatehouse box promote && sudo gatehouse recover"],
              [start, startAgain],
            ]}
          />
        )}
        <p class="hint">{b.restoreNumbers}</p>
      </div>
    </Card>
  );
}

export function Steps({
  title,
  steps,
}: {
  title?: string;
  steps: readonly (readonly [text: string, command: string | null])[];
}) {
  return (
    <div>
      {title !== undefined && <h3>{title}</h3>}
      <ol class="how-steps">
        {steps.map(([text, command]) => (
          <li>
            {text}
            {command !== null && (
              <pre class="mono" tabindex={0}>
                {command}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
