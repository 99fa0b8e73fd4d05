import type { Command } from "commander";
import type { Cli } from "./cli.ts";
import { commandModules, commands } from "./commands.ts";
import { CommandError } from "./io.ts";

/** The help command in place of commander's own, which knows commands alone. */
export function addHelpCommand(gatehouse: Command, cli: Cli): void {
  gatehouse
    .helpCommand(false)
    .command("help")
    .argument("[topic...]", "a page of the handbook, a command, or words to look for")
    .description("print a page of the handbook; without a topic, which pages there are")
    .action(async (topic: string[]) => {
      const words = topic.join(" ");
      const { pages } = await import("../handbook/pages.ts");
      const { language } = cli;
      const { stdout } = cli.io;
      const colors = cli.io.isColored === true;
      const show = (text: string) =>
        stdout.write(
          Bun.markdown.ansi(colors ? asCommands(text) : withMarks(asCommands(text)), {
            colors,
            columns: 100,
          }),
        );
      const page = pages(language).find(({ slug }) => slug === words);
      if (page) show(page.text);
      else if (commands.has(topic[0] ?? "")) await commandHelp(gatehouse, cli, topic);
      else if (words === "")
        for (const { slug, title } of pages(language)) stdout.write(`${slug.padEnd(28)} ${title}\n`);
      else {
        const { findPages } = await import("../handbook/search.ts");
        const [best, ...others] = await findPages(words, language);
        if (!best) throw new CommandError(`no page of the handbook has ${words}; see: gatehouse help`);
        show(best.page.text);
        const more = others.slice(0, 5).map(({ page: { slug } }) => slug);
        if (more.length > 0)
          stdout.write(`\nalso: ${more.map((slug) => `gatehouse help ${slug}`).join(", ")}\n`);
      }
    });
}

/** What leads to another page, as the command that prints it; a terminal shows no pictures. */
const asCommands = (text: string) =>
  text
    .replaceAll(/^!\[.*\]\(.*\)\n\n?/gm, "")
    .replaceAll(/\[([^\]]+)\]\((?:\.\.\/)*(?:[\w-]+\/)?([\w-]+)\.md\)/g, "$1 (`gatehouse help $2`)");

/** What is pressed and what is filled in, told apart where nothing is bold or slanted; code stays as it is. */
const withMarks = (text: string) =>
  text.replaceAll(
    /```[^]*?```|`[^`]*`|\*\*(.+?)\*\*|(?<=\S.*)(?<!\w)_(.+?)_(?!\w)/g,
    (all, pressed?: string, field?: string) =>
      pressed !== undefined ? `\\*\\*${pressed}\\*\\*` : field !== undefined ? `\\_${field}\\_` : all,
  );

/** The help of a command, as `--help` prints it. */
async function commandHelp(
  gatehouse: Command,
  cli: Cli,
  [name = "", ...rest]: readonly string[],
): Promise<void> {
  for (const add of await commandModules(name)) if (name !== "help") add(gatehouse, cli);
  const found = rest.reduce<Command | undefined>(
    (command, one) => command?.commands.find((each) => each.name() === one),
    gatehouse.commands.find((each) => each.name() === name),
  );
  if (!found)
    throw new CommandError(`there is no command ${[name, ...rest].join(" ")}; see: gatehouse ${name} --help`);
  found.outputHelp();
}
