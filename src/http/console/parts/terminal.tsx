import type { Child } from "hono/jsx";
import type { Commands, ExtraPart } from "../../../domain/goods/router-setup/commands.ts";
import { extraParts } from "../../../domain/goods/router-setup/commands.ts";
import { Icon } from "../../pages/icons.tsx";
import type { StaffVisit } from "../guard.ts";

export function Terminal({
  id,
  label,
  visit: { view },
  children,
}: {
  id: string;
  label: string;
  visit: StaffVisit;
  children: Child;
}) {
  const { commands } = view.words.routers;
  return (
    <div class="terminal">
      <button type="button" class="no-print" data-copy={id} data-copied={commands.copied} hidden>
        <Icon name="copy" />
        <span>{commands.copy}</span>
      </button>
      <pre id={id} class="mono" tabindex={0} role="region" aria-label={label}>
        {children}
      </pre>
    </div>
  );
}

/**
 * A command with action and values marked up. One that is longer than a line is shown with RouterOS's continuation mark, drawn
 * by CSS: a copy is one line.
 */
export function Command({
  text,
  marks = [],
  isContinued = true,
}: {
  text: string;
  marks?: readonly string[];
  isContinued?: boolean;
}) {
  const turned = isContinued ? withTurns(text) : text;
  const [, verb = "", rest = turned] =
    /^(\/[a-z -]+? (?:add|set|remove|move|print))\b(.*)$/s.exec(turned) ?? [];
  return (
    <span class="command">
      {verb !== "" && <span class="verb">{verb}</span>}
      {marked(rest, marks)}
      {"\n"}
    </span>
  );
}

/** Characters of a line beside a second column, and on a phone. */
const LINES = { wide: 52, narrow: 38 } as const;
/** Mark line breaks of a width; no command has these characters. */
const TURNS = { "\uE001": "turn wide narrow", "\uE002": "turn wide", "\uE003": "turn narrow" } as const;

/** The text with these marks. */
function withTurns(text: string): string {
  const words = text.split(/(?<=[ ;])/);
  const [wide, narrow] = [LINES.wide, LINES.narrow].map((width) => findTurns(words, width));
  return words
    .map((word, index) => {
      const [isWide, isNarrow] = [wide?.has(index), narrow?.has(index)];
      return `${isWide ? (isNarrow ? "\uE001" : "\uE002") : isNarrow ? "\uE003" : ""}${word}`;
    })
    .join("");
}

/** The words that begin a line; those lines are indented by four and end in a mark. */
function findTurns(words: readonly string[], width: number): Set<number> {
  const turns = new Set<number>();
  let length = 0;
  for (const [index, word] of words.entries()) {
    if (length > 4 && length + word.trimEnd().length + 2 > width) {
      turns.add(index);
      length = 4;
    }
    length += word.length;
  }
  return turns;
}

function turnedText(text: string): Child {
  return text
    .split(/([\uE001-\uE003])/)
    .map((piece) => (isTurn(piece) ? <span class={TURNS[piece]} /> : piece));
}

const isTurn = (piece: string): piece is keyof typeof TURNS => Object.hasOwn(TURNS, piece);

function marked(text: string, [first, ...more]: readonly string[]): Child {
  if (first === undefined || first === "") return more.length === 0 ? turnedText(text) : marked(text, more);
  const [head = "", ...tails] = text.split(`=${first}`);
  return (
    <>
      {marked(head, more)}
      {tails.map((tail) => (
        <>
          =<span class="value">{first}</span>
          {marked(tail, more)}
        </>
      ))}
    </>
  );
}

interface Props {
  visit: StaffVisit;
  nasId: number;
  commands: Commands;
  extras: readonly ExtraPart[];
  /** Target of the option chips; absent: none. */
  chipsTo?: string;
}

export function CommandCard({ visit, nasId, commands, extras, chipsTo }: Props) {
  const { commands: words } = visit.view.words.routers;
  const isOther = commands.kind !== "mikrotik";
  const marks = [...(commands.secret === null ? [] : [commands.secret]), commands.server];
  return (
    <>
      <p class="hint">{describeLead(visit, commands)}</p>
      <Terminal id={`commands-${nasId}`} label={words.region} visit={visit}>
        {commands.sections.map(({ part, commands: lines }, index) => (
          <>
            <span class="remark">
              {commands.kind === "cisco" ? "!" : "#"} {index + 1}.{" "}
              {part === "lines" ? words.parts.lines(words.everyReport) : words.parts[part]}
            </span>
            {"\n"}
            {lines.map((text) => (
              <Command text={text} marks={marks} isContinued={!isOther} />
            ))}
          </>
        ))}
      </Terminal>
      {chipsTo !== undefined && !isOther && <Extras visit={visit} extras={extras} to={chipsTo} />}
      {!isOther && <p class="hint">{words.order}</p>}
      <p class="calm">
        <Icon name="shield" />
        <span>
          <strong>{words.nobody}</strong> {words.nobodyText}
        </span>
      </p>
    </>
  );
}

function describeLead({ view }: StaffVisit, { kind, secret, isRadsec }: Commands): string {
  const words = view.words.routers.commands;
  if (kind === "mikrotik" && isRadsec) return view.words.radsec.commandsLead;
  if (kind === "mikrotik") return secret === null ? words.leadHidden : words.lead;
  return secret === null ? `${words.leadOther[kind]} ${words.hidden}` : words.leadOther[kind];
}

function Extras({
  visit: { view },
  extras,
  to,
}: {
  visit: StaffVisit;
  extras: readonly ExtraPart[];
  to: string;
}) {
  const { commands } = view.words.routers;
  const toggled = (part: ExtraPart) => {
    const chosen = extraParts.filter((one) => (one === part) !== extras.includes(one));
    return chosen.length === 0 ? to : `${to}?also=${chosen.join(",")}`;
  };
  return (
    <div class="filters">
      <span class="hint">{commands.also}</span>
      {extraParts.map((part) => (
        <a
          class={extras.includes(part) ? "filter chosen" : "filter"}
          href={toggled(part)}
          {...(extras.includes(part) && { "aria-current": "true" as const })}
        >
          {commands.extras[part]}
        </a>
      ))}
    </div>
  );
}
