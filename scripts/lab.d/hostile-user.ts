import type { Installed, Step } from "./installed.ts";
import { must } from "./run-steps.ts";

/** Whoever owns the data folder leaves traps for root in it, before and while an upgrade runs. */
export const hostileUser: Step = {
  what: "an upgrade, and one that fails, with a hostile user of the service",
  run: async (box) => {
    const before = await rootsFiles(box);
    const rounds = [
      { release: "new", plant: `${PLANT}ln -s /etc/cron.d backups\n`, said: "so nothing was changed" },
      { release: "new", plant: PLANT, said: "it serves" },
      { release: "bad", plant: PLANT, said: "the old version serves again" },
    ];
    for (const { release, plant, said: output } of rounds) {
      await box.root(AS_SERVICE, plant);
      const hostile = box.attempt(AS_SERVICE, SWAP);
      const { stdout, stderr } = await box.attempt(`/root/${release}/install`);
      await box.root("touch /tmp/over && chmod 644 /tmp/over");
      await hostile;
      await box.root("rm -f /tmp/over");
      must(`${stdout}${stderr}`.includes(output), `${release}: it said: ${stdout}${stderr}`);
      await box.requireLogin();
      must((await box.attempt("ls /root/owned")).code !== 0, `${release}: root ran a program of the user's`);
      const after = await rootsFiles(box);
      must(after === before, `${release}: files of root's changed:\n${changed(before, after)}`);
    }
    return "links in the data folder and swapped copies lead root nowhere";
  },
};

/** A shell of the user of the service, which reads its commands from standard input. */
const AS_SERVICE = "setpriv --reuid=gatehouse --regid=gatehouse --init-groups sh /dev/stdin";

/** What the user of the service leaves for root to walk into. */
const PLANT = `cd /var/lib/gatehouse
rm -rf backups restoring failed-upgrade-*
ln -s /etc/passwd restoring
at=$(date +%s)
for second in $(seq 0 60); do ln -s /etc failed-upgrade-$(date -u -d @$((at + second)) +%Y%m%dT%H%M%SZ); done
`;

/** What it does as long as an upgrade runs: puts a program of its own wherever root may keep the old one. */
const SWAP = `cd /var/lib/gatehouse
cat >/tmp/evil <<'EVIL'
#!/bin/sh
[ "$(id -u)" = 0 ] && touch /root/owned
exec /opt/gatehouse-new "$@"
EVIL
chmod 755 /tmp/evil
end=$(($(date +%s) + 90))
while [ ! -e /tmp/over ] && [ "$(date +%s)" -lt "$end" ]; do
  for kept in before-upgrade ../gatehouse-before-upgrade; do
    [ -e $kept/gatehouse ] && ! cmp -s /tmp/evil $kept/gatehouse && { mv $kept old-$$; mkdir $kept; cp old-$$/* $kept/; cp /tmp/evil $kept/gatehouse; } 2>/dev/null
  done
done
rm -rf failed-upgrade-* backups restoring old-* /tmp/evil
true
`;

/** Owner, mode and content of everything that the user of the service must not change, a line each. */
async function rootsFiles(box: Installed): Promise<string> {
  const lines = await box.root(
    `find /etc /root/.??* /usr/local /opt /var/lib -path /var/lib/gatehouse -prune -o -path /var/lib/systemd -prune -o -printf '%p %u %g %m %y ' ` +
      `-type f -exec sha256sum -b {} ';' -o -printf '\\n'`,
  );
  return lines.split("\n").toSorted().join("\n"); // a folder that was written to lists in another order
}

function changed(before: string, after: string): string {
  const [old, now] = [new Set(before.split("\n")), new Set(after.split("\n"))];
  return [...old.symmetricDifference(now)].slice(0, 10).join("\n");
}
