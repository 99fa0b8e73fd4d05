import { expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";
import { Glob } from "bun";

const CONSOLE = "src/http/console";

/** The folder of pages that a file is in. */
const folderOf = (path: string) => /^src\/http\/console\/pages\/([^/]+)\//.exec(path)?.[1];

/** What pages and parts import from a folder of pages that is not theirs: the first start leads through the pages of a router. */
const open: readonly string[] = [
  "start/router-step.tsx: routers/arrived.tsx, routers/findings.ts, routers/setup.tsx",
];

test("what several pages have is a part: no page takes it from another", async () => {
  const found: string[] = [];
  for (const file of [...new Glob("{pages,parts}/**/*.{ts,tsx}").scanSync(CONSOLE)].sort()) {
    const path = join(CONSOLE, file);
    const imported = [...(await Bun.file(path).text()).matchAll(/ from "(\.[^"]+)"/g)]
      .map(([, from = ""]) => join(dirname(path), from))
      .filter((one) => folderOf(one) !== undefined && folderOf(one) !== folderOf(path));
    const names = imported.map((one) => relative(`${CONSOLE}/pages`, one)).sort();
    if (names.length > 0) found.push(`${relative("pages", file)}: ${names.join(", ")}`);
  }
  expect(found).toEqual([...open]);
});

/** Forms that are written by hand: why they are no declarations. */
const byHand: Readonly<Record<string, string>> = {
  "arrived/bank/choose.tsx": "a file, which each step of three carries on",
  "arrived/bank/columns.tsx": "a file, which each step of three carries on",
  "arrived/bank/lines.tsx": "rows with boxes, of a file that is carried on",
  "arrived/guessed.tsx": "rows with boxes",
  "arrived/one.tsx": "a search, and a button",
  "cards/find.tsx": "a field in a row of filters",
  "cards/new.tsx": "fields by what is made, told as one types",
  "cards/print.tsx": "what is answered is a sheet or a file",
  "cards/sell.tsx": "asks whether an amount is meant",
  "cards/show-sheets.tsx": "what is printed and how, shown as one chooses",
  "cards/strip.tsx": "told as one types, and asks whether an amount is meant",
  "cards/template.tsx": "drawn as one types",
  "help/routes.tsx": "a search",
  "import/choices.tsx": "two choices below what was tried",
  "import/choose.tsx": "files",
  "import/columns.tsx": "a field for each column of a file",
  "import/moved.tsx": "a file, on a page that is one of several states of a run",
  "import/run.tsx": "buttons",
  "me/factor.tsx": "a step of who may see nothing else yet",
  "me/me.tsx": "a button",
  "message-texts/editor.tsx": "shown with a subscriber as one types, and sent as a test",
  "messages/many.tsx": "a button for a choice",
  "money/invoice.tsx": "ways to choose from, each with what it comes to",
  "money/reverse.tsx": "ways to choose from, each with what it comes to",
  "money/wallet-moves.tsx": "asks whether an amount is meant",
  "packages/editor.tsx": "the editor of packages",
  "packages/package.tsx": "a button",
  "pay/form.tsx": "the counter",
  "pay/search.tsx": "a search",
  "routers/api-setup-run.tsx": "a yes and a no to what was read of a router",
  "routers/api-setup.tsx": "what is asked of a router, which answers while one waits",
  "routers/arrived.tsx": "a button",
  "routers/config.tsx": "buttons",
  "routers/hotspot.tsx": "buttons",
  "routers/login.tsx": "its answer stands below it",
  "routers/mend.tsx": "a yes to what was read of a router",
  "routers/radsec.tsx": "a button",
  "routers/test-card.tsx": "its answer stands below it",
  "routers/watch.tsx": "buttons",
  "search/found.tsx": "a button",
  "settings/brand-form.tsx": "shown as one types, with a file",
  "settings/change.tsx": "a setting says its own field",
  "settings/list.tsx": "filters",
  "settings/sure.tsx": "the form that asked, with a yes",
  "sign-in/again.tsx": "of who is not signed in",
  "sign-in/code.tsx": "of who is not wholly signed in",
  "sign-in/sign-in.tsx": "of who is not signed in",
  "sign-up/form.tsx": "looked at as one types",
  "start/start.tsx": "seven steps, each with fields of its own",
  "subscriber/forms/form.tsx": "quotes and previews that change as one types",
  "subscriber/statement.tsx": "filters",
  "subscribers/bulk.tsx": "a preview of what is done to many",
  "subscribers/list.tsx": "boxes of a menu",
  "team/place-tree.tsx": "filters",
  "team/role-ticks.tsx": "a box for each permission, told as one ticks",
  "team/staff.tsx": "a button",
  "webhooks/delivery.tsx": "a button",
  "webhooks/webhook.tsx": "buttons",
};

test("a page writes no form by hand, but for those that say why", async () => {
  const found: string[] = [];
  for (const file of new Glob("**/*.tsx").scanSync(`${CONSOLE}/pages`))
    if (/<(?:form|DrawerForm|KeyedForm)\b/.test(await Bun.file(`${CONSOLE}/pages/${file}`).text()))
      found.push(file);
  expect(found.sort()).toEqual(Object.keys(byHand).sort());
});
